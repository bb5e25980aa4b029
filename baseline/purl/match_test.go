package purl_test

import (
	"testing"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"pkg:golang/github.com/golang/snappy", "pkg:golang/github.com/golang/snappy@v0.0.4", true},
		{"pkg:golang/github.com/golang/snappy@v0.0.4", "pkg:golang/github.com/golang/snappy@v0.0.4", true},
		{"pkg:golang/github.com/golang/snappy@v0.0.3", "pkg:golang/github.com/golang/snappy@v0.0.4", false},
		{"pkg:golang/github.com/golang/snappy@v0.*", "pkg:golang/github.com/golang/snappy@v0.0.4", true},
		{"pkg:golang/github.com/BurntSushi/*", "pkg:golang/github.com/burntsushi/toml@v1", true},
		{"pkg:golang/k8s.io/*", "pkg:golang/k8s.io/api/core@v1", true},
		{"pkg:golang/k8s.io", "pkg:golang/k8s.io/api@v1", false},
		{"*", "pkg:npm/a@1", true},
		{"pkg:*/zlib", "pkg:generic/zlib@1.2.11", true},
		{"pkg:npm/@babel/*", "pkg:npm/%40babel/parser@7.0.0", true},
		{"pkg:npm/@babel/parser@7.*", "pkg:npm/%40babel/parser@7.0.0", true},
		{"pkg:npm/?", "pkg:npm/a@1", true},
		{"", "pkg:npm/a@1", false},
		{"pkg:npm/a*b*c*d", "pkg:npm/aaaaaaaaaaaaaaaaaaaaaaaab@1", false},
	} {
		if purl.Match(c.pattern, c.s) != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.s, !c.want)
		}
	}
}

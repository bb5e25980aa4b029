package purl

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/mod/module"
)

func TestMake(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{NPM("@scope/name", "1.0.0"), "pkg:npm/%40scope/name@1.0.0"},
		{NPM("left-pad", "1.3.0"), "pkg:npm/left-pad@1.3.0"},
		{NPM("left-pad", ""), "pkg:npm/left-pad"},
		{Golang("golang.org/x/mod", "v0.42.0"), "pkg:golang/golang.org/x/mod@v0.42.0"},
		{Golang("github.com/BurntSushi/toml", "v1.0.0"), "pkg:golang/github.com/BurntSushi/toml@v1.0.0"},
		{Golang("github.com/docker/docker", "v20.10.7+incompatible"), "pkg:golang/github.com/docker/docker@v20.10.7%2Bincompatible"},
		{Golang("std", "1.26.8"), "pkg:golang/std@1.26.8"},
		{Make("maven", "org.apache/commons", "1"), "pkg:maven/org.apache/commons@1"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ in, typ, name, version, canonical string }{
		{"pkg:npm/%40scope/name@1.0.0", "npm", "@scope/name", "1.0.0", ""},
		{"pkg:npm/@scope/name@1.0.0", "npm", "@scope/name", "1.0.0", "pkg:npm/%40scope/name@1.0.0"},
		{"pkg:golang/github.com/BurntSushi/toml@v1", "golang", "github.com/BurntSushi/toml", "v1", ""},
		{"PKG://GoLang/github.com/BurntSushi/toml", "golang", "github.com/BurntSushi/toml", "", "pkg:golang/github.com/BurntSushi/toml"},
		{"pkg:golang/a.b/c@v1.0.0+incompatible", "golang", "a.b/c", "v1.0.0+incompatible", "pkg:golang/a.b/c@v1.0.0%2Bincompatible"},
		{"pkg:golang/a.b/C@v1?type=module#Sub/Dir", "golang", "a.b/C", "v1", ""},
		{"pkg:cargo/serde@1.0.0", "cargo", "serde", "1.0.0", ""},
		{"pkg:generic/GOLANG/x", "generic", "GOLANG/x", "", ""},
	} {
		p, err := Parse(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if p.Type != c.typ || FullName(p) != c.name || p.Version != c.version {
			t.Errorf("%s: got %s %s %s", c.in, p.Type, FullName(p), p.Version)
		}
		if c.canonical == "" {
			c.canonical = c.in
		}
		if got := p.ToString(); got != c.canonical {
			t.Errorf("%s: canonical %s, want %s", c.in, got, c.canonical)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, in := range []string{"", "pkg:", "pkg:golang", "pkg:golang/", "npm/foo", "pkg:npm/%zz", "pkg:npm/@1.0", "pkg:" + strings.Repeat("a", maxLen)} {
		_, err := Parse(in)
		var e *SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%.40q: got %v, want *SyntaxError", in, err)
		} else if len(in) < 100 && !strings.Contains(err.Error(), `"`+in+`"`) {
			t.Errorf("%q is not quoted in %q", in, err)
		}
	}
}

func TestFetchable(t *testing.T) {
	for in, ok := range map[string]bool{"pkg:golang/a.b/c": true, "pkg:npm/c": true, "pkg:cargo/serde@1": false} {
		p, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		err = Fetchable(p)
		var e *UnsupportedTypeError
		if ok != (err == nil) || (!ok && !errors.As(err, &e)) {
			t.Errorf("%s: %v", in, err)
		}
		if !ok && err.Error() != `fetch "pkg:cargo/serde@1": package type "cargo" is not supported (supported: golang, npm)` {
			t.Error(err)
		}
	}
}

func TestNameKeyWeb(t *testing.T) {
	for _, c := range []struct{ in, name, key, version, web string }{
		{"pkg:npm/%40scope/name@1.0.0", "pkg:npm/%40scope/name", "pkg:npm/%40scope/name", "1.0.0", "https://www.npmjs.com/package/@scope/name/v/1.0.0"},
		{"pkg:npm/JSONStream", "pkg:npm/JSONStream", "pkg:npm/JSONStream", "", "https://www.npmjs.com/package/JSONStream"},
		{"pkg:golang/github.com/BurntSushi/toml@v1?a=b#c", "pkg:golang/github.com/BurntSushi/toml", "pkg:golang/github.com/burntsushi/toml", "v1", "https://pkg.go.dev/github.com/BurntSushi/toml@v1"},
		{"pkg:golang/a.b/c@v1.0.0%2Bincompatible", "pkg:golang/a.b/c", "pkg:golang/a.b/c", "v1.0.0+incompatible", "https://pkg.go.dev/a.b/c@v1.0.0+incompatible"},
		{"pkg:golang/std@1.26.8", "pkg:golang/std", "pkg:golang/std", "1.26.8", "https://pkg.go.dev/std@go1.26.8"},
		{"pkg:swift/github.com/Alamofire/Alamofire@5.4.3", "pkg:swift/github.com/Alamofire/Alamofire", "pkg:swift/github.com/alamofire/alamofire", "5.4.3", "https://github.com/Alamofire/Alamofire"},
		{"pkg:swift/evil.example/a/b@1", "pkg:swift/evil.example/a/b", "pkg:swift/evil.example/a/b", "1", ""},
		{"pkg:cargo/serde@1", "pkg:cargo/serde", "pkg:cargo/serde", "1", ""},
		{"no purl", "no purl", "no purl", "", ""},
	} {
		if got := [4]string{Name(c.in), Key(c.in), Version(c.in), Web(c.in)}; got != [4]string{c.name, c.key, c.version, c.web} {
			t.Errorf("%s: got %q", c.in, got)
		}
	}
}

// A module path must come back from its purl unchanged, including its case.
func FuzzGolang(f *testing.F) {
	f.Add("github.com/BurntSushi/toml", "v1.0.0")
	f.Add("gopkg.in/yaml.v3", "v3.0.1+incompatible")
	f.Add("a.b/~c_d", "")
	f.Fuzz(func(t *testing.T, path, version string) {
		if len(path)+len(version) > 1000 || module.CheckPath(path) != nil || (version != "" && module.Check(path, version) != nil) {
			return
		}
		p, err := Parse(Golang(path, version))
		if err != nil || FullName(p) != path || p.Version != version {
			t.Fatalf("%q %q came back as %q %q, %v", path, version, FullName(p), p.Version, err)
		}
	})
}

// Canonical strings are fixed points.
func FuzzParse(f *testing.F) {
	f.Add("pkg:npm/%40scope/name@1.0.0?a=b#x/y")
	f.Add("PKG:///Golang/A/B@1")
	f.Add("pkg:cargo/../x")
	f.Fuzz(func(t *testing.T, in string) {
		c, err := Canonical(in)
		_, _, _ = Name(in), Key(in), Web(in)
		if err != nil {
			return
		}
		if again, err := Canonical(c); err == nil && again != c {
			t.Fatalf("%q: %q then %q", in, c, again)
		}
	})
}

func TestOwner(t *testing.T) {
	for in, want := range map[string]string{
		"pkg:golang/github.com/Golang/snappy@v0.0.4": "pkg:golang/github.com/golang",
		"pkg:golang/k8s.io/apimachinery@v0.29.0":     "pkg:golang/k8s.io",
		"pkg:golang/std@1.26":                        "pkg:golang/std",
		"pkg:npm/%40babel/core@7.0.0":                "pkg:npm/babel",
		"pkg:npm/lodash@4.17.21":                     "pkg:npm/lodash",
	} {
		if got := Owner(in); got != want {
			t.Errorf("owner of %s is %s, not %s", in, got, want)
		}
	}
}

package manifest

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

var (
	gemField    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*s\.(name|version|date) = "([^"\n]*)"`) })
	gemLicenses = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*s\.licenses = \[([^\]\n]*)\]`) })
	quoted      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"\n]*)"`) })
)

// Gemspec reads the specification of an installed gem: Ruby code in the form that RubyGems writes.
func Gemspec(data []byte) Meta {
	fields := map[string]string{}
	for _, f := range gemField().FindAllSubmatch(data, 16) {
		fields[string(f[1])] = string(f[2])
	}
	if fields["name"] == "" || fields["version"] == "" {
		return Meta{}
	}
	m := Meta{PURL: purl.Make("gem", fields["name"], fields["version"])}
	if l := gemLicenses().FindSubmatch(data); l != nil {
		var names []string
		for _, q := range quoted().FindAllSubmatch(l[1], 16) {
			names = append(names, string(q[1]))
		}
		m.License = strings.Join(trimmed(names), " OR ")
	}
	m.Released, _ = time.Parse(time.DateOnly, fields["date"])
	return m
}

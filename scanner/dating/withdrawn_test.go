package dating

import (
	"net/http"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// TestWithdrawn: the registry does not list the origin's version any more, or it has other files now. The files that the
// baseline has of that version count.
func TestWithdrawn(t *testing.T) {
	b := baselineOf(t, "pkg:golang/a.b/c@v1.2.0", map[string]string{"a.go": code})
	for name, c := range map[string]struct {
		releases []release
		want     string
	}{
		"retracted":                {[]release{lacks("v1.0.0", "2015-01-01"), has("v1.1.0", "2016-01-01"), has("v1.3.0", "2018-01-01")}, "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
		"retracted, with the rest": {[]release{lacks("v1.0.0", "2015-01-01"), lacks("v1.3.0", "2018-01-01")}, "v1.0.0 2015-01-01 -> v1.2.0 2017-01-01 versions"},
		"retracted, none older":    {[]release{has("v1.3.0", "2018-01-01")}, "- -> v1.2.0 2017-01-01 versions: no older version is listed"},
		"replaced":                 {[]release{lacks("v1.0.0", "2015-01-01"), has("v1.1.0", "2016-01-01"), lacks("v1.2.0", "2017-01-01")}, "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
		"replaced, the first":      {[]release{lacks("v1.0.0", "2015-01-01"), lacks("v1.2.0", "2019-01-01")}, "v1.0.0 2015-01-01 -> v1.2.0 2017-01-01 versions"},
	} {
		p := newProxy(t, c.releases...)
		got := dates(t, found("pkg:golang/a.b/c@v1.2.0", "2017-01-01"), Options{Bases: []*baseline.Baseline{b}, Source: source.Options{GoProxy: p.URL}})
		same(t, name, got, c.want)
		p.downloads()
	}
}

// TestVanished: dates that were read before a registry vanished stay.
func TestVanished(t *testing.T) {
	b := baselineOf(t, "pkg:golang/a.b/c@v1.2.0", map[string]string{"a.go": code})
	for name, on := range map[string]func(string, http.ResponseWriter) bool{
		"gone": func(_ string, w http.ResponseWriter) bool { w.WriteHeader(http.StatusNotFound); return true },
		"down": func(_ string, w http.ResponseWriter) bool { w.WriteHeader(http.StatusBadGateway); return true },
	} {
		p := newProxy(t, lacks("v1.0.0", "2015-01-01"), has("v1.1.0", "2016-01-01"), has("v1.2.0", "2017-01-01"))
		o := Options{Bases: []*baseline.Baseline{b}, Store: t.TempDir(), Source: source.Options{GoProxy: p.URL}}
		const want = "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"
		same(t, name+", before", dates(t, found("pkg:golang/a.b/c@v1.2.0", "2017-01-01"), o), want)
		p.downloads()
		p.on = on
		same(t, name, dates(t, found("pkg:golang/a.b/c@v1.2.0", "2017-01-01"), o), want)
	}
}

package origindates

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
		got := dates(t, found("pkg:golang/a.b/c@v1.2.0", "2017-01-01"), Options{Baselines: []*baseline.Baseline{b}, Source: source.Options{GoProxy: p.URL}})
		same(t, name, got, c.want)
		p.downloads()
	}
}

// TestRetracted: versions that the go.mod of the latest one retracts are left out, and the note says so if they could narrow the
// interval.
func TestRetracted(t *testing.T) {
	all := []release{lacks("v1.0.0", "2015-01-01"), has("v1.1.0", "2016-01-01"), has("v1.2.0", "2017-01-01"), has("v1.3.0", "2018-01-01")}
	for name, c := range map[string]struct{ origin, mod, want string }{
		"none":           {"v1.3.0", "module a.b/c\n", "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
		"the first":      {"v1.3.0", "module a.b/c\nretract v1.1.0 // a mistake\n", "v1.0.0 2015-01-01 -> v1.2.0 2017-01-01 versions: 1 version left out, which was withdrawn: v1.1.0"},
		"a range":        {"v1.3.0", "module a.b/c\nretract [v1.0.0, v1.2.0]\n", "- -> v1.3.0 2018-01-01 versions: no older version is listed; 3 versions left out, which were withdrawn: v1.0.0"},
		"one above":      {"v1.3.0", "module a.b/c\nretract v1.2.0\n", "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
		"the origin":     {"v1.1.0", "module a.b/c\nretract v1.1.0\n", "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
		"unreadable":     {"v1.3.0", "<html>", "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
		"by another one": {"v1.2.0", "", "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
	} {
		p := newProxy(t, all...)
		p.docs["/a.b/c/@v/v1.3.0.mod"] = c.mod
		p.docs["/a.b/c/@v/v1.2.0.mod"] = "module a.b/c\nretract v1.1.0\n" // not the latest
		o := Options{Source: source.Options{GoProxy: p.URL}}
		released := map[string]string{"v1.1.0": "2016-01-01", "v1.2.0": "2017-01-01", "v1.3.0": "2018-01-01"}[c.origin]
		same(t, name, dates(t, found("pkg:golang/a.b/c@"+c.origin, released), o), c.want)
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
		o := Options{Baselines: []*baseline.Baseline{b}, Store: t.TempDir(), Source: source.Options{GoProxy: p.URL}}
		const want = "v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"
		same(t, name+", before", dates(t, found("pkg:golang/a.b/c@v1.2.0", "2017-01-01"), o), want)
		p.downloads()
		p.on = on
		same(t, name, dates(t, found("pkg:golang/a.b/c@v1.2.0", "2017-01-01"), o), want)
	}
}

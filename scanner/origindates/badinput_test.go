package origindates

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestRewritten: one side's history is rewritten between two runs that share a store. The paths are the same, the dates are not. The
// result is that of the history at hand, as without a store.
func TestRewritten(t *testing.T) {
	target := func(date string) *history {
		return historyOf(t, without("2009-01-01"), commit{date: date, files: map[string]string{"x.go": code}}, without("2017-01-01"))
	}
	origin := func(date string) *history {
		return historyOf(t, without("2008-01-01"), at(date), without("2018-01-01"))
	}
	early, late, there, before := target("2011-01-01"), target("2016-01-01"), origin("2014-05-01"), origin("2010-05-01")
	store := t.TempDir()
	for _, c := range []struct {
		name           string
		target, origin *history
		want           string
	}{
		{"as made", early, there, "history 2014-05-01 | to"},
		{"target rewritten", late, there, "history 2014-05-01 | from"},
		{"target as before", early, there, "history 2014-05-01 | to"},
		{"origin rewritten", early, before, "history 2010-05-01 | from"},
		{"both as before", early, there, "history 2014-05-01 | to"},
	} {
		f := since("2017-01-01") // the scan dated it by the last commit; the history has it earlier
		f.Introduced.Commit = c.target.git(nil, "rev-parse", "HEAD")
		same(t, c.name, datedBy(t, c.origin, c.target, f, store), c.want)
		same(t, c.name+", without a store", datedBy(t, c.origin, c.target, f, ""), c.want)
	}
}

// TestRewrittenElsewhere: an abandoned history of the target is rewritten between two runs that share a store.
func TestRewrittenElsewhere(t *testing.T) {
	origin, store := historyOf(t, without("2012-01-01"), at("2014-05-01")), t.TempDir()
	for _, c := range []struct{ date, want string }{{"2013-01-01", "unknown"}, {"2015-01-01", "from"}, {"2013-01-01", "unknown"}} {
		target := historyOf(t, without("2011-01-01"), at(c.date))
		target.git(nil, "tag", "v0.9")
		target.git(nil, "checkout", "-q", "--orphan", "new")
		target.commit(commit{date: "2016-01-01", files: map[string]string{"x.go": code}})
		f := since("2016-01-01")
		f.Introduced.Commit = target.git(nil, "rev-parse", "HEAD")
		same(t, c.date, datedBy(t, origin, target, f, store), "history 2014-05-01 | "+c.want)
	}
}

// TestVendoredThere: the origin is somebody else's code in its package. The package lacked it before, but its authors may have had
// it, so the target is not called the first.
func TestVendoredThere(t *testing.T) {
	for _, c := range []struct{ path, here, want string }{
		{"a.go", "2013-01-01", "to"},
		{"third_party/x/a.go", "2013-01-01", "unknown"},
		{"third_party/x/a.go", "2016-01-01", "from"},
		{"internal/vendored/x/a.go", "2013-01-01", "unknown"},
		{"third_partyline/a.go", "2013-01-01", "to"},
	} {
		h := historyOf(t, without("2012-01-01"), commit{date: "2014-05-01", files: map[string]string{c.path: code}})
		rep := reportOf(since(c.here))
		rep.Findings[0].Origins[0].Path = c.path
		same(t, c.path+" "+c.here, shownWith(t, rep, h, nil, ""), "history 2014-05-01 | "+c.want)
		if said := strings.Contains(rep.Findings[0].DirectionReason, "code of others"); said != strings.Contains(c.path, "/x/") {
			t.Errorf("%s: %s", c.path, rep.Findings[0].DirectionReason)
		}
	}
	// a directory of a package manager gives no date at all
	for _, here := range []string{"2013-01-01", "2016-01-01"} {
		h := historyOf(t, without("2012-01-01"), commit{date: "2014-05-01", files: map[string]string{"vendor/x/a.go": code}})
		rep := reportOf(since(here))
		rep.Findings[0].Origins[0].Path = "vendor/x/a.go"
		if got := shownWith(t, rep, h, nil, ""); !strings.HasPrefix(got, "baseline - -> v1.2.0 2022-01-01") || !strings.HasSuffix(got, "| unknown") {
			t.Error(got)
		}
	}
}

// TestWrongClocks: a clock that was wrong for the commit with the region, on either side or both, never turns a direction round.
func TestWrongClocks(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 64 repositories")
	}
	const right = ""
	clocks := []string{right, "1970-01-01", "2090-01-01", "2001-01-01"}
	side := func(name, date, clock string) *history {
		if clock != right {
			date = clock
		}
		return historyOf(t, without("2010-01-01"), commit{date: date, files: map[string]string{name: code}}, without("2020-01-01"))
	}
	for _, c := range []struct{ here, there, want string }{{"2013-01-01", "2016-01-01", finding.DirectionTo}, {"2016-01-01", "2013-01-01", finding.DirectionFrom}} {
		for _, here := range clocks {
			for _, there := range clocks {
				target, origin := side("x.go", c.here, here), side("a.go", c.there, there)
				f := since("2020-01-01")
				f.Introduced.Commit = target.git(nil, "rev-parse", "HEAD")
				got := datedBy(t, origin, target, f, "")
				allowed := []string{c.want}
				if here != right || there != right {
					allowed = append(allowed, finding.DirectionUnknown)
				}
				if direction := got[strings.LastIndex(got, " ")+1:]; !slices.Contains(allowed, direction) {
					t.Errorf("here %s (clock %q), there %s (clock %q): %s", c.here, here, c.there, there, got)
				}
			}
		}
	}
}

package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestDatedByLockFile: an origin without a date is older than a region if the target's lock file named its version before the region came.
// A lock file that names it since then, or names another version, tells nothing.
func TestDatedByLockFile(t *testing.T) {
	lock := func(version string) string {
		return `{"name": "app", "lockfileVersion": 3, "packages": {"": {"name": "app"}, "node_modules/known": {"version": "` + version + `"}}}`
	}
	base := based(t, pack{"pkg:npm/known@1.2.0", "MIT", "", files{"ring.go": "package known\n\n" + ring}})
	module := based(t, pack{"pkg:golang/example.org/Known@v1.2.0", "MIT", "", files{"ring.go": "package known\n\n" + ring}})
	without, with := head+own("a"), head+own("a")+ring
	for _, c := range []struct {
		name      string
		commits   []files
		direction string
		lock      string
	}{
		{"named before", []files{{"package-lock.json": lock("1.2.0"), "x.go": without}, {"x.go": with}}, finding.DirectionFrom, "package-lock.json"},
		{"named above the directory", []files{{"web/package-lock.json": lock("1.2.0"), "web/src/x.go": without}, {"web/src/x.go": with}}, finding.DirectionFrom, "web/package-lock.json"},
		{"named long before", []files{{"package-lock.json": lock("1.2.0")}, {"y.go": head + own("b")}, {"sub/x.go": with}}, finding.DirectionFrom, "package-lock.json"},
		{"a module", []files{{"go.sum": "example.org/Known v1.2.0 h1:x=\nexample.org/Known v1.2.0/go.mod h1:x=\n", "x.go": without}, {"x.go": with}}, finding.DirectionFrom, "go.sum"},
		{"only the go.mod of a module", []files{{"go.sum": "example.org/Known v1.2.0/go.mod h1:x=\n", "x.go": without}, {"x.go": with}}, finding.DirectionUnknown, ""},
		{"named with it", []files{{"x.go": without}, {"package-lock.json": lock("1.2.0"), "x.go": with}}, finding.DirectionUnknown, ""},
		{"named later", []files{{"x.go": without}, {"x.go": with}, {"package-lock.json": lock("1.2.0")}}, finding.DirectionUnknown, ""},
		{"another version", []files{{"package-lock.json": lock("1.1.0"), "x.go": without}, {"x.go": with}}, finding.DirectionUnknown, ""},
		{"of another directory", []files{{"web/package-lock.json": lock("1.2.0"), "x.go": without}, {"x.go": with}}, finding.DirectionUnknown, ""},
		{"no lock file any more", []files{{"package-lock.json": "{", "x.go": without}, {"x.go": with}}, finding.DirectionUnknown, ""},
		{"a file that came back", []files{{"old/x.go": with}, {"old/x.go": gone, "package-lock.json": lock("1.2.0")}, {"sub/x.go": with}}, finding.DirectionUnknown, "package-lock.json"},
		{"the first commit", []files{{"package-lock.json": lock("1.2.0"), "x.go": with}}, finding.DirectionUnknown, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			for _, f := range c.commits {
				r.commit(f)
			}
			s := scan(t, scanner.Options{}, base)
			if c.commits[0]["go.sum"] != "" {
				s = scan(t, scanner.Options{}, module)
			}
			reports := []*finding.Report{r.tree(s)}
			if last := c.commits[len(c.commits)-1]; c.direction == finding.DirectionFrom && (last["x.go"] != "" || last["sub/x.go"] != "" || last["web/src/x.go"] != "") {
				reports = append(reports, r.diff(s, "HEAD~1..HEAD"), r.history(s, "HEAD"))
			}
			for _, rep := range reports {
				f := one(t, rep)
				in := f.Origins[0].First
				if f.Direction != c.direction || (in != nil) != (c.lock != "") {
					t.Fatalf("%s: %s, %s, origin %+v", rep.Target.Kind, f.Direction, f.DirectionReason, in)
				}
				if in != nil && (in.From != finding.FromLockFile || !strings.HasPrefix(in.Note, c.lock)) {
					t.Errorf("%s: %+v", rep.Target.Kind, in)
				}
			}
		})
	}
}

package scanner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
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
	pom := func(version string) string {
		return "<project><dependencies><dependency><groupId>org.known</groupId><artifactId>known</artifactId><version>" + version + "</version></dependency></dependencies></project>"
	}
	moving := func(name string) *baseline.Baseline {
		return based(t, pack{name, "MIT", "", files{"ring.go": "package known\n\n" + ring}})
	}
	bases := map[string]*baseline.Baseline{"go.sum": module, "pom.xml": moving("pkg:maven/org.known/known@1-SNAPSHOT"), "composer.lock": moving("pkg:composer/known/known@dev-php8")}
	without, with := head+own("a"), head+own("a")+ring
	for _, c := range []struct {
		name      string
		commits   []files
		direction string
		lock      string
	}{
		{"named before", []files{{"package-lock.json": lock("1.2.0"), "x.go": without}, {"x.go": with}}, finding.DirectionFrom, "package-lock.json"},
		{"named above the directory", []files{{"web/package-lock.json": lock("1.2.0"), "web/src/x.go": without}, {"web/src/x.go": with}}, finding.DirectionFrom, "web/package-lock.json"},
		{"named in a hidden directory", []files{{".site/package-lock.json": lock("1.2.0"), ".site/x.go": without}, {".site/x.go": with}}, finding.DirectionFrom, ".site/package-lock.json"},
		{"named long before", []files{{"package-lock.json": lock("1.2.0")}, {"y.go": head + own("b")}, {"sub/x.go": with}}, finding.DirectionFrom, "package-lock.json"},
		{"a module", []files{{"go.sum": "example.org/Known v1.2.0 h1:x=\nexample.org/Known v1.2.0/go.mod h1:x=\n", "x.go": without}, {"x.go": with}}, finding.DirectionFrom, "go.sum"},
		{"only the go.mod of a module", []files{{"go.sum": "example.org/Known v1.2.0/go.mod h1:x=\n", "x.go": without}, {"x.go": with}}, finding.DirectionUnknown, ""},
		{"a snapshot", []files{{"pom.xml": pom("1-SNAPSHOT"), "x.go": without}, {"x.go": with}}, finding.DirectionUnknown, ""},
		{"the end of a branch", []files{{"composer.lock": `{"packages": [{"name": "known/known", "version": "dev-php8", "dist": {"url": "https://example.org/a.zip"}}]}`, "x.go": without}, {"x.go": with}}, finding.DirectionUnknown, ""},
		{"a text with two names", []files{{"gems.locked": lock("1.2.0"), "package-lock.json": lock("1.2.0"), "x.go": without}, {"x.go": with}}, finding.DirectionFrom, "package-lock.json"},
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
			for name, b := range bases {
				if c.commits[0][name] != "" {
					s = scan(t, scanner.Options{}, b)
				}
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

// TestLockFileClock: a lock file is as young as the ancestors of its commit, whatever the clock of that commit said.
func TestLockFileClock(t *testing.T) {
	base := based(t, pack{"pkg:golang/example.org/known@v1.2.0", "MIT", "", files{"ring.go": "package known\n\n" + ring}})
	r := newRepository(t)
	r.commit(files{"x.go": head + own("a")})
	now := r.now
	r.now = date("2001-01-01")
	r.commit(files{"go.sum": "example.org/known v1.2.0 h1:x=\n"})
	r.now = now.Add(24 * time.Hour)
	r.commit(files{"x.go": head + own("a") + ring})
	s := scan(t, scanner.Options{}, base)
	for _, rep := range []*finding.Report{r.tree(s), r.history(s, "HEAD")} {
		if f := one(t, rep); f.Direction != finding.DirectionUnknown || f.Origins[0].First != nil {
			t.Errorf("%s: %s, %s", rep.Target.Kind, f.Direction, f.DirectionReason)
		}
	}
}

// TestTooManyLockFiles: a repository with many lock files is not read to the end, and the report says so.
func TestTooManyLockFiles(t *testing.T) {
	base := based(t, pack{"pkg:golang/example.org/known@v1.2.0", "MIT", "", files{"ring.go": "package known\n\n" + ring}})
	r := newRepository(t)
	var stream strings.Builder
	stream.WriteString("commit refs/heads/main\ncommitter A <a@b> 1641000000 +0000\ndata 0\n")
	for i := range 4100 {
		text := strconv.Itoa(i)
		fmt.Fprintf(&stream, "M 644 inline %d.cdx.json\ndata %d\n%s\n", i, len(text), text)
	}
	sums := "example.org/known v1.2.0 h1:x=\n"
	fmt.Fprintf(&stream, "M 644 inline go.sum\ndata %d\n%s\n", len(sums), sums)
	text := head + own("a") + ring
	fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter A <a@b> 1641100000 +0000\ndata 0\ndeleteall\nM 644 inline x.go\ndata %d\n%s\n", len(text), text)
	r.feed(stream.String(), "fast-import", "--quiet")
	r.git("reset", "-q", "--hard")
	f := one(t, r.tree(scan(t, scanner.Options{}, base)))
	if in := f.Origins[0].First; f.Direction != finding.DirectionUnknown || in == nil || in.Present != nil || !strings.Contains(in.Note, "at most 256 MB") {
		t.Errorf("%s, %+v", f.Direction, in)
	}
}

// TestMissingLockFile: the report of a history that lacked a lock file is not used again once it is there.
func TestMissingLockFile(t *testing.T) {
	r := newRepository(t)
	r.commit(files{"go.sum": "example.org/known v1.2.0 h1:x=\n", "x.go": head + own("a")})
	r.commit(files{"x.go": head + own("a") + ring})
	s := scan(t, scanner.Options{Cache: t.TempDir()}, based(t, pack{"pkg:golang/example.org/known@v1.2.0", "MIT", "", files{"ring.go": "package known\n\n" + ring}}))
	id := r.git("rev-parse", "HEAD:go.sum")
	blob := filepath.Join(r.dir, ".git", "objects", id[:2], id[2:])
	for _, c := range []struct{ from, to, want string }{{blob, blob + ".hidden", finding.DirectionUnknown}, {blob + ".hidden", blob, finding.DirectionFrom}} {
		if err := os.Rename(c.from, c.to); err != nil {
			t.Fatal(err)
		}
		if f := one(t, r.history(s, "HEAD~1..HEAD")); f.Direction != c.want {
			t.Errorf("%s, %s, want %s", f.Direction, f.DirectionReason, c.want)
		}
	}
}

package scanner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// rewrites change a repository that known made, by what users do between two scans. Each begins where the one before ended.
var rewrites = []struct {
	name    string
	rewrite func(r *repository)
}{
	{"amended", func(r *repository) {
		r.put(files{"own.go": head + own("d")})
		r.git("commit", "-q", "-a", "--amend", "-m", "amended")
	}},
	{"reworded at another time", func(r *repository) {
		r.now = r.now.AddDate(0, 1, 0)
		r.git("commit", "-q", "--amend", "--reset-author", "-m", "reworded")
	}},
	{"rebased", func(r *repository) {
		root := r.git("rev-list", "--max-parents=0", "HEAD")
		r.git("checkout", "-q", "-b", "base", root)
		base := r.commit(files{"new.go": head + own("n")})
		r.git("rebase", "-q", "--rebase-merges", "--onto", base, root, "main")
	}},
	{"the file of the paste filtered out", func(r *repository) { r.filter("git rm -q --cached --ignore-unmatch a.go") }},
	{"the first commits in a directory", func(r *repository) {
		r.filter("git ls-files -s | sed 's/\\t/&sub\\//' | GIT_INDEX_FILE=$GIT_INDEX_FILE.new git update-index --index-info && mv $GIT_INDEX_FILE.new $GIT_INDEX_FILE")
	}},
	{"reset, and pushed by force", func(r *repository) {
		r.git("reset", "-q", "--hard", "HEAD~1")
		r.commit(files{"sub/own.go": head + own("e")})
	}},
	{"squashed", func(r *repository) {
		root := r.git("rev-list", "--max-parents=0", "HEAD")
		r.git("reset", "-q", "--soft", root)
		r.commit(nil)
	}},
	{"begun anew", func(r *repository) {
		r.git("checkout", "-q", "--orphan", "anew")
		r.commit(nil)
		r.git("branch", "-q", "-D", "main")
	}},
}

// filter rewrites each commit by a command on its index.
func (r *repository) filter(command string) {
	r.t.Helper()
	r.t.Setenv("FILTER_BRANCH_SQUELCH_WARNING", "1")
	r.git("filter-branch", "-f", "--index-filter", command, "HEAD")
}

// TestRewritten: after a history was rewritten, a run with the cache of the old history has the report of a run without a cache.
func TestRewritten(t *testing.T) {
	if testing.Short() {
		t.Skip("rewrites a dozen histories")
	}
	r, _ := known(t)
	clone := &repository{t: t, dir: filepath.Join(t.TempDir(), "clone"), now: r.now}
	r.git("clone", "-q", "file://"+filepath.ToSlash(r.dir), clone.dir)
	cache := t.TempDir()
	seen := map[string]string{}
	same := func(name string, r *repository, sel git.Selection) {
		t.Helper()
		want := r.remembered("", sel)
		for _, how := range []string{"first", "second"} {
			if got := r.remembered(cache, sel); got != want {
				t.Errorf("%s, %s run: got\n%s\nwant\n%s", name, how, got, want)
			}
		}
		if was := seen[want]; sel.Range == "" && was != "" {
			t.Errorf("%s has the report of %s", name, was)
		}
		seen[want] = name
	}
	same("as it was", r, git.Selection{})
	for _, c := range rewrites {
		c.rewrite(r)
		same(c.name, r, git.Selection{})
		if len(strings.Fields(r.git("rev-list", "--parents", "-1", "HEAD"))) > 1 {
			same(c.name+", last commit", r, git.Selection{Range: "HEAD~1..HEAD"})
		}
		clone.git("fetch", "-q", "origin", "+HEAD:refs/heads/fetched")
		clone.git("checkout", "-q", "--detach", "fetched")
		want, got := r.remembered("", git.Selection{}), clone.remembered(cache, git.Selection{})
		if got != want {
			t.Errorf("%s, in a clone: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
	same("all references", clone, git.Selection{All: true})
}

// TestDeepened: a shallow clone that is deepened commit by commit has the reports of runs without a cache.
func TestDeepened(t *testing.T) {
	r, _ := known(t)
	clone := &repository{t: t, dir: filepath.Join(t.TempDir(), "clone"), now: r.now}
	r.git("clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(r.dir), clone.dir)
	cache := t.TempDir()
	for depth := 1; ; depth++ {
		want := clone.remembered("", git.Selection{})
		for range 2 {
			if got := clone.remembered(cache, git.Selection{}); got != want {
				t.Errorf("depth %d: got\n%s\nwant\n%s", depth, got, want)
			}
		}
		if clone.git("rev-parse", "--is-shallow-repository") == "false" {
			break
		}
		clone.git("fetch", "-q", "--deepen", "1")
	}
}

// TestMovedInPast: a rewritten history has the contents of the old one in other directories. Each
// property that depends on the directory is decided again.
func TestMovedInPast(t *testing.T) {
	pasted := "// SPDX-License-Identifier: MPL-2.0\n\n" + head + function(t, std(t, copied[0].file), copied[0].head).text
	var notes strings.Builder
	for i := range 60 {
		fmt.Fprintf(&notes, "Part %d is made of %d others, which come from place %d.\n", i, i*i%31, i*7919%613)
	}
	cache := t.TempDir()
	for _, dir := range []string{"LICENSES/", "docs/", "sub/", ""} {
		r := newRepository(t)
		r.commit(files{"own.go": head + own("a")})
		r.commit(files{dir + "a.go": pasted, dir + "notes.txt": notes.String()})
		r.commit(files{dir + "a.go": gone})
		want := r.remembered("", git.Selection{})
		if !strings.Contains(want, `"path": "`+dir+`a.go"`) {
			t.Errorf("no finding in %q:\n%s", dir, want)
		}
		if got := r.remembered(cache, git.Selection{}); got != want {
			t.Errorf("in %q: got\n%s\nwant\n%s", dir, got, want)
		}
	}
}

// TestExcludedInPast: a run that excludes a file leaves nothing in the cache that hides the file from the next run.
func TestExcludedInPast(t *testing.T) {
	r := newRepository(t)
	r.commit(files{"own.go": head + own("a")})
	r.commit(files{"gen/a.go": head + function(t, std(t, copied[0].file), copied[0].head).text})
	r.commit(files{"gen/a.go": gone})
	cache := t.TempDir()
	s := scan(t, scanner.Options{Cache: cache, Options: examine.Options{Exclude: []string{"gen/"}}}, stdBaseline(t))
	none(t, r.history(s, "HEAD~1..HEAD"))
	want := r.remembered("", git.Selection{})
	if got := r.remembered(cache, git.Selection{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFetchedLater: a run without some contents leaves nothing in the cache that changes the report once they are there.
func TestFetchedLater(t *testing.T) {
	r, _ := known(t)
	weak := "// Code generated by gen. DO NOT EDIT.\n\n" + head + function(t, std(t, copied[0].file), copied[0].head).text
	r.commit(files{"d.go": weak + own("d")})
	r.commit(files{"d.go": weak + own("d") + "\n" + function(t, std(t, copied[2].file), copied[2].head).text})
	sel := git.Selection{}
	want := r.remembered("", sel)
	full := t.TempDir()
	r.remembered(full, sel)
	forget(t, full)
	lost := r.hideBlobs()
	without := r.remembered("", sel)
	if without == want {
		t.Fatal("nothing was lost")
	}
	empty := t.TempDir()
	for name, cache := range map[string]string{"a cache of a run with all contents": full, "an empty cache": empty} {
		if got := r.remembered(cache, sel); got != without {
			t.Errorf("without contents, %s: got\n%s\nwant\n%s", name, got, without)
		}
	}
	lost()
	for name, cache := range map[string]string{"full": full, "empty": empty} {
		for range 2 {
			if got := r.remembered(cache, sel); got != want {
				t.Errorf("fetched, %s: got\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}

// TestDatedWithoutContents: the report of a run that could not read an earlier content is not that of a run that can.
func TestDatedWithoutContents(t *testing.T) {
	pasted := function(t, std(t, copied[0].file), copied[0].head).text
	r := newRepository(t)
	r.commit(files{"own.go": head + own("a")})
	first := r.commit(files{"a.go": head + pasted + own("b")})
	r.commit(files{"a.go": head + own("b"), "b.go": head + pasted})
	sel, cache := git.Selection{Paths: []string{"b.go"}}, t.TempDir()
	want := r.remembered("", sel)
	if !strings.Contains(want, first) {
		t.Fatalf("it is not dated by the file that it came from:\n%s", want)
	}
	lost := r.hideBlobs()
	if got := r.remembered(cache, sel); got == want {
		t.Fatal("nothing was lost")
	}
	lost()
	if got := r.remembered(cache, sel); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// forget removes the reports of a cache, so that the next run makes them from the outcomes of contents.
func forget(t *testing.T, cache string) {
	t.Helper()
	for _, name := range below(t, cache, "report-*") {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestClockGoesOn: the report of a history with a commit in the future is not kept, because it changes with time.
func TestClockGoesOn(t *testing.T) {
	r, _ := known(t)
	cache := t.TempDir()
	r.remembered(cache, git.Selection{})
	if n := len(below(t, cache, "report-*")); n != 1 {
		t.Fatalf("%d reports are kept, want 1", n)
	}
	r.now = r.now.AddDate(70, 0, 0)
	r.commit(files{"own.go": head + own("f")})
	r.remembered(cache, git.Selection{})
	if n := len(below(t, cache, "report-*")); n != 1 {
		t.Errorf("%d reports are kept, want 1", n)
	}
}

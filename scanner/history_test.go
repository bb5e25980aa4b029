package scanner_test

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// telling names the commits of a repository in the stories of findings.
type telling map[string]string

// story returns the story of a finding in words.
func (names telling) story(f finding.Finding) []string {
	name := func(c finding.Commit) string {
		out := names[c.Commit]
		if out == "" {
			out = c.Commit
		}
		return out
	}
	out := []string{name(*f.Introduced) + ": entered " + cmp.Or(f.Introduced.Path, f.Path)}
	for _, e := range f.Edits {
		out = append(out, strings.TrimSpace(name(e)+": "+strings.Join(e.Changes, " ")+" "+e.Path))
	}
	if f.Left != nil {
		out = append(out, name(*f.Left)+": left "+f.Left.Path)
	}
	if *f.Alive != (len(f.Tip) > 0) || *f.Alive == (f.Left != nil) {
		out = append(out, fmt.Sprintf("alive %v, tip %v, left %v", *f.Alive, f.Tip, f.Left))
	}
	for _, at := range f.Tip {
		out = append(out, fmt.Sprintf("tip: %s:%d-%d", at.Path, at.StartLine, at.EndLine))
	}
	return out
}

func tells(t *testing.T, names telling, f finding.Finding, want ...string) {
	t.Helper()
	if got := names.story(f); !slices.Equal(got, want) {
		t.Errorf("told\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// known returns a repository with a known story: a function is pasted, its names are changed, it is moved, reformatted and
// removed, and comes back on a branch.
func known(t *testing.T) (*repository, telling) {
	t.Helper()
	pasted := head + function(t, std(t, copied[0].file), copied[0].head).text
	other, _ := renamed(t, pasted)
	body := strings.TrimPrefix(other, head)
	r := newRepository(t)
	names := telling{}
	commit := func(name string, f files) { names[r.commit(f)] = name }
	commit("0 begun", files{"own.go": head + own("a"), "b.go": head + own("b")})
	commit("1 pasted", files{"a.go": pasted})
	commit("2 renamed", files{"a.go": other})
	commit("3 moved", files{"a.go": gone, "b.go": head + own("b") + "\n" + body})
	laid := strings.TrimPrefix(reformatted(t, other), "package x\n\n")
	commit("4 reformatted", files{"b.go": head + own("b") + "\n" + laid})
	commit("5 removed", files{"b.go": head + own("b")})
	r.git("checkout", "-q", "-b", "topic")
	commit("6 re-added", files{"c.go": head + laid})
	r.git("checkout", "-q", "main")
	commit("7 meanwhile", files{"own.go": head + own("c")})
	r.now = r.now.AddDate(0, 0, 1)
	r.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
	names[r.git("rev-parse", "HEAD")] = "8 merged"
	return r, names
}

// TestStory: a known story is reported exactly.
func TestStory(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	r, names := known(t)
	f := one(t, r.history(s, ""))
	lines := f.Tip[0].EndLine
	tells(t, names, f, "1 pasted: entered a.go", "2 renamed: renamed", "3 moved: moved b.go", "4 reformatted: reformatted",
		"5 removed: removed b.go", "6 re-added: returned c.go", "8 merged: merged", fmt.Sprintf("tip: c.go:3-%d", lines))
	if f.CloneType != 2 || f.Path != "c.go" || f.StartLine != 3 || len(f.FormerIDs) != 1 || f.Introduced.Author != "Ada <ada@example.org>" {
		t.Errorf("%+v", f)
	}
	tip := one(t, r.tree(s))
	if tip.Path != "c.go" || tip.StartLine != f.Tip[0].StartLine || tip.EndLine != lines || tip.ID != f.ID {
		t.Errorf("the work tree has %+v, the tip %+v", tip, f.Tip)
	}
	for _, workers := range []int{1, 3} {
		if again := r.history(scan(t, scanner.Options{Workers: workers}, stdBaseline(t)), ""); string(marshal(t, again)) != string(marshal(t, r.history(s, ""))) {
			t.Errorf("%d workers tell otherwise", workers)
		}
	}
	// up to the commit that removed it
	f = one(t, r.history(s, "HEAD^1"))
	tells(t, names, f, "1 pasted: entered a.go", "2 renamed: renamed", "3 moved: moved b.go", "4 reformatted: reformatted", "5 removed: left b.go")
	// in a range that begins in the middle, older code is no finding
	none(t, r.history(s, "HEAD~6..HEAD~5"))
	none(t, r.history(s, "HEAD~5..HEAD~2"))
}

// TestStoryRebased: other commits, the same story; in a single commit, only the result.
func TestStoryRebased(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	r, _ := known(t)
	id := r.history(s, "").Findings[0].ID
	root := r.git("rev-list", "--max-parents=0", "HEAD")
	r.git("checkout", "-q", "-b", "base", root)
	base := r.commit(files{"new.go": head + own("n")})
	r.now = r.now.AddDate(1, 0, 0)
	r.git("rebase", "-q", "--rebase-merges", "--onto", base, root, "main")
	names := telling{}
	for i, c := range strings.Fields(r.git("rev-list", "--reverse", "--topo-order", "HEAD")) {
		names[c] = fmt.Sprint(i)
	}
	f := one(t, r.history(s, ""))
	got := names.story(f)
	var words []string
	for _, l := range got {
		_, what, _ := strings.Cut(l, ": ")
		words = append(words, what)
	}
	want := []string{"entered a.go", "renamed", "moved b.go", "reformatted", "removed b.go", "returned c.go", "merged", fmt.Sprintf("c.go:3-%d", f.Tip[0].EndLine)}
	if !slices.Equal(words, want) || f.ID != id {
		t.Errorf("rebased: %s told %q", f.ID, got)
	}
	// squashed: four commits become one, and the region enters in its last form
	r, names = known(t)
	r.git("checkout", "-q", "-b", "squashed", root)
	r.git("merge", "-q", "--squash", "main~3") // up to the reformatting
	squash := r.commit(nil)
	names[squash] = "squashed"
	gone := r.commit(files{"b.go": head + own("b")})
	names[gone] = "gone"
	f = one(t, r.history(s, ""))
	tells(t, names, f, "squashed: entered b.go", "gone: left b.go")
}

// TestMerges: a merge does not report again what its branches reported, and adds nothing.
func TestMerges(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	trie := function(t, std(t, copied[0].file), copied[0].head).text
	for _, c := range []struct {
		name  string
		build func(r *repository, commit func(string, files), merge func(string, ...string))
		want  []string
	}{
		{"pasted on both lines", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			commit("zero", files{"b.go": head + own("b")})
			r.git("checkout", "-q", "-b", "topic")
			commit("first", files{"a.go": head + trie})
			r.git("checkout", "-q", "main")
			commit("second", files{"a.go": head + trie})
			merge("merge", "topic")
		}, []string{"first: entered a.go", "second: entered a.go", "tip: a.go:3-"}},
		{"removed on a branch", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			commit("first", files{"a.go": head + trie})
			r.git("checkout", "-q", "-b", "topic")
			commit("second", files{"a.go": head})
			r.git("checkout", "-q", "main")
			commit("third", files{"b.go": head + own("z")})
			merge("merge", "topic")
		}, []string{"first: entered a.go", "second: left a.go"}},
		{"edited on a branch", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			commit("first", files{"a.go": head + trie + own("a")})
			r.git("checkout", "-q", "-b", "topic")
			commit("second", files{"a.go": head + strings.ReplaceAll(trie, "keyNode", "leaf") + own("a")})
			r.git("checkout", "-q", "main")
			commit("third", files{"a.go": head + trie + own("b")})
			r.git("merge", "-q", "-s", "ours", "--no-commit", "topic")
			commit("merge", files{"a.go": head + strings.ReplaceAll(trie, "keyNode", "leaf") + own("b")})
		}, []string{"first: entered a.go", "second: renamed", "tip: a.go:3-"}},
		{"moved on a branch", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			commit("first", files{"a.go": head + trie, "b.go": head + own("b")})
			r.git("checkout", "-q", "-b", "topic")
			commit("second", files{"a.go": gone, "b.go": head + own("b") + "\n" + trie})
			r.git("checkout", "-q", "main")
			commit("third", files{"c.go": head + own("c")})
			merge("merge", "topic")
		}, []string{"first: entered a.go", "second: moved b.go", "tip: b.go:20-"}},
		{"dropped by the merge", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			commit("zero", files{"b.go": head + own("b")})
			r.git("checkout", "-q", "-b", "topic")
			commit("first", files{"a.go": head + trie})
			r.git("checkout", "-q", "main")
			commit("second", files{"c.go": head + own("c")})
			merge("merge", "-s", "ours", "topic")
		}, []string{"first: entered a.go", "merge: left "}},
		{"brought by an octopus", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			commit("zero", files{"b.go": head + own("b")})
			for _, b := range []string{"x", "y"} {
				r.git("checkout", "-q", "-b", b, "main")
				commit(b, files{b + ".go": head + map[string]string{"x": own("x"), "y": trie}[b]})
			}
			r.git("checkout", "-q", "main")
			commit("second", files{"c.go": head + own("c")})
			merge("merge", "x", "y")
		}, []string{"y: entered y.go", "merge: merged", "tip: y.go:3-"}},
		{"criss-cross", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			commit("zero", files{"b.go": head + own("b")})
			r.git("checkout", "-q", "-b", "topic")
			commit("first", files{"a.go": head + trie})
			r.git("checkout", "-q", "main")
			commit("second", files{"c.go": head + own("c")})
			r.git("branch", "old")
			merge("one", "topic")
			r.git("checkout", "-q", "topic")
			merge("two", "old")
			commit("third", files{"a.go": reformatted(t, head+trie)})
			r.git("checkout", "-q", "main")
			merge("three", "topic")
		}, []string{"first: entered a.go", "one: merged", "third: reformatted", "tip: a.go:3-"}},
		{"copied inside", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			commit("first", files{"a.go": head + trie})
			commit("second", files{"b.go": head + own("b") + "\n" + trie})
			commit("third", files{"a.go": gone})
		}, []string{"first: entered a.go", "second: copied b.go", "third: removed a.go", "tip: b.go:20-"}},
		{"torn apart", func(r *repository, commit func(string, files), merge func(string, ...string)) {
			whole := std(t, "container/list/list.go")
			at := strings.Index(whole, "// InsertBefore")
			commit("first", files{"a.go": whole})
			commit("second", files{"a.go": whole[:at] + own("a") + own("b") + own("c") + "\n" + whole[at:]})
			commit("third", files{"a.go": own("a") + own("b") + own("c") + "\n" + whole[at:]})
		}, []string{"first: entered a.go", "second: edited", "third: removed a.go", "tip: a.go:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			names := telling{}
			c.build(r, func(name string, f files) { names[r.commit(f)] = name }, func(name string, args ...string) {
				r.now = r.now.AddDate(0, 0, 1)
				r.git(append([]string{"merge", "-q", "--no-ff", "-m", "merge"}, args...)...)
				names[r.git("rev-parse", "HEAD")] = name
			})
			rep := r.history(s, "")
			got := names.story(one(t, rep))
			if len(got) != len(c.want) || slices.ContainsFunc(c.want, func(w string) bool { return !strings.HasPrefix(got[slices.Index(c.want, w)], w) }) {
				t.Errorf("told\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}

// TestExtended: a region that becomes part of a longer copy did not leave, and is not the whole copy.
func TestExtended(t *testing.T) {
	whole := std(t, "container/list/list.go")
	part := whole[:strings.Index(whole, "// InsertBefore")]
	r := newRepository(t)
	names := telling{r.commit(files{"a.go": part}): "first", r.commit(files{"a.go": whole}): "second"}
	rep := r.history(scan(t, scanner.Options{}, stdBaseline(t)), "")
	f := one(t, rep)
	tip := fmt.Sprintf("tip: a.go:%d-%d", f.StartLine, f.EndLine)
	tells(t, names, f, "first: entered a.go", "second: extended", tip)
}

// TestSelection: --all and --since.
func TestSelection(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	r, _ := known(t)
	select_ := func(sel git.Selection) *finding.Report {
		return r.checked(s.History(context.Background(), r.open(), sel))
	}
	r.git("checkout", "-q", "-b", "side", "HEAD~1")
	codegen := function(t, std(t, copied[2].file), copied[2].head).text
	side := r.commit(files{"side.go": head + codegen})
	r.git("tag", "-a", "-m", "tag", "v1")
	r.git("checkout", "-q", "main")
	r.git("branch", "-q", "-D", "side")
	if rep := select_(git.Selection{}); len(rep.Findings) != 1 {
		t.Error(list(rep))
	}
	rep := select_(git.Selection{All: true})
	if len(rep.Findings) != 2 || rep.Findings[1].Path != "side.go" || rep.Findings[1].Introduced.Commit != side || !*rep.Findings[1].Alive || rep.Summary.Commits != 10 {
		t.Errorf("%+v %s", rep.Summary, list(rep))
	}
	// after the removal: a region that comes back is new if the history begins here
	if f := one(t, select_(git.Selection{Since: r.now.AddDate(0, 0, -3)})); f.Path != "c.go" || len(f.Edits) != 1 {
		t.Errorf("%+v", f)
	}
	none(t, select_(git.Selection{Since: r.now.AddDate(0, 0, -4)})) // the removal shows that it existed
	none(t, select_(git.Selection{Since: r.now.AddDate(1, 0, 0)}))
}

// TestHistoryLacksContent: if a repository lacks a content, the ledger lists it, its earlier regions are taken to be unchanged,
// and nothing about the gap is stored.
func TestHistoryLacksContent(t *testing.T) {
	pasted := function(t, std(t, copied[0].file), copied[0].head).text
	r := newRepository(t)
	names := telling{}
	names[r.commit(files{"a.go": head + pasted})] = "1"
	names[r.commit(files{"a.go": head + own("a") + pasted})] = "2"
	names[r.commit(files{"a.go": head + own("b") + pasted})] = "3"
	id := r.git("rev-parse", "HEAD~1:a.go")
	object := filepath.Join(r.dir, ".git/objects", id[:2], id[2:])
	if err := os.Rename(object, object+".lost"); err != nil {
		t.Fatal(err)
	}
	s := scan(t, scanner.Options{Cache: t.TempDir()}, stdBaseline(t))
	for range 2 {
		rep := r.history(s, "")
		f := one(t, rep)
		tells(t, names, f, "1: entered a.go", fmt.Sprintf("tip: a.go:%d-%d", f.Tip[0].StartLine, f.Tip[0].EndLine))
		var missing []finding.Entry
		for _, e := range rep.Ledger {
			if e.Reason == finding.ReasonMissing {
				missing = append(missing, e)
			}
		}
		if len(missing) != 1 || missing[0].Path != "a.go" || !strings.Contains(missing[0].Detail, id) {
			t.Errorf("ledger: %+v", missing)
		}
	}
	if err := os.Rename(object+".lost", object); err != nil {
		t.Fatal(err)
	}
	if rep := r.history(s, ""); slices.ContainsFunc(rep.Ledger, func(e finding.Entry) bool { return e.Reason == finding.ReasonMissing }) {
		t.Errorf("what is there again counts as missing: %+v", rep.Ledger)
	}
}

// unfolding returns a repository of some kilobytes with three commits of 9^6 files.
func unfolding(t *testing.T) *repository {
	t.Helper()
	r := newRepository(t)
	var parent []string
	for i := range 3 {
		tree := "100644 blob " + r.feed(fmt.Sprint(i), "hash-object", "-w", "--stdin") + "\ta.go\n"
		for range 6 {
			id := r.feed(tree, "mktree")
			tree = ""
			for d := range 9 {
				tree += fmt.Sprintf("040000 tree %s\t%d\n", id, d)
			}
		}
		id := r.git(append([]string{"commit-tree", "-m", "bomb", r.feed(tree, "mktree")}, parent...)...)
		parent = []string{"-p", id}
		r.git("update-ref", "HEAD", id)
	}
	return r
}

// TestHistoryUnfolds: contents that are far larger than the repository are refused before they are read.
func TestHistoryUnfolds(t *testing.T) {
	r := newRepository(t)
	r.commit(files{"a.go": head})
	put := func(name [20]byte, object string) {
		t.Helper()
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		_, err := io.WriteString(z, object)
		file := filepath.Join(r.dir, ".git/objects", hex.EncodeToString(name[:1]), hex.EncodeToString(name[1:]))
		if err := cmp.Or(err, z.Close(), os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, b.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var tree strings.Builder
	for i := range 600 { // each says that it has 2 MiB
		name := sha1.Sum(fmt.Append(nil, i))
		put(name, fmt.Sprintf("blob %d\x00x", 2<<20))
		fmt.Fprintf(&tree, "100644 %03d.go\x00%s", i, name[:])
	}
	object := fmt.Sprintf("tree %d\x00%s", tree.Len(), tree.String())
	name := sha1.Sum([]byte(object))
	put(name, object)
	r.git("update-ref", "HEAD", r.git("commit-tree", "-m", "bomb", "-p", "HEAD", hex.EncodeToString(name[:])))
	s := scan(t, scanner.Options{}, stdBaseline(t))
	repo := r.open()
	_, err1 := s.History(t.Context(), repo, git.Selection{})
	_, err2 := s.Diff(t.Context(), repo, "HEAD^..HEAD")
	for _, err := range []error{err1, err2} {
		if _, ok := errors.AsType[*git.UnfoldError](err); !ok {
			t.Errorf("600 files of 2 MiB: %v", err)
		}
	}
	if _, err := s.History(t.Context(), unfolding(t).open(), git.Selection{}); err == nil || !strings.Contains(err.Error(), "times the") {
		t.Errorf("three commits of 9^6 files: %v", err)
	}
	_, err := s.History(t.Context(), repo, git.Selection{Paths: []string{"a.go", "001.go"}})
	if _, ok := errors.AsType[*git.UnfoldError](err); ok {
		t.Errorf("two of the files: %v", err)
	}
}

// TestTipMarks: the content at the tip decides whether an existing region is allowed; for a region that left, the content with
// which it entered does. Stored results of an earlier run change nothing.
func TestTipMarks(t *testing.T) {
	pasted := function(t, std(t, copied[0].file), copied[0].head).text
	plain, marked := head+pasted, head+"// git-provenance:allow reason=\"ours\"\n"+pasted
	refused := head + "// git-provenance:allow\n" + pasted
	for _, c := range []struct {
		name    string
		commits []files
		allowed bool
		marks   int // number in the report
	}{
		{"never", []files{{"a.go": plain}}, false, 0},
		{"from the start", []files{{"a.go": marked}}, true, 1},
		{"added later", []files{{"a.go": plain}, {"a.go": marked}}, true, 1},
		{"added later, above other code", []files{{"a.go": plain}, {"a.go": head + own("q") + strings.TrimPrefix(marked, head)}}, true, 1},
		{"taken away", []files{{"a.go": marked}, {"a.go": plain}}, false, 0},
		{"moved with it", []files{{"a.go": plain}, {"a.go": gone, "b.go": marked}}, true, 1},
		{"one place of two", []files{{"a.go": plain}, {"a.go": marked, "b.go": plain}}, false, 1},
		{"two places of two", []files{{"a.go": plain}, {"a.go": marked, "b.go": marked}}, true, 2},
		{"without a reason", []files{{"a.go": plain}, {"a.go": refused}}, false, 1},
		{"gone, marked as it entered", []files{{"a.go": marked, "b.go": head + own("b")}, {"a.go": gone}}, true, 0},
		{"gone, marked later", []files{{"a.go": plain, "b.go": head + own("b")}, {"a.go": marked}, {"a.go": gone}}, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			for _, f := range c.commits {
				r.commit(f)
			}
			cache := t.TempDir()
			o := scanner.Options{Cache: cache}
			for _, run := range []string{"first", "by the report", "by the outcomes", "without"} {
				switch run {
				case "by the outcomes":
					names, err := filepath.Glob(filepath.Join(cache, "*", "report-*"))
					if err != nil || len(names) != 1 {
						t.Fatal(names, err)
					}
					os.Remove(names[0])
				case "without":
					o.Cache = ""
				}
				rep := r.history(scan(t, o, stdBaseline(t)), "")
				f := one(t, rep)
				if allowed := f.Inline != nil && f.Inline.Err == nil; allowed != c.allowed || len(rep.Inline) != c.marks {
					t.Errorf("%s: allowed %t by %+v, marks %+v", run, allowed, f.Inline, rep.Inline)
				}
			}
		})
	}
}

// TestTampered: contents that do not match their names are listed. Results read from them are not used for a sound repository.
func TestTampered(t *testing.T) {
	pasted := function(t, std(t, copied[0].file), copied[0].head).text
	r := newRepository(t)
	r.commit(files{"a.go": head + pasted})
	id := r.git("rev-parse", "HEAD:a.go")
	object := filepath.Join(r.dir, ".git/objects", id[:2], id[2:])
	s := scan(t, scanner.Options{Cache: t.TempDir()}, stdBaseline(t))
	kept, err := os.ReadFile(object)
	if err != nil {
		t.Fatal(err)
	}
	other := r.feed(head+own("b"), "hash-object", "-w", "--stdin")
	for _, damage := range []func() error{
		func() error { return os.Rename(filepath.Join(r.dir, ".git/objects", other[:2], other[2:]), object) },
		func() error { return os.WriteFile(object, kept[:len(kept)-9], 0o644) },
	} {
		os.Remove(object)
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			rep := r.history(s, "")
			none(t, rep)
			if got := rep.Incomplete(); len(got) != 1 || got[0].Path != "a.go" || got[0].Reason != finding.ReasonDamaged {
				t.Errorf("ledger: %+v", rep.Ledger)
			}
		}
	}
	os.Remove(object)
	if err := os.WriteFile(object, kept, 0o644); err != nil {
		t.Fatal(err)
	}
	rep := r.history(s, "")
	one(t, rep)
	if len(rep.Incomplete()) != 0 {
		t.Errorf("ledger: %+v", rep.Ledger)
	}
}

// TestLacking: a missing content is one entry of the ledger, for every kind of scan.
func TestLacking(t *testing.T) {
	pasted := function(t, std(t, copied[0].file), copied[0].head).text
	r := newRepository(t)
	base := r.commit(files{"a.go": head + own("a")})
	r.commit(files{"a.go": head + own("a") + "\n" + pasted, "b.go": head + pasted})
	id := r.git("rev-parse", "HEAD:a.go")
	object := filepath.Join(r.dir, ".git/objects", id[:2], id[2:])
	if err := os.Rename(object, object+".lost"); err != nil {
		t.Fatal(err)
	}
	s := scan(t, scanner.Options{}, stdBaseline(t))
	check := func(what string, rep *finding.Report) {
		t.Helper()
		if got := rep.Incomplete(); len(got) != 1 || got[0].Path != "a.go" || got[0].Reason != finding.ReasonMissing {
			t.Errorf("%s: %+v", what, rep.Ledger)
		}
		if f := one(t, rep); f.Path != "b.go" {
			t.Errorf("%s: %+v", what, f)
		}
	}
	check("diff", r.diff(s, base+"...HEAD"))
	check("history", r.history(s, ""))
	r.git("reset", "-q", "--soft", base)
	check("staged", r.staged(s))
}

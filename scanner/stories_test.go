package scanner_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// TestVersionsAreOne: a region that grows, shrinks, is edited and moved is one finding, and its earlier ids are listed.
func TestVersionsAreOne(t *testing.T) {
	whole := std(t, "container/list/list.go")
	lines := strings.SplitAfter(whole, "\n")
	part := func(n int) string { return strings.Join(lines[:len(lines)*n/10], "") }
	r := newRepository(t)
	var ids []string
	var reports []*finding.Report
	s := scan(t, scanner.Options{}, stdBaseline(t))
	for _, f := range []files{
		{"a.go": part(4)}, {"a.go": part(6)}, {"a.go": part(8)}, {"a.go": whole},
		{"a.go": strings.Replace(whole, "return nil", "panic(nil)", 1)}, {"a.go": part(9)}, {"a.go": gone, "sub/b.go": own("a") + part(9)},
	} {
		ids = append(ids, r.commit(f))
		reports = append(reports, r.tree(s))
	}
	f := one(t, r.history(s, ""))
	last := one(t, reports[len(reports)-1])
	if f.ID != last.ID || f.Path != "sub/b.go" || f.StartLine != last.StartLine || f.EndLine != last.EndLine {
		t.Errorf("%s %s:%d-%d is not what a scan finds: %s", f.ID, f.Path, f.StartLine, f.EndLine, list(reports[len(reports)-1]))
	}
	for i, rep := range reports[2:] {
		if id := one(t, rep).ID; id != f.ID && !slices.Contains(f.FormerIDs, id) {
			t.Errorf("commit %d: %s is not among %v", i+2, id, f.FormerIDs)
		}
	}
	if len(f.Edits) < 5 || f.Edits[len(f.Edits)-1].Commit != ids[6] || *f.Alive != true {
		t.Errorf("%+v", f.Edits)
	}
	if first := one(t, reports[0]).ID; slices.Contains(f.FormerIDs, first) {
		t.Errorf("%s had less than most of it", first)
	}
	// a region that left is reported with its last version
	r.commit(files{"sub/b.go": gone})
	if g := one(t, r.history(s, "")); g.ID != f.ID || g.Left == nil {
		t.Errorf("%s, left %+v, want %s", g.ID, g.Left, f.ID)
	}
}

// TestLeftTogether: regions that leave with one content are all reported with their last versions.
func TestLeftTogether(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head).text
	codegen := function(t, std(t, copied[2].file), copied[2].head).text
	r := newRepository(t)
	r.commit(files{"both.go": head + trie + own("t") + "\n" + codegen})
	r.commit(files{"both.go": gone, "moved.go": head + own("s") + trie + own("t") + "\n" + codegen})
	s := scan(t, scanner.Options{}, stdBaseline(t))
	want := r.tree(s).Findings
	r.commit(files{"moved.go": gone})
	got := r.history(s, "").Findings
	if len(got) != 2 || len(want) != 2 {
		t.Fatalf("%d findings, %d before they left", len(got), len(want))
	}
	for i, g := range got {
		if f := want[i]; g.ID != f.ID || g.Path != "moved.go" || g.StartLine != f.StartLine || g.Left == nil {
			t.Errorf("%s %s:%d, left %+v; want %s:%d", g.ID, g.Path, g.StartLine, g.Left, f.ID, f.StartLine)
		}
	}
}

// TestLeftWithNotice: a copy that left is judged by the notices that it had last, not by those of the tip.
func TestLeftWithNotice(t *testing.T) {
	body := headless(std(t, "strings/replace.go"))
	licence, code := mitOf("The Go Authors"), "lib/replace.go"
	for _, c := range []struct {
		name    string
		commits []files
		want    finding.Verdict
	}{
		{"both left", []files{{"lib/LICENSE": licence, code: body}, {"lib/LICENSE": gone, code: gone}}, finding.Attributed},
		{"added later in a hidden directory", []files{{".x/replace.go": body}, {".x/LICENSE": licence}, {".x/LICENSE": gone, ".x/replace.go": gone}}, finding.Attributed},
		{"added later", []files{{code: body}, {"lib/LICENSE": licence}, {"lib/LICENSE": gone, code: gone}}, finding.Attributed},
		{"the notice left first", []files{{"lib/LICENSE": licence, code: body}, {"lib/LICENSE": gone}, {code: gone}}, finding.LicenceStripped},
		{"added when the copy was gone", []files{{code: body}, {code: gone}, {"lib/LICENSE": licence}}, finding.LicenceStripped},
		{"moved before it left", []files{{"lib/LICENSE": licence, code: body}, {code: gone, "lib/LICENSE": gone, "x.go": body}, {"x.go": gone}}, finding.LicenceStripped},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			r.commit(files{"own.go": head + own("x")})
			for _, f := range c.commits {
				r.commit(f)
			}
			if f := one(t, r.history(scan(t, scanner.Options{}, stdBaseline(t)), "")); f.Left == nil || f.Verdict != c.want {
				t.Errorf("left %+v, %s; want %s", f.Left, f.Verdict, c.want)
			}
		})
	}
}

// TestTipNotices: a copy that is there is judged by the notices of its tip, whatever HEAD has. If HEAD has as much of it, HEAD decides.
func TestTipNotices(t *testing.T) {
	body, licence := headless(std(t, "strings/replace.go")), mitOf("The Go Authors")
	s := scan(t, scanner.Options{}, stdBaseline(t))
	r := newRepository(t)
	r.commit(files{"own.go": head + own("x")})
	r.commit(files{"lib/LICENSE": licence, "lib/replace.go": body})
	r.commit(files{"lib/LICENSE": gone, "lib/replace.go": gone})
	if f := one(t, r.history(s, "HEAD~1")); !*f.Alive || f.Verdict != finding.Attributed {
		t.Errorf("%s, alive %v", f.Verdict, *f.Alive)
	}
	r = newRepository(t)
	r.commit(files{"lib/LICENSE": licence, "lib/replace.go": body})
	r.git("branch", "with")
	r.git("checkout", "-q", "-b", "without")
	r.commit(files{"lib/LICENSE": gone})
	for branch, want := range map[string]finding.Verdict{"with": finding.Attributed, "without": finding.LicenceStripped} {
		r.git("checkout", "-q", branch)
		if f := one(t, r.checked(s.History(t.Context(), r.open(), git.Selection{All: true}))); f.Verdict != want || len(f.Tip) != 1 {
			t.Errorf("at %s: %s, %v", branch, f.Verdict, f.Tip)
		}
	}
}

// TestDistinctPlaces: two regions of one origin in one repository stay two.
func TestDistinctPlaces(t *testing.T) {
	lines := strings.SplitAfter(std(t, "container/list/list.go"), "\n")
	r := newRepository(t)
	r.commit(files{"a.go": strings.Join(lines[:len(lines)/2], "")})
	r.commit(files{"b.go": "package x\n" + strings.Join(lines[len(lines)/2:], "")})
	r.commit(files{"b.go": "package x\n" + own("b") + strings.Join(lines[len(lines)/2:], "")})
	rep := r.history(scan(t, scanner.Options{}, stdBaseline(t)), "")
	if len(rep.Findings) != 2 || rep.Findings[0].Path != "a.go" || rep.Findings[1].Path != "b.go" {
		t.Error(list(rep))
	}
}

// TestGrownInRange: code that a range adds to an older region is a finding of the range.
func TestGrownInRange(t *testing.T) {
	whole := std(t, "container/list/list.go")
	lines := strings.SplitAfter(whole, "\n")
	r := newRepository(t)
	r.commit(files{"a.go": strings.Join(lines[:len(lines)*4/10], "")})
	second := r.commit(files{"a.go": whole})
	if f := one(t, r.history(scan(t, scanner.Options{}, stdBaseline(t)), "HEAD~1..HEAD")); f.Introduced.Commit != second {
		t.Errorf("%+v", f.Introduced)
	}
}

// TestSameIntroduced: a scan of the work tree and one of the history give a region the same date, whatever its edits.
func TestSameIntroduced(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a dozen repositories")
	}
	trie := function(t, std(t, copied[0].file), copied[0].head).text
	codegen := function(t, std(t, copied[2].file), copied[2].head).text
	list := std(t, "container/list/list.go")
	lines := strings.SplitAfter(list, "\n")
	r := newRepository(t)
	r.commit(files{"main.go": head + own("m")})
	both := r.commit(files{"both.go": head + trie + own("t") + "\n" + codegen})
	r.commit(files{"list.go": strings.Join(lines[:len(lines)*3/10], "")})
	most := r.commit(files{"list.go": strings.Join(lines[:len(lines)*8/10], "")})
	r.commit(files{"list.go": list})
	r.commit(files{"both.go": gone, "trie.go": head + trie + own("t"), "gen.go": head + codegen}) // split
	other, _ := renamed(t, head+trie)
	r.commit(files{"trie.go": other + own("t")})
	r.commit(files{"trie.go": reformatted(t, other+own("t"))})
	r.commit(files{"list.go": gone, "ring/list.go": list}) // renamed
	r.commit(files{"gen.go": head + own("g")})
	r.commit(files{"gen.go": head + own("g") + "\n" + codegen}) // left and returned
	r.git("checkout", "-q", "-b", "side")
	r.commit(files{"ring/list.go": strings.Replace(list, "return nil", "panic(nil)", 1)})
	r.git("checkout", "-q", "main")
	r.commit(files{"main.go": head + own("n")})
	r.now = r.now.AddDate(0, 0, 1)
	r.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	r.git("checkout", "-q", "-b", "squashed")
	r.commit(files{"w.go": head + own("w")})
	r.commit(files{"w.go": head + own("w") + "\n" + trie})
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "--squash", "squashed")
	r.commit(nil)
	s := scan(t, scanner.Options{}, stdBaseline(t))
	want := map[string]string{}
	for _, f := range r.tree(s).Findings {
		want[f.Path] = f.Introduced.Commit
	}
	if want["trie.go"] != both || want["gen.go"] != both || want["ring/list.go"] != most || len(want) != 4 {
		t.Errorf("the work tree: %v", want)
	}
	for _, workers := range []int{1, 4} {
		rep := r.history(scan(t, scanner.Options{Workers: workers}, stdBaseline(t)), "")
		met := 0
		for _, f := range rep.Findings {
			for _, at := range f.Tip {
				met++
				if f.Introduced.Commit != want[at.Path] {
					t.Errorf("%s: the history has %s, the work tree %s", at.Path, f.Introduced.Commit, want[at.Path])
				}
			}
		}
		if met != len(want) {
			t.Errorf("%d places at the tip, want %d", met, len(want))
		}
	}
}

// TestIntroducedOnABranch: a region entered on a branch whose merge changed nothing, because the file already had it, or because
// the merge dropped it.
func TestIntroducedOnABranch(t *testing.T) {
	trie := head + function(t, std(t, copied[0].file), copied[0].head).text
	for name, dropped := range map[string]bool{"picked": false, "dropped": true} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			r.commit(files{"main.go": head + own("m")})
			r.git("checkout", "-q", "-b", "topic")
			r.commit(files{"topic.go": head + own("t")})
			want := r.commit(files{"a.go": trie})
			r.git("checkout", "-q", "main")
			r.commit(files{"main.go": head + own("n")})
			if dropped {
				r.git("merge", "-q", "-s", "ours", "-m", "merge", "topic")
				r.commit(files{"a.go": trie})
			} else {
				r.commit(files{"a.go": trie})
				r.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
			}
			r.commit(files{"main.go": head + own("o")})
			s := scan(t, scanner.Options{}, stdBaseline(t))
			if f := one(t, r.tree(s)); f.Introduced.Commit != want {
				t.Errorf("the work tree has %s, want %s", f.Introduced.Commit, want)
			}
			if f := one(t, r.history(s, "")); f.Introduced.Commit != want {
				t.Errorf("the history has %s, want %s", f.Introduced.Commit, want)
			}
		})
	}
}

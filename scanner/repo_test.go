package scanner_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// own returns unique code for each name. Its beginning and end differ from the neighbours of the copied functions in their files.
func own(name string) string {
	return fmt.Sprintf("\nconst %[1]sMost = 7\n\n// %[1]s is ours.\nfunc %[1]s(in []string, most int) (out map[string]int, err error) {\n\tout = make(map[string]int, most)\n\tfor i, s := range in {\n\t\tif i >= most || strings.HasPrefix(s, %[1]q) {\n\t\t\tbreak\n\t\t}\n\t\tout[s] += i * %[1]sMost\n\t}\n\treturn out, nil\n}\n\nvar %[1]sOnce sync.Once\n", name)
}

// TestStaged scans the index, not the work tree.
func TestStaged(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	fn := function(t, std(t, copied[0].file), copied[0].head)
	r := newRepository(t)
	r.put(files{"first.go": head + fn.text})
	none(t, r.staged(s)) // nothing is staged
	r.git("add", "-A")
	if f := one(t, r.staged(s)); f.Path != "first.go" || f.StartLine != 3 {
		t.Error(f)
	}
	r.commit(files{"a.go": head + own("a")})
	none(t, r.staged(s))
	r.put(files{"a.go": head + own("a") + "\n" + fn.text})
	none(t, r.staged(s)) // only in the work tree
	one(t, r.tree(s, "a.go"))
	r.git("add", "a.go")
	r.put(files{"a.go": head})
	if f := one(t, r.staged(s)); f.Path != "a.go" || f.EndLine != 3+strings.Count(own("a"), "\n")+fn.lines() {
		t.Error(f) // only in the index
	}
	r.commit(nil)
	r.put(files{"a.go": head, "big.go": head + strings.Repeat("// x\n", 3<<10), "p.bin": pointer})
	r.git("add", "-A")
	rep := r.staged(scan(t, scanner.Options{Options: examine.Options{MaxFileSize: 10 << 10}}, stdBaseline(t)))
	if got := reason(rep, "big.go"); !slices.Equal(got, []lang.Reason{lang.TooLarge}) {
		t.Error(rep.Ledger)
	}
	if got := reason(rep, "p.bin"); !slices.Equal(got, []lang.Reason{"lfs-pointer"}) {
		t.Error(rep.Ledger)
	}
}

// TestDiff: a region is a finding only if one of its lines is new.
func TestDiff(t *testing.T) {
	if testing.Short() {
		t.Skip("makes dozens of repositories")
	}
	s := scan(t, scanner.Options{}, stdBaseline(t))
	trie := function(t, std(t, copied[0].file), copied[0].head)
	codegen := function(t, std(t, copied[2].file), copied[2].head)
	indented := strings.ReplaceAll(trie.text, "\n\t", "\n\t\t\t")
	for _, c := range []struct {
		name        string
		before, now files
		found       []string // path:line
	}{
		{"pasted into a new file", files{"a.go": head + own("a")}, files{"b.go": head + trie.text}, []string{"b.go:3"}},
		{"pasted into an old file", files{"a.go": head + own("a")}, files{"a.go": head + own("a") + "\n" + trie.text}, []string{fmt.Sprintf("a.go:%d", 4+strings.Count(own("a"), "\n"))}},
		{"there before", files{"a.go": head + trie.text}, files{"a.go": head + trie.text + own("a")}, nil},
		{"edited above", files{"a.go": head + trie.text}, files{"a.go": head + own("a") + "\n" + trie.text}, nil},
		{"pasted below an old copy", files{"a.go": head + trie.text}, files{"a.go": head + trie.text + "\nvar x int\n\n" + codegen.text}, []string{fmt.Sprintf("a.go:%d", 6+trie.lines())}},
		// both have a brace on the line before, and similar signatures
		{"pasted next to an old copy", files{"a.go": head + trie.text}, files{"a.go": head + trie.text + "\n" + codegen.text}, []string{fmt.Sprintf("a.go:%d", 4+trie.lines())}},
		{"moved inside the file", files{"a.go": head + trie.text + own("a") + own("b")}, files{"a.go": head + own("a") + own("b") + "\n" + trie.text}, nil},
		{"moved between files", files{"a.go": head + trie.text + own("a"), "b.go": head + own("b")}, files{"a.go": head + own("a"), "b.go": head + own("b") + "\n" + trie.text}, nil},
		{"moved into a new file", files{"a.go": head + trie.text + own("a")}, files{"a.go": head + own("a"), "new.go": head + trie.text}, nil},
		{"moved out of a deleted file", files{"a.go": head + trie.text + own("a"), "b.go": head + own("b")}, files{"a.go": gone, "b.go": head + own("b") + "\n" + trie.text}, nil},
		{"split into two files", files{"a.go": head + trie.text + codegen.text}, files{"a.go": gone, "b.go": head + trie.text + own("b"), "c.go": head + codegen.text + own("c")}, nil},
		{"reindented", files{"a.go": head + trie.text}, files{"a.go": head + indented}, nil},
		{"moved and reindented", files{"a.go": head + trie.text + own("a"), "b.go": head + own("b")}, files{"a.go": head + own("a"), "b.go": head + own("b") + indented}, nil},
		{"renamed file", files{"a.go": head + trie.text}, files{"a.go": gone, "b/c.go": head + trie.text}, nil},
		{"renamed file with an edit", files{"a.go": head + trie.text + own("a")}, files{"a.go": gone, "b/c.go": head + trie.text + own("a") + own("b")}, nil},
		{"renamed file with a paste", files{"a.go": head + codegen.text + own("a")}, files{"a.go": gone, "b/c.go": head + codegen.text + own("a") + "\n" + trie.text}, []string{fmt.Sprintf("b/c.go:%d", 4+codegen.lines()+strings.Count(own("a"), "\n"))}},
		{"moved, and pasted elsewhere", files{"a.go": head + trie.text, "b.go": head + own("b")}, files{"a.go": head, "b.go": head + own("b") + "\n" + trie.text, "c.go": head + codegen.text}, []string{"c.go:3"}},
		{"removed", files{"a.go": head + trie.text, "b.go": head}, files{"a.go": head + own("a")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			base := r.commit(c.before)
			tip := r.commit(c.now)
			rep := r.diff(s, base+"..."+tip)
			var got []string
			for _, f := range rep.Findings {
				got = append(got, fmt.Sprintf("%s:%d", f.Path, f.StartLine))
			}
			if !slices.Equal(got, c.found) {
				t.Errorf("found %v, want %v:%s", got, c.found, list(rep))
			}
			if rep.Target != (finding.Target{Kind: "diff", Base: base, Head: tip}) {
				t.Errorf("%+v", rep.Target)
			}
			// the same through the index
			r.git("reset", "-q", "--soft", base)
			st := r.staged(s)
			for _, f := range [][]finding.Finding{st.Findings, rep.Findings} { // except for their dates
				for i := range f {
					f[i].Introduced, f[i].Here, f[i].Direction, f[i].DirectionReason = nil, nil, "", ""
				}
			}
			if string(marshal(t, &finding.Report{Findings: st.Findings})) != string(marshal(t, &finding.Report{Findings: rep.Findings})) {
				t.Errorf("staged:%s", list(st))
			}
		})
	}
}

// TestHostileDiff: garbage on either side of a change does not stop the scan.
func TestHostileDiff(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a dozen repositories")
	}
	fn := function(t, std(t, copied[0].file), copied[0].head)
	noise := strings.Repeat("\x00\xff\x01(", 5000)
	s := scan(t, scanner.Options{Options: examine.Options{MaxFileSize: 64 << 10}}, stdBaseline(t))
	r := newRepository(t)
	huge := head + strings.Repeat("// x\n", 20<<10)
	base := r.commit(files{"was-noise.go": noise, "now-noise.go": head + fn.text, "was-huge.go": huge, "now-huge.go": head, "noise.bin": noise})
	r.commit(files{"was-noise.go": head + fn.text, "now-noise.go": noise, "was-huge.go": head + fn.text, "now-huge.go": huge, "noise.bin": noise + "\x02", "long.txt": strings.Repeat("x", 60<<10)})
	rep := r.diff(s, base+"..HEAD")
	// now-noise.go had the copy before, so it only moved
	none(t, rep)
	for path, want := range map[string]lang.Reason{"now-noise.go": lang.Binary, "now-huge.go": lang.TooLarge, "noise.bin": lang.Binary} {
		if got := reason(rep, path); !slices.Equal(got, []lang.Reason{want}) {
			t.Errorf("%s: %v", path, rep.Ledger)
		}
	}
	r.commit(files{"now-noise.go": head + fn.text, "was-noise.go": gone, "was-huge.go": gone})
	other := function(t, std(t, copied[2].file), copied[2].head)
	mid := r.git("rev-parse", "HEAD")
	r.commit(files{"now-huge.go": head + other.text, "noise.bin": gone})
	if f := one(t, r.diff(s, mid+"..HEAD")); f.Path != "now-huge.go" { // the old version is too large to be read
		t.Error(f)
	}
}

// TestHistory: a region is attributed to the commit that added it.
func TestHistory(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	trie := function(t, std(t, copied[0].file), copied[0].head)
	codegen := function(t, std(t, copied[2].file), copied[2].head)
	r := newRepository(t)
	r.commit(files{"a.go": head + own("a")})
	second := r.commit(files{"a.go": head + own("a") + "\n" + trie.text})
	r.commit(files{"a.go": head + own("b") + own("a") + "\n" + trie.text}) // edited above
	r.commit(files{"a.go": gone, "sub/moved.go": head + own("b") + own("a") + "\n" + trie.text})
	fifth := r.commit(files{"copy.go": head + trie.text + own("c"), "other.go": head + codegen.text})
	r.commit(files{"copy.go": gone, "other.go": gone, "sub/moved.go": gone})
	rep := r.history(s, "")
	if len(rep.Findings) != 2 || rep.Summary.Commits != 6 || rep.Target.Kind != "history" || rep.Target.Head != r.git("rev-parse", "HEAD") {
		t.Fatalf("%+v %+v:%s", rep.Summary, rep.Target, list(rep))
	}
	a, o := rep.Findings[0], rep.Findings[1]
	if a.Path != "copy.go" || a.Introduced.Path != "a.go" || a.StartLine != 3 || a.Blobs != 3 || a.Introduced == nil || a.Introduced.Commit != second || a.Introduced.Author != "Ada <ada@example.org>" || !a.Introduced.Time.Equal(date("2022-01-03")) {
		t.Errorf("%+v, introduced %+v", a, a.Introduced)
	}
	if o.Path != "other.go" || o.Blobs != 1 || o.Introduced.Commit != fifth || o.Direction != "unknown" {
		t.Errorf("%+v, introduced %+v", o, o.Introduced)
	}
	// of a range, of a path
	if f := one(t, r.history(s, second+"..HEAD~1", "copy.go")); f.Path != "copy.go" || f.Introduced.Commit != fifth {
		t.Errorf("%+v", f)
	}
	none(t, r.history(s, "HEAD~1..HEAD"))
	none(t, r.history(s, second+"..HEAD", "a.go")) // it existed before the range
	if rep := r.history(s, second+"~1..HEAD"); len(rep.Findings) != 2 || rep.Findings[0].Introduced.Commit != second || rep.Findings[0].Blobs != 3 {
		t.Errorf("%+v", rep.Findings)
	}
}

// TestShallowHistory: code in the first commits of a shallow clone is not new.
func TestShallowHistory(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	trie := function(t, std(t, copied[0].file), copied[0].head)
	codegen := function(t, std(t, copied[2].file), copied[2].head)
	r := newRepository(t)
	r.commit(files{"a.go": head + trie.text})
	r.commit(files{"a.go": head + own("a") + "\n" + trie.text})
	r.commit(files{"a.go": head + own("b") + own("a") + "\n" + trie.text})
	tip := r.commit(files{"b.go": head + codegen.text})
	clone := *r
	clone.dir = t.TempDir()
	r.git("clone", "-q", "--depth", "3", "file://"+filepath.ToSlash(r.dir), clone.dir)
	rep := clone.history(s, "")
	if f := one(t, rep); f.Path != "b.go" || f.Introduced.Commit != tip {
		t.Errorf("%+v", f)
	}
	if !slices.ContainsFunc(rep.Ledger, func(e finding.Entry) bool { return e.Reason == "shallow" }) {
		t.Errorf("the ledger does not tell: %v", rep.Ledger)
	}
}

// TestHistoryEdits: a commit that edits a copied region did not introduce it.
func TestHistoryEdits(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	trie := function(t, std(t, copied[0].file), copied[0].head).text
	other, _ := renamed(t, head+trie)
	other = strings.TrimPrefix(other, head)
	r := newRepository(t)
	first := r.commit(files{"a.go": head + trie})
	r.commit(files{"a.go": head + strings.ReplaceAll(trie, "keyNode", "leaf")})
	r.commit(files{"a.go": head + strings.ReplaceAll(trie, "\t\t\tt.next = nil\n", "\t\t\tdefer stop(<-ticks)\n")})
	if f := one(t, r.history(s, "")); f.Introduced.Commit != first || f.Blobs != 3 || f.CloneType == 1 {
		t.Errorf("%d blobs, %+v", f.Blobs, f.Introduced)
	}
	// a second copy in the same file is no edit of the first
	fourth := r.commit(files{"a.go": head + trie + own("a") + "\n" + other})
	fifth := r.commit(files{"a.go": head + strings.ReplaceAll(other, "namebb", "nameB") + own("a") + "\n" + trie, "b.go": head + other})
	rep := r.history(s, "")
	if len(rep.Findings) != 2 || rep.Findings[1].Introduced.Commit != first || rep.Findings[1].Blobs != 5 ||
		rep.Findings[0].Introduced.Commit != first || rep.Findings[0].Edits[0].Commit != fourth || rep.Findings[0].Blobs != 3 { // as old as the region that it copies
		t.Fatalf("%s\n%+v\nfifth %s", list(rep), rep.Findings, fifth)
	}
	// the same note on each version of a file is listed once
	r.commit(files{"x.bin": "\x00"})
	r.commit(files{"x.bin": "\x00\x00"})
	if got := reason(r.history(s, ""), "x.bin"); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// TestBlobs counts blobs, not their paths.
func TestBlobs(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	twin := head + fn.text + own("a") + "\n" + fn.text
	r := newRepository(t)
	r.commit(files{"x.go": twin})
	f := r.history(scan(t, scanner.Options{}, stdBaseline(t)), "").Findings[0]
	if f.Blobs != 1 || f.StartLine != 3 {
		t.Errorf("%d blobs, line %d", f.Blobs, f.StartLine)
	}
}

// TestHistoryLedger: files skipped while commits are read and files skipped by workers are in one ledger.
func TestHistoryLedger(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a dozen repositories")
	}
	r := newRepository(t)
	const n = 30
	for i := range n {
		r.put(files{fmt.Sprintf("bin%d.dat", i): fmt.Sprintf("%d\x00", i)})
		r.git("update-index", "--add", "--cacheinfo", fmt.Sprintf("120000,%s,link%d", r.git("hash-object", "-w", fmt.Sprintf("bin%d.dat", i)), i))
		r.git("add", fmt.Sprintf("bin%d.dat", i))
		r.git("commit", "-q", "-m", "more")
	}
	rep := r.history(scan(t, scanner.Options{Workers: 4}, stdBaseline(t)), "")
	for i := range n {
		a, b := reason(rep, fmt.Sprintf("bin%d.dat", i)), reason(rep, fmt.Sprintf("link%d", i))
		if !slices.Equal(a, []lang.Reason{lang.Binary}) || !slices.Equal(b, []lang.Reason{"symlink"}) {
			t.Errorf("commit %d: %v, %v", i, a, b)
		}
	}
}

// inPieces puts foreign lines into a function so often that no match is long enough, although most of the function is there.
func inPieces(fn part, lines int) string {
	var out strings.Builder
	for i, line := range strings.SplitAfter(fn.text, "\n") {
		if out.WriteString(line); i%lines == lines-1 {
			fmt.Fprintf(&out, "\nlog(%d, \"other\", here.there[%d]...)\n", i, i)
		}
	}
	return out.String()
}

// TestDirection never guesses.
func TestDirection(t *testing.T) {
	if testing.Short() {
		t.Skip("makes dozens of repositories and baselines")
	}
	text := std(t, "strings/replace.go")
	fn := function(t, text, copied[0].head)
	with, without := files{"r.go": text}, stdFiles(t, "container/list/list.go")
	half := files{"r.go": head + strings.Join(strings.SplitAfter(fn.text, "\n")[:fn.lines()/2], "") + "}}}"}
	pieces := files{"r.go": head + inPieces(fn, 4)}
	small := files{"r.go": head + inPieces(fn, 2)}
	r := newRepository(t)
	r.commit(files{"x.go": head + fn.text}) // 2022-01-02
	for _, c := range []struct {
		name  string
		packs []pack
		want  string
	}{
		{"older", []pack{{"pkg:generic/a@1", "MIT", "2021-12-31", with}}, "from"},
		{"undated", []pack{{"pkg:generic/a@1", "MIT", "", with}}, "unknown"},
		{"younger, its past unknown", []pack{{"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, not in what is older than the copy", []pack{{"pkg:generic/a@1", "MIT", "2021-06-01", without}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, not in its past", []pack{{"pkg:generic/a@1", "MIT", "2022-02-01", without}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "to"},
		{"younger, half of it in its past", []pack{{"pkg:generic/a@1", "MIT", "2022-02-01", half}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, half of it in its past, none before", []pack{{"pkg:generic/a@1", "MIT", "2022-02-01", without}, {"pkg:generic/a@2", "MIT", "2022-03-01", half}, {"pkg:generic/a@3", "MIT", "2022-06-01", with}}, "to"},
		{"younger, its past undated", []pack{{"pkg:generic/a@1", "MIT", "2022-02-01", without}, {"pkg:generic/a@1.5", "MIT", "", with}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "to"},
		{"younger, what has it has neither number nor date", []pack{{"pkg:generic/a@1", "MIT", "2022-02-01", without}, {"pkg:generic/a@next", "MIT", "", with}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, a lower number undated", []pack{{"pkg:generic/a@1", "MIT", "2022-02-01", without}, {"pkg:generic/a@0.5", "MIT", "", with}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, a line beside it lacks it", []pack{{"pkg:generic/a@1.3.0", "MIT", "2022-07-01", with}, {"pkg:generic/a@2.0.0-beta.2", "MIT", "2022-06-01", without}, {"pkg:generic/a@2.0.0", "MIT", "2022-08-01", with}}, "unknown"},
		{"younger, all published anew, one by one", []pack{{"pkg:generic/a@1.8.5", "MIT", "2024-12-04", without}, {"pkg:generic/a@2.7.0", "MIT", "2024-12-05", with}, {"pkg:generic/a@3.7.0", "MIT", "2021-11-22", without}}, "unknown"},
		{"younger, most of it in its past in pieces", []pack{{"pkg:generic/a@1", "MIT", "2022-02-01", pieces}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, it left and came back, in pieces before", []pack{{"pkg:generic/a@1", "MIT", "2021-06-01", small}, {"pkg:generic/a@2", "MIT", "2022-02-01", without}, {"pkg:generic/a@3", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, not in what is older than the copy nor later", []pack{{"pkg:generic/a@1", "MIT", "2021-06-01", without}, {"pkg:generic/a@2", "MIT", "2022-02-01", half}, {"pkg:generic/a@3", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, a part of the older version kept by npm", []pack{{"pkg:npm/a@1.0.0", "MIT", "2022-02-01", without}, {"pkg:npm/a@2.0.0", "MIT", "2022-06-01", with}}, "unknown"},
		{"younger, an earlier major version has it", []pack{{"pkg:golang/e.org/a@v1.0.0", "MIT", "2022-02-01", with}, {"pkg:golang/e.org/a/v2@v2.0.0", "MIT", "2022-03-01", without}, {"pkg:golang/e.org/a/v2@v2.1.0", "MIT", "2022-06-01", with}}, "unknown"},
		{"on the day of the copy", []pack{{"pkg:generic/a@1", "MIT", "2022-01-02", with}}, "unknown"},
		{"younger, another package older", []pack{{"pkg:generic/b@1", "MIT", "2021-06-01", without}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "unknown"},
		{"in its past too", []pack{{"pkg:generic/a@1", "MIT", "2021-06-01", with}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "from"},
		{"another has it older", []pack{{"pkg:generic/b@1", "MIT", "2021-06-01", with}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "from"},
		{"younger and undated", []pack{{"pkg:generic/b@1", "MIT", "", with}, {"pkg:generic/a@2", "MIT", "2022-06-01", with}}, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, o := range []scanner.Options{{}, {Options: examine.Options{MaxOrigins: 1}}} {
				f := one(t, r.history(scan(t, o, based(t, c.packs...)), ""))
				if f.Direction != c.want {
					t.Errorf("%s, want %s: %+v", f.Direction, c.want, f.Origins)
				}
			}
		})
	}
}

// TestIdentity: an id depends on the copied content, not on its place.
func TestIdentity(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a dozen repositories")
	}
	s := scan(t, scanner.Options{}, stdBaseline(t))
	fn := function(t, std(t, copied[0].file), copied[0].head)
	other := function(t, std(t, copied[2].file), copied[2].head)
	id := func(f files) string { return one(t, tree(t, s, f.dir(t))).ID }
	want := id(files{"a.go": head + fn.text})
	if len(want) != 16 {
		t.Errorf("id %q", want)
	}
	for name, f := range map[string]files{
		"below own code":   {"a.go": head + own("a") + own("b") + "\n" + fn.text},
		"above own code":   {"a.go": head + fn.text + own("c")},
		"in another file":  {"sub/dir/b.go": head + fn.text},
		"reformatted":      {"a.go": reformatted(t, head+fn.text)},
		"below a function": {"a.go": head + "func f() {\n\tg()\n}\n\n" + fn.text},
		"below an import":  {"a.go": head + "import (\n\t\"os\"\n)\n\n" + fn.text},
		"above a function": {"a.go": head + fn.text + "\nfunc f() {\n\tg()\n}\n"},
		"above a method":   {"a.go": head + fn.text + "\nfunc (l *list) f() {\n\tg()\n}\n"},
		"among other code": {"a.go": head + fn.text, "b.go": head + own("a")},
	} {
		if got := id(f); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	changed, _ := renamed(t, head+fn.text)
	seen := map[string]string{want: "the function"}
	for name, text := range map[string]string{"another function": head + other.text, "renamed": changed, "a number changed": strings.Replace(head+fn.text, "key[1:]", "key[2:]", 1),
		"a string changed": edit(t, head+fn.text, `t.next.add("",`, `t.next.add("x",`), "half of it": head + strings.Join(strings.SplitAfter(fn.text, "\n")[:fn.lines()/2], "")} {
		got := id(files{"a.go": text})
		if seen[got] != "" {
			t.Errorf("%s has the id of %s", name, seen[got])
		}
		seen[got] = name
	}

	r := newRepository(t)
	r.commit(files{"base.go": head + own("base")})
	r.git("checkout", "-q", "-b", "topic")
	tip := r.commit(files{"a.go": head + fn.text})
	one, before := one(t, r.diff(s, "main...topic")).ID, r.history(s, "").Findings[0].ID
	r.git("checkout", "-q", "main")
	r.commit(files{"more.go": head + own("more")})
	r.git("rebase", "-q", "main", "topic")
	rebased := r.history(s, "main..topic").Findings[0]
	if one != want || before != want || rebased.ID != want || rebased.Introduced.Commit == tip {
		t.Errorf("diff %s, history %s, rebased %s, want %s", one, before, rebased.ID, want)
	}
}

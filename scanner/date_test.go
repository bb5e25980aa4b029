package scanner_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestIntroduced: a scan of the work tree finds the first commit that had most of a region, in any file.
func TestIntroduced(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	codegen := function(t, std(t, copied[2].file), copied[2].head)
	lines := strings.SplitAfter(trie.text, "\n")
	third := strings.Join(lines[:len(lines)/3], "")
	other, _ := renamed(t, trie.text)
	a, b := head+own("a"), head+own("b")
	for _, c := range []struct {
		name    string
		commits []files
		want    int    // index of the commit
		path    string // path of the region then, if different
	}{
		{"in the first", []files{{"x.go": head + trie.text}, {"y.go": a}}, 0, ""},
		{"later", []files{{"x.go": a}, {"x.go": a + "\n" + trie.text}, {"x.go": a + "\n" + trie.text + own("c")}}, 1, ""},
		{"a third of it before", []files{{"x.go": head + third}, {"x.go": head + trie.text}}, 1, ""},
		{"without its end before", []files{{"x.go": head + strings.Join(lines[:len(lines)*4/5], "")}, {"x.go": head + trie.text}}, 0, ""},
		{"with the origin's names before", []files{{"x.go": head + trie.text}, {"x.go": head + other}}, 0, ""},
		{"renamed file", []files{{"x.go": head + trie.text + own("a")}, {"x.go": gone, "sub/y.go": head + trie.text + own("a")}}, 0, "x.go"},
		{"renamed and edited file", []files{{"x.go": head + trie.text + own("a")}, {"x.go": gone, "sub/y.go": head + trie.text + own("b")}}, 0, "x.go"},
		{"moved into an old file", []files{{"x.go": a + trie.text, "y.go": b}, {"x.go": a, "y.go": b + "\n" + trie.text}}, 0, "x.go"},
		{"moved twice", []files{{"x.go": a + trie.text, "y.go": b}, {"x.go": a, "y.go": b + "\n" + trie.text}, {"y.go": b, "z.go": head + trie.text}}, 0, "x.go"},
		{"moved often", []files{
			{"x0.go": a + trie.text}, {"x0.go": a, "x1.go": b + trie.text}, {"x1.go": b, "x2.go": b + trie.text}, {"x2.go": b, "x3.go": b + trie.text},
			{"x3.go": b, "x4.go": b + trie.text}, {"x4.go": b, "x5.go": b + trie.text}, {"x5.go": b, "x6.go": b + trie.text}, {"x6.go": b, "x7.go": b + trie.text},
		}, 0, "x0.go"},
		{"split off with another", []files{{"x.go": head + codegen.text + trie.text}, {"x.go": gone, "y.go": b + trie.text}}, 0, "x.go"},
		{"out of what a package manager kept", []files{{"vendor/r/x.go": a + trie.text}, {"vendor/r/x.go": gone, "x.go": a + trie.text}}, 0, "vendor/r/x.go"},
		{"renamed, then moved on", []files{{"v1/x.go": head + trie.text + own("a")}, {"v1/x.go": gone, "v2/x.go": head + trie.text + own("a")}, {"y.go": b},
			{"v2/x.go": gone, "v3/x.go": head + trie.text + own("c")}, {"v3/x.go": gone, "x.go": head + trie.text + own("c")}}, 0, "v1/x.go"},
		{"left and returned", []files{{"x.go": a + trie.text}, {"x.go": a}, {"x.go": a + trie.text}}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			var ids []string
			for _, f := range c.commits {
				ids = append(ids, r.commit(f))
			}
			for _, workers := range []int{1, 4} {
				f := one(t, r.tree(scan(t, scanner.Options{Workers: workers}, stdBaseline(t))))
				in := f.Introduced
				if in == nil || f.Here == nil || in.Commit != ids[c.want] || in.Path != c.path {
					t.Fatalf("introduced %+v, here %+v, want commit %d at %q", in, f.Here, c.want, c.path)
				}
				if want := (finding.Point{Commit: ids[c.want], Time: &in.Time}); f.Here.Present == nil || f.Here.Present.Commit != want.Commit || !f.Here.Present.Time.Equal(*want.Time) {
					t.Errorf("present %+v", f.Here.Present)
				}
				if c.want > 0 && (f.Here.Absent == nil || f.Here.Absent.Commit != ids[c.want-1]) || c.want == 0 && f.Here.Absent != nil {
					t.Errorf("absent %+v", f.Here.Absent)
				}
			}
		})
	}
}

// TestIntroducedComment: a comment is followed by its words, through other files, layouts and code.
func TestIntroducedComment(t *testing.T) {
	base := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": "package known\n\n" + told + ring}})
	a, b := head+own("a"), head+own("b")
	broken := "/*\n " + strings.Join(strings.Fields(strings.ReplaceAll(told, "//", "")), "\n ") + "\n*/\n"
	third := strings.SplitAfter(told, "\n")[0]
	for name, c := range map[string]struct {
		commits []files
		want    int
		path    string
	}{
		"in the first":         {[]files{{"x.go": head + told + beacon}, {"y.go": a}}, 0, ""},
		"later":                {[]files{{"x.go": a}, {"x.go": head + told + beacon}}, 1, ""},
		"a third of it before": {[]files{{"x.go": head + third + beacon}, {"x.go": head + told + beacon}}, 1, ""},
		"in another layout":    {[]files{{"x.go": head + strings.ToUpper(broken) + beacon}, {"x.go": head + told + beacon}}, 0, ""},
		"above other code":     {[]files{{"x.go": head + told + own("a")}, {"x.go": head + told + beacon}}, 0, ""},
		"in another file":      {[]files{{"x.go": a + told + beacon, "y.go": b}, {"x.go": a, "y.go": b + "\n" + told + beacon}}, 0, "x.go"},
	} {
		r := newRepository(t)
		var ids []string
		for _, f := range c.commits {
			ids = append(ids, r.commit(f))
		}
		f := one(t, r.tree(scan(t, scanner.Options{}, base)))
		if !f.Documentation || f.Introduced == nil || f.Introduced.Commit != ids[c.want] || f.Introduced.Path != c.path || f.Direction != finding.DirectionFrom {
			t.Errorf("%s: introduced %+v, here %+v, %s: %s", name, f.Introduced, f.Here, f.Direction, f.DirectionReason)
		}
	}
}

// TestVersionsWithComment: an older version of a package that has part of a comment may be its source.
func TestVersionsWithComment(t *testing.T) {
	for older, want := range map[string]string{"": finding.DirectionTo, cut(told, 9) + "\n": finding.DirectionTo, cut(told, 24) + "\n": finding.DirectionUnknown} {
		base := based(t,
			pack{"pkg:generic/known@1", "MIT", "2022-06-01", files{"ring.go": "package known\n\n" + older + ring}},
			pack{"pkg:generic/known@2", "MIT", "2023-01-01", files{"ring.go": "package known\n\n" + told + ring}})
		r := newRepository(t)
		r.commit(files{"x.go": head + own("a")})
		r.commit(files{"x.go": head + told + beacon})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Direction != want {
			t.Errorf("%d bytes before: %s, %s", len(older), f.Direction, f.DirectionReason)
		}
	}
}

// TestIntroducedOnBranch: a region in a merge entered on its branch; a region from two branches entered on the first.
func TestIntroducedOnBranch(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	r := newRepository(t)
	r.commit(files{"a.go": head + own("a")})
	r.git("checkout", "-q", "-b", "side")
	want := r.commit(files{"x.go": head + trie.text})
	r.git("checkout", "-q", "main")
	r.commit(files{"a.go": head + own("b")})
	r.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	if f := one(t, r.tree(scan(t, scanner.Options{}, stdBaseline(t)))); f.Introduced == nil || f.Introduced.Commit != want {
		t.Errorf("%+v", f.Introduced)
	}
}

// TestAnotherHistory: an earlier commit in an abandoned history refutes an accusation.
func TestAnotherHistory(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	for released, want := range map[string]string{"2022-01-04": finding.DirectionUnknown, "2021-01-01": finding.DirectionFrom} {
		base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: released, files: stdFiles(t, copied[0].file)})
		r := newRepository(t)
		first := r.commit(files{"a.go": head + trie.text})
		r.git("checkout", "-q", "--orphan", "new")
		r.now = date("2022-01-10")
		r.commit(files{"a.go": gone, "x.go": head + trie.text})
		f := one(t, r.tree(scan(t, scanner.Options{}, base)))
		if f.Direction != want {
			t.Errorf("%s: %s, %s", released, f.Direction, f.DirectionReason)
		}
		if e := f.Here.OtherHistory; want == finding.DirectionUnknown && (e == nil || e.Commit != first || !strings.Contains(f.DirectionReason, "by 2022-01-02 in another history")) {
			t.Errorf("%s: %+v, %s", released, e, f.DirectionReason)
		}
	}
}

// TestCited: an origin that names the target as its source has the region from there, unless dates contradict it or the target has
// the line too.
func TestCited(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	link := "// https://github.com/Acme/tool/blob/0123456/x.go#L7\n"
	for name, c := range map[string]struct{ above, here, released, want string }{
		"a link to the file":         {link, "", "", finding.DirectionTo},
		"no link":                    {"", "", "", finding.DirectionUnknown},
		"a link to another":          {"// https://github.com/acme/tools/blob/0123456/x.go\n", "", "", finding.DirectionUnknown},
		"a link to talk about it":    {"// https://github.com/acme/tool/issues/7\n", "", "", finding.DirectionUnknown},
		"it came along":              {link, link, "", finding.DirectionUnknown},
		"far above":                  {link + "\n\n\n\n", "", "", finding.DirectionUnknown},
		"dates say it is from there": {link, "", "2020-01-01", finding.DirectionUnknown},
		"a sentence":                 {"// Adapted from acme/tool.\n", "", "", finding.DirectionTo},
		"a sentence on another":      {"// Adapted from acme/tools.\n", "", "", finding.DirectionUnknown},
		"a link to the repository":   {"// See https://github.com/acme/tool\n", "", "", finding.DirectionUnknown},
		"a link below a sentence":    {"// Based on lists and tools:\n// https://github.com/acme/lists\n// https://github.com/acme/tool\n", "", "", finding.DirectionTo},
		"a link in another comment":  {"// Based on lists.\n\n// https://github.com/acme/tool\n", "", "", finding.DirectionUnknown},
	} {
		base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: c.released, files: files{"y.go": head + own("x") + "\n" + c.above + trie.text}})
		r := newRepository(t)
		r.git("remote", "add", "origin", "https://github.com/acme/tool.git")
		r.commit(files{"x.go": head + c.here + trie.text})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Direction != c.want {
			t.Errorf("%s: %s, %s", name, f.Direction, f.DirectionReason)
		}
	}
}

// TestCitedAtHead: the head of the origin's file speaks of all its regions.
func TestCitedAtHead(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	for top, want := range map[string]string{
		"// Wild mixture of\n// https://github.com/acme/tool/blob/0123456/x.go\n\n": finding.DirectionTo,
		"// Docs: https://github.com/acme/tool\n\n":                                 finding.DirectionUnknown,
		"// Inspired by https://github.com/acme/tool\n\n":                           finding.DirectionTo,
	} {
		base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", files: files{"y.go": top + head + own("x") + "\n" + trie.text}})
		r := newRepository(t)
		r.git("remote", "add", "origin", "https://github.com/acme/tool.git")
		r.commit(files{"x.go": head + trie.text})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Direction != want {
			t.Errorf("%q: %s, %s", top, f.Direction, f.DirectionReason)
		}
	}
}

// TestThirdPlace: an origin that says that it has the code from a third place may not be the one that the target has it from. The target's file
// can name that place.
func TestThirdPlace(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	from := "// Modified from https://github.com/open-lists/trielib/blob/main/trie.go\n"
	models, module := "// Adapted from https://github.com/open-lists/models\n", "// Copied from motor.nodes.Trie.\n"
	for name, c := range map[string]struct {
		above, here, file, want string
		verdict                 finding.Verdict
	}{
		"nothing is said":        {"", "", "x.go", finding.DirectionFrom, finding.Undeclared},
		"it is said":             {from, "", "x.go", finding.DirectionUnknown, finding.Undeclared},
		"a link alone":           {"// https://github.com/open-lists/trielib\n", "", "x.go", finding.DirectionFrom, finding.Undeclared},
		"it says less":           {"// Inspired by https://github.com/open-lists/trielib\n", "", "x.go", finding.DirectionFrom, finding.Undeclared},
		"of its own package":     {"// Copied from https://github.com/lists/l/blob/main/y.go\n", "", "x.go", finding.DirectionFrom, finding.Undeclared},
		"it came along":          {from, from, "x.go", finding.DirectionFrom, finding.Undeclared},
		"the holder is that one": {from, "// Copyright 2019 OpenLists. All rights reserved.\n\n", "x.go", finding.DirectionUnknown, finding.AttributedElsewhere},
		"so is the directory":    {from, "", "ext/trielib/x.go", finding.DirectionUnknown, finding.AttributedElsewhere},
		"a common directory":     {models, "", "my/models/x.go", finding.DirectionUnknown, finding.Undeclared},
		"of its own module":      {"// Copied from engine.nodes.Trie.\n", "", "x.go", finding.DirectionFrom, finding.Undeclared},
		"of another module":      {module, "", "x.go", finding.DirectionUnknown, finding.Undeclared},
	} {
		base := based(t, pack{purl: "pkg:golang/github.com/lists/l@v1.0.0", license: "MIT", released: "2020-01-01", files: files{"engine/y.go": head + own("x") + "\n" + c.above + trie.text}})
		r := newRepository(t)
		here := c.here + head + trie.text
		if name == "it came along" {
			here = head + c.here + trie.text
		}
		r.commit(files{"a.go": head})
		r.commit(files{c.file: here})
		f := one(t, r.tree(scan(t, scanner.Options{}, base)))
		if third := f.Origins[0].CopiedFrom; f.Direction != c.want || f.Verdict != c.verdict || (third != nil) != (name != "it came along" && slices.Contains([]string{from, models, module}, c.above)) {
			t.Errorf("%s: %s, %s, %s, %+v", name, f.Direction, f.DirectionReason, f.Verdict, third)
		}
	}
}

// TestSameOwner: an npm name does not show its owner, but the repository that the package names does.
func TestSameOwner(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	for address, want := range map[string]bool{"git+https://github.com/acme/base.git": true, "https://github.com/other/base": false, "": false} {
		fs := stdFiles(t, copied[0].file)
		fs["package.json"] = `{"name": "base", "version": "1.0.0", "repository": {"type": "git", "url": "` + address + `"}}`
		base := based(t, pack{files: fs})
		r := newRepository(t)
		r.git("remote", "add", "origin", "git@github.com:acme/tool.git")
		r.commit(files{"x.go": head + trie.text})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Origins[0].SameOwner != want || f.Origins[0].PURL != "pkg:npm/base@1.0.0" {
			t.Errorf("%q: %+v", address, f.Origins[0])
		}
	}
}

// TestCopyWithin: a second copy inside the repository is as old as the first.
func TestCopyWithin(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	r := newRepository(t)
	want := r.commit(files{"x.go": head + trie.text})
	r.commit(files{"y.go": head + own("a") + trie.text})
	rep := r.tree(scan(t, scanner.Options{}, stdBaseline(t)))
	if len(rep.Findings) != 2 {
		t.Fatal(list(rep))
	}
	for _, f := range rep.Findings {
		if f.Introduced == nil || f.Introduced.Commit != want {
			t.Errorf("%s: %+v", f.Path, f.Introduced)
		}
	}
}

// TestCopyWithinOfAnother: the same, if another package is named for each copy. Their files have one name.
func TestCopyWithinOfAnother(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head).text
	a, b := function(t, std(t, copied[3].file), copied[3].head).text, function(t, std(t, copied[1].file), copied[1].head).text
	b = b[:len(b)/3] + "\n}\n"
	for name, last := range map[string]string{"of one name": "replace.go", "of two names": "other.go"} {
		base := based(t, pack{"pkg:generic/a@1", "MIT", "2019-01-01", files{"src/replace.go": head + a + trie}},
			pack{"pkg:generic/b@1", "MIT", "2022-02-01", files{"lib/" + last: head + trie + b}})
		r := newRepository(t)
		first := r.commit(files{"x.go": head + a + trie})
		for range 40 { // a day each
			r.commit(nil)
		}
		second := r.commit(files{"y.go": head + trie + b})
		rep := r.tree(scan(t, scanner.Options{}, base))
		i := slices.IndexFunc(rep.Findings, func(f finding.Finding) bool { return f.Path == "y.go" })
		if i < 0 || rep.Findings[i].Introduced == nil || !strings.HasPrefix(rep.Findings[i].Origins[0].PURL, "pkg:generic/b@") {
			t.Fatal(list(rep))
		}
		want := map[bool]string{true: first, false: second}[last == "replace.go"]
		if got := rep.Findings[i].Introduced.Commit; got != want {
			t.Errorf("%s: introduced %s, want %s (%s)", name, got, want, rep.Findings[i].DirectionReason)
		}
	}
}

// TestUncommitted: code in no commit is new, unless it was moved.
func TestUncommitted(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	s := scan(t, scanner.Options{}, stdBaseline(t))
	r := newRepository(t)
	r.put(files{"x.go": head + trie.text})
	if f := one(t, r.tree(s)); f.Here != nil || f.Direction != finding.DirectionUnknown {
		t.Errorf("without a commit: %+v, %s", f.Here, f.Direction)
	}
	r.put(files{"x.go": gone})
	last := r.commit(files{"a.go": head + own("a"), "b.go": head + own("b")})
	r.put(files{"a.go": head + own("a") + trie.text})
	f := one(t, r.tree(s))
	if f.Introduced != nil || f.Here == nil || f.Here.Present != nil || f.Here.Absent.Commit != last || f.Direction != finding.DirectionFrom {
		t.Errorf("in the work tree: %+v, %s", f.Here, f.Direction)
	}
	r.git("add", "-A")
	if f = one(t, r.staged(s)); f.Here == nil || f.Here.Present != nil || f.Direction != finding.DirectionFrom || !strings.HasPrefix(f.DirectionReason, "not committed yet here") {
		t.Errorf("in the index: %+v, %s, %s", f.Here, f.Direction, f.DirectionReason)
	}
	first := r.commit(nil)
	r.commit(files{"c.go": head + own("c")})
	for name, moved := range map[string]files{
		"to another file": {"a.go": head + own("a"), "b.go": head + own("b") + trie.text},
		"with its file":   {"a.go": gone, "new.go": head + own("a") + trie.text},
	} {
		r.put(moved)
		if f = one(t, r.tree(s)); f.Introduced == nil || f.Introduced.Commit != first {
			t.Errorf("moved %s: %+v", name, f.Here)
		}
		r.git("add", "-A")
		r.git("reset", "-q", "--hard")
	}
}

// TestIntroducedByChange: in a diff the date is that of the change.
func TestIntroducedByChange(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	r := newRepository(t)
	base := r.commit(files{"a.go": head + own("a")})
	want := r.commit(files{"x.go": head + trie.text})
	r.commit(files{"x.go": head + trie.text + own("b")})
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/a@1", "MIT", "2021-12-31", files{"r.go": std(t, copied[0].file)}}))
	f := one(t, r.diff(s, base+"..HEAD"))
	if f.Introduced == nil || f.Introduced.Commit != want || f.Here.From != "change" || f.Here.Absent.Commit != base || f.Direction != finding.DirectionFrom {
		t.Errorf("%+v, %+v, %s", f.Introduced, f.Here, f.Direction)
	}
	if want := "here since 2022-01-03, there by 2021-12-31"; f.DirectionReason != want {
		t.Errorf("%q, want %q", f.DirectionReason, want)
	}
}

// TestHolder: the author of the commit that brought a region is a holder of the origin's copyright. The origin may be older, if it
// has no other holder. A change can name anyone.
func TestHolder(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	_, bare, _ := strings.Cut(std(t, copied[0].file), "\npackage ")
	const julie = "// Copyright 2010 Julie Danton\n"
	for _, c := range []struct {
		name, author, heads, foot, released, want string
	}{
		{"two holders", "Julie Danton", "// Copyright 2012 Mason Lima\n" + julie, "", "2022-06-01", "Julie Danton"},
		{"another author", "Mia Lopez", julie, "", "2022-06-01", ""},
		{"one word", "Danton", "// Copyright 2010 Danton\n", "", "2022-06-01", ""},
		{"one word that counts", "Danton Inc.", "// Copyright 2010 Danton Corp.\n", "", "2022-06-01", ""},
		{"a name that Git proposes", "Your Name", "// Copyright 2010 Your Name\n", "", "2022-06-01", ""},
		{"a holder below the head", "Julie Danton", julie, "\n// Copyright 2012 Mason Lima\n\nfunc last() {}\n", "2022-06-01", ""},
		{"older, another behind all code", "Julie Danton", julie, "\n// Copyright 2012 Mason Lima\n", "2020-06-01", ""},
		{"the same below the head", "Julie Danton", julie, "\n// Copyright 2012 Julie Danton\n\nfunc last() {}\n", "2022-06-01", "Julie Danton"},
		{"older, one holder", "Julie Danton", julie, "", "2020-06-01", "Julie Danton"},
		{"older, two holders", "Julie Danton", "// Copyright 2012 Mason Lima\n" + julie, "", "2020-06-01", ""},
		{"older, two on a line", "Julie Danton", "// Copyright 2010 Julie Danton <j@example.org>, Mason Lima <m@example.org>\n", "", "2020-06-01", ""},
		{"older, two below each other", "Julie Danton", "// Copyright 2010 Julie Danton <j@example.org>\n//           2012 Mason Lima\n", "", "2020-06-01", ""},
		{"the second on a line", "Mason Lima", "// Copyright 2010 Julie Danton <j@example.org> and Mason Lima <m@example.org>. All rights reserved.\n", "", "2022-06-01", "Mason Lima"},
		{"older, an address and a sentence", "Julie Danton", "// Copyright 2010 Julie Danton <j@example.org>, All rights reserved.\n", "", "2020-06-01", "Julie Danton"},
		{"older, and contributors", "Julie Danton", "// Copyright 2010 Julie Danton and other contributors\n", "", "2020-06-01", ""},
	} {
		r := newRepository(t)
		base := r.commit(files{"a.go": head + own("a")})
		r.commit(files{"x.go": head + trie.text})
		r.git("commit", "-q", "--amend", "--no-edit", "--author="+c.author+" <a@example.org>")
		s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/a@1", "MIT", c.released, files{"r.go": c.heads + "\npackage " + bare + c.foot}}))
		if f := one(t, r.tree(s)); f.Holder() != c.want {
			t.Errorf("%s: %q, want %q; holders %q, direction %s", c.name, f.Holder(), c.want, f.Origins[0].Holders, f.Direction)
		}
		if f := one(t, r.diff(s, base+"..HEAD")); f.Holder() != "" {
			t.Errorf("%s: a change is by the holder %q", c.name, f.Holder())
		}
	}
}

// TestHolderOfRest: half of the region came before the rest, by a holder or by someone else.
func TestHolderOfRest(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	_, bare, _ := strings.Cut(std(t, copied[0].file), "\npackage ")
	lines := strings.SplitAfter(trie.text, "\n")
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/a@1", "MIT", "2022-06-01", files{"r.go": "// Copyright 2010 Julie Danton\n\npackage " + bare}}))
	const julie = "Julie Danton <a@example.org>"
	for author, want := range map[string]string{julie: "Julie Danton", "Mia Lopez <m@example.org>": ""} {
		r := newRepository(t)
		for _, c := range [][2]string{{author, strings.Join(lines[:len(lines)/2], "")}, {julie, trie.text}} {
			r.commit(files{"x.go": head + c[1]})
			r.git("commit", "-q", "--amend", "--no-edit", "--author="+c[0])
		}
		f := one(t, r.tree(s))
		if in := f.Introduced; in == nil || in.Author != julie || f.Here.Half == nil || f.Here.Half.Author != author || f.Holder() != want {
			t.Errorf("%s: %+v, %+v, holder %q", author, f.Introduced, f.Here.Half, f.Holder())
		}
	}
}

// TestShallowDate: code in the first commits of a shallow clone may be of any age.
func TestShallowDate(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	r := newRepository(t)
	r.commit(files{"x.go": head + trie.text, "a.go": head + own("a")})
	r.commit(files{"x.go": head + trie.text + own("b")})
	r.commit(files{"x.go": head + trie.text + own("c"), "a.go": head + own("b")})
	r.commit(files{"x.go": gone, "y.go": head + own("d") + trie.text})
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/a@1", "MIT", "2021-12-31", files{"r.go": std(t, copied[0].file)}}))
	for depth := 1; depth <= 3; depth++ {
		shallow := &repository{t: t, dir: filepath.Join(t.TempDir(), "clone"), now: r.now}
		if out, err := exec.Command("git", "clone", "-q", fmt.Sprintf("--depth=%d", depth), "file://"+r.dir, shallow.dir).CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
		f := one(t, shallow.tree(s))
		boundary := date("2022-01-01").Add(time.Duration(5-depth) * 24 * time.Hour)
		if f.Introduced != nil || f.Here == nil || f.Here.Absent != nil || f.Here.Present == nil || !f.Here.Present.Time.Equal(boundary) || f.Direction != finding.DirectionUnknown {
			t.Errorf("depth %d: %+v, %+v, %s: %s", depth, f.Introduced, f.Here, f.Direction, f.DirectionReason)
		}
	}
}

// TestWrongClocks: a wrong clock makes dates less certain, but never reverses a direction.
func TestWrongClocks(t *testing.T) {
	text := std(t, copied[0].file)
	trie := function(t, text, copied[0].head)
	without := stdFiles(t, "container/list/list.go")
	const from, to, unknown = finding.DirectionFrom, finding.DirectionTo, finding.DirectionUnknown
	older := []pack{{"pkg:generic/a@1", "MIT", "2019-01-01", files{"r.go": text}}}
	younger := []pack{{"pkg:generic/a@1", "MIT", "2020-06-01", without}, {"pkg:generic/a@2", "MIT", "2020-07-01", files{"r.go": text}}}
	for _, c := range []struct {
		name           string
		before, at     string // dates of the commit before, and of the one that added it
		after          string // of the one after
		older, younger string // directions against origins from before and from after
	}{
		{"right", "2020-01-01", "2020-02-01", "2020-03-01", from, to},
		{"never set", "2020-01-01", "1970-01-01", "2020-03-01", unknown, to},
		{"never set, the last", "2020-01-01", "1970-01-01", "", unknown, unknown},
		{"in the future", "2020-01-01", "2099-01-01", "2020-03-01", from, to},
		{"in the future, the last", "2020-01-01", "2099-01-01", "", from, unknown},
		{"older than its parent", "2020-01-01", "2016-01-01", "2020-03-01", unknown, unknown},
		{"younger than its child", "2020-01-01", "2021-01-01", "2020-03-01", from, unknown},
		{"before a slow clock", "2020-01-01", "2020-02-01", "2016-03-01 2020-03-01", from, to},
		{"before slow clocks", "2020-01-01", "2020-02-01", "2016-03-01 2016-03-05 2020-03-01", from, to},
		{"its parent in the future", "2099-01-01", "2020-02-01", "2020-03-01", from, to},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			commit := func(at string, f files) {
				if at != "" {
					r.now = date(at).Add(-24 * time.Hour)
					r.commit(f)
				}
			}
			commit(c.before, files{"a.go": head + own("a")})
			commit(c.at, files{"x.go": head + trie.text})
			for i, at := range strings.Fields(c.after) {
				commit(at, files{"a.go": head + own(fmt.Sprint("b", i))})
			}
			for _, o := range []struct {
				packs []pack
				want  string
			}{{older, c.older}, {younger, c.younger}} {
				s := scan(t, scanner.Options{}, based(t, o.packs...))
				tree, history := one(t, r.tree(s)), one(t, r.history(s, ""))
				if tree.Direction != o.want || history.Direction != o.want {
					t.Errorf("%s and %s, want %s: %+v, %s", tree.Direction, history.Direction, o.want, tree.Here, tree.DirectionReason)
				}
			}
		})
	}
}

// TestMetBeforeItsRename: a walk can reach the branch commit that added a file first. Only then, from a commit with a slow clock,
// it learns that this is the file it is looking for.
func TestMetBeforeItsRename(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	other := function(t, std(t, copied[2].file), copied[2].head)
	r := newRepository(t)
	r.commit(files{"a.go": head + own("a")})
	want := r.commit(files{"old/x.go": head + trie.text})
	r.git("checkout", "-q", "-b", "side")
	r.commit(files{"y.go": head + other.text})
	r.git("checkout", "-q", "main")
	now := r.now
	r.now = date("2001-01-01")
	r.commit(files{"old/x.go": gone, "new/x.go": head + trie.text})
	r.now = now.Add(48 * time.Hour)
	r.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	for _, f := range r.tree(scan(t, scanner.Options{}, stdBaseline(t))).Findings {
		if f.Path == "new/x.go" && (f.Introduced == nil || f.Introduced.Commit != want) {
			t.Errorf("%+v, %+v", f.Introduced, f.Here)
		}
	}
}

// TestMovedWithMany: a region is followed through a commit that renames whole directories. If not every file of such a commit is
// searched, nobody is accused.
func TestMovedWithMany(t *testing.T) {
	if testing.Short() {
		t.Skip("commits thousands of files")
	}
	trie := function(t, std(t, copied[0].file), copied[0].head)
	base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: "2022-01-05", files: stdFiles(t, copied[0].file)})
	many := func(n int, word string) files {
		out := files{}
		for i := range n {
			out[fmt.Sprintf("a/f%04d.go", i)] = head + own(fmt.Sprintf("%s%d", word, i))
		}
		return out
	}
	with := func(a, b files) files {
		out := files{}
		for _, f := range []files{a, b} {
			for name, text := range f {
				out[name] = text
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		before, after files
		introduced    int
		want, note    string
	}{
		"a file renamed and edited, as its package, and 80 others edited": {
			with(many(80, "x"), files{"zutil/util.go": head + trie.text + own("a")}),
			with(many(80, "y"), files{"zutil/util.go": gone, "zx/zx.go": head + trie.text + own("b")}), 0, finding.DirectionUnknown, ""},
		"out of the last of many that were edited": {
			with(many(80, "x"), files{"z/z.go": head + trie.text + own("a")}),
			with(many(80, "y"), files{"z/z.go": head + own("a"), "y/y.go": head + trie.text + own("b")}), 0, finding.DirectionUnknown, ""},
		"out of the last of too many": {
			with(many(1100, "x"), files{"z/z.go": head + trie.text + own("a")}),
			with(many(1100, "y"), files{"z/z.go": head + own("a"), "y/y.go": head + trie.text + own("b")}), 1, finding.DirectionUnknown, "not all were searched"},
		"out of nowhere, with few others": {
			files{"a.go": head + own("a")}, files{"a.go": head + own("b"), "y.go": head + trie.text}, 1, finding.DirectionFrom, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			ids := []string{r.commit(c.before)}
			r.now = date("2022-01-10")
			ids = append(ids, r.commit(c.after))
			f := one(t, r.tree(scan(t, scanner.Options{}, base)))
			if f.Introduced == nil || f.Introduced.Commit != ids[c.introduced] {
				t.Errorf("introduced %+v, want commit %d", f.Introduced, c.introduced)
			}
			if f.Direction != c.want || !strings.Contains(f.DirectionReason, c.note) {
				t.Errorf("%s, want %s: %s", f.Direction, c.want, f.DirectionReason)
			}
		})
	}
}

// TestCameBack: a file that was deleted and came back at another path accuses nobody if the repository had it first.
func TestCameBack(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: "2022-01-05", files: stdFiles(t, copied[0].file)})
	lines := strings.SplitAfter(trie.text, "\n")
	text, edited := head+own("a")+trie.text, head+own("b")+trie.text
	half := head + strings.Join(lines[:len(lines)/2], "")
	namesakes := files{"z/x.go": text}
	for i := range 1100 {
		namesakes[fmt.Sprintf("a/%04d/x.go", i)] = head + own(fmt.Sprint("n", i))
	}
	drop := func(fs files) files {
		out := files{"b.go": head + own("b")}
		for name := range fs {
			out[name] = gone
		}
		return out
	}
	for name, c := range map[string]struct {
		before, after files
		introduced    int // index of the commit
		path          string
		want, note    string
	}{
		"at another path":              {files{"old/x.go": text}, files{"new/x.go": text}, 0, "old/x.go", finding.DirectionUnknown, ""},
		"under another name":           {files{"old/x.go": text}, files{"new/y.go": text}, 0, "old/x.go", finding.DirectionUnknown, ""},
		"edited":                       {files{"old/x.go": text}, files{"new/x.go": edited}, 0, "old/x.go", finding.DirectionUnknown, ""},
		"under the origin's name":      {files{"old/" + path.Base(copied[0].file): text}, files{"new/x.go": edited}, 0, "old/" + path.Base(copied[0].file), finding.DirectionUnknown, ""},
		"with half of it before":       {files{"old/x.go": half}, files{"new/x.go": text}, 2, "", finding.DirectionUnknown, "another file had half of it before"},
		"with something else before":   {files{"old/x.go": head + own("b")}, files{"new/x.go": text}, 2, "", finding.DirectionFrom, ""},
		"one of too many of that name": {namesakes, files{"new/x.go": edited}, 2, "", finding.DirectionUnknown, "not more than 1024 older contents"},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && len(c.before) > 1000 {
				t.Skip("commits a thousand files")
			}
			r := newRepository(t)
			ids := []string{r.commit(c.before), r.commit(drop(c.before))}
			r.now = date("2022-01-10")
			ids = append(ids, r.commit(c.after))
			for _, workers := range []int{1, 4} {
				f := one(t, r.tree(scan(t, scanner.Options{Workers: workers}, base)))
				if f.Introduced == nil || f.Introduced.Commit != ids[c.introduced] || f.Introduced.Path != c.path {
					t.Errorf("introduced %+v, want commit %d at %q", f.Introduced, c.introduced, c.path)
				}
				if f.Direction != c.want || !strings.Contains(f.DirectionReason, c.note) {
					t.Errorf("%s, want %s: %s", f.Direction, c.want, f.DirectionReason)
				}
			}
		})
	}
	t.Run("after the release", func(t *testing.T) {
		r := newRepository(t)
		first := r.commit(files{"early/y.go": text})
		r.commit(files{"early/y.go": gone, "old/x.go": text})
		r.now = date("2022-01-10")
		r.commit(drop(files{"old/x.go": text}))
		r.commit(files{"new/x.go": edited})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Direction != finding.DirectionUnknown || f.Introduced == nil || f.Introduced.Commit != first || f.Introduced.Path != "early/y.go" {
			t.Errorf("%s, introduced %+v: %s", f.Direction, f.Introduced, f.DirectionReason)
		}
	})
	t.Run("after the release, with older commits damaged", func(t *testing.T) { // they need not be read
		r := newRepository(t)
		r.commit(files{"other/z.go": head + own("a")})
		tree := r.git("rev-parse", "HEAD:other")
		r.commit(files{"other/z.go": head + own("c")})
		first := r.commit(files{"old/x.go": text})
		r.now = date("2022-01-10")
		r.commit(drop(files{"old/x.go": text}))
		r.commit(files{"new/x.go": edited})
		if err := os.Remove(filepath.Join(r.dir, ".git", "objects", tree[:2], tree[2:])); err != nil {
			t.Fatal(err)
		}
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Direction != finding.DirectionUnknown || f.Introduced == nil || f.Introduced.Commit != first {
			t.Errorf("%s, introduced %+v: %s", f.Direction, f.Introduced, f.DirectionReason)
		}
	})
	t.Run("after the release, and before a version without it", func(t *testing.T) {
		base := based(t, pack{purl: "pkg:generic/l@0.9.0", released: "2022-01-05", files: stdFiles(t, copied[2].file)},
			pack{purl: "pkg:generic/l@1.0.0", released: "2022-01-10", files: stdFiles(t, copied[0].file)})
		r := newRepository(t)
		first := r.commit(files{"early/x.go": text})
		r.commit(drop(files{"early/x.go": text}))
		r.now = date("2022-01-05")
		r.commit(files{"old/x.go": head + own("c") + trie.text})
		r.now = date("2022-02-10")
		r.commit(files{"old/x.go": gone})
		r.commit(files{"new/x.go": edited})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Direction != finding.DirectionTo || f.Introduced == nil || f.Introduced.Commit != first {
			t.Errorf("%s, introduced %+v: %s", f.Direction, f.Introduced, f.DirectionReason)
		}
	})
	t.Run("not committed yet", func(t *testing.T) {
		r := newRepository(t)
		first := r.commit(files{"old/x.go": text})
		r.commit(drop(files{"old/x.go": text}))
		r.put(files{"new/x.go": edited})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Direction != finding.DirectionUnknown || f.Introduced == nil || f.Introduced.Commit != first {
			t.Errorf("%s, introduced %+v: %s", f.Direction, f.Introduced, f.DirectionReason)
		}
	})
	t.Run("by a clock that runs ahead", func(t *testing.T) {
		r := newRepository(t)
		now := r.now
		r.now = date("2023-05-01")
		first := r.commit(files{"old/x.go": text})
		r.now = now
		r.commit(drop(files{"old/x.go": text}))
		r.now = date("2022-01-10")
		r.commit(files{"new/x.go": edited})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Direction == finding.DirectionFrom || f.Introduced == nil || f.Introduced.Commit != first {
			t.Errorf("%s, introduced %+v: %s", f.Direction, f.Introduced, f.DirectionReason)
		}
	})
	t.Run("after a branch", func(t *testing.T) {
		r := newRepository(t)
		r.commit(files{"a.go": head + own("a")})
		r.git("checkout", "-q", "-b", "side")
		first := r.commit(files{"early/x.go": text})
		r.commit(files{"early/x.go": gone, "old/x.go": edited})
		r.commit(files{"old/x.go": gone})
		r.git("checkout", "-q", "main")
		r.commit(files{"b.go": head + own("b")})
		r.git("merge", "-q", "--no-ff", "-m", "merge", "side")
		r.now = date("2022-01-10")
		r.commit(files{"new/x.go": edited})
		if f := one(t, r.tree(scan(t, scanner.Options{}, base))); f.Introduced == nil || f.Introduced.Commit != first {
			t.Errorf("%s, introduced %+v: %s", f.Direction, f.Introduced, f.DirectionReason)
		}
	})
}

// TestCameBackBeforeRange: a region that an earlier commit had accuses nobody in a scan of the commits after it.
func TestCameBackBeforeRange(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	text, edited := head+own("a")+trie.text, head+own("b")+trie.text
	s := scan(t, scanner.Options{}, based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: "2022-01-05", files: stdFiles(t, copied[0].file)}))
	for name, c := range map[string]struct {
		before, after files
		want          string
	}{
		"same name":  {files{"old/x.go": text}, files{"new/x.go": edited}, finding.DirectionUnknown},
		"other name": {files{"old/x.go": text}, files{"new/y.go": text}, finding.DirectionUnknown},
		"same path":  {files{"x.go": text}, files{"x.go": edited}, finding.DirectionUnknown},
		"new":        {files{"old/x.go": head + own("b")}, files{"new/x.go": text}, finding.DirectionFrom},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			first, drop := r.commit(c.before), files{"b.go": head + own("b")}
			for path := range c.before {
				drop[path] = gone
			}
			r.commit(drop)
			r.now = date("2022-01-10")
			last := r.commit(c.after)
			f := one(t, r.history(s, "HEAD~1..HEAD"))
			if c.want != finding.DirectionFrom {
				last = first
			}
			if f.Direction != c.want || f.Introduced == nil || f.Introduced.Commit != last {
				t.Errorf("%s, introduced %+v: %s", f.Direction, f.Introduced, f.DirectionReason)
			}
			left := files{"c.go": head + own("c")}
			for path := range c.after {
				left[path] = gone
			}
			r.commit(left)
			if f := one(t, r.history(s, "HEAD~2..HEAD")); f.Direction != finding.DirectionUnknown || !strings.Contains(f.DirectionReason, "before the range were not searched") {
				t.Errorf("after it left: %s: %s", f.Direction, f.DirectionReason)
			}
			if f := one(t, r.history(s, "")); f.Direction != c.want || f.Introduced == nil || f.Introduced.Commit != last {
				t.Errorf("whole history: %s, introduced %+v: %s", f.Direction, f.Introduced, f.DirectionReason)
			}
		})
	}
}

// TestCameBackShallow: the commit in which a file had the region before is missing from a shallow clone. No scan of it accuses anybody.
func TestCameBackShallow(t *testing.T) {
	text := head + own("a") + function(t, std(t, copied[0].file), copied[0].head).text
	s := scan(t, scanner.Options{}, based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: "2022-01-05", files: stdFiles(t, copied[0].file)}))
	r := newRepository(t)
	r.commit(files{"old/x.go": text})
	r.now = date("2022-01-10")
	r.commit(files{"old/x.go": gone, "b.go": head + own("b")})
	r.commit(files{"new/x.go": text})
	shallow := &repository{t: t, dir: filepath.Join(t.TempDir(), "clone"), now: r.now}
	r.git("clone", "-q", "--depth=2", "file://"+filepath.ToSlash(r.dir), shallow.dir)
	check := func(name string, rep *finding.Report) {
		t.Helper()
		if f := one(t, rep); f.Direction != finding.DirectionUnknown || !strings.Contains(f.DirectionReason, "the clone is shallow") {
			t.Errorf("%s: %s: %s", name, f.Direction, f.DirectionReason)
		}
	}
	check("tree", shallow.tree(s))
	check("diff", shallow.diff(s, "HEAD~1..HEAD"))
	check("history", shallow.history(s, ""))
	check("range", shallow.history(s, "HEAD~1..HEAD"))
	shallow.git("reset", "-q", "--soft", "HEAD~1")
	check("staged", shallow.staged(s))
}

// TestMovedToTypeScript: a file that becomes TypeScript keeps its history.
func TestMovedToTypeScript(t *testing.T) {
	const body = "function reorder(queue, weights, limit) {\n\tconst ranked = [];\n\tfor (const entry of queue) {\n\t\tconst weight = weights.get(entry.name) ?? limit;\n" +
		"\t\tif (weight > limit) { ranked.unshift({entry, weight}); } else { ranked.push({entry, weight: weight * 2}); }\n\t}\n" +
		"\tranked.sort((left, right) => right.weight - left.weight || left.entry.name.localeCompare(right.entry.name));\n\treturn ranked.map(({entry}) => entry);\n}\n"
	typed := strings.Replace(body, "(queue, weights, limit)", "(queue: Entry[], weights: Map<string, number>, limit: number): Entry[]", 1)
	base := based(t, pack{purl: "pkg:npm/queue-order@1.0.0", released: "2022-01-05", files: files{"index.js": body}})
	r := newRepository(t)
	first := r.commit(files{"src/order.js": body, "src/other.js": "export const answer = 42;\n"})
	r.now = date("2022-01-10")
	r.commit(files{"src/order.js": gone, "src/sorting.ts": typed})
	f := one(t, r.tree(scan(t, scanner.Options{}, base)))
	if f.Introduced == nil || f.Introduced.Commit != first || f.Introduced.Path != "src/order.js" || f.Direction == finding.DirectionFrom {
		t.Errorf("introduced %+v, %s: %s", f.Introduced, f.Direction, f.DirectionReason)
	}
}

// TestGrew: a region of which the target had half before the origin did, and most only after that, accuses nobody.
func TestGrew(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	lines := strings.SplitAfter(trie.text, "\n")
	base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: "2022-01-05", files: stdFiles(t, copied[0].file)})
	for share, want := range map[float64]string{0.2: finding.DirectionFrom, 0.5: finding.DirectionUnknown} {
		r := newRepository(t)
		begin := r.now.Add(24 * time.Hour).Format(time.DateOnly)
		r.commit(files{"x.go": head + strings.Join(lines[:int(float64(len(lines))*share)], "")})
		r.now = date("2022-01-10")
		last := r.commit(files{"x.go": head + trie.text})
		f := one(t, r.tree(scan(t, scanner.Options{}, base)))
		if f.Direction != want || f.Introduced.Commit != last {
			t.Errorf("%v of it before: %s, %s, %+v", share, f.Direction, f.DirectionReason, f.Introduced)
		}
		if half := "half of it since " + begin; strings.Contains(f.DirectionReason, half) != (want == finding.DirectionUnknown) || strings.Contains(f.DirectionReason, "another file") {
			t.Errorf("%v of it before: %s", share, f.DirectionReason)
		}
	}
}

// TestGrewUnderAWrongClock: if the commit with the first half has no date, the reason says so, and blames no other file.
func TestGrewUnderAWrongClock(t *testing.T) {
	trie := function(t, std(t, copied[0].file), copied[0].head)
	lines := strings.SplitAfter(trie.text, "\n")
	base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: "2022-01-05", files: stdFiles(t, copied[0].file)})
	for clock, want := range map[string]string{"2016-01-01": "half of it since an earlier commit whose clock was wrong", "1970-01-01": "its file had half of it before, at a time that is not certain"} {
		r := newRepository(t)
		r.commit(files{"y.go": head + own("y")})
		r.now = date(clock)
		r.commit(files{"x.go": head + strings.Join(lines[:len(lines)/2], "")})
		r.now = date("2022-01-10")
		r.commit(files{"x.go": head + trie.text})
		f := one(t, r.tree(scan(t, scanner.Options{}, base)))
		if f.Direction != finding.DirectionUnknown || !strings.Contains(f.DirectionReason, want) || strings.Contains(f.DirectionReason, "another file") {
			t.Errorf("%s: %s: %s, want %q", clock, f.Direction, f.DirectionReason, want)
		}
	}
}

// TestGrewByOtherNames: the half that came first counts also if it lacks the names of the other half, so that it cannot be most of the
// region.
func TestGrewByOtherNames(t *testing.T) {
	lines := strings.SplitAfter(registers("alpha")+registers("omega"), "\n")
	text := strings.Join(lines, "")
	base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: "2022-01-05", files: files{"l.go": head + "func record(machine *machine) {\n" + text + "}\n"}})
	for n, want := range map[int]string{len(lines) / 4: finding.DirectionFrom, len(lines) * 11 / 20: finding.DirectionUnknown} {
		r := newRepository(t)
		r.commit(files{"x.go": head + "func record(machine *machine) {\n" + strings.Join(lines[:n], "") + "}\n"})
		r.now = date("2022-01-10")
		last := r.commit(files{"x.go": head + "func record(machine *machine) {\n" + text + "}\n"})
		f := one(t, r.tree(scan(t, scanner.Options{}, base)))
		if f.Direction != want || f.Introduced.Commit != last {
			t.Errorf("%d lines of it before: %s, %s, %+v", n, f.Direction, f.DirectionReason, f.Introduced)
		}
	}
}

// registers returns lines whose names are in no other line.
func registers(stem string) (out string) {
	for i := range 10 {
		out += fmt.Sprintf("\tmachine.%[1]sRegister%[2]d = shift%[1]s%[2]d(machine.%[1]sCounter%[2]d, offset%[1]s%[2]d+limit%[1]s%[2]d) | mask%[1]s%[2]d\n", stem, i)
	}
	return out
}

// TestOtherLiterals: if a region's literals differ from the origin's, their last change is not the date of the region.
func TestOtherLiterals(t *testing.T) {
	fields := []string{"RootlessMounts", "OomScoreBias", "ReadonlyRegions", "MaskedRegions", "SeccompFilter", "RlimitTable", "CgroupParent", "IntelBandwidth", "UserMapping", "GroupMapping", "NoNewKeyrings", "HookScripts"}
	record := func(tag func(name string) string) string {
		out := head + "// Limits is what a container may use.\ntype Limits struct {\n"
		for i, name := range fields {
			out += fmt.Sprintf("\t%s []*%sEntry `json:\"%s\"`\n", name, fields[(i+5)%len(fields)], tag(name))
		}
		return out + "}\n"
	}
	base := based(t, pack{purl: "pkg:golang/example.com/l@v1.0.0", released: "2022-01-05", files: files{"limits.go": record(strings.ToUpper)}})
	r := newRepository(t)
	r.commit(files{"x.go": record(strings.ToLower)})
	r.now = date("2022-01-10")
	r.commit(files{"x.go": record(func(name string) string { return strings.ToLower(name) + ",omitempty" })})
	f := one(t, r.tree(scan(t, scanner.Options{}, base)))
	if f.Direction == finding.DirectionFrom {
		t.Errorf("%s: %+v", f.DirectionReason, f.Introduced)
	}
}

// TestOtherDeclarations: a tool that replaces var by const makes no code new.
func TestOtherDeclarations(t *testing.T) {
	names := []string{"rudder", "keelson", "binnacle", "capstan", "fairlead", "gunwale", "halyard", "jackstay", "lazarette", "mizzen", "orlop", "parrel"}
	code := func(word string) string {
		var b strings.Builder
		b.WriteString("export function fitOut (vessel, yard) {\n")
		for i, name := range names {
			fmt.Fprintf(&b, "  %s %s = yard.%s.%s\n", word, name, names[(i+5)%len(names)], names[(i+11)%len(names)])
		}
		return b.String() + "}\n"
	}
	base := based(t, pack{purl: "pkg:npm/fitter@1.0.0", released: "2022-01-05", files: files{"fit.js": code("const")}})
	r := newRepository(t)
	r.commit(files{"x.js": code("var")})
	r.now = date("2022-01-10")
	r.commit(files{"x.js": code("const")})
	f := one(t, r.tree(scan(t, scanner.Options{}, base)))
	if f.Direction == finding.DirectionFrom || f.Introduced == nil || !f.Introduced.Time.Before(date("2022-01-05")) {
		t.Errorf("%s: %s: %+v", f.Direction, f.DirectionReason, f.Introduced)
	}
}

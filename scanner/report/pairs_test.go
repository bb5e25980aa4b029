package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// hostilePairs is a result whose every text was chosen by a stranger.
func hostilePairs() *similar.Result {
	const name = "=<script>alert(1)</script>\x1b[31m\u202e"
	m := similar.Match{Tokens: 40, CloneType: 2, Identifiers: finding.Names{Total: 3, Unchanged: 1},
		Runs:    []finding.Run{{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 12, OriginStartLine: 7, OriginStartColumn: 1, OriginEndLine: 7, OriginEndColumn: 12, Tokens: 40}},
		Renames: []finding.Rename{{Origin: "b", Target: "a", Count: 2}},
		Text:    &finding.Sides{Target: finding.Excerpt{StartLine: 1, Lines: []string{"a = </style>"}}, Origin: finding.Excerpt{StartLine: 7, Lines: []string{"b = </style>"}}}}
	return &similar.Result{
		Schema: similar.Schema, Parameters: similar.Parameters{K: 20, W: 12, MinTokens: 31},
		Units: []similar.Unit{{Name: name, Files: 1, Tokens: 50}, {Name: "b", Files: 2, Tokens: 80}},
		Pairs: []similar.UnitPair{{A: name, B: "b", ShareA: 0.8, ShareB: 0.5, SharedA: 40, SharedB: 40, Files: []similar.Pair{
			{A: similar.Side{Path: name, Tokens: 50, Shared: 40}, B: similar.Side{Path: "x", Tokens: 40, Shared: 40}, Tokens: 40, Matches: []similar.Match{m, {Tokens: 31}}},
			{A: similar.Side{Path: name}, B: similar.Side{Path: "y"}, Tokens: 31, Equal: true}}}},
		Groups:       []similar.Group{{Units: []string{name, "b"}, Least: 0.8}},
		Distribution: []int{300, 0, 7, 0, 0, 0, 0, 0, 1, 0},
		Ledger:       []finding.Entry{{Path: name, Reason: "too-short", Detail: name}},
	}
}

func TestPairsOfStrangersAreEscaped(t *testing.T) {
	for _, format := range []string{"text", "json", "csv", "html"} {
		var b bytes.Buffer
		if err := report.Pairs(&b, hostilePairs(), format, text.Options{Verbose: true}); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		if strings.ContainsAny(out, "\x1b\u202e") || format == "html" && strings.Count(out, "<script") != 1 || strings.Count(out, "</style>") > 1 && format == "html" {
			t.Errorf("%s lets a stranger's text through:\n%s", format, out)
		}
		if format == "csv" {
			rows, err := csv.NewReader(&b).ReadAll()
			if err != nil || len(rows) != 2 || !strings.HasPrefix(rows[1][0], "'=") {
				t.Errorf("%v: %v", err, rows)
			}
		}
		if format == "json" && !json.Valid(b.Bytes()) {
			t.Errorf("no JSON:\n%s", out)
		}
	}
}

func TestPairsPageShowsBothSides(t *testing.T) {
	var b bytes.Buffer
	if err := report.Pairs(&b, hostilePairs(), "html", text.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<td class="no hit">1</td>`, `<td class="no hit">7</td>`, // both sides, marked
		`<span class="name r0" data-n="1">a</span>`, `<span class="name r0" data-n="1">b</span>`,
		`<td class="num" data-v="0.8">80%</td>`, `1-1 = 7-7, 40 tokens, same structure, names changed (type 2), 1 of 3 name occurrences unchanged`, `31 tokens, same content`, `Every match of 31 tokens`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestSubmissionsWithoutCode: submissions without comparable code are named, not only
// absent from the pairs.
func TestSubmissionsWithoutCode(t *testing.T) {
	r := &similar.Result{Units: []similar.Unit{{Name: "ann", Files: 1, Tokens: 40}, {Name: "bob", Files: 2}, {Name: "eve"}, {Name: "dan", Files: 1, Tokens: 9}},
		Groups: []similar.Group{{Units: []string{"ann", "dan"}, Least: 0.75}},
		Ledger: []finding.Entry{{Path: "bob/b.zip/x.java", Reason: "base-code"}, {Path: "bob/a.pdf", Reason: "binary"}, {Path: "bob/b.zip", Reason: "base-code"}, {Path: "dan/a.pdf", Reason: "binary"}, {Path: "eveline/a.pdf", Reason: "empty"}}}
	for format, want := range map[string][]string{
		"text": {"2 of 4 units have no code that can be compared:\n    bob: base-code, no text (such as a PDF or a Word document)\n    eve\n", "group 1: 2 units, each shares at least 75% with another\n"},
		"html": {"2 of 4 units have no code that can be compared:", "<li><bdi>bob</bdi>: base-code, no text (such as a PDF or a Word document)</li><li><bdi>eve</bdi></li>", "each shares at least 75% with another"},
	} {
		var b bytes.Buffer
		if err := report.Pairs(&b, r, format, text.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s lacks %q:\n%s", format, w, b.String())
			}
		}
	}
	r.Units = []similar.Unit{{Name: "a.go", Files: 1, Tokens: 40}, {Name: "imports.go", Files: 1}}
	if got := r.Empty(); len(got) > 0 {
		t.Errorf("files that the ledger lists are named too: %v", got)
	}
}

// TestLongLists: the text names the first pairs and groups, and counts the others. The page says which pairs of files have no source.
func TestLongLists(t *testing.T) {
	r := hostilePairs()
	for range 110 {
		r.Pairs, r.Groups = append(r.Pairs, r.Pairs[0]), append(r.Groups, r.Groups[0])
	}
	for verbose, want := range map[bool]int{false: 100, true: 111} {
		var b bytes.Buffer
		if err := report.Pairs(&b, r, "text", text.Options{Verbose: verbose}); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		if strings.Count(out, "  and  ") != want || strings.Count(out, "\ngroup ") != want ||
			strings.Contains(out, "+11 more pairs; --verbose lists them\n") == verbose || strings.Contains(out, "+11 more groups; --verbose lists them\n") == verbose {
			t.Errorf("verbose %v:\n%s", verbose, out)
		}
	}
	f := &r.Pairs[0].Files[1]
	f.Equal, f.Matches = false, []similar.Match{{Tokens: 31}}
	var b bytes.Buffer
	if err := report.Pairs(&b, r, "html", text.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "The page holds the source of 1 of 2 pairs of files; compare shows that of any two files."; !strings.Contains(b.String(), want) {
		t.Errorf("the page lacks %q", want)
	}
}

func TestEmptyPairs(t *testing.T) {
	for _, format := range []string{"text", "json", "csv", "html"} {
		var b bytes.Buffer
		if err := report.Pairs(&b, &similar.Result{}, format, text.Options{}); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v, %q", format, err, b.String())
		}
		if format == "html" {
			continue
		}
		if err := report.Clusters(&b, &similar.Clusters{}, format, text.Options{}); err != nil {
			t.Error(err)
		}
	}
}

// The other lists beside pairs are in the page and in the CSV, escaped. The page's one script is the one that its
// policy names.
func TestSetsAndExactMatchesAreShown(t *testing.T) {
	r := hostilePairs()
	at := similar.Stretch{Path: r.Units[0].Name, StartLine: 1234, EndLine: 1250}
	r.Common = []similar.Common{{Units: []string{r.Units[0].Name, "b", "c"}, Tokens: 40, Code: []similar.Stretch{at}}}
	r.Maximal = &similar.Maximal{Matches: []similar.Shared{{A: at, B: at, Tokens: 47}}}
	r.Parameterized = &similar.Parameterized{Matches: []similar.Renaming{{Shared: similar.Shared{A: at, B: at, Tokens: 48}, Renamed: 2}}, Whole: true}
	for format, want := range map[string][]string{
		"html": {"3 units", "Maximal runs", "Parameterized matches", "1234-1250", ">47<", ">48<", `data-rank="80.0"`, `id="least"`, "too repetitive"},
		"csv":  {"\nset,units,", "\nmaximal run,tokens,", "\n1,47,", "\nparameterized match,tokens,", "\n1,48,", ",1234,1250,2\n"},
	} {
		var b bytes.Buffer
		if err := report.Pairs(&b, r, format, text.Options{}); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s lacks %q:\n%s", format, w, out)
			}
		}
		if strings.ContainsAny(out, "\x1b\u202e") || format == "html" && strings.Count(out, "<script") != 1 {
			t.Errorf("%s lets a stranger's text through:\n%s", format, out)
		}
		if format != "html" {
			continue
		}
		_, script, _ := strings.Cut(out, "<script>")
		script, _, _ = strings.Cut(script, "</script>")
		sum := sha256.Sum256([]byte(script))
		if !strings.Contains(out, "script-src &#39;sha256-"+base64.StdEncoding.EncodeToString(sum[:])) && !strings.Contains(html.UnescapeString(out), "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])) {
			t.Error("the policy does not name the script of the page")
		}
	}
}

// A lecturer reads who is A and who B above the code, what a column means, and no column
// of nothing.
func TestPairsPageNamesItsSides(t *testing.T) {
	page := func(r *similar.Result) string {
		var b strings.Builder
		if err := report.Pairs(&b, r, "html", text.Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	match := similar.Match{Tokens: 40, CloneType: 1, Runs: []finding.Run{{Tokens: 40, StartLine: 1, EndLine: 1, StartColumn: 1, EndColumn: 5, OriginStartLine: 1, OriginEndLine: 1, OriginStartColumn: 1, OriginEndColumn: 5}},
		Text: &finding.Sides{Target: finding.Excerpt{StartLine: 1, Lines: []string{"code"}}, Origin: finding.Excerpt{StartLine: 1, Lines: []string{"code"}}}}
	r := &similar.Result{Units: []similar.Unit{{Name: "Ann"}, {Name: "Bob"}}, Groups: []similar.Group{{Units: []string{"Ann", "Bob"}, Least: 1}}, Pairs: []similar.UnitPair{{A: "Ann", B: "Bob", SharedA: 40, SharedB: 40, ShareA: 1, ShareB: 1,
		Files: []similar.Pair{{A: similar.Side{Path: "a.go"}, B: similar.Side{Path: "b.go"}, Tokens: 40, Matches: []similar.Match{match}}, {A: similar.Side{Path: "c.go"}, B: similar.Side{Path: "d.go"}, Tokens: 50, Equal: true}}}}}
	files := page(r)
	for _, want := range []string{`A <bdi>Ann</bdi></th>`, `B <bdi>Bob</bdi></th>`, `<details class="reason" open>`, `<p><b><bdi>c.go</bdi> and <bdi>d.go</bdi></b>`, `<a href="#r1">Back to the list</a>`} {
		if !strings.Contains(files, want) {
			t.Errorf("no %s", want)
		}
	}
	alone := 3
	r.Parameters.Sort, r.Pairs[0].Similarity, r.Pairs[0].Alone = similar.BySimilarity, 0.9, &alone
	submissions := page(r)
	for _, column := range []string{">Similarity</th>", ">Alone</th>", "Similarity compares", "Alone are the tokens"} {
		if strings.Contains(files, column) || !strings.Contains(submissions, column) {
			t.Errorf("%s: %v of files, %v of submissions", column, strings.Contains(files, column), strings.Contains(submissions, column))
		}
	}
}

// TestPairsInAnotherOrder: pairs that were ranked by similarity and are filtered again by tokens say what orders them, and what links
// the units of a group.
func TestPairsInAnotherOrder(t *testing.T) {
	saved := similar.Result{Parameters: similar.Parameters{Sort: similar.BySimilarity, MinTokens: 31}, Units: []similar.Unit{{Name: "ann"}, {Name: "bob"}},
		Pairs: []similar.UnitPair{{A: "ann", B: "bob", SharedA: 40, SharedB: 40, ShareA: 0.6, ShareB: 0.6, Similarity: 0.9}}}
	for _, format := range []string{"text", "html"} {
		for sort, want := range map[string]string{similar.BySimilarity: "is at least 90% like another", similar.ByTokens: "shares at least 60% with another"} {
			r, b := saved, strings.Builder{}
			r.Pairs = slices.Clone(saved.Pairs)
			r.Filter(similar.Filter{Sort: sort, Tokens: 1, Group: 0.5})
			if err := report.Pairs(&b, &r, format, text.Options{}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s by %s does not say %q", format, sort, want)
			}
			if format == "html" && strings.Contains(b.String(), "orders the pairs") != (sort == similar.BySimilarity) {
				t.Errorf("by %s the page says wrongly what orders the pairs", sort)
			}
		}
	}
}

// The page leads from a group to the pairs in it, and from a pair to its neighbours in the list.
func TestPairsPageLeadsOn(t *testing.T) {
	r := &similar.Result{Parameters: similar.Parameters{MinTokens: 31}, Groups: []similar.Group{{Units: []string{"ann", "bob", "eve"}, Least: 0.7}},
		Pairs: []similar.UnitPair{{A: "ann", B: "bob", ShareA: 0.9, ShareB: 0.9}, {A: "ann", B: "dan", ShareA: 0.3, ShareB: 0.3}, {A: "bob", B: "eve", ShareA: 0.7, ShareB: 0.6}}}
	for range 60 {
		r.Pairs = append(r.Pairs, similar.UnitPair{A: "ann", B: "eve", ShareA: 0.5, ShareB: 0.5})
	}
	var b bytes.Buffer
	if err := report.Pairs(&b, r, "html", text.Options{}); err != nil {
		t.Fatal(err)
	}
	_, groups, _ := strings.Cut(b.String(), `<section id="groups"`)
	groups, _, _ = strings.Cut(groups, "</section>")
	if n := strings.Count(groups, `<a href="#p`); n != 40 || !strings.Contains(groups, `<a href="#p1" data-n="1"><bdi>ann</bdi> and <bdi>bob</bdi></a>`) || strings.Contains(groups, "dan") || !strings.Contains(groups, "22 pairs more in the list") {
		t.Errorf("%d pairs in the group:\n%s", n, groups)
	}
	for id, want := range map[string][2]bool{"p1": {false, true}, "p2": {true, true}, "p63": {true, false}} {
		_, pair, _ := strings.Cut(b.String(), `<section id="`+id+`"`)
		pair, _, _ = strings.Cut(pair, "</section>")
		if got := [2]bool{strings.Contains(pair, "Pair before"), strings.Contains(pair, "Next pair")}; got != want {
			t.Errorf("%s: neighbours %v, want %v", id, got, want)
		}
	}
}

// TestPairsWithoutMatch: the page has the files of a pair that is similar without a match, and says if it has not all of them. The
// text says that there is no run.
func TestPairsWithoutMatch(t *testing.T) {
	text3 := func(lines ...string) finding.Excerpt { return finding.Excerpt{StartLine: 1, Lines: lines} }
	cut := text3("y = 2")
	cut.Truncated = true
	r := &similar.Result{Parameters: similar.Parameters{MinTokens: 31, Sort: similar.BySimilarity}, Units: []similar.Unit{{Name: "ann", Files: 2, Tokens: 9}, {Name: "bob", Files: 1, Tokens: 9}},
		Distribution: []int{2400, 12, 0, 0, 0, 0, 1, 0, 0, 0},
		Pairs: []similar.UnitPair{{A: "ann", B: "bob", Similarity: 0.66, Beside: []similar.Beside{
			{A: "a.py", B: "b.py", Text: finding.Sides{Target: text3("x = <1>"), Origin: text3("print(0)", "x = 1")}}, {A: "rest.py", Text: finding.Sides{Target: cut, Origin: text3()}}}}}}
	for format, want := range map[string][]string{
		"text": {"    share    no run of 31 tokens is in both\n", "2,413 compared pairs by similarity: 2,400 at 0% to 10%, 12 at 10% to 20%, 1 at 60% to 70%\n"},
		"html": {"No run of 31 tokens is in both; structure and values are alike.", "<summary><bdi>a.py</bdi> and <bdi>b.py</bdi>", "<bdi>rest.py</bdi> and <bdi>no file</bdi>", "x = &lt;1&gt;</td>", "print(0)</td>",
			"The files go on; the page holds no more of them.", "How similar 2,413 compared pairs are", `<rect width="10" height="100" y="0"/></svg>2,400</td>`, `<rect width="10" height="1" y="99"/></svg>12</td>`, `<rect width="10" height="0" y="100"/></svg>0</td>`},
	} {
		var b strings.Builder
		if err := report.Pairs(&b, r, format, text.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s lacks %q:\n%s", format, w, b.String())
			}
		}
	}
}

// TestOneFileOfSubmissionsIsNamed: if two submissions share code of one file each, the text names the files, unless a submission is
// that file.
func TestOneFileOfSubmissionsIsNamed(t *testing.T) {
	match := similar.Match{Tokens: 40, CloneType: 1, Runs: []finding.Run{{Tokens: 40, StartLine: 1, EndLine: 9, OriginStartLine: 2, OriginEndLine: 8}}}
	for _, c := range []struct {
		a, b, fileA, fileB string
		named              bool
	}{
		{"class/ann", "class/bob", "src/a.c", "b.c", true},
		{"class/ann", "class/bob.c", "src/a.c", "bob.c", true},
		{"class/ann.c", "class/bob.c", "ann.c", "bob.c", false},
		{"old/a.c", "new/a.c", "old/a.c", "new/a.c", false},
	} {
		r := &similar.Result{Units: []similar.Unit{{Name: c.a, Files: 1}, {Name: c.b, Files: 1}}, Pairs: []similar.UnitPair{{A: c.a, B: c.b, SharedA: 40, SharedB: 40,
			Files: []similar.Pair{{A: similar.Side{Path: c.fileA}, B: similar.Side{Path: c.fileB}, Tokens: 40, Others: 2, Matches: []similar.Match{match}}}}}}
		var b strings.Builder
		if err := report.Pairs(&b, r, "text", text.Options{}); err != nil {
			t.Fatal(err)
		}
		if line := "    files    " + c.fileA + " and " + c.fileB + ", on average also in 2 other units\n"; strings.Contains(b.String(), line) != c.named {
			t.Errorf("%s and %s, named: %v\n%s", c.a, c.b, !c.named, b.String())
		}
	}
}

// Exact matches may be thousands, so the text lists the first ones.
func TestExactMatchesAreListedUpTo20(t *testing.T) {
	at := similar.Stretch{Path: "a.go", StartLine: 1, EndLine: 2}
	r := &similar.Result{Schema: similar.Schema, Units: []similar.Unit{{Name: "a"}, {Name: "b"}}, Sets: &similar.Sets{A: 1, B: 1},
		Parameterized: &similar.Parameterized{Whole: true, Matches: slices.Repeat([]similar.Renaming{{Shared: similar.Shared{A: at, B: at, Tokens: 31}}}, 23)},
		Maximal:       &similar.Maximal{Whole: true, Matches: slices.Repeat([]similar.Shared{{A: at, B: at, Tokens: 31}}, 22)}}
	for verbose, want := range map[bool][]int{false: {40, 2}, true: {45, 0}} {
		var b strings.Builder
		if err := report.Pairs(&b, r, "text", text.Options{Verbose: verbose}); err != nil {
			t.Fatal(err)
		}
		got := []int{strings.Count(b.String(), "a.go:1-2 = a.go:1-2"), strings.Count(b.String(), "more; --verbose lists them")}
		if !slices.Equal(got, want) || !verbose && !strings.Contains(b.String(), "    +3 more; ") {
			t.Errorf("verbose %v: %v, want %v:\n%s", verbose, got, want, b.String())
		}
	}
}

// Of equal units it shows how much they have, since short ones are equal by chance.
func TestEqualUnitsTellTheirSize(t *testing.T) {
	alone := 12
	r := &similar.Result{Schema: similar.Schema, Parameters: similar.Parameters{MinTokens: 31}, Units: []similar.Unit{{Name: "a", Files: 1}, {Name: "b", Files: 1}, {Name: "c", Files: 2}},
		Pairs: []similar.UnitPair{{A: "a", B: "b", ShareA: 1, ShareB: 1, SharedA: 1015, SharedB: 1015, Equal: true, Alone: &alone, Files: []similar.Pair{{Equal: true}}}}}
	for format, want := range map[string]string{"text": "    equal: same content, 1,015 tokens, 12 of them in no third unit\n", "html": "Same content, 1,015 tokens, 12 of them in no third unit."} {
		var b strings.Builder
		if err := report.Pairs(&b, r, format, text.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s without %q:\n%s", format, want, b.String())
		}
	}
}

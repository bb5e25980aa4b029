package baseline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/maker"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// python returns a text of another language, long enough for a k-gram.
func python(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "def f%d(a, b):\n    return [x for x in range(a, b) if x %% %d == 0]\n\n", i, i+2)
	}
	return b.String()
}

// files returns the files of a baseline without its manifest, whose name counts changes.
func files(t *testing.T, dir string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(listing(t, dir))), func(n string) bool { _, is := generation.NumberOf(n); return is })
}

// After a change to one language, the documents of the others are still found. A refresh gives the same bytes as
// indexing everything again.
func TestOutdated(t *testing.T) {
	list, sorts := std(t, "container/list"), std(t, "sort")
	pkgs := []*source.Package{
		pkg(t, "pkg:golang/example.com/l@v1", list),
		pkg(t, "pkg:golang/example.com/m@v1", with(sorts, "gen.py", python(9))),
		pkg(t, "pkg:pypi/p@1", map[string]string{"p.py": python(4), "notes.sh": "a=1; " + strings.Repeat("echo $a | cat; ", 20)}),
	}
	later := pkg(t, "pkg:golang/example.com/n@v1", std(t, "container/ring"))
	fresh, dir := build(t, append(pkgs, later)), build(t, pkgs[:1], pkgs[1:])
	if err := baselinetest.Outdate(dir, "go"); err != nil {
		t.Fatal(err)
	}
	b := open1(t, dir)
	in, err := b.Info()
	want := []Outdated{{Language: "go", Documents: in.Documents - 3}} // two of Python and one of Bash
	if err != nil || !slices.Equal(in.Outdated, want) {
		t.Errorf("outdated: %v, %v, want %v", in.Outdated, err, want)
	}
	verify(t, dir)
	if got := found(t, b, list["list.go"]); len(got) > 0 {
		t.Errorf("outdated tokens are found: %v", got)
	}
	wantTokens(t, b, list["list.go"])
	w := writer(t, dir)
	add(t, w, later)
	got, err := w.Refresh(context.Background())
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("refreshed %v, %v, want %v", got, err, want)
	}
	if again, err := w.Refresh(context.Background()); again != nil || err != nil {
		t.Errorf("refreshed twice: %v, %v", again, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	verify(t, dir)
	if got, want := files(t, dir), files(t, fresh); !slices.Equal(got, want) {
		t.Errorf("refreshed files %v, those of a fresh baseline %v", got, want)
	}
	if len(found(t, open1(t, dir), list["list.go"])) == 0 {
		t.Error("after the refresh nothing is found")
	}
}

// wantTokens checks that a document's tokens are those that this program makes.
func wantTokens(t *testing.T, b *Baseline, text string) {
	t.Helper()
	d, ok, err := b.Find(store.Sum([]byte(text)))
	if err != nil || !ok {
		t.Fatalf("the document is gone: %v", err)
	}
	toks, lines, err := b.Tokens(d)
	if err != nil {
		t.Fatal(err)
	}
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(lang.ByName(d.Language), []byte(text))
	if err != nil || !slices.Equal(toks, s.Tokens) {
		t.Errorf("the tokens of an outdated document are not those of its text: %v", err)
	}
	index := lang.Lines([]byte(text))
	for i, tok := range toks {
		if int(lines[i]) != index.Line(tok.Start) {
			t.Fatalf("token %d is on line %d, want %d", i, lines[i], index.Line(tok.Start))
		}
	}
}

// While one language is outdated, the documents of the others are found. An automatic compaction refreshes too.
func TestOutdatedOthers(t *testing.T) {
	text := python(6)
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/m@v1", with(std(t, "container/list"), "gen.py", text))})
	if err := baselinetest.Outdate(dir, "go"); err != nil {
		t.Fatal(err)
	}
	if len(found(t, open1(t, dir), text)) == 0 {
		t.Error("Python is not found while Go is outdated")
	}
	w := writer(t, dir)
	defer w.Close()
	for i := 0; i == 0 || i < 64 && len(w.Baseline().segs) > 1; i++ {
		add(t, w, pkg(t, fmt.Sprintf("pkg:pypi/p%d@1", i), map[string]string{"p.py": python(7 + i)}))
	}
	if old, err := w.Baseline().Outdated(); len(old) > 0 || err != nil || len(w.Baseline().segs) != 1 {
		t.Errorf("after additions %d segments and outdated %v, %v", len(w.Baseline().segs), old, err)
	}
}

// A document may have had enough tokens for a k-gram by another grammar, but not by this one. Then its packages are as
// if it had been left out of them.
func TestOutdatedTooShort(t *testing.T) {
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))})
	w := writer(t, dir)
	text := []byte("package abcdefghijklmn\n")
	toks := make([]lang.Token, Defaults.K)
	for i := range toks {
		toks[i].Start, toks[i].End = uint32(i), uint32(i+1)
	}
	enc, err := store.NewEncoder()
	if err != nil {
		t.Fatal(err)
	}
	d := &built{Document: &maker.Document{Entry: enc.Entry(store.Content{Hash: store.Sum(text), Language: "go", Text: text, Tokens: toks, Lines: lang.Lines(text)})}}
	d.Scheme = "0.0@before"
	occs := []store.Occurrence{{Hash: d.Hash, Path: "a.go"}}
	e, err := w.writeSegment([]*built{d}, []Package{{PURL: "pkg:golang/example.com/s@v1", Files: 1, Digest: packageDigest(occs)}}, occs)
	if err != nil {
		t.Fatal(err)
	}
	m := w.man.Clone()
	m.Segments = append(m.Segments, e)
	if err := w.commit(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	pkgs, err := w.Baseline().Packages()
	if err != nil || len(pkgs) != 2 {
		t.Fatalf("%v, %v", pkgs, err)
	}
	if p := pkgs[1]; p.Files != 0 || p.Skipped[string(ReasonTooShort)] != 1 || p.Digest != packageDigest(nil) {
		t.Errorf("the package is %+v", p)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	verify(t, dir)
}

// A bare document has no text to tokenise. It stays outdated, and is reported as having no text.
func TestOutdatedBare(t *testing.T) {
	list := std(t, "container/list")
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", list)})
	bare := t.TempDir()
	w := writer(t, bare)
	if err := w.WithoutText(context.Background(), open1(t, dir), func([]byte) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := baselinetest.Outdate(bare, "go"); err != nil {
		t.Fatal(err)
	}
	b := open1(t, bare)
	in, err := b.Info()
	want := []Outdated{{Language: "go", Documents: in.Documents, Bare: in.Documents}}
	if err != nil || !slices.Equal(in.Outdated, want) {
		t.Errorf("outdated: %v, %v, want %v", in.Outdated, err, want)
	}
	w = writer(t, bare)
	defer w.Close()
	if got, err := w.Refresh(context.Background()); got != nil || err != nil || w.Baseline().Digest() != b.Digest() {
		t.Errorf("refreshed %v, %v", got, err)
	}
	add(t, w, pkg(t, "pkg:golang/example.com/s@v1", std(t, "sort")))
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	old, err := w.Baseline().Outdated()
	if err != nil || !slices.Equal(old, want) {
		t.Errorf("compacted: %v, %v, want %v", old, err, want)
	}
}

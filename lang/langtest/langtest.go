// Package langtest is the test kit of the front-ends. Every language has a sample of realistic code, and the kit checks
// on it what the later stages rely on. A new language adds a sample and a row in the table of syntaxes.
//
// Marks in the samples' comments give what the kit cannot know. Lines between "BEGIN imports" and "END imports" are
// import clauses. Lines marked "fragment" are a piece that people copy. In "verbatim" lines layout and comments matter.
package langtest

import (
	"embed"
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

//go:embed testdata
var testdata embed.FS

// Sample is a document of testdata.
type Sample struct {
	Name     string // of the file
	Language *lang.Language
	Source   []byte
}

// Samples returns one sample for each language and one for words, sorted by name. It fails the test if a sample is
// missing or has no language.
func Samples(t testing.TB) []Sample {
	t.Helper()
	entries, err := testdata.ReadDir("testdata")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	var out []Sample
	for _, e := range entries {
		s := Sample{Name: e.Name(), Language: lang.ByName(strings.TrimSuffix(e.Name(), path.Ext(e.Name())))}
		if s.Language == nil {
			t.Fatalf("%s stands for no language", e.Name())
		}
		if s.Source, err = testdata.ReadFile("testdata/" + e.Name()); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	for _, l := range append(lang.Languages(), lang.Words()) {
		if !slices.ContainsFunc(out, func(s Sample) bool { return s.Language == l }) {
			t.Fatalf("%s has no sample", l.Name)
		}
	}
	return out
}

// Run checks everything that the pipeline expects of a sample's front-end.
func Run(t *testing.T, s Sample) {
	k := newKit(t, s)
	for _, c := range []struct {
		name  string
		check func(*testing.T, *kit)
	}{
		{"detected", detected},
		{"positions", positions},
		{"covered", covered},
		{"classes", classes},
		{"imports", imports},
		{"deterministic", deterministic},
		{"renamed", renamed},
		{"reformatted", reformatted},
		{"fragment", fragment},
		{"broken", broken},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, k) })
	}
}

// kit is a sample, its stream and the syntax of its language.
type kit struct {
	Sample
	syntax
	tokens []lang.Token
	lines  []string // of the sample, with their ends
}

func newKit(t *testing.T, s Sample) *kit {
	syntax, ok := syntaxes[s.Language.Name]
	if !ok {
		t.Fatalf("%s has no row in the table of syntaxes", s.Language.Name)
	}
	stream := tokenize(t, s.Language, s.Source)
	if stream.Errors != 0 || len(stream.Tokens) < 100 {
		t.Fatalf("%s: %d tokens, %d syntax errors", s.Name, len(stream.Tokens), stream.Errors)
	}
	return &kit{s, syntax, stream.Tokens, strings.SplitAfter(string(s.Source), "\n")}
}

// tokenize returns a new stream; it must not fail.
func tokenize(t testing.TB, l *lang.Language, src []byte) lang.Stream {
	t.Helper()
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, err := z.Tokenize(l, src)
	if limit := (*lang.LimitError)(nil); errors.As(err, &limit) || err != nil {
		t.Fatalf("%s: %v", l.Name, err)
	}
	s.Tokens = slices.Clone(s.Tokens)
	return s
}

// text returns the source of a token.
func (k *kit) text(t lang.Token) string { return string(k.Source[t.Start:t.End]) }

// within returns the lines, 1-based, between the marks.
func (k *kit) within(mark string) map[int]bool {
	out, on := map[int]bool{}, false
	for i, line := range k.lines {
		switch {
		case strings.Contains(line, "BEGIN "+mark):
			on = true
		case strings.Contains(line, "END "+mark):
			on = false
		case on:
			out[i+1] = true
		}
	}
	return out
}

// Kinds returns the identities of a stream, which matching compares.
func Kinds(tokens []lang.Token) []uint32 {
	out := make([]uint32, len(tokens))
	for i, t := range tokens {
		out[i] = t.Kind
	}
	return out
}

// gap is the source between two tokens.
type gap struct{ start, end uint32 }

// gaps lists the source around n tokens as n+1 stretches.
func (k *kit) gaps() []gap {
	var out []gap
	at := uint32(0)
	for _, t := range k.tokens {
		out = append(out, gap{at, t.Start})
		at = t.End
	}
	return append(out, gap{at, uint32(len(k.Source))})
}

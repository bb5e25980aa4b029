package text

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/pairs"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/lang/langtest"
	"github.com/git-provenance/git-provenance/scanner/syntax/boilerplate"
	"github.com/git-provenance/git-provenance/scanner/syntax/contract"
	"github.com/git-provenance/git-provenance/scanner/syntax/declarations"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// TestWordSalad: whatever reads a text survives words of a language in any order. Strangers write the text, and a reader that looks at
// the words before or behind one meets the ends of the text.
func TestWordSalad(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 40
	}
	for _, s := range langtest.Samples(t) {
		t.Run(s.Language.Name, func(t *testing.T) {
			t.Parallel()
			z := lang.NewTokenizer(lang.Limits{})
			defer z.Close()
			st, err := z.Tokenize(s.Language, s.Source)
			if err != nil {
				t.Fatal(err)
			}
			words := make([][]byte, len(st.Tokens))
			for i, k := range st.Tokens {
				words[i] = s.Source[k.Start:k.End]
			}
			rnd := rand.New(rand.NewPCG(1, uint64(len(words))))
			for range rounds {
				readAll(t, z, s.Language, salad(rnd, words))
			}
		})
	}
}

// salad joins short runs of words.
func salad(rnd *rand.Rand, words [][]byte) []byte {
	var out bytes.Buffer
	for range 1 + rnd.IntN(24) {
		at := rnd.IntN(len(words))
		out.Write(bytes.Join(words[at:min(len(words), at+1+rnd.IntN(5))], []byte{' '}))
		out.WriteByte(" \n;"[rnd.IntN(3)])
	}
	return out.Bytes()
}

// readAll reads a text in every way in which a scan or an index reads it.
func readAll(t *testing.T, z *lang.Tokenizer, l *lang.Language, text []byte) {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v\nin %q", r, text)
		}
	}()
	st, err := z.Tokenize(l, text)
	if err != nil || len(st.Tokens) == 0 {
		return
	}
	if err := langtest.Ordered(st.Tokens, text); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	fs := functions.Find(l, text, st.Tokens)
	for _, f := range append(fs, functions.Outermost(fs)...) {
		if f.From < 0 || f.From >= f.To || f.To > len(st.Tokens) {
			t.Fatalf("function %+v of %d tokens in %q", f, len(st.Tokens), text)
		}
	}
	for _, h := range boilerplate.Find(l.Syntax(), text, st.Tokens) {
		if h.From < 0 || h.From >= h.To || h.To > len(st.Tokens) {
			t.Fatalf("helper %+v of %d tokens in %q", h, len(st.Tokens), text)
		}
	}
	imports.Find(l, text, st.Tokens)
	imports.FixedNames(l, text, st.Tokens)
	clauses := imports.ClausesOf(l, text, st.Tokens)
	imports.Theirs(text, st.Tokens, imports.Both(l, clauses, imports.Clauses{Paths: clauses.Paths}))
	contract.Find(l, text, st.Tokens)
	declarations.Find(l, text, st.Tokens)
	boilerplate.InText(text)
	new(comments.Reader).Read(l, text, st.Tokens)
	new(tables.Reader).Read(l, text, st.Tokens)
	new(pairs.Reader).Prints(nil, fingerprint.Key{}, pairs.Text{Language: l, Content: text, Tokens: st.Tokens})
}

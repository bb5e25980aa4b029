package pairs

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
)

// pairsOf returns the hashes of the pairs of a Go text.
func pairsOf(t *testing.T, r *Reader, key fingerprint.Key, text string) (out []uint64) {
	t.Helper()
	return pairsIn(t, r, key, "go", text, false)
}

// pairsIn returns the hashes of the pairs of a text in a language.
func pairsIn(t *testing.T, r *Reader, key fingerprint.Key, language, text string, eitherQuotes bool) (out []uint64) {
	t.Helper()
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, err := z.Tokenize(lang.ByName(language), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Prints(nil, key, Text{Language: lang.ByName(language), Content: []byte(text), Tokens: s.Tokens, EitherQuotes: eitherQuotes}) {
		out = append(out, f.Hash)
	}
	if !slices.IsSorted(out) || len(slices.Compact(slices.Clone(out))) != len(out) {
		t.Errorf("the pairs of %q are not sorted, each once: %v", text, out)
	}
	return out
}

// TestPairs: neighbouring names make a pair in either order, whatever is between them.
func TestPairs(t *testing.T) {
	const head = "package a\n\nimport \"example.com/quuxlib\"\n\n"
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"one":             {"var zurbleRate = wimpleCount", 1},
		"turned":          {"func f(){ if err != nil { return wimpleCount(i, 3) }; zurbleRate() }", 1},
		"twice":           {"var zurbleRate = wimpleCount + zurbleRate", 1},
		"common between":  {"func f() { zurbleRate(nil, err, len(name)); return wimpleCount }", 1},
		"short":           {"var zqx = wjk", 0},
		"a table":         {"var _ = []string{\"zurbleRate\", \"wimpleCount\", \"frobbleSpan\"}", 0},
		"of a library":    {"var _ = quuxlib.ZurbleRate(quuxlib.WimpleCount)", 0},
		"a name, a value": {"var zurbleRate = \"wimple count\"", 1},
	} {
		var r Reader
		got := pairsOf(t, &r, fingerprint.Key{}, head+c.text)
		if len(got) != c.want {
			t.Errorf("%s: %d pairs, want %d", name, len(got), c.want)
		}
		if again := pairsOf(t, &r, fingerprint.Key{}, head+c.text); !slices.Equal(again, got) {
			t.Errorf("%s: asked again it has other pairs", name)
		}
	}
	var r Reader
	one, turned := pairsOf(t, &r, fingerprint.Key{}, "package a\nvar zurbleRate = wimpleCount"), pairsOf(t, &r, fingerprint.Key{}, "package a\nvar wimpleCount = zurbleRate")
	if !slices.Equal(one, turned) {
		t.Errorf("in the other order the pair is another: %x and %x", one, turned)
	}
	if keyed := pairsOf(t, &r, fingerprint.NewKey([]byte("a secret of sixteen")), "package a\nvar zurbleRate = wimpleCount"); slices.Equal(keyed, one) {
		t.Error("a key leaves the pairs as they are")
	}
}

// TestPairsInEitherQuotes: a name beside a string makes the pairs with single and with double quotes.
func TestPairsInEitherQuotes(t *testing.T) {
	var r Reader
	const double, single = "zurbleRate = \"wimple count\"\n", "zurbleRate = 'wimple count'\n"
	index := map[string][]uint64{double: pairsIn(t, &r, fingerprint.Key{}, "python", double, false), single: pairsIn(t, &r, fingerprint.Key{}, "python", single, false)}
	for _, target := range []string{double, single} {
		asked := pairsIn(t, &r, fingerprint.Key{}, "python", target, true)
		for text, pairs := range index {
			if len(pairs) != 1 || !slices.Contains(asked, pairs[0]) {
				t.Errorf("%q does not ask for the pairs %x of %q: %x", target, pairs, text, asked)
			}
		}
	}
}

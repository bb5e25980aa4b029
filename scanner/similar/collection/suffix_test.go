package collection_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/algorithms/suffix"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// part is files in memory.
func part(name string, files map[string]string) collection.Part {
	return collection.Part{Name: name, Package: source.New(name, func(_ context.Context, _ source.Limits, file func(string, []byte) error, _ func(string, string, string)) error {
		for _, n := range slices.Sorted(maps.Keys(files)) {
			if err := file(n, []byte(files[n])); err != nil {
				return err
			}
		}
		return nil
	})}
}

func readParts(t testing.TB, o collection.Options, parts ...collection.Part) *collection.Set {
	t.Helper()
	o.Params = baseline.Defaults
	if o.MinTokens == 0 {
		o.MinTokens = baseline.Defaults.T()
	}
	s, err := collection.Read(t.Context(), filepath.Join(t.TempDir(), "work"), parts, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// every compares all documents with each other.
func every(t testing.TB, s *collection.Set) (out []collection.Compared) {
	t.Helper()
	var ids []collection.ID
	for i := range s.Docs {
		ids = append(ids, collection.ID(i))
	}
	q := collection.Query{Docs: ids, All: true, Want: func(a, b collection.ID) bool { return a != b }}
	if err := s.Compare(t.Context(), q, func(c collection.Compared) error {
		out = append(out, c)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// A suffix array of two files finds every run that they share. The comparison by
// fingerprints finds each of these runs that has at least t tokens, and covers no token
// outside of them.
func TestSuffixesAgreeWithTheMatcher(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, name := range []string{
		"bytes/bytes.go", "strings/strings.go", "bytes/buffer.go", "strings/builder.go", "bytes/reader.go", "strings/reader.go", "sort/zsortfunc.go", "sort/zsortinterface.go",
		"slices/zsortanyfunc.go", "slices/zsortordered.go", "crypto/md5/md5.go", "crypto/sha1/sha1.go", "encoding/base32/base32.go", "encoding/base64/base64.go",
	} {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "src", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	s := readParts(t, collection.Options{Workers: 2}, part("std", files))
	n, runs, pairs := baseline.Defaults.T(), 0, 0
	for _, got := range every(t, s) {
		if len(got.Ledger) > 0 {
			continue // not all was followed
		}
		for other := range s.Docs {
			if collection.ID(other) == got.ID {
				continue
			}
			var p collection.Pair
			for _, q := range got.Pairs {
				if q.ID == collection.ID(other) {
					p = q
				}
			}
			a, b := valuesOf(t, s, got.ID, 0), valuesOf(t, s, collection.ID(other), 1)
			ms, whole := suffix.Matches(a, b, n)
			if !whole {
				continue
			}
			pairs++
			short, whole := suffix.Matches(a, b, match.Defaults(baseline.Defaults.K).MinFit)
			if outside := beyond(p.Target, short, func(m suffix.Match) int { return m.A }) + beyond(p.Origin, short, func(m suffix.Match) int { return m.B }); whole && outside > 0 {
				t.Errorf("documents %d and %d: %d tokens of matches are not shared", got.ID, other, outside)
			}
			for _, m := range ms {
				runs++
				if !within(p.Target, m.A, m.Len) || !within(p.Origin, m.B, m.Len) {
					t.Errorf("documents %d and %d: %+v is lost", got.ID, other, m)
				}
			}
		}
	}
	if pairs < 60 || runs < 100 {
		t.Errorf("only %d pairs with %d runs: nothing was tested", pairs, runs)
	}
}

// beyond counts the tokens of intervals that lie in no match.
func beyond(is []match.Interval, ms []suffix.Match, at func(suffix.Match) int) (n int) {
	for _, v := range is {
		for i := v.From; i < v.To; i++ {
			if !slices.ContainsFunc(ms, func(m suffix.Match) bool { return at(m) <= i && i < at(m)+m.Len }) {
				n++
			}
		}
	}
	return n
}

func within(is []match.Interval, from, n int) bool {
	return slices.ContainsFunc(is, func(v match.Interval) bool { return v.From <= from && from+n <= v.To })
}

// valuesOf returns the tokens of a document as numbers; one that does not count equals
// none of the other side.
func valuesOf(t *testing.T, s *collection.Set, id collection.ID, side uint64) []uint64 {
	t.Helper()
	l := s.NewLoader()
	defer l.Close()
	d, err := l.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	out := baseline.Values(nil, d.Language, d.Tokens)
	for i, m := range d.Masked {
		if m {
			out[i] = uint64(i)<<1 | side
		}
	}
	return out
}

// Documents of a language without a lexer come back as they were read.
func TestTokensComeBack(t *testing.T) {
	if !lang.HasGrammars {
		t.Skip("Bash is read as words")
	}
	shell := "area() {\n  local width=$1 height=$2 total=0\n  for i in $width; do\n    total=$((total + i * height))\n    echo \"area $total\"\n  done\n  while [ \"$total\" -gt \"$height\" ]; do\n    total=$((total - 2))\n  done\n  printf '%s\\n' \"$total\" | tee -a \"$HOME/areas\"\n}\n"
	s := readParts(t, collection.Options{}, part("a", map[string]string{"a.sh": shell, "b.sh": shell + "# end\n"}))
	if len(s.Docs) != 2 || s.Docs[0].Language.Lexed() {
		t.Fatalf("%+v", s.Docs)
	}
	all := every(t, s)
	if len(all[0].Pairs) != 1 || len(all[0].Pairs[0].Matches) != 1 || all[0].Pairs[0].Matches[0].Tokens != s.Docs[0].Own {
		t.Errorf("%+v", all[0].Pairs)
	}
}

// A fingerprint that very many documents have makes no pair by itself. It is in the ledger,
// and documents that share another are compared whole.
func TestWidespreadCodeMakesNoPair(t *testing.T) {
	const idiom = "func init() {\n\tfor i, x := range table {\n\t\tif x > limit && i < last {\n\t\t\tindex[x] = append(index[x], i, x, limit)\n\t\t}\n\t}\n\tready = true\n}\n"
	const own = "func own(a, b []int) (int, error) {\n\tswitch {\n\tcase len(a) == 0:\n\t\treturn b[0] * 2, nil\n\tcase len(b) != 7:\n\t\treturn a[len(b)] - 1, fail(b)\n\t}\n\treturn -1, done\n}\n"
	files := make(map[string]string)
	for i := range 600 {
		text := fmt.Sprintf("package p\n\nvar v%d = %d\n\n", i, i) + idiom
		if i < 2 {
			text += own
		}
		files[fmt.Sprintf("f%03d.go", i)] = text
	}
	s := readParts(t, collection.Options{Workers: 2}, part("all", files))
	var ids []collection.ID
	for i := range s.Docs {
		ids = append(ids, collection.ID(i))
	}
	told, pairs := 0, []collection.Pair(nil)
	err := s.Compare(t.Context(), collection.Query{Docs: ids, Want: func(a, b collection.ID) bool { return true }}, func(c collection.Compared) error {
		told += len(c.Ledger)
		pairs = append(pairs, c.Pairs...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Docs) <= collection.Widespread(len(s.Docs)) || told != len(s.Docs) {
		t.Errorf("%d of %d documents are in the ledger", told, len(s.Docs))
	}
	if len(pairs) != 1 || len(pairs[0].Target) != 1 || pairs[0].Target[0].To != s.Docs[0].Tokens {
		t.Errorf("%d pairs: %+v", len(pairs), pairs)
	}
}

func ExampleSet_Compare() {
	const sum = "int sum(int *v, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += v[i] * v[i];\n  return s;\n}\n"
	const total = "int total(int *w, int k) {\n  int t = 0;\n  for (int j = 0; j < k; j++)\n    t += w[j] * w[j];\n  return t;\n}\n"
	dir, err := os.MkdirTemp("", "collection")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	o := collection.Options{Params: baseline.Defaults, MinTokens: 31}
	s, err := collection.Read(context.Background(), dir, []collection.Part{part("c", map[string]string{"sum.c": sum, "total.c": total})}, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	q := collection.Query{Docs: []collection.ID{0, 1}, Want: func(a, b collection.ID) bool { return true }}
	err = s.Compare(context.Background(), q, func(c collection.Compared) error {
		for _, p := range c.Pairs {
			fmt.Println(s.Files[c.ID].Path, s.Files[p.ID].Path, p.Matches[0].Tokens, "tokens")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: sum.c total.c 46 tokens
}

package linediff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestAdded(t *testing.T) {
	tests := []struct {
		name, old, new string
		want           []Range
	}{
		{"both empty", "", "", nil},
		{"all new", "", "a\nb\n", []Range{{1, 2}}},
		{"all gone", "a\nb\n", "", nil},
		{"same", "a\nb\n", "a\nb\n", nil},
		{"one in the middle", "a\nc\n", "a\nb\nc\n", []Range{{2, 2}}},
		{"two places", "a\nb\nc\n", "x\na\nb\ny\nz\nc\n", []Range{{1, 1}, {4, 5}}},
		{"changed", "a\nb\nc\n", "a\nB\nc\n", []Range{{2, 2}}},
		{"reindented", "if x {\ny()\n}\n", "\tif x {\n\t\ty()\n\t}\n", nil},
		{"wrapped in a block", "y()\nz()\n", "if x {\n\ty()\n\tz()\n}\n", []Range{{1, 1}, {4, 4}}},
		{"line ends", "a\nb\n", "a\r\nb\r\n", nil},
		{"no newline at the end", "a\nb", "a\nb\n", nil},
		{"last line without newline", "a\n", "a\nb", []Range{{2, 2}}},
		{"blanks inside", "a+b\n", "a + b\n", nil},
		{"repeated", "a\na\n", "a\na\na\n", []Range{{3, 3}}},
		{"moved", "func one() { return 111111 }\nfunc two() { return 222222 }\nx\ny\nz\n", "x\ny\nz\nfunc one() { return 111111 }\nfunc two() { return 222222 }\n", nil},
		{"moved with additions", "a\nsome line that is long enough\nb\n", "a\nb\nnew\n  some line that is long enough\n", []Range{{3, 3}}},
		{"moved but small", "}\na\nb\n", "a\nb\n}\n", []Range{{3, 3}}},
		{"copied", "some line that is long enough\n", "some line that is long enough\nsome line that is long enough\n", []Range{{2, 2}}},
		{"empty line", "a\nb\n", "a\n\nb\n", []Range{{2, 2}}},
	}
	for _, test := range tests {
		if got := Added([]byte(test.old), []byte(test.new)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// checkDiff verifies that what the diff keeps is a common subsequence, and returns its length.
func checkDiff(t *testing.T, old, new string) int {
	t.Helper()
	ids := lineIDs{}
	a, b := ids.of([]byte(old)), ids.of([]byte(new))
	keptA, keptB := diffLines(a, b)
	x, y := keptOnly(a, keptA), keptOnly(b, keptB)
	if !slices.Equal(x, y) {
		t.Fatalf("kept lines differ\nold %q\nnew %q", old, new)
	}
	return len(y)
}

func keptOnly(lines []int32, kept []bool) []int32 {
	var out []int32
	for i, k := range kept {
		if k {
			out = append(out, lines[i])
		}
	}
	return out
}

// checkAdded verifies the form of the ranges, and that a line that does not count as added is in the old text.
func checkAdded(t *testing.T, old, new string) {
	t.Helper()
	has := map[string]bool{}
	for l := range strings.SplitSeq(old, "\n") {
		has[bare(l)] = true
	}
	lines := strings.Split(strings.TrimSuffix(new, "\n"), "\n")
	last := 0
	for _, r := range append(Added([]byte(old), []byte(new)), Range{len(lines) + 1, len(lines) + 1}) {
		if r.First > r.Last || last > 0 && r.First <= last+1 && r.First <= len(lines) || r.Last > len(lines) && r.First <= len(lines) {
			t.Fatalf("range %v after line %d of %d", r, last, len(lines))
		}
		for _, l := range lines[last : r.First-1] {
			if !has[bare(l)] {
				t.Fatalf("%q is neither added nor old\nold %q\nnew %q", l, old, new)
			}
		}
		last = r.Last
	}
}

func bare(s string) string {
	return string(squeeze(nil, []byte(s)))
}

// longest is the length of the longest common subsequence, the textbook way.
func longest(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func TestAddedIsMinimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n, letters int) []string {
		s := make([]string, rng.IntN(n))
		for i := range s {
			s[i] = string(rune('a' + rng.IntN(letters)))
		}
		return s
	}
	for range 3000 {
		letters := 1 + rng.IntN(12)
		a, b := random(60, letters), random(60, letters)
		checkAdded(t, join(a), join(b))
		if kept, want := checkDiff(t, join(a), join(b)), longest(a, b); kept != want {
			t.Fatalf("kept %d lines, want %d\nold %q\nnew %q", kept, want, a, b)
		}
	}
}

func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestAddedBeyondLimits takes texts for which the search has to settle for less: the answer must still be sound,
// the same each time, and found in bounded work.
func TestAddedBeyondLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("compares texts of megabytes")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	noise := func(n, letters int) []string {
		s := make([]string, n)
		for i := range s {
			s[i] = fmt.Sprint(rng.IntN(letters))
		}
		return s
	}
	block := noise(5000, 1<<30)
	moved := slices.Concat(block[2500:], block[:2500])
	tests := map[string][2][]string{
		"two letters":   {noise(20000, 2), noise(20000, 2)},
		"many letters":  {noise(20000, 500), noise(20000, 500)},
		"halves moved":  {block, moved},
		"one line":      {slices.Repeat([]string{"x"}, 100000), slices.Repeat([]string{"x"}, 150000)},
		"nothing alike": {noise(100000, 1<<40), noise(100000, 1<<40)},
		"reversed":      {block, reversed(block)},
		"light lines":   {slices.Concat(slices.Repeat([]string{"}"}, 50000), block), slices.Concat(block, slices.Repeat([]string{"}"}, 50000))},
	}
	for name, test := range tests {
		old, new := join(test[0]), join(test[1])
		first := Added([]byte(old), []byte(new))
		if !slices.Equal(first, Added([]byte(old), []byte(new))) {
			t.Errorf("%s: not deterministic", name)
		}
		checkAdded(t, old, new)
		checkDiff(t, old, new)
	}
	if kept := checkDiff(t, join(block), join(moved)); kept != 2500 {
		t.Errorf("halves moved: kept %d", kept)
	}
	if got := Added([]byte(join(block)), []byte(join(moved))); got != nil {
		t.Errorf("halves moved: %v", got)
	}
}

func reversed(s []string) []string {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

func FuzzAdded(f *testing.F) {
	f.Add("a\nb\nc", "b\nc\na\n")
	f.Add("\n\n \n", "\t\n")
	f.Fuzz(func(t *testing.T, old, new string) {
		if new != "" {
			checkAdded(t, old, new)
		}
		checkDiff(t, old, new)
	})
}

func BenchmarkAdded(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 7))
	lines := make([]string, 20000)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tline %d of some length = %d;", i/3, rng.IntN(1000))
	}
	old := join(lines)
	for range 200 {
		lines[rng.IntN(len(lines))] = "changed"
	}
	new := join(lines)
	b.SetBytes(int64(len(old) + len(new)))
	for b.Loop() {
		Added([]byte(old), []byte(new))
	}
}

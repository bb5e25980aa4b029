package excerpt

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/syntax/boilerplate"
)

// candidate is an excerpt that may be used.
type candidate struct {
	*Code
	A, B  int
	shape string
	size  int
	group []candidate // of the shape reordered: functions of one file
}

// GramLength is the length of the stretches by which an excerpt is compared with the corpus. It is not a parameter of
// the scanner: it stays when k changes.
const GramLength = 20

// grams returns the hashes of the stretches of tokens, by kinds only.
func grams(toks []lang.Token) []uint64 {
	vs := make([]uint64, len(toks))
	for i, t := range toks {
		vs[i] = uint64(t.Kind)
	}
	return fingerprint.KGrams(nil, vs, GramLength)
}

// candidates lists excerpts of the known files, more than are needed.
func (m *maker) candidates() []candidate {
	var out []candidate
	have := make(map[string]int)
	spare := 2*m.count + 10
	for _, f := range m.corpus.Of(m.lang, "known") {
		if f.Size > 128<<10 {
			continue
		}
		src, err := os.ReadFile(f.Path)
		if err != nil {
			continue
		}
		c := Read(m.tz, f, src)
		if c == nil {
			continue
		}
		full := true
		take := func(x candidate) {
			if k := fmt.Sprint(x.shape, x.size); have[k] < spare {
				have[k]++
				out = append(out, x)
			}
		}
		for _, size := range Sizes {
			if have[fmt.Sprint("excerpt", size)] < spare {
				full = false
				if x, ok := c.cut(size); ok {
					take(x)
				}
			}
		}
		if m.corpus.PackageOf(f).Home {
			if x, ok := c.cut(vendoredSize); ok {
				x.shape = "vendored"
				take(x)
			}
		}
		for _, x := range c.functions() {
			take(x)
		}
		if full {
			break
		}
	}
	return out
}

// cut selects an excerpt of about size tokens.
func (c *Code) cut(size int) (candidate, bool) {
	var starts []int
	for i, s := range c.start {
		if s {
			starts = append(starts, i)
		}
	}
	d := corpus.NewDice(c.file.Hash, size)
	for range min(20, len(starts)) {
		a, end := starts[d.UpTo(len(starts))], 0
		c.ends(a, size+max(4, size/8), func(b int) bool {
			if b-a >= size {
				end = b
			}
			return end == 0
		})
		if end > 0 && c.first(end) {
			return candidate{Code: c, A: a, B: end, shape: "excerpt", size: size}, true
		}
	}
	return candidate{}, false
}

// functions selects one whole function of each size, and three to be reordered.
func (c *Code) functions() []candidate {
	var out []candidate
	fns := slices.Clone(c.fns)
	slices.SortFunc(fns, func(a, b fn) int { return cmp.Compare(a.from, b.from) })
	var group []candidate
	at := make([]bool, len(FunctionSizes))
	for _, f := range fns {
		n := f.to - f.from
		if n > 600 {
			continue
		}
		for i := len(FunctionSizes) - 1; i >= 0; i-- {
			if n < FunctionSizes[i] {
				continue
			}
			x := candidate{Code: c, A: f.from, B: f.to, shape: "function", size: FunctionSizes[i]}
			if !at[i] {
				at[i] = true
				out = append(out, x)
			}
			if len(group) < 3 && (len(group) == 0 || c.member(group[0].A) == f.member) {
				group = append(group, x)
			}
			break
		}
	}
	if len(group) == 3 {
		out = append(out, candidate{Code: c, A: group[0].A, B: group[2].B, shape: "reordered", size: 0, group: group})
	}
	return out
}

func (c *Code) member(from int) bool {
	return slices.ContainsFunc(c.fns, func(f fn) bool { return f.from == from && f.member })
}

// fair is the rule by which an excerpt is accepted. At least half of its stretches of 20 tokens are distinct. At least
// half, without names and values, occur in no other package of the baseline: code that everybody writes is nobody's
// copy. At least half of its tokens were not written by a transpiler. For vendored code, at least half of the stretches
// do occur in another package.
func (m *maker) fair(x candidate) bool {
	gs := grams(x.Toks[x.A:x.B])
	own := m.own(gs, m.corpus.NameOf(x.file))
	if x.shape == "vendored" {
		own = len(gs) - own
	}
	return 2*own >= len(gs) && mostlyDistinct(gs) && 2*x.written() <= x.B-x.A
}

// written counts the tokens that a transpiler wrote.
func (x candidate) written() (n int) {
	if !boilerplate.Supports(x.lang) {
		return 0
	}
	for _, h := range boilerplate.Find(x.lang.Name, x.Src, x.Toks) {
		n += max(0, min(h.To, x.B)-max(h.From, x.A))
	}
	return n
}

// own counts the stretches that occur in one package only.
func (m *maker) own(gs []uint64, name string) (n int) {
	for _, g := range gs {
		if m.known[g] == name {
			n++
		}
	}
	return n
}

func mostlyDistinct(gs []uint64) bool {
	sorted := slices.Sorted(slices.Values(gs))
	return 2*len(slices.Compact(sorted)) >= len(gs)
}

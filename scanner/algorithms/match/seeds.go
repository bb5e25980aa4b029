package match

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// workPerToken limits the tokens compared while seeds are extended, per token of both sides. A file and its copy need one. Two
// constant strings have as many diagonals as tokens, and would need the product of their lengths.
const workPerToken = 64

// Runs verifies seeds on the tokens and extends each to its maximal run. It drops seeds whose k-grams differ in spite of equal
// hashes, and runs shorter than p.MinRun. Runs ascend by diagonal, then target. whole is false if the work limit stopped it; then the runs
// are those of the diagonals with the most seeds.
func Runs(target, origin Side, seeds []Seed, p Params) (runs []Run, whole bool) {
	if !slices.IsSortedFunc(seeds, compareSeeds) { // they are if Stretches was called
		w := spaces.Get().(*space)
		w.keys = byDiagonal(seeds, w.keys)
		spaces.Put(w)
	}
	const some = 16 // runs; most documents have fewer
	limit := workPerToken * (len(target.Tokens) + origin.Len())
	x := extension{target: target, origin: &origin, least: p.MinRun, work: limit, runs: make([]Run, 0, min(some, len(seeds)))}
	if x.extend(seeds) {
		return x.runs, true
	}
	x.runs, x.work = x.runs[:0], limit
	x.extendFullest(seeds)
	return x.runs, false
}

// extension is the work of extending seeds to runs.
type extension struct {
	target Side
	origin *Side
	least  int // tokens of a run
	work   int // tokens that may still be compared
	runs   []Run
}

// extend takes seeds that ascend by diagonal, then target. It returns false if there was not enough work for them.
func (x *extension) extend(seeds []Seed) bool {
	covered, on := uint32(0), int64(0) // target tokens below covered on diagonal on are done
	for i, s := range seeds {
		if d := diagonal(s); i == 0 || d != on {
			on, covered = d, 0
		}
		if s.Target < covered || int(s.Target) >= len(x.target.Tokens) || int(s.Origin) >= x.origin.Len() {
			continue
		}
		if x.work < 0 {
			return false
		}
		r := extend(x.target.Tokens, x.origin, s)
		x.work -= int(r.Len)
		covered = max(r.TargetEnd(), s.Target+1)
		if int(r.Len) >= x.least {
			x.runs = append(x.runs, r)
		}
	}
	return true
}

// extendFullest takes the diagonals with the most seeds, as far as the work goes. In a table nearly every diagonal has runs; that of a copy
// has the most seeds.
func (x *extension) extendFullest(seeds []Seed) {
	var on [][]Seed // by diagonal
	for i, s := range seeds {
		if i == 0 || diagonal(s) != diagonal(seeds[i-1]) {
			on = append(on, seeds[i:i])
		}
		last := len(on) - 1
		on[last] = on[last][:len(on[last])+1]
	}
	slices.SortStableFunc(on, func(a, b []Seed) int { return cmp.Compare(len(b), len(a)) })
	for _, seeds := range on {
		if !x.extend(seeds) {
			break
		}
	}
	slices.SortFunc(x.runs, func(a, b Run) int { return compareSeeds(Seed{a.Target, a.Origin}, Seed{b.Target, b.Origin}) })
}

// byDiagonal sorts seeds by diagonal, then target. It packs each seed into one number, which sorts three times as fast as a
// comparison. keys is its buffer.
func byDiagonal(seeds []Seed, keys []uint64) []uint64 {
	if len(seeds) >= manySeeds {
		if k, ok := countingSort(seeds, keys); ok {
			return k
		}
	}
	keys = keys[:0]
	for _, s := range seeds {
		// positions have 31 bits; the shift makes the diagonal positive
		keys = append(keys, uint64(diagonal(s)+1<<31)<<32|uint64(s.Target))
	}
	slices.Sort(keys)
	for i, k := range keys {
		target := uint32(k)
		seeds[i] = Seed{target, uint32(int64(target) + int64(k>>32) - 1<<31)}
	}
	return keys
}

// manySeeds is the number of seeds from which countingSort is faster.
const manySeeds = 32

// countingSort sorts like byDiagonal, by counting. It needs seeds that ascend by target and use few diagonals, as the seeds of two files
// do. For others ok is false.
func countingSort(seeds []Seed, keys []uint64) (_ []uint64, ok bool) {
	low, high := diagonal(seeds[0]), diagonal(seeds[0])
	for i, s := range seeds {
		if i > 0 && s.Target < seeds[i-1].Target {
			return keys, false
		}
		low, high = min(low, diagonal(s)), max(high, diagonal(s))
	}
	if high-low >= int64(32*len(seeds)) {
		return keys, false
	}
	n := len(seeds)
	keys = zeroed(keys, n+int(high-low)+2)
	next, sorted := keys[n:], keys[:n]
	for _, s := range seeds {
		next[diagonal(s)-low+1]++
	}
	for i := range next[1:] {
		next[i+1] += next[i]
	}
	for _, s := range seeds {
		at := &next[diagonal(s)-low]
		sorted[*at] = uint64(s.Target)<<32 | uint64(s.Origin)
		*at++
	}
	for i, k := range sorted {
		seeds[i] = Seed{uint32(k >> 32), uint32(k)}
	}
	return keys, true
}

func compareSeeds(a, b Seed) int {
	return cmp.Or(cmp.Compare(diagonal(a), diagonal(b)), cmp.Compare(a.Target, b.Target))
}

func diagonal(s Seed) int64 { return int64(s.Origin) - int64(s.Target) }

// extend returns the maximal run through a seed. Its length is 0 if the first tokens of the seed differ.
func extend(t []lang.Token, o *Side, s Seed) Run {
	n := uint32(o.common(t[s.Target:], s.Origin))
	if n == 0 {
		return Run{s.Target, s.Origin, 0}
	}
	before := uint32(o.commonBefore(t[:s.Target], s.Origin))
	return Run{s.Target - before, s.Origin - before, before + n}
}

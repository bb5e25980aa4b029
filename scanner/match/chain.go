package match

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/lang"
)

// lookback limits the work of chaining in repetitive code, where a file can have thousands of runs. A run is joined to one of the
// 64 before it.
const lookback = 64

// Contested sorts runs by target and reports whether two of them overlap, so that names and layout must decide. Arrange then
// needs the text of both sides.
func Contested(runs []Run) bool {
	slices.SortFunc(runs, compareRuns)
	end := uint32(0)
	for r := range notable(runs) {
		if r.Target < end {
			return true
		}
		end = r.TargetEnd()
	}
	return false
}

// notable yields the sorted runs. It leaves out runs within a run of more than twice their length, which gets the tokens in any
// case.
func notable(runs []Run) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		var outer Run // of the runs so far, the one that ends last
		for _, r := range runs {
			within := r.TargetEnd() <= outer.TargetEnd()
			if within && 2*r.Len < outer.Len {
				continue
			}
			if !within {
				outer = r
			}
			if !yield(r) {
				return
			}
		}
	}
}

func compareRuns(a, b Run) int {
	if a.Target != b.Target { // nearly always; cmp.Or would compare all three fields
		return cmp.Compare(a.Target, b.Target)
	}
	return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(b.Len, a.Len))
}

// Arrange makes matches of runs, which may be in any order. Matches are sorted by length, the longest first. Each target token is
// in at most one match. The matches of the best route get their tokens first, then the chains of the remaining runs.
func Arrange(target, origin Side, runs []Run, p Params) []Match {
	runs = slices.DeleteFunc(runs, func(r Run) bool { return r.Len == 0 })
	if !slices.IsSortedFunc(runs, compareRuns) { // a route reads the target from front to back
		slices.SortFunc(runs, compareRuns)
	}
	if len(runs) == 0 {
		return nil
	}
	ms := route(target, origin, runs, p)
	taken := make(intervals, 0, len(runs))
	for _, m := range ms {
		taken.add(m)
	}
	out := fitted(target.Tokens, &origin, ms, &taken, p)
	out = append(out, others(target, origin, runs, &taken, p)...)
	out = join(out, p)
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Tokens(), a.Tokens()) })
	return out
}

// Chain joins runs to matches, each run to one. If two runs of a chain overlap, the later one is cut. cut holds the original runs
// that lost target tokens which no other run of the chain has.
func Chain(runs []Run, p Params) (ms []Match, cut []Run) {
	slices.SortFunc(runs, compareRuns)
	w := spaces.Get().(*space)
	defer spaces.Put(w)
	w.link(runs, p)
	w.heaviest()
	w.used = zeroed(w.used, len(runs))
	all := make([]Run, 0, len(runs)) // each run is in one chain
	ms = make([]Match, 0, len(runs))
	for _, end := range w.order {
		first := len(all)
		for i := int(end); i >= 0 && !w.used[i]; i = int(w.prev[i]) {
			w.used[i] = true
			all = append(all, runs[i])
		}
		if c := all[first:len(all):len(all)]; len(c) > 0 {
			slices.Reverse(c)
			c, cut = trim(c, cut)
			ms = append(ms, Match{c})
		}
	}
	return ms, cut
}

// space holds the buffers of Arrange and Runs.
type space struct {
	prev, weight, order []int32
	used                []bool
	stops               []stop
	keys                []uint64
}

var spaces = sync.Pool{New: func() any { return new(space) }}

// zeroed returns n zeroes, in the memory of s if it is large enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// heaviest sorts the runs by the weight of the chains that end at them, the heaviest first.
func (w *space) heaviest() {
	w.order = zeroed(w.order, len(w.weight))
	for i := range w.order {
		w.order[i] = int32(i)
	}
	slices.SortFunc(w.order, func(a, b int32) int {
		if w.weight[a] != w.weight[b] {
			return cmp.Compare(w.weight[b], w.weight[a])
		}
		return cmp.Compare(a, b)
	})
}

// link finds for each run the best run before it. The weight of a chain is its matched tokens, minus a quarter of its gaps.
func (w *space) link(runs []Run, p Params) {
	w.prev, w.weight = zeroed(w.prev, len(runs)), zeroed(w.weight, len(runs))
	for i, r := range runs {
		prev, weight := int32(-1), int32(r.Len)
		for j := i - 1; j >= max(0, i-lookback); j-- {
			if w.weight[j]+int32(r.Len) <= weight { // the usual case
				continue
			}
			over, gap, ok := joint(runs[j], r, p)
			if !ok {
				continue
			}
			if sum := w.weight[j] + int32(r.Len) - int32(over+gap/4); sum > weight {
				prev, weight = int32(j), sum
			}
		}
		w.prev[i], w.weight[i] = prev, weight
	}
}

// joint reports whether b can follow a. overlap is the number of tokens that they share on either side, gap the length of the gap
// on the longer side.
func joint(a, b Run, p Params) (overlap, gap int, ok bool) {
	dt, do := int(b.Target)-int(a.TargetEnd()), int(b.Origin)-int(a.OriginEnd())
	if dt > p.MaxGap || do > p.MaxGap {
		return 0, 0, false // most pairs end here
	}
	overlap = max(0, -dt, -do)
	gap = max(dt, do) + overlap
	return overlap, gap, int(b.Len)-overlap >= p.MinFit && gap <= p.MaxGap && b.Target > a.Target && b.Origin > a.Origin
}

// trim cuts the tokens from each run that overlap the run before. It appends a run to cut if it loses more tokens than the target
// tokens that the two share.
func trim(c, cut []Run) (left, lost []Run) {
	for i := 1; i < len(c); i++ {
		a, b := c[i-1], &c[i]
		shared := max(0, int(a.TargetEnd())-int(b.Target))
		over := uint32(max(shared, int(a.OriginEnd())-int(b.Origin)))
		if int(over) > shared {
			cut = append(cut, *b)
		}
		b.Target, b.Origin, b.Len = b.Target+over, b.Origin+over, b.Len-min(over, b.Len)
	}
	return slices.DeleteFunc(c, func(r Run) bool { return r.Len == 0 }), cut
}

// fit adds shorter runs, which fingerprints cannot find: between the runs of a chain, and beyond its ends in edited code. It
// stays within the target tokens of free.
func fit(t []lang.Token, o *Side, m Match, free [2]uint32, p Params) Match {
	n := len(m.Runs)
	before, behind := grow(t, o, m.Runs[0], false, free, p), grow(t, o, m.Runs[n-1], true, free, p)
	if n == 1 && len(before)+len(behind) == 0 {
		return m
	}
	out := make([]Run, 0, len(before)+n+len(behind))
	out = append(out, before...)
	slices.Reverse(out)
	out = append(out, m.Runs[0])
	for i, r := range m.Runs[1:] {
		a := m.Runs[i]
		out = append(out, between(t, o, a.TargetEnd(), r.Target, a.OriginEnd(), r.Origin, p.MinFit)...)
		out = append(out, r)
	}
	return Match{append(out, behind...)}
}

// between returns the common runs of two gaps. It takes the longest and then searches the rest on both sides of it, which is
// Ratcliff and Obershelp's scheme. MaxGap limits the gaps.
func between(t []lang.Token, o *Side, t0, t1, o0, o1 uint32, least int) []Run {
	r := longest(t, o, t0, t1, o0, o1, least)
	if r.Len == 0 {
		return nil
	}
	left := between(t, o, t0, r.Target, o0, r.Origin, least)
	return append(append(left, r), between(t, o, r.TargetEnd(), t1, r.OriginEnd(), o1, least)...)
}

// longest returns the longest common run of two intervals if it has at least least tokens, and the first of equal length. Such a
// run covers one of every least positions, so only these are compared with the other side.
func longest(t []lang.Token, o *Side, t0, t1, o0, o1 uint32, least int) Run {
	var best Run
	if least < 1 || int(t1)-int(t0) < least || int(o1)-int(o0) < least {
		return best
	}
	var room [2 * growWindow]lang.Shape
	in, out := t[t0:t1], o.appendShapes(room[:0], o0, o1)
	for i := least - 1; i < len(in); i += least {
		kind := in[i].Kind
		for j := range out {
			if out[j].Kind != kind || out[j].Class != in[i].Class {
				continue
			}
			a, n := around(in, out, i, j)
			r := Run{t0 + uint32(i-a), o0 + uint32(j-a), uint32(n)}
			if n >= least && (r.Len > best.Len || r.Len == best.Len && r.Target < best.Target) {
				best = r
			}
		}
	}
	return best
}

// around extends a pair of equal tokens to a run. It returns the tokens before the pair, and those of the whole run.
func around(t []lang.Token, o []lang.Shape, i, j int) (before, n int) {
	equal := func(i, j int) bool { return t[i].Kind == o[j].Kind && t[i].Class == o[j].Class }
	for before < min(i, j) && equal(i-before-1, j-before-1) {
		before++
	}
	n = 1
	for i+n < len(t) && j+n < len(o) && equal(i+n, j+n) {
		n++
	}
	return before, before + n
}

// growWindow is how far beyond an end a continuation is searched, in tokens: about three lines. Wider windows find accidents.
const growWindow = 24

// grow continues a chain beyond an end across small gaps, until no run is found.
func grow(t []lang.Token, o *Side, from Run, forward bool, free [2]uint32, p Params) []Run {
	var out []Run
	for {
		r := next(t, o, from, forward, free, p)
		if r.Len == 0 {
			return out
		}
		out = append(out, r)
		from = r
	}
}

func next(t []lang.Token, o *Side, from Run, forward bool, free [2]uint32, p Params) Run {
	reach := uint32(growWindow + p.MinFit)
	var r Run
	if forward {
		t0, o0 := from.TargetEnd(), from.OriginEnd()
		r = longest(t, o, t0, min(t0+reach, free[1]), o0, min(o0+reach, uint32(o.Len())), p.MinFit)
	} else {
		t1, o1 := from.Target, from.Origin
		r = longest(t, o, max(t1-min(t1, reach), free[0]), t1, o1-min(o1, reach), o1, p.MinFit)
	}
	if r.Len == 0 {
		return r
	}
	full := extend(t, o, Seed{r.Target, r.Origin})
	if forward {
		return full.from(from.TargetEnd(), from.OriginEnd()).until(free[1], ^uint32(0))
	}
	return full.until(from.Target, from.Origin).from(free[0], 0)
}

// from cuts the part of a run before a position on either side.
func (r Run) from(target, origin uint32) Run {
	cut := uint32(max(0, int(target)-int(r.Target), int(origin)-int(r.Origin)))
	if cut >= r.Len {
		return Run{}
	}
	return Run{r.Target + cut, r.Origin + cut, r.Len - cut}
}

// until cuts the part of a run behind a position on either side.
func (r Run) until(target, origin uint32) Run {
	cut := uint32(max(0, int(r.TargetEnd())-int(target), int(r.OriginEnd())-int(origin)))
	if cut >= r.Len {
		return Run{}
	}
	return Run{r.Target, r.Origin, r.Len - cut}
}

// fitted fits the matches of the route, longest first, and drops tokens that are already taken.
func fitted(t []lang.Token, o *Side, ms []Match, taken *intervals, p Params) []Match {
	slices.SortStableFunc(ms, func(a, b Match) int { return cmp.Compare(b.Tokens(), a.Tokens()) })
	for i, m := range ms {
		own := m.Runs
		var runs []Run
		for _, r := range fit(t, o, m, taken.around(m, len(t)), p).Runs {
			if len(own) > 0 && r == own[0] {
				own, runs = own[1:], append(runs, r)
				continue
			}
			first := len(runs)
			runs = taken.free(runs, r, p.MinFit)
			taken.add(Match{runs[first:]})
		}
		ms[i].Runs = runs
	}
	return ms
}

// others returns the matches of the runs that the route left over. Each target token belongs to the longest match that covers it,
// or to the one with most equal names. The rest of a shorter match stays if it has a run of at least MinRun tokens. Tokens in the
// gaps of a match are free. Only the rests are fitted. So tables, where thousands of chains fit thousands of runs, cost no more
// than their tokens.
func others(target, origin Side, runs []Run, taken *intervals, p Params) (out []Match) {
	t, o := target.Tokens, &origin
	left := make([]Run, 0, len(runs))
	for _, r := range runs {
		left = taken.free(left, r, p.MinRun)
	}
	ms, cut := Chain(left, p)
	for _, r := range cut {
		ms = append(ms, Match{[]Run{r}})
	}
	for _, m := range longestFirst(target, origin, ms) {
		for _, rest := range taken.subtract(m) {
			if rest.longest() < p.MinRun {
				continue
			}
			for _, part := range taken.subtract(fit(t, o, rest, taken.around(rest, len(t)), p)) {
				if part.longest() >= p.MinRun {
					out = append(out, part)
					taken.add(part)
				}
			}
		}
	}
	return out
}

// longestFirst sorts matches by their tokens, then by equal names and values.
func longestFirst(target, origin Side, ms []Match) []Match {
	if len(ms) < 2 {
		return ms
	}
	type ranked struct {
		Match
		tokens, agree int
	}
	rs := make([]ranked, len(ms))
	for i, m := range ms {
		rs[i] = ranked{m, m.Tokens(), 0}
		for _, r := range m.Runs {
			rs[i].agree += agreeing(&target, &origin, r)
		}
	}
	slices.SortStableFunc(rs, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.tokens, a.tokens), cmp.Compare(b.agree, a.agree))
	})
	for i, r := range rs {
		ms[i] = r.Match
	}
	return ms
}

// join joins fitted matches that follow each other closely on both sides.
func join(ms []Match, p Params) []Match {
	slices.SortFunc(ms, func(a, b Match) int { return cmp.Compare(a.Runs[0].Target, b.Runs[0].Target) })
	var out []Match
	for _, b := range ms {
		at, least := -1, p.MaxGap+1
		for j := len(out) - 1; j >= max(0, len(out)-lookback); j-- {
			a := out[j].Runs
			if over, gap, ok := joint(a[len(a)-1], b.Runs[0], p); ok && over == 0 && gap < least {
				at, least = j, gap
			}
		}
		if at < 0 {
			out = append(out, b)
		} else {
			out[at].Runs = append(out[at].Runs, b.Runs...)
		}
	}
	return out
}

func (m Match) longest() int {
	n := uint32(0)
	for _, r := range m.Runs {
		n = max(n, r.Len)
	}
	return int(n)
}

// intervals are half-open, ascending and disjoint.
type intervals [][2]uint32

func (iv *intervals) add(m Match) {
	for _, r := range m.Runs {
		i, _ := slices.BinarySearchFunc(*iv, r.Target, func(e [2]uint32, from uint32) int { return cmp.Compare(e[0], from) })
		*iv = slices.Insert(*iv, i, [2]uint32{r.Target, r.TargetEnd()})
	}
}

// around returns the free interval around a match, in a target of n tokens. Intervals in the gaps of the match are ignored.
func (iv intervals) around(m Match, n int) (free [2]uint32) {
	from, to := m.Target()
	free[1] = uint32(n)
	i, _ := slices.BinarySearchFunc(iv, from, func(e [2]uint32, from uint32) int { return cmp.Compare(e[0], from) })
	if i > 0 {
		free[0] = iv[i-1][1]
	}
	for ; i < len(iv); i++ {
		if iv[i][0] >= to {
			free[1] = iv[i][0]
			break
		}
	}
	return free
}

// free appends the free pieces of a run that have at least least tokens.
func (iv intervals) free(dst []Run, r Run, least int) []Run {
	for i := iv.behind(r.Target); int(r.Len) >= max(least, 1); i++ {
		if i == len(iv) || iv[i][0] >= r.TargetEnd() {
			return append(dst, r)
		}
		if head := r.until(iv[i][0], ^uint32(0)); int(head.Len) >= least && head.Len > 0 {
			dst = append(dst, head)
		}
		r = r.from(iv[i][1], 0)
	}
	return dst
}

// behind returns the index of the first interval that ends behind a token.
func (iv intervals) behind(token uint32) int {
	i, _ := slices.BinarySearchFunc(iv, token, func(e [2]uint32, token uint32) int { return cmp.Compare(e[1], token+1) })
	return i
}

// clear reports whether a match has no token in the intervals.
func (iv intervals) clear(m Match) bool {
	from, _ := m.Target()
	i := iv.behind(from)
	for _, r := range m.Runs {
		for i < len(iv) && iv[i][1] <= r.Target {
			i++
		}
		if i < len(iv) && iv[i][0] < r.TargetEnd() {
			return false
		}
	}
	return true
}

// subtract returns the parts of a match outside the intervals, split where tokens are removed.
func (iv intervals) subtract(m Match) []Match {
	if iv.clear(m) {
		return []Match{m}
	}
	from, _ := m.Target()
	i := iv.behind(from)
	var out []Match
	var part []Run
	for _, r := range m.Runs {
		for r.Len > 0 {
			for i < len(iv) && iv[i][1] <= r.Target {
				i++
			}
			if i == len(iv) || iv[i][0] >= r.TargetEnd() {
				part = append(part, r)
				break
			}
			if head := r.until(iv[i][0], ^uint32(0)); head.Len > 0 {
				part = append(part, head)
			}
			if len(part) > 0 {
				out, part = append(out, Match{part}), nil
			}
			r = r.from(iv[i][1], 0)
		}
	}
	if len(part) > 0 {
		out = append(out, Match{part})
	}
	return out
}

package match

import (
	"cmp"
	"slices"
)

// lookback limits the work of chaining in repetitive code, where a file can have thousands of runs. A run is joined to one of the
// 64 before it.
const lookback = 64

func compareRuns(a, b Run) int {
	if a.Target != b.Target { // nearly always; cmp.Or would compare all three fields
		return cmp.Compare(a.Target, b.Target)
	}
	return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(b.Len, a.Len))
}

// chain joins runs to matches, each run to one. If two runs of a chain overlap, the later one is cut. cut holds the original runs
// that lost target tokens which no other run of the chain has.
func chain(runs []Run, p Params) (ms []Match, cut []Run) {
	slices.SortFunc(runs, compareRuns)
	w := spaces.Get().(*space)
	defer spaces.Put(w)
	w.link(runs, p)
	w.sortByWeight()
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

// sortByWeight sorts the runs by the weight of the chains that end at them, the heaviest first.
func (w *space) sortByWeight() {
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
			if runs[j].Target == r.Target || runs[j].Origin >= r.Origin {
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

// joint reports whether b can follow a. overlap is how many tokens b loses because a has them on one of the sides, gap the length
// of the gap on the longer side.
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

package match

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// A route reads the target from front to back and says of each token from where
// in the origin it is. It goes along a run, over a gap to a run further on in the
// origin, or jumps to any other place there. The best route has most tokens,
// names and values that agree counted twice, less the cost of its gaps and jumps.
// So three functions pasted in another order are three runs, and no chain of what
// they have in common; and the sibling of a function is not taken for it where
// names tell them apart.

// jumpCost is as much as a run needs to be worth a seed: what lies between two
// jumps has to tell more than what is found by accident.
func jumpCost(p Params) int { return p.MinRun }

// bridgeCost is half of a fit and a quarter of the gap, at most as much as a jump.
// A gap for less makes chains of what functions have in common: of 480 that were
// renamed and reordered 464 were found so, 454 for an eighth of the gap alone.
func bridgeCost(gap int, p Params) int { return min(p.MinFit/2+gap/4, jumpCost(p)) }

// stop is a run on a route.
type stop struct {
	run    Run
	agree  int // names and values that are equal on both sides
	weight int // of the best route that ends here
	prev   int // stop before on it, -1 for none
	jump   bool
}

// worth of what is left of the run without so many of its tokens.
func (s stop) worth(less int) int {
	n := int(s.run.Len) - less
	return n + s.agree*n/int(s.run.Len)
}

// route returns the matches of the best route through runs, ascending by target:
// those of its legs that have p.Least tokens.
func route(target, origin Side, runs []Run, p Params) []Match {
	w := spaces.Get().(*space)
	defer spaces.Put(w)
	w.stops = w.stops[:0]
	for r := range notable(runs) {
		w.stops = append(w.stops, stop{run: r, agree: agreeing(&target, &origin, r)})
	}
	ms := w.legs(w.follow(p), p.Least)
	for i := 1; i < len(ms); i++ {
		divide(target, origin, ms[i-1], ms[i], p)
	}
	for i := range ms {
		ms[i].Runs = slices.DeleteFunc(ms[i].Runs, func(r Run) bool { return r.Len == 0 })
	}
	return slices.DeleteFunc(ms, func(m Match) bool { return len(m.Runs) == 0 })
}

// legs are the parts between two jumps of the route that ends at a stop, those that
// have so many tokens.
func (w *space) legs(end, least int) (ms []Match) {
	back := w.order[:0]
	for i := end; i >= 0; i = w.stops[i].prev {
		back = append(back, int32(i))
	}
	w.order = back
	slices.Reverse(back)
	for first := 0; first < len(back); {
		last := first + 1
		for last < len(back) && !w.stops[back[last]].jump {
			last++
		}
		if m := w.leg(back[first:last], least); m.Runs != nil {
			ms = append(ms, m)
		}
		first = last
	}
	return ms
}

// leg joins the runs of stops, each cut where the one before ends. It is empty if
// they have fewer tokens than least, without cuts too.
func (w *space) leg(stops []int32, least int) (m Match) {
	tokens := 0
	for _, i := range stops {
		tokens += int(w.stops[i].run.Len)
	}
	if tokens < least {
		return m
	}
	m.Runs = make([]Run, 0, len(stops))
	for n, i := range stops {
		r := w.stops[i].run
		if n > 0 {
			r = r.from(m.Runs[n-1].TargetEnd(), m.Runs[n-1].OriginEnd())
		}
		m.Runs = append(m.Runs, r)
	}
	if m.Tokens() < least {
		return Match{}
	}
	return m
}

// follow works out the best route to each stop, and returns where the best of
// all ends.
func (w *space) follow(p Params) (best int) {
	stops, byEnd := w.stops, w.byEnd()
	done := -1 // the best of those that end before the run at hand
	for i := range stops {
		s := &stops[i]
		for ; stops[byEnd[0]].run.TargetEnd() <= s.run.Target; byEnd = byEnd[1:] {
			if done < 0 || stops[byEnd[0]].weight > stops[done].weight {
				done = int(byEnd[0])
			}
		}
		full := s.worth(0)
		s.prev, s.weight = -1, full
		take := func(j, w int, jump bool) {
			if w > s.weight {
				s.prev, s.weight, s.jump = j, w, jump
			}
		}
		if done >= 0 {
			take(done, stops[done].weight+full-jumpCost(p), true)
		}
		for j := i - 1; j >= max(0, i-lookback); j-- {
			a := &stops[j]
			if a.weight+full <= s.weight { // most
				continue
			}
			if over, gap, ok := joint(a.run, s.run, p); ok {
				take(j, a.weight+s.worth(over)-bridgeCost(gap, p), false)
			}
			over := int(a.run.TargetEnd()) - int(s.run.Target)
			if over > 0 && a.run.Target < s.run.Target && over+p.MinFit <= int(s.run.Len) {
				take(j, a.weight+s.worth(over)-jumpCost(p), true)
			}
		}
		if s.weight > stops[best].weight {
			best = i
		}
	}
	return best
}

// byEnd are the stops in the order in which their runs end.
func (w *space) byEnd() []int32 {
	stops := w.stops
	w.order = zeroed(w.order, len(stops))
	for i := range w.order {
		w.order[i] = int32(i)
	}
	slices.SortFunc(w.order, func(a, b int32) int {
		if x, y := stops[a].run.TargetEnd(), stops[b].run.TargetEnd(); x != y {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(a, b)
	})
	return w.order
}

// agreeing counts the names and values of a run that are equal on both sides.
func agreeing(target, origin *Side, r Run) int {
	if target.Text == nil || origin.Text == nil {
		return 0
	}
	n := 0
	if origin.Blocks == nil {
		os := origin.Tokens[r.Origin:r.OriginEnd()]
		for i, t := range target.Tokens[r.Target:r.TargetEnd()] {
			if o := &os[i]; hasText(&t) && o.End-o.Start == t.End-t.Start && string(origin.Text[o.Start:o.End]) == string(target.Text[t.Start:t.End]) {
				n++
			}
		}
		return n
	}
	for toks, at := target.Tokens[r.Target:r.TargetEnd()], r.Origin; len(toks) > 0; {
		spans := origin.Blocks.Spans(at)
		some := min(len(spans), len(toks))
		for i := range toks[:some] {
			if t, o := &toks[i], &spans[i]; hasText(t) && o.End-o.Start == t.End-t.Start && string(origin.Text[o.Start:o.End]) == string(target.Text[t.Start:t.End]) {
				n++
			}
		}
		toks, at = toks[some:], at+uint32(some)
	}
	return n
}

// hasText tells whether there is more to a token than its kind.
func hasText(t *lang.Token) bool {
	return t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number
}

func equalText(target, origin *Side, t, o uint32) bool {
	at := &target.Tokens[t]
	if !hasText(at) {
		return false
	}
	from, to := origin.Span(o)
	return to-from == at.End-at.Start && string(origin.Text[from:to]) == string(target.Text[at.Start:at.End])
}

// divide gives the target tokens that two matches have in common to the one
// before them and the one behind them, so that both have at least p.Least tokens.
// Where that cannot be, or there is no text to tell, the longer has them.
func divide(target, origin Side, a, b Match, p Params) {
	last, first := &a.Runs[len(a.Runs)-1], &b.Runs[0]
	from, to := max(first.Target, last.Target), last.TargetEnd()
	if from >= to {
		return
	}
	left, right := a.Tokens()-int(to-from), b.Tokens()-int(to-first.Target) // without them
	low, high := int(from)+max(0, p.Least-left), int(to)-max(0, p.Least-right)
	at := to
	if low <= high && target.Text != nil && origin.Text != nil {
		at = border(target, origin, *last, *first, uint32(low), uint32(high))
	} else if left < right {
		at = from
	}
	*last, *first = last.until(at, ^uint32(0)), first.from(at, 0)
}

// border is where in [from, to] run a ends and b begins. The names decide, if
// they differ. If not, the border is where a line begins in the target and in the
// origin of b, the outermost of such lines: there one function ends and the next
// begins.
func border(target, origin Side, a, b Run, from, to uint32) uint32 {
	type place struct{ names, begins, depth int }
	best, at, names := place{-1 << 30, 0, 0}, to, 0
	for c := from; ; c++ {
		x := place{names: names}
		o := c - b.Target + b.Origin
		if d := origin.indent(o); d >= 0 && target.indent(c) >= 0 && !bytes.Contains([]byte("})];,"), origin.TextAt(o)) {
			x.begins, x.depth = 1, -d
		}
		if cmp.Or(cmp.Compare(x.names, best.names), cmp.Compare(x.begins, best.begins), cmp.Compare(x.depth, best.depth)) > 0 {
			best, at = x, c
		}
		if c == to {
			return at
		}
		if equalText(&target, &origin, c, c-a.Target+a.Origin) {
			names++
		}
		if equalText(&target, &origin, c, o) {
			names--
		}
	}
}

// indented is how far a line can be indented to be looked at: no comment before it
// is read at length.
const indented = 256

// indent is how far the line that begins with token i is indented, in bytes; -1
// when none does. What lies behind the last token is not indented.
func (s *Side) indent(i uint32) int {
	if i == 0 || int(i) >= s.Len() {
		return 0
	}
	_, from := s.Span(i - 1)
	to, _ := s.Span(i)
	if from > to { // code within a string
		return -1
	}
	space := s.Text[max(from, to-min(to, indented)):to]
	n := bytes.LastIndexByte(space, '\n')
	if n < 0 {
		return -1
	}
	return len(space) - n - 1
}

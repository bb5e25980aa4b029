package match

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// A route is an alignment: it reads the target from front to back and gives each token a position in the origin. It follows a
// run, then crosses a gap to a run further on in the origin, or jumps to any other position. The score of a route is its tokens,
// with equal names and values counted twice, minus the costs of gaps and jumps. So three functions pasted in another order become
// three matches. A function is not aligned with a similar one if names tell them apart.

// jumpCost is the length of the shortest run. The runs between two jumps must count more than an accident.
func jumpCost(p Params) int { return p.MinRun }

// bridgeCost is half of a fit plus a quarter of the gap, at most the cost of a jump. If gaps cost less, similar functions become
// chains. Of 480 functions that were renamed and reordered, 464 were found with this cost, 454 with an eighth of the gap alone.
func bridgeCost(gap int, p Params) int { return min(p.MinFit/2+gap/4, jumpCost(p)) }

// scoreWithout returns the score of the run if it loses some tokens.
func (s stop) scoreWithout(less int) int {
	n := int(s.run.Len) - less
	return n + int(s.agree)*n/int(s.run.Len)
}

// route returns the matches of the best route through runs, ascending by target: its segments with at least p.Least tokens.
func route(target, origin Side, runs []Run, p Params) []Match {
	w := spaces.Get().(*space)
	defer spaces.Put(w)
	w.stops = w.stops[:0]
	for r := range withoutNested(runs) {
		w.stops = append(w.stops, stop{run: r, agree: int32(agreeing(&target, &origin, r))})
	}
	ms := w.segments(w.follow(p), p.Least)
	for i := 1; i < len(ms); i++ {
		divide(target, origin, ms[i-1], ms[i], p)
	}
	for i := range ms {
		ms[i].Runs = slices.DeleteFunc(ms[i].Runs, func(r Run) bool { return r.Len == 0 })
	}
	return slices.DeleteFunc(ms, func(m Match) bool { return len(m.Runs) == 0 })
}

// segments returns the parts between two jumps of the route that ends at a stop, if they have at least least tokens.
func (w *space) segments(end, least int) (ms []Match) {
	back := w.order[:0]
	for i := end; i >= 0; i = int(w.stops[i].prev) {
		back = append(back, int32(i))
	}
	w.order = back
	slices.Reverse(back)
	for first := 0; first < len(back); {
		last := first + 1
		for last < len(back) && !w.stops[back[last]].jump {
			last++
		}
		if m := w.segment(back[first:last], least); m.Runs != nil {
			ms = append(ms, m)
		}
		first = last
	}
	return ms
}

// segment joins the runs of stops, each cut at the end of the run before. It is empty if fewer than least tokens remain.
func (w *space) segment(stops []int32, least int) (m Match) {
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

// follow computes the best route to each stop, and returns the last stop of the best route of all.
func (w *space) follow(p Params) (best int) {
	stops, byEnd := w.stops, w.byEnd()
	done := -1 // the best of those that end before the current run
	for i := range stops {
		s := &stops[i]
		for ; stops[byEnd[0]].run.TargetEnd() <= s.run.Target; byEnd = byEnd[1:] {
			if done < 0 || stops[byEnd[0]].weight > stops[done].weight {
				done = int(byEnd[0])
			}
		}
		full := s.scoreWithout(0)
		s.prev, s.weight = -1, int32(full)
		take := func(j, w int, jump bool) {
			if w > int(s.weight) {
				s.prev, s.weight, s.jump = int32(j), int32(w), jump
			}
		}
		if done >= 0 {
			take(done, int(stops[done].weight)+full-jumpCost(p), true)
		}
		for j := i - 1; j >= max(0, i-lookback); j-- {
			a := &stops[j]
			if a.weight+int32(full) <= s.weight { // the usual case
				continue
			}
			over := int(a.run.TargetEnd()) - int(s.run.Target)
			if a.run.Target == s.run.Target || -over > p.MaxGap { // as usual in tables
				continue
			}
			if a.run.Origin < s.run.Origin && int(s.run.Origin)-int(a.run.OriginEnd()) <= p.MaxGap {
				if over, gap, ok := joint(a.run, s.run, p); ok {
					take(j, int(a.weight)+s.scoreWithout(over)-bridgeCost(gap, p), false)
				}
			}
			if over > 0 && over+p.MinFit <= int(s.run.Len) {
				take(j, int(a.weight)+s.scoreWithout(over)-jumpCost(p), true)
			}
		}
		if s.weight > stops[best].weight {
			best = i
		}
	}
	return best
}

// byEnd returns the stops in the order in which their runs end.
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

// agreeing counts the equal names and values of a run.
func agreeing(target, origin *Side, r Run) int {
	if target.Text == nil || origin.Text == nil {
		return 0
	}
	n := 0
	ts := target.Tokens[r.Target:r.TargetEnd()]
	if origin.Blocks == nil {
		os := origin.Tokens[r.Origin:r.OriginEnd()]
		for i := range ts {
			if t, o := &ts[i], &os[i]; hasText(t) && sameText(target.Text[t.Start:t.End], origin.Text[o.Start:o.End]) {
				n++
			}
		}
		return n
	}
	var room [64]lang.Span
	for toks, at := ts, r.Origin; len(toks) > 0; {
		some := min(len(room), len(toks))
		for i, o := range origin.Blocks.AppendSpans(room[:0], at, at+uint32(some)) {
			if t := &toks[i]; hasText(t) && sameText(target.Text[t.Start:t.End], origin.Text[o.Start:o.End]) {
				n++
			}
		}
		toks, at = toks[some:], at+uint32(some)
	}
	return n
}

// hasText reports whether the text of a token is compared, besides its kind.
func hasText(t *lang.Token) bool {
	return t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number
}

// sameText reports whether two texts are equal. In a table of numbers most differ in the last digit.
func sameText(a, b []byte) bool {
	n := len(a)
	return n == len(b) && (n == 0 || a[n-1] == b[n-1] && string(a) == string(b))
}

func equalText(target, origin *Side, t, o uint32) bool {
	at := &target.Tokens[t]
	if !hasText(at) {
		return false
	}
	from, to := origin.Span(o)
	return sameText(target.Text[at.Start:at.End], origin.Text[from:to])
}

// divide divides the target tokens that two neighbouring matches share between them, so that both keep at least p.Least tokens. If
// that is impossible, or there is no text, the longer match gets them all.
func divide(target, origin Side, a, b Match, p Params) {
	last, first := &a.Runs[len(a.Runs)-1], &b.Runs[0]
	from, to := max(first.Target, last.Target), last.TargetEnd()
	if from >= to {
		return
	}
	left, right := a.Tokens()-int(to-from), b.Tokens()-int(to-first.Target) // without the shared tokens
	low, high := int(from)+max(0, p.Least-left), int(to)-max(0, p.Least-right)
	at := to
	if low <= high && target.Text != nil && origin.Text != nil {
		at = border(target, origin, *last, *first, Interval{low, high})
	} else if left < right {
		at = from
	}
	*last, *first = last.until(at, ^uint32(0)), first.from(at, 0)
}

// border returns the position, from the beginning to the end of an interval, where run a ends and b begins. If names differ between the two origins, they decide.
// Otherwise the border is the outermost beginning of a line in both the target and b's origin, where a function is likely to
// begin.
func border(target, origin Side, a, b Run, in Interval) uint32 {
	type place struct{ names, begins, depth int }
	from, to := uint32(in.From), uint32(in.To)
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

// indented limits the indentation that is searched for, in bytes. It keeps long comments from being read.
const indented = 256

// indent returns the indentation in bytes of a line that begins with token i, or -1 if none does. The end of the stream has
// indentation 0.
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

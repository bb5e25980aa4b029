package match

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

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

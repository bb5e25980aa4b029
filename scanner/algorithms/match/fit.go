package match

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// box is where a run is searched: target tokens [t0, t1) and origin tokens [o0, o1).
type box struct{ t0, t1, o0, o1 uint32 }

// fit adds shorter runs, which fingerprints cannot find: between the runs of a chain, and beyond its ends in derived code. It
// stays within the target tokens of free.
func fit(t []lang.Token, o *Side, m Match, free Interval, p Params) Match {
	n := len(m.Runs)
	before := grow(m.Runs[0], func(r Run) Run { return nextBefore(t, o, r, uint32(free.From), p) })
	behind := grow(m.Runs[n-1], func(r Run) Run { return nextBehind(t, o, r, uint32(free.To), p) })
	if n == 1 && len(before)+len(behind) == 0 {
		return m
	}
	out := make([]Run, 0, len(before)+n+len(behind))
	out = append(out, before...)
	slices.Reverse(out)
	out = append(out, m.Runs[0])
	for i, r := range m.Runs[1:] {
		a := m.Runs[i]
		out = append(out, between(t, o, box{a.TargetEnd(), r.Target, a.OriginEnd(), r.Origin}, p.MinFit)...)
		out = append(out, r)
	}
	return Match{append(out, behind...)}
}

// between returns the common runs of a box. It takes the longest and then searches the rest on both sides of it, which is
// Ratcliff and Obershelp's scheme. MaxGap limits the gaps.
func between(t []lang.Token, o *Side, b box, least int) []Run {
	r := longest(t, o, b, least)
	if r.Len == 0 {
		return nil
	}
	left := between(t, o, box{b.t0, r.Target, b.o0, r.Origin}, least)
	return append(append(left, r), between(t, o, box{r.TargetEnd(), b.t1, r.OriginEnd(), b.o1}, least)...)
}

// longest returns the longest common run of a box if it has at least least tokens, and the first of equal length. Such a
// run covers one of every least positions, so only these are compared with the other side.
func longest(t []lang.Token, o *Side, b box, least int) Run {
	var best Run
	if least < 1 || int(b.t1)-int(b.t0) < least || int(b.o1)-int(b.o0) < least {
		return best
	}
	var room [2 * growWindow]lang.Shape
	in, out := t[b.t0:b.t1], o.appendShapes(room[:0], b.o0, b.o1)
	for i := least - 1; i < len(in); i += least {
		kind, class := in[i].Kind, in[i].Class
		for j := range out {
			if out[j].Kind != kind || out[j].Class != class {
				continue
			}
			before, behind := 0, 1 // equal tokens before the pair, and from it on
			for before < min(i, j) && equal(&in[i-before-1], out[j-before-1]) {
				before++
			}
			for i+behind < len(in) && j+behind < len(out) && equal(&in[i+behind], out[j+behind]) {
				behind++
			}
			if n := before + behind; n >= least {
				if r := (Run{b.t0 + uint32(i-before), b.o0 + uint32(j-before), uint32(n)}); r.Len > best.Len || r.Len == best.Len && r.Target < best.Target {
					best = r
				}
			}
		}
	}
	return best
}

func equal(t *lang.Token, o lang.Shape) bool { return t.Kind == o.Kind && t.Class == o.Class }

// growWindow is how far beyond an end a continuation is searched, in tokens: about three lines. Wider windows find accidents.
const growWindow = 24

// grow continues a chain from its run at an end. next returns the run that follows another across a small gap, or an empty one.
func grow(end Run, next func(Run) Run) (out []Run) {
	for r := next(end); r.Len > 0; r = next(r) {
		out = append(out, r)
	}
	return out
}

// nextBehind returns a run that follows r. It ends at target token end at the latest.
func nextBehind(t []lang.Token, o *Side, r Run, end uint32, p Params) Run {
	reach := uint32(growWindow + p.MinFit)
	t0, o0 := r.TargetEnd(), r.OriginEnd()
	core := longest(t, o, box{t0, min(t0+reach, end), o0, min(o0+reach, uint32(o.Len()))}, p.MinFit)
	if core.Len == 0 {
		return core
	}
	return extend(t, o, Seed{core.Target, core.Origin}).from(t0, o0).until(end, ^uint32(0))
}

// nextBefore returns a run that precedes r. It begins at target token begin at the earliest.
func nextBefore(t []lang.Token, o *Side, r Run, begin uint32, p Params) Run {
	reach := uint32(growWindow + p.MinFit)
	t1, o1 := r.Target, r.Origin
	core := longest(t, o, box{max(t1-min(t1, reach), begin), t1, o1 - min(o1, reach), o1}, p.MinFit)
	if core.Len == 0 {
		return core
	}
	return extend(t, o, Seed{core.Target, core.Origin}).until(t1, o1).from(begin, 0)
}

// from cuts the part of a run before a position on either side.
func (r Run) from(target, origin uint32) Run {
	cut := uint32(max(0, int(target)-int(r.Target), int(origin)-int(r.Origin)))
	if cut >= r.Len {
		return Run{}
	}
	return Run{r.Target + cut, r.Origin + cut, r.Len - cut}
}

// until cuts the part of a run after a position on either side.
func (r Run) until(target, origin uint32) Run {
	cut := uint32(max(0, int(r.TargetEnd())-int(target), int(r.OriginEnd())-int(origin)))
	if cut >= r.Len {
		return Run{}
	}
	return Run{r.Target, r.Origin, r.Len - cut}
}

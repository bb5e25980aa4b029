package match

// Arithmetic of runs: what two matches share, and what is left of one.

// Shared counts the target tokens that the runs of two matches share. Gaps do not count.
func Shared(a, b []Run) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		aEnd, bEnd := a[i].Target+a[i].Len, b[j].Target+b[j].Len
		n += max(0, int(min(aEnd, bEnd))-int(max(a[i].Target, b[j].Target)))
		if aEnd < bEnd {
			i++
		} else {
			j++
		}
	}
	return n
}

// SharedSpan is a stretch of the target that two origins share: its beginning in each origin, and its length.
type SharedSpan struct{ A, B, Len uint32 }

// InBoth lists the stretches of the target that are in runs of both matches.
func InBoth(a, b []Run) (out []SharedSpan) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		from, to := max(a[i].Target, b[j].Target), min(a[i].TargetEnd(), b[j].TargetEnd())
		if from < to {
			out = append(out, SharedSpan{a[i].Origin + from - a[i].Target, b[j].Origin + from - b[j].Target, to - from})
		}
		if a[i].TargetEnd() < b[j].TargetEnd() {
			i++
		} else {
			j++
		}
	}
	return out
}

// Clip returns the parts of runs within an interval of the target.
func Clip(runs []Run, v Interval) (out []Run) {
	for _, r := range runs {
		from, to := max(r.Target, uint32(v.From)), min(r.TargetEnd(), uint32(v.To))
		if from < to {
			out = append(out, Run{Target: from, Origin: r.Origin + from - r.Target, Len: to - from})
		}
	}
	return out
}

// Follows reports whether run b begins on both sides where a ends.
func Follows(a, b Run) bool { return a.TargetEnd() == b.Target && a.OriginEnd() == b.Origin }

// Outside returns the parts of a run whose target tokens are in no other run.
func (r Run) Outside(others []Run) (out []Run) {
	from := r.Target
	leave := func(to uint32) {
		if from < to {
			out = append(out, Run{Target: from, Origin: r.Origin + from - r.Target, Len: to - from})
		}
	}
	for _, o := range others {
		if o.TargetEnd() > from && o.Target < r.TargetEnd() {
			leave(o.Target)
			from = o.TargetEnd()
		}
	}
	leave(r.TargetEnd())
	return out
}

// Between returns the part of a run that is between the same two runs in the origin as in the target.
func (r Run) Between(others []Run) Run {
	from, to := r.Origin, r.OriginEnd()
	for _, o := range others {
		if o.Target < r.Target {
			from = max(from, o.OriginEnd())
		} else {
			to = min(to, o.Origin)
		}
	}
	if from >= to {
		return Run{}
	}
	return Run{Target: r.Target + from - r.Origin, Origin: from, Len: to - from}
}

// Covered marks the target tokens of runs. n is the length of the target.
func Covered(n int, runs []Run) []bool {
	out := make([]bool, n)
	for _, r := range runs {
		for i := range r.Len {
			out[r.Target+i] = true
		}
	}
	return out
}

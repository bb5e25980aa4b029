package match

import (
	"cmp"
	"slices"
)

// takenTokens are the target tokens of matches, ascending and disjoint.
type takenTokens []Interval

func (iv *takenTokens) add(m Match) {
	for _, r := range m.Runs {
		i := iv.from(int(r.Target))
		*iv = slices.Insert(*iv, i, Interval{int(r.Target), int(r.TargetEnd())})
	}
}

// around returns the free interval around a match, in a target of n tokens. Intervals in the gaps of the match are ignored.
func (iv takenTokens) around(m Match, n int) (free Interval) {
	from, to := m.Target()
	free.To = n
	i := iv.from(int(from))
	if i > 0 {
		free.From = iv[i-1].To
	}
	for ; i < len(iv); i++ {
		if iv[i].From >= int(to) {
			free.To = iv[i].From
			break
		}
	}
	return free
}

// from returns the index of the first interval that begins at a token or after it.
func (iv takenTokens) from(token int) int {
	i, _ := slices.BinarySearchFunc(iv, token, func(v Interval, token int) int { return cmp.Compare(v.From, token) })
	return i
}

// free appends the free pieces of a run that have at least least tokens.
func (iv takenTokens) free(dst []Run, r Run, least int) []Run {
	for i := iv.behind(r.Target); int(r.Len) >= max(least, 1); i++ {
		if i == len(iv) || iv[i].From >= int(r.TargetEnd()) {
			return append(dst, r)
		}
		if head := r.until(uint32(iv[i].From), ^uint32(0)); int(head.Len) >= least && head.Len > 0 {
			dst = append(dst, head)
		}
		r = r.from(uint32(iv[i].To), 0)
	}
	return dst
}

// behind returns the index of the first interval that ends after a token.
func (iv takenTokens) behind(token uint32) int {
	i, _ := slices.BinarySearchFunc(iv, token, func(v Interval, token uint32) int { return cmp.Compare(v.To, int(token)+1) })
	return i
}

// clear reports whether a match has no token in the taken.
func (iv takenTokens) clear(m Match) bool {
	from, _ := m.Target()
	i := iv.behind(from)
	for _, r := range m.Runs {
		for i < len(iv) && iv[i].To <= int(r.Target) {
			i++
		}
		if i < len(iv) && iv[i].From < int(r.TargetEnd()) {
			return false
		}
	}
	return true
}

// subtract returns the parts of a match outside the taken, split where tokens are removed.
func (iv takenTokens) subtract(m Match) []Match {
	if iv.clear(m) {
		return []Match{m}
	}
	from, _ := m.Target()
	i := iv.behind(from)
	var out []Match
	var part []Run
	for _, r := range m.Runs {
		for r.Len > 0 {
			for i < len(iv) && iv[i].To <= int(r.Target) {
				i++
			}
			if i == len(iv) || iv[i].From >= int(r.TargetEnd()) {
				part = append(part, r)
				break
			}
			if head := r.until(uint32(iv[i].From), ^uint32(0)); head.Len > 0 {
				part = append(part, head)
			}
			if len(part) > 0 {
				out, part = append(out, Match{part}), nil
			}
			r = r.from(uint32(iv[i].To), 0)
		}
	}
	if len(part) > 0 {
		out = append(out, Match{part})
	}
	return out
}

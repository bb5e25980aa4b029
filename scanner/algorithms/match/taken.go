package match

import (
	"cmp"
	"slices"
)

// takenTokens are the target tokens of matches: half-open intervals, ascending and disjoint.
type takenTokens [][2]uint32

func (iv *takenTokens) add(m Match) {
	for _, r := range m.Runs {
		i, _ := slices.BinarySearchFunc(*iv, r.Target, func(e [2]uint32, from uint32) int { return cmp.Compare(e[0], from) })
		*iv = slices.Insert(*iv, i, [2]uint32{r.Target, r.TargetEnd()})
	}
}

// around returns the free interval around a match, in a target of n tokens. Intervals in the gaps of the match are ignored.
func (iv takenTokens) around(m Match, n int) (free [2]uint32) {
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
func (iv takenTokens) free(dst []Run, r Run, least int) []Run {
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
func (iv takenTokens) behind(token uint32) int {
	i, _ := slices.BinarySearchFunc(iv, token, func(e [2]uint32, token uint32) int { return cmp.Compare(e[1], token+1) })
	return i
}

// clear reports whether a match has no token in the taken.
func (iv takenTokens) clear(m Match) bool {
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

package match

import (
	"cmp"
	"iter"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

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
	taken := make(takenTokens, 0, len(runs))
	for _, m := range ms {
		taken.add(m)
	}
	out := fitted(target.Tokens, &origin, ms, &taken, p)
	out = append(out, others(target, origin, runs, &taken, p)...)
	out = join(out, p)
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Tokens(), a.Tokens()) })
	return out
}

// fitted fits the matches of the route, longest first, and drops tokens that are already taken.
func fitted(t []lang.Token, o *Side, ms []Match, taken *takenTokens, p Params) []Match {
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
func others(target, origin Side, runs []Run, taken *takenTokens, p Params) (out []Match) {
	t, o := target.Tokens, &origin
	left := make([]Run, 0, len(runs))
	for _, r := range runs {
		left = taken.free(left, r, p.MinRun)
	}
	ms, cut := chain(left, p)
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

// Contested sorts runs by target and reports whether two of them overlap, so that names and layout must decide. Arrange then
// needs the text of both sides.
func Contested(runs []Run) bool {
	slices.SortFunc(runs, compareRuns)
	end := uint32(0)
	for r := range withoutNested(runs) {
		if r.Target < end {
			return true
		}
		end = r.TargetEnd()
	}
	return false
}

// withoutNested yields the sorted runs. It leaves out runs within a run of more than twice their length, which gets the tokens in any
// case.
func withoutNested(runs []Run) iter.Seq[Run] {
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

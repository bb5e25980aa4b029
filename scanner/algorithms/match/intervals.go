package match

import (
	"cmp"
	"slices"
)

// Interval is a half-open stretch of target tokens.
type Interval struct{ From, To int }

// Length returns the sum of the lengths of intervals.
func Length(is []Interval) (n int) {
	for _, v := range is {
		n += v.To - v.From
	}
	return n
}

// Contains reports whether a token is in one of the intervals.
func Contains(is []Interval, at int) bool {
	return slices.ContainsFunc(is, func(v Interval) bool { return v.From <= at && at < v.To })
}

// Count returns how many tokens are masked.
func Count(masked []bool) (n int) {
	for _, m := range masked {
		if m {
			n++
		}
	}
	return n
}

// Without removes masked tokens from intervals.
func Without(is []Interval, masked []bool) []Interval {
	if masked == nil {
		return is
	}
	var out []Interval
	for _, v := range is {
		for i := v.From; i < v.To; i++ {
			if masked[i] {
				continue
			}
			if n := len(out); n > 0 && out[n-1].To == i {
				out[n-1].To++
			} else {
				out = append(out, Interval{From: i, To: i + 1})
			}
		}
	}
	return out
}

// Union sorts intervals and merges those that overlap, in place.
func Union(iv []Interval) []Interval {
	slices.SortFunc(iv, func(a, b Interval) int { return cmp.Compare(a.From, b.From) })
	out := iv[:0]
	for _, v := range iv {
		if n := len(out); n > 0 && v.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, v.To)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// CountContaining counts the intervals that contain a token.
func CountContaining(is []Interval, at int) (n int) {
	for _, v := range is {
		if v.From <= at && at < v.To {
			n++
		}
	}
	return n
}

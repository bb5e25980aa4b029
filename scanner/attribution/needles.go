package attribution

import (
	"strings"
	"sync"
)

// needles holds strings by their first two bytes. Every line with a statement contains at least one of them, in upper or lower
// case. Nearly all comment lines contain none, and are rejected in one pass.
type needles [1 << 10][]string

func pairOf(a, b byte) int { return int(a&31)<<5 | int(b&31) }

var allNeedles = sync.OnceValue(func() *needles {
	var ns needles
	add := func(s string) { p := pairOf(s[0], s[1]); ns[p] = append(ns[p], s) }
	for _, s := range []string{"spdx-snippet", "pkg:", licensedTo} {
		add(s)
	}
	for _, t := range tags {
		add(t.name)
	}
	for _, s := range signs {
		add(s)
	}
	for _, v := range verbs {
		add(v.word)
	}
	for _, p := range phrases {
		add(p.words)
	}
	for h := range hosts {
		add(h)
	}
	return &ns
})

// speaks reports quickly whether a line may contain a statement. Lines with other characters than ASCII always may, because their
// lower case can have another length.
func speaks(s string) bool {
	ns := allNeedles()
	for i := range len(s) {
		if s[i] >= 0x80 {
			return true
		}
		if i+1 == len(s) {
			break
		}
		for _, n := range ns[pairOf(s[i], s[i+1])] {
			if len(s)-i >= len(n) && strings.EqualFold(s[i:i+len(n)], n) {
				return true
			}
		}
	}
	return false
}

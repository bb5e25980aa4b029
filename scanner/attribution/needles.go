package attribution

import (
	"strings"
	"sync"
)

// needles are what a line has at least one of, in any case, if it states
// anything, by their first two bytes. Nearly all lines of comments have none and
// are done with in one pass.
type needles [1 << 10][]string

func pairOf(a, b byte) int { return int(a&31)<<5 | int(b&31) }

var allNeedles = sync.OnceValue(func() *needles {
	var ns needles
	add := func(s string) { p := pairOf(s[0], s[1]); ns[p] = append(ns[p], s) }
	for _, s := range []string{"spdx-snippet", "pkg:"} {
		add(s)
	}
	for _, t := range tags {
		add(t.name)
	}
	for _, s := range signs {
		add(s)
	}
	for _, p := range phrases {
		add(p.words)
	}
	for h := range hosts {
		add(h)
	}
	return &ns
})

// speaks tells quickly whether a line may state something. What is not ASCII has
// other forms in lower case and is looked at more closely.
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

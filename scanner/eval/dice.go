package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"unicode"
)

// seed is part of every choice; another seed makes another evaluation.
const seed = "git-provenance evaluation 1"

// dice make choices that depend on the seed and a name alone.
type dice struct{ state uint64 }

func newDice(name ...any) *dice {
	sum := sha256.Sum256([]byte(seed + fmt.Sprint(name...)))
	return &dice{binary.LittleEndian.Uint64(sum[:])}
}

// upTo returns a number below n.
func (d *dice) upTo(n int) int {
	d.state += 0x9E3779B97F4A7C15
	x := d.state
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	x ^= x >> 31
	return int(x>>1) % n
}

// parts are what names are put together from: words programmers use, so that
// what is new to an excerpt is not new to the world.
var parts = []string{"alpha", "batch", "cell", "delta", "entry", "frame", "group", "holder", "item", "join", "kind", "limit",
	"mark", "node", "offset", "part", "query", "range", "slot", "total", "unit", "vector", "width", "zone"}

// name makes a name in the style of another: its case and about its length.
func (d *dice) name(like string) string {
	out := parts[d.upTo(len(parts))]
	if len(like) <= 2 {
		out = out[:1]
		if n := d.upTo(30); n > 0 {
			out += fmt.Sprint(n)
		}
	} else {
		second := parts[d.upTo(len(parts))]
		out += string(unicode.ToUpper(rune(second[0]))) + second[1:]
		if n := d.upTo(10); n > 6 {
			out += fmt.Sprint(n)
		}
	}
	if unicode.IsUpper(rune(like[0])) {
		out = string(unicode.ToUpper(rune(out[0]))) + out[1:]
	}
	return out
}

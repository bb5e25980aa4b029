package corpus

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"unicode"
)

// seed is part of every choice. Another seed makes another evaluation.
const seed = "git-provenance evaluation 1"

// Dice make choices that depend on the seed and a name alone.
type Dice struct{ state uint64 }

// NewDice returns separate dice for each name.
func NewDice(name ...any) *Dice {
	sum := sha256.Sum256([]byte(seed + fmt.Sprint(name...)))
	return &Dice{binary.LittleEndian.Uint64(sum[:])}
}

// UpTo returns a number below n.
func (d *Dice) UpTo(n int) int {
	d.state += 0x9E3779B97F4A7C15
	x := d.state
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	x ^= x >> 31
	return int(x>>1) % n
}

// parts are the parts of new names: words that programmers use, so that a name new in an excerpt is not unusual.
var parts = []string{"alpha", "batch", "cell", "delta", "entry", "frame", "group", "holder", "item", "join", "kind", "limit",
	"mark", "node", "offset", "part", "query", "range", "slot", "total", "unit", "vector", "width", "zone"}

// Name makes a name in the style of another: the same case and about the same length.
func (d *Dice) Name(like string) string {
	out := parts[d.UpTo(len(parts))]
	if len(like) <= 2 {
		out = out[:1]
		if n := d.UpTo(30); n > 0 {
			out += fmt.Sprint(n)
		}
	} else {
		second := parts[d.UpTo(len(parts))]
		out += string(unicode.ToUpper(rune(second[0]))) + second[1:]
		if n := d.UpTo(10); n > 6 {
			out += fmt.Sprint(n)
		}
	}
	if unicode.IsUpper(rune(like[0])) {
		out = string(unicode.ToUpper(rune(out[0]))) + out[1:]
	}
	return out
}

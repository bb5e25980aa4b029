package match

import (
	"math"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// Weights are the costs of a target's tokens in the light of what is common.
// They depend on the target alone and are worked out once for all its matches.
type Weights struct {
	common model.Common
	turns  []float32 // per token: cost as part of the commonest turn around it
	shape  []float64 // sums: bits that tokens [0,i) can carry without their names
	names  []name    // in the order of their tokens
	first  []int32   // names[first[i]:] are those at token i and behind
}

// name is a token whose text may be kept in a copy.
type name struct {
	hash   uint32
	bits   float32 // if it is kept, at its first occurrence in a match
	before int32   // token at which it occurs before, or -1
}

// repeatReach is the distance in tokens within which a turn that occurs again
// is taken as repeated by the bound of a match too.
const repeatReach = 64

// Common is a stretch of the target that many documents have: half-open tokens
// and the bits it costs as a whole.
type Common struct {
	From, To int
	Bits     float64
}

// Weigh works out the weights of a target. hash is that of the name sets a
// match will be bounded with, has which tokens they hold.
func Weigh(target Side, c model.Common, runs []Common, hash func([]byte) uint32, has func(lang.Token) bool) *Weights {
	n := len(target.Tokens)
	w := &Weights{common: c, turns: turnCosts(target.Tokens, c), shape: make([]float64, n+1), first: make([]int32, n+1)}
	for _, r := range runs {
		each := float32(r.Bits / float64(r.To-r.From))
		for i := r.From; i < r.To; i++ {
			w.turns[i] = min(w.turns[i], each)
		}
	}
	last := make(map[uint32]int32)
	again := repeats(target.Tokens)
	for i, t := range target.Tokens {
		w.first[i] = int32(len(w.names))
		bits := float64(w.turns[i])
		if again[i] {
			bits = min(bits, bitsTable)
		}
		switch {
		case t.Flags&lang.FlagImport != 0:
			bits = 0
		case has(t):
			text := target.text(uint32(i))
			h := hash(text)
			before, ok := last[h]
			if !ok {
				before = -1
			}
			w.names = append(w.names, name{h, float32(nameBits(c, text)), before})
			last[h] = int32(i)
			fallthrough
		case t.Class == lang.Identifier:
			if !again[i] {
				bits += bitsAgree
			}
		}
		w.shape[i+1] = w.shape[i] + bits
	}
	w.first[n] = int32(len(w.names))
	return w
}

// Most returns the bits that a match of the target tokens [from, to) carries at
// the very most, with a document that may have the names has says.
func (w *Weights) Most(from, to int, has func(hash uint32) bool) float64 {
	from, to = max(from, 0), min(to, len(w.turns))
	bits := w.shape[to] - w.shape[from]
	for _, n := range w.names[w.first[from]:w.first[to]] {
		if int(n.before) < from && has(n.hash) {
			bits += float64(n.bits)
		}
	}
	return bits
}

// repeats tells of each token whether the six up to it stood there before,
// repeatReach tokens back at most.
func repeats(toks []lang.Token) []bool {
	out := make([]bool, len(toks))
	last := make(map[turn]int, len(toks))
	var t turn
	for i, k := range toks {
		copy(t[:], t[1:])
		t[len(t)-1] = k.Kind
		if i+1 < len(t) {
			continue
		}
		if before, ok := last[t]; ok && i-before <= repeatReach {
			out[i] = true
		}
		last[t] = i
	}
	return out
}

func turnCosts(toks []lang.Token, c model.Common) []float32 {
	kinds := make([]uint32, len(toks))
	for i, t := range toks {
		kinds[i] = t.Kind
	}
	cost := make([]float32, len(toks))
	for i := range cost {
		cost[i] = bitsNew
	}
	for _, n := range []int{model.LongTurn, model.ShortTurn} {
		for i := 0; i+n <= len(kinds); i++ {
			bits := c.Turn(kinds[i : i+n])
			if math.IsInf(bits, 1) {
				continue
			}
			each := float32(bits / float64(n))
			for j := i; j < i+n; j++ {
				cost[j] = min(cost[j], each)
			}
		}
	}
	return cost
}

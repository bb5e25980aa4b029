package derived

import (
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// Where the names around a seed recur all over a document, as in overloads of one method, they do not tell the position. Then short
// stretches of tokens with their names do: the position is the one on whose diagonal most of them agree.

// Limits of these stretches.
const (
	gramTokens = 4  // tokens of a stretch
	gramBand   = 16 // tokens by which positions differ that count together
	leastGrams = 6  // stretches that agree, at least
)

// bestByGrams finds the position in a document that has most short stretches of tokens in common with the function around one of the
// seeds.
func (se *Search) bestByGrams(d *documents.Document, seeds []match.Seed) (best match.Seed, ok bool) {
	most, around := leastGrams-1, surroundings(seeds, se.functionAround)
	if len(around) == 0 {
		return best, false
	}
	se.tokens = d.Stream.AppendTokens(se.tokens[:0], 0, uint32(d.Stream.Len()))
	for _, v := range around {
		if at, n := electGrams(se.text.Tokens[v.From:v.To], se.text.Text, se.tokens, d.Text()); n > most {
			at.Target += uint32(v.From)
			best, most, ok = at, n, true
		}
	}
	return best, ok
}

// functionAround returns the tokens of the function that a seed is in, or those around the seed if it is in none.
func (se *Search) functionAround(s match.Seed) match.Interval {
	f := functions.Innermost(se.text.Functions(), int(s.Target), int(s.Target)+1, 0)
	if f == nil || f.To-f.From < se.text.Rules.Params.T() {
		return se.nearby(s)
	}
	w := window(s.Target, alignReach, se.text.Rules.Params.K, len(se.text.Tokens))
	return match.Interval{From: max(f.From, w.From), To: min(f.To, w.To)}
}

// electGrams returns the pair of positions on whose diagonal most stretches of the target agree, and their number. A stretch that recurs
// in the origin counts once.
func electGrams(target []lang.Token, targetText []byte, origin []lang.Token, originText []byte) (best match.Seed, most int) {
	begins := make(map[uint64]int) // where a stretch begins in the target; -1 if it begins at several places
	var may [1 << 6]uint64         // by its lowest bits: whether begins may have a stretch
	eachGram(target, targetText, func(i int, g uint64) {
		if _, met := begins[g]; met {
			i = -1
		}
		begins[g], may[g>>6&63] = i, may[g>>6&63]|1<<(g&63)
	})
	agree := make(map[int][]match.Seed) // by diagonal
	eachGram(origin, originText, func(o int, g uint64) {
		if may[g>>6&63]>>(g&63)&1 == 0 {
			return
		}
		if at, met := begins[g]; met && at >= 0 {
			bin := (o - at + len(target)) / gramBand
			agree[bin] = append(agree[bin], match.Seed{Target: uint32(at), Origin: uint32(o)})
		}
	})
	counted := make([]int, len(target)) // by position in the target: 1 + the last diagonal for which its stretch counted
	for _, bin := range slices.Sorted(maps.Keys(agree)) {
		n := 0
		for _, list := range [][]match.Seed{agree[bin], agree[bin+1]} {
			for _, s := range list {
				if counted[s.Target] != bin+1 {
					counted[s.Target], n = bin+1, n+1
				}
			}
		}
		if list := agree[bin]; n > most {
			best, most = list[len(list)/2], n
		}
	}
	return best, most
}

// eachGram calls do with each stretch of gramTokens tokens: where it begins, and the hash of its tokens with their names.
func eachGram(tokens []lang.Token, text []byte, do func(at int, hash uint64)) {
	var last [gramTokens]uint64
	for i, t := range tokens {
		s, h := symbol(t, text, 0), uint64(0)
		last[i%gramTokens] = uint64(s.Kind)<<32 | uint64(s.Text)
		for k := range uint64(gramTokens) {
			h = (h ^ last[(uint64(i)+1+k)%gramTokens]) * 0x9E3779B97F4A7C15
		}
		if i >= gramTokens-1 {
			do(i-gramTokens+1, h^h>>32)
		}
	}
}

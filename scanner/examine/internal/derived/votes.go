package derived

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/algorithms/alignment"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
)

// A rare name of the target votes for each position that it has in a document. Votes whose positions are about as far apart on both
// sides count together, each with the bits of its name (alignment.Elect). The alignment begins where most votes agree.

// Limits of the votes.
const (
	rareName   = 3  // bits of a name that votes
	rareThere  = 4  // most positions of such a name in the document
	leastVotes = 16 // bits of the names that agree on a position, at least
)

// namePositions lists the positions of each name in a document. A list ends after rareThere + 1 positions, which shows that the
// name is too frequent to vote.
func (se *Search) namePositions(d *documents.Document) map[uint32][]uint32 {
	out := make(map[uint32][]uint32)
	for i := range uint32(d.Stream.Len()) {
		t := d.Stream.At(i)
		if !store.HasName(t) {
			continue
		}
		hash := max(1, hashOf(t, d.Text()))
		if at := out[hash]; len(at) <= rareThere {
			out[hash] = append(at, i)
		}
	}
	return out
}

// elect finds the position in a document on which most names of a stretch of the target agree, given the positions of its names.
// Tokens in taken do not vote.
func (se *Search) elect(positions func() map[uint32][]uint32, from, to int, taken []match.Interval) (match.Seed, bool) {
	best, bits := alignment.Elect(se.votes(match.Interval{From: from, To: to}, func(i int, hash uint32) []uint32 {
		if match.Contains(taken, i) {
			return nil
		}
		if at := positions()[hash]; len(at) <= rareThere {
			return at
		}
		return nil
	}))
	return best, bits >= leastVotes
}

// votes lists the positions that the rare names of a stretch of the target have in a document. at returns the positions of the
// name at a token.
func (se *Search) votes(v match.Interval, at func(token int, hash uint32) []uint32) (votes []alignment.Vote) {
	for i := v.From; i < v.To; i++ {
		hash, bits := se.text.Costs().Name(i)
		if hash == 0 || bits < rareName {
			continue
		}
		for _, o := range at(i, hash) {
			votes = append(votes, alignment.Vote{Seed: match.Seed{Target: uint32(i), Origin: o}, Name: hash, Bits: bits})
		}
	}
	return votes
}

// mostVotes returns the most bits that votesOn can find for one position: the bits of those rare names in a stretch of the target
// that the document may have.
func (se *Search) mostVotes(names store.NameSet, v match.Interval) (all float64) {
	c := se.text.Costs()
	var room [64]uint32
	met := room[:0]
	for i := v.From; i < v.To; i++ {
		hash, bits := c.Name(i)
		if hash == 0 || bits < rareName || slices.Contains(met, hash) {
			continue
		}
		if other := c.Other(i); names.Has(hash) || other != 0 && names.Has(other) {
			met, all = append(met, hash), all+bits
		}
	}
	return all
}

// votesOn lists the positions of a document with the rare names of a stretch of the target.
func (se *Search) votesOn(d *documents.Document, names store.NameSet, v match.Interval) []alignment.Vote {
	c := se.text.Costs()
	var texts [][]byte
	of := make(map[uint32][]uint32) // by hash: its texts, then its positions
	for i := v.From; i < v.To; i++ {
		hash, bits := c.Name(i)
		if _, met := of[hash]; hash == 0 || bits < rareName || met {
			continue
		}
		token, other := se.text.TextAt(uint32(i)), c.Other(i)
		if other != 0 {
			token = inQuotes(token, '"')
		}
		of[hash] = nil
		if names.Has(hash) {
			of[hash], texts = append(of[hash], uint32(len(texts))), append(texts, token)
		}
		if other != 0 && names.Has(other) {
			of[hash], texts = append(of[hash], uint32(len(texts))), append(texts, inQuotes(token, '\''))
		}
	}
	found := d.Find(texts, rareThere)
	for hash, list := range of {
		var at []uint32
		for _, text := range list {
			at = append(at, found[text]...)
		}
		of[hash] = at
	}
	return se.votes(v, func(_ int, hash uint32) []uint32 { return of[hash] })
}

// inQuotes returns a string in other quotes.
func inQuotes(token []byte, quote byte) []byte {
	out := bytes.Clone(token)
	out[0], out[len(out)-1] = quote, quote
	return out
}

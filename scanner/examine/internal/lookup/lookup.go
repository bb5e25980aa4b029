// Package lookup looks the fingerprints of one text up in the baselines. A hit is a fingerprint of the text that a baseline has. A
// seed is a pair of positions, in the text and in a document, that a hit proposes. Package prove verifies the seeds on the tokens.
//
//	Hits.Find        tokens → fingerprints → hits
//	Hits.Proposals   hits → seeds, document by document
//	Hits.Rare        hits → the hits of rare fingerprints
//	Hits.UnitsAt     hits → the number of directories (sampling units) in which a k-gram occurs
package lookup

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/hashes"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// MaxRepeats is how many positions of one fingerprint in one text are followed. A file of one repeated line has thousands. The
// ledger lists fingerprints with more.
const MaxRepeats = 256

// Key identifies a document by its baseline and its number there.
type Key struct {
	Baseline int
	ID       baseline.DocID
}

// Compare orders documents by baseline, then by number.
func (k Key) Compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Baseline, o.Baseline), cmp.Compare(k.ID, o.ID))
}

// Index is a set of baselines that agree in their parameters.
type Index struct {
	Baselines []*baseline.Baseline
	Keys      []fingerprint.Key // keys that the baselines were built with, each once
	Params    fingerprint.Params
	BaseCode  basecode.Set // k-grams that are not looked up
}

// Hits holds the hits of one text. Find replaces them and reuses the buffers; all other methods only read them. Not safe for
// concurrent use.
type Hits struct {
	index Index

	// fingerprints of the text
	prints []fingerprint.Fingerprint // by hash; those of one key then by position
	hashes []uint64
	first  []int // hashes[i] has the prints prints[first[i]:first[i+1]]

	// postings, by document and by hash
	number   [][]uint32 // by baseline and document: 1 + its index in docs; 0 if it has no hit
	docs     []Proposal
	postings []posting
	last     []int32 // by hash: 1 + the index of its last posting; 0 if it has none
	frequent []int   // by hash: sampling units that have it, if they are many
	counted  []int   // by hash: sampling units that have it; 0 if not counted yet

	// hits, by position in the text
	positions []uint64 // position and hash number
	at        []uint32 // by token: its first index in positions

	repeats []match.Interval // tokens of fingerprints with more than MaxRepeats positions

	// buffers of single steps
	seeds  []match.Seed
	order  []Proposal
	values []uint64
	grams  []uint64
	keyed  []uint64
	packed []uint64
	sorter hashes.Sorter[fingerprint.Fingerprint]
	units  []uint32
	met    [256]metUnit
	counts uint64
	rare   []Hit
}

// New returns an empty Hits.
func New(x Index) *Hits { return &Hits{index: x} }

// Tally counts positions and keeps the lowest position.
type Tally struct {
	N     int
	First uint32
}

// Add counts a position.
func (t *Tally) Add(pos uint32) {
	if t.N == 0 || pos < t.First {
		t.First = pos
	}
	t.N++
}

// Plus returns the positions of both.
func (t Tally) Plus(o Tally) Tally {
	if t.N == 0 || o.N > 0 && o.First < t.First {
		t.First = o.First
	}
	t.N += o.N
	return t
}

// Omitted lists the fingerprints that Find did not follow.
type Omitted struct {
	Masked       []bool // per token: base code; nil if there is none
	Fingerprints int    // distinct fingerprints of the text
	Capped       Tally  // fingerprints with more positions in the index than it stores
	Repeated     Tally  // fingerprints with more than MaxRepeats positions in the text
}

// Find collects the hits of a text in all baselines.
func (h *Hits) Find(ctx context.Context, l *lang.Language, tokens []lang.Token) (Omitted, error) {
	p := h.index.Params
	h.values = baseline.Values(h.values[:0], l, tokens)
	h.grams = fingerprint.KGrams(h.grams[:0], h.values, p.K)
	h.winnow(p.W)
	out := Omitted{Masked: h.mask(len(tokens))}
	h.sorter.Sort(h.prints, func(f fingerprint.Fingerprint) uint64 { return f.Hash })
	h.hashes, h.first = h.hashes[:0], h.first[:0]
	for i, f := range h.prints {
		if i == 0 || f.Hash != h.prints[i-1].Hash {
			h.hashes, h.first = append(h.hashes, f.Hash), append(h.first, i)
		}
	}
	h.first = append(h.first, len(h.prints))
	h.reset()
	out.Fingerprints = len(h.hashes)
	full := make([]bool, len(h.hashes))
	for base, b := range h.index.Baselines {
		err := b.Lookup(ctx, h.hashes, func(i int, count uint64, ps []baseline.Posting) error {
			at := h.positionsOf(i)
			if count > uint64(len(ps)) && !full[i] {
				full[i] = true
				out.Capped.Add(at[0].Pos)
			}
			if len(at) > MaxRepeats {
				out.Repeated.Add(at[0].Pos)
				for _, f := range at {
					h.repeats = append(h.repeats, match.Interval{From: int(f.Pos), To: int(f.Pos) + p.K})
				}
			}
			if len(ps) >= score.Frequent {
				h.frequent[i] += h.distinct(b, ps)
			}
			for _, posting := range ps {
				h.add(i, min(len(at), MaxRepeats), base, posting)
			}
			return nil
		})
		if err != nil {
			return out, err
		}
	}
	h.repeats = match.Union(h.repeats)
	h.sortPositions()
	return out, nil
}

// Repeats lists the tokens of the fingerprints of which only MaxRepeats positions are followed, such as those of a long table. A run can
// go on there without a seed.
func (h *Hits) Repeats() []match.Interval { return h.repeats }

// Hashes returns the hashes of fingerprints, ascending and each once, as baselines look them up.
func Hashes(prints []fingerprint.Fingerprint) []uint64 {
	out := make([]uint64, len(prints))
	for i, f := range prints {
		out[i] = f.Hash
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// positionsOf lists the positions of a hash in the text. hash is its number.
func (h *Hits) positionsOf(hash int) []fingerprint.Fingerprint {
	return h.prints[h.first[hash]:h.first[hash+1]]
}

// mask marks the tokens that are base code, and drops the fingerprints that consist of base code. It uses the k-grams of the
// text.
func (h *Hits) mask(tokens int) []bool {
	k := h.index.Params.K
	masked := h.index.BaseCode.MaskedGrams(h.grams, tokens, k)
	if !slices.Contains(masked, true) {
		return nil
	}
	h.prints = slices.DeleteFunc(h.prints, func(f fingerprint.Fingerprint) bool {
		return !slices.Contains(masked[f.Pos:int(f.Pos)+k], false)
	})
	return masked
}

// winnow selects fingerprints in the order of each key that a baseline was built with. Fingerprints of other keys can hit a
// baseline by accident only, and the proof rejects them.
func (h *Hits) winnow(w int) {
	h.prints = h.prints[:0]
	for _, k := range h.index.Keys {
		grams := h.grams
		if !k.IsZero() {
			h.keyed = append(h.keyed[:0], h.grams...)
			k.Order(h.keyed)
			grams = h.keyed
		}
		h.prints = fingerprint.WinnowTies(h.prints, grams, w)
	}
}

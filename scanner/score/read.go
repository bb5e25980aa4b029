package score

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/score/internal/pairing"
)

// Read counts what both sides of a match have. Without the text of either side it only reads the order of the tokens. The tokens
// of the runs are valid until the next call with the same costs.
func Read(target, origin match.Side, m match.Match, c *Costs) Readings {
	return ReadBeside(target, origin, m, nil, c)
}

// ReadBeside is Read without the matched tokens that are fixed, as if the match did not contain them. fixed has an entry for each
// matched token; nil means that none is fixed. An unchanged name that also occurs among fixed tokens carries no bits.
func ReadBeside(target, origin match.Side, m match.Match, fixed []bool, c *Costs) Readings {
	var r Readings
	r.read(target, origin, m, fixed, c)
	return r
}

// read is ReadBeside. Readings that are mute get no texts, and their names are valid until the next call with the same costs.
func (r *Readings) read(target, origin match.Side, m match.Match, fixed []bool, c *Costs) {
	r.Runs, r.Edited, r.Omitted = c.runs(target.Tokens, m, fixed), m.Edited(target, origin), target.Omitted
	for _, f := range fixed {
		if f {
			r.Fixed++
		}
	}
	if target.Text == nil || origin.Text == nil {
		return
	}
	r.Compared = true
	r.names(target, origin, m, fixed, c)
	r.literals(target, origin, m, c.frequencies)
	r.edges(target, origin, m, c.nesting(m))
	if target.Prose && !r.mute {
		r.words = c.phrase(target, m)
	}
}

// EvidenceOf reads a match and computes its evidence with the weights of the costs.
func EvidenceOf(target, origin match.Side, m match.Match, c *Costs) Evidence {
	return c.w.Weigh(Read(target, origin, m, c))
}

// BitsOf returns the bits of EvidenceOf alone, with less work.
func BitsOf(target, origin match.Side, m match.Match, c *Costs) float64 {
	r := Readings{mute: true}
	r.read(target, origin, m, nil, c)
	return c.w.Weigh(r).Bits
}

// readBuffers are the buffers of one reading. The runs of its Readings lie in tokens.
type readBuffers struct {
	pairs  pairs
	met    ngramSet // of the match
	fresh  []bool   // of its tokens
	tokens []Token
}

// runs reads the tokens of each run. It marks the matched tokens that are fresh: those that do more than repeat six tokens of the
// match.
func (c *Costs) runs(toks []lang.Token, m match.Match, fixed []bool) []Run {
	from, to := m.Target()
	c.prepare(int(from), int(to))
	c.reading.met.Reset(2 * m.Tokens())
	c.reading.fresh, c.reading.tokens = c.reading.fresh[:0], slices.Grow(c.reading.tokens[:0], m.Tokens())
	out := make([]Run, len(m.Runs))
	for n, r := range m.Runs {
		if n > 0 {
			before := m.Runs[n-1]
			out[n].Target, out[n].Origin = int(r.Target-before.TargetEnd()), int(r.Origin-before.OriginEnd())
		}
		first := len(c.reading.tokens)
		for at := r.Target; at < r.TargetEnd(); at++ {
			if n := len(c.reading.fresh); toks[at].Flags&lang.FlagImport != 0 || fixed != nil && fixed[n] {
				c.reading.fresh = append(c.reading.fresh, false)
				continue
			}
			before := c.reading.met.repeated(toks[r.Target : at+1])
			c.reading.fresh = append(c.reading.fresh, before < six)
			c.reading.tokens = append(c.reading.tokens, Token{int32(before), c.index[at], c.ngram[at]})
		}
		out[n].Tokens = c.reading.tokens[first:len(c.reading.tokens):len(c.reading.tokens)]
	}
	return out
}

// names makes the one-to-one map. The most frequent pair is taken first, and each name once. Of equally frequent pairs the first
// is taken.
func (r *Readings) names(target, origin match.Side, m match.Match, fixed []bool, c *Costs) {
	origins, targets, pairs := c.pairsOf(target, origin, m, fixed)
	w := &c.reading.pairs
	w.fwd, w.rev = zeroed(w.fwd, len(origins)), zeroed(w.rev, len(targets))
	w.kin.Reset()
	w.series.Find(origins, targets, pairs)
	w.kin.Whole = target.Scoped
	fwd, rev := w.fwd, w.rev
	if r.mute {
		w.was, w.is = zeroed(w.was, len(origins)), zeroed(w.is, len(targets))
		r.Names, r.Renames = w.names[:0], w.renames[:0]
		defer func() { w.names, w.renames = r.Names, r.Renames }()
	} else {
		w.was, w.is = texts(w.was[:0], origins), texts(w.is[:0], targets)
		r.Names = slices.Grow(r.Names, len(pairs))
	}
	for _, p := range pairs {
		if p.Count == 0 {
			continue
		}
		from, to := origins[p.Origin], targets[p.Target]
		n := Name{Fate: Renamed, Count: p.Count, Told: p.Told, text: w.was[p.Origin]}
		switch {
		case fwd[p.Origin] || rev[p.Target]:
			n.Fate = Against
		case bytes.Equal(from, to):
			n.Fate = Same
			if !p.Fixed && !model.FixedName(from) { // such names carry no bits
				n.Rarity = rarity(c.frequencies, from, len(from))
				if !n.Platform {
					n.Rarity = n.Rarity.times(w.series.Worth(from))
				}
			}
			n.Short, n.Own = len(from) <= shortName, len(from) >= ownName
			r.Unchanged += p.Count
		default:
			n.Akin = w.kin.Met(from, to)
			r.Renames = append(r.Renames, Rename{n.text, w.is[p.Target], p.Count})
		}
		if n.Fate != Against {
			fwd[p.Origin], rev[p.Target] = true, true
		}
		r.Names = append(r.Names, n)
		r.Identifiers += p.Count
	}
}

// texts appends names as strings that share one allocation.
func texts(dst []string, names [][]byte) []string {
	size := 0
	for _, n := range names {
		size += len(n)
	}
	var all strings.Builder
	all.Grow(size)
	for _, n := range names {
		all.Write(n)
	}
	rest := all.String()
	for _, n := range names {
		dst, rest = append(dst, rest[:len(n)]), rest[len(n):]
	}
	return dst
}

// Owned lists the unchanged names that carry more bits than one that a platform declares.
func (r *Readings) Owned(w *Weights) (out []string) {
	for _, n := range r.Names {
		if n.Fate == Same && w.name(n.Rarity) > w.Platform {
			out = append(out, n.text)
		}
	}
	return out
}

// pairsOf lists the names of both sides and their pairs, the most frequent pair first. They are valid until the next call.
func (c *Costs) pairsOf(target, origin match.Side, m match.Match, fixed []bool) (origins, targets [][]byte, _ []pairing.Pair) {
	table := &c.reading.pairs.table
	table.Reset()
	n := -1
	for _, r := range m.Runs {
		for i := range r.Len {
			n++
			at := r.Target + i
			if t := &target.Tokens[at]; t.Class != lang.Identifier || t.Flags&lang.FlagImport != 0 {
				continue
			}
			from, to, hash := origin.TextAt(r.Origin+i), target.TextAt(at), c.hashes[at]
			was := hash
			if !bytes.Equal(from, to) {
				was = max(1, model.NameHash(from))
			}
			p := table.Pair(pairing.Name{Text: from, Hash: was}, pairing.Name{Text: to, Hash: hash})
			if fixed != nil && fixed[n] {
				p.Fixed = true
				continue
			}
			p.Count++
			if c.reading.fresh[n] {
				p.Told++
			}
		}
	}
	return table.Sorted()
}

// phraseWords is how many words of prose are shown as evidence.
const phraseWords = 6

// phrase returns the rarest consecutive words of a match in prose: those with most bits by the models, then the longest, then the
// first.
func (c *Costs) phrase(target match.Side, m match.Match) string {
	best, words := phraseOf{}, make([]uint32, 0, phraseWords)
	for _, r := range m.Runs {
		words = words[:0]
		for at := r.Target; at < r.TargetEnd(); at++ {
			switch t := target.Tokens[at]; {
			case t.Flags&lang.FlagImport != 0: // the wording of a licence
				words = words[:0]
				continue
			case t.Class != lang.Word:
				continue
			}
			if words = append(words, at); len(words) > phraseWords {
				words = append(words[:0], words[1:]...)
			}
			if p := c.rarity(target, words); p.rarer(best) {
				best = p
			}
		}
	}
	return best.text(target)
}

// phraseOf is a range of tokens, with its number of words, bytes and bits.
type phraseOf struct {
	from, to     uint32
	words, bytes int
	bits         float32
}

func (c *Costs) rarity(target match.Side, words []uint32) phraseOf {
	p := phraseOf{from: words[0], to: words[len(words)-1] + 1, words: len(words)}
	for _, at := range words {
		p.bits += c.shape[at]
		p.bytes += int(target.Tokens[at].End - target.Tokens[at].Start)
	}
	return p
}

func (p phraseOf) rarer(q phraseOf) bool {
	switch {
	case p.words != q.words:
		return p.words > q.words
	case p.bits != q.bits:
		return p.bits > q.bits
	}
	return p.bytes > q.bytes
}

// text returns the tokens on one line. Text between tokens, such as control characters, is left out.
func (p phraseOf) text(target match.Side) string {
	var b strings.Builder
	for at := p.from; at < p.to; at++ {
		if at > p.from && target.Tokens[at].Start > target.Tokens[at-1].End {
			b.WriteByte(' ')
		}
		b.Write(target.TextAt(at))
	}
	return b.String()
}

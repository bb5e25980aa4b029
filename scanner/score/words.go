package score

import (
	"strings"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

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

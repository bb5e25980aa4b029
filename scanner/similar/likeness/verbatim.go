package likeness

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// verbatim has the runs of verbatimTokens tokens of a program with their text, by hash. Imports and comments are left out: they are
// added to a copy first. So are braces, which may stand around a single statement or not. No run crosses the end of a file: a copy may have
// its files in another order. Half of a hash is enough to compare two programs, and takes half the memory.
type verbatim []uint32

// nearVerbatim is the part of the runs that two programs share at least if they are alike word for word. Shorter runs would not see
// that two branches changed places.
const (
	verbatimTokens = 7
	nearVerbatim   = 0.8
)

func newVerbatim(words []uint32) verbatim {
	out := make(verbatim, 0, len(words))
	for _, g := range gramsOf(words, verbatimTokens) {
		out = append(out, uint32(g.hash>>32))
	}
	slices.Sort(out)
	return out
}

// near returns 1 for programs that are equal word for word. It falls to 0 if the longer one has a fifth of its runs for itself.
func (v verbatim) near(o verbatim) float64 {
	if len(v) < len(o) {
		v, o = o, v
	}
	n := float64(len(v))
	spare := int(n * (1 - nearVerbatim)) // runs that only the longer one may have
	if n == 0 || len(v)-len(o) > spare {
		return 0
	}
	alone := 0
	for _, h := range v {
		for len(o) > 0 && o[0] < h {
			o = o[1:]
		}
		if len(o) > 0 && o[0] == h {
			o = o[1:]
			continue
		}
		if alone++; alone > spare {
			return 0
		}
	}
	return 1 - float64(alone)/n/(1-nearVerbatim)
}

// name appends a token with its text to the words of which verbatim is made.
func (o *Outline) name(src []byte, t lang.Token) {
	if text := src[t.Start:t.End]; string(text) != "{" && string(text) != "}" {
		o.named = append(o.named, mix(t.Kind, text))
	}
}

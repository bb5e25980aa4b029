package text

import (
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// leastListed is the number of words in a row from which on they are a list. Alone, "May" and "red" are words of prose.
const leastListed = 5

// fixedLists returns the lists of words that the calendar or a standard fixes: days, months, colours. All people write the same words in
// the same order. A grammar reads the words of a list as names or literals, for which the score knows that; the word front-end reads
// them as words.
func fixedLists(text []byte, toks []lang.Token) (out []license.Span) {
	n, from, to := 0, 0, 0
	end := func() {
		if n >= leastListed {
			out = append(out, license.Span{From: from, To: to})
		}
		n = 0
	}
	for _, t := range toks {
		switch {
		case t.Class != lang.Word: // commas and quotes between the words
		case !model.FixedName(text[t.Start:t.End]):
			end()
		default:
			if n == 0 {
				from = int(t.Start)
			}
			n, to = n+1, int(t.End)
		}
	}
	end()
	return out
}

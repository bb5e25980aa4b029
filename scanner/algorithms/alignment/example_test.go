package alignment_test

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/scanner/algorithms/alignment"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Two versions of a line: the alignment crosses a renamed name and an insertion.
func Example() {
	symbols := func(text string) (out []alignment.Symbol) {
		for word := range strings.FieldsSeq(text) {
			s := alignment.Symbol{Kind: model.NameHash([]byte(word)), Gain: alignment.KeywordGain}
			if len(word) > 1 {
				s = alignment.Symbol{Kind: 1, Text: model.NameHash([]byte(word)), Gain: alignment.Gain(8)}
			}
			out = append(out, s)
		}
		return out
	}
	target := symbols("window . shift ( left , limit ) ; counter . reset ( ) ; queue . drain ( limit )")
	origin := symbols("window . shift ( left , bound ) ; queue . drain ( bound )")
	var a alignment.Aligner
	runs, _ := a.Align(target, origin, match.Seed{}, 10, 0)
	for _, r := range runs {
		fmt.Printf("%d tokens: %d of the target are %d of the origin\n", r.Len, r.Target, r.Origin)
	}
	// Output:
	// 7 tokens: 0 of the target are 0 of the origin
	// 6 tokens: 13 of the target are 7 of the origin
}

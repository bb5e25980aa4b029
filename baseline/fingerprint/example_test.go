package fingerprint_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// The guarantee: two streams that share 6 tokens, with k = 4 and w = 3, match at the true distance of the shared run,
// here 5-2 = 3.
func Example() {
	p := fingerprint.Params{K: 4, W: 3}
	value := func(kinds ...uint32) (values []uint64) {
		salt := fingerprint.FamilySalt("go")
		for _, kind := range kinds {
			values = append(values, fingerprint.Value(salt, kind))
		}
		return values
	}
	indexed := fingerprint.KGrams(nil, value(9, 8, 7, 6, 5, 1, 2, 3, 4, 1, 2), p.K)
	queried := fingerprint.KGrams(nil, value(30, 31, 1, 2, 3, 4, 1, 2, 32), p.K)

	fmt.Println(p, "guarantees runs of", p.T())
	for _, i := range fingerprint.WinnowRobust(nil, indexed, p.W) {
		for _, q := range fingerprint.WinnowTies(nil, queried, p.W) {
			if i.Hash == q.Hash {
				fmt.Println("met at distance", i.Pos-q.Pos)
			}
		}
	}
	// Output:
	// winnow1-k4-w3 guarantees runs of 6
	// met at distance 3
}

package collection

import (
	"slices"
	"testing"
)

// TestPrintList: each content gets back its fingerprints, also those that lie in several chunks.
func TestPrintList(t *testing.T) {
	var l printList
	var want [][]print
	for i, n := range []int{0, 3, printChunk - 4, 2, 0, 3*printChunk + 1, printChunk, 0} {
		ps := make([]print, n)
		for j := range ps {
			ps[j] = print{hash: uint64(i), at: uint32(j)}
		}
		l.add(ps)
		want = append(want, ps)
	}
	for i, ps := range want {
		var got []print
		l.each(int32(i), func(ps []print) { got = append(got, ps...) })
		if !slices.Equal(got, ps) {
			t.Errorf("content %d: %d fingerprints, want %d", i, len(got), len(ps))
		}
	}
}

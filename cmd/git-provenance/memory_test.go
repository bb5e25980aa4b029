package main

import "testing"

func TestGrowth(t *testing.T) {
	const mb = 1 << 20
	for live, want := range map[uint64]int{
		0: 1600, 4 * mb: 1600, 32 * mb: 200, 64 * mb: 100, 128 * mb: 100, 160 * mb: 60, 240 * mb: 25, 290 * mb: 25, 4000 * mb: 25,
	} {
		if got := growth(live); got != want {
			t.Errorf("%d MB: %d %%, want %d", live/mb, got, want)
		}
	}
}

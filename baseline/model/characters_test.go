package model_test

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/model"
)

// TestCharacters holds tables of character sets apart from tables of other numbers.
func TestCharacters(t *testing.T) {
	mac := []uint64{0xC4, 0xC5, 0xC7, 0xC9, 0xD1, 0xD6, 0xDC, 0xE1, 0x2020, 0xB0, 0xA2, 0xA3, 0xA7, 0x2022, 0xB6, 0xDF, 0xAE, 0xA9, 0x2122, 0x2260, 0x221E}
	big5 := []uint64{0x8546, 0x8564, 0x8541, 0x8562, 0x8544, 0x8551, 0x8547, 0x8563, 0x853E, 0x855B, 0x8571, 0x854E, 0x30A2, 0x3001}
	for name, table := range map[string][]uint64{"MacRoman": mac, "Big5": big5, "one strange number": append([]uint64{0xE000}, append(mac, mac...)...)} {
		if !model.Characters(table) {
			t.Errorf("%s is no table of characters", name)
		}
	}
	if model.Characters(mac[:5]) || model.Characters(nil) || model.Characters(make([]uint64, 100)) {
		t.Error("too few characters are a table")
	}
	var sums []uint64
	for _, n := range crc32.MakeTable(crc32.IEEE) {
		sums = append(sums, uint64(n>>16))
	}
	if model.Characters(sums) {
		t.Error("a table of checksums is one of characters")
	}
	dice, met := rand.New(rand.NewPCG(1, 2)), 0
	for range 10000 {
		table := make([]uint64, 18)
		for i := range table {
			table[i] = uint64(dice.UintN(1 << 16))
		}
		if model.Characters(table) {
			met++
		}
	}
	if met > 2 {
		t.Errorf("%d of 10000 random tables are characters", met)
	}
}

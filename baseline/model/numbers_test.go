package model

import (
	"fmt"
	"math"
	"testing"
)

// Small numbers are recognised without making the table of all numbers.
func TestSmallNumbers(t *testing.T) {
	for n := range uint64(math.MaxUint16 + 2) {
		if got, want := FixedValue(fmt.Append(nil, n)), fixedNumbers()[n]; got != want {
			t.Errorf("%d: %v, of all numbers %v", n, got, want)
		}
	}
}

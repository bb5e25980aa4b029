package finding

import (
	"fmt"
	"math"
	"strings"
)

// Count returns a number with its noun, in the plural unless the number is 1.
func Count(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Was returns the verb after a number of things: "was" for one, otherwise "were".
func Was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// Plural returns the plural of a noun.
func Plural(noun string) string {
	if strings.HasSuffix(noun, "ch") {
		return noun + "es"
	}
	return noun + "s"
}

// Round rounds to three decimals, so that reports are short and equal on every machine.
func Round(x float64) float64 { return math.Round(x*1000) / 1000 }

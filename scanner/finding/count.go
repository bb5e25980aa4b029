package finding

import (
	"fmt"
	"strings"
)

// Count returns a number with its noun, in the plural unless the number is 1.
func Count(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Plural returns the plural of a noun.
func Plural(noun string) string {
	if strings.HasSuffix(noun, "ch") {
		return noun + "es"
	}
	return noun + "s"
}

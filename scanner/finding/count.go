package finding

import (
	"fmt"
	"strings"
)

// Count writes a number with its noun.
func Count(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Plural is the form of a noun for several.
func Plural(noun string) string {
	if strings.HasSuffix(noun, "ch") {
		return noun + "es"
	}
	return noun + "s"
}

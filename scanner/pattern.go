package scanner

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// Paths returns a test of paths against patterns of .gitignore's syntax.
func Paths(patterns []string) func(path string) bool {
	var ps []gitignore.Pattern
	for _, p := range patterns {
		ps = append(ps, gitignore.ParsePattern(p, nil))
	}
	m := gitignore.NewMatcher(ps)
	return func(path string) bool { return m.Match(strings.Split(path, "/"), false) }
}

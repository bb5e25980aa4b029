package license

import (
	"slices"
	"strings"
	"sync"

	"github.com/google/licensecheck"
)

// narrowed builds scanners for only the licences that a text can mention. A scanner for all short patterns takes 0.04 s
// to build, and one for the patterns of an Apache notice an eighth of that. Most trees have one or two kinds of
// notices.
type narrowed struct {
	patterns []licensecheck.License
	links    []licensecheck.License // licences that have only an address
	required [][]string             // per pattern: words of every text that it matches
	mu       sync.Mutex
	scanners map[uint64]*licensecheck.Scanner // by the set of their patterns
}

// maxNarrowed is the most narrow scanners that are built. After that, the scanner for all short patterns is used.
const maxNarrowed = 3

func newNarrowed() *narrowed {
	n := &narrowed{scanners: make(map[uint64]*licensecheck.Scanner)}
	for _, l := range patterns(longText) {
		if l.LRE == "" {
			n.links = append(n.links, l)
			continue
		}
		n.patterns, n.required = append(n.patterns, l), append(n.required, required(l.LRE))
	}
	return n
}

// scanner returns a scanner for the short patterns that can match a text.
func (n *narrowed) scanner(text []byte) *licensecheck.Scanner {
	const bits = 64
	if len(n.patterns) > bits {
		return shortScanner()
	}
	mask := n.matching(text)
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.scanners[mask]
	switch {
	case s != nil:
	case len(n.scanners) == maxNarrowed:
		return shortScanner()
	default:
		s = scanner(n.only(mask))
		n.scanners[mask] = s
	}
	return s
}

// matching returns the set of patterns that can match a text, one bit each. A scanner tolerates some misspelt words, so
// half of the required words are enough.
func (n *narrowed) matching(text []byte) (mask uint64) {
	has := make(map[string]bool)
	for _, w := range wordsOf(string(text)) {
		has[w] = true
	}
	for i, ws := range n.required {
		met := 0
		for _, w := range ws {
			if has[w] {
				met++
			}
		}
		if 2*met >= len(ws) {
			mask |= 1 << i
		}
	}
	return mask
}

// only returns the patterns in mask, and only the addresses of the others.
func (n *narrowed) only(mask uint64) (ls []licensecheck.License) {
	for i, l := range n.patterns {
		if mask>>i&1 == 0 {
			l.LRE = ""
		}
		if l.LRE != "" || l.URL != "" {
			ls = append(ls, l)
		}
	}
	return append(ls, n.links...)
}

// required lists the words that every text matching a licensecheck pattern contains: those outside optional parts and
// alternatives.
func required(pattern string) []string {
	const short = 4 // bytes: words up to this length are in many texts
	out := slices.DeleteFunc(wordsOf(outer(pattern)), func(w string) bool { return len(w) <= short })
	slices.Sort(out)
	return slices.Compact(out)
}

// wordsOf returns the words of a text in small letters.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
}

// outer returns the parts of a pattern outside groups, comments and wildcards. It returns "" if the whole pattern is a
// choice.
func outer(p string) string {
	var b strings.Builder
	for depth := 0; p != ""; {
		switch {
		case strings.HasPrefix(p, "//**"):
			_, p, _ = strings.Cut(p, "**//")
		case strings.HasPrefix(p, "__"):
			_, p, _ = strings.Cut(p[2:], "__")
		case strings.HasPrefix(p, "(("):
			depth, p = depth+1, p[2:]
		case strings.HasPrefix(p, "))"):
			depth, p = depth-1, p[2:]
		case strings.HasPrefix(p, "||") && depth == 0:
			return ""
		default:
			if depth == 0 {
				b.WriteByte(p[0])
			}
			p = p[1:]
			continue
		}
		b.WriteByte(' ')
	}
	return b.String()
}

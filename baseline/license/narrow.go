package license

import (
	"slices"
	"strings"
	"sync"

	"github.com/google/licensecheck"
)

// narrowed are scanners for the licences that a text can be about. One for all the
// short patterns takes 0.04 s to build, one for those that an Apache notice can match
// an eighth of it, and most trees have one or two kinds of notices.
type narrowed struct {
	patterns []licensecheck.License
	links    []licensecheck.License // addresses of licences only
	required [][]string             // by pattern: words that a text has which it matches
	mu       sync.Mutex
	scanners map[uint64]*licensecheck.Scanner // by the patterns that are in it
}

// maxNarrowed is how many narrow scanners are built at most; that for all comes then.
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

// scanner returns one for the short patterns that can match a text.
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

// matching are the patterns that can match a text, by their bits. A scanner forgives a
// word that is misspelt, but not every other.
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

// only returns some patterns, and of the others the addresses of their licences.
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

// required lists the words of a pattern of licensecheck that stand in every text it
// matches: those outside of what may be left out or has alternatives.
func required(pattern string) []string {
	const short = 4 // bytes: many texts have such a word
	out := slices.DeleteFunc(wordsOf(outer(pattern)), func(w string) bool { return len(w) <= short })
	slices.Sort(out)
	return slices.Compact(out)
}

// wordsOf are the words of a text in small letters.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
}

// outer returns what of a pattern lies in no group, comment or wildcard; nothing if
// the pattern is a choice as a whole.
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

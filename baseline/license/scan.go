package license

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/licensecheck"
)

// compiled compiles a regular expression at its first use: most scans need none.
func compiled(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// common lists the licences, including all variants, that nearly all texts and notices are about. A scanner for these
// takes 0.1 s to build, half of it for the texts of the GNU licences. A scanner for all 551 licences takes 1.5 s, as
// long as reading 15 MB of source.
var common = []string{"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "GPL-2.0", "GPL-3.0", "LGPL-2.0", "LGPL-2.1", "LGPL-3.0", "AGPL-3.0", "MPL-2.0", "ISC", "Zlib", "BSL-1.0", "Unlicense", "CC0-1.0",
	"BSD-1-Clause", "HPND", "NTP", "X11", "WTFPL", "Beerware", "FSFAP", "FSFUL", "PostgreSQL", "NCSA"}

// remark matches the mark of a comment in a batch file and in m4. A scanner would read it as a word of the sentence.
var remark = compiled(`(?im)^[ \t]*(?:@?rem|dnl)\b`)

// remarked returns a text of the same length with # in place of these marks.
func remarked(text []byte) []byte {
	if !bytes.Contains(text, []byte("rem ")) && !bytes.Contains(text, []byte("REM ")) && !bytes.Contains(text, []byte("dnl ")) {
		return text
	}
	return remark().ReplaceAllFunc(text, func(m []byte) []byte { return append(bytes.Repeat([]byte(" "), len(m)-1), '#') })
}

// longText is the least length of a pattern, in bytes, that is the text of a GNU licence. Heads of files do not have such texts.
const longText = 18000

var (
	commonScanner = sync.OnceValue(func() *licensecheck.Scanner { return scanner(patterns(math.MaxInt)) })
	shortScanner  = sync.OnceValue(func() *licensecheck.Scanner { return scanner(patterns(longText)) })

	few = sync.OnceValue(func() *narrowed {
		return newNarrowed(patterns(longText), 0.5, func(text []byte) licensecheck.Coverage { return shortScanner().Scan(text) })
	})
	allCommon = sync.OnceValue(func() *narrowed {
		return newNarrowed(patterns(math.MaxInt), 0.5, func(text []byte) licensecheck.Coverage { return commonScanner().Scan(text) })
	})
	every = sync.OnceValue(func() *narrowed { return newNarrowed(licensecheck.BuiltinLicenses(), 0.75, licensecheck.Scan) })
)

// patterns returns the patterns of the common licences that are shorter than below bytes.
func patterns(below int) (ls []licensecheck.License) {
	for _, l := range licensecheck.BuiltinLicenses() {
		if len(l.LRE) < below && slices.ContainsFunc(common, func(p string) bool { return strings.HasPrefix(l.ID, p) }) {
			ls = append(ls, l)
		}
	}
	return ls
}

func scanner(ls []licensecheck.License) *licensecheck.Scanner {
	s, err := licensecheck.NewScanner(ls)
	if err != nil {
		panic(fmt.Sprintf("license: built-in patterns: %v", err)) // they are part of the program
	}
	return s
}

// advertised has the licences with a clause on advertising. Together with the common ones it would take ten times as long to build.
var (
	advertised = sync.OnceValue(func() *licensecheck.Scanner {
		return scanner(slices.DeleteFunc(licensecheck.BuiltinLicenses(), notAdvertised))
	})
	advertising = []byte("dvertising materials")
)

func notAdvertised(l licensecheck.License) bool { return !strings.HasPrefix(l.ID, "BSD-4-Clause") }

// withAdvertised adds the licences with that clause to those found in a text. They replace what overlaps.
func withAdvertised(text []byte, c licensecheck.Coverage) licensecheck.Coverage {
	if !bytes.Contains(text, advertising) {
		return c
	}
	for _, m := range advertised().Scan(text).Match {
		c.Match = slices.DeleteFunc(c.Match, func(o licensecheck.Match) bool { return o.Start < m.End && m.Start < o.End })
		c.Match = append(c.Match, m)
	}
	slices.SortFunc(c.Match, func(a, b licensecheck.Match) int { return a.Start - b.Start })
	return c
}

// scan looks for the common licences. If that result is not sufficient, it looks for all others. It skips the long
// patterns if the text has no room for them.
func scan(text []byte, sufficient func(licensecheck.Coverage) bool) licensecheck.Coverage {
	c := withAdvertised(text, few().scan(text))
	if rest := float64(len(text)) * (100 - c.Percent) / 100; rest < longText/2 && sufficient(c) {
		return c
	}
	if c := withAdvertised(text, allCommon().scan(text)); sufficient(c) {
		return c
	}
	return every().scan(text)
}

func always(licensecheck.Coverage) bool { return true }

// enough accepts a licence file that is mostly the wording of common licences.
func enough(c licensecheck.Coverage) bool { return c.Percent >= 75 }

// notice has words from the names of nearly all other licences that notices mention. "Permission" or "redistribution"
// alone occur in hundreds of texts that no scanner knows.
var notice = [][]byte{[]byte("ublic Licen"), []byte("istribution Licen"), []byte("rtistic Licen"), []byte("ree Licen"), []byte("reative Commons")}

// shortNotice is the size in bytes below which a notice without a common licence is not scanned further. "governed by a
// BSD-style license that can be found in the LICENSE file" has 150 bytes and names no licence.
const shortNotice = 300

func foundOrNoNotice(block []byte) func(licensecheck.Coverage) bool {
	return func(c licensecheck.Coverage) bool {
		return len(c.Match) > 0 || len(block) < shortNotice ||
			!hasAny(block, notice)
	}
}

// narrowed builds scanners for only the licences that a text can mention. A scanner for all short patterns takes 0.04 s
// to build, and one for the patterns of an Apache notice an eighth of that. Most trees have one or two kinds of
// notices. Of all licences a text can mention some twenty, which takes 0.03 s.
type narrowed struct {
	patterns []licensecheck.License
	links    []licensecheck.License             // licences that have only an address
	required [][]int                            // per pattern: words of every text that it matches, as numbers of vocabulary
	share    float64                            // of these words that a text must have; a scanner tolerates some misspelt ones
	words    map[string]int                     // the vocabulary of all patterns
	all      func([]byte) licensecheck.Coverage // scans for all patterns
	size     int                                // bytes of all patterns
	mu       sync.Mutex
	built    int                              // bytes of the patterns in scanners
	scanners map[string]*licensecheck.Scanner // by the set of their patterns
}

func newNarrowed(ls []licensecheck.License, share float64, all func([]byte) licensecheck.Coverage) *narrowed {
	n := &narrowed{share: share, all: all, words: make(map[string]int), scanners: make(map[string]*licensecheck.Scanner)}
	for _, l := range ls {
		if l.LRE == "" {
			n.links = append(n.links, l)
			continue
		}
		var numbers []int
		for _, w := range required(l.LRE) {
			if _, known := n.words[w]; !known {
				n.words[w] = len(n.words)
			}
			numbers = append(numbers, n.words[w])
		}
		n.patterns, n.required = append(n.patterns, l), append(n.required, numbers)
		n.size += len(l.LRE)
	}
	return n
}

// scan looks for the licences in a text. The result is that of a scanner for all patterns.
func (n *narrowed) scan(text []byte) licensecheck.Coverage {
	if s := n.scanner(text); s != nil {
		return s.Scan(text)
	}
	return n.all(text)
}

// scanner returns a scanner for the patterns that can match a text. It returns nil if a new one is needed, and with it all scanners
// would have cost as much as a single one for all patterns.
func (n *narrowed) scanner(text []byte) *licensecheck.Scanner {
	set := n.matching(text)
	n.mu.Lock()
	defer n.mu.Unlock()
	if s := n.scanners[string(set)]; s != nil {
		return s
	}
	size := 0
	for i, l := range n.patterns {
		if set[i] == 1 {
			size += len(l.LRE)
		}
	}
	if n.built+size >= n.size {
		return nil
	}
	n.built += size
	s := scanner(n.only(set))
	n.scanners[string(set)] = s
	return s
}

// matching marks the patterns that can match a text. The text must have the needed share of a pattern's required words.
func (n *narrowed) matching(text []byte) []byte {
	has := n.wordsIn(text)
	set := make([]byte, len(n.patterns))
	for i, ws := range n.required {
		met := 0
		for _, w := range ws {
			if has[w] {
				met++
			}
		}
		if float64(met) >= n.share*float64(len(ws)) {
			set[i] = 1
		}
	}
	return set
}

// wordsIn says which words of the vocabulary a text has, in small letters as wordsOf has them.
func (n *narrowed) wordsIn(text []byte) []bool {
	has := make([]bool, len(n.words))
	text = bytes.ToLower(text)
	for from, at := 0, 0; from < len(text); from = at + 1 {
		for at = from; at < len(text) && ('a' <= text[at] && text[at] <= 'z' || '0' <= text[at] && text[at] <= '9'); {
			at++
		}
		if i, known := n.words[string(text[from:at])]; known {
			has[i] = true
		}
	}
	return has
}

// only returns the patterns in set, and only the addresses of the others.
func (n *narrowed) only(set []byte) (ls []licensecheck.License) {
	for i, l := range n.patterns {
		if set[i] == 0 {
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

// kept lists conditions of permissive licences to keep the notice.
var kept = []string{
	"permission notice shall be included", "permission notice appear in", "retain the above copyright",
	"this notice may not be removed or altered from any source distribution",
}

// KeepsNotice reports whether a text is a licence that asks to keep its notice, as those of MIT, BSD, ISC and zlib do.
func KeepsNotice(text string) bool {
	words := strings.Join(wordsOf(text), " ")
	return slices.ContainsFunc(kept, func(condition string) bool { return strings.Contains(words, condition) })
}

// binding are words of terms that may bind a whole work, or leave it to another text whether they do.
var binding = []string{"gpl", "general public", "copyleft", "copying", "see licen", "the whole", "whole work", "entire work", "work as a whole", "derivative work"}

// MayBind reports whether terms that are no known licence may bind more than the code that they come with.
func MayBind(text string) bool {
	words := strings.Join(wordsOf(text), " ")
	return slices.ContainsFunc(binding, func(w string) bool { return strings.Contains(words, w) })
}

// RefersToFile reports whether a text refers to a licence file, as "see COPYING" does.
func RefersToFile(text []byte) bool {
	return elsewhere().MatchString(plain(text[:min(len(text), longestHead)]))
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
			plain := len(p)
			if n := strings.IndexAny(p[1:], "/_()|"); n >= 0 {
				plain = n + 1
			}
			if depth == 0 {
				b.WriteString(p[:plain])
			}
			p = p[plain:]
			continue
		}
		b.WriteByte(' ')
	}
	return b.String()
}

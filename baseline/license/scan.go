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
// takes 0.1 s to build, half of it for the texts of the GNU licences. A scanner for all 551 licences takes a second, as
// long as reading 10 MB of source.
var common = []string{"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "GPL-2.0", "GPL-3.0", "LGPL-2.0", "LGPL-2.1", "LGPL-3.0", "AGPL-3.0", "MPL-2.0", "ISC", "Zlib", "BSL-1.0", "Unlicense", "CC0-1.0",
	"BSD-1-Clause", "HPND", "NTP", "X11", "WTFPL", "Beerware", "FSFAP", "FSFUL", "PostgreSQL", "NCSA"}

// longText is the length of a pattern, in bytes, from which on it is the text of a GNU licence. No such text is
// shorter, and none is in the head of a file.
const longText = 18000

var (
	commonScanner = sync.OnceValue(func() *licensecheck.Scanner { return scanner(patterns(math.MaxInt)) })
	shortScanner  = sync.OnceValue(func() *licensecheck.Scanner { return scanner(patterns(longText)) })
	few           = sync.OnceValue(newNarrowed)
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
	c := withAdvertised(text, few().scanner(text).Scan(text))
	if rest := float64(len(text)) * (100 - c.Percent) / 100; rest < longText/2 && sufficient(c) {
		return c
	}
	if c := withAdvertised(text, commonScanner().Scan(text)); sufficient(c) {
		return c
	}
	return licensecheck.Scan(text)
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

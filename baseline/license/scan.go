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

// compiled compiles an expression at the first need: most scans need none.
func compiled(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// common are the licences, with all their variants, that nearly every text and
// notice is about. A scanner for these takes 0.1 s to build, half of it for the
// texts of the GNU licences; the one for all 551 licences a second, which is as
// long as reading 10 MB of source takes.
var common = []string{"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "GPL-2.0", "GPL-3.0", "LGPL-2.0", "LGPL-2.1", "LGPL-3.0", "AGPL-3.0", "MPL-2.0", "ISC", "Zlib", "BSL-1.0", "Unlicense", "CC0-1.0"}

// longText is the length of a pattern from which on it is the text of a GNU
// licence. None of those texts is shorter, nor are they in the head of a file.
const longText = 18000

var (
	commonScanner = sync.OnceValue(func() *licensecheck.Scanner { return scanner(patterns(math.MaxInt)) })
	shortScanner  = sync.OnceValue(func() *licensecheck.Scanner { return scanner(patterns(longText)) })
	few           = sync.OnceValue(newNarrowed)
)

// patterns are those of the common licences that are shorter than below.
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

// scan looks for the common licences, and for all others if what that finds is
// not sufficient. The long ones of the common are left out where they cannot be.
func scan(text []byte, sufficient func(licensecheck.Coverage) bool) licensecheck.Coverage {
	c := few().scanner(text).Scan(text)
	if rest := float64(len(text)) * (100 - c.Percent) / 100; rest < longText/2 && sufficient(c) {
		return c
	}
	if c := commonScanner().Scan(text); sufficient(c) {
		return c
	}
	return licensecheck.Scan(text)
}

func always(licensecheck.Coverage) bool { return true }

// enough holds for a licence file that is mostly the wording of common licences.
func enough(c licensecheck.Coverage) bool { return c.Percent >= 75 }

// notice are words of which the name of nearly every other licence that files
// give notice of has one. "Permission" or "redistribution" alone are in hundreds
// of texts that no scanner knows.
var notice = [][]byte{[]byte("ublic Licen"), []byte("istribution Licen"), []byte("rtistic Licen"), []byte("ree Licen"), []byte("reative Commons")}

// shortNotice is the length up to which a notice that is about none of the
// common licences is not looked at further: "governed by a BSD-style license that
// can be found in the LICENSE file" has 150 bytes and says nothing.
const shortNotice = 300

func foundOrNoNotice(block []byte) func(licensecheck.Coverage) bool {
	return func(c licensecheck.Coverage) bool {
		return len(c.Match) > 0 || len(block) < shortNotice ||
			!slices.ContainsFunc(notice, func(w []byte) bool { return bytes.Contains(block, w) })
	}
}

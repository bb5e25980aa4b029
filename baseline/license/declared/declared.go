// Package declared reads the licence that a source package declares in files that its build tools read: META.json, DESCRIPTION,
// NAME.cabal. A release archive has these files where an installed package has metadata.
package declared

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
)

// maxBytes bounds a file that is read.
const maxBytes = 256 << 10

// Reader collects what the files at the root of one package declare. The zero value is ready.
type Reader struct {
	said []string // distinct expressions
}

// Read reads a file of the package, by its slash path. Files of other names, or in folders, are ignored.
func (r *Reader) Read(name string, src []byte) {
	read := reader(name)
	if read == nil || len(src) > maxBytes {
		return
	}
	e := license.Expression(read(string(src)))
	if e == license.NoAssertion || strings.Contains(e, "LicenseRef-") || slices.Contains(r.said, e) {
		return
	}
	r.said = append(r.said, e)
}

// License returns the declared licence, as an SPDX expression. It returns "" if there is none, or if two files disagree.
func (r *Reader) License() string {
	if len(r.said) != 1 {
		return ""
	}
	return r.said[0]
}

// reader returns the function that reads a file, or nil.
func reader(name string) func(src string) string {
	switch name {
	case "META.json":
		return metaJSON
	case "META.yml":
		return firstOf(metaYAML, cpan)
	case "Makefile.PL", "Build.PL":
		return firstOf(makefilePL, cpan)
	case "dist.ini":
		return firstOf(distINI, cpan)
	case "DESCRIPTION":
		return description
	case "PKG-INFO":
		return firstOf(pkgInfo, later)
	case "Cargo.toml":
		return firstOf(cargoField, same)
	case "composer.json":
		return composer
	}
	switch {
	case strings.Contains(name, "/"):
		return nil
	case path.Ext(name) == ".cabal":
		return firstOf(cabalField, cabal)
	case path.Ext(name) == ".gemspec":
		return gemspec
	}
	return nil
}

var (
	metaYAML   = regexp.MustCompile(`(?m)^license:[ \t]*['"]?(\w+)['"]?[ \t\r]*$`)
	makefilePL = regexp.MustCompile(`(?m)^[^#\n]*\b(?:LICENSE|license)\b['"]?[ \t]*(?:=>)?[ \t]*['"](\w+)['"]`)
	distINI    = regexp.MustCompile(`(?m)^license[ \t]*=[ \t]*(\w+)[ \t\r]*$`)
	cabalField = regexp.MustCompile(`(?mi)^license:[ \t]*([^\r\n]+?)[ \t\r]*$`)
	gemField   = regexp.MustCompile(`(?m)^[^#\n]*\.licenses?[ \t]*=[ \t]*(?:\[[ \t]*)?['"]([^'"\n]+)['"](?:\.freeze)?[ \t]*(,)?`)
	cargoField = regexp.MustCompile(`(?m)^license[ \t]*=[ \t]*"([^"\n]+)"`)
	pkgInfo    = regexp.MustCompile(`(?m)^License(?:-Expression)?:[ \t]*([^\r\n]+?)[ \t\r]*$`)
	rField     = regexp.MustCompile(`(?m)^License:[ \t]*([^\n]*(?:\n[ \t][^\n]*)*)`)
	rPackage   = regexp.MustCompile(`(?m)^Package:[ \t]*\S`)
	rVersion   = regexp.MustCompile(`^(AGPL|LGPL|GPL)(?:-([123](?:\.[01])?)| \(>=? ?([123](?:\.[01])?)(?:\.0)?\))?$`)
)

// firstOf returns a reader that finds the one value of a field, or none if the field has two values.
func firstOf(field *regexp.Regexp, value func(string) string) func(string) string {
	return func(src string) string {
		const most = 16
		var said []string
		for _, m := range field.FindAllStringSubmatch(src, most) {
			if !slices.Contains(said, m[1]) {
				said = append(said, m[1])
			}
		}
		if len(said) != 1 {
			return ""
		}
		return value(said[0])
	}
}

// perl is the meaning of "the licence of Perl".
const perl = "Artistic-1.0-Perl OR GPL-1.0-or-later"

// cpan converts a name of CPAN's specification of metadata. Its names of GNU and BSD licences are left out: they do not tell whether
// later versions may be used, and authors use "bsd" for any of them.
func cpan(name string) string {
	return map[string]string{
		"perl": perl, "perl_5": perl, "Perl_5": perl, "mit": "MIT", "MIT": "MIT", "apache_2_0": "Apache-2.0", "Apache_2_0": "Apache-2.0",
		"artistic_2": "Artistic-2.0", "Artistic_2_0": "Artistic-2.0", "zlib": "Zlib",
	}[name]
}

func metaJSON(src string) string {
	var m struct{ License []string }
	if json.Unmarshal([]byte(src), &m) != nil || len(m.License) != 1 {
		return ""
	}
	return cpan(m.License[0])
}

// cabal converts a name of Haskell's build tool, or an SPDX expression. Its own names of GNU licences do not tell whether later
// versions may be used.
func cabal(name string) string {
	switch name {
	case "BSD3":
		return "BSD-3-Clause"
	case "BSD2":
		return "BSD-2-Clause"
	case "PublicDomain", "AllRightsReserved", "OtherLicense", "UnspecifiedLicense":
		return ""
	}
	return later(name)
}

func same(name string) string { return name }

// later returns a name, or "" for the name of a GNU licence that does not say whether later versions may be used.
func later(name string) string {
	if strings.Contains(name, "GPL") && !strings.Contains(name, "-only") && !strings.Contains(name, "-or-later") && !strings.HasSuffix(name, "+") {
		return ""
	}
	return name
}

func composer(src string) string {
	var m struct{ License string }
	if json.Unmarshal([]byte(src), &m) != nil {
		return ""
	}
	return later(m.License)
}

// gemspec returns the licence of a Ruby gem if it names one only: a list of licences does not say whether it is a choice.
func gemspec(src string) string {
	ms := gemField.FindAllStringSubmatch(src, 2)
	if len(ms) != 1 || ms[0][2] != "" {
		return ""
	}
	return later(ms[0][1])
}

// description returns the licence of an R package. The manual of R defines the notation: "GPL (>= 2)", "GPL-2 | GPL-3", "MIT + file
// LICENSE".
func description(src string) string {
	m := rField.FindStringSubmatch(src)
	if m == nil || !rPackage.MatchString(src) {
		return ""
	}
	var each []string
	for one := range strings.SplitSeq(m[1], "|") {
		one, _, _ = strings.Cut(one, "+")
		e := rName(strings.Join(strings.Fields(one), " "))
		if e == "" {
			return ""
		}
		each = append(each, e)
	}
	return strings.Join(each, " OR ")
}

func rName(name string) string {
	if m := rVersion.FindStringSubmatch(name); m != nil {
		first := map[string]string{"GPL": "1.0", "LGPL": "2.0", "AGPL": "3.0"}[m[1]]
		switch {
		case m[2] != "":
			return m[1] + "-" + dotted(m[2]) + "-only"
		case m[3] != "":
			return m[1] + "-" + dotted(m[3]) + "-or-later"
		}
		return m[1] + "-" + first + "-or-later"
	}
	return map[string]string{
		"MIT": "MIT", "MIT License": "MIT", "BSD_3_clause": "BSD-3-Clause", "BSD 3-clause License": "BSD-3-Clause", "BSD_2_clause": "BSD-2-Clause",
		"BSD 2-clause License": "BSD-2-Clause", "Apache License 2.0": "Apache-2.0", "Apache License (== 2.0)": "Apache-2.0", "Apache License (>= 2.0)": "Apache-2.0",
		"Apache License (>= 2)": "Apache-2.0", "Artistic-2.0": "Artistic-2.0", "CC0": "CC0-1.0", "MPL-2.0": "MPL-2.0", "BSL-1.0": "BSL-1.0",
	}[name]
}

func dotted(version string) string {
	if strings.Contains(version, ".") {
		return version
	}
	return version + ".0"
}

// Package notcode recognises files that are not read as code, by their names and contents: licence texts, settings that everybody fills
// in, data, minified code, and code that says that a program wrote it.
package notcode

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
)

const (
	// Generators and interpreters name themselves at the top.
	markerHead = 4 << 10
	// A printed line has 80 to 120 bytes; minifiers write some hundreds to all on one.
	minifiedLine = 200
	// Below this size one long line does not make a file minified.
	minifiedSize = 1 << 10
)

// licenceDirs are directories of licences.
var licenceDirs = []string{"LICENSES", "LICENCES", "LICENSE", "LICENCE"}

// HoldsLicences reports whether the files of a directory of this name may be licences by their place alone.
func HoldsLicences(dir string) bool { return slices.Contains(licenceDirs, strings.ToUpper(dir)) }

// licenceNames are the stems of files that contain only licence texts, or the names of their holders.
var licenceNames = []string{"LICENSE", "LICENCE", "LICENSES", "LICENCES", "UNLICENSE", "COPYING", "COPYRIGHT", "NOTICE", "NOTICES", "PATENTS",
	"CREDITS", "ATTRIBUTION", "ATTRIBUTIONS", "ACKNOWLEDGEMENTS", "ACKNOWLEDGMENTS"}

// numbered are the stems of licences whose files may be named with a version: GPLv3, lgpl-2.1.txt, OFL.txt, and fdl-1.3.texi, which
// manuals include.
var numbered = []string{"FDL", "GPL", "LGPL", "AGPL", "OFL"}

// IsLicence reports by its name whether a text contains only licences: LICENSE, GPL-LICENSE-2.0, GPLv3, fdl-1.3.texi, files in
// LICENSES/, and files in license/ with no extension other than .txt.
func IsLicence(name string) bool {
	dir, base := path.Split(strings.ToUpper(name))
	ext := path.Ext(base)
	plain := ext == "" || ext == ".TXT" || strings.Trim(ext, ".0123456789") == "" // v2.0 does not count as an extension
	switch dir = path.Base(dir); {
	case templates[ext]:
		return false
	case dir == "LICENSES", plain && HoldsLicences(dir):
		return true
	case (plain || ext == ".MD" || ext == ".HTML") && slices.ContainsFunc(strings.FieldsFunc(base, func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool { return w == "LICENSE" || w == "LICENCE" }):
		return true
	case (plain || ext == ".MD" || ext == ".HTML" || ext == ".RTF") && slices.Contains(numbered, strings.TrimRight(strings.TrimSuffix(base, ext), "0123456789.-_V")):
		return true
	}
	stem, _, _ := strings.Cut(base, ".")
	if joined := strings.NewReplacer("-", "", "_", "", " ", "").Replace(stem); strings.HasPrefix(joined, "THIRDPARTY") || strings.HasPrefix(joined, "3RDPARTY") || strings.Contains(joined, "THIRDPARTYLICEN") {
		return true
	}
	stem, _, _ = strings.Cut(stem, "-")
	stem, _, _ = strings.Cut(stem, "_")
	return slices.Contains(licenceNames, stem) || strings.HasPrefix(ext, ".TEXI") && slices.Contains(numbered, stem)
}

// longestLicence is more than the length of any licence, in bytes. The GPL 3 has 35 KB, as a web page 45.
const longestLicence = 64 << 10

// openings are sentences near the beginning of long licences, in lower case and without punctuation.
var openings = [][]byte{
	[]byte(" everyone is permitted to copy and distribute verbatim copies of this license document "),                                  // GPL, LGPL, AGPL, FDL
	[]byte(" terms and conditions for use reproduction and distribution "),                                                             // Apache
	[]byte(" the accompanying program is provided under the terms of this eclipse public license "),                                    // EPL
	[]byte(" the accompanying program is provided under the terms of this common public license "),                                     // CPL
	[]byte(" contributor means each individual or legal entity that creates contributes to the creation of or owns covered software "), // MPL 2
	[]byte(" contributor means each entity that creates or contributes to the creation of modifications "),                             // MPL 1
	[]byte(" contributor means each individual or entity that creates or contributes to the creation of modifications "),               // CDDL
	[]byte(" by exercising the licensed rights defined below you accept and agree to be bound by the terms "),                          // CC 4
	[]byte(" the work as defined below is provided under the terms of this creative commons public license "),                          // CC 3
	[]byte(" the goals of the open font license ofl are to stimulate worldwide development "),                                          // OFL
	[]byte(" the laws of most jurisdictions throughout the world automatically confer exclusive copyright and related rights "),        // CC0
	[]byte(" this european union public licence the eupl applies to the work "),                                                        // EUPL
}

// IsLicenceText reports whether a text begins as a long licence does, whatever the name of its file: epl1.html.
func IsLicenceText(content []byte) bool {
	if len(content) > longestLicence {
		return false
	}
	head := plain(content[:min(len(content), markerHead)])
	return slices.ContainsFunc(openings, func(o []byte) bool { return bytes.Contains(head, o) })
}

// plain returns the words of a text in lower case, with a blank before and after each. Tags of a page are left out.
func plain(text []byte) []byte {
	out := []byte{' '}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '<':
			if n := bytes.IndexByte(text[i:], '>'); n > 0 {
				i += n
			}
		case c >= 'A' && c <= 'Z':
			out = append(out, c|0x20)
			continue
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
			out = append(out, c)
			continue
		}
		if out[len(out)-1] != ' ' {
			out = append(out, ' ')
		}
	}
	return append(out, ' ')
}

// templates are extensions of pages with placeholders: notice.tmpl shows notices of a program.
var templates = map[string]bool{".TMPL": true, ".TPL": true, ".HBS": true, ".EJS": true, ".J2": true, ".ERB": true, ".MUSTACHE": true, ".TWIG": true, ".LIQUID": true}

// settings are files that are filled in like a form. Every project with that tool has one, and the tool chose nearly every name.
var settings = map[string]bool{"Package.swift": true, "AssemblyInfo.cs": true, "AssemblyInfo.vb": true, "Podfile": true, "CTestConfig.cmake": true,
	"WORKSPACE": true, "WORKSPACE.bazel": true, "WORKSPACE.bzlmod": true, "MODULE.bazel": true}

// rcTools read their settings from .NAMErc.js, and in later versions from NAME.config.js.
var rcTools = map[string]bool{"eslint": true, "prettier": true, "stylelint": true, "commitlint": true, "lint-staged": true, "babel": true, "postcss": true}

// IsSettings reports whether a script only sets options of a tool, such as .eslintrc.cjs or eslint.config.js.
func IsSettings(name string) bool {
	base := path.Base(name)
	if ext := path.Ext(base); settings[base] || ext == ".gemspec" || ext == ".podspec" {
		return true
	}
	stem, ext, _ := strings.Cut(strings.TrimPrefix(base, "."), ".")
	ext, config := strings.CutPrefix(ext, "config.")
	switch ext {
	case "js", "cjs", "mjs", "ts", "cts", "mts":
		return config && rcTools[stem] || !config && base[0] == '.' && strings.HasSuffix(stem, "rc")
	}
	return false
}

// IsCovenant reports whether a text is the code of conduct of most projects: the Contributor Covenant, which asks to be copied.
func IsCovenant(name string, content []byte) bool {
	base := strings.ToUpper(path.Base(name))
	stem, _, _ := strings.Cut(base, ".")
	named := stem == "CONDUCT" || strings.HasPrefix(letters.Replace(base), "CODEOFCONDUCT")
	return named && (bytes.Contains(content, []byte("ontributor Covenant")) || bytes.Contains(content, []byte("ontributor-covenant.org")))
}

// letters removes what stands between words of a name.
var letters = strings.NewReplacer("_", "", "-", "", " ", "")

// IsFiller reports whether a text is filler text for pages and tests, which everybody copies.
func IsFiller(content []byte) bool {
	const begins = "Lorem ipsum dolor sit amet"
	start := bytes.TrimLeft(content[:min(len(content), markerHead)], " \t\r\n\"'`#*>\ufeff")
	return len(start) >= len(begins) && bytes.EqualFold(start[:len(begins)], []byte(begins))
}

// IsSourceMap reports whether a text is a source map, which bundlers write beside minified code.
func IsSourceMap(name string, content []byte) bool {
	return strings.HasSuffix(name, ".map") && bytes.HasPrefix(bytes.TrimLeft(content, " \t\r\n\ufeff)]}'"), []byte("{"))
}

// IsDrawing reports whether a text is PostScript written by a program: a page or a figure. It begins with procedures and glyph
// tables that all figures of that program share.
func IsDrawing(content []byte) bool {
	return bytes.HasPrefix(content, []byte("%!PS-Adobe")) && bytes.Contains(content[:min(len(content), markerHead)], []byte("%%Creator:"))
}

// translationStarts begin the translations that Qt's lupdate writes, with the texts of a program's windows.
var translationStarts = []string{"<!DOCTYPE TS>", "<!DOCTYPE TS ", "<TS>", "<TS "}

// IsTranslation reports whether a text has translations for a program that uses Qt.
func IsTranslation(name string, content []byte) bool {
	if !strings.HasSuffix(name, ".ts") {
		return false
	}
	start := bytes.TrimSpace(bytes.TrimPrefix(content[:min(len(content), markerHead)], []byte("\xef\xbb\xbf")))
	if _, behind, ok := bytes.Cut(start, []byte("?>")); ok && bytes.HasPrefix(start, []byte("<?xml")) {
		start = bytes.TrimSpace(behind)
	}
	return bytes.Contains(content, []byte("</TS>")) && slices.ContainsFunc(translationStarts, func(s string) bool { return bytes.HasPrefix(start, []byte(s)) })
}

// armoured are extensions of certificates, keys and their parameters.
var armoured = map[string]bool{".pem": true, ".crt": true, ".cer": true, ".cert": true, ".csr": true, ".crl": true, ".key": true, ".pub": true, ".asc": true}

// IsArmoured reports whether a text is mostly base64 between lines such as -----BEGIN CERTIFICATE-----: a certificate is the same
// wherever it is trusted. A signed message counts as prose.
func IsArmoured(name string, content []byte) bool {
	begin, end := []byte("-----BEGIN "), []byte("-----END ")
	from := bytes.Index(content, begin)
	if from < 0 || bytes.HasPrefix(content[from+len(begin):], []byte("PGP SIGNED MESSAGE")) {
		return false
	}
	if armoured[strings.ToLower(path.Ext(name))] {
		return true
	}
	within := 0
	for rest := content; from >= 0; from = bytes.Index(rest, begin) {
		n := bytes.Index(rest[from:], end)
		if n < 0 {
			break
		}
		within += n
		rest = rest[from+n:]
	}
	return within*2 > len(content)
}

// IsMinified reports whether a minifier wrote a script or a style sheet: its lines are long.
func IsMinified(name string, content []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".js", ".mjs", ".cjs", ".css":
	default:
		return false
	}
	if len(content) < minifiedSize {
		return false
	}
	return len(content)/(bytes.Count(content, []byte{'\n'})+1) > minifiedLine
}

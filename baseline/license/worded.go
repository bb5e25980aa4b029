package license

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// wording recognises a licence by words that every form of its text has. The scanner does not know all these forms.
type wording struct {
	sign  string // in every text that the words match, as plain leaves it
	words func() *regexp.Regexp
	id    func(m []string) string
}

// constant returns one identifier, whatever matched.
func constant(id string) func([]string) string { return func([]string) string { return id } }

// terms are permissive texts. Their grants and conditions are fixed; owners and disclaimers differ from text to text. The words end where
// the disclaimer begins, so that a text with a further condition does not match.
var terms = []wording{
	{"obtaining a copy of this software and associated", compiled(`(?i)permission is hereby granted,? free of charge,? to any person obtaining a copy of this software and associated documentation files? \(?(?:the )?"?software"?\)?,? to (?:deal in|use) the software without restriction,? including without limitation (?:on )?(?:the )?rights to use, copy, modify, merge, publish, distribute, sub[- ]?license,? (?:and/or|and) sell copies of the software,? and to permit persons to whom the software is furnished to do so,? subject to the following conditions:? (?:\W ?|1[.)] )?the above copyright notices? and this permission notice (?:\(including the next paragraph\) )?shall be included in all copies or substantial portions of the software\W* (?:\W ?)?the software is provided(.*)`), mitOrX11},
	{"with or without fee is hereby granted", compiled(`(?i)permission to use, copy, modify,? (?:and|and/or) distribute this software for any purpose with or without fee is hereby granted,? provided that the above copyright notice and this permission notice appear in all copies\. (?:the software is provided|this software is provided)`), constant("ISC")},
	{"permitted in any medium without royalty provided the copyright notice", compiled(`(?i)copying and distribution of this file, with or without modification, (?:are|is) permitted in any medium without royalty provided the copyright notice and this notice are preserved\.( this file is offered as-is)?`), func(m []string) string {
		if m[1] != "" {
			return "FSFAP"
		}
		return "FSFAP-no-warranty-disclaimer"
	}},
	{"unlimited permission to copy and/or distribute it", compiled(`(?i)unlimited permission to copy and/or distribute it,? with or without modifications,? as long as this notice is preserved\.(.{0,90}as-is)?(.{0,90}without any warranty)?`), func(m []string) string {
		switch {
		case m[1] != "":
			return "FSFULLRSD"
		case m[2] != "":
			return "FSFULLRWD"
		}
		return "FSFULLR"
	}},
	{"not subject to copyright protection and is in the public domain", compiled(`(?i)National Institute of Standards.{0,600}not subject to copyright protection`), constant("NIST-PD")},
	{"not subject to copyright protection and is in the public domain", compiled(`.`), constant("LicenseRef-public-domain")},
	{"is identified as the", compiled(`(?i)licen[sc]e to copy and use this software is granted provided that it is identified as the "?RSA Data Security, Inc\.? MD[245] Message[- ]{0,2}Digest Algorithm`), constant("RSA-MD")},
	{"sell this software and its documentation", compiled(`(?i)permission to use, copy, modify, distribute,? and sell this software and its documentation for any purpose is hereby granted without fee,? provided that \(i\) the above copyright notices? and this permission notice appear in all copies of the software and related documentation,? and \(ii\) the names? of .{1,120}? may not be used in any advertising or publicity relating to the software without the specific,? prior written permission of `), constant("libtiff")},
	// A BSD licence without its conditions, as Openwall gives its code.
	{"edistribution and use in source and binary forms", compiled(`^(.*)R(?i:edistribution and use in source and binary forms,? with or without modifications?,? (?:are|is) permitted)\.(.*)`), unconditional},
	// Two libraries that other programs include file by file.
	{"copyright notice in zlib.h", compiled(`conditions of distribution and use, see (?:the )?copyright notice in zlib\.h`), constant("Zlib")},
	{"Copyright Notice in lua.h", compiled(`See Copyright Notice in lua\.h`), constant("MIT")},
}

var (
	x11 = compiled(`(?i)except as contained in this notice,? the names? .{1,200}? shall not be used in advertising or otherwise to promote the sale,? use or other dealings in th(?:is|e) software without prior written authori[sz]ation`)
	// further matches a condition after the disclaimer, which makes the text another licence.
	further = compiled(`(?i)except as contained|shall (?:not )?be used|\bmay not\b|\bmust\b|provided that`)
	// limiting matches words of a condition, of a limited purpose, or of an exception.
	limiting = compiled(`(?i)\b(?:only|unless|except|excluding|provided that|subject to|conditions?|restrictions?|retain|must|shall|have to|requires?d?|forbidden|prohibited|disallowed|not (?:permitted|allowed)|may not|(?:non-?)?commercial(?:ly)?|academic|educational|personal|permission (?:of|from|by))\b`)
)

// mitOrX11 returns the licence of a text that begins as that of MIT, by the words after the conditions.
func mitOrX11(m []string) string {
	switch {
	case x11().MatchString(m[1]):
		return "X11"
	case further().MatchString(m[1]):
		return ""
	}
	return "MIT"
}

// unconditional returns the licence of a sentence that grants everything, by the words around it: none of them may limit it.
func unconditional(m []string) string {
	if limiting().MatchString(m[1]) || limiting().MatchString(m[2]) {
		return ""
	}
	return "LicenseRef-BSD-no-conditions"
}

// tails are words that follow a text which the scanner knows, and make it another licence. The scanner does not read them.
var tails = []struct {
	id    string
	sign  []byte // in every text that the words match
	words func() *regexp.Regexp
	with  string
	reach int // bytes after the text, with the marks of comments
}{
	{"MIT", []byte("xcept as contained in this notice"), x11, "X11", 700},
	{"BSD-3-Clause", []byte("nuclear"), compiled(`(?i)acknowledge that this software is not designed, ?licen[sc]ed or intended\b.{0,90}\bnuclear`), "BSD-3-Clause-No-Nuclear-License-2014", 2000},
	{"BSD-3-Clause", []byte("nuclear"), compiled(`(?i)acknowledge that (?:the )?software is not designed, ?licen[sc]ed or intended\b.{0,90}\bnuclear`), "BSD-3-Clause-No-Nuclear-License", 2000},
	{"BSD-3-Clause", []byte("nuclear"), compiled(`(?i)acknowledge that this software is not designed or intended\b.{0,90}\bnuclear`), "BSD-3-Clause-No-Nuclear-Warranty", 2000},
	{"HPND", []byte("overnment Users Restricted Rights"), compiled(`(?i)US Government Users Restricted Rights.*Silicon Graphics`), "SGI-OpenGL", 2000},
}

var (
	// laterToo matches the words on later versions after a date or a publisher, or without "either", which the scanner does not expect there.
	laterToo = compiled(`(?i)\bversion [123](?:\.[01])?(?: of the licen[sc]e)?,?(?: dated \w+,? [0-9]{4},?)?(?: as published by the Free Software Foundation[,;]?)? or (?:\(?at your option\)?,? )?any later`)
	// consent matches words by which later versions need a consent.
	consent = compiled(`(?i)^\W*(?:versions? )?(?:approved|accepted) by\b`)
	// lesser2 matches version 2 of a licence that had another name then.
	lesser2 = compiled(`(?i)\bLesser General Public Licen[sc]e\b.{0,100}\bversion 2(?:\.0)?\b(?:[^.0-9]|\.\D|$)`)
)

// behind is how many bytes after a notice may change it.
const behind = len(" ** as published by the ** Free Software Foundation, or ** (at your option) any later version")

// idOf returns the licence of a text that the scanner found.
func idOf(text []byte, m licensecheck.Match) string {
	id := fromScanner(m.ID)
	if m.IsURL {
		return id
	}
	if isGNU(id) && !isText(m) {
		return versionOf(id, plain(text[m.Start:m.End]), plain(text[m.Start:min(m.End+behind, len(text))]), plain(text[m.End:min(m.End+behind, len(text))]))
	}
	for _, t := range tails {
		if t.id != id {
			continue
		}
		if found := text[m.Start:min(m.End+t.reach, len(text))]; bytes.Contains(found, t.sign) && t.words().MatchString(plain(found)) {
			return t.with
		}
	}
	return id
}

// versionOf returns the GNU licence of a notice, by its words, by these with what follows, and by what follows.
func versionOf(id, notice, more, after string) string {
	if strings.HasPrefix(id, "LGPL-2.1-") && lesser2().MatchString(notice) {
		id = strings.Replace(id, "2.1", "2.0", 1)
	}
	base, later := strings.CutSuffix(id, "-or-later")
	if later && consent().MatchString(after) {
		return base + "-only"
	}
	if base, only := strings.CutSuffix(id, "-only"); only && laterToo().MatchString(more) {
		return base + "-or-later"
	}
	return id
}

// publicLicences are licences that only the name in a notice identifies.
var publicLicences = []wording{
	{"Eclipse Public", compiled(of + `Eclipse Public Licen[sc]e` + edition), versioned("EPL", "1.0", "2.0")},
	{"Eclipse Distribution", compiled(`(?i)\b(?:under|terms of|and|or) (?:the )?Eclipse Distribution Licen[sc]e`), constant("BSD-3-Clause")},
	{"wxWindows Library", compiled(of + `wxWindows Library Licen[sc]e`), constant("LGPL-2.0-or-later WITH WxWindows-exception-3.1")},
	{"Common Public", compiled(of + `Common Public Licen[sc]e` + edition), versioned("CPL", "1.0")},
	{"European Union Public", compiled(of + `European Union Public Licen[sc]e` + edition), versioned("EUPL", "1.0", "1.1", "1.2")},
	{"Python Software Foundation", compiled(of + `Python Software Foundation Licen[sc]e`), constant("PSF-2.0")},
	{"PSF", compiled(of + `PSF licen[sc]e`), constant("PSF-2.0")},
	{"Fuck You Want", compiled(of + `Do What The Fuck You Want To Public Licen[sc]e`), constant("WTFPL")},
	{"Zope Public", compiled(of + `Zope Public Licen[sc]e` + edition), versioned("ZPL", "2.0", "2.1")},
	{"Academic Free", compiled(of + `Academic Free Licen[sc]e` + edition), versioned("AFL", "2.0", "2.1", "3.0")},
	{"Open Software", compiled(of + `Open Software Licen[sc]e` + edition), versioned("OSL", "2.0", "2.1", "3.0")},
	{"OpenLDAP Public", compiled(of + `OpenLDAP Public Licen[sc]e` + edition), versioned("OLDAP", "2.8")},
	{"Project Public", compiled(of + `LaTeX Project Public Licen[sc]e` + edition), versioned("LPPL", "1.0", "1.1", "1.2")},
}

const (
	of      = `(?i)\b(?:under|terms of|terms and conditions of|subject to|governed by)(?: the terms(?: and conditions)? of)?(?: the| an?)? ["'(]?(?:the )?`
	edition = `(?: ?[-–]? ?\(?"?[A-Z]{3,5}"?\)?)?[, ]{0,2}(?:-? ?\(?v(?:ersion|er)?\.? ?([1-3](?:\.[0-9])?)\b)?`
)

// versioned returns the identifier of a licence with one of these versions. Without a version in the notice, it is known if there is
// only one.
func versioned(id string, versions ...string) func([]string) string {
	return func(m []string) string {
		v := m[1]
		if v == "" && len(versions) == 1 {
			v = versions[0]
		}
		if v != "" && !strings.Contains(v, ".") {
			v += ".0"
		}
		if !slices.Contains(versions, v) {
			return foreignTerms
		}
		return id + "-" + v
	}
}

// worded returns the licence that a plain text states in one of the known wordings, and the sign of the wording.
func worded(text string) (expr, sign string) {
	for _, w := range terms {
		if m := matches(text, w.sign, w.words); m != nil {
			if e := w.id(m); e != "" {
				return e, w.sign
			}
		}
	}
	var all []string
	for _, w := range publicLicences {
		m := matches(text, w.sign, w.words)
		if m == nil {
			continue
		}
		e := w.id(m)
		if e == foreignTerms {
			return e, w.sign
		}
		if all = append(all, e); sign == "" {
			sign = w.sign
		}
	}
	switch {
	case len(all) == 0:
		return "", ""
	case choosing().MatchString(text):
		return Expression(strings.Join(all, " OR ")), sign
	}
	return And(all...), sign
}

// inWording returns the licence that a comment names, or states in a known wording, and where. text is the comment as plain leaves it.
func inWording(block []byte, text string) (expr string, at int) {
	if expr, at = named(block); expr != "" {
		return notAlone(expr, text), at
	}
	if e, sign := worded(text); e != "" {
		first, _, _ := strings.Cut(sign, " ")
		return e, max(0, bytes.Index(block, []byte(first)))
	}
	return "", 0
}

// insteadOf matches a choice between the GPL and other terms.
var insteadOf = compiled(`(?i)\brequired instead of the above|\bwhich of (?:these|the) (?:two|2) licen[sc]es`)

// inReadme matches a head that leaves the details of its terms to a README, such as the versions of the GPL.
var inReadme = compiled(`(?i)\bas (?:specified|described|stated|detailed|explained) in (?:the )?(?:accompanying )?["']?README`)

// unversionedGNU reports whether a term is what the name of a GNU licence means without a version.
func unversionedGNU(term string) bool {
	return term == unversioned["GPL"] || term == unversioned["LGPL"]
}

// unlisted reports whether an expression has a version of a GNU licence that does not exist.
func unlisted(expr string) bool {
	return strings.Contains(expr, "LicenseRef-GPL-") || strings.Contains(expr, "LicenseRef-LGPL-") || strings.Contains(expr, "LicenseRef-AGPL-")
}

// notAlone returns ownTerms if a comment offers a GNU licence as the alternative to terms that are not understood, or leaves the
// version to a README. The GNU licence alone would be stricter than the choice.
func notAlone(expr, text string) string {
	if isGNU(expr) && !strings.Contains(expr, " OR ") && insteadOf().MatchString(text) {
		return ownTerms
	}
	if strings.Contains(expr, "GPL-") && slices.ContainsFunc(Terms(expr), unversionedGNU) && inReadme().MatchString(text) {
		return ownTerms
	}
	return expr
}

// laterWords matches words on later versions, in whatever sentence; onlyWords, words that rule these out.
var (
	laterWords = compiled(`(?i)\b(?:or|and|any),? \(?(?:at your option\)?,? )?(?:any )?(?:later|newer|higher|subsequent|above|greater)\b|\b(?:later|newer|higher|subsequent|future) (?:versions?|releases?|revisions?)\b`)
	onlyWords  = compiled(`(?i)\bversions? [123](?:\.[01])?(?: of the licen[sc]e)?,? only\b|\bonly (?:under |of )?(?:the )?version [123]\b|\bno (?:other|later|newer) versions?\b`)
)

// certain returns the licence of a comment, or ownTerms if it has words on versions that the licence does not have: they were not understood.
func certain(expr, text string) string {
	if !strings.Contains(expr, "GPL-") {
		return expr
	}
	only, later := strings.Contains(expr, "-only"), strings.Contains(expr, "-or-later")
	if only && !later && laterWords().MatchString(text) || later && !only && onlyWords().MatchString(text) {
		return ownTerms
	}
	return expr
}

// otherTerms reports whether a licence file offers the GPL instead of terms that are not understood.
func otherTerms(text []byte, ids []string) bool {
	if len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return !isGNU(id) }) {
		return false
	}
	return insteadOf().MatchString(plain(text[:min(len(text), longestNotice)]))
}

// longestNotice is the size in bytes up to which a licence file without a known text may be a notice.
const longestNotice = 4000

// noticed returns the licence of a licence file that has a notice instead of the text, or a text in another form than the scanner knows.
func noticed(text []byte) string {
	if len(text) > longestNotice {
		return ""
	}
	words := plain(text)
	if e, _ := stating(text, words); strings.Contains(e, " OR ") { // "dual-licensed under either of ..."
		return e
	}
	if e, _ := worded(words); e != "" && e != foreignTerms {
		return e
	}
	if e := inNotices(words); !unlisted(e) && !otherTerms(text, []string{e}) {
		return excepted(e, words)
	}
	return ""
}

package license

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/google/licensecheck"
)

// metadata is a file in a subfolder that declares the licence of that folder, since packages bundle packages.
const metadata = "package.json"

// States reports whether a file's name suggests that it states the licence of files beside and below it.
func States(name string) bool {
	dir, base := path.Split(name)
	return base == metadata && dir != "" || IsFile(base) || IsList(name)
}

// minStatement is the size in bytes below which a file named like a licence, without a known text, is taken for a mere
// pointer to another file.
const minStatement = 200

// Read reads a file for which States returns true. ok is false if it states nothing.
func Read(f File) (Statement, bool) {
	if IsList(f.Path) {
		if s, ok := readList(f); ok || !IsFile(path.Base(f.Path)) {
			return s, ok
		}
	}
	s := Statement{Path: f.Path}
	if path.Base(f.Path) == metadata {
		var m struct{ License string }
		if json.Unmarshal(f.Data, &m) != nil || Expression(m.License) == NoAssertion {
			return s, false
		}
		s.Grants = []Grant{{License: Expression(m.License)}}
		return s, true
	}
	s.Grants = grants(f.Data[:min(len(f.Data), maxText)])
	stem, _, _ := strings.Cut(strings.ToUpper(path.Base(f.Path)), ".")
	named := slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "UNLICENSE"}, stem)
	if len(s.Grants) == 0 && (named || stem == "COPYRIGHT") && inOwnTerms(f.Data) {
		s.Grants = []Grant{{License: ownTerms}}
	}
	return s, len(s.Grants) > 0 || named && len(f.Data) >= minStatement
}

// inOwnTerms reports whether a licence file grants something in words that no rule knows.
func inOwnTerms(text []byte) bool {
	return len(text) <= longestNotice && permit().MatchString(plain(text))
}

var (
	// Words between two licence texts: choose says that one may choose, apart that the second covers only a part of the
	// package, ofFiles that files are named. word and located find the names.
	choose  = compiled(`(?i)\bdual[- ]licen|\beither (?:of|the|licen)|\bunder either\b|at your (?:option|choice)|your choice of|choice of licen`)
	apart   = compiled(`(?i)portions|third[- ]party|includ(?:es|ing) (?:code|software|the following|source|work)|incorporat|deriv(?:ed|ative)|based on|adapted|borrowed|bundl|vendored|component|copied from|the following (?:software|librar|licen[sc]e)|ported|originally|(?:some|certain) (?:code|files)|\bparts? of|contains (?:code|software|work)|\buses? (?:code|software)|taken from`)
	ofFiles = compiled(`(?i)\bfiles?\b|director(?:y|ies)|\blocated\b|\bfolders?\b`)
	word    = compiled(`[\w@+*./-]+`)
	// toldOf follows a name whose licence the sentence itself names: "a.c is under a BSD licence", so it is not that of the text below.
	toldOf  = compiled(`^['"` + "`" + `)]*,? (?:is|are) (?:[\w.-]+ ){0,3}?(?:under|public domain|licen[sc]ed)\b`)
	located = compiled(`(?i)(?:located (?:at|in)|director(?:y|ies):?|folders?|files? (?:in|under))[ "'` + "`" + `]+((?:\./)?[\w.-]+(?:/[\w.*-]+)*/?)`)
)

// grants reads a licence file. It returns the licences whose texts the file has, each with the file names before that text. For a
// file without texts it returns the licences that it links to.
func grants(text []byte) []Grant {
	texts, links := texts(text)
	if e, at := tagged(text); e != "" && (len(texts) == 0 || at < texts[0].Start) && !strings.Contains(e, " AND ") {
		return []Grant{{License: e}}
	}
	if e := titled(text); e != "" {
		return []Grant{{License: e}}
	}
	if len(texts) == 0 {
		if e := noticed(text); e != "" {
			return []Grant{{License: e}}
		}
		return onlyLicenses(links)
	}
	var out []Grant
	from, free, others, words := 0, false, false, besideTexts(text, texts)
	for i, m := range texts {
		for _, l := range links { // "all in docs/ is under CC-BY: https://…"
			if named := from <= l.Start && l.End <= m.Start; named {
				if files := fileNames(string(text[from:l.Start])); len(files) > 0 {
					out, from = append(out, Grant{License: fromScanner(l.ID), Files: files}), l.End
				}
			}
		}
		gap := string(text[from:max(from, body(text, m))])
		from = max(from, m.End)
		g := Grant{License: excepted(idOf(text, m), words), Files: fileNames(gap), Text: isText(m)}
		if later := prefaced(m, gap); later != "" {
			g.License, g.Text = excepted(later, words), false
		}
		others = others || i > 0 && apart().MatchString(gap) // after a first licence text for other people's code, all texts are for other people's code
		g.Part = others && len(g.Files) == 0
		if len(gap) < longGap && choose().MatchString(gap) {
			if e := join(gap, "or"); len(Terms(e)) > 1 && !unlisted(e) {
				return []Grant{{License: e}} // more exact than the texts: "or any later version"
			}
			free = true
		}
		out = append(out, g)
	}
	out = mostly(text, withoutCopies(out))
	if otherTerms(text, licences(out)) {
		return nil
	}
	if free {
		return []Grant{{License: alternatives(out)}}
	}
	return fold(out)
}

var mostOf = compiled(`(?i)^ ?most (?:of|files|parts|code)\b[^.;:]{0,60}? (?:is|are) (?:\w+ )?(?:under|covered by|subject to) (?:the )?(?:terms of )?(?:the |an? )?(` + someNames + `)(?: licen[sc]e)?\b`)

// provided returns the GNU licence of a licence file that says "This package is provided under the terms of …", and then gives the
// licences of bundled libraries.
func provided(text string) string {
	const sentences = 300 // after the first words
	m := thisPackage().FindStringIndex(text)
	if m == nil {
		return ""
	}
	if next := text[m[1]:min(len(text), m[1]+sentences)]; !apart().MatchString(next) && !below().MatchString(next) {
		return ""
	}
	ids := gnuNotices(text)
	if len(ids) != 1 {
		return ""
	}
	return ids[0]
}

var (
	thisPackage = compiled(`(?i)^ ?This (?:package|program|software|library|project) is (?:provided|licen[sc]ed|distributed|released)(?: \w+){0,3} under (?:the )?terms of (?:the )?GNU`)
	below       = compiled(`(?i)\b(?:included )?below (?:is|are)\b[^.]{0,80}licen[sc]e|externally maintained`)
)

// mostly adjusts the grants of a licence file that begins with "Most of it is under A": A covers all files that no grant names, and
// every other grant covers a part.
func mostly(text []byte, gs []Grant) []Grant {
	first := plain(text[:min(len(text), shortStatement)])
	if e := provided(first); e != "" && len(gs) > 0 && !slices.ContainsFunc(gs, func(g Grant) bool { return family(g.License) == family(e) }) {
		gs = append([]Grant{{License: e}}, gs...)
		for i := range gs[1:] {
			gs[i+1].Part = gs[i+1].Part || len(gs[i+1].Files) == 0
		}
		return gs
	}
	m := mostOf().FindStringSubmatch(first)
	if m == nil {
		return gs
	}
	most := join(m[1], m[1])
	if !slices.ContainsFunc(gs, func(g Grant) bool { return g.License == most }) {
		return gs
	}
	out := slices.Clone(gs)
	for i := range out {
		if g := &out[i]; g.License == most {
			g.Files, g.Part = nil, false
		} else {
			g.Part = g.Part || len(g.Files) == 0
		}
	}
	return out
}

func licences(gs []Grant) (ids []string) {
	for _, g := range gs {
		ids = append(ids, g.License)
	}
	return ids
}

// withoutCopies leaves out the text of a GNU licence if a notice for the same files says which versions are meant.
func withoutCopies(gs []Grant) []Grant {
	return slices.DeleteFunc(slices.Clone(gs), func(g Grant) bool {
		return g.Text && slices.ContainsFunc(gs, func(o Grant) bool {
			return !o.Text && family(o.License) == family(g.License) && strings.HasPrefix(o.License, strings.TrimSuffix(g.License, "only")) && slices.Equal(o.Files, g.Files) && o.Part == g.Part
		})
	})
}

// titled recognises two licence files by their words, because the licence texts in them mislead: Perl's offers a choice, and
// Python's also has the licences of earlier owners. It returns "" for any other file.
func titled(text []byte) string {
	switch {
	case asPerl().MatchString(plain(text[:min(len(text), shortStatement)])):
		return perl
	case !bytes.Contains(text, []byte("PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2")):
		return ""
	case bytes.Contains(text, []byte("BEOPEN.COM LICENSE AGREEMENT")):
		return "Python-2.0"
	}
	return "PSF-2.0"
}

// permits matches the words that a short licence's text begins with.
var permits = compiled(`Permission |Redistribution |Licensed under|This software is provided|TERMS AND CONDITIONS`)

// body returns where a licence text really begins. A match may start at the word "copyright" in the sentence before the
// list of files.
func body(text []byte, m licensecheck.Match) int {
	if at := permits().FindIndex(text[m.Start:min(m.End, m.Start+2000)]); at != nil {
		return m.Start + at[0]
	}
	return m.Start
}

// texts returns the licence texts and the links to licences in a text, in order.
func texts(text []byte) (texts, links []licensecheck.Match) {
	for _, m := range withoutAppendix(text, scan(text, enough).Match) {
		switch {
		case fromScanner(m.ID) == "":
		case m.IsURL:
			links = append(links, m)
		default:
			texts = append(texts, m)
		}
	}
	return texts, links
}

// longGap is the length of a gap that has more than a sentence on a choice.
const longGap = 4000

// besideTexts returns the words of a licence file in which an exception is looked for: all, or those before a long text.
// The end of such a file may have the exceptions of some files.
func besideTexts(text []byte, texts []licensecheck.Match) string {
	switch {
	case len(text) < longText/2:
		return plain(text)
	case len(texts) > 0:
		return plain(text[:texts[0].Start])
	}
	return ""
}

// prefaced returns the licence of the text of a GNU licence, before which a notice says that later versions may be used, or "".
func prefaced(m licensecheck.Match, before string) string {
	base, only := strings.CutSuffix(fromScanner(m.ID), "-only")
	if later := base + "-or-later"; isText(m) && only && inNotices(plain([]byte(before))) == later {
		return later
	}
	return ""
}

// isText reports whether a match is the whole text of a GNU licence, not a notice.
func isText(m licensecheck.Match) bool {
	return isGNU(m.ID) && !strings.HasSuffix(m.ID, "-only") && !strings.HasSuffix(m.ID, "-or-later")
}

var appendix = compiled(`(?i)how to apply these terms`)

// withoutAppendix leaves out the notice in the appendix of a GNU licence, which shows others how to apply it.
func withoutAppendix(text []byte, ms []licensecheck.Match) (out []licensecheck.Match) {
	end := -1 // of the last text
	for _, m := range ms {
		if end >= 0 && !m.IsURL && !isText(m) && isGNU(m.ID) && appendix().Match(text[end:max(end, m.Start)]) {
			continue
		}
		if isText(m) {
			end = m.End
		}
		out = append(out, m)
	}
	return out
}

func onlyLicenses(ms []licensecheck.Match) []Grant {
	var out []Grant
	for _, m := range ms {
		out = append(out, Grant{License: fromScanner(m.ID)})
	}
	return fold(out)
}

// alternatives joins the licences of grants by OR.
func alternatives(gs []Grant) string {
	var ids []string
	for _, g := range fold(gs) {
		if !slices.Contains(ids, g.License) {
			ids = append(ids, g.License)
		}
	}
	return Expression(strings.Join(ids, " OR "))
}

// fold leaves out grants that repeat an earlier one.
func fold(gs []Grant) []Grant {
	var out []Grant
	for _, g := range gs {
		again := func(o Grant) bool {
			return o.License == g.License && slices.Equal(o.Files, g.Files) && (g.Part || !o.Part)
		}
		if !slices.ContainsFunc(out, again) {
			out = append(out, g)
		}
	}
	return out
}

// maxNamed bounds the number of names in one grant.
const maxNamed = 200

// fileNames lists the files named in the words before a licence text: names with the extension of a program, patterns,
// folders.
func fileNames(gap string) []string {
	var out []string
	add := func(s string) {
		if s = strings.TrimPrefix(strings.Trim(s, "-+"), "./"); s != "" && s != "*" && !slices.Contains(out, s) && len(out) < maxNamed {
			out = append(out, s)
		}
	}
	told := ofFiles().MatchString(gap)
	for line := range strings.Lines(gap) {
		if alone := strings.TrimSpace(line); !told && !(isName(alone) && word().FindString(alone) == alone) {
			continue
		}
		if strings.Contains(line, "opyright") || strings.Contains(line, "://") {
			continue
		}
		for _, m := range word().FindAllStringIndex(line, -1) {
			if w := strings.TrimRight(line[m[0]:m[1]], "."); isName(w) && !(toldOf().MatchString(line[m[1]:]) && !strings.Contains(line[m[1]:], "following")) {
				add(w)
			}
		}
		for _, m := range located().FindAllStringSubmatch(line, -1) {
			if n := strings.TrimRight(m[1], "./"); !slices.Contains(articles, strings.ToLower(n)) {
				add(n)
			}
		}
	}
	return out
}

// articles are words that are no names of folders.
var articles = []string{"the", "this", "that", "these", "a", "an", "all", "each", "our", "your", "any", "which"}

// isName reports whether a word is the name of a file or a pattern of names.
func isName(w string) bool {
	if strings.ContainsAny(w, "@") || strings.HasPrefix(w, "*") && strings.Trim(w, "*") == "" || strings.Contains(w, "**") {
		return false
	}
	if !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return false // the mark of a comment
	}
	pattern := strings.Contains(w, "*") && strings.ContainsAny(w, "/.")
	folder := strings.HasSuffix(w, "/") && len(w) > 2
	ext := path.Ext(w)
	return pattern || folder || ext != w && slices.Contains(codeExts, strings.ToLower(ext))
}

// names reports whether a grant names a file, given by its path relative to the statement.
func (g Grant) names(file string) bool {
	return slices.ContainsFunc(g.Files, func(n string) bool {
		if n = strings.TrimSuffix(n, "/"); strings.Contains(n, "*") {
			whole, _ := path.Match(n, file)
			base, _ := path.Match(n, path.Base(file))
			below := strings.HasSuffix(n, "/*") && strings.HasPrefix(file, strings.TrimSuffix(n, "*"))
			return whole || base || below
		}
		return n == file || n == path.Base(file) || strings.HasPrefix(file, n+"/") || strings.HasSuffix(file, "/"+n)
	})
}

package license

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/license/internal/comment"
)

// plain returns the words of a comment, on one line: without the marks at the ends of its lines.
func plain(block []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(block)) {
		for word := range strings.FieldsSeq(unmarked(line)) {
			b.WriteByte(' ')
			b.WriteString(word)
		}
	}
	b.WriteByte(' ')
	if text := b.String(); strings.Contains(text, "ed by") {
		return approved().ReplaceAllString(text, "")
	}
	return b.String()
}

// unmarked returns a line without the mark of a comment at its begin, and without the side of a box at its end.
func unmarked(line string) string {
	line = strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(line, "//"):
		line = strings.TrimLeft(line, "/")
	case strings.HasPrefix(line, "/*"), strings.HasPrefix(line, "*"):
		line = strings.TrimPrefix(strings.TrimLeft(strings.TrimPrefix(line, "/"), "*"), "!")
	case strings.HasPrefix(line, "--"):
		line = strings.TrimLeft(line, "-")
	case strings.HasPrefix(line, "dnl"), strings.HasPrefix(line, "REM"):
		line = line[len("dnl"):]
	case strings.HasPrefix(line, `"""`):
		line = line[len(`"""`):]
	case line != "" && strings.IndexByte("#;%|", line[0]) >= 0:
		line = strings.TrimLeft(line, line[:1])
	case line != "" && (line[0] == '"' || line[0] == '\''):
		line = line[1:]
	}
	rest := strings.TrimRight(line, "*/|#;%-")
	if side := line[len(rest):]; side != "" && (rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "\t")) {
		if one := strings.TrimLeft(side, side[:1]); one == "" && side != "-" && side != "/" || one == "/" && side[0] == '*' {
			return rest
		}
	}
	return line
}

var (
	// approved matches later versions that need a consent, which are not any later version.
	approved = compiled(`(?i)(?:,? or \(?(?:at your option\)?,? )?(?:the GNU General Public Licen[sc]e version [23] )?)?or any later version approved by|,? or \(?(?:at your option\)?,? )?any later version (?:approved|accepted) by`)
	// A GNU notice in other words than usual.
	gnuNotice = compiled(`(?i)\bterms of (?:the )?(GNU (?:(?:Lesser|Library|Affero) )?(?:General )?Public Licen[sc]e)(?: ?\("?[AL]?GPL"?\))?,?(?: as published by the Free Software Foundation[^;]{0,120}?)?[,;:.]? ?(?:either )?\(?(?:version|v\.?) ?([123](?:\.[01])?)( of the licen[sc]e)?(?:,? dated \w+,? [0-9]{4}| \(included below\))?(,? ?(?:or|and),? ?\(?(?:at your option\)?,? )?(?:any )?(?:later|newer|higher|above))?`)
	// The same, with the version before the name.
	gnuVersion = compiled(`(?i)\bterms of (?:either )?version ([123](?:\.[01])?)( or (?:any )?(?:later|newer))? of (?:the )?(GNU (?:(?:Lesser|Library|Affero) )?(?:General )?Public Licen[sc]e)( as published by the Free Software Foundation;? or (?:\(at your option\) )?any later)?`)
	// "under either or both of the following licenses: 1) … 2) …"
	gnuOption = compiled(`(?i)\(?at your option\)?,? ?(?:any|a|or) `)
	followed  = compiled(`(?i)\b(?:under|terms of)\b[^.:]{0,60}\bfollowing\b[^.:]{0,30}licen[sc]es?\b[^:.]{0,40}:(.{10,700})`)
	// The file or the address of a licence, after its name.
	inBrackets = compiled(` ?<[^<>]{1,120}>`)
	eitherOf   = compiled(`(?i)\bsubject to the terms of either (?:the )?(` + oneName + `(?:[ ,]{0,2}(?:licen[sc]es?)?(?: ?\([^()]{0,100}\))?,? or (?:the )?` + oneName + `)+)`)
	sentence   = compiled(`[a-z)]\. [A-Z]`) // where one ends
	choosing   = compiled(`(?i)at your (?:option|choice)|your choice|\beither of\b|\balternative(?:ly|s)?\b|\bdual[- ]licen|\bunder either\b|terms of either|any (?:one )?of the following|choose whichever|whichever you prefer`)
	instead    = compiled(`(?i)\balternatively,? .{0,160}?under (?:the )?(?:terms|conditions) of (?:either )?(?:the )?(` + someNames + `)`)
	asPerl     = compiled(`(?i)\bsame (?:terms|licen[sc]e|conditions)(?: and conditions)? as (?:the )?(?:Perl\b|version [\w.]+ of Perl)|terms (?:of|as) (?:Perl|the Perl(?: 5)? programming language)(?: system)?(?: itself)?\b|\bterms of either:? the GNU General Public Licen[sc]e as published by the Free Software Foundation; or the (?:Perl )?Artistic Licen[sc]e\b`)
	asVim      = compiled(`(?i)\bsame (?:(?:terms|licen[sc]e|conditions)(?: and conditions)? )?as Vim\b(?: itself)?|\bunder (?:the )?(?:terms of )?(?:the )?Vim licen[sc]e\b`)
	asRuby     = compiled(`(?i)\bsame (?:terms|licen[sc]e|conditions)(?: and conditions)? as (?:the )?Ruby\b|\bunder (?:the )?(?:terms of )?(?:the )?Ruby(?:'s)? licen[sc]e\b`)
)

// perl is the licence of Perl, and of what is under its terms.
const perl = "Artistic-1.0-Perl OR GPL-1.0-or-later"

// together returns the expression for the licences whose notices stand in one comment. They apply together unless the
// comment offers a choice.
func together(exprs []string, block []byte) string {
	if len(exprs) == 0 {
		return ""
	}
	if !hasAny(block, choiceWords) && !(hasAny(block, optionWords) && !bytes.Contains(block, []byte("later"))) && !hasAny(block, exceptionWords) {
		return And(exprs...)
	}
	text := plain(block)
	for i, e := range exprs {
		exprs[i] = excepted(e, text)
	}
	if !offersChoice(text) {
		return And(exprs...)
	}
	if m := instead().FindStringSubmatch(text); m != nil {
		for _, id := range Terms(join(m[1], "or")) {
			if !slices.ContainsFunc(exprs, func(e string) bool { return family(e) == family(id) || hint(id) && family(e) == "BSD" }) {
				exprs = append(exprs, id)
			}
		}
	}
	if gnu := inNotices(text); !slices.ContainsFunc(exprs, func(e string) bool { return strings.Contains(e, "GPL-") }) && gnu != "" {
		exprs = append(exprs, gnu)
	}
	if len(exprs) == 1 {
		if e, _ := stating(block, inBrackets().ReplaceAllString(text, "")); strings.Contains(e, " OR ") && slices.Contains(Terms(e), exprs[0]) {
			return e // "under the Apache License, Version 2.0 <LICENSE-APACHE> or the MIT license <LICENSE-MIT>, at your option"
		}
		return notAlone(exprs[0], text)
	}
	var each []string
	for _, e := range exprs {
		if !slices.Contains(each, "("+e+")") {
			each = append(each, "("+e+")")
		}
	}
	return Expression(strings.Join(each, " OR "))
}

// interrupted returns a comment with spaces in place of a paragraph on an alternative, or nil if there is none. The paragraph may interrupt
// the text of the other licence: heads of FreeBSD allow the GNU General Public License between the conditions of BSD and its disclaimer.
func interrupted(block []byte) []byte {
	at := bytes.Index(block, []byte("lternatively"))
	if at < 0 {
		return nil
	}
	out := slices.Clone(block)
	for pos := bytes.LastIndexByte(block[:at], '\n') + 1; pos < len(block); {
		n := comment.LineLen(block[pos:])
		if len(bytes.Trim(block[pos:pos+n], " \t\r\n*/#;!-")) == 0 {
			break
		}
		for i := range out[pos : pos+n] {
			out[pos+i] = ' '
		}
		pos += n
	}
	return out
}

// besideChoice is how many bytes around a choice are searched for words about licences.
const besideChoice = 200

// offersChoice reports whether a comment offers a choice of licences. "If any of the following members is set" offers none.
func offersChoice(text string) bool {
	text = gnuOption().ReplaceAllString(text, "")
	for _, m := range choosing().FindAllStringIndex(text, -1) {
		if mentionsLicence([]byte(text[max(0, m[0]-besideChoice):min(len(text), m[1]+besideChoice)])) {
			return true
		}
	}
	return false
}

// Parts of words without which a comment offers no choice, or states no exception.
var (
	choiceWords    = [][]byte{[]byte("lternativ"), []byte("LTERNATIV"), []byte("hoice"), []byte("hichever"), []byte("ual licen"), []byte("ual-licen"), []byte("ither of"), []byte("nder either"), []byte("of either"), []byte("of the following")}
	optionWords    = [][]byte{[]byte("option"), []byte("OPTION")}
	exceptionWords = [][]byte{[]byte("xception"), []byte("XCEPTION"), []byte("xWindows"), []byte("unlimited permission"), []byte("dditional permission"), []byte("DDITIONAL PERMISSION")}
)

func hasAny(text []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(w []byte) bool { return bytes.Contains(text, w) })
}

// matches applies an expression to a text that has a word of all that it matches.
func matches(text, word string, re func() *regexp.Regexp) []string {
	if !strings.Contains(text, word) {
		return nil
	}
	return re().FindStringSubmatch(text)
}

// inWords returns the licence that a comment gives in words of its own: a GNU notice, a list of licences, the terms of
// Perl or Ruby. sign is a word near it.
func inWords(text string) (expr, sign string) {
	if m := matches(text, "either", eitherOf); m != nil {
		return exactly(join(m[1], "or"), text), "either"
	}
	if e := inNotices(text); e != "" {
		return excepted(e, text), "Public"
	}
	if m := matches(text, "following", followed); m != nil {
		list := m[1]
		if end := sentence().FindStringIndex(list); end != nil {
			list = list[:end[0]]
		}
		if e := join(list, gnuOption().ReplaceAllString(strings.TrimSuffix(m[0], m[1])+list, "")); strings.Contains(e, " ") {
			return e, "following"
		}
	}
	switch {
	case asPerl().MatchString(text):
		return perl, "Perl"
	case matches(text, "uby", asRuby) != nil:
		return "Ruby", "Ruby"
	case matches(text, "Vim", asVim) != nil:
		return "Vim", "Vim"
	case strings.Contains(text, "his is free and unencumbered software released into the public domain"):
		return "Unlicense", "unencumbered"
	}
	return "", ""
}

// inNotices returns the licences of the GNU notices in a text. Those that follow "alternatively" are a choice.
func inNotices(text string) string {
	ids := gnuNotices(text)
	switch {
	case len(ids) == 0:
		return ""
	case len(ids) > 1 && offersChoice(text):
		return Expression(strings.Join(ids, " OR "))
	}
	return ids[0]
}

// gnuNotices returns the licence of each GNU notice in a text, once.
func gnuNotices(text string) (ids []string) {
	if !strings.Contains(text, "GNU") {
		return nil
	}
	add := func(name, version string, later bool) {
		words := name + " version " + version
		if later {
			words += " or later"
		}
		if id := gnuID(strings.ToLower(words)); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, m := range gnuNotice().FindAllStringSubmatch(text, 8) {
		add(m[1], m[2], m[4] != "")
	}
	if strings.Contains(text, "erms of version") || strings.Contains(text, "erms of either version") {
		for _, m := range gnuVersion().FindAllStringSubmatch(text, 8) {
			add(m[3], m[1], m[2] != "" || m[4] != "")
		}
	}
	return ids
}

// exceptions lists the words by which the exceptions to licences are known. gnu3 replaces the name beside version 3.
var exceptions = sync.OnceValue(func() []exception {
	var out []exception
	for _, e := range [][3]string{
		{"Classpath-exception-2.0", "", `"?classpath"? exception|library statically or dynamically with other modules is making a combined work`},
		{"Libtool-exception", "", `built using (?:gnu )?libtool`},
		{"Autoconf-exception-generic", "Autoconf-exception-generic-3.0", `contains a configuration script generated by autoconf`},
		{"Autoconf-exception-macro", "", `unlimited permission to copy, distribute and modify the configure scripts`},
		{"Bison-exception-2.2", "", `larger work that contains part or all of the bison parser skeleton`},
		{"Bison-exception-1.24", "", `copied by bison into a bison output file`},
		{"GCC-exception-2.0", "", `unlimited permission to link the compiled version of this file`},
		{"GCC-exception-3.1", "", `gcc runtime library exception`},
		{"mif-exception", "", `you may use this file as part of a free software library without restriction`},
		{"eCos-exception-2.0", "", `instantiate templates or use macros or inline functions from this file`},
		{"GNAT-exception", "", `instantiate generics from this unit`},
		{"Font-exception-2.0", "", `create a document which uses this font`},
		{"WxWindows-exception-3.1", "", `wxwindows librar(?:y|ies)? licen[sc]e`},
		{"LLVM-exception", "", `apache licen[sc]e,? v(?:ersion )?2\.0 with llvm exceptions?`},
		{"Qt-GPL-exception-1.0", "", `(?:the )?qt company gpl exception 1\.0`},
		{ofOCaml, "", `special exception on linking described in|\bwith (?:the |an? )?(?:special )?(?:ocaml )?linking exceptions?\b|as a special exception to the gnu (?:lesser|library) general public licen[sc]e,? you may (?:also )?link,? (?:statically or dynamically,? )?a .?work that uses the library`},
		{"Universal-FOSS-exception-1.0", "", `universal foss exception, version 1\.0`},
		{"GPL-3.0-linking-source-exception", "", `additional permission to convey the resulting work\.? corresponding source for a non-source form of such a combination`},
		{"GPL-3.0-linking-exception", "", `by linking or combining it with .{1,300}additional permission to convey the resulting work`},
		{"SANE-exception", "", `if you link a sane library with other files to produce an executable`},
		{"cryptsetup-OpenSSL-exception", "", `permission to link the code of (?:portions of )?this program with (?:any edition of )?the "?openssl"? library`},
		{"x11vnc-openssl-exception", "", `permission to link the code of its release of .{1,60}? with the openssl project's "?openssl"? library`},
	} {
		out = append(out, exception{e[0], e[1], regexp.MustCompile(`(?i)` + e[2])})
	}
	return out
})

// ofOCaml is an exception to the LGPL. "With linking exception" means another one beside the GPL.
const ofOCaml = "OCaml-LGPL-linking-exception"

type exception struct {
	id, gnu3 string
	words    *regexp.Regexp
}

// excepted adds the exception that a text states to the licences that it is made for.
func excepted(expr, text string) string {
	if !startsWith(expr, "GPL-", "LGPL-", "AGPL-", "Apache-2.0") && !strings.Contains(expr, "GPL-") || !mayExcept().MatchString(text) {
		return expr
	}
	n := parse(expr)
	for _, t := range Terms(expr) {
		if with := exceptionTo(t, text); with != "" {
			n = n.renamed(t, t+" WITH "+with)
		}
	}
	return n.String()
}

// exceptionTo returns the exception to a licence that a text states, or "".
func exceptionTo(term, text string) string {
	gnu := isGNU(term)
	if !gnu && term != "Apache-2.0" || strings.Contains(term, " ") {
		return ""
	}
	for _, x := range exceptions() {
		switch {
		case gnu == (x.id == "LLVM-exception") || x.id == ofOCaml && !strings.HasPrefix(term, "LGPL-") || !x.words.MatchString(text):
		case x.gnu3 != "" && strings.Contains(term, "-3.0"):
			return x.gnu3
		default:
			return x.id
		}
	}
	return ""
}

var mayExcept = compiled(`[Ee]xception|EXCEPTION|[Ww]xWindows|wxWidgets|unlimited permission|[Aa]dditional permission`)

// Results for comments without a known licence. ownTerms: terms in the author's own words. foreignTerms: a licence whose name no
// rule knows, or without its version. unreadTerms: words that may be about another licence; they count at the head of a file only.
const (
	ownTerms     = "LicenseRef-own-terms"
	foreignTerms = "LicenseRef-foreign-terms"
	unreadTerms  = "LicenseRef-unread-terms"
)

var (
	permit = compiled(`(?i)\bpermission (?:to (?:use|copy)|is (?:hereby )?(?:granted|given))|\bredistribution and use in|` +
		`\b(?:may|can) (?:be )?(?:freely )?(?:use|used|copy|copied|distributed?|redistributed?|modify|modified)\b[^.]{0,80}\b(?:provided|as long as|only if|for any purpose|freely|without (?:any )?(?:fee|restriction|charge))|` +
		`\bredistributions? of source code|\bgrants? (?:to )?(?:you|the user|any|every)|\bpermits? (?:you|any)|\bredistribute (?:it|this \w+) (?:and/or|or|and) modify (?:it|this \w+) under|` +
		`\bfreely (?:be )?(?:re)?distribut|\bfree for non|\b(?:copying|use|distribution) of this (?:file|software|code) is (?:authori[sz]ed|allowed|permitted)`)
	elsewhere = compiled(`(?:see|See|SEE|in|of|read|Read|file|under|to) (?:the )?(?:accompanying |file |files )?["'` + "`" + `(<]*((?:[\w.-]+/)*(?:COPYING|LICEN[CS]E|COPYRIGHT)(?:[._-][\w-]+)*(?:\.\w+)?)\b`)
)

// foreign matches a comment that names a licence. It is used for names that no rule knows.
var foreign = compiled(`\b(?:under|by|to) (?:the )?terms (?:and conditions )?of (?:the |an? )?(?:[A-Z][\w.+&'-]*,? ){1,6}Licen[sc]e\b`)

// sourceExt matches the extensions of source files.
const sourceExt = `(?:asm|c|h|cc|cpp|cxx|hpp|m|s|java|py|js|pl|pm|el|scm|ml|rb|lua|tcl|f|f90|pas|adb|ads)`

// besides matches a comment that leaves its terms to another source file, or to another program.
var besides = compiled(`(?i)\bsame (?:licen[sc]e|terms|copyright)\w*(?: and \w+)? as\b|\blicen[sc]e ?:? (?:the )?same as\b|\bsee (?:the )?(?:file |files? )?[\w./-]+\.` + sourceExt + `\b[^.]{0,40}\b(?:copyright|licen[sc]|copying|terms)|\bsee (?:the )?(?:\w+ )?(?:copyright|licen[sc]e)(?: notice| information| terms| details)?s?(?: and \w+)? (?:in|of|at)(?: the)?(?: \w+)* [\w./-]+\.` + sourceExt + `\b`)

// unread matches a comment that states a licence in words that no rule knows; the first group is what stands after "license:".
var unread = compiled(`(?i)\blicen[cs]ed (?:under|as|with)\b|\blicen[cs]e ?[:=] ?([a-z][\w+.-]*)|\b[AL]?GPL(?:v?\d)?\b|\b(?:therefore|hereby) (?:\w+ )?in(?:to)? the public domain\b|\breleased (?:for|in|to) the public domain\b|\bcopyleft|\b(?:under|of) (?:the|an?) [\w./+-]+(?: [\w./+-]+){0,4} licen[cs]e\b|(?-i:[A-Z][\w.+'-]*,? ){1,4}Public Licen[cs]e\b`)

// elsewhereWords stand after "license:" where that names no licence.
var elsewhereWords = []string{"http", "see", "file", "refer", "read", "please", "none", "unknown", "todo", "www", "same"}

// longestUnread is the size in bytes up to which a comment is taken to be about its file, if no rule knows its words.
const longestUnread = 3000

// statesUnread reports whether a comment states a licence in words that no rule knows.
func statesUnread(text string) bool {
	if len(text) > longestUnread {
		return false
	}
	return slices.ContainsFunc(unread().FindAllStringSubmatch(text, 8), func(m []string) bool {
		return m[1] == "" || !startsWith(strings.ToLower(m[1]), elsewhereWords...)
	})
}

// pointing begins the expression for a comment that points to a licence file by its name.
const pointing = "LicenseRef-see-"

// vagueHead returns the expression for a comment that grants something in unknown words, or points to a licence file by name. It
// returns "" for other comments.
func vagueHead(text string) string {
	if m := elsewhere().FindStringSubmatch(text); m != nil {
		if base := path.Base(m[1]); qualifier(base) != "" || strings.HasPrefix(base, "COPYING.") {
			return pointing + base
		}
		return ""
	}
	if besides().MatchString(text) {
		return ownTerms
	}
	if matches(text, "terms of", foreign) != nil {
		return foreignTerms
	}
	if permit().MatchString(text) && !strings.Contains(strings.ToLower(text), "see the licen") {
		return ownTerms
	}
	if statesUnread(text) {
		return unreadTerms
	}
	return ""
}

// If a head states nothing, tailBytes are searched at the end of the file; a comment that ends it may have lastBytes.
const tailBytes, lastBytes = 4096, 64 << 10

var podLicence = compiled(`(?mi)^=head[12] (?:[A-Z &,/]*(?:LICEN[SC]E|LICEN[SC]ING|COPYRIGHT)|AUTHORS?\b)`)

// atEnd returns the licence that the last comment of a file states, in a text or a notice, or else the documentation of
// a Perl module.
func atEnd(src []byte) Stated {
	if s := inPod(src); s.License != "" || len(src) <= headBytes {
		return s
	}
	if !bytes.HasSuffix(bytes.TrimRight(src[len(src)-tailBytes:], " \t\r\n"), []byte("*/")) {
		return Stated{}
	}
	open := bytes.LastIndex(src, []byte("/*"))
	if open < 0 {
		return Stated{}
	}
	last := src[open:]
	if len(last) > lastBytes || !mentionsLicence(last) || firstModule(src) < len(src) {
		return Stated{}
	}
	exprs, found := notices(last)
	if e := together(exprs, last); e != "" {
		return Stated{License: e, Line: lineAt(src, open+found[0].Start)}
	}
	return Stated{}
}

// maxSections bounds the sections of a documentation that are read.
const maxSections = 4

func inPod(src []byte) Stated {
	if !bytes.Contains(src, []byte("\n=head")) {
		return Stated{}
	}
	for _, m := range podLicence().FindAllIndex(src, maxSections) {
		section := src[m[0]:]
		section = section[:min(len(section), tailBytes)]
		if end := bytes.Index(section[1:], []byte("\n=")); end >= 0 {
			section = section[:end+1]
		}
		at := lineAt(src, m[0])
		if found, _ := notices(section); len(found) > 0 {
			return Stated{License: together(found, section), Line: at}
		}
		if e, _ := named(section); e != "" {
			return Stated{License: e, Line: at}
		}
	}
	return Stated{}
}

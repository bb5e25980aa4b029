package license

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Patterns of licences that a comment names in a few words: "Released under the MIT license", "@license ISC", "Dual
// licensed under the MIT or GPL Version 2 licenses".
const (
	gnuName = `(?:GNU )?(?:(?:Lesser|Library|Affero) )?(?:[AL]?GPL|General Public Licen[sc]e)(?: licen[sc]e)?(?: ?\("?[AL]?GPL"?\))?(?:[ ,-]{0,2}(?:v\.? ?|ver\.? |version )?[123](?:\.[012])?(?: only)?)?` +
		`(?:\+|[,-]? ?\(?(?:or[, -]{1,2})?(?:at your option,? )?(?:or[ -])?(?:any )?(?:later|newer|above))?`
	oneName = `(?:MIT/X11|X11/MIT|MIT|Expat|ISC|Apache(?: Software)?(?: Licen[sc]e)?[ ,-]{0,2}(?:v\.? ?|ver\.? |version )?2(?:\.0)?|` +
		`(?:2|3|two|three)[- ]clause\)? (?:Free)?BSD|(?:new|modified|revised|simplified) BSD|BSD[- ](?:2|3|two|three)[- ]clause|BSD[23]\b|BSD(?:[- ]style)?|` +
		gnuName + `|MPL[ -]?(?:v|version )?2(?:\.0)?|Mozilla Public Licen[sc]e,? (?:v|ver\.? |version )?2\.0|the Unlicense|public domain|` +
		`Boost Software Licen[sc]e(?:[ ,-]{0,2}(?:v\.? ?|version )?1\.0)?|zlib(?:/libpng)? licen[sc]e|CC0(?:[ -]1\.0)?|WTFPL|MPL[ /-]?1\.1|Mozilla Public Licen[sc]e,? (?:v|version )?1\.1|Artistic Licen[sc]e(?:[ ,]{0,2}(?:v\.? ?|version )?2(?:\.0)?)?|(?:Common Development and Distribution Licen[sc]e|CDDL)(?: ?\("?CDDL"?\))?(?:[ ,-]{0,2}(?:v\.? ?|version )?1\.[01])?)`
	someNames = oneName + `(?:[ ,]{0,2}(?:licen[sc]es?)?(?: ?\([^()]{0,100}\))?(?:,? ?(?:and|or|/|&) ?|, )(?:the |an? )?` + oneName + `)*`
)

var (
	// Patterns of statements. A name alone is not one, since a comment may be about licences. The words before or after
	// the name make it a statement.
	statements = sync.OnceValue(func() []*regexp.Regexp {
		return []*regexp.Regexp{
			regexp.MustCompile(`(?i)\b(?:licen[sc]ed|released|distributed|used|available|published|provided|placed|dedicated|governed|covered)(?: \w+){0,3}? (?:under|by|into|in|to|with|on)(?: both| either)?(?: of)?(?: the| an?)?(?: dual)?(?: terms(?: and conditions)? of(?: the| an?)?)?[ "'(` + "`" + `]{1,2}(?:the )?(` + someNames + `)(?:\b|\W|$)`),
			regexp.MustCompile(`(?i)\b(?:(?:use|distribute|modify|copy)(?:/\w+)?\b[^.]{0,60}? under|subject to|software under) (?:the )?(?:terms and conditions|terms|conditions) of(?: either| any)?(?: \([^()]{1,30}\))?,?(?: the| an?)?[ "'(]{1,2}(` + someNames + `)(?:\b|\W|$)`),
			regexp.MustCompile(`(?i)\b(?:is|are) subject to (?:the |an? )?["'(]?(` + someNames + `)(?:$|\W)`), // "Use and distribution are subject to the Boost Software License"
			regexp.MustCompile(`(?i)(?:^|\W)licen[sc]es?(?: ?\.{0,20}:| =| -)?(?: ~)? (?:the )?(` + someNames + `)(?:$|\W)`),
			regexp.MustCompile(`(?i)\blicen[sc]ed under: \(?(?:the \(?)?(` + someNames + `)(?:\b|\W|$)`), // "This is free software, licensed under: The MIT (X11) License", as Dist::Zilla writes it
			regexp.MustCompile(`(?i)\bcode: (` + someNames + `) licen[sc]e\b`),                           // "License - URL (Fonts: SIL OFL 1.1, Code: MIT License)"
			regexp.MustCompile(`(?i)\b(` + someNames + `)[ -]licensed\b`),
			regexp.MustCompile(`(?i)(?:copyright|\(c\)).{0,200}\b(` + someNames + `) licen[sc]e\b`),
			regexp.MustCompile(`(?i)[.|] ?(` + someNames + `) licen[sc]e ?(?:[.|]|$)`), // "ieee754. BSD-3-Clause License. A <a@b.c>"
			regexp.MustCompile(`(?i)\bthis (?:file|code|source|software|program|work|implementation|script|module|library|header|package|project)(?: \w+){0,2}? (?:is|has been|was)(?: (?:hereby|now|also|released|placed|put|dedicated|given))*(?: (?:in|into|to|as))?(?: the)? (public domain)\b`),
			regexp.MustCompile(`(?i)\bcss: (` + someNames + `) licen[sc]e\b`),
		}
	})
	// "Adapted from A under the MIT license"
	adapted = compiled(`(?i)\b(?:adapted|borrowed|copied|derived|lifted|ported|taken) from\b[^.]{0,60}[^.]{0,60} under (?:the |an? )?(` + someNames + `) licen[sc]e\b`)
	// "I am placing this code in the public domain."
	placing = compiled(`(?i)\b(?:I|we)(?: am| are|'m| have|'ve)? (?:hereby )?(?:plac|put|releas|dedicat)\w*(?: \w+){1,4} (?:in|into|to) the public domain\b`)
	// A line that ends with these words, as "Public Domain." or "by A, 100% Public Domain".
	inPublic = compiled(`(?im)^[ \t]*(?:/{2,}|/?\*+!?|#+|--+|;+|%+)?[ \t]*(?:[^\n]{0,60}(?:[.,;:%][ \t]+|[ \t]\())?(?:licen[sc]e:? )?\(?(?:in the )?(public domain)\)?[.!]?[ \t]*(?:\*/)?[ \t\r]*$`)
	// A line such as "(Mostly) portable public-domain implementation" says it of the file, unless it goes on with "is at ...".
	freeVersion = compiled(`(?im)^[ \t]*(?:/{2,}|/?\*+!?|#+|--+|;+|%+)?[ \t]*(?:[\w.]{1,30} -+ )?(?:this (?:file )?is )?(?:an? )?(?:(?:\(mostly\)|100%|portable|simple|small|minimal|fast|free|generic|C|C\+\+) ){0,3}(public[- ]domain) (?:implementation|version|replacement|program|software|code)\b([^\n]{0,80})`)
	goesOn      = compiled(`(?i)\b(?:can|could|may|is|are|was|were|exists?|available|also|from|found)\b`)
	disclaimed  = compiled(`(?i)authors? disclaims? copyright to this (?:source )?code`) // SQLite
	annotation  = compiled(`(?i)@licen[sc]e:?[ \t]+([^\r\n]+)`)
	linkedName  = compiled(`^\[([\w.+ -]+)\][({]`)
	nameAlone   = compiled(`(?i)^(?:the )?(` + someNames + `)(?: licen[sc]e)?$`)
	eachName    = compiled(`(?i)\b` + oneName)
	short       = compiled(`(?i) ?\((?:the )?"?(?:[AL]?GPL|CDDL)"?\)`)
	gnuLink     = compiled(`(?i)gnu\.org/[\w./-]*?\b(l?gpl)-([123]\.[01])\b`)
	ownLink     = compiled(`(?i)://[\w./-]*?/l?gpl-?v?[123](?:\.?[01])?\b`)
	cddl11      = compiled(`(?i)CDDL(?:\+GPL)?[-_]1[_.]1|CDDL (?:version )?1\.1`)
	more        = compiled(`^[-a-zA-Z ]{0,15},? or (?:the |an? )`) // another licence, without a known name
	option      = compiled(`(?i)at your (?:option|choice)|or you may|one of the above`)
	choice      = compiled(`(?i)\bor\b|/|\bdual|your option|your choice|one of`)
	version     = compiled(`[123](?:\.[012])?`)
	later       = compiled(`(?i)\+|later|newer|above`)
)

// shortStatement is the size in bytes up to which a comment is searched for the name of a licence. A longer comment has
// the licence's text, or is about something else.
const shortStatement = 1500

// Results for a comment that says "BSD-style license". Later one of the BSD licences nearby replaces them, if possible.
const (
	bsdStyle   = "LicenseRef-BSD-style"
	goBSDStyle = "LicenseRef-BSD-style-Go" // in files of the Go Authors, which means their own licence
)

// hint reports whether an expression only says what a licence is like.
func hint(expr string) bool { return expr == bsdStyle || expr == goBSDStyle }

// annotated returns the expression in an annotation, such as "@license (MIT AND Zlib)", and its position.
func annotated(head []byte) (expr string, at int) {
	m := annotation().FindSubmatchIndex(head)
	if m == nil || inCode(head[:m[0]]) {
		return "", 0
	}
	said := trimClosers(string(head[m[2]:m[3]]))
	if strings.HasPrefix(said, "http") { // "@license https://opensource.org/licenses/MIT MIT License"
		var link string
		link, said, _ = strings.Cut(said, " ")
		said = strings.TrimSpace(said)
		if whole := nameAlone().FindStringSubmatch(said); whole != nil {
			return exactly(join(whole[1], whole[1]), link), m[0]
		}
	}
	if linked := linkedName().FindStringSubmatch(said); linked != nil {
		said = linked[1] // "@license [MIT]{@link https://…}"
	}
	if said == "AllPermissive" { // in the archive of macros for autoconf
		return "FSFAP", m[0]
	}
	e := Expression(said)
	if e == NoAssertion || strings.Contains(e, "Ref-") { // "@license React"
		return "", 0
	}
	return e, m[0]
}

// named returns the licence that a comment names and the position of the name, or "".
func named(block []byte) (expr string, at int) {
	if m := disclaimed().FindIndex(block); m != nil {
		return "blessing", m[0]
	}
	text := plain(block)
	expr, sign := inWords(text)
	if at = max(0, bytes.Index(block, []byte(sign))); len(block) > shortStatement {
		if expr == "" {
			return namedApart(block)
		}
		return expr, at
	}
	if e, in := stating(block, text); e != "" && (expr == "" || strings.Contains(e, " OR ")) {
		return e, in
	}
	if expr != "" {
		return expr, at
	}
	if inPublicDomain(block) && placing().MatchString(text) {
		return nameID("public domain"), max(0, bytes.Index(bytes.ToLower(block), []byte("public")))
	}
	if m := inPublic().FindSubmatchIndex(block); m != nil {
		return nameID("public domain"), m[2]
	}
	if m := freeVersion().FindSubmatchIndex(block); m != nil && !goesOn().Match(block[m[4]:m[5]]) {
		return nameID("public domain"), m[2]
	}
	return "", 0
}

// stating looks for a statement that names licences. text is the block on one line.
func stating(block []byte, text string) (expr string, at int) {
	all := statements()
	if strings.Contains(text, " from ") {
		all = append(slices.Clip(all), adapted())
	}
	for _, re := range all {
		m := re.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		if first := eachName().FindIndex(block); first != nil {
			at = first[0]
		}
		around := text[max(0, m[0]-len("dual ")):m[3]] + option().FindString(text[m[3]:])
		if more().MatchString(text[m[3]:]) {
			around += " or"
		}
		e := join(text[m[2]:m[3]], around)
		if e == bsdStyle && bytes.Contains(block, []byte("Go Authors")) {
			e = goBSDStyle
		}
		return exactly(e, text), at
	}
	return "", 0
}

// exactly completes the names of licences from the text around them: versions in links, and exceptions.
func exactly(expr, text string) string {
	if v := gnuLink().FindAllStringSubmatch(text, 2); len(v) == 1 {
		expr = strings.Replace(expr, unversioned[strings.ToUpper(v[0][1])], strings.ToUpper(v[0][1])+"-"+v[0][2]+"-or-later", 1)
	}
	if (expr == unversioned["GPL"] || expr == unversioned["LGPL"]) && ownLink().MatchString(text) {
		return ownTerms // the link has the version, and nothing says whether later ones may be used
	}
	if strings.Contains(expr, "CDDL-1.0") && cddl11().MatchString(text) {
		expr = strings.Replace(expr, "CDDL-1.0", "CDDL-1.1", 1)
	}
	return excepted(expr, text)
}

// unversioned maps names of GNU licences to what they mean without a version. A link may have it.
var unversioned = map[string]string{"GPL": "GPL-1.0-or-later", "LGPL": "LGPL-2.0-or-later"}

// namedApart looks for a name in the parts of a long comment that lines without words separate.
func namedApart(block []byte) (expr string, at int) {
	for _, m := range append(apartBy().FindAllIndex(block, -1), []int{len(block), len(block)}) {
		if part := block[at:m[0]]; len(part) <= shortStatement && len(part) < len(block) && (mentionsLicence(part) || inPublicDomain(part)) {
			if e, in := named(part); e != "" {
				return e, at + in
			}
		}
		at = m[1]
	}
	return "", 0
}

var apartBy = compiled(`\n[ \t\r]*(?:/\*[ \t*]*\*/|//|#+)?[ \t\r]*\n`)

// oneLicense removes slashes that do not mean a choice.
var oneLicense = strings.NewReplacer("MIT/X11", "MIT", "X11/MIT", "MIT")

// join makes an expression from names; around is the sentence that contains them.
func join(names, around string) string {
	var ids []string
	for _, n := range eachName().FindAllString(short().ReplaceAllString(names, ""), -1) {
		if id := nameID(n); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if choice().MatchString(oneLicense.Replace(around)) {
		return Expression(strings.Join(ids, " OR "))
	}
	return And(ids...)
}

// nameID returns the identifier of a licence from its name in comments.
func nameID(name string) string {
	n := strings.ToLower(name)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(n, p) })
	}
	switch {
	case has("gpl", "general public"):
		return gnuID(n)
	case has("artistic") && has("2"):
		return "Artistic-2.0"
	case has("artistic"):
		return "Artistic-1.0-Perl"
	case has("cddl", "common development") && has("1.1"):
		return "CDDL-1.1"
	case has("cddl", "common development"):
		return "CDDL-1.0"
	case has("bsd") && has("2", "two", "simplified"):
		return "BSD-2-Clause"
	case has("bsd") && has("3", "three", "new", "modified", "revised"):
		return "BSD-3-Clause"
	case has("bsd"):
		return bsdStyle
	case has("apache"):
		return "Apache-2.0"
	case has("boost"):
		return "BSL-1.0"
	case has("zlib"):
		return "Zlib"
	case has("cc0"):
		return "CC0-1.0"
	case has("wtfpl"):
		return "WTFPL"
	case has("mpl", "mozilla") && has("1.1"):
		return "MPL-1.1"
	case has("mpl", "mozilla"):
		return "MPL-2.0"
	case has("unlicense"):
		return "Unlicense"
	case has("public domain"):
		return "LicenseRef-public-domain"
	case has("isc"):
		return "ISC"
	}
	return "MIT"
}

// gnuID returns the identifier of a GNU licence. Without a version, any version is meant, as the licence's text says.
func gnuID(n string) string {
	id, first := "GPL", "1.0"
	switch {
	case strings.Contains(n, "affero") || strings.Contains(n, "agpl"):
		id, first = "AGPL", "3.0"
	case strings.Contains(n, "lesser") && !strings.Contains(n, "library"):
		id, first = "LGPL", "2.1" // the first of this name
	case strings.Contains(n, "lesser") || strings.Contains(n, "library") || strings.Contains(n, "lgpl"):
		id, first = "LGPL", "2.0"
	}
	v := version().FindString(n)
	switch {
	case v == "":
		return id + "-" + first + "-or-later"
	case !strings.Contains(v, "."):
		v += ".0"
	}
	if _, known := lists().licenses[strings.ToLower(id+"-"+v+"-only")]; !known {
		return Expression(id + "-" + v)
	}
	if later().MatchString(n) {
		return id + "-" + v + "-or-later"
	}
	return id + "-" + v + "-only"
}

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
	gnuName = `(?:GNU )?(?:(?:Lesser|Library|Affero) )?(?:[AL]?GPL|General Public Licen[sc]e)(?: licen[sc]e)?(?:[ ,-]{0,2}(?:v|ver\.? |version )?[123](?:\.[012])?)?` +
		`(?:\+|[,-]? ?\(?(?:or[, -]{1,2})?(?:at your option,? )?(?:or[ -])?(?:any )?(?:later|newer|above))?`
	oneName = `(?:MIT/X11|X11/MIT|MIT|Expat|ISC|Apache(?: Software)?(?: Licen[sc]e)?[ ,-]{0,2}(?:v|ver\.? |version )?2(?:\.0)?|` +
		`(?:2|3|two|three)[- ]clause BSD|(?:new|modified|revised|simplified) BSD|BSD[- ](?:2|3|two|three)[- ]clause|BSD(?:[- ]style)?|` +
		gnuName + `|MPL[ -]?(?:v|version )?2(?:\.0)?|Mozilla Public Licen[sc]e,? (?:v|ver\.? |version )?2\.0|the Unlicense|public domain)`
	someNames = oneName + `(?:[ ,]{0,2}(?:licen[sc]es?)?(?: ?\([^()]{0,100}\))?,? ?(?:and|or|/|&) ?(?:the )?` + oneName + `)*`
)

var (
	// Patterns of statements. A name alone is not one, since a comment may be about licences. The words before or after
	// the name make it a statement.
	statements = sync.OnceValue(func() []*regexp.Regexp {
		return []*regexp.Regexp{
			regexp.MustCompile(`(?i)\b(?:licen[sc]ed|released|distributed|available|published|provided|placed|dedicated|governed|covered)(?: \w+){0,3}? (?:under|by|into|in|to|with)(?: both| either)?(?: the| an?)?(?: terms of(?: the| an?)?)?[ "'(]{1,2}(` + someNames + `)\b`),
			regexp.MustCompile(`(?i)(?:^|\W)licen[sc]es?(?: ?:| =| -)?(?: ~)? (?:the )?(` + someNames + `)(?:$|\W)`),
			regexp.MustCompile(`(?i)\b(` + someNames + `)[ -]licensed\b`),
			regexp.MustCompile(`(?i)(?:copyright|\(c\)).{0,200}\b(` + someNames + `) licen[sc]e\b`),
			regexp.MustCompile(`(?i)[.|] ?(` + someNames + `) licen[sc]e ?(?:[.|]|$)`), // "ieee754. BSD-3-Clause License. A <a@b.c>"
			regexp.MustCompile(`(?i)\bthis (?:file|code|source|software|program|work|implementation|script|module|library|header|package)(?: \w+){0,2}? (?:is|has been|was)(?: (?:hereby|now|also|released|placed|put|dedicated|given))*(?: (?:in|into|to|as))?(?: the)? (public domain)\b`),
		}
	})
	// A line that ends with these words, as "Public Domain." or "by A, 100% Public Domain".
	inPublic   = compiled(`(?im)^[ \t]*(?:/{2,}|/?\*+!?|#+|--+|;+|%+)?[ \t]*(?:[^\n]{0,60}[.,;:%][ \t]+)?(?:licen[sc]e:? )?(public domain)[.!]?[ \t]*(?:\*/)?[ \t\r]*$`)
	disclaimed = compiled(`(?i)authors? disclaims? copyright to this (?:source )?code`) // SQLite
	annotation = compiled(`(?i)@licen[sc]e:?[ \t]+([^\r\n]+)`)
	eachName   = compiled(`(?i)` + oneName)
	option     = compiled(`(?i)at your (?:option|choice)|or you may|one of the above`)
	choice     = compiled(`(?i)\bor\b|/|\bdual|your option|your choice|one of`)
	version    = compiled(`[123](?:\.[012])?`)
	later      = compiled(`(?i)\+|later|newer|above`)
	margin     = compiled(`(?m)^[ \t]*(?:/{2,}|/?\*+!?|#+|--+|;+|%+|dnl|REM|"{1,3}|')?[ \t]*`)
	spaces     = compiled(`\s+`)
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
	e := Expression(trimClosers(string(head[m[2]:m[3]])))
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
	if len(block) > shortStatement {
		return "", 0
	}
	text := spaces().ReplaceAllString(margin().ReplaceAllString(string(block), " "), " ")
	for _, re := range statements() {
		m := re.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		if first := eachName().FindIndex(block); first != nil {
			at = first[0]
		}
		e := join(text[m[2]:m[3]], text[max(0, m[0]-len("dual ")):m[3]]+option().FindString(text[m[3]:]))
		if e == bsdStyle && bytes.Contains(block, []byte("The Go Authors")) {
			e = goBSDStyle
		}
		return e, at
	}
	if m := inPublic().FindSubmatchIndex(block); m != nil {
		return nameID("public domain"), m[2]
	}
	return "", 0
}

// oneLicense removes slashes that do not mean a choice.
var oneLicense = strings.NewReplacer("MIT/X11", "MIT", "X11/MIT", "MIT")

// join makes an expression from names; around is the sentence that contains them.
func join(names, around string) string {
	var ids []string
	for _, n := range eachName().FindAllString(names, -1) {
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
	case has("bsd") && has("2", "two", "simplified"):
		return "BSD-2-Clause"
	case has("bsd") && has("3", "three", "new", "modified", "revised"):
		return "BSD-3-Clause"
	case has("bsd"):
		return bsdStyle
	case has("apache"):
		return "Apache-2.0"
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

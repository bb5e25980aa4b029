package boilerplate

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"sync"
)

// ByteSpan is a stretch of bytes that a format fixes, or that a tool writes for everybody.
type ByteSpan struct{ From, To int }

// longestTag limits a declaration or a start tag, in bytes.
const longestTag = 2 << 10

// InText lists, ascending, the stretches of a text without grammar that its format or a tool fixes: those of InMarkup, and others that
// tools write. Pygments writes the colours of code in style sheets, Jupyter the kernel in notebooks, Pod::Man, DocBook and Docutils the
// macros of manual pages, Visual Studio the directives of a text template, Docusaurus the first lines of a style sheet. Comments of manual
// pages count as little as those of code: dh_make writes instructions there. Some are what everybody takes from a page that asks for it: the
// head of Keep a Changelog, the line of a Makefile that lists its targets, the Developer Certificate of Origin, the terms of a contribution
// to projects in Rust, paragraphs of RFCs and of Unicode's data, how vcpkg installs a library, and Tidelift's advertisement.
func InText(text []byte) []ByteSpan {
	return sorted(withTerms(written(markup(text), text, inText), text))
}

// InMarkup lists, ascending, what is fixed in pages and XML documents, and in markup in JavaScript: the document type, the XML
// declaration, the start tags of html, of a stylesheet and of elements that declare namespaces, the tags for encoding, viewport and icon,
// and those for files of a public server with their checksums. A page also has a head and a body. Rails writes the list of errors in
// forms, React the frame of a page, Google scripts that count visitors.
func InMarkup(text []byte) []ByteSpan { return sorted(markup(text)) }

// markup lists the frames of InMarkup in no order.
func markup(text []byte) []ByteSpan {
	return append(written(tags(text), text, inMarkup), counted(text)...)
}

// longestStretch limits what a tool writes, in bytes: Pod::Man's macros have 5 KB. A longer stretch has a text between two marks.
const longestStretch = 8 << 10

// written adds the stretches that tools write.
func written(out []ByteSpan, text []byte, by []byTool) []ByteSpan {
	for _, w := range by {
		if !bytes.Contains(text, []byte(w.word)) {
			continue
		}
		for _, at := range w.stretch().FindAllIndex(text, -1) {
			if at[1]-at[0] <= longestStretch {
				out = append(out, ByteSpan{at[0], at[1]})
			}
		}
	}
	return out
}

func sorted(fs []ByteSpan) []ByteSpan {
	slices.SortFunc(fs, func(a, b ByteSpan) int { return cmp.Compare(a.From, b.From) })
	return fs
}

// leastCounted is how many escapes in the order of their numbers are nobody's: lists of all characters have the same.
const leastCounted = 8

// counted lists the escapes of bytes that count on, as \x80\x81\x82 does.
func counted(text []byte) (out []ByteSpan) {
	const escape = len(`\x00`)
	at, n, last := 0, 0, -1
	end := func(to int) {
		if n >= leastCounted {
			out = append(out, ByteSpan{to - n*escape, to})
		}
		n = 0
	}
	for {
		i := bytes.Index(text[at:], []byte(`\x`))
		if i < 0 || at+i+escape > len(text) {
			end(at)
			return out
		}
		v, err := strconv.ParseUint(string(text[at+i+2:at+i+escape]), 16, 8)
		if i > 0 || err != nil || int(v) != last+1 {
			end(at)
		}
		if at += i + 2; err == nil {
			at, n, last = at+2, n+1, int(v)
		}
	}
}

// byTool is a stretch that a tool writes. Its pattern is compiled at the first text that contains the word, since few scans meet
// one.
type byTool struct {
	word    string
	stretch func() *regexp.Regexp
}

func stretchOf(word, pattern string) byTool {
	return byTool{word, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
}

// inMarkup lists the stretches that tools write into pages, and filler text.
var inMarkup = []byTool{
	stretchOf("Lorem ipsum dolor", `Lorem ipsum dolor[^<>{}\n]*(?:\n[^<>{}\n]+)*`),
	stretchOf("GoogleAnalyticsObject", `(?s)\(function ?\(i, ?s, ?o, ?g, ?r, ?a, ?m\).{0,1000}?google-analytics\.com/analytics\.js.{0,20}?['"]ga['"]\)(?:;?\s*ga\([^)\n]*\))*;?`),
	stretchOf("_gaq", `(?s)var _gaq = .{0,900}?google-analytics\.com/ga\.js.{0,300}?\}\)\(\);`),
	stretchOf("google-analytics.com/ga.js", `(?s)\(function\(\) ?\{\s*var ga = document\.createElement.{0,400}?insertBefore\(ga, s\);\s*\}\)\(\);`),
	stretchOf("dataLayer", `(?s)window\.dataLayer = window\.dataLayer.{0,300}?gtag\('config',[^)\n]*\);`),
	stretchOf("%PUBLIC_URL%", `(?s)<!--\s+(?:manifest\.json provides metadata used when|Notice the use of %PUBLIC_URL%|This HTML file is a template\.).{0,900}?-->`),
	stretchOf("You need to enable JavaScript to run this app.", `<noscript>\s*You need to enable JavaScript to run this app\.\s*</noscript>`),
	stretchOf("create-react-app", `name="description"\s+content="Web site created using create-react-app"`),
	stretchOf("error_explanation", `error_explanation[^|]{0,400}full_messages[^|]{0,40}\|message\|[^\n]*\n[^\n]*`),
}

// inText lists the stretches that tools write into other texts without grammar.
var inText = []byTool{
	stretchOf("/* Comment.", `(?m)^.*\} +/\* (?:Comment|Error|Escape|Generic|Keyword|Literal|Name|Operator|Other|Punctuation|Text)(?:\.[A-Za-z.]+)? \*/`),
	stretchOf(`"kernelspec"`, `(?s)"metadata": \{.{0,300}?"kernelspec".{0,900}?"nbformat_minor": \d+`),
	stretchOf(`.\" Automatically generated by Pod::`, `(?s)\.\\" Automatically generated by Pod::.*?\n\.TH [^\n]*\n(?:\.\\"[^\n]*\n|\.if n \.ad l\n|\.nh\n)*`),
	stretchOf(`" Generator: `, `(?s)\.\\" +Generator: .*?\n(?:\.\\" \* MAIN CONTENT STARTS HERE \*\n\.\\" -+\n|\.SH )`),
	stretchOf(`" Generator: `, `(?m)^(?:\.(?:sp|RS(?: \d+)?|RE|PP|nf|fi|br|if n \\\{\\|ie n \\\{\\|el \\\{\\|\\\}|IP [^\n]*)|\\h'-0\d'[^\n]*)\n`),
	stretchOf("rst2man-indent-level", `(?s)\.nr rst2man-indent-level 0\n.{0,1000}?\n\.in [^\n]*rst2man-indent[^\n]*\n\.\.`),
	stretchOf(`.\"`, `(?m)^\.\\".*$`),
	stretchOf("<#@ template", `<#@ template\b[^\n]*?#>(?:\s*<#@ (?:assembly|import|include|output)\b[^\n]*?#>)*`),
	stretchOf("bundles Infima by default", `(?s)/\*\*\s+\* Any CSS included here will be global\..{0,300}?\*/`),
	stretchOf("--ifm-color-primary", `(?m)^ *--ifm-(?:color-primary[a-z-]*|code-font-size):[^;\n]*;`),
	stretchOf(".docusaurus-highlight-code-line", `\.docusaurus-highlight-code-line \{[^{}]{0,300}\}`),
	stretchOf("keepachangelog.com", `(?is)(?:all notable changes to .{0,60}? will be documented in this file[.;]?\s+)?the format is (?:loosely )?based on .{0,20}?keep a changelog.{0,300}?semver\.org[^\s)]*\)?`),
	stretchOf("working with Tidelift", `and thousands of other packages are working with Tidelift[^\n]*`),
	stretchOf("terms of use, see", `(?m)^# (?:©|Copyright)[^\n]*Unicode[^\n]*\n(?:# [^\n]*\n)?# For terms of use, see [^\n]*`),
	stretchOf("CSS files with the .module.css suffix", `/\*\*\s+\* CSS files with the \.module\.css suffix[^/]{0,200}\*/`),
	stretchOf("MAKEFILE_LIST", `(?m)^[^\n]*\bawk\b[^\n]*## [^\n]*\bprintf\b[^\n]*$`),
}

// tags lists the fixed declarations and start tags, ascending and disjoint.
func tags(text []byte) []ByteSpan {
	var out []ByteSpan
	for at := 0; at < len(text); {
		i := bytes.IndexByte(text[at:], '<')
		if i < 0 {
			break
		}
		at += i
		tag := text[at:min(len(text), at+longestTag)]
		end := bytes.IndexByte(tag, '>')
		if end < 0 || bytes.IndexByte(tag[1:end], '<') >= 0 {
			at++
			continue
		}
		if isFrame(bytes.ToLower(tag[1:end])) {
			out = append(out, ByteSpan{at, at + end + 1})
		}
		at += end + 1
	}
	return out
}

// isFrame reports whether the text between the brackets of a tag is fixed. It must be in lower case.
func isFrame(tag []byte) bool {
	name, rest := tag, []byte(nil)
	if i := bytes.IndexAny(tag, " \t\r\n/"); i >= 0 {
		name, rest = tag[:i], tag[i:]
	}
	switch string(name) {
	case "!doctype", "?xml", "html", "?xml-stylesheet":
		return true
	case "meta":
		return contains(rest, "charset=", "http-equiv=", `name="viewport"`)
	case "head", "title", "body", "": // an end tag has no name before its slash
		return slices.Contains(page, string(tag))
	case "link":
		return contains(rest, `rel="icon"`, `rel="shortcut icon"`, "integrity=")
	case "div", "script":
		return string(name) == "script" && contains(rest, "integrity=") || slices.ContainsFunc(mounts, func(start string) bool { return bytes.HasPrefix(tag, []byte(start)) })
	}
	return contains(tag, "xmlns=", "xmlns:")
}

// page lists the tags that make a page. mounts lists the beginnings of tags that project generators write.
var (
	page   = []string{"head", "/head", "title", "/title", "body", "/body", "/html"}
	mounts = []string{`div id="root"`, `div id="app"`, `script type="module" src="/src/main.`, `script type="module" src="/src/index.`}
)

func contains(text []byte, words ...string) bool {
	for _, w := range words {
		if bytes.Contains(text, []byte(w)) {
			return true
		}
	}
	return false
}

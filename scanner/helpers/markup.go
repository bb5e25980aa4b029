package helpers

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"sync"
)

// Frame is a stretch of bytes that a format fixes, or that a tool writes for everybody.
type Frame struct{ From, To int }

// longestTag limits a declaration or a start tag, in bytes.
const longestTag = 2 << 10

// Frames lists, ascending, the stretches of a text without grammar that its format or a tool fixes. In pages and XML documents
// these are the document type, the XML declaration, the start tags of html, of a stylesheet and of elements that declare
// namespaces, and the tags for encoding, viewport and icon. A page also has a head and a body. Tools write others: Pygments the
// colours of code in style sheets, Rails the list of errors in forms, Jupyter the kernel in notebooks.
func Frames(text []byte) []Frame {
	out := tags(text)
	for _, w := range inText {
		if bytes.Contains(text, []byte(w.word)) {
			for _, at := range w.stretch().FindAllIndex(text, -1) {
				out = append(out, Frame{at[0], at[1]})
			}
		}
	}
	out = append(out, counted(text)...)
	slices.SortFunc(out, func(a, b Frame) int { return cmp.Compare(a.From, b.From) })
	return out
}

// leastCounted is how many escapes in the order of their numbers are nobody's: lists of all characters have the same.
const leastCounted = 8

// counted lists the escapes of bytes that count on, as \x80\x81\x82 does.
func counted(text []byte) (out []Frame) {
	const escape = len(`\x00`)
	at, n, last := 0, 0, -1
	end := func(to int) {
		if n >= leastCounted {
			out = append(out, Frame{to - n*escape, to})
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

// inText lists the stretches that tools write.
var inText = []byTool{
	stretchOf("/* Comment.", `(?m)^.*\} /\* (?:Comment|Error|Escape|Generic|Keyword|Literal|Name|Operator|Other|Punctuation|Text)(?:\.[A-Za-z.]+)? \*/`),
	stretchOf(`"kernelspec"`, `(?s)"metadata": \{.{0,300}?"kernelspec".{0,900}?"nbformat_minor": \d+`),
	stretchOf("Lorem ipsum dolor", `Lorem ipsum dolor[^<>{}\n]*(?:\n[^<>{}\n]+)*`),
	stretchOf("error_explanation", `error_explanation[^|]{0,400}full_messages[^|]{0,40}\|message\|[^\n]*\n[^\n]*`),
}

// tags lists the fixed declarations and start tags, ascending and disjoint.
func tags(text []byte) []Frame {
	var out []Frame
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
			out = append(out, Frame{at, at + end + 1})
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
		return contains(rest, `rel="icon"`, `rel="shortcut icon"`)
	case "div", "script":
		return slices.ContainsFunc(mounts, func(start string) bool { return bytes.HasPrefix(tag, []byte(start)) })
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

package lex

import (
	"bytes"
	"strings"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// Script is the code of a script element of a page.
type Script struct {
	From, To int
	Language string // as its tag says, in lower case: ts, text/babel; "" if it says nothing
}

// Markup appends the tokens of a page, without those of its scripts, which it returns in their order. A tag has the tokens that it
// has in JSX, flagged as import clauses are, since unrelated pages share tags. Text and styles are words. It reads any text, once.
func Markup(dst []token.Token, src []byte) ([]token.Token, []Script) {
	m := markup{out: out{tokens: dst}, src: src, i: start(src)}
	for m.i < len(src) {
		switch c := at(src, m.i+1); {
		case src[m.i] != '<':
			m.word()
		case has(src, m.i, "<!--") && m.comment():
		case chars[c]&letter != 0, c == '/', c == '!', c == '?':
			m.element()
		default:
			m.word()
		}
	}
	return m.tokens, m.scripts
}

// Scripts returns the scripts of a page, by its script tags alone.
func Scripts(src []byte) []Script {
	m := markup{src: src}
	for m.i = m.end("<script"); m.i < len(src); m.i = m.end("<script") {
		m.tokens = m.tokens[:0]
		switch name, language := m.tag(); {
		case name != "script" || !m.opened():
		case code(language):
			m.script(language)
		default:
			m.i = m.end("</script")
		}
	}
	return m.scripts
}

// markup reads a page.
type markup struct {
	out
	src     []byte
	i       int // bytes already read
	scripts []Script
	next    map[string]int // the index after the next occurrence of a mark, 0 if there is none
}

// find returns the index after the next mark from i on, i not before that of the last call. It reads the text once for each mark.
func (m *markup) find(i int, mark string) (int, bool) {
	end, known := m.next[mark]
	if !known || end > 0 && end-len(mark) < i {
		var found bool
		if end, found = after(m.src, min(i, len(m.src)), mark); !found {
			end = 0
		}
		if m.next == nil {
			m.next = map[string]int{}
		}
		m.next[mark] = end
	}
	return end, end > 0
}

// comment continues after a comment, and returns false if it has no end.
func (m *markup) comment() bool {
	end, ok := m.find(m.i+len("<!--"), "-->")
	if ok {
		m.i = end
	}
	return ok
}

// word reads a word, a number or a sign of text.
func (m *markup) word() {
	end, l := proseAt(m.src, m.i)
	if l != (lexeme{}) {
		m.add(m.i, end, l)
	}
	m.i = end
}

// element reads a tag and, if it opens a script or a style, what is in it.
func (m *markup) element() {
	closing := m.src[m.i+1] == '/'
	name, language := m.tag()
	switch {
	case closing || !m.opened():
	case name == "script" && code(language):
		m.script(language)
	case name == "script":
		m.words(m.end("</script"))
	case name == "style":
		m.words(m.end("</style"))
	}
}

// opened reports whether the tag before opens an element with content.
func (m *markup) opened() bool { return m.src[m.i-1] == '>' && m.src[m.i-2] != '/' }

// script keeps the code that begins here, and continues after it.
func (m *markup) script(language string) {
	to := m.end("</script")
	m.scripts = append(m.scripts, Script{From: m.i, To: to, Language: language})
	m.i = to
}

// end returns where the next tag begins, which is spelled in lower or upper case, or the end of the text.
func (m *markup) end(tag string) int {
	to := len(m.src)
	for _, spelling := range []string{tag, strings.ToUpper(tag)} {
		if end, ok := m.find(m.i, spelling); ok {
			to = min(to, end-len(tag))
		}
	}
	return to
}

// words reads text that has no tags.
func (m *markup) words(to int) {
	for m.i < to {
		m.word()
	}
}

// code reports whether a script of this language is JavaScript or TypeScript.
func code(language string) bool {
	switch language {
	case "", "js", "jsx", "ts", "tsx", "module", "javascript", "typescript", "babel":
		return true
	}
	for _, ending := range []string{"javascript", "ecmascript", "/typescript", "/babel", "/jsx"} {
		if strings.HasSuffix(language, ending) {
			return true
		}
	}
	return false
}

// tag reads a tag. It returns the name of its element and the language that an attribute gives, both in lower case.
func (m *markup) tag() (name, language string) {
	m.flags = token.FlagImport
	defer func() { m.flags = 0 }()
	m.sign()
	last := ""
	for m.i < len(m.src) {
		switch c := m.src[m.i]; {
		case chars[c]&blank != 0:
			m.i++
		case c == '>':
			m.sign()
			return name, language
		case c == '=' && at(m.src, m.i+1) == '>': // an arrow function of Svelte
			m.sign()
			m.sign()
		case c == '=':
			m.sign()
			if value := m.value(); value != "" && (last == "lang" || last == "type") {
				language = value
			}
		default:
			if last = m.name(); name == "" {
				name = last
			}
		}
	}
	return name, language
}

// sign makes a token of one byte.
func (m *markup) sign() {
	m.add(m.i, m.i+1, keyword(string(m.src[m.i])))
	m.i++
}

// name reads the name of an element or an attribute, which may have dashes, or a sign.
func (m *markup) name() string {
	end := m.i
	for end < len(m.src) && (chars[m.src[end]]&(letter|digit|dollar) != 0 || m.src[end] >= 0x80 || end > m.i && m.src[end] == '-') {
		end++
	}
	if end == m.i {
		m.sign()
		return ""
	}
	m.add(m.i, end, identifier)
	name := m.src[m.i:end]
	m.i = end
	return lower(name)
}

// value reads the value of an attribute, and returns it in lower case, or "" if it is not quoted.
func (m *markup) value() string {
	for m.i < len(m.src) && chars[m.src[m.i]]&blank != 0 {
		m.i++
	}
	quote := at(m.src, m.i)
	if quote != '"' && quote != '\'' {
		return ""
	}
	end, ok := m.find(m.i+1, string(quote))
	if !ok {
		return ""
	}
	m.add(m.i, end, text)
	value := m.src[m.i+1 : end-1]
	m.i = end
	return lower(value)
}

// lower returns a short name in lower case. Names of interest are short.
func lower(name []byte) string { return string(bytes.ToLower(name[:min(len(name), 40)])) }

package lang

import (
	"bytes"
	"strings"

	"github.com/git-provenance/git-provenance/lang/internal/lex"
)

// A page is markup with scripts: HTML, or a component of Vue or Svelte. The lexer or grammar of their language reads the scripts.
// Between them stand the tokens of the markup, as in JSX. So a function is the same in a script of a page and in a file of its own.

// scripted is the language of scripts that name none.
const scripted = "javascript"

// inScripts are the languages of scripts.
var inScripts = []string{scripted, "jsx", "tsx", "typescript"}

// tokenizePage returns the stream of a page.
func (t *Tokenizer) tokenizePage(src []byte) (Stream, error) {
	markup, scripts := lex.Markup(t.markup[:0], src)
	t.markup = kept(markup)
	if uint64(len(markup)) > uint64(t.limits.Tokens) {
		return Stream{}, t.tooMany()
	}
	if len(scripts) == 0 {
		return Stream{Tokens: markup}, nil
	}
	s, err := t.Tokenize(ByName(syntaxOf(scripts)), t.blanked(src, scripts))
	if err != nil {
		return s, err
	}
	if uint64(len(markup)+len(s.Tokens)) > uint64(t.limits.Tokens) {
		return Stream{}, t.tooMany()
	}
	s.Tokens = joined(t.page[:0], markup, s.Tokens)
	t.page = kept(s.Tokens)
	return s, nil
}

// syntaxOf returns the one language that can read all scripts.
func syntaxOf(scripts []lex.Script) string {
	types, elements := false, false
	for _, s := range scripts {
		types = types || strings.HasPrefix(s.Language, "ts") || strings.HasSuffix(s.Language, "typescript")
		elements = elements || strings.HasSuffix(s.Language, "sx") || strings.HasSuffix(s.Language, "babel")
	}
	switch {
	case types && elements:
		return "tsx"
	case types:
		return "typescript"
	case elements:
		return "jsx"
	}
	return scripted
}

// blanked returns a text of the same length with its scripts only. Line ends stay.
func (t *Tokenizer) blanked(src []byte, scripts []lex.Script) []byte {
	t.code = append(t.code[:0], src...)
	at := 0
	for _, s := range append(scripts, lex.Script{From: len(src), To: len(src)}) {
		for i, c := range t.code[at:s.From] {
			if c != '\n' && c != '\r' {
				t.code[at+i] = ' '
			}
		}
		at = s.To
	}
	return t.code
}

// joined appends both lists in the order of the text. A string or a comment that a script does not close goes on after the script for
// the lexer; its token ends where the markup goes on.
func joined(out, markup, tokens []Token) []Token {
	end := uint32(0)
	add := func(t Token) {
		if t.Start = max(t.Start, end); t.Start < t.End {
			out, end = append(out, t), t.End
		}
	}
	for len(markup) > 0 || len(tokens) > 0 {
		if len(markup) > 0 && (len(tokens) == 0 || tokens[0].Start >= markup[0].Start) {
			add(markup[0])
			markup = markup[1:]
			continue
		}
		t := tokens[0]
		if len(markup) > 0 {
			t.End = min(t.End, markup[0].Start)
		}
		add(t)
		tokens = tokens[1:]
	}
	return out
}

// leastScript is how many bytes of script can hold a copy.
const leastScript = 200

// asWritten returns the front-end of a page. A component is read as a page if it has a script. HTML is one if its scripts are a tenth of
// it. Else it is a document, and read as words: other documents have other markup. Then Scripts is the reason why it is read less exactly.
func asWritten(l *Language, page []byte) (*Language, Reason) {
	n := 0
	for _, s := range lex.Scripts(page) {
		n += len(bytes.TrimSpace(page[s.From:s.To]))
	}
	switch {
	case n > 0 && (l.Name != "html" || 10*n >= len(page)):
		return l, ""
	case n >= leastScript:
		return words, Scripts
	}
	return words, ""
}

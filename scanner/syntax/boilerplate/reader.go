package boilerplate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// Limits of searches for the end of boilerplate, in tokens.
const (
	longest     = 4096 // of a helper: Babel's for decorators and generators are the longest
	longestWrap = 250  // of the frame around a module
	longestLoad = 16   // of a statement that loads a module, of parameters
	mostFailed  = 64   // after 64 searches that found no end, the rest of the text is not read
)

// reader reads tokens by their text.
type reader struct {
	text   []byte
	toks   []lang.Token
	failed int  // searches that found no end
	tests  bool // the text imports JUnit 3
}

// word returns the text of a token, or nil.
func (r *reader) word(i int) []byte {
	if i < 0 || i >= len(r.toks) {
		return nil
	}
	return r.text[r.toks[i].Start:r.toks[i].End]
}

// is reports whether the tokens from i on have these texts.
func (r *reader) is(i int, words ...string) bool {
	for n, w := range words {
		if string(r.word(i+n)) != w {
			return false
		}
	}
	return true
}

// has reports whether words stand among the tokens [from, to), one after the other.
func (r *reader) has(from, to int, words ...string) bool {
	for i := from; i < to; i++ {
		if r.is(i, words...) {
			return true
		}
	}
	return false
}

// begins reports whether the text of a token begins with a word.
func (r *reader) begins(i int, start string) bool { return bytes.HasPrefix(r.word(i), []byte(start)) }

// span returns the boilerplate of the tokens [from, to). It returns false if to is 0, since no end was found.
func (r *reader) span(from, to int, tool string) (Span, bool) {
	if to == 0 {
		r.failed++
		return Span{}, false
	}
	return Span{From: from, To: to, Tool: tool}, true
}

// fitted is span for boilerplate that has the user's names and literals.
func (r *reader) fitted(from, to int, tool string) (Span, bool) {
	s, ok := r.span(from, to, tool)
	s.Fitted = true
	return s, ok
}

// body returns the end of the function whose parameters open at i, or 0 if it is more than most tokens away.
func (r *reader) body(i, most int) int {
	head := r.closed(i, most)
	for n := head; head > 0 && n < min(head+longestLoad, len(r.toks)); n++ { // a result type
		if r.is(n, "{") {
			return r.closed(n, most)
		}
	}
	return 0
}

// closed returns the token after the bracket that closes the one at i, or 0 if it is more than most tokens away.
func (r *reader) closed(i, most int) int {
	depth := 0
	for n := i; n < min(i+most, len(r.toks)); n++ {
		if depth += r.depth(n); depth == 0 {
			return n + 1
		}
	}
	return 0
}

// statement returns the token after a statement of JavaScript, or 0 if it does not end within most tokens.
func (r *reader) statement(i, most int) int {
	depth := 0
	for n := i; n < min(i+most, len(r.toks)) && depth >= 0; n++ {
		if depth += r.depth(n); depth == 0 && (r.is(n, ";") || lang.Ends(r.text, r.toks, n) || r.lineEnds(n)) {
			return n + 1
		}
	}
	return 0
}

// unfinished lists words that no statement ends with, joining words that no statement begins with.
var (
	unfinished = []string{"return", "throw", "typeof", "new", "in", "of", "void", "delete", "instanceof", "var", "let", "const", "case", "await", "yield", "else", "function", "class", "extends", "async"}
	joining    = []string{"in", "of", "instanceof", "as", "else", "catch", "finally", "extends"}
)

// lineEnds reports whether the end of the line after token i counts as a semicolon: an expression may end there, and the next token
// cannot go on with it. Formatters leave out such semicolons.
func (r *reader) lineEnds(i int) bool {
	if i+1 == len(r.toks) {
		return true
	}
	last, next := r.word(i), r.word(i+1)
	if len(last) == 0 || len(next) == 0 || !bytes.ContainsRune(r.text[r.toks[i].End:r.toks[i+1].Start], '\n') {
		return false
	}
	ends := isOperand(last[len(last)-1]) || strings.IndexByte(")]}", last[len(last)-1]) >= 0
	return ends && isOperand(next[0]) && !slices.Contains(unfinished, string(last)) && !slices.Contains(joining, string(next))
}

// isOperand reports whether a byte is of a name, a number or a string.
func isOperand(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("_$\"'`", c) >= 0
}

// depth returns 1 for an opening bracket, -1 for a closing one, else 0.
func (r *reader) depth(i int) int {
	t := r.toks[i]
	if t.Class != lang.Keyword || t.End == t.Start {
		return 0
	}
	switch r.text[t.End-1] {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	}
	return 0
}

package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

// imports flags the clause that opens with the last token, if it is one: "import … from 'x'" or "export … from 'x'". It
// reads on as long as the tokens can form a clause.
func (e *ecma) imports(first int, export bool) {
	if export && !e.exportsMore() || !e.source(export) || e.refuse {
		return
	}
	if !export {
		e.importAttribute()
	}
	e.endClause()
	for i := first; i < len(e.tokens); i++ {
		e.tokens[i].Flags |= token.FlagImport
	}
}

// exportsMore reports whether "from" may follow "export": "*" or "{" must come next.
func (e *ecma) exportsMore() bool {
	i := e.pass(e.i)
	if e.types && has(e.src, i, "type") && ecmaName(e.src, i) == i+4 {
		return at(e.src, e.pass(i+4)) == '{'
	}
	return at(e.src, i) == '*' || at(e.src, i) == '{'
}

// source reads up to and including the string with the source.
func (e *ecma) source(export bool) bool {
	depth := 0
	bare := !export // the string may come without "from"
	from := false   // the last token was "from"
	as := false     // the last token was "as"
	for !e.refuse {
		e.i = e.pass(e.i)
		c := at(e.src, e.i)
		switch {
		case c == '"' || c == '\'':
			if depth == 0 && !from && !bare && !as {
				return false
			}
			e.step()
			if depth == 0 && !as {
				return true
			}
			from, as, bare = false, false, false
		case c == '=' && e.types && !export && depth == 0:
			return e.required()
		case c == ',' || c == '*' || c == '{' && depth == 0 || c == '}' && depth > 0:
			if c == '{' {
				depth++
			} else if c == '}' {
				depth--
			}
			e.step()
			from, as, bare = false, false, false
		case chars[c]&(letter|dollar) != 0 || c >= 0x7f || c == '\\':
			end := ecmaName(e.src, e.i)
			word := string(e.src[e.i:min(end, e.i+8)])
			if end == e.i || depth == 0 && (word == "import" || word == "export" || export && e.back(1).Kind == ecmaClose.kind && word != "from") {
				return false
			}
			from, as, bare = depth == 0 && word == "from", word == "as", bare && (word == "type" || word == "typeof")
			e.step()
		default:
			return false
		}
	}
	return false
}

// required reads the rest of "import a = require('x')".
func (e *ecma) required() bool {
	e.step()
	for _, want := range []string{"require", "(", "", ")"} {
		e.i = e.pass(e.i)
		c := at(e.src, e.i)
		switch {
		case want == "require" && string(e.src[e.i:max(e.i, ecmaName(e.src, e.i))]) != want,
			want == "" && c != '"' && c != '\'',
			len(want) == 1 && c != want[0]:
			return false
		}
		e.step()
	}
	return true
}

// importAttribute reads "with {…}" on the same line.
func (e *ecma) importAttribute() {
	i := e.pass(e.i)
	for _, c := range e.src[e.i:i] {
		if c == '\n' {
			return
		}
	}
	end := ecmaName(e.src, i)
	if word := string(e.src[i:end]); word != "with" && !(e.types && word == "assert") || at(e.src, e.pass(end)) != '{' {
		return
	}
	for depth := len(e.frames); e.i < len(e.src) && !e.refuse; {
		e.step()
		if e.back(1).Kind == ecmaClose.kind && len(e.frames) <= depth {
			return
		}
	}
}

// endClause adds a semicolon to the clause. If a comment precedes the semicolon, only the grammar knows whether it
// belongs to the clause.
func (e *ecma) endClause() {
	i := blanks(e.src, e.i)
	if at(e.src, i) == ';' {
		e.i = i
		e.step()
	} else if at(e.src, e.pass(i)) == ';' {
		e.refuse = true
	}
}

// pass returns the index after blanks and comments.
func (e *ecma) pass(i int) int {
	for {
		i = blanks(e.src, i)
		switch {
		case has(e.src, i, "//"):
			i = ecmaLineEnd(e.src, i)
		case has(e.src, i, "/*"):
			i, _ = after(e.src, i+2, "*/")
		default:
			return i
		}
	}
}

package lex

import (
	"bytes"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// PHPWords are the reserved words of PHP, without regard to case. Types are names like others. So are words that are
// keywords only in some places, like enum and readonly.
var PHPWords = newWords("abstract and array as break case catch class clone const continue declare default do echo else elseif enddeclare "+
	"endfor endforeach endif endswitch endwhile exit extends final finally fn for foreach function global goto if implements include "+
	"include_once instanceof insteadof interface list match namespace new or parent print private protected public require require_once "+
	"return self static switch throw trait try unset use while xor yield",
	map[string]lexeme{"true": boolean, "false": boolean, "null": null, "var": keyword("var_modifier")}).folded()

var phpOperators = newOperators("& = , ; \\ { } : ( ) => ... ? | + - ~ ! @ :: -- ++ **= *= /= %= += -= .= <<= >>= &= ^= |= ??= -> ?-> [ ] #[ $ " +
	"?? ** || && ^ == != <> === !== < > <= >= <=> << >> . * / %")

var (
	phpUse     = keyword("use").kind
	phpEnd     = keyword(";").kind
	phpClose   = keyword(")").kind
	phpTypes   = kinds("class trait interface")
	phpMembers = kinds(":: -> ?->")
	phpLeave   = keyword("?>")
	phpArrow   = keyword("->")
	phpMinus   = keyword("-")
	phpOpenAt  = keyword("[")
	phpCloseAt = keyword("]")
	phpDollar  = keyword("$")
	phpBrace   = keyword("{")
)

// PHP is the lexer of PHP and of the text around it. It refuses here-documents whose end the grammar does not see,
// comments that close the code in an odd way, and some characters that only PHP accepts in names.
func PHP(dst []token.Token, src []byte) ([]token.Token, bool) {
	p := php{out: out{tokens: dst, first: len(dst)}, src: src}
	i := start(src)
	if bytes.Contains(src, []byte("<?")) {
		i = p.outside(i)
	}
	for i < len(src) && !p.refuse {
		i = p.step(i)
	}
	return p.tokens, !p.refuse && len(p.holes) == 0
}

type php struct {
	out
	src    []byte
	quoted bool // the last token is a string that ends where the next token starts
	types  []bool
	typed  bool // the keyword of a class occurred since the last statement began
	holes  []phpHole
	refuse bool
}

// outside reads the text around the code from i on as words, and the tag after it.
func (p *php) outside(i int) int {
	end := len(p.src)
	if n := bytes.Index(p.src[i:], []byte("<?")); n >= 0 {
		end = i + n
	}
	for i < end {
		i = p.prose(i, end)
	}
	if i == len(p.src) {
		return i
	}
	i += 2
	switch {
	case at(p.src, i) == '=':
		i++
	case len(p.src)-i >= 3 && bytes.EqualFold(p.src[i:i+3], []byte("php")):
		i += 3
	}
	return i
}

// prose reads a word of text. Every byte from 0x80 on counts as a letter.
func (p *php) prose(i, end int) int {
	to := relexWordEnd(p.src[:end], i)
	c := p.src[i]
	switch {
	case to == i && chars[c]&blank != 0:
		return i + 1
	case to == i:
		return p.put(i, i+1, keyword(string(p.src[i:i+1])))
	case chars[c]&digit != 0:
		return p.put(i, to, number)
	}
	return p.put(i, to, lexeme{token.Kind(string(p.src[i:to])), token.Word})
}

// step reads the token at i and returns where to continue.
func (p *php) step(i int) int {
	c := p.src[i]
	switch {
	case chars[c]&letter != 0 || c >= 0x80:
		return p.word(i)
	case chars[c]&blank != 0:
		return i + 1
	case c == '$':
		if end := p.name(i + 1); end > i+1 && chars[p.src[i+1]]&digit == 0 {
			return p.put(i, end, identifier)
		}
	case chars[c]&digit != 0 || c == '.' && chars[at(p.src, i+1)]&digit != 0:
		return p.put(i, phpNumber(p.src, i), number)
	case c == '"' || c == '`':
		p.put(i, i+1, text)
		p.quoted = true
		return p.content(i+1, phpString{quote: c}, false)
	case c == '\'':
		return p.put(i, longQuoteEnd(p.src, i), text)
	case c == '#' && at(p.src, i+1) != '[', c == '/' && at(p.src, i+1) == '/':
		return p.comment(i)
	case c == '/' && at(p.src, i+1) == '*':
		end, _ := after(p.src, i+2, "*/")
		return end
	case has(p.src, i, "?>"):
		p.flags, p.typed = 0, false
		p.put(i, i+2, phpLeave)
		return p.outside(i + 2)
	case has(p.src, i, "<<<"):
		if end := p.document(i); end > i {
			return end
		}
	}
	return p.sign(i)
}

// put adds a token, and returns its end.
func (p *php) put(i, end int, l lexeme) int {
	if p.quoted {
		p.tokens[len(p.tokens)-1].End = uint32(i)
		p.quoted = false
	}
	p.add(i, end, l)
	return end
}

// name returns the end of the run of letters and digits at i. Nearly all characters beyond ASCII are letters.
func (p *php) name(i int) int {
	for i < len(p.src) && (chars[p.src[i]]&(letter|digit) != 0 || p.src[i] >= 0x80) {
		p.refuse = p.refuse || p.src[i] >= 0x80 && phpStrange(p.src, i)
		i++
	}
	return i
}

// phpStrange reports whether a character starts at i that is part of a name in PHP but not in the grammar.
func phpStrange(src []byte, i int) bool {
	return src[i] >= 0xf0 || has(src, i, "\u00a0") || has(src, i, "\u200b") || has(src, i, "\u2060") || has(src, i, "\ufeff")
}

func (p *php) word(i int) int {
	end := p.name(i)
	if c := at(p.src, end); end == i+1 && p.src[i]|0x20 == 'b' && (c == '"' || c == '\'') {
		if c == '\'' {
			return p.put(i, longQuoteEnd(p.src, end), text)
		}
		p.put(i, end+1, text)
		p.quoted = true
		return p.content(end+1, phpString{quote: c}, false)
	}
	l := PHPWords.of(p.src[i:end])
	switch {
	case l.kind == phpUse && p.last() != phpClose && !phpMembers[p.last()] && (len(p.types) == 0 || !p.types[len(p.types)-1]):
		p.flags = token.FlagImport
	case phpTypes[l.kind] && !phpMembers[p.last()], end == i+4 && bytes.EqualFold(p.src[i:end], []byte("enum")) && chars[at(p.src, blanks(p.src, end))]&letter != 0:
		p.typed = true
	}
	return p.put(i, end, l)
}

// comment returns the end of the line at i, or of the code on it.
func (p *php) comment(i int) int {
	for ; i < len(p.src) && p.src[i] != '\n' && p.src[i] != '\r'; i++ {
		if p.src[i] != '?' {
			continue
		}
		if at(p.src, i+1) == '>' {
			break
		}
		p.refuse = p.refuse || has(p.src, i, "??>")
	}
	return i
}

func (p *php) sign(i int) int {
	o := phpOperators.at(p.src, i)
	if o == nil {
		return p.strange(p.src, i)
	}
	n := len(p.holes) - 1
	switch p.src[i] {
	case '{':
		if n >= 0 {
			p.holes[n].braces++
		}
		p.types = append(p.types, p.typed)
		p.typed = false
	case '}':
		if n >= 0 && p.holes[n].braces == 0 {
			return p.close(i, n)
		}
		if n >= 0 {
			p.holes[n].braces--
		}
		if k := len(p.types); k > 0 {
			p.types = p.types[:k-1]
		}
		p.typed = false
	}
	p.put(i, i+o.n, o.lexeme)
	if o.kind == phpEnd {
		p.flags, p.typed = 0, false
	}
	return i + o.n
}

// ---- strings

// phpNumber returns the end of the number at i, which starts with a digit or a point.
func phpNumber(src []byte, i int) int {
	if src[i] == '0' {
		switch at(src, i+1) | 0x20 {
		case 'x':
			return numberPart(src, i+2, hex)
		case 'b', 'o':
			return numberPart(src, i+2, digit)
		}
	}
	end := numberPart(src, i, digit)
	if at(src, end) == '.' {
		end = numberPart(src, end+1, digit)
	}
	return exponentEnd(src, end, 'e')
}

package lang

import "bytes"

// optional says which tokens of a language formatters add and remove. These tokens change no meaning, so the stream
// omits them, whether a grammar or a lexer read it. So code is the same before and after formatting. The positions of
// all other tokens stay the same.
type optional uint8

const (
	semicolons optional = 1 << iota // all of them: line ends end statements too
	commas                          // before a closing bracket
	parameters                      // parentheses around the only parameter of an arrow function
	receivers                       // "self." before a name
	arrays                          // array(…) and list(…) of PHP are […]
	roots                           // a backslash of PHP before the first name of a path
	rockets                         // :key => of Ruby is key:
)

var (
	kindSemicolon   = kindOf(";")
	kindComma       = kindOf(",")
	kindOpenParen   = kindOf("(")
	kindCloseParen  = kindOf(")")
	kindCloseSquare = kindOf("]")
	kindCloseBrace  = kindOf("}")
	kindArrow       = kindOf("=>")
	kindColon       = kindOf(":")
	kindOpenSquare  = kindOf("[")
	kindPoint       = kindOf(".")
	kindSelf        = kindOf("self")
	kindArray       = kindOf("array")
	kindList        = kindOf("list")
	kindBackslash   = kindOf("\\")
)

// leave removes the optional tokens from the tokens of src, in place.
func (o optional) leave(tokens []Token, src []byte) []Token {
	if o == 0 {
		return tokens
	}
	if o&arrays != 0 {
		tokens = shortArrays(tokens)
	}
	n := 0
	for i, t := range tokens {
		switch t.Kind {
		case kindSemicolon:
			if o&semicolons != 0 {
				continue
			}
		case kindCloseParen, kindCloseSquare, kindCloseBrace:
			if o&commas != 0 && n > 0 && tokens[n-1].Kind == kindComma {
				n--
			}
		case kindArrow:
			if o&rockets != 0 && n > 0 && symbol(tokens[n-1], src) {
				key := &tokens[n-1]
				key.Start, key.Class, key.Kind = key.Start+1, Identifier, Identifier.Kind()
				t.Kind = kindColon
			}
			if o&parameters != 0 && n > 2 && tokens[n-1].Kind == kindCloseParen && tokens[n-2].Class == Identifier && tokens[n-3].Kind == kindOpenParen {
				tokens[n-3] = tokens[n-2]
				n -= 2
			}
		case kindBackslash:
			if o&roots != 0 && (n == 0 || tokens[n-1].Class != Identifier || tokens[n-1].End < t.Start) {
				continue
			}
		case kindPoint:
			if o&receivers != 0 && received(tokens[:n]) && i+1 < len(tokens) && tokens[i+1].Class == Identifier {
				n--
				continue
			}
		}
		tokens[n] = t
		n++
	}
	return tokens[:n]
}

// symbol reports whether a token is a symbol of Ruby that can be a key: :name.
func symbol(t Token, src []byte) bool {
	return t.Class == String && t.End-t.Start > 1 && src[t.Start] == ':' && src[t.Start+1] != '"' && src[t.Start+1] != '\''
}

// received reports whether tokens end with "self" that is not part of a path, as it is in "Type.self".
func received(tokens []Token) bool {
	n := len(tokens)
	return n > 0 && tokens[n-1].Kind == kindSelf && (n == 1 || tokens[n-2].Kind != kindPoint)
}

// shortArrays writes array(…) and list(…) as […], in place.
func shortArrays(tokens []Token) []Token {
	var open []bool // for each open parenthesis whether it is that of an array
	n := 0
	for i, t := range tokens {
		switch t.Kind {
		case kindArray, kindList:
			if i+1 < len(tokens) && tokens[i+1].Kind == kindOpenParen {
				continue
			}
		case kindOpenParen:
			array := i > 0 && (tokens[i-1].Kind == kindArray || tokens[i-1].Kind == kindList)
			if open = append(open, array); array {
				t.Kind = kindOpenSquare
			}
		case kindCloseParen:
			if last := len(open) - 1; last >= 0 {
				if open[last] {
					t.Kind = kindCloseSquare
				}
				open = open[:last]
			}
		}
		tokens[n] = t
		n++
	}
	return tokens[:n]
}

// Ends reports whether a semicolon that is not a token follows token i.
func Ends(text []byte, tokens []Token, i int) bool {
	rest := text[tokens[i].End:]
	if i+1 < len(tokens) {
		rest = text[tokens[i].End:tokens[i+1].Start]
	}
	return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte{';'})
}

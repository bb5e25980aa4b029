package lex

import (
	"bytes"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// sign reads the operator or bracket at i.
func (s *swift) sign(i int) int {
	switch c := s.src[i]; c {
	case '(', '[', '{':
		s.open = append(s.open, swiftBracket{versions: c == '(' && s.available()})
	case ')', ']', '}':
		return s.close(i)
	case '@':
		end := asciiEnd(s.src, i+1)
		if swiftParameters[string(s.src[i+1:end])] && !s.attribute() {
			return s.put(i, end, keyword(string(s.src[i:end])))
		}
	case ',':
		if n := len(s.open); n > 0 && s.open[n-1].within && s.open[n-1].text.hashes == 0 {
			return i + 1 // between values in a string
		}
	case ':', '\\':
	default:
		return s.operator(i)
	}
	return s.put(i, i+1, keyword(string(s.src[i:i+1])))
}

// close reads the bracket at i, and continues the string if it ends code in one.
func (s *swift) close(i int) int {
	n := len(s.open) - 1
	if n < 0 {
		s.refuse = true
		return len(s.src)
	}
	b := s.open[n]
	s.open = s.open[:n]
	if !b.within || b.text.hashes > 0 {
		s.put(i, i+1, keyword(string(s.src[i:i+1])))
	}
	if b.within {
		return s.content(i+1, b.text)
	}
	return i + 1
}

// longestSwiftRun bounds signs that are read together, since a run is read again after each sign that is split off.
const longestSwiftRun = 16

// swiftRun returns the end of the operator signs at i, or of those that are read. Points belong to them if the first is one.
func swiftRun(src []byte, i int) int {
	end := i
	for end < len(src) && end-i <= longestSwiftRun {
		c := src[end]
		switch {
		case c == '/' && (at(src, end+1) == '/' || at(src, end+1) == '*'):
			return end
		case c == '.' && src[i] == '.':
		case bytes.IndexByte([]byte("/=-+!*%<>&|^?~"), c) < 0:
			return end
		}
		end++
	}
	return end
}

// operator reads the operator at i. Of several signs together the first may be one by itself: after an operand, or at the
// end of types.
func (s *swift) operator(i int) int {
	end := swiftRun(s.src, i)
	if end == i || end-i > longestSwiftRun {
		s.refuse = true
		return len(s.src)
	}
	before, after := i == 0 || chars[s.src[i-1]]&blank != 0, end == len(s.src) || chars[s.src[end]]&blank != 0
	run := string(s.src[i:end])
	if s.src[i] == '/' && end == i+1 && !after && !s.ends() {
		s.refuse = true // a regular expression
	}
	if next := at(s.src, end); (next == '.' || next == '(') && (run == "?>" || run == ">?" || run == "??") || run == ">?>" {
		s.refuse = true // the grammar takes it for an operator in expressions
	}
	switch c := s.src[i]; {
	case (c == '?' || c == '!') && !before && run != "!=" && run != "!==", c == '>' && !(before && after && (run == ">" || run == ">=" || run == ">>=")), c == '<' && !before && run != "<=":
		return s.put(i, i+1, keyword(run[:1]))
	}
	if o := swiftOperators.at(s.src, i); o != nil && o.n == len(run) {
		return s.put(i, end, o.lexeme)
	}
	s.refuse = s.refuse || !before || !after
	return s.put(i, end, keyword(run))
}

// attribute reports whether the last tokens are an attribute of a type.
func (s *swift) attribute() bool {
	n := len(s.tokens) - 1
	return n > s.first && s.tokens[n].Class == token.Identifier && s.tokens[n-1].Kind == swiftAt
}

// ends reports whether an expression can end with the last token.
func (s *swift) ends() bool {
	n := len(s.tokens) - 1
	if n < s.first {
		return false
	}
	t := s.tokens[n]
	return t.Class != token.Keyword || swiftEnds[t.Kind]
}

var swiftEnds = kinds(") ] } ? ! self super")

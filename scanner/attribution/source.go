package attribution

import "strings"

// phrase is a way to state that code comes from elsewhere.
type phrase struct {
	words  string
	strong bool // it says that the code was copied; other phrases may mean ideas
}

// sentence is the latest position at which a strong phrase can begin in a line and still be about the code itself, in bytes.
// Further on it is about what the code does. "this function was originally copied from" has 30 bytes before the phrase.
const sentence = 40

// phrases are in lower case; the first one in the list that a line contains is used.
var phrases = []phrase{
	{"copied verbatim from", true}, {"copied from", true}, {"copied and adapted from", true}, {"copied and modified from", true},
	{"copied wholesale from", true}, {"copied and pasted from", true}, {"copy-pasted from", true}, {"copypasted from", true}, {"copy pasted from", true},
	{"adapted from", true}, {"adopted from", true}, {"ported from", true}, {"port of", true}, {"translated from", true}, {"converted from", true},
	{"taken from", true}, {"taken verbatim from", true}, {"borrowed from", true}, {"stolen from", true}, {"lifted from", true}, {"cribbed from", true},
	{"derived from", true}, {"derives from", true}, {"derivative of", true}, {"forked from", true}, {"fork of", true}, {"imported from", true},
	{"extracted from", true}, {"vendored from", true}, {"modified from", true}, {"modified version of", true}, {"modified copy of", true},
	{"copy of", false}, {"cloned from", true}, {"pulled from", true}, {"reused from", true}, {"backported from", true}, {"backport of", true},
	{"originally from", true}, {"originally written", false}, {"originally part of", true}, {"original source", true}, {"original code", true},
	{"original version", true}, {"original implementation", true}, {"based on", false}, {"based upon", false}, {"comes from", false},
	{"came from", false}, {"inspired by", false}, {"source:", false}, {"origin:", false}, {"upstream:", false}, {"via:", false}, {"credit", false},
	{"thanks to", false}, {"from:", false}, {"includes code from", true}, {"contains code from", true}, {"contains portions of", true},
	{"portions of this", false}, {"part of the", false}, {"is part of", false},
}

// source reads a line that states where code was taken from, or that links to a host of code. If the sentence continues on the
// next line, that line is read too.
func (s *scan) source(i int, low string) bool {
	l := &s.lines[i]
	at, found := -1, phrase{}
	for _, p := range phrases {
		if n := strings.Index(low, p.words); n >= 0 && wordStart(low, n) {
			at, found = n+len(p.words), p
			break
		}
	}
	if at < 0 {
		if len(References(l.text)) == 0 {
			return false
		}
		s.add(i, Statement{Kind: CopiedFrom, Source: l.text})
		return true
	}
	st := Statement{Kind: CopiedFrom, Strong: found.strong && at-len(found.words) <= sentence}
	if len(low) != len(l.text) {
		at = 0 // in some scripts, lower case has another length
	}
	st.Source = strings.TrimSpace(l.text[at:])
	if more := s.goesOn(i); more != "" {
		st.Source = strings.TrimSpace(st.Source + " " + more)
		st.Text = clip(l.text + " " + more)
	}
	s.add(i, st)
	return true
}

// goesOn returns the next line of the same comment if a line does not end its sentence.
func (s *scan) goesOn(i int) string {
	l := &s.lines[i]
	if strings.HasSuffix(l.text, ".") || i+1 >= len(s.lines) || l.code || s.lines[i+1].from != l.from {
		return ""
	}
	return s.lines[i+1].text
}

// wordStart reports whether a word begins at byte n.
func wordStart(s string, n int) bool {
	return n == 0 || !isWord(s[n-1])
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

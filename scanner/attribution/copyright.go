package attribution

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// signs lists the forms of the word copyright.
var signs = []string{"copyright", "(c)", "©", "&copy;"}

// notHolders lists words that follow "copyright" in sentences about copyright.
var notHolders = []string{"notice", "notices", "holder", "holders", "holder's", "owner", "owners", "law", "laws", "license", "licence", "licenses",
	"statement", "statements", "interest", "interests", "and", "or", "in", "on", "is", "are", "of", "to", "for", "act", "protection", "infringement", "disclaimer", "header", "headers"}

// licensedTo and underOne are the words around the holder in heads such as "Licensed to the Apache Software Foundation (ASF) under
// one or more contributor license agreements."
const (
	licensedTo = "licensed to "
	underOne   = " under one"
)

// licensor returns the holder of such a head, or "". low is text in lower case.
func licensor(text, low string) string {
	name, _, ok := strings.Cut(low, underOne)
	if !ok || len(low) != len(text) || !strings.HasPrefix(name, licensedTo) || name == licensedTo+"you" {
		return "" // in some scripts, lower case has another length
	}
	name = strings.TrimSpace(text[len(licensedTo):len(name)])
	if at := strings.LastIndex(name, " ("); at > 0 && strings.HasSuffix(name, ")") { // a short form of the name
		name = name[:at]
	}
	return strings.TrimPrefix(name, "the ")
}

// copyright reads a line that names an owner: the word or sign at its start, or followed by a year, and then a name.
func (s *scan) copyright(i int, low string) bool {
	text := s.lines[i].text
	if name := licensor(text, low); name != "" {
		s.add(i, Statement{Kind: Copyright, Holder: name})
		return true
	}
	if s.refers(i, low) {
		return true
	}
	at := -1
	for _, sign := range signs {
		if n := strings.Index(low, sign); n >= 0 && (at < 0 || n < at) {
			at = n
		}
	}
	if at < 0 || len(low) != len(text) {
		return false
	}
	rest := strings.TrimPrefix(skipSigns(text[at:]), "by ")
	name := holder(rest)
	if name == "" {
		name = s.wrapped(i, rest)
	}
	if strings.EqualFold(name, "free software") { // a long list of years breaks the line
		name += " Foundation"
	}
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(rest, " :")), " ")
	year := rest != "" && startsWithYear(rest)
	switch {
	case name == "", slices.Contains(notHolders, strings.TrimRight(first, ".,;:")):
		return false
	case !year && at > 0 && !strings.HasSuffix(strings.TrimSpace(low[:at]), "portions") && !behindName(low, at):
		return false // within a sentence
	case !year && (!startsUpper(rest) || s.lines[i].behind):
		return false // after code, a sign without a year may be what the code is about: an entry of a table of characters
	}
	s.add(i, Statement{Kind: Copyright, Holder: name, More: append(behindAddress(rest), s.below(i)...)})
	return true
}

// behindName reports whether the copyright at a position of a lower-cased line stands after the name of the program, with its sign:
// "CodeMirror, copyright (c) by Marijn Haverbeke and others".
func behindName(low string, at int) bool {
	title, divided := strings.CutSuffix(strings.TrimSpace(low[:at]), ",")
	sign := strings.TrimLeft(strings.TrimPrefix(low[at:], "copyright"), " ")
	return divided && !strings.ContainsAny(title, "()") && len(strings.Fields(title)) <= longestHeading && len(sign) < len(low[at:]) && slices.ContainsFunc(signs[1:], func(s string) bool { return strings.HasPrefix(sign, s) })
}

// noticeIn stands before the name of a file, in heads such as "See Copyright Notice in lua.h".
const noticeIn = "copyright notice in "

// refers reads a line that names the file of the library with the copyright notice. If the head names no holder before this line,
// the name of that file stands for the holder: all files of the library have it.
func (s *scan) refers(i int, low string) bool {
	text := s.lines[i].text
	_, rest, ok := strings.Cut(low, noticeIn)
	if !ok || len(low) != len(text) || i >= s.head || slices.ContainsFunc(s.out, func(st Statement) bool { return st.Kind == Copyright }) {
		return false
	}
	file, _, _ := strings.Cut(text[len(text)-len(rest):], " ")
	file = strings.Trim(file, "\"'`<>()[],;:.")
	if file != path.Base(file) || !slices.Contains(programs, path.Ext(file)) {
		return false
	}
	s.add(i, Statement{Kind: Copyright, Holder: "the notice in " + file})
	return true
}

// behindAddress returns the further holders of a line: those after the address of another, as in "Ada <ada@a.org>, Bob <bob@b.org>".
func behindAddress(line string) (out []string) {
	for {
		_, rest, ok := strings.Cut(line, ">")
		if !ok {
			return out
		}
		line = rest
		more := strings.TrimSpace(rest)
		next := strings.TrimPrefix(strings.TrimLeft(more, " ,;&/"), "and ")
		if next == more && skipSigns(next) == next {
			continue // a sentence, not a list
		}
		if name := holder(next); isName(name) || HasOthers(name) {
			out = append(out, name)
		}
	}
}

// below returns the holders that stand with their years on the lines below a copyright line, without the word.
func (s *scan) below(i int) (out []string) {
	for _, l := range s.lines[i+1 : min(len(s.lines), i+1+wrappedLines)] {
		name := holder(l.text)
		if l.code || l.blank || !startsWithYear(l.text) || !isName(name) {
			break
		}
		out = append(out, name)
	}
	return out
}

// isName reports whether a text can be the name of a holder.
func isName(s string) bool { return startsUpper(s) && !isSentence(s) }

// wrappedLines is how many lines below a list of years are searched for its holder.
const wrappedLines = 3

// wrapped returns the holder of a copyright line that has only years: the name stands on a line below, after more years if the list
// goes on there.
func (s *scan) wrapped(i int, years string) string {
	if !startsWithYear(years) {
		return ""
	}
	for _, l := range s.lines[i+1 : min(len(s.lines), i+1+wrappedLines)] {
		if l.code || l.blank || l.text == "" {
			return ""
		}
		years += ", " + l.text
		if name := holder(years); name != "" {
			if isName(name) {
				return name
			}
			return ""
		}
	}
	return ""
}

// longestName is how many words the name of a holder has at most, where it stands on a line of its own.
const longestName = 10

// isSentence reports whether a line is text of a licence, not a name.
func isSentence(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	return len(words) > longestName || slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"permission", "redistribution", "licensed", "license", "licence", "this", "is", "are"}, w)
	})
}

// skipSigns removes words and signs of copyright from the start.
func skipSigns(text string) string {
	for {
		text = strings.TrimLeft(text, " \t:,")
		n := 0
		for _, sign := range signs {
			if len(text) >= len(sign) && strings.EqualFold(text[:len(sign)], sign) {
				n = len(sign)
			}
		}
		if n == 0 {
			return text
		}
		text = text[n:]
	}
}

func startsWithYear(s string) bool {
	s = strings.TrimLeft(s, " ")
	return len(s) >= 4 && (s[:2] == "19" || s[:2] == "20") && isDigit(s[2]) && isDigit(s[3])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func startsUpper(s string) bool {
	for _, r := range strings.TrimSpace(s) {
		return unicode.IsUpper(r) || r == '<' || r == '@'
	}
	return false
}

// rights lists phrases that follow a holder's name.
var rights = []string{"all rights reserved", "all right reserved", "some rights reserved", "rights reserved", "licensed under", "released under",
	"see license", "see the", "see copying", "use of this", "this file", "this software", "distributed under", "under the", " http://", " https://"}

// holder returns the name after a copyright sign, without years, mail addresses and the reservation of rights.
func holder(s string) string {
	s = skipSigns(s)
	low := strings.ToLower(s)
	if len(low) == len(s) {
		for _, r := range rights {
			if i := strings.Index(low, r); i >= 0 {
				s, low = s[:i], low[:i]
			}
		}
	}
	s, _, _ = strings.Cut(s, "<")
	return strings.Trim(skipYears(s), " ,.;:-–\"'()")
}

// skipYears removes years and the words between them from the start. Behind a year and a comma or hyphen, a year can have two digits:
// "1993, 94, 95-97".
func skipYears(s string) string {
	const gap = " ,-–+:"
	s = strings.TrimLeft(s, gap)
	for listed := false; startsWithYear(s) || listed && startsWithShortYear(s) || startsWithFiller(s); {
		behind := s[wordLen(s):]
		s = strings.TrimLeft(skipSigns(behind), gap)
		listed = strings.ContainsAny(behind[:len(behind)-len(s)], ",-–")
	}
	return s
}

// startsWithFiller reports whether a text begins with a word of a list of years.
func startsWithFiller(s string) bool {
	return hasWord(s, "present") || hasWord(s, "now") || hasWord(s, "by") || hasWord(s, "and") && startsWithYear(s[3:])
}

// startsWithShortYear reports whether a text begins with a number of two digits.
func startsWithShortYear(s string) bool {
	return len(s) >= 2 && isDigit(s[0]) && isDigit(s[1]) && (len(s) == 2 || strings.IndexByte(" ,-.", s[2]) >= 0)
}

// wordLen returns the length of a year, of a word of letters, or 1.
func wordLen(s string) int {
	switch {
	case startsWithYear(s):
		return 4
	case startsWithShortYear(s):
		return 2
	}
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return max(n, 1)
}

// hasWord reports whether s begins with a word.
func hasWord(s, word string) bool {
	return len(s) > len(word) && strings.EqualFold(s[:len(word)], word) && (s[len(word)] == ' ' || s[len(word)] == ',')
}

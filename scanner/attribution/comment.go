package attribution

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang/marks"
)

// line is the text of the comment on a line, "" if it is code.
type line struct {
	text     string
	code     bool // there is something besides a comment
	behind   bool // the comment stands after code
	opening  bool // code that may be above or within the head of a file
	begins   bool // it is the first line of a list of imports
	ends     bool // code that may end such a list
	blank    bool
	item     bool // of prose: it begins an item of a list, a row of a table or a heading
	from, to int  // first and last line of the comment, 0-based
	opens    bool // it opens a block comment
	banner   bool // by /*!, which minifiers keep
}

// lineMarks open comments that end with their line, in any language.
var lineMarks = []string{"//", "#", "--", ";", "%", "*", "REM ", "rem ", "@REM ", "@rem ", "dnl ", "'", "!"}

// behind lists the marks of comments that follow code on a line.
var behind = []string{"//", "/*", " # ", " -- ", "<!--"}

// comments splits a text into lines and finds the comment of each line.
func comments(text []byte, prose bool) []line {
	out := make([]line, 0, bytes.Count(text, []byte{'\n'})+1)
	closer := ""
	for all := strings.TrimPrefix(string(text), "\uFEFF"); len(all) > 0; { // a byte order mark is no code
		raw, rest, _ := strings.Cut(all, "\n")
		all = rest
		var l line
		if prose {
			l.text, l.item = clean(start(raw)), beginsItem(raw)
		} else {
			l, closer = comment(raw, closer)
		}
		out = append(out, l)
	}
	for from := 0; from < len(out); {
		to := from
		for to+1 < len(out) && out[from].silent() && out[to+1].silent() {
			to++
		}
		for i := from; i <= to; i++ {
			out[i].from, out[i].to = from, to
		}
		from = to + 1
	}
	return out
}

// beginsItem reports whether a line of prose begins anew, by its mark: it does not continue a sentence of the line above.
func beginsItem(raw string) bool {
	raw = strings.TrimLeft(raw, " \t")
	number := strings.TrimLeft(raw[:min(len(raw), 4)], "0123456789")
	if len(number) < min(len(raw), 4) && number != "" {
		return number[0] == '.' || number[0] == ')'
	}
	return raw != "" && (raw[0] == '#' || raw[0] == '|' || len(raw) > 1 && strings.IndexByte("-*+", raw[0]) >= 0 && raw[1] == ' ')
}

// silent reports whether a line contains only a comment.
func (l *line) silent() bool { return !l.code && !l.blank }

// comment reads one line. closer is the end mark of the block that the line begins in, next that of the following line.
func comment(raw, closer string) (l line, next string) {
	if closer != "" {
		at := strings.Index(raw, closer)
		if at < 0 {
			return line{text: clean(start(raw))}, closer
		}
		rest := strings.TrimSpace(start(raw[at+len(closer):]))
		return line{text: clean(start(raw[:at])), code: rest != "" && rest != ";"}, ""
	}
	raw = strings.TrimSpace(raw)
	if len(raw) == 0 {
		return line{blank: true}, ""
	}
	for _, b := range marks.Blocks {
		if rest, ok := strings.CutPrefix(withoutPrefix(raw), b.Open); ok {
			l, next = block(rest, b.Close)
			l.opens, l.banner = true, strings.HasPrefix(raw, "/*!")
			return l, next
		}
	}
	s := start(raw)
	if isAttribute(s) {
		return line{code: true, opening: true}, ""
	}
	for _, m := range lineMarks {
		if strings.HasPrefix(s, m) {
			return line{text: clean(s[len(m):])}, ""
		}
	}
	for _, m := range behind {
		if at := strings.Index(s, m); at > 0 && strings.Count(s[:at], `"`)%2 == 0 && strings.Count(s[:at], "'")%2 == 0 && strings.Count(s[:at], "`")%2 == 0 {
			l = line{text: clean(strings.TrimPrefix(strings.TrimSpace(s[at:]), strings.TrimSpace(m))), code: true, behind: true}
			if m == "/*" && !strings.Contains(raw[at:], "*/") {
				next = "*/"
			}
			return l, next
		}
	}
	return line{code: true, opening: opens(s), begins: beginsList(s), ends: s[0] == ')' || s[0] == '}'}, ""
}

// withoutPrefix removes the prefix of a docstring of Python, such as the r of r"""Modified from …""".
func withoutPrefix(raw string) string {
	if len(raw) > 3 && strings.IndexByte("rRuU", raw[0]) >= 0 && (raw[1:4] == `"""` || raw[1:4] == "'''") {
		return raw[1:]
	}
	return raw
}

// isAttribute reports whether a line is an attribute of Rust or PHP: #[name], #[name(…)], #[name = …]. In other languages such a
// line is a comment, which seldom has that form: a number or words follow the sign.
func isAttribute(s string) bool {
	name, ok := strings.CutPrefix(strings.Replace(s, "#![", "#[", 1), "#[")
	rest := strings.TrimLeft(name, `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789:\`)
	if !ok || len(rest) == len(name) || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	rest = strings.TrimSpace(rest)
	return rest == "" || strings.IndexByte("(]=,[{", rest[0]) >= 0
}

// block reads a line after the opening mark of a block.
func block(raw, close string) (line, string) {
	at := strings.Index(raw, close)
	if at < 0 {
		l := line{text: clean(start(raw))}
		return l, close
	}
	rest := strings.TrimSpace(start(raw[at+len(close):]))
	return line{text: clean(start(raw[:at])), code: rest != ""}, ""
}

// start returns the part of a line that is read.
func start(raw string) string { return raw[:min(len(raw), maxLine)] }

// clean removes the marks from a line of a comment.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.TrimLeft(s, " \t*/#!;%<|=-")
	s = strings.TrimSpace(s)
	for _, c := range []string{"*/", "-->", "#}", "*)"} {
		s = strings.TrimSuffix(s, c)
	}
	return strings.TrimRight(s, " \t*=\r")
}

// opening lists the first words of lines of code that may be above or within the head of a file.
var opening = []string{"package ", "<?php", "import ", "from ", "use ", "using ", "module ", "namespace ", "'use strict'", `"use strict"`}

func opens(s string) bool { return beginsWith(s, opening) }

func beginsWith(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(s, w) })
}

// importing lists the first words of lines that may begin a list of imports. A namespace or a module has code between its brackets.
var importing = []string{"import ", "from ", "use "}

// beginsList reports whether a line begins a list of imports that goes on below it, such as "import (" in Go.
func beginsList(s string) bool {
	return beginsWith(s, importing) && (strings.HasSuffix(s, "(") || strings.HasSuffix(s, "{"))
}

// head returns the number of lines before any code. Lists of imports are no code. Below one, a comment right above code is about that
// code, so only comments that stand alone belong to the head.
func head(ls []line) int {
	list, open := false, -1
	for i, l := range ls {
		switch {
		case i == maxHead && open >= 0:
			return open
		case i == maxHead:
			return i
		case open >= 0:
			if l.ends {
				open = -1
			}
		case l.begins:
			list, open = true, i
		case l.code && !l.opening && list && i > 0 && ls[i-1].silent():
			return ls[i-1].from
		case l.code && !l.opening:
			return i
		}
	}
	if open >= 0 {
		return open
	}
	return len(ls)
}

// footer returns the first line after all code: some libraries have their licence at the end of a file. A text without code has no
// footer.
func footer(ls []line) int {
	for i := len(ls) - 1; i >= 0; i-- {
		if ls[i].code {
			return i + 1
		}
	}
	return len(ls)
}

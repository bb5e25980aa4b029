package attribution

import (
	"slices"
	"strings"
	"unicode"
)

// A library in a single file begins with its name and version: "jQuery JavaScript Library v1.9.1", "Lo-Dash v0.6.1
// <http://lodash.com>". Later releases may name other holders, so that nothing else of the head agrees.

// titleLines is how many lines of a comment can contain the title. It may be below the opening mark and an empty line.
const titleLines = 4

// generic lists words of a title that name nothing.
var generic = map[string]bool{
	"javascript": true, "js": true, "css": true, "typescript": true, "library": true, "lib": true, "framework": true, "toolkit": true,
	"version": true, "ver": true, "v": true, "release": true, "the": true,
}

// title reads a line at the head of a file that names a program and its version. A bundle has the titles of its parts in banners.
func (s *scan) title(i int) {
	l := &s.lines[i]
	if s.prose || l.code && !l.banner || s.snippet > 0 {
		return
	}
	from := s.opening(i)
	if i-from >= titleLines || i >= s.head && !s.lines[from].banner {
		return
	}
	name, version := titled(l.text)
	if banner := s.lines[from].banner && isRelease(version); name != "" && (banner || i < s.head) {
		s.add(i, Statement{Kind: Title, Source: name, Banner: banner})
		s.out[len(s.out)-1].From = from + 1
	}
}

// isRelease tells "v2.0" and "1.13.3" from a number with a fraction. Doxygen and Qt open each comment with /*!, so that a banner may be a sentence.
func isRelease(version string) bool {
	return strings.HasPrefix(strings.ToLower(version), "v") || strings.Count(strings.TrimRight(version, "."), ".") > 1
}

// opening returns the line that opens the comment of a line, as far as a title can be from it: of comments without a line between them the last.
func (s *scan) opening(i int) int {
	first := s.lines[i].from
	for at := i; at > max(first, i-titleLines); at-- {
		if s.lines[at].opens {
			return at
		}
	}
	return first
}

// titled returns the words before a version at the beginning of a line, and the version, or "". A title has few words.
func titled(text string) (title, version string) {
	var name []string
	for w := range strings.FieldsSeq(text) {
		w = strings.Trim(w, ",:;()[]\"'-–|")
		switch {
		case isVersion(w):
			return strings.Join(name, " "), w
		case w == "" || generic[strings.ToLower(w)]:
			continue
		case len(name) == titleWords:
			return "", ""
		}
		name = append(name, w)
	}
	return "", ""
}

// titleWords is the largest number of words in a name, without generic words.
const titleWords = 5

// isVersion accepts "1.9.1", "v2.0" and "3.0.0-rc.1", but no year, single number or date such as 12.03.2019.
func isVersion(w string) bool {
	w = strings.TrimRight(w, ".") // of a sentence
	if last := w[strings.LastIndexByte(w, '.')+1:]; len(last) == len("2019") && (strings.HasPrefix(last, "19") || strings.HasPrefix(last, "20")) {
		return false
	}
	w = strings.TrimPrefix(strings.TrimPrefix(w, "v"), "V")
	dots, digits := 0, 0
	for i, r := range w {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '.' && digits > 0:
			dots++
		case dots > 0 && digits > 1 && (r == '-' || r == '+' || unicode.IsLetter(r)):
			return i > 0
		default:
			return false
		}
	}
	return dots > 0 && digits > 1
}

// entitles reports whether a title is the name of the origin's package. No word may be left over: "jQuery UI" is not jQuery.
func (o Origin) entitles(title string) bool {
	name := bare(short(strings.ToLower(o.Name)))
	return !plain(name) && bare(title) == name
}

// Leads reports whether the statement is a title that a file begins with: it is in the first line of the first comment that has words, and
// it names no tool, licence or date, and is no sentence.
func (s Statement) Leads() bool {
	return s.Kind == Title && s.From <= firstComment && s.namesLibrary()
}

// IsTitleOf reports whether the statement is a title of a region: the file begins with it, or it is in a banner right above the region or in it.
func (s Statement) IsTitleOf(from, to, function int) bool {
	return s.Leads() || s.Banner && s.namesLibrary() && s.Direct(from, to, function)
}

// namesLibrary reports whether a title is in the first line of its comment that has words, and names no tool, licence or date, and is no
// sentence or command of a documentation tool.
func (s Statement) namesLibrary() bool {
	return s.Line <= s.From+1 && !slices.ContainsFunc(strings.Fields(strings.ToLower(s.Source)), func(w string) bool {
		command := w[0] == '\\' || w[0] == '@' && w != "@license" && w != "@preserve"
		return command || unnamed[w]
	})
}

// firstComment is the last line in which the first comment of a file begins, after the mark of PHP or of an interpreter.
const firstComment = 2

// unnamed lists words of lines that begin as a title does and name no library: "Requires GCC 4.8", "Apache License 2.0", "Added in 1.2.3".
var unnamed = map[string]bool{"license": true, "licence": true, "requires": true, "requirement": true, "requirements": true, "needs": true, "tested": true,
	"date": true, "created": true, "modified": true, "updated": true, "since": true, "php": true, "python": true, "perl": true, "ruby": true, "java": true,
	"node": true, "gcc": true, "clang": true, "c++": true, "generated": true, "compiled": true, "built": true, "produced": true,
	"copyright": true, "added": true, "deprecated": true, "introduced": true, "this": true, "is": true, "be": true, "if": true, "when": true,
	"in": true, "of": true, "to": true, "from": true, "under": true, "at": true}

// SameTitle reports whether two titles name one library.
func SameTitle(a, b string) bool {
	x := bare(a)
	return !plain(x) && x == bare(b)
}

// bare returns a name without separators and file extension, so that titles and package names can be compared.
func bare(name string) string {
	name = strings.ToLower(name)
	for _, end := range []string{".min.js", ".js", ".css", ".h", ".c"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_.", r) {
			return -1
		}
		return r
	}, name)
}

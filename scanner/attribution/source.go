package attribution

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// phrase is a way to state that code comes from elsewhere.
type phrase struct {
	words  string
	strong bool // it says that the code was copied; other phrases may mean ideas
}

// sentence is the latest position, in bytes, at which a strong phrase in a line is about the code itself. Further on, it describes
// what the code does. "this function was originally copied from" has 30 bytes before the phrase.
const sentence = 40

// verb is a participle that states copying if "from" follows, at once or after words of between.
type verb struct {
	word   string
	strong bool // as in phrase
}

// verbs are in lower case; the first one in the list that a line contains is used.
var verbs = []verb{
	{"copied", true}, {"copy-pasted", true}, {"copypasted", true}, {"pasted", true}, {"copied-and-pasted", true}, {"duplicated", true}, {"adapted", true},
	{"adopted", true}, {"ported", true}, {"translated", true}, {"transliterated", true}, {"transcribed", true}, {"converted", true}, {"taken", true},
	{"borrowed", true}, {"stolen", true}, {"lifted", true}, {"cribbed", true}, {"ripped", true}, {"derived", true}, {"forked", true}, {"imported", true},
	{"extracted", true}, {"vendored", true}, {"inlined", true}, {"modified", true}, {"cloned", true}, {"pulled", true}, {"reused", true}, {"backported", true},
	{"sourced", false}, {"mirrored", false}, {"grabbed", false},
	{"copy", false}, {"modify", true}, {"adapt", true}, // "this file copy from a/b.js"
}

// between lists the words that may stand between a verb and "from", as in "copied almost verbatim from", "adapted (with permission) from"
// and "copied and slightly modified from". Any other word there begins another statement: "taken as input from".
var between = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`almost nearly mostly directly straight right partly partially primarily largely entirely mainly heavily loosely lightly slightly
		shamelessly liberally literally faithfully originally initially verbatim wholesale over off out whole pretty much more or less 1:1 1-to-1 one-to-one as is as-is
		and then with without minor small some slight few a any modification modifications change changes edits adaptations adjustments permission thanks
		modified adapted adjusted changed edited expanded extended simplified shortened reduced trimmed stripped cleaned up tweaked translated converted ported
		pasted refactored reformatted renamed rewritten improved code`) {
		words[w] = true
	}
	return words
}()

// maxBetween is the largest number of words between a verb and "from".
const maxBetween = 6

// phrases are in lower case. Lines with a verb are not searched for them.
var phrases = append([]phrase{
	{"port of", true}, {"derives from", true}, {"derivative of", true}, {"fork of", true}, {"copy of", false}, {"backport of", true}, {"adaptation of", true},
	{"originally from", true}, {"originally written", false}, {"originally part of", true}, {"original source", true}, {"original code", true},
	{"original version", true}, {"original implementation", true}, {"based on", false}, {"based upon", false}, {"based off", false}, {"comes from", false},
	{"came from", false}, {"inspired by", false}, {"inspired from", false}, {"excerpt from", false}, {"source:", false}, {"origin:", false},
	{"upstream:", false}, {"via:", false}, {"credit", false}, {"thanks to", false}, {"from:", false}, {"includes code from", true},
	{"contains code from", true}, {"contains portions of", true}, {"portions of this", false}, {"part of the", false}, {"is part of", false},
	{"same terms as", false}, {"same license as", false}, {"same licence as", false},
}, versions()...)

// versions returns the phrases for changed copies, such as "modified version of".
func versions() []phrase {
	var out []phrase
	for _, how := range []verb{{"modified", true}, {"adapted", true}, {"tweaked", true}, {"forked", true}, {"vendored", true},
		{"altered", false}, {"patched", false}, {"simplified", false}, {"reduced", false}, {"trimmed", false}, {"stripped", false}, {"stripped-down", false}, {"minimal", false}} {
		for _, what := range []string{"version", "copy", "variant", "form", "port"} {
			out = append(out, phrase{how.word + " " + what + " of", how.strong})
		}
	}
	return out
}

// copying returns the verb of a lower-cased line that states copying, with the positions of the verb and after its "from".
func copying(low string) (v verb, start, end int) {
	for _, v := range verbs {
		for from := 0; ; {
			i := strings.Index(low[from:], v.word)
			if i < 0 {
				break
			}
			start, from = from+i, from+i+len(v.word)
			end := fromBehind(low, from)
			switch {
			case end <= 0 || !wordStart(low, start):
			case strings.HasPrefix(low[end:], " this software"): // licences forbid to promote "products derived from this software"
			case slices.Contains(baseForms, v.word) && !isPath(low[end:]):
			default:
				return v, start, end
			}
		}
	}
	return verb{}, -1, -1
}

// baseForms are the verbs in their base form. They are about the code only before a path or an address: programs, too, copy from elsewhere.
var baseForms = []string{"copy", "modify", "adapt"}

// isPath reports whether a text begins with a path or an address. Programs have bytes to copy from elsewhere.
func isPath(text string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(text, " \t:"), " ")
	return strings.Contains(first, "/")
}

// fromBehind returns the position after the next "from" if only words of between precede it from position at on, otherwise 0.
func fromBehind(low string, at int) int {
	for range maxBetween + 1 {
		rest := strings.TrimLeft(low[at:], " \t(,)")
		if rest == low[at:] {
			return 0 // the word goes on
		}
		at = len(low) - len(rest)
		word := rest
		if end := strings.IndexAny(rest, " \t(,)"); end >= 0 {
			word = rest[:end]
		}
		at += len(word)
		if strings.TrimSuffix(word, ":") == "from" {
			return at
		}
		if !between[word] {
			return 0
		}
	}
	return 0
}

// source reads a line that states where code was taken from, or that links to a host of code. If the sentence continues on the
// next line, that line is read too.
func (s *scan) source(i int, low string) bool {
	l := &s.lines[i]
	begin, at, strong := stated(low)
	if end := linked(low); end > 0 && !l.behind && len(References(low[end:])) > 0 && !s.continues(i) {
		begin, at, strong = 0, end, true
	}
	if at < 0 {
		if len(References(l.text)) == 0 {
			return false
		}
		s.add(i, Statement{Kind: CopiedFrom, Source: l.text})
		return true
	}
	st := Statement{Kind: CopiedFrom, Strong: strong && begin <= sentence}
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

// stated returns the positions of the words of a lower-cased line that state a source, and after them; -1 if it has none. Of several phrases
// the first strong one counts: "a port of X, a simplified version of Y" names X, and "vendored copy of" is more than "copy of".
func stated(low string) (begin, end int, strong bool) {
	if v, begin, end := copying(low); begin >= 0 {
		return begin, end, v.strong
	}
	begin, end = -1, -1
	for _, p := range phrases {
		n := strings.Index(low, p.words)
		if n >= 0 && wordStart(low, n) && (begin < 0 || p.strong && !strong || p.strong == strong && n < begin) {
			begin, end, strong = n, n+len(p.words), p.strong
		}
	}
	return begin, end, strong
}

// links are words in lower case that name a source if they begin a line and a link to code follows. In a comment after code they do
// not count: it is about its line only.
var links = []string{"from", "source", "origin", "original", "credit", "credits", "via"}

// linked returns the position after such a word of a lower-cased line: 4 of "from https://…", 7 of "source: https://…"; 0 if there is none.
func linked(low string) int {
	for _, word := range links {
		rest, ok := strings.CutPrefix(low, word)
		link := strings.TrimLeft(strings.TrimPrefix(rest, ":"), " \t")
		if ok && link != rest && (strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://")) {
			return len(low) - len(link)
		}
	}
	return 0
}

// longestHeading is how many words a line has at most that may be a title, such as the name of what is copied.
const longestHeading = 4

// continues reports whether a line continues a sentence of the line above: "Downloads the list / from https://…" names no origin. A
// line with a capital letter or a colon begins anew.
func (s *scan) continues(i int) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(s.lines[i].text), " ")
	if i == 0 || s.lines[i-1].from != s.lines[i].from || s.lines[i-1].code || startsUpper(first) || strings.HasSuffix(first, ":") {
		return false
	}
	above := strings.TrimSpace(s.lines[i-1].text)
	return len(strings.Fields(above)) > longestHeading && !strings.ContainsRune(".!?:;)*=-", rune(above[len(above)-1]))
}

// goesOn returns the next line of the same comment if the sentence of a line continues there.
func (s *scan) goesOn(i int) string {
	l := &s.lines[i]
	if strings.HasSuffix(l.text, ".") || i+1 >= len(s.lines) || l.code || s.lines[i+1].from != l.from || s.lines[i+1].item {
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

// release matches a source that begins with the name and the version of a program, perhaps after a file of it: "CPython 3.9.5",
// "the Boost 1.33.1 library", "distutils/version.py from CPython 3.9.5".
var release = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[\\s:]*(?:(?:the|official|original)\\s+|[\\w./-]*[/.][\\w./-]+\\s+(?:from|of|in)\\s+)*['\"`]?" +
		`([A-Z][A-Za-z+#-]*)(?: ([A-Z][A-Za-z]+))?['’s]*,?\s+(?:version\s+|release\s+|\()?v?\d+\.\d`)
})

// numbered are words in lower case before a number with a dot that is no version of a program: parts of a book or a standard, and licences.
var numbered = []string{"figure", "fig", "section", "sect", "sec", "chapter", "ch", "table", "listing", "equation", "eq", "algorithm", "alg", "example", "exercise",
	"program", "page", "part", "step", "appendix", "annex", "clause", "item", "rule", "recipe", "theorem", "lemma", "proposition", "corollary", "definition", "formula",
	"problem", "volume", "vol", "version", "release", "level", "license", "licence"}

// NamesRelease reports whether the source that a statement gives is a program with its version, such as "Python 3.9".
func (s Statement) NamesRelease() bool {
	m := release().FindStringSubmatch(s.Source)
	return m != nil && !slices.Contains(numbered, strings.ToLower(m[1])) && !slices.Contains(numbered, strings.ToLower(m[2]))
}

// module matches a source that begins with the dotted path of a module or a class: "transformers.models.bart.modeling_bart", "java.util.HashMap".
var module = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[\\s:'\"`]*(?:the\\s+)?([A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*){2,})")
})

// noModule lists the first words of dotted names that are no modules: variables and hosts. Nor are the initials of a person.
var noModule = []string{"self", "this", "cls", "super", "window", "document", "www", "event", "request", "response", "req", "res", "ctx", "context", "config", "options", "props",
	"state", "process", "args", "params"}

// endings lists last words of dotted names that are files or hosts.
var endings = []string{"com", "org", "net", "io", "dev", "html", "htm", "md", "txt", "py", "js", "ts", "c", "h", "cc", "cpp", "java", "go", "rs", "rb", "php"}

// Module returns the names of the path of a module or a class, from the package down, if a strong statement begins with one; otherwise nil.
func (s Statement) Module() []string {
	m := module().FindStringSubmatch(s.Source)
	if m == nil || !s.Strong {
		return nil
	}
	names := strings.Split(m[1], ".")
	if len(names[0]) == 1 || slices.Contains(noModule, names[0]) || slices.Contains(endings, strings.ToLower(names[len(names)-1])) {
		return nil
	}
	return names
}

// qualified matches a source that begins with an identifier and the package, the module or the class that has it: "strings.EqualFold",
// "net/http.Header.Clone", "collections.OrderedDict", "url.URL#Redacted".
var qualified = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[\\s:'\"`(]*(?:the\\s+)?((?:[A-Za-z_][\\w-]*/)*[A-Za-z_]\\w*(?:[.#][A-Za-z_]\\w*)+)")
})

// Qualified returns the names of a qualified identifier that the source begins with, from the package down; otherwise nil.
func (s Statement) Qualified() []string {
	m := qualified().FindStringSubmatch(s.Source)
	if m == nil {
		return nil
	}
	names := strings.FieldsFunc(m[1], func(r rune) bool { return r == '/' || r == '.' || r == '#' })
	if slices.Contains(endings, strings.ToLower(names[len(names)-1])) {
		return nil
	}
	return names
}

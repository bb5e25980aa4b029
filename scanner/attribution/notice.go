package attribution

import (
	"path"
	"slices"
	"strings"
)

// noticeStems lists the beginnings of the names of files that list the origins of a repository's code, in capitals and without
// punctuation.
var noticeStems = []string{"NOTICE", "THIRDPARTY", "3RDPARTY", "CREDITS", "ATTRIBUTION", "ACKNOWLEDG", "LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "OPENSOURCE", "VENDORED"}

// programs lists extensions of files that are not notices in spite of their names.
var programs = []string{".go", ".c", ".h", ".cc", ".cpp", ".cs", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".py", ".rb", ".rs", ".java", ".kt",
	".php", ".pl", ".lua", ".swift", ".scala", ".sh", ".css", ".svg", ".png", ".tmpl"}

// IsNotice reports whether a file of this name, without directory, lists the origins of the files beside and below it.
func IsNotice(name string) bool {
	low := strings.ToLower(name)
	if low == "reuse.toml" {
		return true
	}
	if i := strings.LastIndexByte(low, '.'); i >= 0 && slices.Contains(programs, low[i:]) {
		return false
	}
	stem := strings.ToUpper(strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(name))
	return slices.ContainsFunc(noticeStems, func(s string) bool { return strings.HasPrefix(stem, s) })
}

// IsReadme reports whether a file of this name, without directory, describes the files beside and below it.
func IsReadme(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	return stem == "readme"
}

// NewReadme reads a README. A README also mentions packages whose code is not beside it. So only a sentence on copying names a
// package, such as "this library is a fork of …", or a link below a heading such as "Acknowledgements". own says that the README is
// the target's: then its holders are not those of copied code. The result is nil if the README names nothing.
func NewReadme(text []byte, own bool) *Index {
	text = text[:min(len(text), maxNotice)]
	x := &Index{}
	for _, s := range Scan(text, true) {
		if len(x.sources) == maxSentences {
			break
		}
		if s.Kind == CopiedFrom && s.Strong && saysCopied(strings.ToLower(s.Text)) {
			s.Source = sentenceOf(s.Source)
			x.sources = append(x.sources, s)
		}
	}
	x.sources = append(x.sources, credits(text)...)
	if !own {
		all := NewIndex(text)
		x.lines, x.holders = all.lines, all.holders
	}
	if len(x.sources)+len(x.holders) == 0 {
		return nil
	}
	return x
}

// creditHeadings are parts of the headings, in lower case, below which a README names those whose code it has.
var creditHeadings = []string{"acknowledg", "credits", "attributions", "thanks"}

// isCredit reports whether the title of a heading in lower case is such a one. Papers, too, are about attribution.
func isCredit(title string) bool {
	return strings.TrimSpace(title) == "attribution" || slices.ContainsFunc(creditHeadings, func(h string) bool { return strings.Contains(title, h) })
}

// credits returns the lines with links to code in such sections of a README. A section goes on below the headings of its parts.
func credits(text []byte) (out []Statement) {
	level, n := 0, 0 // level of the heading of the section, 0 outside of one
	for line := range strings.Lines(string(text)) {
		n++
		line = start(line)
		if title := strings.TrimLeft(line, "#"); title != line {
			if l := len(line) - len(title); level == 0 || l <= level {
				level = 0
				if isCredit(strings.ToLower(title)) {
					level = l
				}
			}
			continue
		}
		if level == 0 || len(out) == maxSentences {
			continue
		}
		if refs := References(line); len(refs) > 0 {
			out = append(out, Statement{Kind: CopiedFrom, Line: n, From: n, To: n, Text: clip(clean(line)), Source: strings.Join(refs, " ")})
		}
	}
	return out
}

// saysCopied reports whether a lower-cased line of a README has words on copying, not only a link after "source:" or "via", and does not
// deny it: "this is not a fork of …".
func saysCopied(low string) bool {
	begin, _, strong := stated(low)
	if !strong || linked(low) > 0 {
		return false
	}
	before := strings.Fields(low[:begin])
	return !slices.ContainsFunc(before[max(0, len(before)-2):], func(w string) bool {
		return w == "not" || w == "never" || w == "no" || strings.HasSuffix(w, "n't")
	})
}

// sentenceOf returns a text up to the end of its sentence: a paragraph of a README is one line. A short word before a point is an
// abbreviation.
func sentenceOf(text string) string {
	const short = 3
	word := 0 // where it begins
	for i := range len(text) - 1 {
		switch {
		case text[i] == ' ':
			word = i + 1
		case text[i+1] == ' ' && strings.IndexByte(".!?", text[i]) >= 0 && i-word > short:
			return text[:i]
		}
	}
	return text
}

// Limits of a notice file. The longest ones, of browsers, have some megabytes. The rest of a longer file is not read. Each sentence
// of a README on copying is compared with each origin; a README with more such sentences is a list.
const (
	maxNotice    = 2 << 20
	maxWords     = 200000
	maxSentences = 200
)

// heading is the largest number of words of a line in a notice file that can be the name of a component: "zlib 1.2.11
// (https://zlib.net)".
const heading = 6

// Index is a notice file that is prepared for questions about many origins.
type Index struct {
	lines   []string       // shortened for quoting
	links   []link         // words with a slash
	titles  map[string]int // a word of a short line → the first such line
	holders map[string]int // folded holder → first line
	sources []Statement    // sentences on copying; strong, unless they are lines with links below a heading such as "Credits"
}

type link struct {
	text string
	line int
}

// NewIndex reads a notice file.
func NewIndex(text []byte) *Index {
	x := &Index{titles: make(map[string]int), holders: make(map[string]int)}
	count := 0
	lines := comments(text[:min(len(text), maxNotice)], true)
	listed := false
	for i, l := range lines {
		x.lines = append(x.lines, clip(l.text))
		ws := words(strings.ToLower(l.text))
		if count += len(ws); count > maxWords {
			break
		}
		for _, w := range ws {
			w = strings.Trim(w, ".:!?\"'=")
			if strings.Contains(w, "/") {
				x.links = append(x.links, link{w, i})
			}
			if len(ws) <= heading {
				keep(x.titles, w, i)
			}
		}
		low := strings.ToLower(l.text)
		listed = listed || strings.HasPrefix(low, "(b)")
		if listed && strings.HasPrefix(low, "(c)") && !startsWithYear(skipSigns(l.text)) {
			continue // the third of a list, as in the licence of Apache: "(c) You must retain, …"
		}
		s := scan{lines: lines[i:min(len(lines), i+1+wrappedLines)]}
		if s.copyright(0, low) && !ofLicence(lines[i+1:]) {
			for _, name := range eachName(s.out[0].Holder) {
				keep(x.holders, name, i)
			}
		}
	}
	return x
}

// ofLicence reports whether the lines below a copyright line go on as the GPL does: the line speaks of the licence's text.
func ofLicence(below []line) bool {
	return slices.ContainsFunc(below[:min(len(below), 4)], func(l line) bool { return strings.Contains(l.text, "Everyone is permitted to copy") })
}

func keep(m map[string]int, k string, line int) {
	if _, ok := m[k]; !ok {
		m[k] = line
	}
}

// Sources returns the sentences of a README on copying, and the lines of its credits.
func (x *Index) Sources() []Statement { return x.sources }

// Names returns the first line that names the origin's package: by a link or path to it, by its name in a short line, or in a sentence
// on copying. The words of a link below "Credits" are those of another package: react-router is not react.
func (x *Index) Names(o Origin) (Statement, bool) {
	if i := slices.IndexFunc(x.sources, func(s Statement) bool { return s.linksTo(o) || s.Strong && s.Names(o) }); i >= 0 {
		s := x.sources[i]
		return Statement{Kind: NoticeFile, Line: s.Line, Text: s.Text, From: s.Line, To: s.Line}, true
	}
	line := -1
	for _, l := range x.links {
		if o.at(l.text) {
			line = l.line
			break
		}
	}
	for _, n := range o.titles() {
		if at, ok := x.titles[n]; ok && (line < 0 || at < line) {
			line = at
		}
	}
	if line < 0 {
		return Statement{}, false
	}
	return x.statement(line), true
}

// Owner returns the first line that names a holder of the origin's copyright.
func (x *Index) Owner(o Origin) (Statement, bool) {
	line := -1
	for _, h := range o.Holders {
		for _, name := range eachName(h) {
			if at, ok := x.holders[name]; ok && (line < 0 || at < line) {
				line = at
			}
		}
	}
	if line < 0 {
		return Statement{}, false
	}
	return x.statement(line), true
}

// NamesHolder reports whether the file names a holder.
func (x *Index) NamesHolder() bool {
	return x != nil && len(x.holders) > 0
}

// SharesHolder reports whether both files name one holder.
func (x *Index) SharesHolder(y *Index) bool {
	if x == nil || y == nil {
		return false
	}
	for h := range x.holders {
		if _, ok := y.holders[h]; ok {
			return true
		}
	}
	return false
}

func (x *Index) statement(i int) Statement {
	return Statement{Kind: NoticeFile, Line: i + 1, Text: x.lines[i], From: i + 1, To: i + 1}
}

// titles returns the names of the origin's package in a list of components.
func (o Origin) titles() []string {
	name := strings.ToLower(o.Name)
	out := []string{name}
	if o.Type == "golang" && name == "std" {
		return []string{"golang", "go/src"}
	}
	if s := short(name); !plain(s) && !o.sharesName(s) {
		out = append(out, s)
	}
	return out
}

// sharesName reports whether the target has the short name of the origin's package: then a title with it is the target's own.
func (o Origin) sharesName(short string) bool {
	return slices.ContainsFunc(o.Target, func(r string) bool { return path.Base(r) == short })
}

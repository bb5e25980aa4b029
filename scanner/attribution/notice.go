package attribution

import (
	"slices"
	"strings"
)

// noticeStems are what the names of files start with that tell what a repository
// has from others, in capitals, punctuation apart.
var noticeStems = []string{"NOTICE", "THIRDPARTY", "3RDPARTY", "CREDITS", "ATTRIBUTION", "ACKNOWLEDG", "LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "OPENSOURCE", "VENDORED"}

// programs are extensions of files that only share their name with notices.
var programs = []string{".go", ".c", ".h", ".cc", ".cpp", ".cs", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".py", ".rb", ".rs", ".java", ".kt",
	".php", ".pl", ".lua", ".swift", ".scala", ".sh", ".css", ".svg", ".png", ".tmpl"}

// IsNotice reports whether a file of this name, without directory, tells what
// the files beside and below it have from others.
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

// Bounds of a notice file: the longest seen, of browsers, have some megabytes;
// what stands behind the bound is not read.
const (
	maxNotice = 2 << 20
	maxWords  = 200000
)

// heading is the number of words up to which a line of a notice file can be the
// name of a component: "zlib 1.2.11 (https://zlib.net)".
const heading = 6

// Index is a notice file ready to be asked about many origins.
type Index struct {
	lines   []string       // as they are quoted
	links   []link         // what has a slash in it
	titles  map[string]int // a word of a short line → the first such line
	holders map[string]int // a folded holder → line
}

type link struct {
	text string
	line int
}

// NewIndex reads a notice file.
func NewIndex(text []byte) *Index {
	x := &Index{titles: make(map[string]int), holders: make(map[string]int)}
	count := 0
	for i, l := range comments(text[:min(len(text), maxNotice)], true) {
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
		s := scan{lines: []line{l}}
		if s.copyright(0, strings.ToLower(l.text)) {
			keep(x.holders, fold(s.out[0].Holder), i)
		}
	}
	return x
}

func keep(m map[string]int, k string, line int) {
	if _, ok := m[k]; !ok {
		m[k] = line
	}
}

// Names returns the first line that names the origin's package: by a link or
// path to it, or by its name in a line of few words.
func (x *Index) Names(o Origin) (Statement, bool) {
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
		f := fold(h)
		if at, ok := x.holders[f]; ok && !slices.Contains(nobody, f) && (line < 0 || at < line) {
			line = at
		}
	}
	if line < 0 {
		return Statement{}, false
	}
	return x.statement(line), true
}

func (x *Index) statement(i int) Statement {
	return Statement{Kind: NoticeFile, Line: i + 1, Text: x.lines[i], From: i + 1, To: i + 1}
}

// titles are the names by which a list of components has the origin's package.
func (o Origin) titles() []string {
	name := strings.ToLower(o.Name)
	out := []string{name}
	if o.Type == "golang" && name == "std" {
		return []string{"golang", "go/src"}
	}
	if s := short(name); !plain(s) {
		out = append(out, s)
	}
	return out
}

package boilerplate

import (
	"bytes"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/lang"
)

// generator is the tool of stretches that a parser generator writes.
const generator = "a parser generator"

// perfectHashMark is in the first perfectHashHead bytes of a hash function that gperf wrote, around the words of a user.
const (
	perfectHashMark = "code produced by gperf version"
	perfectHashHead = 200
)

// Marks of the output of flex and Bison.
var (
	scannerMark = []byte("#define FLEX_SCANNER")
	parserMark  = []byte("#define YYBISON")
)

// isC has the extensions of such output. A directive that names a file with one of them names the output. Its line numbers may be
// wrong, because people edit the output.
var isC = map[string]bool{".c": true, ".cc": true, ".cpp": true, ".cxx": true, ".C": true, ".h": true, ".hh": true, ".hpp": true}

// skeleton is the file of Bison before 1.50 that has the parser, without its directory.
const skeleton = "bison.simple"

// tables begins the tables that Bison and flex make for a grammar.
var tables = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^#define[ \t]+YYFINAL\b|^static .*\byy_accept\[`)
})

// lineMark is a directive that says which file the lines below it come from.
var lineMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*line[ \t]+(\d{1,9})[ \t]+"([^"\n]*)"`)
})

// generated lists the spans of C that Bison, flex, Ragel and re2c write around the code of a grammar. Line directives mark both. Above
// the code of the grammar they name the grammar. Above the generator's own code they name the output, with the number of the next line.
//
//   - Ragel also calls its output NONE.
//   - Bison before 1.50 names its skeleton instead. It marks no beginning of its tables, which are between the grammar's first code and
//     the skeleton.
//   - Flex before 2.5.5 marks no beginning of its head.
//   - A file of gperf is one span.
func generated(text []byte, toks []lang.Token) []Span {
	if bytes.Contains(text[:min(len(text), perfectHashHead)], []byte(perfectHashMark)) && len(toks) > 0 {
		return []Span{{From: 0, To: len(toks), Tool: generator, Fitted: true}}
	}
	if !bytes.Contains(text, []byte("line ")) {
		return nil
	}
	g := generatedCode{text: text, toks: toks, open: -1, line: 1, parts: bytes.Contains(text, parserMark)}
	marks := lineMark().FindAllSubmatchIndex(text, -1)
	if at := bytes.Index(text, scannerMark); at >= 0 && len(marks) > 0 {
		g.parts = true
		g.begin(at)
	}
	for _, m := range marks {
		n, _ := strconv.Atoi(string(text[m[2]:m[3]]))
		g.directive(m[0], m[1], n, string(text[m[4]:m[5]]))
	}
	g.end(len(text))
	return g.out
}

// generatedCode collects spans, which begin and end at bytes of the text.
type generatedCode struct {
	text      []byte
	toks      []lang.Token
	out       []Span
	open      int  // where the current one begins, or -1
	parts     bool // of flex or Bison: only the span with the tables is fitted to the grammar
	last      int  // begin of the last line directive
	line      int  // number of its line
	skeletons bool // a directive named the skeleton of Bison before 1.50
}

// directive reads a line directive at the bytes [from, to): the lines below it are those of a file from line n on.
func (g *generatedCode) directive(from, to, n int, file string) {
	g.end(from)
	g.line += bytes.Count(g.text[g.last:from], []byte("\n"))
	switch {
	case strings.HasSuffix(file, skeleton):
		if first := tables().FindIndex(g.text[g.last:from]); first != nil && !g.skeletons {
			g.begin(g.last + first[0])
			g.end(from)
		}
		g.skeletons = true
		g.begin(to)
	case file == "NONE" || n == g.line+1 || g.parts && isC[path.Ext(file)]:
		g.begin(to)
	}
	g.last = from
}

func (g *generatedCode) begin(at int) { g.open = at }

// end closes the current stretch, if there is one.
func (g *generatedCode) end(at int) {
	if g.open < 0 {
		return
	}
	from := sort.Search(len(g.toks), func(i int) bool { return int(g.toks[i].Start) >= g.open })
	to := sort.Search(len(g.toks), func(i int) bool { return int(g.toks[i].Start) >= at })
	if n := len(g.out); n > 0 {
		from = max(from, g.out[n-1].To)
	}
	if from < to {
		g.out = append(g.out, Span{From: from, To: to, Tool: generator, Fitted: !g.parts || tables().Match(g.text[g.open:at])})
	}
	g.open = -1
}

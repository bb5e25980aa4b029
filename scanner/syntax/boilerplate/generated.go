package boilerplate

import (
	"bytes"
	"path"
	"regexp"
	"sort"
	"strconv"
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

// isC has the extensions of such output. A directive that names a file in C names the output; people who edit it change its lines.
var isC = map[string]bool{".c": true, ".cc": true, ".cpp": true, ".cxx": true, ".C": true, ".h": true, ".hh": true, ".hpp": true}

// skeleton is the file of Bison before 1.50 that has the parser, without its directory.
var skeleton = []byte("bison.simple")

// tables begins the tables that Bison and flex make for a grammar.
var tables = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^#define[ \t]+YYFINAL\b|^static .*\byy_accept\[`)
})

// lineMark is a directive that says which file the lines below it come from.
var lineMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*line[ \t]+(\d{1,9})[ \t]+"([^"\n]*)"`)
})

// generated lists the stretches of C that bison, flex, Ragel and re2c write around the code of a grammar. They mark both: a #line
// directive names the grammar above its code, and the output, with the number of the next line, above the generator's own code.
// Ragel calls the latter NONE too. Bison before 1.50 names its skeleton instead, and marks no beginning of its tables, which stand
// between the grammar's first code and the skeleton; flex before 2.5.5 marks no beginning of its head. A file of gperf is one stretch.
func generated(text []byte, toks []lang.Token) []Span {
	if bytes.Contains(text[:min(len(text), perfectHashHead)], []byte(perfectHashMark)) && len(toks) > 0 {
		return []Span{{From: 0, To: len(toks), Tool: generator, Fitted: true}}
	}
	if !bytes.Contains(text, []byte("line ")) {
		return nil
	}
	g := generatedCode{text: text, toks: toks, open: -1, parts: bytes.Contains(text, parserMark)}
	marks := lineMark().FindAllSubmatchIndex(text, -1)
	if at := bytes.Index(text, scannerMark); at >= 0 && len(marks) > 0 {
		g.parts = true
		g.begin(at)
	}
	line, counted, skeletons := 1, 0, false
	for _, m := range marks {
		g.end(m[0])
		line += bytes.Count(text[counted:m[0]], []byte("\n"))
		n, _ := strconv.Atoi(string(text[m[2]:m[3]]))
		switch file := text[m[4]:m[5]]; {
		case bytes.HasSuffix(file, skeleton):
			if first := tables().FindIndex(text[counted:m[0]]); first != nil && !skeletons {
				g.begin(counted + first[0])
				g.end(m[0])
			}
			skeletons = true
			g.begin(m[1])
		case string(file) == "NONE" || n == line+1 || g.parts && isC[path.Ext(string(file))]:
			g.begin(m[1])
		}
		counted = m[0]
	}
	g.end(len(text))
	return g.out
}

// generatedCode collects stretches, which begin and end at bytes of the text.
type generatedCode struct {
	text  []byte
	toks  []lang.Token
	out   []Span
	open  int  // where the current one begins, or -1
	parts bool // of flex or Bison: only the stretch with the tables is fitted to the grammar
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

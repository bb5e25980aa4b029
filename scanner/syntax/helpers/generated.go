package helpers

import (
	"bytes"
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

// lineMark is a directive that says which file the lines below it come from.
var lineMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*line[ \t]+(\d{1,9})[ \t]+"([^"\n]*)"`)
})

// generated lists the stretches of C that bison, flex, Ragel and re2c write around the code of a grammar. They mark both: a #line
// directive names the grammar above its code, and the output, with the number of the next line, above the generator's own code.
// Ragel calls the latter NONE too. A file of gperf is one stretch.
func generated(text []byte, toks []lang.Token) (out []Stretch) {
	if bytes.Contains(text[:min(len(text), perfectHashHead)], []byte(perfectHashMark)) && len(toks) > 0 {
		return []Stretch{{From: 0, To: len(toks), Tool: generator, Fitted: true}}
	}
	if !bytes.Contains(text, []byte("line ")) {
		return nil
	}
	line, counted, open := 1, 0, -1
	end := func(at int) {
		if open < 0 {
			return
		}
		from := sort.Search(len(toks), func(i int) bool { return int(toks[i].Start) >= open })
		to := sort.Search(len(toks), func(i int) bool { return int(toks[i].Start) >= at })
		if from < to {
			out = append(out, Stretch{From: from, To: to, Tool: generator, Fitted: true})
		}
		open = -1
	}
	for _, m := range lineMark().FindAllSubmatchIndex(text, -1) {
		end(m[0])
		line += bytes.Count(text[counted:m[0]], []byte("\n"))
		counted = m[0]
		n, _ := strconv.Atoi(string(text[m[2]:m[3]]))
		if string(text[m[4]:m[5]]) == "NONE" || n == line+1 {
			open = m[1]
		}
	}
	end(len(text))
	return out
}

package likeness

import (
	"strings"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// File is a file of a program.
type File struct {
	Language *lang.Language
	Text     []byte
	Tokens   []lang.Token
	Masked   []bool // tokens that are left out; nil means none
}

// Program is a program as it is compared.
type Program struct {
	Whole   *Outline
	Reached *Outline // without the functions that are not reached; nil if all are
}

// leastReached is the number of tokens that must be reached before the rest is left out. An exercise may ask for functions and
// need almost no main.
const leastReached = 100

// NewProgram reads the files of a program. If the program has a function called main, another function is reached if its name
// occurs in main, in code outside of functions, or in a reached function. Some people carry a template from exercise to exercise,
// most of which is not reached; others add such code to hide a copy.
func NewProgram(files []File) Program {
	p := Program{Whole: new(Outline)}
	for _, f := range files {
		p.Whole.Add(f.Text, f.Tokens, f.Masked)
	}
	masks := unreached(files)
	if masks == nil {
		return p
	}
	left, of := 0, new(Outline)
	for i, f := range files {
		for at := range masks[i] {
			if !masks[i][at] && f.Tokens[at].Flags&lang.FlagImport == 0 {
				left++
			}
			masks[i][at] = masks[i][at] || f.Masked != nil && f.Masked[at]
		}
		of.Add(f.Text, f.Tokens, masks[i])
	}
	if left >= leastReached {
		p.Reached = of
	}
	return p
}

// body is a function of a program.
type body struct{ file, from, to int }

// calls finds the functions of a program that are reached.
type calls struct {
	files  []File
	bodies []body
	named  map[string][]int // numbers of functions
	holder [][]int32        // of each token: the number of its function and 1, or 0
	live   []bool
	todo   []int
}

// unreached marks the tokens of functions that are not reached. It returns nil if the program has no main, or if all functions
// are reached.
func unreached(files []File) [][]bool {
	c := &calls{files: files, named: make(map[string][]int), holder: make([][]int32, len(files))}
	if roots := c.read(); len(c.named["main"])+len(c.named["Main"]) > 0 {
		c.follow(roots)
	}
	out, some := make([][]bool, len(files)), false
	for f := range files {
		out[f] = make([]bool, len(c.holder[f]))
		for i, h := range c.holder[f] {
			out[f][i] = h > 0 && len(c.live) > 0 && !c.live[h-1]
			some = some || out[f][i]
		}
	}
	if !some {
		return nil
	}
	return out
}

// read finds the functions. roots are those that are reached although no code names them.
func (c *calls) read() (roots []int) {
	for f, s := range c.files {
		c.holder[f] = make([]int32, len(s.Tokens))
		for _, fn := range functions.Outermost(functions.In(s.Language, s.Text, s.Tokens)) {
			c.bodies = append(c.bodies, body{f, fn.From, fn.To})
			n := len(c.bodies)
			for i := fn.From; i < fn.To; i++ {
				c.holder[f][i] = int32(n)
			}
			name := s.word(fn.Name)
			c.named[name] = append(c.named[name], n-1)
			if implicit[name] || strings.HasPrefix(name, "__") || s.annotated(fn.Name) {
				roots = append(roots, n-1)
			}
		}
	}
	return roots
}

// implicit lists functions that a language or its library calls although the program does not. A missing name costs little,
// because all code is compared too.
var implicit = func() map[string]bool {
	m := make(map[string]bool)
	for _, name := range strings.Fields(`main Main init run call apply accept close compare compareTo equals hashCode toString iterator next hasNext operator
		String Error Len Less Swap CompareTo Equals GetHashCode ToString Dispose fmt drop`) {
		m[name] = true
	}
	return m
}()

// headTokens is the most tokens between an annotation and the name of its function.
const headTokens = 24

// annotated reports whether an annotation precedes a function: a framework may call it.
func (f File) annotated(name int) bool {
	for i := name - 1; i >= max(0, name-headTokens); i-- {
		switch f.word(i) {
		case ";", "{", "}":
			return false
		case "@":
			return true
		}
	}
	return false
}

func (f File) word(i int) string { return string(f.Text[f.Tokens[i].Start:f.Tokens[i].End]) }

// follow marks the functions that roots and code outside of functions reach.
func (c *calls) follow(roots []int) {
	c.live = make([]bool, len(c.bodies))
	for _, n := range roots {
		c.reach(n)
	}
	for f, s := range c.files {
		for i, h := range c.holder[f] {
			if h == 0 && s.Tokens[i].Flags&lang.FlagImport == 0 {
				c.mention(f, i, -1)
			}
		}
	}
	for len(c.todo) > 0 {
		n := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		b := c.bodies[n]
		for i := b.from; i < b.to; i++ {
			c.mention(b.file, i, n)
		}
	}
}

func (c *calls) reach(n int) {
	if !c.live[n] {
		c.live[n] = true
		c.todo = append(c.todo, n)
	}
}

// mention marks the functions that token i names as reached, except the one that contains the token.
func (c *calls) mention(f, i, in int) {
	s := &c.files[f]
	if s.Tokens[i].Class != lang.Identifier {
		return
	}
	for _, n := range c.named[s.word(i)] {
		if n != in {
			c.reach(n)
		}
	}
}

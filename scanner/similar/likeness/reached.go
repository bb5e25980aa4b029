package likeness

import (
	"slices"
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
	Reached *Outline // without the functions and classes that are not reached; nil if all are
}

// leastReached is the number of tokens that must be reached before the rest is left out. An exercise may ask for functions and
// need almost no main.
const leastReached = 100

// NewProgram reads the files of a program. If the program has a function called main, another function or class is reached if its
// name occurs in main, in code outside of functions and classes, or in one that is reached. A reached function makes its class
// reached. A function that a library may call, such as toString, is reached with its class. Some people carry a template from
// exercise to exercise, most of which is not reached; others add such code to hide a copy.
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

// piece is a function or a class of a program.
type piece struct {
	file, from, to int
	class          int     // the number of the class around it, or -1
	isClass        bool    // otherwise a function
	waits          bool    // a library may call the function: it is reached together with its class
	own            []int32 // tokens of a class outside of its functions and of the classes in it
	functions      []int   // numbers of the functions of a class
}

// calls finds the parts of a program that are reached.
type calls struct {
	files  []File
	parts  []piece
	named  map[string][]int // numbers of parts
	main   bool             // there is a function called main
	holder [][]int32        // of each token: the number of the innermost part and 1, or 0
	live   []bool
	todo   []int
}

// unreached marks the tokens of functions and classes that are not reached. It returns nil if the program has no main, or if all
// are reached.
func unreached(files []File) [][]bool {
	c := &calls{files: files, named: make(map[string][]int), holder: make([][]int32, len(files))}
	var roots []int
	for f := range files {
		roots = append(append(roots, c.classes(f)...), c.functions(f)...)
	}
	if c.main {
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

// classes finds the classes of a file. roots are those that are annotated: a framework may make them.
func (c *calls) classes(f int) (roots []int) {
	s, in := c.files[f], -1
	c.holder[f] = make([]int32, len(s.Tokens))
	list := functions.Classes(s.Language, s.Text, s.Tokens)
	for i := range s.Tokens {
		for in >= 0 && c.parts[in].to <= i {
			in = c.parts[in].class
		}
		if len(list) > 0 && list[0].From == i {
			c.parts = append(c.parts, piece{file: f, from: i, to: list[0].To, class: in, isClass: true})
			in = len(c.parts) - 1
			if s.annotation(i) != "" {
				roots = append(roots, in)
			}
			for _, name := range list[0].Names {
				c.named[s.word(name)] = append(c.named[s.word(name)], in)
			}
			list = list[1:]
		}
		c.holder[f][i] = int32(in + 1)
	}
	return roots
}

// functions finds the functions of a file. roots are the parts that are reached although no code names them.
func (c *calls) functions(f int) (roots []int) {
	s := c.files[f]
	for _, fn := range functions.Outermost(functions.Find(s.Language, s.Text, s.Tokens)) {
		name, annotation := s.word(fn.Name), s.annotation(fn.Name)
		n, class := len(c.parts), int(c.holder[f][fn.From])-1
		p := piece{file: f, from: fn.From, to: fn.To, class: class, waits: implicit[name] || strings.HasPrefix(name, "__") || annotation != ""}
		c.parts = append(c.parts, p)
		c.named[name] = append(c.named[name], n)
		for i := fn.From; i < fn.To; i++ {
			c.holder[f][i] = int32(n + 1)
		}
		if class >= 0 {
			c.parts[class].functions = append(c.parts[class].functions, n)
		}
		isMain := name == "main" || name == "Main"
		c.main = c.main || isMain
		if isMain || p.waits && class < 0 || annotation != "" && !slices.Contains(plain, annotation) {
			roots = append(roots, n)
		}
	}
	for i, h := range c.holder[f] {
		if h > 0 && c.parts[h-1].isClass {
			c.parts[h-1].own = append(c.parts[h-1].own, int32(i))
		}
	}
	return roots
}

// plain lists annotations by which no framework calls a function.
var plain = []string{"Override", "SuppressWarnings", "SafeVarargs", "Deprecated", "property", "staticmethod", "classmethod"}

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

// annotation returns the name of an annotation in front of a function or a class, "" if there is none. A framework may call what is
// annotated.
func (f File) annotation(name int) string {
	for i := name - 1; i >= max(0, name-headTokens); i-- {
		switch f.word(i) {
		case ";", "{", "}":
			return ""
		case "@":
			return f.word(i + 1)
		}
	}
	return ""
}

func (f File) word(i int) string { return string(f.Text[f.Tokens[i].Start:f.Tokens[i].End]) }

// follow marks the parts that roots and code outside of parts reach.
func (c *calls) follow(roots []int) {
	c.live = make([]bool, len(c.parts))
	for _, n := range roots {
		c.reach(n)
	}
	for f := range c.files {
		for i, h := range c.holder[f] {
			if h == 0 {
				c.mention(f, i, -1)
			}
		}
	}
	for len(c.todo) > 0 {
		n := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		p := c.parts[n]
		for _, i := range p.own {
			c.mention(p.file, int(i), n)
		}
		for i := p.from; i < p.to && !p.isClass; i++ {
			c.mention(p.file, i, n)
		}
	}
}

// reach marks a part and the classes around it as reached, with the functions of these that wait.
func (c *calls) reach(n int) {
	for ; n >= 0 && !c.live[n]; n = c.parts[n].class {
		c.live[n] = true
		c.todo = append(c.todo, n)
		for _, m := range c.parts[n].functions {
			if c.parts[m].waits && !c.live[m] {
				c.live[m] = true
				c.todo = append(c.todo, m)
			}
		}
	}
}

// inReached reports whether a part is in no class, or in one that is reached.
func (c *calls) inReached(n int) bool { return c.parts[n].class < 0 || c.live[c.parts[n].class] }

// mention marks the parts that token i names as reached, except the one that contains the token. A name that many classes have, such
// as toString, tells nothing of the class: these functions wait.
func (c *calls) mention(f, i, in int) {
	s := &c.files[f]
	if s.Tokens[i].Class != lang.Identifier || s.Tokens[i].Flags&lang.FlagImport != 0 {
		return
	}
	for _, n := range c.named[s.word(i)] {
		if n != in && (!c.parts[n].waits || c.inReached(n)) {
			c.reach(n)
		}
	}
}

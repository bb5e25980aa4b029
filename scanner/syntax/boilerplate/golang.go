package boilerplate

import (
	"bytes"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// The manuals of Go's sort and container/heap give the methods of a heap. All programs have them, with their own type and order.

const ofHeap = "the manual of container/heap"

// heapMethods are these methods; _ stands for a name, T for a type, any for interface{} too. Less is the user's own.
var heapMethods = map[string][][]string{
	"Len": forms("func ( _ _ ) Len ( ) int { return len ( _ ) }"),
	"Swap": forms("func ( _ _ ) Swap ( _ , _ int ) {"+swap+"}",
		"func ( _ _ ) Swap ( _ , _ int ) {"+swap+" _ [ _ ] . _ = _ _ [ _ ] . _ = _ }"),
	"Push": forms(push+"* _ = append ( * _ , _ . ( T ) ) }",
		push+"_ := len ( * _ ) _ := _ . ( T ) _ . _ = _ * _ = append ( * _ , _ ) }"),
	"Pop": forms(pop+"* _ = _ [ 0 : _ - 1 ] return _ }",
		pop+"* _ = _ [ : _ - 1 ] return _ }",
		pop+"_ [ _ - 1 ] = nil * _ = _ [ 0 : _ - 1 ] return _ }",
		pop+"_ [ _ - 1 ] = nil _ . _ = - 1 * _ = _ [ 0 : _ - 1 ] return _ }"),
}

const (
	swap = " _ [ _ ] , _ [ _ ] = _ [ _ ] , _ [ _ ] "
	push = "func ( _ * _ ) Push ( _ any ) { "
	pop  = "func ( _ * _ ) Pop ( ) any { _ := * _ _ := len ( _ ) _ := _ [ _ - 1 ] "
)

// forms divides forms of a method into tokens.
func forms(texts ...string) (out [][]string) {
	for _, t := range texts {
		out = append(out, strings.Fields(t))
	}
	return out
}

// heaps lists the methods of heaps.
func (r *reader) heaps() (out []Span) {
	if !bytes.Contains(r.text, []byte(") Swap(")) {
		return nil
	}
	for i := range r.toks {
		if string(r.word(i)) != "func" {
			continue
		}
		name := i + 5
		if r.is(i+3, "*") {
			name++
		}
		for _, form := range heapMethods[string(r.word(name))] {
			if to := r.heapMethod(i, form); to > 0 {
				out = append(out, Span{From: i, To: to, Tool: ofHeap})
				break
			}
		}
	}
	return out
}

// heapMethod returns the end of a method that has a form, or 0.
func (r *reader) heapMethod(i int, form []string) int {
	for _, w := range form {
		for i < len(r.toks) && lineEnd(r.word(i)) {
			i++
		}
		switch w {
		case "_":
			if r.word(i) == nil || r.toks[i].Class != lang.Identifier {
				return 0
			}
		case "any":
			if r.is(i, "interface", "{", "}") {
				i += 2
			} else if !r.is(i, "any") {
				return 0
			}
		case "T":
			if i = r.typeEnd(i); i == 0 {
				return 0
			}
			continue
		default:
			if !r.is(i, w) {
				return 0
			}
		}
		i++
	}
	return i
}

// typeEnd returns the end of a type that is a name, perhaps with a star and a package. It returns 0 for another type.
func (r *reader) typeEnd(i int) int {
	if r.is(i, "*") {
		i++
	}
	if r.is(i+1, ".") {
		i += 2
	}
	if r.word(i) == nil || r.toks[i].Class != lang.Identifier {
		return 0
	}
	return i + 1
}

// Editors of Go write the frame of a test with gotests: a table whose cases have arguments, and the loop that runs them.

const (
	longestCase = 120 // tokens of the types of a case
	longestRun  = 160 // of the loop
)

// argsOf begins each test of gotests whose function has parameters.
var argsOf = []byte("type args struct {")

// gotests lists the frames of tests.
func (r *reader) gotests() (out []Span) {
	if !bytes.Contains(r.text, argsOf) {
		return nil
	}
	for i := 0; i < len(r.toks) && r.failed < mostFailed; i++ {
		to := 0
		switch {
		case r.is(i, "type", "args", "struct", "{"):
			to = r.table(i)
		case r.is(i, "for", "_", ",", "tt", ":=", "range", "tests", "{"):
			if end := r.closed(i+7, longestRun); end > 0 && r.has(i, end, "tt", ".", "args") {
				to = end
			}
		}
		if to > 0 {
			out = append(out, Span{From: i, To: to, Tool: "an IDE", Fitted: true})
			i = to - 1
		}
	}
	return out
}

// table returns the end of the types of a table: type args struct { … } tests := []struct { name string … args args … }.
func (r *reader) table(i int) int {
	head := r.closed(i+3, longestCase)
	for head > 0 && lineEnd(r.word(head)) {
		head++
	}
	if head == 0 || !r.is(head, "tests", ":=", "[", "]", "struct", "{") {
		return 0
	}
	end := r.closed(head+5, longestCase)
	if end == 0 || !r.has(head, end, "args", "args") {
		return 0
	}
	return end
}

// lineEnd reports whether a token is the end of a line, which Go's grammar counts as a semicolon.
func lineEnd(word []byte) bool { return len(bytes.TrimSpace(word)) == 0 || string(word) == ";" }

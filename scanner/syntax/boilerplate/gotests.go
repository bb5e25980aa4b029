package boilerplate

import "bytes"

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

package boilerplate

import "bytes"

// The manuals of Java give code that all programs have: how a component tells its listeners of an event (EventListenerList), and
// the frame of a test of JUnit 3.

// Limits of such code, in tokens.
const (
	longestTell  = 24  // of the code between the list of listeners and the loop over it, which makes the event
	longestTold  = 80  // of the loop's body
	longestFrame = 120 // of a method of a test's frame
	longestPlain = 45  // of a method in which only names are the user's
)

const ofJUnit = "the manual of JUnit"

// junit3 is in every test of JUnit 3: it imports what the frame calls.
var junit3 = []byte("junit.framework")

// listeners finds the loop over a list of listeners: Object[] x = list.getListenerList(); … for (int i = x.length - 2; …) ….
func (r *reader) listeners(i int) (Span, bool) {
	list := i + 5
	if r.is(list, "this", ".") {
		list += 2
	}
	if !r.is(i, "Object", "[", "]") || !r.is(i+4, "=") || !r.is(list+1, ".", "getListenerList", "(", ")", ";") {
		return Span{}, false
	}
	head := list + 6
	for end := head + longestTell; head < end && !r.is(head, "for", "("); head++ {
		if r.is(head, "}") {
			return Span{}, false
		}
	}
	if !r.is(head, "for", "(", "int") || !r.is(head+5, string(r.word(i+3)), ".", "length", "-", "2") {
		return Span{}, false
	}
	body := r.closed(head+1, longestWrap)
	if body == 0 || !r.is(body, "{", "if", "(", string(r.word(i+3)), "[") {
		return Span{}, false
	}
	return r.span(i, r.closed(body, longestTold), "the manual of EventListenerList")
}

// testFrame finds the parts of a test of JUnit 3 that are not its own: the constructor with the test's name, suite and main.
func (r *reader) testFrame(i int) (Span, bool) {
	switch {
	case !r.tests:
	case r.is(i+2, "(", "String") && r.is(i+5, ")", "{", "super", "(", string(r.word(i+4)), ")", ";", "}"):
		return r.span(i, i+13, ofJUnit)
	case r.is(i+1, "static", "Test", "suite", "(", ")", "{"):
		return r.frame(i, r.closed(i+6, longestFrame))
	case r.is(i+1, "static", "void", "main", "("):
		to := r.body(i+4, longestFrame)
		for at := i; at < to; at++ {
			if r.is(at, "textui", ".", "TestRunner") {
				return r.frame(i, to)
			}
		}
	}
	return Span{}, false
}

// frame returns suite or main of a test. If people added to it, it counts where all names are the same.
func (r *reader) frame(from, to int) (Span, bool) {
	s, ok := r.span(from, to, ofJUnit)
	s.Fitted = to-from > longestPlain
	return s, ok
}

func hasJUnit3(text []byte) bool { return bytes.Contains(text, junit3) }

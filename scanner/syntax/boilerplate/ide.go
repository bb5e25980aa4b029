package boilerplate

// Limits of the methods that IDEs write, in tokens.
const (
	longestEqual   = 4096    // of equals and hashCode of a class with many fields
	longestLoop    = 250     // of the same with a loop, which people write
	longestForm    = 1 << 16 // of the method that builds a window
	longestDispose = 60      // of the method that disposes its components
)

// equality finds equals and hashCode, by which the values of a class are compared.
func (r *reader) equality(i int) (Span, bool) {
	if ofObject := r.is(i, "equals", "(") || r.is(i, "Equals", "("); ofObject && !r.anyObject(i+1) || !ofObject && !r.is(i+1, "(", ")") {
		return Span{}, false
	}
	head := r.closed(i+1, longestLoad)
	if r.is(head, ":", "Int") || r.is(head, ":", "Boolean") {
		head += 2
	}
	if head == 0 || !r.is(head, "{") {
		return Span{}, false
	}
	to := r.closed(head, longestEqual)
	if to == 0 || to-i > longestLoop && (r.has(i, to, "for", "(") || r.has(i, to, "while", "(")) {
		return Span{}, false
	}
	return r.fitted(i, to, "an IDE")
}

// anyObject reports whether the only parameter of a method, in brackets from i on, has the type of all objects.
func (r *reader) anyObject(i int) bool {
	if r.is(i, "(", "final") {
		i++
	}
	return r.is(i+1, "Object") && r.is(i+3, ")") || // Java
		r.is(i+1, "object") && (r.is(i+3, ")") || r.is(i+2, "?") && r.is(i+4, ")")) || // C#
		r.is(i+2, ":", "Any") && (r.is(i+4, ")") || r.is(i+4, "?", ")")) // Kotlin
}

// form finds the method that a designer of windows writes: that of Visual Studio in C#, that of NetBeans in Java.
func (r *reader) form(i int) (Span, bool) {
	if !r.is(i+1, "(", ")", "{") {
		return Span{}, false
	}
	return r.fitted(i, r.closed(i+3, longestForm), "an IDE")
}

// disposal finds the method that Visual Studio writes beside a form, which disposes the components that the designer keeps.
func (r *reader) disposal(i int) (Span, bool) {
	if !r.is(i+1, "(", "bool", "disposing", ")", "{") {
		return Span{}, false
	}
	to := r.closed(i+5, longestDispose)
	for at := i; at < to; at++ {
		if r.is(at, "components", ".", "Dispose") {
			return r.span(i, to, "an IDE")
		}
	}
	return Span{}, false
}

// exception finds a constructor of a C# class that only passes a message to its base class.
func (r *reader) exception(i int) (Span, bool) {
	head := r.closed(i+1, longestLoad)
	if head == 0 || !r.is(head, ":", "base", "(") {
		return Span{}, false
	}
	if end := r.closed(head+2, longestLoad); end > 0 && r.is(end, "{", "}") {
		return r.span(i, end+2, "an IDE")
	}
	return Span{}, false
}

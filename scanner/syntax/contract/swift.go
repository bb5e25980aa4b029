package contract

// Swift has the word override before a method or a property that a base class fixes.

// swift reads the head of a class, and the methods and properties in it that override others.
func (r *reader) swift(i int) {
	switch r.word(i) {
	case "class", "struct":
		name := -1
		if r.name(i+1) != "" {
			name = i + 1
		}
		r.opens(i, scope{name: name})
	case "override":
		r.overriding(i, i)
	}
}

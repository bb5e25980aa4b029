package contract

// Scala and Swift have the word override before a method or a property that a base class fixes.

// marked reads the head of a class or an object, and the methods and properties in it that override others.
func (r *reader) marked(i int) {
	switch r.word(i) {
	case "class", "object", "struct":
		name := -1
		if r.name(i+1) != "" {
			name = i + 1
		}
		r.opens(i, scope{name: name})
	case "override":
		r.overriding(i, i)
	}
}

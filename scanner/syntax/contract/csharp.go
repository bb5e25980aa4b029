package contract

// csharp reads the head of a class or an interface, and the members that an interface or a base class fixes.
func (r *reader) csharp(i int) {
	in := r.in()
	switch r.word(i) {
	case "override":
		r.add(i, r.signature(i), scope{name: in.name})
		return
	case "class", "struct", "record":
		if r.name(i+1) != "" {
			r.opens(i, scope{of: r.listed(i+2, ":", "where", prefixed), name: i + 1})
		}
	case "interface":
		if n := r.name(i + 1); n != "" {
			r.opens(i, scope{of: []string{n}, name: i + 1, declares: true})
		}
	case "public":
		if len(in.of) > 0 && r.word(i+1) != "static" {
			r.add(i, r.signature(i), in)
		}
	}
	if in.declares {
		r.add(i, r.signature(i), in)
	}
}

// prefixed reports whether a name is that of an interface by the convention of C#, such as IColumn.
func prefixed(name string) bool {
	return len(name) > 2 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z' && name[2] >= 'a'
}

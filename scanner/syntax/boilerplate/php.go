package boilerplate

import "bytes"

// migrationMark is in each migration of Laravel and of programs that extend it.
var migrationMark = []byte("extends Migration")

// migrations lists the classes of Laravel's migrations. Its command writes their frame. A column is a call that its manual gives, with
// the name and the type that the user needs. A class that does more than to change tables is the user's own.
func (r *reader) migrations() (out []Span) {
	if !bytes.Contains(r.text, migrationMark) {
		return nil
	}
	last := 0
	for i := 0; i < len(r.toks) && r.failed < mostFailed; i++ {
		if !r.is(i, "extends", "Migration", "{") {
			continue
		}
		from := i - 2 // class Name
		if r.is(i-1, "class") {
			from = i - 1
		}
		s, ok := r.fitted(max(from, last), r.closed(i+2, longest), "Laravel's command")
		if ok && r.changesTables(i+3, s.To) {
			out = append(out, s)
			last = s.To
			i = last - 1
		}
	}
	return out
}

// changesTables reports whether the tokens [from, to) have the methods of a migration alone, and no loops or conditions.
func (r *reader) changesTables(from, to int) bool {
	tables := false
	for i := from; i < to; i++ {
		switch string(r.word(i)) {
		case "if", "for", "foreach", "while", "switch", "match", "new", "fn", "?":
			return false
		case "function":
			if !r.is(i+1, "up", "(") && !r.is(i+1, "down", "(") && !r.is(i+1, "(") {
				return false
			}
		case "Blueprint":
			tables = true
		}
	}
	return tables
}

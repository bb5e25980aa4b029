package boilerplate

import "bytes"

// migrationMark is in each migration of Laravel and of programs that extend it.
var migrationMark = []byte("extends Migration")

// migrations lists the classes of Laravel's migrations. Its command writes their frame. A column is a call that its manual gives, with
// the name and the type that the user needs.
func (r *reader) migrations() (out []Span) {
	if !bytes.Contains(r.text, migrationMark) {
		return nil
	}
	for i := 0; i < len(r.toks) && r.failed < mostFailed; i++ {
		if !r.is(i, "extends", "Migration", "{") {
			continue
		}
		from := i - 2 // class Name
		if r.is(i-1, "class") {
			from = i - 1
		}
		if s, ok := r.fitted(max(from, 0), r.closed(i+2, longest), "Laravel's command"); ok {
			out = append(out, s)
			i = s.To - 1
		}
	}
	return out
}

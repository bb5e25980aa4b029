package comment

import "testing"

// The check of a line's first byte must let every mark through.
func TestFirstBytes(t *testing.T) {
	for _, b := range blocks {
		if in, _ := Line([]byte(b.open), ""); !in {
			t.Errorf("%s does not open a comment", b.open)
		}
	}
	for _, m := range lineMarks {
		if in, _ := Line([]byte(m), ""); !in {
			t.Errorf("%s does not open a comment", m)
		}
	}
}

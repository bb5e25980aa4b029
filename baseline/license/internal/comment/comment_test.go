package comment

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang/marks"
)

// The check of a line's first byte must let every mark through.
func TestFirstBytes(t *testing.T) {
	for _, b := range marks.Blocks {
		if in, _ := Line([]byte(b.Open), ""); !in {
			t.Errorf("%s does not open a comment", b.Open)
		}
	}
	for _, m := range lineMarks {
		if in, _ := Line([]byte(m), ""); !in {
			t.Errorf("%s does not open a comment", m)
		}
	}
}

package words

import "testing"

// TestPartWhy: a reason that earlier programs wrote is still told.
func TestPartWhy(t *testing.T) {
	for why, want := range map[string]string{"part": "", "untied": "maybe everybody's", "everybodys": "maybe everybody's"} {
		if got := PartWhy(why); got != want {
			t.Errorf("%s: %q, want %q", why, got, want)
		}
	}
}

package generation

import (
	"strings"
	"testing"
)

// A writer removes only files that have names of its own.
func TestOurs(t *testing.T) {
	digest := strings.Repeat("0a", 16)
	for name, want := range map[string]bool{
		NameOf(1): true, NameOf(123456789): true, "manifest-1.json": false, "manifest-00000001.json.old": false, "manifest-0000000x.json": false,
		digest + Prints: true, digest + Documents: true, digest + ModelSuffix: true, digest: false, digest + ".txt": false,
		strings.ToUpper(digest) + Prints: false, digest[2:] + Prints: false, Begun: true, Building + Prints: true, Building + "s": false, Lock: false,
	} {
		if got := Ours(name); got != want {
			t.Errorf("Ours(%q) is %t", name, got)
		}
	}
	for _, number := range []int{0, 7, 99999999, 123456789} {
		if n, is := NumberOf(NameOf(number)); n != number || !is {
			t.Errorf("%s is of generation %d, %t", NameOf(number), n, is)
		}
	}
}

package git

import "testing"

func TestUnder(t *testing.T) {
	under := Under([]string{"a/b", "./c/", "d/e/f.go"})
	for path, want := range map[string]bool{
		"a/b": true, "a/b/x.go": true, "c/x": true, "d/e/f.go": true,
		"a": false, "a/bc": false, "cc": false, "d/e": false, "d/e/f": false, "": false,
	} {
		if under(path) != want {
			t.Errorf("%q is under the paths: %v, want %v", path, !want, want)
		}
	}
	for _, all := range [][]string{nil, {"."}, {"a", ""}} {
		if !Under(all)("x/y") {
			t.Errorf("x/y is not under %q", all)
		}
	}
}

package target

import (
	"os"
	"strings"
	"testing"
)

func TestOutside(t *testing.T) {
	for _, c := range []struct {
		args         string
		root, prefix string
		rels         string
	}{
		{"", ".", "", ""},
		{"a", "./", "", "a"},
		{"./a/ b/../c", "./", "", "a c"},
		{".", "./", "", "."},
		{"..", "./../", "../", "."},
		{"../x/y", "./../", "../", "x/y"},
		{"../../x", "./../../", "../../", "x"},
		{"/a/b /c", "/", "/", "a/b c"},
		{"/", "/", "/", "."},
	} {
		root, rels, prefix, err := outside(strings.Fields(c.args))
		if err != nil || root != c.root || prefix != c.prefix || strings.Join(rels, " ") != c.rels {
			t.Errorf("outside(%q) = %q, %q, %q, %v", c.args, root, rels, prefix, err)
		}
	}
}

func TestOutsideMixed(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, rels, prefix, err := outside([]string{"a", "/b"})
	if err != nil || prefix+rels[0] != wd+"/a" || prefix+rels[1] != "/b" {
		t.Errorf("%q, %q, %v", rels, prefix, err)
	}
}

package ignore

import (
	"strings"
	"testing"
)

func TestHostilePattern(t *testing.T) {
	patterns := Parse([]byte(strings.Repeat("*a", 5000)+"b\n"+strings.Repeat("**/", 5000)+"b\n"), false)
	if ignored, _ := patterns.Decide(strings.Repeat("a", 4000)+"b", false); ignored {
		t.Error("matched")
	}
	one, _ := compileGlob("**/b*")
	if many, ok := compileGlob(strings.Repeat("**/", 5000) + "b*"); !ok || len(many) != len(one) {
		t.Errorf("%d steps for directories in a row, %d for one", len(many), len(one))
	}
}

// FuzzGlob: a pattern of any bytes is refused, or matched with any text.
func FuzzGlob(f *testing.F) {
	f.Add("**/a[!b-d]*", "x/aq")
	f.Add("[[:alpha:]-z]", "-")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if g, ok := compileGlob(pattern); ok {
			g.match(text)
		}
	})
}

// TestMatch: files below an ignored directory are ignored, even if a later pattern includes them.
func TestMatch(t *testing.T) {
	patterns := Parse([]byte("/build\n!keep.go\n*.tmp\nvendor/\ndocs/**/x\n"), false)
	for file, want := range map[string]bool{
		"build": true, "build/a/b.go": true, "build/keep.go": true, "a/build": false, "a.tmp": true, "a/b.tmp/c": true,
		"vendor": false, "a/vendor/b": true, "docs/x": true, "docs/a/b/x/c": true, "keep.go": false, "": false,
	} {
		if got := patterns.Match(file); got != want {
			t.Errorf("%q: %t", file, got)
		}
	}
}

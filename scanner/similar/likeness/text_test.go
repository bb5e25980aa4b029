package likeness

import (
	"fmt"
	"strings"
	"testing"
)

// A copy with other names of files and another wording is nearer than a program of the same form with texts of its own.
func TestMostWordsOfATextRemain(t *testing.T) {
	script := `class A { void a() { run("mkdir home"); run("mv pages/images/*.* home"); run("diff home second > changes.txt"); mail("the page has changed", "changes.txt"); } }`
	copied := strings.NewReplacer("home", "old", "second", "new", "changes", "report", "page has", "site has").Replace(script)
	own := `class A { void a() { run("wget -r localhost"); run("sort queue by size"); run("grep error log.1 log.2 all"); mail("nothing was found", "queue.log"); } }`
	srcs := []string{script, copied, own}
	for i := range 6 {
		srcs = append(srcs, fmt.Sprintf("class D%d { void d%d() { if (x%d) { y(\"%d\"); } } }", i, i, i, i))
	}
	s := setOf(t, srcs...)
	if c, o := similarity(s, 0, 1), similarity(s, 0, 2); c <= o {
		t.Errorf("a copy with other words in its texts %.3f, a program with other texts %.3f", c, o)
	}
}

func TestWordsOfATextOfSeveralLinesAreLeftOut(t *testing.T) {
	o := outline(t, "a.py", "def f():\n    \"\"\"Sums up\n    all of it\"\"\"\n    return g('sums up', \"%d items, so far\")\n")
	if len(o.words) != 6 {
		t.Errorf("%d words, not those of two texts", len(o.words))
	}
}

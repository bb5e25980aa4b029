package scanner_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
)

// TestQuotedMarks: a mark in a string or in a code block of a document is an example; a mark in a comment counts.
func TestQuotedMarks(t *testing.T) {
	if !lang.HasGrammars {
		t.Skip("words do not tell strings from comments in Bash")
	}
	const mark = `git-provenance:allow reason="why"`
	dir := files{
		"a.go": "package a\n\nvar x = `\n// " + mark + "\n`\n// " + mark + "\nvar y = \"// " + "git-provenance:allow\"\n" +
			"var z = `\n// git-provenance:allow-begin\n` + x // the rest\n// git-provenance:allow-end\n",
		"a.js":   "const a = `\n// " + mark + "\n${b}\n`;\n// " + mark + "\n",
		"a.py":   "x = '''\n# " + mark + "\n'''\n# " + mark + "\n",
		"a.java": "class A { String s = \"\"\"\n// " + mark + "\n\"\"\"; /* " + mark + " */ }\n",
		"a.md":   "# A\n\n```go\n// " + mark + "\n```\n\n<!-- " + mark + " -->\n\n~~~~\n```\n// " + mark + "\n~~~\n// " + mark + "\n~~~~\n// " + mark + "\n",
		"a.sh":   "cat <<X\n# " + mark + "\nX\n# " + mark + "\n",
	}.dir(t)
	r := tree(t, scan(t, scanner.Options{}, stdBaseline(t)), dir)
	var got []string
	for _, m := range r.Inline {
		got = append(got, fmt.Sprintf("%s:%d %v", m.Path, m.Line, m.Err))
	}
	want := []string{"a.go:6 <nil>", "a.go:11 allow-end without allow-begin", "a.java:3 <nil>", "a.js:5 <nil>", "a.md:7 <nil>", "a.md:15 <nil>", "a.py:4 <nil>", "a.sh:4 <nil>"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

package architecture

import (
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// riddle is the begin of a sentence that names its subject last: "What cannot be read is skipped". "Files that cannot be read are
// skipped" says it at once.
var riddle = regexp.MustCompile(`(^|[.;:] )(What|Who|Whatever|Whoever) [a-z]`)

// TestComments checks that sentences of comments begin with their subject.
func TestComments(t *testing.T) {
	for _, p := range load(t) {
		for _, f := range slices.Concat(p.GoFiles, p.IgnoredGoFiles, p.TestGoFiles, p.XTestGoFiles) {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, p.Dir+"/"+f, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range file.Comments {
				if at := riddle.FindString(strings.ReplaceAll(c.Text(), "\n", " ")); at != "" {
					t.Errorf("%s: a sentence begins with %q", set.Position(c.Pos()), strings.TrimLeft(at, ".;: "))
				}
			}
		}
	}
}

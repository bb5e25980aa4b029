package verdict

import (
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/attribution"
)

// citesTarget returns the line of the first source on which a comment says that the code is from the target's repository, or 0. The comment
// is at the head of the source's file, in its region or above it. It names the repository in a sentence on copying, perhaps on a line
// further up, or it links to a file there. Lines that the target has too came along with the code.
func (c *claims) citesTarget() int {
	o := &c.Sources[0]
	claimed := 0 // first line of the latest comment with a sentence on copying
	for _, s := range o.statements {
		if s.Kind != attribution.CopiedFrom {
			continue
		}
		bare := s.Source == s.Text
		if !bare {
			claimed = s.From
		}
		if (s.Head || s.Direct(o.From, o.To, 0)) && c.namesTarget(s, !bare || claimed == s.From) && !c.Target.says(s) {
			return s.Line
		}
	}
	return 0
}

// filed are the path elements behind a repository in the address of one of its files.
var filed = []string{"blob/", "tree/", "-/blob/", "-/tree/", "raw/"}

// namesTarget reports whether a statement names the target's repository: by any name if it says "copied", by a link if it says less, and by
// the address of a file if it says nothing.
func (c *claims) namesTarget(s attribution.Statement, sentence bool) bool {
	for _, repo := range c.Sources[0].Target {
		if s.Strong && s.Names(attribution.Origin{Type: "golang", Name: repo}) {
			return true
		}
		for _, ref := range attribution.References(s.Text) {
			rest, ok := strings.CutPrefix(ref+"/", repo+"/")
			if ok && (sentence || slices.ContainsFunc(filed, func(f string) bool { return strings.HasPrefix(rest, f) })) {
				return true
			}
		}
	}
	return false
}

// says reports whether the file has the same statement.
func (s *Statements) says(st attribution.Statement) bool {
	return slices.ContainsFunc(s.statements, func(t attribution.Statement) bool { return t.Kind == st.Kind && t.Text == st.Text })
}

package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// maxEvents bounds the later events shown of a finding. Few regions have more, and those changed all the time.
const maxEvents = 8

// story lists the events of a region after it entered.
func story(f *finding.Finding, e Extent) []string {
	var out []string
	for _, c := range f.Edits {
		out = append(out, fmt.Sprintf("%s %s (commit %s)", commitAction(&c), Date(c.Time), escape.Line(Shorten(c.Commit))))
	}
	if n := len(out); n > maxEvents && e == Brief {
		out = append(out[:maxEvents-1:maxEvents-1], fmt.Sprintf("+%d more", n-maxEvents), out[n-1])
	}
	if l := f.Left; l != nil {
		out = append(out, fmt.Sprintf("left %s (commit %s by %s)", Date(l.Time), escape.Line(Shorten(l.Commit)), escape.Line(l.Author)))
	}
	for i, at := range f.Tip {
		if i == maxEvents && e == Brief {
			out = append(out, fmt.Sprintf("and in %d more places", len(f.Tip)-i))
			break
		}
		out = append(out, "now "+Span(at.Path, at.StartLine, at.EndLine))
	}
	return out
}

// commitAction returns what a commit did and the new path.
func commitAction(c *finding.Commit) string {
	out := cmp.Or(escape.Line(strings.Join(c.Changes, " and ")), "changed")
	if c.Path == "" {
		return out
	}
	way := " in "
	if slices.Contains(c.Changes, "moved") || slices.Contains(c.Changes, "copied") {
		way = " to "
	}
	if slices.Contains(c.Changes, "removed") {
		way = " from "
	}
	return out + way + escape.Line(c.Path)
}

// moment holds the events of one commit.
type moment struct {
	Commit *finding.Commit
	deeds  map[string]map[string]int // by event and file, how often
}

// Moments groups the events of all findings by commit, the earliest first.
func Moments(fs []finding.Finding) []moment {
	byID := map[string]*moment{}
	note := func(c *finding.Commit, what, path string) {
		m := byID[c.Commit]
		if m == nil {
			m = &moment{c, map[string]map[string]int{}}
			byID[c.Commit] = m
		}
		if m.deeds[what] == nil {
			m.deeds[what] = map[string]int{}
		}
		m.deeds[what][path]++
	}
	for i := range fs {
		f := &fs[i]
		if f.Introduced == nil || f.Alive == nil {
			continue
		}
		at := cmp.Or(f.Introduced.Path, f.Path)
		note(f.Introduced, "entered", at)
		for j := range f.Edits {
			at = cmp.Or(f.Edits[j].Path, at)
			for _, what := range f.Edits[j].Changes {
				note(&f.Edits[j], what, at)
			}
		}
		if f.Left != nil {
			note(f.Left, "left", cmp.Or(f.Left.Path, at))
		}
	}
	var out []moment
	for _, m := range byID {
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b moment) int {
		return cmp.Or(a.Commit.Time.Compare(b.Commit.Time), strings.Compare(a.Commit.Commit, b.Commit.Commit))
	})
	return out
}

// Count returns how often a commit did one thing.
func (m *moment) Count(what string) int {
	n := 0
	for _, k := range m.deeds[what] {
		n += k
	}
	return n
}

// deedOrder is the order in which the events of one commit are listed.
var deedOrder = []string{"entered", "returned", "merged", "copied", "moved", "renamed", "reformatted", "edited", "extended", "removed", "left"}

// Words briefly lists the events of a commit.
func (m *moment) Words() string {
	var out []string
	for _, what := range deedOrder {
		if paths := m.deeds[what]; len(paths) > 0 {
			out = append(out, what+" "+where(paths))
		}
	}
	return strings.Join(out, ", ")
}

// where lists the paths if they are few, and counts them otherwise.
func where(paths map[string]int) string {
	if len(paths) > 2 {
		n := 0
		for _, k := range paths {
			n += k
		}
		return Plural(n, "region") + " in " + Plural(len(paths), "file")
	}
	var out []string
	for p, n := range paths {
		name := escape.Line(p)
		if n > 1 {
			name += fmt.Sprintf(" ×%d", n)
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, " and ")
}

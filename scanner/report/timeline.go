package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// maxEvents is how many later events of a finding are shown: few regions have
// more, and those that do changed all the time.
const maxEvents = 8

// maxTimeline bounds the lines of the timeline, one for each commit that did
// something to a copied region.
const maxTimeline = 40

// story tells what became of a region after it entered.
func story(f *finding.Finding, all bool) []string {
	var out []string
	for _, e := range f.Edits {
		out = append(out, fmt.Sprintf("%s %s (commit %s)", deed(&e), date(e.Time), Escape(shorten(e.Commit))))
	}
	if n := len(out); n > maxEvents && !all {
		out = append(out[:maxEvents-1:maxEvents-1], fmt.Sprintf("+%d more", n-maxEvents), out[n-1])
	}
	if l := f.Left; l != nil {
		out = append(out, fmt.Sprintf("left %s (commit %s by %s)", date(l.Time), Escape(shorten(l.Commit)), Escape(l.Author)))
	}
	for i, at := range f.Tip {
		if i == maxEvents && !all {
			out = append(out, fmt.Sprintf("and in %d more places", len(f.Tip)-i))
			break
		}
		out = append(out, "now "+span(at.Path, at.StartLine, at.EndLine))
	}
	return out
}

// deed says what a commit did, and where to.
func deed(c *finding.Commit) string {
	out := cmp.Or(Escape(strings.Join(c.Changes, " and ")), "changed")
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
	return out + way + Escape(c.Path)
}

// moment is what a commit did to copied regions.
type moment struct {
	commit *finding.Commit
	deeds  map[string]map[string]int // what, in which files, how often
}

// moments gathers the events of all findings by commit, the earliest first.
func moments(fs []finding.Finding) []moment {
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
		return cmp.Or(a.commit.Time.Compare(b.commit.Time), strings.Compare(a.commit.Commit, b.commit.Commit))
	})
	return out
}

// deedOrder is how the deeds of one commit are listed.
var deedOrder = []string{"entered", "returned", "merged", "copied", "moved", "renamed", "reformatted", "edited", "extended", "removed", "left"}

// words lists what a commit did, briefly.
func (m *moment) words() string {
	var out []string
	for _, what := range deedOrder {
		if paths := m.deeds[what]; len(paths) > 0 {
			out = append(out, what+" "+where(paths))
		}
	}
	return strings.Join(out, ", ")
}

// where names a few files, and counts many.
func where(paths map[string]int) string {
	if len(paths) > 2 {
		n := 0
		for _, k := range paths {
			n += k
		}
		return plural(n, "region") + " in " + plural(len(paths), "file")
	}
	var out []string
	for p, n := range paths {
		name := Escape(p)
		if n > 1 {
			name += fmt.Sprintf(" ×%d", n)
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, " and ")
}

// timeline lists the commits that did something to copied regions.
func (t *text) timeline(fs []finding.Finding) {
	ms := moments(fs)
	if len(ms) == 0 {
		return
	}
	fmt.Fprintln(t.w, t.paint(bold, "history"))
	for i, m := range ms {
		if n := len(ms); n > maxTimeline && !t.o.Verbose && i >= maxTimeline/2 && i < n-maxTimeline/2 {
			if i == maxTimeline/2 {
				fmt.Fprintf(t.w, "  … %s more; --verbose lists them\n", plural(n-maxTimeline, "commit"))
			}
			continue
		}
		fmt.Fprintf(t.w, "  %s  %s  %s: %s\n", date(m.commit.Time), Escape(shorten(m.commit.Commit)), Escape(author(m.commit.Author)), m.words())
	}
	fmt.Fprintln(t.w)
}

// author leaves the address out.
func author(s string) string {
	name, _, _ := strings.Cut(s, " <")
	return cmp.Or(strings.TrimSpace(name), s)
}

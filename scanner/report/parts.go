package report

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// partCount says in how many files that are no origins part of a region stands,
// "" for none.
func partCount(f *finding.Finding) string {
	if f.PartOriginCount == 0 {
		return ""
	}
	s := "in " + plural(f.PartOriginCount, "other file")
	if n := f.UnjudgedCount; n > 0 {
		s += fmt.Sprintf(", of which %s most of it and %s not judged", have(n), were(n))
	}
	return s
}

func have(n int) string {
	if n == 1 {
		return "1 has"
	}
	return group(n) + " have"
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// partWhy says why a file is no origin, in few words.
func partWhy(why string) string {
	switch why {
	case finding.PartWeak:
		return "less agrees"
	case finding.PartUnjudged:
		return "not judged"
	}
	return ""
}

// partLine is one such file in plain text.
func partLine(p *finding.PartOrigin) string {
	s := fmt.Sprintf("%s = %s %s, %s", dashed(p.StartLine, p.EndLine), Escape(p.PURL), span(p.Path, p.OriginStartLine, p.OriginEndLine), plural(p.Tokens, "token"))
	if why := partWhy(p.Why); why != "" {
		s += " (" + why + ")"
	}
	return s
}

func dashed(start, end int) string { return fmt.Sprintf("%d-%d", start, end) }

// parts tells of the files that have part of a finding.
func (t *text) partOrigins(f *finding.Finding) {
	count := partCount(f)
	if count == "" {
		return
	}
	t.detail("part", []string{"of it also " + count})
	if !t.o.Verbose {
		return
	}
	for i := range f.PartOrigins {
		fmt.Fprintln(t.w, indent+strings.Repeat(" ", labelWidth)+partLine(&f.PartOrigins[i]))
	}
}

// maxParts is how many of them a document for GitHub lists: most are accidents.
const maxParts = 3

// mdParts lists the files that have part of a finding.
func mdParts(f *finding.Finding) string {
	count := partCount(f)
	if count == "" {
		return ""
	}
	if len(f.PartOrigins) == 0 {
		return count
	}
	return count + ": " + mdEach(f.PartOrigins[:min(len(f.PartOrigins), maxParts)], "; ", func(p finding.PartOrigin) string {
		s := fmt.Sprintf("%s in %s %s of %s, %s", lineRange(p.StartLine, p.EndLine), mdCode(p.Path), lineRange(p.OriginStartLine, p.OriginEndLine), mdCode(p.PURL), plural(p.Tokens, "token"))
		if why := partWhy(p.Why); why != "" {
			s += " (" + why + ")"
		}
		return s
	})
}

// partTable is the list of such files, folded.
func partTable(f *finding.Finding) (table, bool) {
	if f.PartOriginCount == 0 && len(f.PartOrigins) == 0 {
		return table{}, false
	}
	t := table{Title: "Part of it also in", Head: []string{"Package", "File", "Lines here", "Tokens", "Note"}}
	for i := range f.PartOrigins {
		p := &f.PartOrigins[i]
		t.Rows = append(t.Rows, []value{{code(p.PURL)}, {code(p.Path), say(" " + lineRange(p.OriginStartLine, p.OriginEndLine))},
			{say(dashed(p.StartLine, p.EndLine))}, {say(group(p.Tokens))}, {say(partWhy(p.Why))}})
	}
	t.Note = "These are no origins of the finding and count nowhere: " + partCount(f) + "."
	return t, true
}

package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

// GitHub's limits for an annotation, in characters: it cuts longer messages and titles.
const (
	maxMessage = 4000
	maxTitle   = 200
)

// Title returns the title of a finding's annotation, on one line and short enough for every kind of annotation.
func Title(f *finding.Finding) string {
	o := order.FirstOrigin(f)
	before, _ := Relation(f)
	end := string(f.Verdict)
	if f.Direction == finding.DirectionTo {
		end = "here first"
	}
	return escape.Clip(fmt.Sprintf("%s %s (%s), %s", UpperFirst(before), escape.Line(o.PURL), escape.Line(Licence(o.License)), escape.Line(end)), maxTitle)
}

// Message returns the evidence of a finding in a few plain lines, also bounded.
func Message(f *finding.Finding) string {
	o := order.FirstOrigin(f)
	before, after := Relation(f)
	lines := []string{fmt.Sprintf("%s: %s %s%s.", UpperFirst(Lines(f.StartLine, f.EndLine)), before, escape.Line(o.PURL), after)}
	add := func(label string, parts ...string) {
		if len(parts) > 0 {
			lines = append(lines, label+": "+strings.Join(parts, ", "))
		}
	}
	add("Source", Source(f).String())
	add("Older side", Older(f).String())
	add("Licence", LicenceOf(f, Full).String())
	add("Action", Action(f).String())
	add("Amount", Amount(f).String())
	add("Functions", Functions(f, Brief)...)
	add("Score", ScoreOf(f, 0).String()+"; "+ScoreMeaning(f.Score))
	if len(f.Reasons) > 0 {
		add("Why", strings.Join(escaped(f.Reasons), "; "))
	}
	add("Renames", Renames(f.Renames, Brief)...)
	for i, n := range SortedNotices(f.Attributions) {
		if i == MaxRanges {
			break
		}
		add("Notice", fmt.Sprintf("\"%s\" at %s names %s", escape.Line(n.Text), spanOf(cmp.Or(n.Path, f.Path), n.Line), Names(n.Names)))
	}
	if s := PartCount(f); s != "" {
		add("Part of it also", s)
	}
	if v := Versions(f); v != nil {
		add("Versions", v.String())
	}
	add("History", History(f, Brief)...)
	if s := Changed(f); s != "" {
		add("New in this change", "lines "+s)
	}
	if u := escape.Address(o.URL); u != "" {
		add("See", u)
	}
	add("Finding", escape.Line(f.ID))
	return escape.ClipBytes(strings.Join(lines, "\n"), maxMessage)
}

func escaped(ss []string) []string {
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = escape.Line(s)
	}
	return out
}

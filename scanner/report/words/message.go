package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

// What GitHub takes of an annotation: it cuts longer messages and titles.
const (
	maxMessage = 4000
	maxTitle   = 200
)

// Title is what an annotation of a finding is called, on one line and
// short enough for every kind of annotation.
func Title(f *finding.Finding) string {
	o := order.FirstOrigin(f)
	before, _ := Relation(f)
	end := string(f.Verdict)
	if f.Direction == finding.DirectionTo {
		end = "here first"
	}
	return escape.Clip(fmt.Sprintf("%s %s (%s), %s", UpperFirst(before), escape.Line(o.PURL), escape.Line(Licence(o.License)), escape.Line(end)), maxTitle)
}

// Message is the evidence of a finding in a few plain lines, bounded too.
func Message(f *finding.Finding) string {
	o := order.FirstOrigin(f)
	before, after := Relation(f)
	lines := []string{
		fmt.Sprintf("%s: %s %s%s: %s.", UpperFirst(Lines(f.StartLine, f.EndLine)), before, Origin(&o), after, VerdictMeaning(f.Verdict)),
		fmt.Sprintf("Score %s: %s. %s, %s of the file; %s.", Score(f.Score), ScoreMeaning(f.Score), Plural(f.Tokens, "token"), Percent(f.FileShare), CloneType(f.CloneType)),
	}
	add := func(label string, parts []string) {
		if len(parts) > 0 {
			lines = append(lines, label+": "+strings.Join(parts, ", "))
		}
	}
	if len(f.Reasons) > 0 {
		add("Why", []string{strings.Join(escaped(f.Reasons), "; ")})
	}
	add("Renamed", Renames(f.Renames, false))
	add("Agreement", Agreement(f))
	for i, n := range f.Attributions {
		if i == MaxRanges {
			break
		}
		add("The code says", []string{fmt.Sprintf("\"%s\" at %s, which names %s", escape.Line(n.Text), spanOf(cmp.Or(n.Path, f.Path), n.Line), Names(n.Names))})
	}
	add("Licence", LicenceFacts(f, true))
	if s := PartCount(f); s != "" {
		add("Part of it also", []string{s})
	}
	add("Time", When(f))
	if s := Changed(f); s != "" {
		add("New in this change", []string{"lines " + s})
	}
	if u := escape.Address(o.URL); u != "" {
		add("See", []string{u})
	}
	add("Finding", []string{escape.Line(f.ID)})
	return escape.ClipBytes(strings.Join(lines, "\n"), maxMessage)
}

func escaped(ss []string) []string {
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = escape.Line(s)
	}
	return out
}

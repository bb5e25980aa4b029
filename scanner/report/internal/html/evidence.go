package html

import (
	"cmp"
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// together says which other regions the file shares with the same file.
func together(f *finding.Finding, g []*finding.Finding) []value {
	if len(g) < 2 {
		return nil
	}
	v := value{say(fmt.Sprintf("one of %s of this file %s the same file, %s in all: ", words.Plural(len(g), "region"), words.Relations(g), words.Plural(order.TokensOf(g), "token")))}
	for i, o := range g {
		if i == words.MaxRanges {
			return []value{append(v, say(fmt.Sprintf(", %d more", len(g)-i)))}
		}
		if i > 0 {
			v = append(v, say(", "))
		}
		lines := say(words.Range(o.StartLine, o.EndLine))
		if o == f {
			lines = strong(words.Range(o.StartLine, o.EndLine))
		}
		v = append(v, lines)
	}
	return []value{v}
}

// evidence is all that the page shows of one finding. The script knows how a
// fact, a table and source text look, and nothing of what they mean.
type evidence struct {
	N       int     `json:"n"`
	ID      string  `json:"id"`
	Path    string  `json:"path"`
	Lines   string  `json:"lines"`
	Lead    value   `json:"lead"`
	Facts   []fact  `json:"facts"`
	Axis    *axis   `json:"axis,omitempty"`
	Renames []pair  `json:"renames,omitempty"`
	Tables  []table `json:"tables,omitempty"`
	Source  *source `json:"source,omitempty"`
}

// textSpan is a piece of text: plain, code or strong; linked if it has an address.
type textSpan struct {
	Text string `json:"t"`
	Kind string `json:"k,omitempty"`
	Link string `json:"h,omitempty"`
}

// value is one line of text, fact a label with lines.
type (
	value []textSpan
	fact  struct {
		Label  string  `json:"k"`
		Values []value `json:"v"`
	}
)

// pair is a rename with its number, by which both sides mark it.
type pair struct {
	Origin string `json:"o"`
	Target string `json:"t"`
	Count  string `json:"c"`
}

type table struct {
	Title string    `json:"t"`
	Head  []string  `json:"h"`
	Rows  [][]value `json:"r"`
	Note  string    `json:"n,omitempty"`
}

func say(s string) textSpan { return textSpan{Text: s} }

func code(s string) textSpan { return textSpan{Text: escape.Line(s), Kind: "code"} }

func strong(s string) textSpan { return textSpan{Text: s, Kind: "strong"} }

func linked(s, address string) textSpan {
	return textSpan{Text: escape.Line(s), Kind: "code", Link: escape.Address(address)}
}

func newEvidence(n int, f *finding.Finding, g []*finding.Finding) *evidence {
	e := &evidence{N: n, ID: escape.Line(f.ID), Path: escape.Line(f.Path), Lines: between(f.StartLine, f.EndLine), Lead: lead(f), Axis: newAxis(f), Source: newSource(f)}
	e.facts(f)
	e.add("Together", together(f, g)...)
	for _, r := range f.Renames {
		e.Renames = append(e.Renames, pair{escape.Line(r.Origin), escape.Line(r.Target), words.Number(r.Count)})
	}
	e.tables(f)
	return e
}

// lead says in a sentence what was found. Who copied from whom it says only
// where dates prove it.
func lead(f *finding.Finding) value {
	o := order.FirstOrigin(f)
	before, end := "This code is shared with ", ". Which was first is not known."
	switch f.Direction {
	case finding.DirectionFrom:
		before, end = "This code is copied from ", ", which had it first."
	case finding.DirectionTo:
		before, end = "This code is also in ", ". It was here first."
	}
	return value{say(before), linked(o.PURL, o.URL), say(", "), code(o.Path), say(" " + words.Lines(o.StartLine, o.EndLine) + ", licence "), strong(escape.Line(o.License)), say(end)}
}

func (e *evidence) add(label string, vs ...value) {
	if len(vs) > 0 {
		e.Facts = append(e.Facts, fact{label, vs})
	}
}

// facts lists the evidence, what matters most to a reader first.
func (e *evidence) facts(f *finding.Finding) {
	v := value{strong(escape.Line(string(f.Verdict))), say(": " + words.VerdictMeaning(f.Verdict))}
	e.add("Verdict", v)
	level := value{strong(escape.Line(cmp.Or(f.Level, "warning")))}
	if f.Rule != "" {
		level = append(level, say(", by rule "), code(f.Rule), say(" of the policy"))
	}
	e.add("Level", level)
	if a := f.Allowed; a != nil {
		e.add("Allowed", allowedBy(a))
	}
	e.add("The code says", notices(f)...)
	e.add("Score", value{strong(words.Score(f.Score)), say(": " + words.ScoreMeaning(f.Score))})
	e.add("Why", texts(f.Reasons)...)
	e.add("Extent", extentWords(f))
	e.add("Agreement", texts(words.Agreement(f))...)
	e.origin(f)
	e.add("Dates", texts(whenWords(f))...)
	e.add("History", value1(words.Story(f, true))...)
	if c := words.Changed(f); c != "" {
		e.add("New in this change", value{say("lines " + c)})
	}
	e.add("Identity", value{say("finding "), code(f.ID)}, value{say(fmt.Sprintf("%.0f bits of information; %.0f in another region of both files", f.Bits, f.Support))},
		value{say("file SHA-1 "), code(f.FileSHA1)})
}

// texts are lines from outside, value1 those that are escaped already.
func texts(list []string) []value {
	out := make([]value, len(list))
	for i, s := range list {
		out[i] = value{say(escape.Line(s))}
	}
	return out
}

func value1(list []string) []value {
	out := make([]value, len(list))
	for i, s := range list {
		out[i] = value{say(s)}
	}
	return out
}

// whenWords leaves the versions to the origin's facts.
func whenWords(f *finding.Finding) []string {
	g := *f
	if len(f.Origins) > 0 {
		o := f.Origins[0]
		o.Versions = nil
		g.Origins = []finding.Origin{o}
	}
	return words.When(&g)
}

func allowedBy(a *finding.Allowance) value {
	out := value{say("by "), strong(escape.Line(a.By))}
	if a.Reason != "" {
		out = append(out, say(": "+escape.Line(a.Reason)))
	}
	if a.Expires != "" {
		out = append(out, say(" (until "+escape.Line(a.Expires)+")"))
	}
	return out
}

func notices(f *finding.Finding) []value {
	if len(f.Attributions) == 0 {
		return []value{{say("nothing about its origin or licence")}}
	}
	var out []value // what names something of the origin first
	for _, n := range words.Told(f.Attributions) {
		at := fmt.Sprintf(" (line %d", n.Line)
		if n.Path != "" {
			at += " of " + escape.Line(n.Path)
		}
		out = append(out, value{code(n.Text), say(at + "), which names " + words.Names(n.Names))})
	}
	return out
}

func extentWords(f *finding.Finding) value {
	out := value{say(fmt.Sprintf("%s, %s of the file", words.Plural(f.Tokens, "token"), words.Percent(f.FileShare)))}
	if fn := f.Function; fn != nil {
		out = append(out, say(", "+words.Percent(fn.Share)+" of function"))
		if fn.Name != "" {
			out = append(out, say(" "), code(fn.Name))
		}
	}
	return append(out, say("; "+words.CloneType(f.CloneType)+"; language "+escape.Line(f.Language)))
}

func (e *evidence) origin(f *finding.Finding) {
	if len(f.Origins) == 0 {
		return
	}
	o := &f.Origins[0]
	vs := []value{{linked(o.PURL, o.URL)}, {code(o.Path), say(" " + words.Lines(o.StartLine, o.EndLine))},
		{say(fmt.Sprintf("%s of this region, %s of the origin's file", words.Percent(o.Similarity), words.Percent(o.FileShare)))}}
	if v := o.Versions; v != nil {
		vs = append(vs, value{say("in " + words.Plural(v.Count, "version") + " of the baseline, from "), code(v.First), say(" to "), code(v.Last)})
	}
	e.add("Origin", append(vs, value{say("file SHA-256 "), code(o.SHA256)})...)
	e.licence(f)
}

func (e *evidence) licence(f *finding.Finding) {
	o := order.FirstOrigin(f)
	vs := []value{{strong(escape.Line(o.License))}}
	if s := words.ReadFrom(&o); s != "" {
		vs[0] = append(vs[0], say(": "+s))
	}
	if s := words.Compatibility(f); s != "" {
		vs = append(vs, value{say(words.UpperFirst(s))})
	}
	if len(f.Licenses) > 1 {
		vs = append(vs, value{say("The licences of all origins disagree: " + escape.Line(joined(f.Licenses)))})
	}
	e.add("Licence", vs...)
}

func joined(list []string) string {
	out := ""
	for i, s := range list {
		if i > 0 {
			out += ", "
		}
		out += s
	}
	return out
}

// tables are what is folded: long lists that few readers need.
func (e *evidence) tables(f *finding.Finding) {
	if n := f.OriginCount - 1; n > 0 || len(f.Origins) > 1 {
		t := table{Title: "Other origins", Head: []string{"Package", "File", "Licence", "Released", "Of this region"}}
		for i := 1; i < len(f.Origins); i++ {
			o := &f.Origins[i]
			released := "unknown"
			if o.Released != nil {
				released = words.Date(*o.Released)
			}
			t.Rows = append(t.Rows, []value{{linked(o.PURL, o.URL)}, {code(o.Path), say(" " + words.Lines(o.StartLine, o.EndLine))},
				{say(escape.Line(cmp.Or(o.License, license.NoAssertion)))}, {say(released)}, {say(words.Percent(o.Similarity))}})
		}
		if left := f.OriginCount - len(f.Origins); left > 0 {
			t.Note = words.Plural(left, "more place") + " not in the report; " + words.Plural(f.PackageCount, "package") + " in all"
		}
		e.Tables = append(e.Tables, t)
	}
	if t, ok := partTable(f); ok {
		e.Tables = append(e.Tables, t)
	}
	if len(f.Runs) > 0 {
		t := table{Title: "Matched runs", Head: []string{"This code", "The origin", "Tokens"}}
		for _, r := range f.Runs {
			t.Rows = append(t.Rows, []value{{say(place(r.StartLine, r.StartColumn, r.EndLine, r.EndColumn))},
				{say(place(r.OriginStartLine, r.OriginStartColumn, r.OriginEndLine, r.OriginEndColumn))}, {say(words.Number(r.Tokens))}})
		}
		e.Tables = append(e.Tables, t)
	}
}

func place(line, column, endLine, endColumn int) string {
	return fmt.Sprintf("line %d column %d to line %d column %d", line, column, endLine, endColumn-1)
}

// partTable is the list of such files, folded.
func partTable(f *finding.Finding) (table, bool) {
	if f.PartOriginCount == 0 && len(f.PartOrigins) == 0 {
		return table{}, false
	}
	t := table{Title: "Part of it also in", Head: []string{"Package", "File", "Lines here", "Tokens", "Note"}}
	for i := range f.PartOrigins {
		p := &f.PartOrigins[i]
		t.Rows = append(t.Rows, []value{{code(p.PURL)}, {code(p.Path), say(" " + words.Lines(p.OriginStartLine, p.OriginEndLine))},
			{say(words.Range(p.StartLine, p.EndLine))}, {say(words.Number(p.Tokens))}, {say(words.PartWhy(p.Why))}})
	}
	t.Note = "These are no origins of the finding and count nowhere: " + words.PartCount(f) + "."
	return t, true
}

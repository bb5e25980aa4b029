package html

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// together says which other regions belong to the same group.
func together(f *finding.Finding, g []*finding.Finding) []value {
	if len(g) < 2 {
		return nil
	}
	files, _ := order.Places(g)
	here, from := " of this file", "the same file"
	if files > 1 {
		here = ""
	}
	if n := order.FilesOf(g); n > 1 {
		from = words.Plural(n, "file") + " of the same package"
	}
	v := value{say(fmt.Sprintf("one of %s%s %s %s, %s in all%s: ", words.Regions(g), here, words.Relations(g), from, words.Plural(order.TokensOf(g), "token"), words.Derived(g)))}
	for i, o := range g {
		if i == words.MaxRanges {
			return []value{append(v, say(fmt.Sprintf(", %d more", len(g)-i)))}
		}
		if i > 0 {
			v = append(v, say(", "))
		}
		at := words.Range(o.StartLine, o.EndLine)
		if files > 1 {
			at = words.Span(o.Path, o.StartLine, o.EndLine)
		}
		if o == f {
			v = append(v, strong(at))
			continue
		}
		v = append(v, say(at))
	}
	return []value{v}
}

// evidence is everything that the page shows of one finding. The script knows the look of a fact, a table and source
// text, but not their meaning.
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

// textSpan is a piece of text: plain, code or strong. It is linked if it has an address.
type textSpan struct {
	Text string `json:"t"`
	Kind string `json:"k,omitempty"`
	Link string `json:"h,omitempty"`
}

// value is one line of text; fact is a label with lines.
type (
	value []textSpan
	fact  struct {
		Label  string  `json:"k"`
		Values []value `json:"v"`
	}
)

// pair is a rename with the number that marks it on both sides.
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

func newEvidence(n int, f *finding.Finding, g []*finding.Finding, needed float64) *evidence {
	e := &evidence{N: n, ID: escape.Line(f.ID), Path: escape.Line(f.Path), Lines: between(f.StartLine, f.EndLine), Lead: lead(f), Axis: newAxis(f), Source: newSource(f)}
	e.facts(f, needed)
	e.add("Together", together(f, g)...)
	for _, r := range f.Renames {
		e.Renames = append(e.Renames, pair{escape.Line(r.Origin), escape.Line(r.Target), words.Number(r.Count)})
	}
	e.tables(f)
	return e
}

// lead says in a sentence what was found. It names the side that copied only if dates prove it.
func lead(f *finding.Finding) value {
	o := order.FirstOrigin(f)
	before, end := "This code is shared with ", ". Which side is older is unknown."
	switch f.Direction {
	case finding.DirectionFrom:
		end = ". The origin had it first."
		if words.CopyOf(f) {
			before = "This code is copied from "
		}
	case finding.DirectionTo:
		before, end = "This code is also in ", ". It was here first."
	}
	if words.Doubtful(f) {
		before = strings.Replace(before, " is ", " is perhaps ", 1)
	}
	return value{say(before), linked(o.PURL, o.URL), say(", "), code(o.Path), say(" " + words.Lines(o.StartLine, o.EndLine) + ", licence "), strong(escape.Line(o.License)), say(end)}
}

func (e *evidence) add(label string, vs ...value) {
	if len(vs) > 0 {
		e.Facts = append(e.Facts, fact{label, vs})
	}
}

// facts lists the facts of a finding, the most important to a reader first.
func (e *evidence) facts(f *finding.Finding, needed float64) {
	e.add("Source", line(words.Source(f)))
	e.add("Older side", line(words.Older(f)))
	e.add("Licence", line(words.LicenceOf(f, words.Full)))
	e.add("Action", line(words.Action(f)))
	e.add("Amount", append(line(words.Amount(f)), say("; language "+escape.Line(f.Language))))
	e.add("Functions", texts(words.Functions(f, words.Full))...)
	e.add("Score", append(line(words.ScoreOf(f, needed)), say("; "+words.ScoreMeaning(f.Score))))
	level := value{strong(escape.Line(cmp.Or(f.Level, "warning")))}
	if f.Rule != "" {
		level = append(level, say(", by rule "), code(f.Rule), say(" of the policy"))
	}
	e.add("Level", level)
	e.add("Notices", notices(f)...)
	e.add("Why", texts(f.Reasons)...)
	e.add("History", escaped(words.History(f, words.Full))...)
	if c := words.Changed(f); c != "" {
		e.add("New in this change", value{say("lines " + c)})
	}
	e.origin(f)
	e.add("Identity", value{say("finding "), code(f.ID)}, value{say(fmt.Sprintf("%.0f bits of information; %.0f in another region of both files", f.Bits, f.Support))},
		value{say("file SHA-1 "), code(f.FileSHA1)})
}

// line converts a line of package words.
func line(l words.Line) value {
	var out value
	for _, p := range l {
		switch p.Kind {
		case words.Plain, words.Said:
			out = append(out, say(escape.Line(p.Text)))
		default:
			out = append(out, linked(p.Text, p.Link))
		}
	}
	return out
}

// texts converts lines from outside; escaped converts lines that are already safe.
func texts(list []string) []value {
	out := make([]value, len(list))
	for i, s := range list {
		out[i] = value{say(escape.Line(s))}
	}
	return out
}

func escaped(list []string) []value {
	out := make([]value, len(list))
	for i, s := range list {
		out[i] = value{say(s)}
	}
	return out
}

func notices(f *finding.Finding) []value {
	if len(f.Attributions) == 0 {
		return []value{{say("no notice of an origin or a licence")}}
	}
	var out []value // notices that name something of the origin come first
	for _, n := range words.SortedNotices(f.Attributions) {
		at := fmt.Sprintf(" (line %d", n.Line)
		if n.Path != "" {
			at += " of " + escape.Line(n.Path)
		}
		out = append(out, value{code(n.Text), say(at + "), which names " + words.Names(n.Names))})
	}
	return out
}

// origin adds the facts of the first origin that the other facts leave out.
func (e *evidence) origin(f *finding.Finding) {
	if len(f.Origins) == 0 {
		return
	}
	o := &f.Origins[0]
	vs := []value{{say(fmt.Sprintf("%s of this region, %s of the origin's file", words.Percent(o.Similarity), words.Percent(o.FileShare)))}}
	if v := words.Versions(f); v != nil {
		vs = append(vs, line(v))
	}
	e.add("Origin", append(vs, value{say("file SHA-256 "), code(o.SHA256)})...)
}

// tables adds the folded tables: long lists that few readers need.
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

// partTable returns the folded table of part origins.
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

package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Kind says how a piece of a line is written.
type Kind byte

// The kinds. Text of Plain is safe in every format. The text of the other kinds comes from outside, and each format
// escapes it in its own way.
const (
	Plain  Kind = iota
	Said        // part of a sentence
	Name        // a path, a package, an identifier
	Quoted      // a line of the target
)

// Piece is a text of one kind, linked if it has an address.
type Piece struct {
	Text string
	Kind Kind
	Link string
}

// Line is a sentence or a part of one.
type Line []Piece

func (l *Line) plain(format string, args ...any) {
	*l = append(*l, Piece{Text: fmt.Sprintf(format, args...)})
}

func (l *Line) add(k Kind, text string) { *l = append(*l, Piece{Text: text, Kind: k}) }

// String returns the line as text for a terminal.
func (l Line) String() string {
	var b strings.Builder
	for _, p := range l {
		switch p.Kind {
		case Plain:
			b.WriteString(p.Text)
		case Quoted:
			b.WriteString(`"` + escape.Line(escape.Clip(p.Text, maxQuoted)) + `"`)
		default:
			b.WriteString(escape.Line(p.Text))
		}
	}
	return b.String()
}

// maxQuoted bounds the characters shown of a quoted line.
const maxQuoted = 80

// Source names the origin of a finding, and counts the others.
func Source(f *finding.Finding) Line {
	o := order.FirstOrigin(f)
	l := Line{{o.Path, Name, o.URL}, {Text: ":" + Range(o.StartLine, o.EndLine)}}
	if o.Released != nil && !strings.Contains(f.DirectionReason, Date(*o.Released)) {
		l.plain(", released %s", Date(*o.Released))
	}
	if o.SameOwner {
		l.plain("; both have the same owner")
	}
	if h := f.Holder(); h != "" {
		l.plain("; its holder ")
		l.add(Said, h)
		l.plain(" brought the code here")
	}
	if from := o.CopiedFrom; from != nil {
		l.plain("; line %d there: ", from.Line)
		l.add(Quoted, from.Text)
	}
	if n := len(o.AlsoIn); n > 0 {
		l.plain("; also in %s of the package", Plural(n, "other file"))
	}
	if n := f.OriginCount - 1; n > 0 {
		l.plain("; also in %s (%s in all)", Plural(n, "other place"), Plural(f.PackageCount, "package"))
	}
	return l
}

// Older says which side is older, and by which dates.
func Older(f *finding.Finding) Line {
	var l Line
	switch f.Direction {
	case finding.DirectionFrom:
		l.plain("the origin")
	case finding.DirectionTo:
		l.plain("this code")
	default:
		l.plain("unknown")
	}
	if f.DirectionReason != "" {
		l.plain("; ")
		l.add(Said, f.DirectionReason)
	}
	return l
}

// Versions says which versions of the baseline have the origin. It returns nil for a single version.
func Versions(f *finding.Finding) Line {
	v := order.FirstOrigin(f).Versions
	if v == nil {
		return nil
	}
	var l Line
	l.plain("in %s from ", Plural(v.Count, "version"))
	l.add(Said, v.First)
	l.plain(" to ")
	l.add(Said, v.Last)
	return l
}

// LicenceOf names the licence of the origin, and says whether the target declares it and whether it fits. In Full it
// also says where the licence was read and that it fits.
func LicenceOf(f *finding.Finding, e Extent) Line {
	o := order.FirstOrigin(f)
	var l Line
	read := ReadFrom(&o)
	if o.License == license.NoAssertion {
		l.plain("unknown")
	} else {
		l.add(Said, o.License)
	}
	switch packaged := slices.Contains([]string{license.FromPackage, license.FromFile}, o.LicenseFrom.Kind); {
	case read == "":
	case o.License == license.NoAssertion:
		l.plain(": ")
		l.add(Said, read)
	case e == Full || !packaged:
		l.plain(" ")
		l.add(Said, read)
	}
	l.plain("; %s (", VerdictMeaning(f.Verdict))
	l.add(Said, cmp.Or(string(f.Verdict), "no verdict"))
	l.plain(")")
	if s := Compatibility(f); s != "" && (e == Full || f.Compatibility.Answer != license.Fits) {
		l.plain("; ")
		l.add(Said, s)
	}
	l.disagreement(f, o.License, e)
	return l
}

// disagreement says which licences the origins have, if these differ. An unknown licence contradicts none.
func (l *Line) disagreement(f *finding.Finding, first string, e Extent) {
	known := slices.DeleteFunc(slices.Clone(f.Licenses), func(s string) bool { return s == license.NoAssertion })
	switch {
	case len(known) > 1:
		l.plain("; the origins disagree: ")
		l.add(Said, strings.Join(known, ", "))
	case len(known) == len(f.Licenses):
	case first == license.NoAssertion && len(known) > 0:
		l.plain("; another origin has ")
		l.add(Said, known[0])
	case first != license.NoAssertion && e == Full:
		l.plain("; that of another origin is unknown")
	}
}

// Amount says how much of the target the finding covers, and how the code was changed.
func Amount(f *finding.Finding) Line {
	var l Line
	if f.Documentation {
		whole := "those in the file's comments"
		if f.Language == lang.Words().Name {
			whole = "the file"
		}
		l.plain("documentation copied: %s of a comment, %s of %s", Plural(f.Tokens, "word"), ofFile(f), whole)
		return l
	}
	l.plain("%s", Plural(f.Tokens, "token"))
	if n := len(f.Runs); n > 1 {
		l.plain(" in %d runs", n)
	}
	l.plain(", %s of the file", ofFile(f))
	if fn := f.Function; fn != nil {
		l.plain(", %s of function", Percent(fn.Share))
		if fn.Name != "" {
			l.plain(" ")
			l.add(Name, fn.Name)
		}
	}
	l.plain("; %s", Change(f.CloneType, f.Identifiers, f.Literals))
	if gaps := len(f.Runs) - 1; f.TypeAnnotations > 0 && 2*f.TypeAnnotations >= gaps {
		l.plain(", type annotations added (%d of %s)", f.TypeAnnotations, Plural(gaps, "gap"))
	}
	if f.Derived {
		l.plain(", derived: all runs together are the evidence")
	}
	return l
}

// ofFile returns the part of the file that a finding covers. A report rounds it, but a part is never nothing.
func ofFile(f *finding.Finding) string {
	if f.Tokens > 0 && f.FileShare == 0 {
		return "under 1%"
	}
	return Percent(f.FileShare)
}

// maxFunctions is how many pairs of functions are shown in short.
const maxFunctions = 5

// Functions pairs functions of the target with those of the origin, with the share of each that is matched. It repeats no name.
func Functions(f *finding.Finding, e Extent) (out []string) {
	for i, p := range f.Functions {
		if i == maxFunctions && e == Brief {
			return append(out, fmt.Sprintf("+%d more", len(f.Functions)-i))
		}
		name, lines, part := escape.Line(p.Name), Lines(p.StartLine, p.EndLine), Percent(p.Share)
		if p.Name == p.OriginName {
			out = append(out, fmt.Sprintf("%s (%s, %s of it)", name, lines, part))
			continue
		}
		out = append(out, fmt.Sprintf("%s (%s) is %s (%s of it)", name, lines, escape.Line(p.OriginName), part))
	}
	return out
}

// Derived says how much of both files the regions of a group cover. It returns "" unless some of it is derived and
// there is one file on either side.
func Derived(g []*finding.Finding) string {
	if files, _ := order.Places(g); files > 1 || order.FilesOf(g) > 1 {
		return ""
	}
	derived, here, there := false, 0.0, 0.0
	for _, f := range g {
		derived = derived || f.Derived
		here += f.FileShare
		if len(f.Origins) > 0 {
			there += f.Origins[0].FileShare
		}
	}
	if !derived {
		return ""
	}
	return fmt.Sprintf("; derived: %s of the file, %s of the origin's", Percent(min(1, here)), Percent(min(1, there)))
}

// ScoreOf returns the score, the score needed if it is known, and how names and literals of both sides compare.
func ScoreOf(f *finding.Finding, needed float64) Line {
	var l Line
	l.plain("%s", Score(f.Score))
	if needed > 0 {
		l.plain(" (%s needed)", Score(needed))
	}
	l.plain("; %s", strings.Join(agreement(f), ", "))
	return l
}

// consistency says whether renamed names show one map.
func consistency(renames []finding.Rename) string {
	if slices.ContainsFunc(renames, func(r finding.Rename) bool { return score.Consistently(r.Count) }) {
		return " consistently"
	}
	return " (each name once)"
}

// agreement counts unchanged and changed names and literals.
func agreement(f *finding.Finding) []string {
	ids, lits := f.Identifiers, f.Literals
	of := " of " + Plural(ids.Total, "name occurrence")
	var out []string
	switch {
	case ids.Total == 0:
		out = append(out, "no names")
	case ids.Renamed == 0:
		out = append(out, Number(ids.Unchanged)+of+" unchanged")
	default:
		out = append(out, Number(ids.Renamed)+of+" renamed"+consistency(f.Renames), Number(ids.Unchanged)+" unchanged")
	}
	if ids.Inconsistent > 0 {
		out = append(out, Number(ids.Inconsistent)+" renamed inconsistently")
	}
	if lits.Total > 0 {
		out = append(out, fmt.Sprintf("%s of %s equal", Number(lits.Equal), Plural(lits.Total, "literal")))
	}
	return out
}

package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// shownOfBundle is how many regions of a bundle, or of a group of notes, are shown without --verbose.
const shownOfBundle = 3

// group writes the regions of one group: those that one or more files share with one or more files of a package.
func (t *printer) group(g []*finding.Finding) {
	_, place := order.Places(g)
	place = escape.Line(place)
	if len(g) > 1 {
		o := order.FirstOrigin(g[0])
		pkg := escape.Line(order.PackageOf(g))
		from := pkg + " " + escape.Line(o.Path)
		if n := order.FilesOf(g); n > 1 {
			from = words.Plural(n, "file") + " of " + pkg
		}
		head := ""
		if place != "" {
			head = t.paint(bold, place) + "  "
		}
		fmt.Fprintf(t.w, "%s%s %s %s, %s%s\n\n", head, words.Regions(g), words.Relations(g), from, words.Plural(order.TokensOf(g), "token"), words.Derived(g))
	}
	var rest, same []*finding.Finding
	switch {
	case t.o.Verbose || t.o.All:
	case order.Shortened(g) || !slices.ContainsFunc(g, func(f *finding.Finding) bool { return !t.inShort(f) }):
		g, rest = gravest(g, shownOfBundle)
	default:
		g, same = words.Alike(g)
	}
	for _, f := range g {
		t.finding(f)
	}
	t.remaining(rest)
	t.list(same)
}

// gravest splits a group: its n gravest findings, and the others, both in their order.
func gravest(g []*finding.Finding, n int) (first, rest []*finding.Finding) {
	ranked := slices.Clone(g)
	slices.SortStableFunc(ranked, func(a, b *finding.Finding) int { return order.LevelRank(a.Level) - order.LevelRank(b.Level) })
	for _, f := range g {
		if slices.Contains(ranked[:min(n, len(g))], f) {
			first = append(first, f)
		} else {
			rest = append(rest, f)
		}
	}
	return first, rest
}

// remaining writes a line for each region that is not shown, or counts those of one file.
func (t *printer) remaining(rest []*finding.Finding) {
	if len(rest) == 0 {
		return
	}
	if files, place := order.Places(rest); files == 1 {
		fmt.Fprintf(t.w, "%s of this package in %s (%s); %s shows them\n\n", words.Plural(len(rest), "more region"), escape.Line(place), strings.Join(words.ByLevel(rest), ", "), t.verbose())
		return
	}
	t.list(rest)
}

// list writes a line for each of several regions.
func (t *printer) list(fs []*finding.Finding) {
	if len(fs) == 0 {
		return
	}
	for _, f := range fs {
		fmt.Fprintf(t.w, "%s, %s, score %s, finding %s\n", t.headline(f), words.Plural(f.Tokens, "token"), words.Score(f.Score), escape.Line(f.ID))
	}
	fmt.Fprintf(t.w, "%s (%s) in short; %s shows all of them\n\n", words.Plural(len(fs), "more region"), strings.Join(words.ByLevel(fs), ", "), t.verbose())
}

// finding writes a heading and labelled lines. Lines that few readers need are shown on request.
func (t *printer) finding(f *finding.Finding) {
	if t.inShort(f) {
		t.note(f)
		return
	}
	fmt.Fprintln(t.w, t.headline(f))
	t.sentence("source", words.Source(f))
	t.sentence("older", words.Older(f))
	t.sentence("licence", words.LicenceOf(f, t.extent()))
	if f.Rule != "" && (t.o.Verbose || f.Rule != string(f.Verdict)) {
		t.detail("rule", []string{escape.Line(f.Rule) + " of the policy"})
	}
	t.sentence("action", words.Action(f))
	t.sentence("amount", words.Amount(f))
	t.detail("function", words.Functions(f, t.extent()))
	t.sentence("score", words.ScoreOf(f, t.needed))
	t.detail("notice", notices(f, t.extent()))
	t.detail("history", words.History(f, t.extent()))
	if t.o.Verbose {
		t.rest(f)
	}
	fmt.Fprintln(t.w)
}

// inShort reports whether a finding is shown in short. Most notes ask for no action, and must not bury the findings that do.
func (t *printer) inShort(f *finding.Finding) bool {
	return !t.o.Verbose && !t.o.All && order.LevelRank(f.Level) > order.LevelRank("warning")
}

// note writes a finding in short: without its rule and its functions. The history is shown only if a history was scanned, a notice
// only if it names something of the origin, or another source.
func (t *printer) note(f *finding.Finding) {
	fmt.Fprintln(t.w, t.headline(f))
	t.sentence("source", words.Source(f))
	t.sentence("older", words.Older(f))
	t.sentence("licence", words.LicenceOf(f, t.extent()))
	t.sentence("action", words.Action(f))
	t.labelled("amount", strings.Fields(words.Amount(f).String()+"; score "+words.Score(f.Score)))
	other := f.Verdict == finding.AttributedElsewhere || f.Verdict == finding.AttributionWrong
	if ns := words.SortedNotices(f.Attributions); len(ns) > 0 && (other || ns[0].NamesOrigin()) {
		t.detail("notice", notices(f, t.extent()))
	}
	if t.history {
		t.detail("history", words.History(f, t.extent()))
	}
	fmt.Fprintln(t.w)
}

// headline states a finding's level, its location, and the package that has the code.
func (t *printer) headline(f *finding.Finding) string {
	level := strings.ToUpper(escape.Line(cmp.Or(f.Level, "warning")))
	head := t.paint(levelColors[order.LevelRank(f.Level)], level) + "  " + t.paint(bold, words.Span(f.Path, f.StartLine, f.EndLine))
	if len(f.Origins) > 0 {
		before, after := words.Relation(f)
		head += " " + before + " " + escape.Line(f.Origins[0].PURL) + after
	}
	return head
}

// rest writes the facts that the lines above leave out.
func (t *printer) rest(f *finding.Finding) {
	t.detail("runs", runs(f.Runs))
	t.detail("renames", words.Renames(f.Renames, words.Full))
	t.sentence("versions", words.Versions(f))
	t.others(f)
	t.partOrigins(f)
	t.detail("bits", []string{fmt.Sprintf("%.0f in this region", f.Bits), fmt.Sprintf("%.0f in another region of both files", f.Support)})
}

func runs(rs []finding.Run) []string {
	out := make([]string, len(rs))
	for i, r := range rs {
		out[i] = fmt.Sprintf("%d-%d = %d-%d (%s)", r.StartLine, r.EndLine, r.OriginStartLine, r.OriginEndLine, words.Plural(r.Tokens, "token"))
	}
	return out
}

// others lists the origins after the first.
func (t *printer) others(f *finding.Finding) {
	for i := 1; i < len(f.Origins); i++ {
		label := ""
		if i == 1 {
			label = "also in"
		}
		t.detail(label, []string{words.Origin(&f.Origins[i])})
	}
}

// partOrigins lists the part origins of a finding.
func (t *printer) partOrigins(f *finding.Finding) {
	count := words.PartCount(f)
	if count == "" {
		return
	}
	t.detail("part", []string{"part of it also " + count})
	for i := range f.PartOrigins {
		t.detail("", []string{partLine(&f.PartOrigins[i])})
	}
}

// partLine returns a part origin as plain text.
func partLine(p *finding.PartOrigin) string {
	s := fmt.Sprintf("%s = %s %s, %s", words.Range(p.StartLine, p.EndLine), escape.Line(p.PURL), words.Span(p.Path, p.OriginStartLine, p.OriginEndLine), words.Plural(p.Tokens, "token"))
	if why := words.PartWhy(p.Why); why != "" {
		s += " (" + why + ")"
	}
	return s
}

// extent is how much of a list the options ask for.
func (t *printer) extent() words.Extent {
	if t.o.Verbose {
		return words.Full
	}
	return words.Brief
}

// notices lists notices of the target and what each of them names: all of them, or the one that names most of the origin.
func notices(f *finding.Finding, e words.Extent) []string {
	var out []string
	for i, n := range words.SortedNotices(f.Attributions) {
		if i > 0 && e == words.Brief {
			return append(out, fmt.Sprintf("+%d more", len(f.Attributions)-i))
		}
		place := fmt.Sprintf("line %d", n.Line)
		if n.Path != "" {
			place = fmt.Sprintf("%s:%d", escape.Line(n.Path), n.Line)
		}
		out = append(out, fmt.Sprintf("%s: \"%s\" names %s", place, escape.Line(escape.Clip(n.Text, 80)), words.Names(n.Names)))
	}
	return out
}

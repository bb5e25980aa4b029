// Package describe makes findings of regions: what a report says of a region, of its origins, of the statements that the text makes
// on them, and of the comments that documents share. teller.go has the types. Each other file is a part of a finding: the region with its
// score, the origins, their releases and licences, the statements (attribute), the function, the excerpts, and the traces by which later
// steps find the region again. documentation.go makes findings of comments.
package describe

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Describer makes findings of the regions of one text after the other.
type Describer struct {
	teller
	regions *region.Gatherer
}

// New returns a describer of the regions of a gatherer.
func New(g *region.Gatherer, s Settings) *Describer {
	return &Describer{teller{Target: g.Target, settings: &s, documents: &heads{reader: g.Reader}}, g}
}

// Findings makes findings of regions, and counts those that are doubted or below a raised --min-score. strong are the matches that support others.
func (d *Describer) Findings(ctx context.Context, splits []origins.Split, strong region.Supports) (out []Found, weak lookup.Tally, err error) {
	out = make([]Found, len(splits))
	for i, s := range splits {
		if err := ctx.Err(); err != nil {
			return nil, weak, err
		}
		if err := ofModules(s.Origins); err != nil {
			return nil, weak, err
		}
		if out[i], err = d.scored(ctx, s, splits, strong); err != nil {
			return nil, weak, err
		}
	}
	d.continued(out)
	kept := make([]Found, 0, len(out))
	for i, s := range splits {
		doubted, err := d.doubted(out, i, s.Candidate)
		if err != nil {
			return nil, weak, err
		}
		if d.unwanted(out[i].Score) || doubted {
			weak.Add(s.Candidate.Best.From)
		} else {
			kept = append(kept, out[i])
		}
	}
	return kept, weak, nil
}

// finding makes a finding of a region. The callers add score, verdict, statements and signature.
func (t *teller) finding(split origins.Split) (Found, error) {
	c := split.Candidate
	best, ev, occurrences := c.Best, c.All(), split.Origins
	n := best.Tokens()
	inner, seen := best.Core(&t.Stream), best.Shown(&t.Stream)
	last := inner[len(inner)-1]
	from, to := seen.Target()
	firstByte, lastByte := lang.InFile(t.Path, t.File, t.Text, int(t.Tokens[from].Start), int(t.Tokens[to-1].End))
	f := Found{Finding: finding.Finding{
		ID: identity(&t.Stream, purl.Name(best.PURL), inner), Path: t.Path, Language: t.Language.Name,
		StartLine: t.Line(from), EndLine: t.LastLine(to - 1),
		StartByte: firstByte, EndByte: lastByte, FileSHA1: sha1Of(t.File),
		FileLines: t.Lines.Line(uint32(len(t.Text) - 1)),
		Tokens:    n, FileShare: finding.Round(float64(n) / float64(t.Unmasked)),
		Bits: finding.Round(c.Evidence.Bits), CloneType: ev.CloneType, Derived: c.Evidence.Aligned,
		Verdict: finding.Undeclared, Level: "warning", Direction: "unknown", Attributions: []finding.Notice{}, Reasons: []string{},
		Renames:     []finding.Rename{},
		Identifiers: finding.Names{Total: ev.Identifiers, Unchanged: ev.Unchanged, Inconsistent: ev.Inconsistent, Renamed: ev.Identifiers - ev.Unchanged - ev.Inconsistent},
		Literals:    finding.Literals{Total: ev.Literals, Equal: ev.Equal},
		Table:       isTable(t.Tokens, best.Runs) || isNamedNumbers(t.Text, t.Tokens, best.Runs) || t.isCounted(best.Runs),
	}, Core: git.Range{First: t.Line(inner[0].Target), Last: t.LastLine(last.TargetEnd() - 1)},
	}
	f.Documentation = t.Language == lang.Words() && !finding.Document(t.Path) && isCommented(t.Text[t.Tokens[from].Start:t.Tokens[to-1].End], t.lineOf(t.Tokens[from].Start))
	if t.settings.Traces {
		f.Trace = traceOf(&t.Stream, inner[0].Target, last.TargetEnd())
	}
	for _, r := range ev.Renames {
		f.Renames = append(f.Renames, finding.Rename{Origin: r.Origin, Target: r.Target, Count: r.Count})
	}
	for _, r := range best.Runs {
		f.Runs = append(f.Runs, span(&t.Stream, best.Doc, r))
	}
	packages := make(map[string]bool)
	for _, p := range occurrences {
		packages[purl.Name(p.PURL)] = true
	}
	f.PackageCount = len(packages)
	var err error
	if f.Origins, f.OriginCount, err = t.origins(occurrences); err != nil {
		return f, err
	}
	if err := t.parts(split, &f.Finding); err != nil {
		return f, err
	}
	f.Licenses = licenses(occurrences)
	f.Function = t.function(c.Region, best.Runs)
	if region.Owners(occurrences) >= t.Common {
		f.Verdict = finding.CommonCode
	}
	if o := f.Origins[0]; !t.settings.NoSource {
		f.Text = &finding.Sides{Target: finding.NewExcerpt(t.Text, f.StartLine, f.EndLine), Origin: excerptOf(best.Doc, o.StartLine, o.EndLine)}
	}
	return f, nil
}

// scored makes a finding of region s, with its score; all are the regions of the text.
func (d *Describer) scored(ctx context.Context, s origins.Split, all []origins.Split, strong region.Supports) (f Found, err error) {
	c := s.Candidate
	if f, err = d.finding(s); err != nil {
		return Found{}, err
	}
	if d.settings.Dates {
		f.Signature = signatureOf(&d.Stream, c.Best.Doc, c.Best.Runs)
	}
	needed, support := d.Needs(c.Evidence, d.ByDefault()), d.regions.Support(strong, c)
	if c.Within != nil { // compared with one document; support has already led to that document
		needed, support = d.NeededAmong(score.Enough, c.Within.Len()), 0
	}
	above := d.Weights.Supported(c.Evidence.Bits, support) - needed
	f.above = above
	traits := c.Evidence.Traits(above, support)
	f.Score, f.Support = d.Likely.Score(traits), finding.Round(support)
	f.ScoredBy = finding.Traits{Above: finding.Round(traits.Above), Order: finding.Round(traits.Order), Unchanged: finding.Round(traits.Unchanged), Supported: traits.Supported}
	if err := d.attribute(ctx, s, &f.Finding); err != nil || d.unwanted(f.Score) {
		return f, err
	}
	if slices.ContainsFunc(all, func(o origins.Split) bool {
		b := &o.Candidate
		return b.Best.Doc.Key == c.Best.Doc.Key && (b.Evidence.Aligned || b.Aligned)
	}) {
		f.Functions = d.pairs(c.Best.Doc, c.Best.Runs)
	}
	f.Reasons = d.reasons(&f.Finding, c, traits)
	if d.settings.Weighed != nil {
		err = d.weighed(f.Finding, c)
	}
	return f, err
}

// weighed reports a finding and its readings to Settings.Weighed.
func (d *Describer) weighed(f finding.Finding, c region.Candidate) error {
	best := c.Found()
	r, err := d.regions.Readings(best.Proof)
	if err != nil {
		return err
	}
	for i := range r.Runs {
		r.Runs[i].Tokens = slices.Clone(r.Runs[i].Tokens)
	}
	r.Directories = d.Hits.Directories(best.Match)
	from, to := best.Match.Origin()
	x := Weighed{Finding: f, Readings: r, Evidence: best.Evidence, Joined: c.Joined, Document: best.Doc.Hash.String(),
		From: int(from), To: int(to), Tokens: len(d.Tokens), Baseline: d.Known}
	if c.Within != nil {
		x.Within, x.Baseline = true, uint64(c.Within.Len())
	} else {
		x.Fewer = d.ByDefault() - d.Needs(best.Evidence, d.ByDefault())
	}
	d.settings.Weighed(x)
	return nil
}

// A table of numbers has a comma or a bracket for each number, at most two, and hardly any name.
const (
	numbersOfTable = 3  // at least one in so many tokens is a number
	namesOfTable   = 10 // at most one name for so many numbers
)

// isTable reports whether runs are a table of numbers.
func isTable(tokens []lang.Token, runs []match.Run) bool {
	all, numbers, others := 0, 0, 0
	for _, r := range runs {
		for _, t := range tokens[r.Target:r.TargetEnd()] {
			all++
			switch t.Class {
			case lang.Number:
				numbers++
			case lang.Identifier, lang.String:
				others++
			}
		}
	}
	return numbers*numbersOfTable >= all && others*namesOfTable <= numbers
}

// In a list of named numbers each number has a name, at most a type, a sign of assignment and a separator. leastNamed numbers make a list.
const (
	tokensOfNamed = 5
	leastNamed    = 8
)

// isNamedNumbers reports whether runs are a list of names that are given their numbers one by one, as standards, file formats and
// operating systems fix them: the classes of DWARF, the codes of HTTP.
func isNamedNumbers(text []byte, tokens []lang.Token, runs []match.Run) bool {
	all, named, others := 0, 0, 0
	for _, r := range runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			all++
			switch {
			case tokens[i].Class == lang.String:
				others++
			case tokens[i].Class != lang.Number:
			case i > 0 && string(text[tokens[i-1].Start:tokens[i-1].End]) == "=":
				named++
			default:
				others++
			}
		}
	}
	return named >= leastNamed && all <= tokensOfNamed*named && others*namesOfTable <= named
}

// lineOf returns what stands on the line of a byte before it.
func (t *teller) lineOf(at uint32) []byte {
	return t.Text[bytes.LastIndexByte(t.Text[:at], '\n')+1 : at]
}

// commentMarks begin comments in languages of settings and templates, none of which has a lexer of its own.
var commentMarks = []string{"#", "//", ";", "--", "%"}

// isComment reports whether a line is a comment: a mark, repeated at will, and a space.
func isComment(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return slices.ContainsFunc(commentMarks, func(m string) bool {
		rest := bytes.TrimLeft(line, m[:1])
		return bytes.HasPrefix(line, []byte(m)) && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
	})
}

// isCommented reports whether all lines of a region are comments; before is what its first line has before it.
func isCommented(region, before []byte) bool {
	for line := range bytes.Lines(append(bytes.Clone(before), region...)) {
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) > 0 && !isComment(line) {
			return false
		}
	}
	return true
}

// tokensOfCounted is how many tokens there are at most for each name that stands alone in a list that Go counts: some have values.
const tokensOfCounted = 4

// isCounted reports whether runs are a list that Go counts: "A = iota", then a name a line. Only embedded fields stand alone too.
func (t *teller) isCounted(runs []match.Run) bool {
	if t.Language.Name != "go" {
		return false
	}
	alone, all := 0, 0
	for _, r := range runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			all++
			line := t.Line(i)
			shared := i > 0 && t.Line(i-1) == line || int(i)+1 < len(t.Tokens) && t.Line(i+1) == line
			if t.Tokens[i].Class == lang.Identifier && !shared {
				alone++
			}
		}
	}
	return alone >= leastNamed && all <= tokensOfCounted*alone
}

// sha1Of returns the SHA-1 of a content, which SPDX asks for. Nothing relies on it.
func sha1Of(text []byte) string {
	sum := sha1.Sum(text)
	return hex.EncodeToString(sum[:])
}

// identity returns a finding's id: a hash of the matched content and the origin's package. It contains no line, path or commit,
// so edits above the region, moves, rebases and squashes do not change it.
func identity(st *text.Stream, name string, core []match.Run) string {
	h := sha256.New()
	h.Write([]byte(name))
	h.Write([]byte{0})
	var b []byte
	for _, r := range core {
		for _, t := range st.Tokens[r.Target : r.Target+r.Len] {
			b = binary.LittleEndian.AppendUint32(b, t.Kind)
			if t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number {
				b = append(b, st.Text[t.Start:t.End]...)
				b = append(b, 0)
			}
		}
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// reasons explains in words why a finding has its score.
func (t *teller) reasons(f *finding.Finding, c region.Candidate, by score.Traits) []string {
	ev := c.Evidence
	ev.Bits = f.Bits // rounded, as it is reported
	a := score.Account{
		Evidence: ev, Support: f.Support, MinScore: t.MinScore, Score: f.Score, ScoredBy: by, Tokens: f.Tokens, Runs: len(f.Runs), File: len(t.Tokens),
		Baseline: t.Known, Packages: f.PackageCount,
	}
	switch {
	case c.Within != nil:
		a.Within = c.Within.Len()
	default:
		a.Less = -t.Needs(ev, 0)
	}
	if c.Completed != nil {
		core := c.Found()
		a.Tokens, a.Runs, a.Rest = core.Tokens(), len(core.Runs), f.Tokens-core.Tokens()
	}
	return t.Weights.Reasons(a)
}

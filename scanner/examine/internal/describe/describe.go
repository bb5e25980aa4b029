// Package describe makes findings of regions: what a report says of a region, of its origins, of the statements that the text makes
// on them, and of the comments that documents share. Each file has a part of a finding:
//
//	types.go          Found, what findings are made with, what the evaluation gets
//	describe.go       Findings: the order of the parts; the fields that follow from the region and its evidence
//	scored.go         the score and its reasons
//	doubt.go          which findings are seldom copies, and are not reported
//	origins.go        the origins and part origins
//	releases.go       since when a package has the region, by the versions in the baselines
//	licence.go        the licences of origins in bundles
//	attribute.go      the statements of the target on the origins, and the verdict
//	function.go       the function around the region, and pairs of functions
//	table.go          whether the region is a table of numbers or a list of constants
//	excerpt.go        the lines of both sides
//	trace.go          the traces by which later steps find the region again
//	documentation.go  findings of comments
package describe

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// Describer makes findings of the regions of one text after the other.
type Describer struct {
	text    *text.Examined
	judge   *evidence.Judge
	regions *region.Gatherer
	drafter drafter // of the text
}

// New returns a describer for the text that t currently holds.
func New(t *text.Examined, j *evidence.Judge, g *region.Gatherer, s Settings) *Describer {
	return &Describer{t, j, g, drafter{text: t, settings: &s, origin: &statements{reader: t.Reader}}}
}

// Under sets the notice files that the next texts are under. They may be nil.
func (d *Describer) Under(n *verdict.Notices) { d.drafter.settings.Notices = n }

// Findings makes findings of regions, and counts those that are doubted or below a raised --min-score. strong are the matches that support others.
func (d *Describer) Findings(ctx context.Context, regions []origins.Divided, strong region.Supports) (out []Found, weak lookup.Tally, err error) {
	out = make([]Found, len(regions))
	for i, s := range regions {
		if err := ctx.Err(); err != nil {
			return nil, weak, err
		}
		if err := ofModules(s.Origins); err != nil {
			return nil, weak, err
		}
		if out[i], err = d.scored(ctx, s, regions, strong); err != nil {
			return nil, weak, err
		}
	}
	d.continued(out)
	headless(out)
	kept := make([]Found, 0, len(out))
	doubts := newDoubts(d.text, d.judge, out, regions)
	for i, s := range regions {
		doubted, err := doubts.doubted(i)
		if err != nil {
			return nil, weak, err
		}
		if d.drafter.unwanted(out[i].Score) || doubted {
			weak.Add(s.Candidate.Best.From)
		} else {
			kept = append(kept, out[i])
		}
	}
	return kept, weak, nil
}

// finding makes a finding of a region. The callers add score, verdict, statements and signature.
func (t *drafter) finding(divided origins.Divided) (f Found, err error) {
	c, occurrences := divided.Candidate, divided.Origins
	f = t.matched(c)
	packages := make(map[string]bool)
	for _, p := range occurrences {
		packages[purl.Name(p.PURL)] = true
	}
	f.PackageCount = len(packages)
	if f.Origins, f.OriginCount, err = t.origins(occurrences); err != nil {
		return f, err
	}
	if err := t.parts(divided, &f.Finding); err != nil {
		return f, err
	}
	f.Licenses = licenses(occurrences)
	f.Function = t.function(c.Region, c.Best.Runs)
	if divided.Owners() >= t.text.Rules.Common {
		f.Verdict = finding.CommonCode
	}
	if o := f.Origins[0]; !t.settings.NoSource {
		f.Text = &finding.Sides{Target: finding.NewExcerpt(t.text.Text, f.StartLine, f.EndLine), Origin: excerptOf(c.Best.Doc, o.StartLine, o.EndLine)}
	}
	return f, nil
}

// matched makes a finding with the fields that follow from the region and the evidence of its best match. Verdict, level and
// direction have the values for a finding of which nothing else is known.
func (t *drafter) matched(c region.Candidate) Found {
	st := &t.text.Stream
	best, ev := c.Best, c.WholeEvidence()
	n := best.Tokens()
	inner, seen := best.Core(st), best.Shown(st)
	last := inner[len(inner)-1]
	from, to := seen.Target()
	firstByte, lastByte := lang.InFile(st.Path, st.File, st.Text, int(st.Tokens[from].Start), int(st.Tokens[to-1].End))
	f := Found{Finding: finding.Finding{
		ID: identity(st, purl.Name(best.PURL), inner), Path: st.Path, Language: st.Language.Name,
		StartLine: st.Line(from), EndLine: st.LastLine(to - 1),
		StartByte: firstByte, EndByte: lastByte, FileSHA1: t.text.FileSHA1(),
		FileLines: st.Lines.Line(uint32(len(st.Text) - 1)),
		Tokens:    n, FileShare: finding.Round(float64(n) / float64(t.text.Unmasked)),
		Bits: finding.Round(c.Evidence.Bits), CloneType: ev.CloneType, Derived: c.Evidence.Derived,
		Verdict: finding.Undeclared, Level: "warning", Direction: "unknown", Attributions: []finding.Notice{}, Reasons: []string{},
		Renames:     []finding.Rename{},
		Identifiers: finding.NamesOf(ev.Identifiers, ev.Unchanged, ev.Inconsistent),
		Literals:    finding.Literals{Total: ev.Literals, Equal: ev.Equal},
		Table:       st.IsTable(best.Runs) || isNamedNumbers(st.Text, st.Tokens, best.Runs) || t.isCounted(best.Runs),
	}, Core: linediff.Range{First: st.Line(inner[0].Target), Last: st.LastLine(last.TargetEnd() - 1)},
	}
	f.Documentation = st.Language == lang.Words() && !finding.Document(st.Path) && isCommented(st.Text[st.Tokens[from].Start:st.Tokens[to-1].End], t.lineOf(st.Tokens[from].Start))
	if f.CloneType == 3 {
		f.TypeAnnotations = t.annotated(best.Doc, best.Runs)
	}
	if t.settings.Traces {
		f.Trace = traceOf(st, inner[0].Target, last.TargetEnd())
	}
	for _, r := range ev.Renames {
		f.Renames = append(f.Renames, finding.Rename{Origin: r.Origin, Target: r.Target, Count: r.Count})
	}
	for _, r := range best.Runs {
		f.Runs = append(f.Runs, span(st, best.Doc, r))
	}
	return f
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

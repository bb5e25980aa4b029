package describe

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// maxSources is the number of a finding's occurrences that statements are compared with. The file is read too for the first
// region.LeadingJudged of them.
const maxSources = 32

// sources lists the occurrences that a statement may name, one for each package.
func (t *drafter) sources(divided origins.Divided) ([]verdict.Source, error) {
	var out []verdict.Source
	seen, read, target := make(map[string]bool), 0, t.text.Rules.Self.Repositories()
	for _, p := range divided.Claimed() {
		name := purl.Name(p.PURL)
		if seen[name] || len(out) == maxSources {
			continue
		}
		seen[name] = true
		s := verdict.NewSource(p.PURL, p.Path, p.License)
		s.Target = target
		from, _ := p.Match.Origin()
		s.FileShare, s.Begins, s.Weak = float64(p.Tokens())/math.Max(float64(p.Doc.Tokens), 1), from <= evidence.Margin, p.Why == finding.PartWeak || p.Why == finding.PartUnlikely
		if read < region.LeadingJudged {
			if _, err := p.Doc.Read(); err != nil {
				return nil, err
			}
			s.Reads(t.origin.read(p.Doc))
			first, end := p.Shown(&t.text.Stream).Origin()
			s.From, s.To = p.Doc.Stream.Line(first), p.Doc.LastLine(end-1)
			read++
		}
		out = append(out, s)
	}
	return out, nil
}

// attribute adds the target's statements on a finding to it, and the verdict that follows.
func (t *drafter) attribute(ctx context.Context, divided origins.Divided, f *Found) error {
	question := verdict.Question{Path: t.text.Path, From: f.StartLine, To: f.EndLine, Target: t.text.Statements(), Parts: divided.Names(), Common: f.Verdict == finding.CommonCode}
	if f.Function != nil {
		question.Function = f.Function.StartLine
	}
	var err error
	if question.Sources, err = t.sources(divided); err != nil {
		return err
	}
	a, err := question.Answer(ctx, t.settings.Notices, t.settings.Names)
	if err != nil {
		return err
	}
	f.copied, f.Attributions, f.Compatibility, f.Verdict = a.Copied, a.Attributions, a.Compatibility, a.Verdict
	f.Origins[0].CitesTarget, f.Origins[0].CopiedFrom = cmp.Or(f.Origins[0].CitesTarget, a.CitesTarget), a.Third
	return nil
}

// continued gives a region the module head of the region before it, if both are parts of one copy: an edit in the middle of a
// module leaves the head above the first part only. Both must come from one file, in the same order and at about the same distance,
// and no notice between them may begin another module.
func (d *Describer) continued(fs []Found) {
	order := make([]*finding.Finding, len(fs))
	for i := range fs {
		order[i] = &fs[i].Finding
	}
	slices.SortStableFunc(order, func(a, b *finding.Finding) int { return cmp.Compare(a.StartLine, b.StartLine) })
	for i := 1; i < len(order); i++ {
		before, f := order[i-1], order[i]
		accused := f.Verdict == finding.Undeclared || f.Verdict == finding.LicenceStripped
		if !accused || before.Verdict != finding.Attributed || !slices.ContainsFunc(before.Attributions, verdict.OfModule) {
			continue
		}
		a, b := &before.Origins[0], &f.Origins[0]
		gap := f.StartLine - before.EndLine
		if a.PURL == b.PURL && a.Path == b.Path && a.EndLine <= b.StartLine && gap <= 2*(b.StartLine-a.EndLine)+moduleGap &&
			!d.text.Statements().Between(before.EndLine, f.StartLine) {
			f.Verdict, f.Attributions = finding.Attributed, before.Attributions
		}
	}
}

// moduleGap is how many lines more than in the origin may lie between two parts of a module.
const moduleGap = 40

// headless gives one verdict to the regions from one file: if most of the file was copied without its head, the head is missing above its
// other parts too.
func headless(fs []Found) {
	type file struct{ purl, path string }
	stripped := map[file]bool{}
	for i := range fs {
		if f := &fs[i].Finding; f.Verdict == finding.LicenceStripped {
			stripped[file{f.Origins[0].PURL, f.Origins[0].Path}] = true
		}
	}
	for i := range fs {
		if f := &fs[i].Finding; f.Verdict == finding.Undeclared && stripped[file{f.Origins[0].PURL, f.Origins[0].Path}] {
			f.Verdict = finding.LicenceStripped
		}
	}
}

package describe

import (
	"bytes"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/sharedcomments"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// commentOwners is how many owners make a comment common: it then belongs to nobody.
const commentOwners = 3

// Documentation makes findings of comments that agree. Comments beside code with the bits of a finding with the same package are left
// out. --min-tokens is applied last, so that a larger minimum only shortens the list.
func (d *Describer) Documentation(ctx context.Context, shared sharedcomments.Shared, code []region.Candidate) ([]Found, error) {
	ps := sharedcomments.Proofs(shared.Runs, d.text.Rules.Least)
	if len(ps) == 0 {
		return nil, nil
	}
	others, _, err := d.regions.OccurrencesOf(ps)
	if err != nil {
		return nil, err
	}
	ps = slices.DeleteFunc(ps, func(p evidence.Proof) bool { return len(others[p.Doc.Key]) == 0 })
	var out []Found
	for _, r := range region.Gather(ps) {
		occs := r.Ranked(others)
		if occs[0].Tokens() < d.text.Rules.MinTokens || ownersOf(occs) >= commentOwners || nextTo(code, shared.Behind(int(r.From)), occs) {
			continue
		}
		f, ok, err := d.documented(ctx, r, occs, shared.Words)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// ownersOf counts the owners of packages that have a comment. Copies in vendored directories do not count.
func ownersOf(occs []region.Occurrence) int {
	return region.Owners(slices.DeleteFunc(slices.Clone(occs), func(o region.Occurrence) bool { return o.Vendored }))
}

// nextTo reports whether code with one of the packages covers a token or ends within evidence.Margin tokens of it.
func nextTo(code []region.Candidate, at int, occs []region.Occurrence) bool {
	return slices.ContainsFunc(code, func(c region.Candidate) bool {
		return int(c.From) <= at+evidence.Margin && at <= int(c.To)+evidence.Margin && slices.ContainsFunc(c.Occurrences, func(o region.Occurrence) bool {
			return slices.ContainsFunc(occs, func(p region.Occurrence) bool { return purl.Name(o.PURL) == purl.Name(p.PURL) })
		})
	})
}

// documented makes the finding of a comment. A comment is judged as prose: as a text of words.
func (d *Describer) documented(ctx context.Context, r region.Region, occs []region.Occurrence, words []lang.Token) (Found, bool, error) {
	rules := d.text.Rules
	best := occs[0]
	code, lines := d.text.Stream, lang.Lines(best.Doc.Text())
	run := best.Runs[0]
	ev := rules.CommentWeights.Alone(d.judge.CommentRun(words[run.Target:run.Target+run.Len], best.Doc.Stream.AppendTokens(nil, run.Origin, run.Origin+run.Len), &lines))
	if ev.Bits < d.text.Needed(rules.MinScore) {
		return Found{}, false, nil
	}
	for i := range occs {
		occs[i].Bits = finding.Round(ev.Bits * occs[i].Share)
	}
	prose := drafter{text: &text.Examined{
		Rules: rules, Unmasked: len(words), Functions: func() []functions.Function { return nil }, Statements: d.text.Statements, FileSHA1: d.text.FileSHA1,
		Stream: text.Stream{Path: code.Path, Language: lang.Words(), Text: code.Text, File: code.File, Tokens: words, Lines: code.Lines},
	}, settings: d.drafter.settings, origin: d.drafter.origin}
	traits := func(bits float64) score.Traits {
		return score.Traits{Above: bits - d.text.Needed(score.Enough), Order: 1, Unchanged: 1}
	}
	likely := func(bits float64) float64 { return rules.Likely.Score(traits(bits)) }
	all := origins.OfComment(region.Candidate{Region: r, Best: best, Occurrences: occs, Evidence: ev}, likely)
	f, err := prose.finding(all)
	if err != nil {
		return f, false, err
	}
	f.Documentation, f.Language, f.Signature = true, code.Language.Name, d.signatureOfWords(words[run.Target:run.Target+run.Len])
	f.Score, f.ScoredBy = likely(ev.Bits), finding.Traits{Above: finding.Round(traits(ev.Bits).Above), Order: 1, Unchanged: 1}
	if d.drafter.unwanted(f.Score) {
		return f, false, nil
	}
	if err := prose.attribute(ctx, all, &f); err != nil {
		return f, false, err
	}
	f.Reasons = rules.Weights.Documentation(score.Account{Evidence: ev, MinScore: rules.MinScore, Tokens: f.Tokens, File: len(code.Tokens), Baseline: rules.BaselineTokens, Packages: f.PackageCount})
	return f, true, nil
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

// lineOf returns the part of a byte's line that is before the byte.
func (t *drafter) lineOf(at uint32) []byte {
	return t.text.Text[bytes.LastIndexByte(t.text.Text[:at], '\n')+1 : at]
}

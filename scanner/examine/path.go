// Package examine compares texts of a target with baselines, one text at a time, and returns the findings. Package scanner chooses
// the texts, package report shows the findings. This is the path of a text, with what each step returns:
//
//	tokenizer.tokenize      a content → Stream: the text and its tokens
//	compareEarlier          an earlier version → text.Earlier: the tokens that both have
//	query.lookup            Stream → lookup.Hits: its fingerprints that baselines have too; the tokens of base code
//	Examined.Begin          all of these → text.Examined, which the other steps read
//	prove.Prove             Examined → prove.Proved: matches with documents, verified on the tokens of both sides
//	sharedcomments.Find     Examined → sharedcomments.Shared: comments that documents share
//	query.candidates        matches, comments → gathered: []region.Candidate, the regions with their best origins; derived code
//	origins.Divide          []region.Candidate → []origins.Divided: the origins and part origins of each region
//	derived.Complete        origins.Divided → the same, with the rests of functions that are copied for the most part
//	describe.Findings       []origins.Divided → []Found: findings with their scores; doubted ones are left out
//	describe.Documentation  sharedcomments.Shared → []Found: comments that are findings by themselves
//
// This file calls the steps. The others are around it:
//
//	examine.go  Options; Examiner, which all workers share
//	worker.go   Worker: reads one Input (input.go) and examines it
//	tokenize.go, earlier.go  the first two steps
//	allow.go    allow comments of the text
//	draft.go    Draft: a report in the making, which takes the outputs
//
// Each step is a package below internal, the lowest first: lookup, documents, text, filter, evidence, prove,
// region, sharedcomments, derived, origins, describe. They keep only buffers and caches from one text to the next.
//
// All steps share one text.Examined, in the field text. A step that needs another one has it in a field: judge is the evidence.Judge,
// regions the region.Gatherer. So text.Rules.X is a setting of the scan, and text.X is about the text.
package examine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/derived"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/describe"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/prove"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/sharedcomments"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// query holds the steps and the text that they read.
type query struct {
	text      *text.Examined
	tokenizer tokenizer
	prover    *prove.Prover
	comments  *sharedcomments.Reader
	regions   *region.Gatherer
	derived   *derived.Search
	origins   *origins.Divider
	describe  *describe.Describer
}

// newQuery sets up the steps for one text after the other.
func newQuery(e *Examiner) *query {
	r := &e.rules
	t := &text.Examined{Rules: r, Reader: new(verdict.Reader), Hits: lookup.New(lookup.Index{Baselines: r.Baselines, Keys: r.Keys, Params: r.Params, BaseCode: r.BaseCode})}
	p, j := prove.New(t), evidence.NewJudge(t)
	g := region.New(t, j)
	return &query{
		text:      t,
		tokenizer: tokenizer{lang.NewTokenizer(lang.Limits{}), e.o},
		prover:    p,
		comments:  sharedcomments.New(t),
		regions:   g,
		derived:   derived.New(t, j, g, p),
		origins:   origins.New(t, j, g),
		describe: describe.New(t, j, g, describe.Settings{
			MaxOrigins: e.o.MaxOrigins, NoSource: e.o.NoSource, Weighed: e.o.Weighed,
			Traces: e.project.Traces, Dates: e.project.Dates,
			Names: e.names, Releases: e.releases,
		}),
	}
}

// examine examines a text, limited to its differences from the version before, if there is one. whole is false if it was limited.
func (q *query) examine(ctx context.Context, in Input, data []byte) (out Output, whole bool, err error) {
	st, entries := q.tokenizer.tokenize(in, data)
	out = Output{Files: 1, Bytes: int64(len(data)), Tokens: int64(len(st.Tokens)), Entries: entries}
	if st.Language != nil {
		out.Language = st.Language.Name
	}
	earlier, longest, err := compareEarlier(ctx, &st, in.Earlier)
	if err != nil {
		return out, false, err
	}
	out.Longest, whole = longest, len(earlier.Same) == 0
	if len(st.Tokens) < q.text.Rules.Params.K && !q.comments.Any(&st) {
		out.Inline = allow(in, &st, nil)
		return out, whole, nil
	}
	masked, entries, err := q.lookup(ctx, &st)
	if err != nil {
		return out, whole, err
	}
	q.text.Begin(st, masked, earlier)
	found, err := q.find(ctx)
	if err != nil {
		return out, whole, err
	}
	out.Entries, out.Aligned = slices.Concat(out.Entries, entries, found.entries), found.aligned
	out.Inline = allow(in, &st, found.list)
	for i := range found.list {
		if in.Keep == nil || in.Keep(st, &found.list[i]) {
			out.Findings = append(out.Findings, found.list[i])
		}
	}
	return out, whole, nil
}

// lookup collects the hits of a text by document. masked marks its base code; it is nil if there is none.
func (q *query) lookup(ctx context.Context, st *Stream) (masked []bool, entries []finding.Entry, err error) {
	left, err := q.text.Hits.Find(ctx, st.Language, st.Tokens)
	if err != nil {
		return nil, nil, err
	}
	note := func(reason lang.Reason, format string, args ...any) {
		entries = append(entries, finding.Entry{Path: st.Path, Reason: reason, Detail: fmt.Sprintf(format, args...)})
	}
	if left.Masked != nil {
		note(finding.ReasonBaseCode, "%d of %d tokens are base code", match.Count(left.Masked), len(st.Tokens))
	}
	if left.Capped.N > 0 {
		note(finding.ReasonCommon, "%d of %d fingerprints occur in the baseline more often than the %d positions that the index stores; the first at line %d",
			left.Capped.N, left.Fingerprints, baseline.MaxPostings, st.Line(left.Capped.First))
	}
	if left.Repeated.N > 0 {
		note(finding.ReasonRepetitive, "%s with more than %d occurrences in the file; the first at line %d",
			finding.Count(left.Repeated.N, "fingerprint"), lookup.MaxRepeats, st.Line(left.Repeated.First))
	}
	return left.Masked, entries, nil
}

// outcome is the result of the steps after the look-up.
type outcome struct {
	list    []Found
	entries []finding.Entry
	aligned bool // an alignment in full was made, in this version of the text or in the earlier one
}

// find runs the steps after the look-up.
func (q *query) find(ctx context.Context) (outcome, error) {
	proved, err := q.prover.Prove(ctx)
	if err != nil {
		return outcome{}, err
	}
	shared, err := q.comments.Find(ctx)
	if err != nil {
		return outcome{}, err
	}
	rs, err := q.candidates(ctx, proved.Proofs, shared.Runs)
	if err != nil {
		return outcome{}, err
	}
	regions, err := q.origins.Divide(ctx, rs.list)
	if err != nil {
		return outcome{}, err
	}
	for i := range regions {
		if err := ctx.Err(); err != nil {
			return outcome{}, err
		}
		s := &regions[i]
		if s.Cited {
			rs.strong.Add(s.Candidate.Best.Doc.Key, s.Candidate.Judgement().Judged(), q.text.Needed(q.text.Rules.MinScore))
		}
		if s.Candidate, s.Origins, err = q.derived.Complete(s.Candidate, s.Origins); err != nil {
			return outcome{}, err
		}
	}
	rs.strong.Sort()
	found, weak, err := q.describe.Findings(ctx, regions, rs.strong)
	if err != nil {
		return outcome{}, err
	}
	code := rs.short // a comment beside code that is too short to be shown is no finding either
	for _, s := range regions {
		code = append(code, s.Candidate)
	}
	documented, err := q.describe.Documentation(ctx, shared, code)
	if err != nil {
		return outcome{}, err
	}
	return outcome{
		list: append(found, documented...), aligned: q.text.Earlier.Aligned || rs.aligned,
		entries: slices.Concat(proved.Entries, q.unfound(rs.own, rs.weak.Plus(weak)), rs.omitted.Entries(q.text.Path), shared.Entries,
			q.prover.NoteBoilerplate(slices.Concat(proved.Boilerplate, rs.boilerplate))),
	}, nil
}

// gathered are the regions of a text, before their origins are divided, and the matches that became none.
type gathered struct {
	list        []region.Candidate
	short       []region.Candidate // of fewer tokens than --min-tokens
	strong      region.Supports    // matches whose bits support other regions
	own         region.Own         // occurrences that are the target itself
	weak        lookup.Tally       // matches with too little information
	aligned     bool               // an alignment in full was made
	boilerplate []int              // spans that were left out of alignments
	omitted     derived.Omitted    // derived code that was not searched for
}

// candidates gathers proofs into regions that have enough information:
//
//	Regions           proofs → regions, each with its best origin
//	Supporting        bits that regions of one document add to each other; regions with too few bits are dropped
//	Fold              if two regions mostly overlap, one is kept
//	derived.Find      derived code beside the regions, and in documents without a proof
//	Join              regions of one file of a package that share lines become one
//	derived.WithRoom  how far the rests of their functions may reach
//	partition         --min-tokens, after every step that changes a region, so that a larger minimum only shortens the list
//	derived.AddNamed  files of the package that the path of the best origin names
//	PreferNamed       such a file becomes the best origin
//	PreferElder       of equal origins, the package that had the region in an older version becomes the best one
func (q *query) candidates(ctx context.Context, ps []evidence.Proof, rs []sharedcomments.Run) (out gathered, err error) {
	cs, own, err := q.regions.Regions(ps)
	if err != nil {
		return out, err
	}
	needed := q.text.Needed(q.text.Rules.MinScore)
	strong, certain := region.Supporting(cs, needed), derived.CertainRuns(cs)
	cs, weak := partition(cs, func(c region.Candidate) bool {
		return q.regions.Total(strong, c.Judgement()) < needed // compared in bits, because the score is rounded
	})
	found, err := q.derived.Find(ctx, derived.Known{Candidates: q.regions.Fold(cs), Certain: certain, Strong: strong, CommentRuns: rs})
	if err != nil {
		return out, err
	}
	if cs, err = q.regions.Join(found.Candidates); err != nil {
		return out, err
	}
	cs, short := partition(q.derived.WithRoom(cs), func(c region.Candidate) bool { return c.Best.Tokens() < q.text.Rules.MinTokens })
	cs, named, err := q.derived.AddNamed(ctx, cs)
	if err != nil {
		return out, err
	}
	if cs, err = q.regions.PreferNamed(cs); err != nil {
		return out, err
	}
	cs = q.regions.PreferElder(cs)
	return gathered{cs, short, strong, own, tally(weak).Plus(tally(short)), found.Aligned || named, found.Boilerplate, found.Omitted}, nil
}

// partition divides candidates into those that are kept and those that are dropped.
func partition(cs []region.Candidate, drop func(region.Candidate) bool) (kept, dropped []region.Candidate) {
	for _, c := range cs {
		if drop(c) {
			dropped = append(dropped, c)
		} else {
			kept = append(kept, c)
		}
	}
	return kept, dropped
}

// tally counts candidates, and keeps the first token of the first one.
func tally(cs []region.Candidate) (t lookup.Tally) {
	for _, c := range cs {
		t.Add(c.Best.From)
	}
	return t
}

// unfound lists matches that became no finding: those with the target's own packages, and those with too little information.
func (q *query) unfound(own region.Own, weak lookup.Tally) (entries []finding.Entry) {
	named := make(map[string]int)
	for p, n := range own {
		named[fmt.Sprintf("%s, which is the target itself by its %s", purl.Name(p.PURL), p.Declaration)] += n
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		entries = append(entries, finding.Entry{Path: q.text.Path, Reason: finding.ReasonOwnPackage, Detail: finding.Count(named[name], "origin") + " in " + name})
	}
	if weak.N > 0 {
		entries = append(entries, finding.Entry{Path: q.text.Path, Reason: finding.ReasonBelowThreshold, Detail: fmt.Sprintf("%s with too little information for a finding; the first at line %d", finding.Count(weak.N, "match"), q.text.Line(weak.First))})
	}
	return entries
}

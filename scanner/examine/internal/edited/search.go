// Package edited finds copies in which every run is too short to be a match, because people edited the code every few tokens. The
// files:
//
//	pass      the types: what a search is given, keeps and returns
//	search    Find: the order of these four; alignments become candidates
//	leads     documents (leads) with rare fingerprints, pairs of rare names, or comments of the text
//	places    the positions in a lead that are tried, and align, which aligns the text with the lead there
//	tables    documents with the same numbers in a table
//	source    the rest of the text, compared with documents that are origins of other regions
//	named     AddNamed: files of the package that the path of an origin names
//	complete  Complete: the rest of a function, if a region has most of it
//
// docs/ARCHITECTURE.md describes the steps under "Edited code".
package edited

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/remarks"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Find finds code that was edited so often that no long run is left. It adds up the tokens that agree along the best alignment.
// If part of an alignment is a finding already, the finding gets all of it. Unchanged tokens are no seeds.
func (se *Search) Find(ctx context.Context, k Known) (Found, error) {
	if se.Language == lang.Words() {
		return Found{Candidates: k.Candidates}, nil
	}
	around := se.Params.K + probeReach
	if se.Earlier.Aligned {
		around = se.Params.K + alignReach
	}
	pass := pass{Search: se}
	found, err := pass.alignments(ctx, k, match.Union(slices.Concat(k.Certain, se.Unchanged(around))))
	if err != nil {
		return Found{}, err
	}
	return Found{Candidates: se.merge(k.Candidates, found, k.Strong), Aligned: pass.full, Helpers: pass.helpers, Omitted: pass.omitted}, nil
}

// alignments aligns the text with leads, then with documents that share its tables, then the rest of the text with the sources of
// both. It makes candidates of the alignments. Tokens in done are no seeds.
func (ps *pass) alignments(ctx context.Context, k Known, done []match.Interval) ([]region.Candidate, error) {
	if err := ps.alignLeads(ctx, done, k.Remarks); err != nil {
		return nil, err
	}
	if err := ps.addTables(ctx, done); err != nil || len(ps.proofs)+len(k.Candidates) == 0 {
		return nil, err
	}
	known, _, err := ps.SourcesOf(ps.proofs)
	if err != nil {
		return nil, err
	}
	ps.proofs = slices.DeleteFunc(ps.proofs, func(p evidence.Proof) bool { return len(known[p.Doc.Key]) == 0 })
	judged, err := ps.judgeAll(nil, ps.proofs)
	if err != nil {
		return nil, err
	}
	sources := ps.proven(k.Candidates, judged)
	n := len(ps.proofs)
	for _, d := range sources {
		if err := ps.alignRest(ctx, d, k.Certain); err != nil {
			return nil, err
		}
	}
	all := ps.chained(ps.proofs)
	if judged, err = ps.judgeAll(judged, all[n:]); err != nil {
		return nil, err
	}
	if known, _, err = ps.SourcesOf(all); err != nil {
		return nil, err
	}
	return ps.candidates(all, judged, known, sources), nil
}

// judgeAll appends the evidence of alignments.
func (se *Search) judgeAll(judged []score.Evidence, ps []evidence.Proof) ([]score.Evidence, error) {
	for _, p := range ps {
		ev, err := se.Weigh(p)
		if err != nil {
			return nil, err
		}
		judged = append(judged, se.Weights.Rarer(ev, se.Hits.Directories(p.Match)))
	}
	return judged, nil
}

// alignLeads aligns the text with leads from rare fingerprints, then from pairs of names, then from comments. Each way has its
// own limit.
func (ps *pass) alignLeads(ctx context.Context, done []match.Interval, rs []remarks.Remark) error {
	byComments := func(context.Context, []match.Interval) (leads, error) { return ps.byComments(rs, ps.proofs, done) }
	for _, find := range []func(context.Context, []match.Interval) (leads, error){ps.byRare, ps.byPairs, byComments} {
		l, err := find(ctx, done)
		if err != nil {
			return err
		}
		ps.tried = ps.tried[:0]
		most, more := l.best()
		ps.omitted.edited += more
		for _, lead := range most {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := ps.alignAll(lead); err != nil {
				return err
			}
		}
	}
	return nil
}

// CertainRuns lists the long runs of candidates with at least beyondDoubt bits, whatever the threshold is.
func CertainRuns(cs []region.Candidate) (out []match.Interval) {
	for _, c := range cs {
		for _, r := range c.Best.Runs {
			if c.Evidence.Bits-c.Evidence.Comments >= beyondDoubt && r.Len >= denseRun { // comments do not show where code ends
				out = append(out, match.Interval{From: int(r.Target), To: int(r.TargetEnd())})
			}
		}
	}
	return match.Union(out)
}

// candidates makes candidates of alignments, the best first. Alignments around the same tokens become one candidate.
func (se *Search) candidates(ps []evidence.Proof, judged []score.Evidence, known region.Sources, sources []*library.Document) []region.Candidate {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(judged[b].Bits, judged[a].Bits), cmp.Compare(ps[a].From, ps[b].From),
			bytes.Compare(ps[a].Doc.Hash[:], ps[b].Doc.Hash[:]), cmp.Compare(ps[a].Doc.Key.Base, ps[b].Doc.Key.Base))
	})
	var out []region.Candidate
	for _, i := range order {
		p, ev := ps[i], judged[i]
		if ev.Bits < leastDerived {
			break
		}
		at := slices.IndexFunc(out, func(c region.Candidate) bool {
			return 2*match.Shared(c.Proofs[0].Runs, p.Runs) >= min(c.Proofs[0].Tokens(), p.Tokens())
		})
		if at < 0 {
			at = len(out)
			out = append(out, region.Candidate{Region: region.Region{From: p.From, To: p.To}, Judged: make(map[lookup.Key]score.Evidence)})
		}
		c := &out[at]
		if _, ok := c.Judged[p.Doc.Key]; !ok {
			c.Proofs, c.Judged[p.Doc.Key] = append(c.Proofs, p), ev
		}
	}
	for i := range out {
		c := &out[i]
		c.Occurrences = c.Region.Where(known)
		if c.PutBestFirst(func(key lookup.Key) bool { return true }); c.Evidence.Bits >= se.Needs(c.Evidence, se.Asked()) {
			continue
		}
		of := func(key lookup.Key) *library.Document {
			at := slices.IndexFunc(sources, func(d *library.Document) bool { return d.Key == key })
			if at < 0 || c.Judged[key].Bits < se.NeededAmong(se.MinScore, sources[at].Len()) {
				return nil
			}
			return sources[at]
		}
		if c.PutBestFirst(func(key lookup.Key) bool { return of(key) != nil }) {
			c.Within = of(c.Best.Doc.Key)
		}
	}
	return out
}

// merge adds alignments to the candidates. If two candidates cover the same tokens, the one with more bits stays, with two
// exceptions. A match that is the core of an alignment with the same document becomes the whole alignment. A match with more than
// evidence.Edge tokens outside the alignment stays too. Support is ignored if it would remove an alignment, and counted if a
// match would be removed. So a higher threshold only shortens the list.
func (se *Search) merge(cs, found []region.Candidate, strong region.Supports) []region.Candidate {
	for _, f := range found {
		keep, grown := true, -1
		for i := range cs {
			c := &cs[i]
			both := match.Shared(c.Best.Runs, f.Best.Runs)
			switch {
			case 2*both < min(c.Best.Tokens(), f.Best.Tokens()):
			case c.Best.Doc.Hash == f.Best.Doc.Hash && 10*both >= 9*c.Best.Tokens() && float64(f.Best.Tokens()) >= fuller*float64(c.Best.Tokens()):
				if keep = false; grown < 0 {
					grown = i
					f.Take(*c)
					*c = f
				} else {
					cs[grown].Take(*c)
					c.Proofs = nil
				}
			case c.Evidence.Bits >= f.Evidence.Bits:
				keep = false
			case se.Total(strong, c.Judgement()) <= f.Evidence.Bits && c.Best.Tokens()-both <= evidence.Edge:
				f.Occurrences = append(f.Occurrences, c.Occurrences...)
				c.Proofs = nil
			}
		}
		cs = slices.DeleteFunc(cs, func(c region.Candidate) bool { return c.Proofs == nil })
		if keep && (f.Evidence.Bits >= se.Needs(f.Evidence, se.Asked()) || f.Within != nil) {
			cs = append(cs, f)
		}
	}
	return cs
}

package examine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/helpers"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// region is a stretch of the target and the proofs whose target side it is.
type region struct {
	from, to uint32
	proofs   []proof // best first
}

// sameRegion is the share of a match that must lie in a region for its document
// to count as one of the region's origins and not as a region of its own.
const sameRegion = finding.SameRegion

// regionsOf gathers proofs: the heaviest makes a region, and takes in every other
// that lies in it by sameRegion. So a vendored file is one finding, however many
// of its functions are elsewhere too.
func regionsOf(ps []proof) []region {
	slices.SortFunc(ps, func(a, b proof) int {
		return cmp.Or(cmp.Compare(b.Tokens(), a.Tokens()), cmp.Compare(a.from, b.from),
			bytes.Compare(a.doc.Hash[:], b.doc.Hash[:]), cmp.Compare(a.doc.Key.Base, b.doc.Key.Base))
	})
	var out []region
	for _, p := range ps {
		if r := regionOf(out, p); r != nil {
			r.proofs = append(r.proofs, p)
		} else {
			out = append(out, region{p.from, p.to, []proof{p}})
		}
	}
	return out
}

func regionOf(rs []region, p proof) *region {
	for i := range rs {
		r := &rs[i]
		over := int(min(p.to, r.to)) - int(max(p.from, r.from))
		if float64(over) >= sameRegion*float64(p.to-p.from) && 2*match.Shared(p.Runs, r.proofs[0].Runs) >= p.Tokens() {
			return r
		}
	}
	return nil
}

// candidate is a region on its way to a finding. regions fills the first part; the steps of candidates change the second.
type candidate struct {
	region
	best        occurrence                    // the first origin
	occurrences []occurrence                  // all of them, the best first
	ev          score.Evidence                // of the best
	judged      map[lookup.Key]score.Evidence // of the leading documents, among which the best was chosen

	within    *library.Document // derive, preferNamed: the one document in which it was looked for; nil: among all that is known
	room      *room             // giveRoom: how far its rests may reach; nil: it has none
	completed *score.Evidence   // complete: what all of it has, rests of functions included, which are no evidence; nil: none were added
	joined    bool              // join: with others, or cut
	aligned   bool              // join: one of the others is an alignment
	parts     []occurrence      // join: lighter regions from elsewhere in the same file
	heaviest  *judgement        // join, complete: the match that it was found by; nil: it is as it was found
}

func (c candidate) judgement() judgement { return judgement{c.best.proof, c.ev} }

// found is what a region was found by.
func (c candidate) found() judgement {
	if c.heaviest != nil {
		return *c.heaviest
	}
	return c.judgement()
}

// read is what all of a region has, which is more than its evidence where rests of functions were added.
func (c candidate) read() score.Evidence {
	if c.completed != nil {
		return *c.completed
	}
	return c.ev
}

// findings turns the proofs of a stream, and the comments that it shares, into findings above the thresholds.
func (q *query) findings(ctx context.Context, ps []proof) ([]Found, []finding.Entry, error) {
	rs, notes, err := q.remarks(ctx)
	if err != nil {
		return nil, nil, err
	}
	out, cs, more, err := q.ofCode(ctx, ps, rs)
	if err != nil {
		return nil, nil, err
	}
	documented, err := q.findDocumentation(rs, cs)
	return append(out, documented...), append(more, notes...), err
}

// ofCode turns the proofs of a stream into findings above the thresholds, with the candidates that they are of.
func (q *query) ofCode(ctx context.Context, ps []proof, rs []remark) (out []Found, cs []candidate, notes []finding.Entry, err error) {
	if len(ps) > 0 && q.Language == lang.Words() {
		maskFixed(q.Stream)
	}
	own, weak := make(map[string]int), lookup.Tally{}
	needed := q.e.needed(len(q.Tokens))
	cs, strong, err := q.candidates(ctx, ps, rs, needed, own, &weak)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := q.preferNamed(cs); err != nil {
		return nil, nil, nil, err
	}
	others, err := q.splitOrigins(ctx, cs, needed)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := q.complete(ctx, cs, others); err != nil {
		return nil, nil, nil, err
	}
	for i, c := range cs {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		f, ok, err := q.scored(c, others[i], cs, strong)
		if err != nil {
			return nil, nil, nil, err
		}
		if !ok {
			weak.Add(c.best.from)
			continue
		}
		out = append(out, f)
	}
	return out, cs, append(q.notes(own, weak), q.crowd.entries(q.Path)...), nil
}

// candidates gathers the proofs to regions that have enough information:
//
//	regions        proofs → regions, each with its best origin
//	supports       what regions of the same document add to each other; those that have too little then go
//	fold           of two that mostly lie in each other one stays
//	derive         edited code beside them, and in documents that no proof led to
//	join           those of one file of a package that share lines become one
//	giveRoom       how far the rests of their functions may reach
//	minimum        --min-tokens, last: so a longer minimum only ever cuts the list
func (q *query) candidates(ctx context.Context, ps []proof, rs []remark, needed float64, own map[string]int, weak *lookup.Tally) (cs []candidate, strong score.Supports[lookup.Key], err error) {
	if cs, err = q.regions(ps, own); err != nil {
		return nil, nil, err
	}
	strong = supports(cs, needed)
	certain := certainRuns(cs)
	cs = slices.DeleteFunc(cs, func(c candidate) bool {
		below := q.total(strong, c.judgement()) < needed // not by the score, which is rounded
		if below {
			weak.Add(c.best.from)
		}
		return below
	})
	if cs, err = q.derive(ctx, q.fold(cs), certain, strong, needed, rs); err != nil {
		return nil, nil, err
	}
	if cs, err = q.join(cs); err != nil {
		return nil, nil, err
	}
	q.giveRoom(cs)
	return slices.DeleteFunc(cs, func(c candidate) bool {
		short := c.best.Tokens() < q.e.o.MinTokens
		if short {
			weak.Add(c.best.from)
		}
		return short
	}), strong, nil
}

// supports are the candidates that can support others.
func supports(cs []candidate, needed float64) score.Supports[lookup.Key] {
	strong := make(score.Supports[lookup.Key])
	for _, c := range cs {
		strong.Add(c.best.doc.Key, c.judgement().judged(), needed)
	}
	strong.Sort()
	return strong
}

// scored makes a finding of one of all candidates, unless its score is below what was asked for.
func (q *query) scored(c candidate, o others, all []candidate, strong score.Supports[lookup.Key]) (f Found, ok bool, err error) {
	f, err = q.finding(c, o)
	if err != nil {
		return Found{}, false, err
	}
	needed, support := q.needs(c.ev, q.neededByDefault()), q.support(strong, c)
	if c.within != nil { // by what is looked for in one document, other findings with it have counted
		needed, support = q.bitsFor(DefaultMinScore, c.within.Len()), 0
	}
	above := q.e.weights.Supported(c.ev.Bits, support) - needed
	traits := c.ev.Traits(above, support > 0)
	f.Score, f.Support = q.e.likely.Score(traits), round(support)
	f.ScoredBy = finding.Traits{Above: round(traits.Above), Order: round(traits.Order), Unchanged: round(traits.Unchanged), Supported: traits.Supported}
	if q.e.unwanted(f.Score) {
		return Found{}, false, nil
	}
	if err := q.attribute(o, &f.Finding); err != nil {
		return Found{}, false, err
	}
	if slices.ContainsFunc(all, func(b candidate) bool { return b.best.doc.Key == c.best.doc.Key && (b.ev.Aligned || b.aligned) }) {
		f.Functions = q.functions(c.best.doc, c.best.Runs)
	}
	f.Reasons = q.reasons(&f.Finding, c, traits)
	if q.e.o.Weighed != nil && !c.ev.Aligned && !c.joined {
		q.weighed(f.Finding, c.found().proof)
	}
	return f, true, nil
}

// maskFixed takes the wording of licences and the frames of pages out of the evidence. A
// grammar drops the former with the comments; the word front-end knows no comments.
func maskFixed(st Stream) {
	spans := license.Spans(st.Text)
	for _, f := range helpers.Frames(st.Text) {
		spans = append(spans, license.Span{From: f.From, To: f.To})
	}
	slices.SortStableFunc(spans, func(a, b license.Span) int { return cmp.Compare(a.From, b.From) })
	for i := range st.Tokens {
		t := &st.Tokens[i]
		for len(spans) > 0 && spans[0].To <= int(t.Start) {
			spans = spans[1:]
		}
		if len(spans) > 0 && spans[0].From <= int(t.Start) {
			t.Flags |= lang.FlagImport
		}
	}
}

// judgement is a match and what it was found to be worth.
type judgement struct {
	proof
	ev score.Evidence
}

func (j judgement) judged() score.Judged { return score.Judged{Match: j.Match, Evidence: j.ev} }

// total is what a match is worth with its support.
func (q *query) total(strong score.Supports[lookup.Key], j judgement) float64 {
	return strong.Total(j.doc.Key, j.judged(), q.e.weights)
}

// support is what another region adds to a candidate: one that was joined to it is none.
func (q *query) support(strong score.Supports[lookup.Key], c candidate) float64 {
	key := c.best.doc.Key
	if c.heaviest == nil {
		return strong.Support(key, c.judgement().judged(), q.e.weights)
	}
	rest := slices.DeleteFunc(slices.Clone(strong[key]), func(j score.Judged) bool {
		from, to := j.Match.Target()
		return from < c.to && c.from < to
	})
	return score.Supports[lookup.Key]{key: rest}.Support(key, c.heaviest.judged(), q.e.weights)
}

// regions makes regions of proofs, each with its best origin. The target's own packages are counted apart.
func (q *query) regions(ps []proof, own map[string]int) ([]candidate, error) {
	known, err := q.known(ps, own)
	if err != nil {
		return nil, err
	}
	// first of all, or a document nobody is to be named for would take in others
	ps = slices.DeleteFunc(ps, func(p proof) bool { return len(known[p.doc.Key]) == 0 })
	all, err := q.weigh(regionsOf(ps), known)
	if err != nil {
		return nil, err
	}
	return q.addInner(all, known)
}

// weigh finds the best origin of each region.
func (q *query) weigh(rs []region, known map[lookup.Key][]baseline.Occurrence) (out []candidate, err error) {
	for _, r := range rs {
		occurrences := r.occurrences(known)
		best, judged, err := q.best(r, occurrences)
		if err != nil {
			return nil, err
		}
		out = append(out, candidate{region: r, best: best, occurrences: occurrences, ev: judged[best.doc.Key], judged: judged})
	}
	return out, nil
}

// addInner adds to the regions that cannot be findings those that lie in them and
// are: a long accident with one document does not hide a short copy from another.
func (q *query) addInner(cs []candidate, known map[lookup.Key][]baseline.Occurrence) (out []candidate, err error) {
	needed := q.e.needed(len(q.Tokens))
	var strong []region
	for _, c := range cs {
		if c.ev.Bits >= needed {
			strong = append(strong, c.region)
		}
	}
	for _, c := range cs {
		out = append(out, c)
		if q.e.weights.Reaches(c.ev.Bits, needed) {
			continue
		}
		inner := slices.DeleteFunc(slices.Clone(c.proofs), func(p proof) bool { return c.spannedBy(p) || regionOf(strong, p) != nil })
		if !slices.ContainsFunc(inner, func(p proof) bool { return p.most >= needed }) {
			continue
		}
		in, err := q.weigh(regionsOf(inner), known)
		if err != nil {
			return nil, err
		}
		for _, c := range in {
			if c.ev.Bits >= needed {
				out, strong = append(out, c), append(strong, c.region)
			}
		}
	}
	return out, nil
}

// spannedBy tells whether a proof has enough of the region to name it by.
func (r region) spannedBy(p proof) bool {
	return float64(p.to-p.from) >= sameRegion*float64(r.to-r.from)
}

func (q *query) notes(own map[string]int, weak lookup.Tally) []finding.Entry {
	var notes []finding.Entry
	for _, name := range sortedKeys(own) {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonOwnPackage, Detail: finding.Count(own[name], "origin") + " in " + name})
	}
	if weak.N > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonBelowThreshold, Detail: fmt.Sprintf("%s with too little information for a finding; the first at line %d", finding.Count(weak.N, "match"), q.lineOf(weak))})
	}
	return notes
}

func sortedKeys(m map[string]int) []string {
	var ks []string
	for k := range m {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}

// known lists where the documents of proofs are known from. The target's own
// packages are counted apart. What two baselines know is one occurrence.
func (q *query) known(ps []proof, own map[string]int) (map[lookup.Key][]baseline.Occurrence, error) {
	type spot struct {
		store.Hash
		purl, path string
	}
	met, out := make(map[spot]bool), make(map[lookup.Key][]baseline.Occurrence)
	for _, p := range ps {
		if _, ok := out[p.doc.Key]; ok {
			continue
		}
		occs, err := p.doc.Occurrences()
		if err != nil {
			return nil, err
		}
		var foreign []baseline.Occurrence
		for _, o := range occs {
			k := spot{p.doc.Hash, o.PURL, o.Path}
			if met[k] {
				continue
			}
			met[k] = true
			if known := q.e.target.Self.Says(o.PURL); known != "" {
				own[fmt.Sprintf("%s, which is the target itself by its %s", purl.Name(o.PURL), known)]++
			} else {
				foreign = append(foreign, o)
			}
		}
		out[p.doc.Key] = foreign
	}
	return out, nil
}

func (q *query) finding(c candidate, others others) (Found, error) {
	best, ev, occurrences := c.best, c.read(), others.whole
	n := best.Tokens()
	inner, seen := core(q.Stream, best.proof, edge), shown(q.Stream, best.proof)
	last := inner[len(inner)-1]
	from, to := seen.Target()
	f := Found{Finding: finding.Finding{
		ID: identity(q.Stream, purl.Name(best.PURL), inner), Path: q.Path, Language: q.Language.Name,
		StartLine: q.Lines.Line(q.Tokens[from].Start), EndLine: q.Lines.Line(q.Tokens[to-1].End - 1),
		StartByte: int(q.Tokens[from].Start), EndByte: int(q.Tokens[to-1].End), FileSHA1: sha1Of(q.Text),
		FileLines: q.Lines.Line(uint32(len(q.Text) - 1)),
		Tokens:    n, FileShare: round(float64(n) / float64(q.own)),
		Bits: round(c.ev.Bits), CloneType: ev.CloneType, Derived: c.ev.Aligned,
		Verdict: finding.Undeclared, Level: "warning", Direction: "unknown", Attributions: []finding.Notice{}, Reasons: []string{},
		Renames:     []finding.Rename{},
		Identifiers: finding.Names{Total: ev.Identifiers, Unchanged: ev.Unchanged, Inconsistent: ev.Inconsistent, Renamed: ev.Identifiers - ev.Unchanged - ev.Inconsistent},
		Literals:    finding.Literals{Total: ev.Literals, Equal: ev.Equal},
	}, Core: git.Range{First: q.Lines.Line(q.Tokens[inner[0].Target].Start), Last: q.Lines.Line(q.Tokens[last.Target+last.Len-1].End - 1)},
	}
	if q.e.target.Traces {
		f.Trace = q.trace(inner[0].Target, last.Target+last.Len)
	}
	if q.e.target.Dates {
		f.Signature = q.signature(best.doc, best.Runs)
	}
	for _, r := range ev.Renames {
		f.Renames = append(f.Renames, finding.Rename{Origin: r.Origin, Target: r.Target, Count: r.Count})
	}
	for _, r := range best.Runs {
		f.Runs = append(f.Runs, span(q.Stream, best.doc, r))
	}
	packages := make(map[string]bool)
	for _, p := range occurrences {
		packages[purl.Name(p.PURL)] = true
	}
	f.PackageCount = len(packages)
	var err error
	if f.Origins, f.OriginCount, err = q.origins(occurrences); err != nil {
		return f, err
	}
	if err := q.parts(others, &f.Finding); err != nil {
		return f, err
	}
	f.Licenses = licenses(occurrences)
	f.Function = function(q.Stream, c.region, best.Runs)
	if owners(occurrences) >= q.e.o.Common {
		f.Verdict = finding.CommonCode
	}
	if o := f.Origins[0]; !q.e.o.NoSource {
		f.Text = &finding.Sides{Target: NewExcerpt(q.Text, f.StartLine, f.EndLine), Origin: excerptOf(best.doc, o.StartLine, o.EndLine)}
	}
	return f, nil
}

// sha1Of names a content as others do, SPDX among them; nothing relies on it.
func sha1Of(text []byte) string {
	sum := sha1.Sum(text)
	return hex.EncodeToString(sum[:])
}

// identity names a finding by what was matched and the package it comes from.
// Neither line nor path nor commit is in it: edits above, moves, rebases and
// squashes leave it as it is.
func identity(st Stream, name string, core []match.Run) string {
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

// edge is how many tokens of either end of a match can be an accident of what
// stands next to it: the end of one function, the signature of another.
const edge = 24

// shownPart is the part of a match that its lines leave out at either end, at
// most: the brace that closes the function before, the first word of the next.
const shownPart = 1.0 / 10

// shown returns the match whose lines are those of a finding.
func shown(st Stream, p proof) match.Match {
	return match.Match{Runs: core(st, p, min(edge, uint32(shownPart*float64(p.Tokens()))))}
}

// core returns the runs of a match from where a line begins on both sides to
// where one ends on both, if such occurrences are no more than edge tokens from its
// ends. A line that only closes what was opened before the match is none to begin
// with.
func core(st Stream, p proof, edge uint32) []match.Run {
	runs := slices.Clone(p.Runs)
	if st.Language == lang.Words() { // prose is broken into lines anew
		return runs
	}
	first := &runs[0]
	for i := range min(edge+1, first.Len) {
		t, o := first.Target+i, first.Origin+i
		if st.begins(t) && p.doc.Begins(o) && !bytes.Contains([]byte("})];,"), st.Text[st.Tokens[t].Start:st.Tokens[t].End]) {
			*first = match.Run{Target: t, Origin: o, Len: first.Len - i}
			break
		}
	}
	last := &runs[len(runs)-1]
	for i := range min(edge+1, last.Len) {
		if n := last.Len - i; st.begins(last.Target+n) && p.doc.Begins(last.Origin+n) {
			last.Len = n
			break
		}
	}
	return runs
}

// begins tells whether a line begins with token i, or the stream ends there.
func (s Stream) begins(i uint32) bool {
	return i == 0 || int(i) >= len(s.Tokens) || s.Lines.Line(s.Tokens[i].Start) != s.Lines.Line(s.Tokens[i-1].Start)
}

// reasons tells in words why a finding has its score.
func (q *query) reasons(f *finding.Finding, c candidate, by score.Traits) []string {
	ev := c.ev
	ev.Bits = f.Bits // rounded, as it is told
	a := score.Account{
		Evidence: ev, Support: f.Support, MinScore: q.e.o.MinScore, Score: f.Score, ScoredBy: by, Tokens: f.Tokens, Runs: len(f.Runs), File: len(q.Tokens),
		Baseline: q.e.tokens, Packages: f.PackageCount,
	}
	switch {
	case c.within != nil:
		a.Within = c.within.Len()
	default:
		a.Less = -q.needs(ev, 0)
	}
	if c.completed != nil {
		core := c.found()
		a.Tokens, a.Runs, a.Rest = core.Tokens(), len(core.Runs), f.Tokens-core.Tokens()
	}
	return q.e.weights.Reasons(a)
}

// Weighed is a finding and the readings that it was weighed by, for who fits weights.
type Weighed struct {
	Finding  finding.Finding
	Readings score.Readings
	Document string // digest of the file of the first origin
	From, To int    // tokens of the document that the match spans
	Tokens   int    // of the target
	Baseline uint64 // tokens of all baselines
}

// weighed tells of a finding as it was weighed.
func (q *query) weighed(f finding.Finding, best proof) {
	r := q.read(best, best.doc.Text())
	for i := range r.Runs {
		r.Runs[i].Tokens = slices.Clone(r.Runs[i].Tokens)
	}
	r.Directories = q.hits.Directories(best.Match)
	from, to := best.Match.Origin()
	q.e.o.Weighed(Weighed{f, r, best.doc.Hash.String(), int(from), int(to), len(q.Tokens), q.e.tokens})
}

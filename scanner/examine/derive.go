package examine

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/derived"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Bounds of the alignments.
const (
	probeReach   = 64  // tokens before and behind a seed that are aligned to see whether more of them are worth it
	probeBand    = 40  // tokens by which the alignment strays from the seed's diagonal
	probeGain    = 110 // of the alignment, from which on they are
	alignReach   = 288 // tokens before and behind a seed that are aligned then
	alignBand    = 160 // more is not put into a function that is still the same
	mostAligned  = 4   // alignments with one document
	mostApart    = 32  // seeds with it whose names are elsewhere
	mostAround   = 4   // alignments around one token
	denseRun     = 40  // tokens of a run that leaves nothing to be found around a seed
	beyondDoubt  = 120 // bits of the match that has it
	leastDerived = 40  // bits of an alignment that is a finding at any score
	fuller       = 1.2 // times the tokens of a match that an alignment around it has to have
)

// derive finds code that people edited so often that no run is left that is long enough: what they left is added up
// along the best alignment. Where part of it is a finding already, the finding gets all of it. Nothing is looked for
// within the runs that are done.
func (q *query) derive(ctx context.Context, cs []candidate, done []match.Interval, strong score.Supports[lookup.Key], needed float64, rs []remark) ([]candidate, error) {
	if q.Language == lang.Words() {
		return cs, nil
	}
	ps, err := q.alignLeads(ctx, done, rs)
	if err != nil {
		return cs, err
	}
	if ps, err = q.addTables(ctx, ps, done, needed); err != nil || len(ps)+len(cs) == 0 {
		return cs, err
	}
	known, err := q.known(ps, make(map[string]int))
	if err != nil {
		return nil, err
	}
	ps = slices.DeleteFunc(ps, func(p proof) bool { return len(known[p.doc.Key]) == 0 })
	judged, err := q.judgeAll(nil, ps)
	if err != nil {
		return nil, err
	}
	sources := q.proven(cs, ps, judged, needed)
	n := len(ps)
	for _, d := range sources {
		if ps, err = q.alignRest(ctx, ps, d, done); err != nil {
			return nil, err
		}
	}
	if judged, err = q.judgeAll(judged, ps[n:]); err != nil {
		return nil, err
	}
	if known, err = q.known(ps, make(map[string]int)); err != nil {
		return nil, err
	}
	return q.merge(cs, q.alignments(ps, judged, known, sources, needed), strong, needed), nil
}

// judgeAll appends what alignments are worth.
func (q *query) judgeAll(judged []score.Evidence, ps []proof) ([]score.Evidence, error) {
	for _, p := range ps {
		ev, err := q.judge(p)
		if err != nil {
			return nil, err
		}
		judged = append(judged, q.e.weights.Rarer(ev, q.hits.Directories(p.Match)))
	}
	return judged, nil
}

// alignLeads aligns what rare fingerprints lead to, then what pairs of names do, then what comments do: none takes the place of another.
func (q *query) alignLeads(ctx context.Context, done []match.Interval, rs []remark) (ps []proof, err error) {
	byComments := func(context.Context, []match.Interval) (leads, error) { return q.byComments(rs, ps, done) }
	for _, find := range []func(context.Context, []match.Interval) (leads, error){q.byRare, q.byPairs, byComments} {
		l, err := find(ctx, done)
		if err != nil {
			return nil, err
		}
		q.tried = q.tried[:0]
		for _, lead := range l.best() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if ps, err = q.alignAll(ps, lead); err != nil {
				return nil, err
			}
		}
	}
	return ps, nil
}

// certainRuns lists the long runs of the candidates that are beyond doubt, whatever is needed.
func certainRuns(cs []candidate) (out []match.Interval) {
	for _, c := range cs {
		for _, r := range c.best.Runs {
			if c.ev.Bits-c.ev.Comments >= beyondDoubt && r.Len >= denseRun { // comments do not tell where code ends
				out = append(out, match.Interval{From: int(r.Target), To: int(r.TargetEnd())})
			}
		}
	}
	return match.Union(out)
}

// alignAll appends the alignments around the seeds of a document.
func (q *query) alignAll(ps []proof, l lead) ([]proof, error) {
	d, err := q.e.library.Load(l.key)
	if err != nil {
		return nil, err
	}
	if _, err := d.Read(); err != nil {
		return nil, err
	}
	slices.SortFunc(l.seeds, func(a, b match.Seed) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Origin, b.Origin))
	})
	n, apart := 0, 0
	var seen []match.Interval // in this document
	for _, s := range l.seeds {
		if n == mostAligned || apart == mostApart {
			break
		}
		if match.Within(seen, int(s.Target)) || match.Covering(q.tried, int(s.Target)) >= mostAround {
			continue
		}
		if !q.namedAt(d, s) {
			apart++
			continue
		}
		p, ok := q.aligned(d, s, probeGain)
		v := match.Interval{From: int(s.Target), To: int(s.Target) + q.e.params.K}
		if ok {
			v = match.Interval{From: min(v.From, int(p.from)), To: max(v.To, int(p.to))}
			if p.Tokens() >= q.e.least {
				if ps, err = q.withoutHelpers(append(ps, p), len(ps)); err != nil {
					return nil, err
				}
			}
		}
		n, seen, q.tried = n+1, append(seen, v), append(q.tried, v)
	}
	return ps, nil
}

// namedAt tells whether half of the names that the document has to have are around the seed there: most documents have
// them elsewhere, and need no alignment.
func (q *query) namedAt(d *library.Document, s match.Seed) bool {
	names, all := q.namesAround(int(s.Target))
	origin := window(s.Origin, probeReach, q.e.params.K, d.Stream.Len())
	bits, last := 0.0, uint32(0)
	for i := origin.From; i < origin.To; i++ {
		t := d.Stream.At(uint32(i))
		if t.Class != lang.Identifier && t.Class != lang.String {
			continue
		}
		hash := model.NameHash(d.Text()[t.Start:t.End])
		if hash == last {
			continue
		}
		last = hash
		if at := slices.IndexFunc(names, func(n around) bool { return n.hash == hash }); at >= 0 {
			bits += names[at].bits
			names[at].bits = 0 // once
		}
	}
	return bits >= enoughNames(all)/2
}

// aligned aligns what lies around a seed on both sides: first what is close, which tells in nearly all cases that it
// is an idiom.
func (q *query) aligned(d *library.Document, s match.Seed, least int) (proof, bool) {
	if _, gain := q.align(d, s, probeReach, probeBand, least); gain < least {
		return proof{}, false
	}
	runs, _ := q.align(d, s, alignReach, alignBand, 0)
	p := proof{doc: d, Match: match.Match{Runs: runs}, derived: true}
	p.from, p.to = p.Target()
	return p, true
}

// align aligns so many tokens before and behind a seed, unless that gains less than least.
func (q *query) align(d *library.Document, s match.Seed, reach, band, least int) (runs []match.Run, gain int) {
	k := q.e.params.K
	target, origin := window(s.Target, reach, k, len(q.Tokens)), window(s.Origin, reach, k, d.Stream.Len())
	at := match.Seed{Target: s.Target - uint32(target.From), Origin: s.Origin - uint32(origin.From)}
	return q.alignBetween(d, target, origin, at, band, least)
}

// alignBetween aligns two stretches, unless that gains less than least. Masked tokens of the target agree with nothing.
func (q *query) alignBetween(d *library.Document, target, origin match.Interval, at match.Seed, band, least int) (runs []match.Run, gain int) {
	q.symbols[0], q.symbols[1] = q.symbols[0][:0], q.symbols[1][:0]
	c := q.costsOf()
	for i := target.From; i < target.To; i++ {
		_, bits := c.Name(i)
		q.symbols[0] = append(q.symbols[0], symbol(q.Tokens[i], q.Text, bits, q.masked != nil && q.masked[i]))
	}
	for i := origin.From; i < origin.To; i++ {
		q.symbols[1] = append(q.symbols[1], symbol(d.Stream.At(uint32(i)), d.Text(), 0, false))
	}
	runs, gain = q.aligner.Align(q.symbols[0], q.symbols[1], at, band, least)
	for i := range runs {
		runs[i].Target += uint32(target.From)
		runs[i].Origin += uint32(origin.From)
	}
	return runs, gain
}

// window is what is aligned around a k-gram of a text of n tokens.
func window(at uint32, reach, k, n int) match.Interval {
	return match.Interval{From: max(0, int(at)-reach), To: min(n, int(at)+k+reach)}
}

// symbol is a token as it is aligned; import clauses and base code agree with nothing.
func symbol(t lang.Token, text []byte, bits float64, masked bool) derived.Symbol {
	s := derived.Symbol{Kind: t.Kind, Gain: derived.Keyword}
	switch {
	case masked || t.Flags&lang.FlagImport != 0:
		return derived.Nothing()
	case t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number:
		s.Text, s.Gain = model.NameHash(text[t.Start:t.End])|1, derived.Gain(bits)
	}
	return s
}

// alignments makes candidates of alignments: each with what others around the same tokens have, the best first.
func (q *query) alignments(ps []proof, judged []score.Evidence, known map[lookup.Key][]baseline.Occurrence, sources []*library.Document, needed float64) []candidate {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(judged[b].Bits, judged[a].Bits), cmp.Compare(ps[a].from, ps[b].from),
			bytes.Compare(ps[a].doc.Hash[:], ps[b].doc.Hash[:]), cmp.Compare(ps[a].doc.Key.Base, ps[b].doc.Key.Base))
	})
	var out []candidate
	for _, i := range order {
		p, ev := ps[i], judged[i]
		if ev.Bits < leastDerived {
			break
		}
		at := slices.IndexFunc(out, func(c candidate) bool {
			return 2*match.Shared(c.proofs[0].Runs, p.Runs) >= min(c.proofs[0].Tokens(), p.Tokens())
		})
		if at < 0 {
			at = len(out)
			out = append(out, candidate{region: region{from: p.from, to: p.to}, judged: make(map[lookup.Key]score.Evidence)})
		}
		c := &out[at]
		if _, ok := c.judged[p.doc.Key]; !ok {
			c.proofs, c.judged[p.doc.Key] = append(c.proofs, p), ev
		}
	}
	for i := range out {
		c := &out[i]
		c.occurrences = c.region.occurrences(known)
		if c.putBestFirst(func(key lookup.Key) bool { return true }); c.ev.Bits >= q.needs(c.ev, needed) {
			continue
		}
		of := func(key lookup.Key) *library.Document {
			at := slices.IndexFunc(sources, func(d *library.Document) bool { return d.Key == key })
			if at < 0 || c.judged[key].Bits < q.bitsFor(q.e.o.MinScore, sources[at].Len()) {
				return nil
			}
			return sources[at]
		}
		if c.putBestFirst(func(key lookup.Key) bool { return of(key) != nil }) {
			c.within = of(c.best.doc.Key)
		}
	}
	return out
}

// putBestFirst puts the best of the occurrences that are allowed first: of those with most bits the first.
func (c *candidate) putBestFirst(allowed func(lookup.Key) bool) bool {
	at := -1
	for i, o := range c.occurrences {
		if allowed(o.doc.Key) && (at < 0 || c.judged[o.doc.Key].Bits > c.judged[c.occurrences[at].doc.Key].Bits) {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	best := c.occurrences[at]
	copy(c.occurrences[1:at+1], c.occurrences[:at])
	c.occurrences[0], c.best, c.ev = best, best, c.judged[best.doc.Key]
	return true
}

// merge puts alignments among the candidates. Of two around the same tokens, the one with more bits stays. There are
// two exceptions: a match that is the core of an alignment with the same document becomes all of it, and a match that
// has more than edges beside it stays too. Support is left out of the comparison where it would take an alignment away,
// and counted where a match would go: so a threshold only cuts.
func (q *query) merge(cs, found []candidate, strong score.Supports[lookup.Key], needed float64) []candidate {
	for _, f := range found {
		keep, grown := true, -1
		for i := range cs {
			c := &cs[i]
			both := match.Shared(c.best.Runs, f.best.Runs)
			switch {
			case 2*both < min(c.best.Tokens(), f.best.Tokens()):
			case c.best.doc.Hash == f.best.doc.Hash && 10*both >= 9*c.best.Tokens() && float64(f.best.Tokens()) >= fuller*float64(c.best.Tokens()):
				if keep = false; grown < 0 {
					grown = i
					f.take(*c)
					*c = f
				} else {
					cs[grown].take(*c)
					c.proofs = nil
				}
			case c.ev.Bits >= f.ev.Bits:
				keep = false
			case q.total(strong, c.judgement()) <= f.ev.Bits && c.best.Tokens()-both <= edge:
				f.occurrences = append(f.occurrences, c.occurrences...)
				c.proofs = nil
			}
		}
		cs = slices.DeleteFunc(cs, func(c candidate) bool { return c.proofs == nil })
		if keep && (f.ev.Bits >= q.needs(f.ev, needed) || f.within != nil) {
			cs = append(cs, f)
		}
	}
	return cs
}

// take makes a match a part of an alignment. The evidence is that of either.
func (f *candidate) take(c candidate) {
	if f.ev.Bits < c.ev.Bits {
		f.ev = f.ev.WorthOf(c.ev)
		f.ev.Aligned = c.ev.Aligned
	}
	f.occurrences = append(f.occurrences, c.occurrences...)
}

// Once a document is known to be the source of some of the target, the rest is compared with this one document. No
// fingerprint has to lead there. Less evidence is enough, since it is not compared with all that is known.

// Bounds of that comparison.
const (
	mostSources = 4       // documents with which the rest of one text is compared
	mostTokens  = 1 << 16 // of either side
	rareName    = 3       // bits of a name by which stretches find each other
	rareThere   = 4       // places that it has in the document at most
	ballot      = 96      // tokens of the target that look for one place together
	leastVotes  = 16      // bits of the names that agree on the place
	restGain    = 60      // of a short alignment there, from which on it is aligned in full
	mostBallots = 64      // places that are tried with one document
)

// source is a document with what is known to come from it, in bits.
type source struct {
	doc  *library.Document
	bits float64
}

// proven lists the documents that some of the target comes from: that a finding names, or of which alignments are
// worth enough together. Each alignment but the best pays for the places where it could have been.
func (q *query) proven(cs []candidate, ps []proof, judged []score.Evidence, needed float64) []*library.Document {
	var all []source
	add := func(d *library.Document, bits float64) {
		at := slices.IndexFunc(all, func(s source) bool { return s.doc.Key == d.Key })
		if at < 0 {
			at = len(all)
			all = append(all, source{doc: d})
		}
		all[at].bits += bits
	}
	for _, c := range cs {
		if c.ev.Bits >= needed {
			add(c.best.doc, c.ev.Bits)
		}
	}
	best := make(map[lookup.Key]int)
	for i, p := range ps {
		if at, ok := best[p.doc.Key]; !ok || judged[i].Bits > judged[at].Bits {
			best[p.doc.Key] = i
		}
	}
	for i, p := range ps {
		if best[p.doc.Key] == i {
			add(p.doc, judged[i].Bits)
		} else if match.Shared(p.Runs, ps[best[p.doc.Key]].Runs) > 0 {
			continue
		} else if more := judged[i].Bits - q.e.weights.NeededForOne(uint64(p.doc.Stream.Len()), len(q.Tokens)); more > 0 {
			add(p.doc, more)
		}
	}
	all = slices.DeleteFunc(all, func(s source) bool { return s.bits < needed })
	whole := len(all)
	all = slices.DeleteFunc(all, func(s source) bool { return s.doc.Stream.Len() > mostTokens })
	q.crowd.rest = len(all) < whole || len(all) > 0 && len(q.Tokens) > mostTokens
	slices.SortFunc(all, func(a, b source) int {
		return cmp.Or(cmp.Compare(b.bits, a.bits), a.doc.Key.Compare(b.doc.Key))
	})
	var out []*library.Document
	for _, s := range all[:min(len(all), mostSources)] {
		out = append(out, s.doc)
	}
	return out
}

// alignRest appends alignments of what is not done with a source: where most rare names agree on a place.
func (q *query) alignRest(ctx context.Context, ps []proof, d *library.Document, done []match.Interval) ([]proof, error) {
	if len(q.Tokens) > mostTokens {
		return ps, nil
	}
	if _, err := d.Read(); err != nil {
		return nil, err
	}
	var seen []match.Interval
	for _, p := range ps {
		if p.doc == d {
			seen = append(seen, match.Interval{From: int(p.from), To: int(p.to)})
		}
	}
	places := q.places(d)
	tried := 0
	for from := 0; from < len(q.Tokens) && tried < mostBallots; from += ballot {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, ok := q.elect(places, from, min(from+ballot, len(q.Tokens)), append(seen, done...))
		if !ok {
			continue
		}
		tried++
		if p, ok := q.aligned(d, s, restGain); ok && p.Tokens() >= q.e.least {
			seen = append(seen, match.Interval{From: int(p.from), To: int(p.to)})
			var err error
			if ps, err = q.withoutHelpers(append(ps, p), len(ps)); err != nil {
				return nil, err
			}
		}
	}
	return ps, nil
}

// places lists where a document has its rare names; what it has often is left out.
func (q *query) places(d *library.Document) map[uint32][]uint32 {
	out := make(map[uint32][]uint32)
	for i := range uint32(d.Stream.Len()) {
		t := d.Stream.At(i)
		if !store.HasName(t) {
			continue
		}
		hash := max(1, model.NameHash(d.Text()[t.Start:t.End]))
		if at := out[hash]; len(at) <= rareThere {
			out[hash] = append(at, i)
		}
	}
	return out
}

// elect finds the place on which most names of a stretch of the target agree, but for tokens that are taken.
func (q *query) elect(places map[uint32][]uint32, from, to int, taken []match.Interval) (match.Seed, bool) {
	var votes []derived.Vote
	for i := from; i < to; i++ {
		hash, bits := q.costsOf().Name(i)
		at := places[hash]
		if hash == 0 || bits < rareName || len(at) > rareThere || match.Within(taken, i) {
			continue
		}
		for _, o := range at {
			votes = append(votes, derived.Vote{Seed: match.Seed{Target: uint32(i), Origin: o}, Name: hash, Bits: bits})
		}
	}
	best, bits := derived.Elect(votes)
	return best, bits >= leastVotes
}

package examine

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/verdict"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// furtherJudged is how many documents beside the best are judged for one region,
// or as many as --common if that is more. The others are part origins.
const furtherJudged = 64

// others are the occurrences of a region: its origins, and its part origins.
type others struct {
	whole []occurrence // each would be a finding by itself of most of the region; the best comes first
	parts []part       // the rest, versions folded, those with most tokens first
}

// part is a file of a package that is no origin of the region.
type part struct {
	occurrence
	why string
}

// file is a file of a package; the occurrences in it are its versions.
type file struct {
	whole  []occurrence // versions that have most of the region; the first is judged for all
	first  occurrence   // of all
	origin bool
	why    string
}

// splitOrigins tells which occurrences of each region are origins: those that would be a
// finding by themselves and have most of what the best has. One version of a file
// is judged for all, equal documents once.
func (q *query) splitOrigins(ctx context.Context, cs []candidate, needed float64) ([]others, error) {
	files, found := make([][]*file, len(cs)), make([]map[store.Hash]judgement, len(cs))
	strong := make(score.Supports[lookup.Key])
	for i, c := range cs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		files[i] = c.files()
		strong.Add(c.best.doc.Key, c.judgement().judged(), needed)
		var err error
		if found[i], err = q.judgeFiles(c, files[i], needed); err != nil {
			return nil, err
		}
		for _, j := range found[i] {
			strong.Add(j.doc.Key, j.judged(), needed)
		}
	}
	strong.Sort()
	out := make([]others, len(cs))
	for i, c := range cs {
		for _, f := range files[i] {
			if f.origin {
				f.setBits(c.ev)
			}
			if f.origin || len(f.whole) == 0 {
				continue
			}
			j, ok := found[i][f.whole[0].doc.Hash]
			f.setBits(j.ev)
			switch f.origin = ok && q.total(strong, j) >= q.needs(j.ev, needed) && q.e.weights.Alike(j.ev.Bits, c.ev.Bits); {
			case !ok:
				f.why = finding.PartUnjudged
			case f.origin && purl.Key(f.first.PURL) == purl.Key(c.occurrences[0].PURL):
				var err error
				if f.origin, err = q.sameText(c.occurrences[0].proof, f.whole[0].proof); err != nil {
					return nil, err
				}
			}
			if ok && !f.origin {
				f.why = finding.PartWeak
			}
		}
		out[i] = c.sorted(files[i])
	}
	return out, nil
}

// texts returns the texts of the documents of two matches.
func (q *query) texts(a, b proof) (x, y []byte, err error) {
	if x, err = a.doc.Read(); err != nil {
		return nil, nil, err
	}
	y, err = b.doc.Read()
	return x, y, err
}

// sameText tells whether file b has the text that a shares with the target: most of
// its stretches of 20 tokens, names and values included. Where every name of the
// target is new, files of one package that were made after one pattern match it alike.
func (q *query) sameText(a, b proof) (bool, error) {
	if a.doc == b.doc {
		return true, nil
	}
	x, y, err := q.texts(a, b)
	if err != nil {
		return false, err
	}
	equal, all := 0, 0
	for _, r := range a.Runs {
		all += max(0, int(r.Len)-sameStretch+1)
	}
	for _, c := range match.InBoth(a.Runs, b.Runs) {
		same := 0
		for i := range c.Len {
			s, t := a.doc.Stream.Span(c.A+i), b.doc.Stream.Span(c.B+i)
			if same++; !bytes.Equal(x[s.Start:s.End], y[t.Start:t.End]) {
				same = 0
			}
			if same >= sameStretch {
				equal++
			}
		}
	}
	return 5*equal >= 3*all, nil
}

// sameStretch is how many tokens of equal values in a row show the same text.
const sameStretch = 20

// setBits notes what the file was found to be worth.
func (f *file) setBits(ev score.Evidence) {
	for i := range f.whole {
		f.whole[i].bits = ev.Bits
	}
	if len(f.whole) > 0 {
		f.first = f.whole[0]
	}
}

// files groups the occurrences of a region, in their order.
func (c candidate) files() []*file {
	type key struct{ pkg, path string }
	at := make(map[key]*file)
	var out []*file
	most := sameRegion * float64(c.best.Tokens())
	for i, p := range c.occurrences {
		k := key{purl.Key(p.PURL), p.Path}
		f := at[k]
		if f == nil {
			f = &file{first: p, why: finding.PartSmall, origin: i == 0}
			at[k] = f
			out = append(out, f)
		}
		if i == 0 || float64(match.Shared(p.Runs, c.best.Runs)) >= most {
			f.whole = append(f.whole, p)
		}
	}
	return out
}

// judgeFiles judges the first versions that have most of the region, by document.
// Those come first whose names allow as much as the best was found to carry, of
// these the oldest: the original should be among them.
func (q *query) judgeFiles(c candidate, files []*file, needed float64) (map[store.Hash]judgement, error) {
	var ps []occurrence
	for _, f := range files {
		if !f.origin && len(f.whole) > 0 {
			ps = append(ps, f.whole[0])
		}
	}
	like := func(p occurrence) bool { return q.e.weights.Alike(p.most, c.ev.Bits) }
	slices.SortStableFunc(ps, func(a, b occurrence) int {
		return cmp.Or(finding.CompareTrue(like(a), like(b)), compareHome(a, b), versions.CompareAge(a.Released, b.Released))
	})
	out := make(map[store.Hash]judgement)
	for _, p := range ps {
		if _, ok := out[p.doc.Hash]; ok || len(out) == max(furtherJudged, q.e.o.Common) {
			continue
		}
		ev, ok := c.judged[p.doc.Key]
		if !ok {
			var err error
			if ev, err = q.judge(p.proof); err != nil {
				return nil, err
			}
		}
		out[p.doc.Hash] = judgement{p.proof, q.rarer(ev, p.Match, needed)}
	}
	return out, nil
}

// sorted lists the occurrences of the files that are origins, the best first, and the
// other files.
func (c candidate) sorted(files []*file) others {
	var out others
	for _, f := range files {
		if f.origin {
			out.whole = append(out.whole, f.whole...)
		} else {
			out.parts = append(out.parts, part{f.first, f.why})
		}
	}
	for _, p := range c.parts {
		out.parts = append(out.parts, part{p, finding.PartSmall})
	}
	slices.SortStableFunc(out.parts, func(a, b part) int { return cmp.Compare(b.Tokens(), a.Tokens()) })
	return out
}

// claimed are the occurrences that a statement of the target may mean: the origins, and
// the files that have most of the region too. A statement is evidence of its own.
func (o others) claimed() []part {
	var out []part
	for _, p := range o.whole {
		out = append(out, part{occurrence: p})
	}
	return append(out, slices.DeleteFunc(slices.Clone(o.parts), func(p part) bool { return p.why == finding.PartSmall })...)
}

// names lists the packages that have part of the region.
func (o others) names() map[string]bool {
	out := make(map[string]bool)
	for _, p := range o.parts {
		out[verdict.FullName(p.PURL)] = true
	}
	return out
}

// parts puts the files that are no origins into a finding.
func (q *query) parts(o others, f *finding.Finding) error {
	f.PartOriginCount = len(o.parts)
	for i, p := range o.parts {
		if p.why == finding.PartUnjudged {
			f.UnjudgedCount++
		}
		if i >= q.e.o.MaxOrigins {
			continue
		}
		if _, err := p.doc.Read(); err != nil {
			return err
		}
		m := shown(q.Stream, p.proof)
		from, to := m.Target()
		first, last := m.Origin()
		f.PartOrigins = append(f.PartOrigins, finding.PartOrigin{
			PURL: p.PURL, Path: finding.EscapeName(p.Path), Tokens: p.Tokens(), Bits: round(p.bits), Why: p.why,
			StartLine: q.Lines.Line(q.Tokens[from].Start), EndLine: q.Lines.Line(q.Tokens[to-1].End - 1),
			OriginStartLine: p.doc.Stream.Line(first), OriginEndLine: p.doc.LastLine(last - 1),
		})
	}
	return nil
}

// fold makes one of two regions that mostly lie in each other: that with the better
// evidence stays, the occurrences of the other become its origins, or have part of it.
// The part that only the other has must be too short for a finding.
func (q *query) fold(cs []candidate) []candidate {
	order := make([]int, len(cs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cs[b].ev.Bits, cs[a].ev.Bits) })
	gone := make([]bool, len(cs))
	for i, a := range order {
		for _, b := range order[:i] {
			if !gone[b] && q.isPartOf(cs[a].best.Match, cs[b].best.Match) {
				cs[b].occurrences = append(cs[b].occurrences, cs[a].occurrences...)
				gone[a] = true
				break
			}
		}
	}
	var out []candidate
	for i, c := range cs {
		if !gone[i] {
			out = append(out, c)
		}
	}
	return out
}

// isPartOf tells whether most of the shorter of two matches is shared, and what a
// has beyond b is too short for a finding.
func (q *query) isPartOf(a, b match.Match) bool {
	if from, to := b.Target(); a.Runs[len(a.Runs)-1].Target < from || a.Runs[0].Target >= to {
		return false
	}
	both := match.Shared(a.Runs, b.Runs)
	return 2*both > min(a.Tokens(), b.Tokens()) && a.Tokens()-both < q.e.least
}

// join makes one region of those that overlap in lines and come from one file of a package, in one order: the one with
// most bits takes up the others. It is asked before the minimum of tokens, which therefore only cuts the list.
func (q *query) join(cs []candidate) ([]candidate, error) {
	slices.SortStableFunc(cs, func(a, b candidate) int { return cmp.Compare(b.ev.Bits, a.ev.Bits) })
	for i := 0; i < len(cs); i++ {
		joined := false
		for j := i + 1; j < len(cs); {
			if !q.overlap(&cs[i], &cs[j]) || !cs[i].join(cs[j], q.e.match.MinFit, q.e.least) {
				j++
				continue
			}
			cs, joined, j = slices.Delete(cs, j, j+1), true, i+1 // others may overlap now
		}
		if !joined {
			continue
		}
		if err := q.weighAgain(&cs[i]); err != nil {
			return nil, err
		}
	}
	return q.divide(cs)
}

// divide leaves no line to two regions of one file of a package: the heavier has it. A lighter one of which too little
// would be left is part of the heavier.
func (q *query) divide(cs []candidate) (out []candidate, err error) {
	for _, c := range cs {
		rest, heavier := []candidate{c}, -1
		for i := range out {
			var next []candidate
			for _, r := range rest {
				if !q.overlap(&out[i], &r) {
					next = append(next, r)
					continue
				}
				next, heavier = append(next, q.outside(r, q.lines(out[i].best.proof))...), i
			}
			rest = next
		}
		if len(rest) == 0 {
			out[heavier].parts = append(out[heavier].parts, c.best)
		}
		for i := 0; i < len(rest) && heavier >= 0; i++ {
			if err := q.weighAgain(&rest[i]); err != nil {
				return nil, err
			}
		}
		out = append(out, rest...)
	}
	return out, nil
}

// outside returns what of a region lies before and what behind some lines.
func (q *query) outside(c candidate, lines git.Range) (out []candidate) {
	n := len(q.Tokens)
	before := sort.Search(n, func(i int) bool { return q.Lines.Line(q.Tokens[i].End-1) >= lines.First })
	behind := sort.Search(n, func(i int) bool { return q.Lines.Line(q.Tokens[i].Start) > lines.Last })
	for _, v := range []match.Interval{{From: 0, To: before}, {From: behind, To: n}} {
		p := c.best.proof
		if p.Runs = match.Clip(p.Runs, v); p.Tokens() < q.e.least {
			continue
		}
		p.from, p.to = p.Target()
		r := c
		r.occurrences = slices.Clone(c.occurrences)
		for i := range r.occurrences {
			if o := &r.occurrences[i]; o.doc.Key == p.doc.Key {
				o.proof = p
			}
		}
		r.best, r.region = r.occurrences[0], region{p.from, p.to, []proof{p}}
		if r.heaviest == nil {
			r.heaviest = &judgement{c.best.proof, c.ev}
		}
		r.joined = true
		out = append(out, r)
	}
	return out
}

// overlap tells whether two regions have a line in common and are of one file of a package.
func (q *query) overlap(a, b *candidate) bool {
	if a.best.Path != b.best.Path || purl.Key(a.best.PURL) != purl.Key(b.best.PURL) {
		return false
	}
	x, y := q.lines(a.best.proof), q.lines(b.best.proof)
	return x.First <= y.Last && y.First <= x.Last
}

// lines are those that a match is shown with.
func (q *query) lines(p proof) git.Range {
	from, to := shown(q.Stream, p).Target()
	return git.Range{First: q.Lines.Line(q.Tokens[from].Start), Last: q.Lines.Line(q.Tokens[to-1].End - 1)}
}

// join takes up another region, if no more than least tokens of it would be lost.
func (c *candidate) join(b candidate, shortest, least int) bool {
	whole := make(map[lookup.Key]proof)
	for _, o := range b.occurrences {
		at := slices.IndexFunc(c.occurrences, func(p occurrence) bool { return p.doc.Key == o.doc.Key })
		if _, ok := whole[o.doc.Key]; ok || at < 0 {
			continue
		}
		if p, lost := c.occurrences[at].proof.and(o.proof, shortest); lost < least {
			whole[o.doc.Key] = p
		}
	}
	best, ok := whole[c.best.doc.Key]
	if !ok {
		return false
	}
	if c.heaviest == nil {
		c.heaviest = &judgement{c.best.proof, c.ev}
	}
	c.joined = true
	c.occurrences = append(slices.Clone(c.occurrences), slices.DeleteFunc(slices.Clone(b.occurrences), func(o occurrence) bool {
		return slices.ContainsFunc(c.occurrences, func(p occurrence) bool { return p.doc.Key == o.doc.Key })
	})...)
	for i := range c.occurrences {
		o := &c.occurrences[i]
		if p, ok := whole[o.doc.Key]; ok {
			o.proof = p
		}
		o.share = round(min(1, float64(o.Tokens())/float64(best.Tokens())))
	}
	c.best, c.region = c.occurrences[0], region{best.from, best.to, []proof{best}}
	c.judged = nil // they were worth that without the other
	c.aligned = c.aligned || b.aligned || b.ev.Aligned
	return true
}

// and returns a match with the runs of another with the same document between its own, and how many tokens of those are
// lost. What does not ascend on both sides is lost, and stretches shorter than shortest that are cut off.
func (p proof) and(o proof, shortest int) (both proof, lost int) {
	runs := slices.Clone(p.Runs)
	for _, r := range o.Runs {
		for _, l := range r.Outside(p.Runs) {
			f := l.Between(p.Runs)
			if int(f.Len) < shortest && f.Len < r.Len && !slices.ContainsFunc(p.Runs, func(r match.Run) bool { return match.Follows(r, f) || match.Follows(f, r) }) {
				f.Len = 0
			}
			if lost += int(l.Len - f.Len); f.Len > 0 {
				runs = append(runs, f)
			}
		}
	}
	slices.SortFunc(runs, func(a, b match.Run) int { return cmp.Compare(a.Target, b.Target) })
	p.Runs = runs[:1]
	for _, r := range runs[1:] {
		if last := &p.Runs[len(p.Runs)-1]; match.Follows(*last, r) {
			last.Len += r.Len
		} else {
			p.Runs = append(p.Runs, r)
		}
	}
	p.from, p.to = p.Target()
	return p, lost
}

// weighAgain counts over a region whose runs changed. It is worth no less than the match that it was found by: a joined
// one no less than its heaviest part, a cut one no less than before.
func (q *query) weighAgain(c *candidate) error {
	ev, err := q.judge(c.best.proof)
	if err != nil {
		return err
	}
	if ev = q.rarer(ev, c.best.Match, q.e.needed(len(q.Tokens))); ev.Bits < c.ev.Bits {
		ev = ev.WorthOf(c.ev)
	}
	ev.Aligned = c.ev.Aligned
	c.ev, c.judged = ev, map[lookup.Key]score.Evidence{c.best.doc.Key: ev}
	return nil
}

package examine

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Compared is a text with all that it shares with documents of a baseline.
type Compared struct {
	Tokens int             // base code left out
	Pairs  []Pair          // by document
	Ledger []finding.Entry // without paths
}

// Pair is all that a document shares with another: no match is left out for being a
// part of somebody else's.
//
// Matches take each token of the target once, and leave out what is too short then.
// Target and Origin are all tokens of either side that lie in a match, or in a run of
// Options.MinTokens and more, wherever else they are: disjoint and ascending, base code
// left out.
type Pair struct {
	Doc            baseline.Document
	Tokens         int // of Doc, base code left out
	Target, Origin []match.Interval
	Matches        []Joint
}

// Joint is a verified match of a pair.
type Joint struct {
	Tokens   int
	Evidence score.Evidence
	Runs     []finding.Run

	runs []match.Run
}

// Comparing returns an examiner that tells of each match of Options.MinTokens, however
// likely it is by accident: who compares texts asks what they share, not who copied it.
func (s *Examiner) Comparing() *Examiner {
	t := *s
	t.o.MinScore = 0
	return &t
}

// CompareText finds what a text shares with all documents of the baseline.
func (w *Worker) CompareText(ctx context.Context, in Input, data []byte) (Compared, error) {
	st, notes := w.Tokenize(in, data)
	if len(st.Tokens) < w.e.params.K {
		return Compared{Tokens: len(st.Tokens), Ledger: notes}, nil
	}
	q := w.ask(st)
	q.only = func(docKey) bool { return true }
	c, err := q.compare(ctx)
	c.Ledger = append(notes, c.Ledger...)
	return c, err
}

// compare finds what a stream shares with the documents that are asked for.
func (q *query) compare(ctx context.Context) (Compared, error) {
	var c Compared
	notes, err := q.lookup(ctx)
	if err != nil {
		return c, err
	}
	c.Tokens = q.own
	proofs, more, err := q.prove(ctx)
	if err != nil {
		return c, err
	}
	c.Ledger = append(notes, more...)
	slices.SortStableFunc(proofs, func(a, b proof) int { return cmp.Compare(a.from, b.from) })
	slices.SortFunc(q.runs, func(a, b longRuns) int { return cmp.Compare(a.doc.key.id, b.doc.key.id) })
	for _, r := range q.runs {
		p := Pair{Doc: r.doc.Document}
		for _, other := range proofs {
			if other.doc != r.doc {
				continue
			}
			j, err := q.joint(other)
			if err != nil {
				return c, err
			}
			p.Matches = append(p.Matches, j)
		}
		q.measure(&p, r)
		c.Pairs = append(c.Pairs, p)
	}
	return c, nil
}

// longRuns are the verified runs of Options.MinTokens and more with one document.
type longRuns struct {
	doc  *doc
	runs []match.Run
}

// noteRuns keeps the long runs with a document, when that is asked for.
func (q *query) noteRuns(d *doc, runs []match.Run) {
	if q.only == nil {
		return
	}
	l := longRuns{doc: d}
	for _, r := range runs {
		if int(r.Len) >= q.e.o.MinTokens {
			l.runs = append(l.runs, r)
		}
	}
	if len(l.runs) > 0 {
		q.runs = append(q.runs, l)
	}
}

// measure tells which tokens of either side are shared.
func (q *query) measure(p *Pair, l longRuns) {
	runs := l.runs
	for _, j := range p.Matches {
		runs = append(runs, j.runs...)
	}
	for _, r := range runs {
		p.Target = append(p.Target, match.Interval{From: int(r.Target), To: int(r.Target + r.Len)})
		p.Origin = append(p.Origin, match.Interval{From: int(r.Origin), To: int(r.Origin + r.Len)})
	}
	masked := q.maskOf(l.doc, q.Language)
	p.Tokens = l.doc.tokens.Len() - count(masked)
	p.Target, p.Origin = match.Without(match.Union(p.Target), q.masked), match.Without(match.Union(p.Origin), masked)
}

// maskOf tells which tokens of a document are base code; nil if none is.
func (q *query) maskOf(d *doc, l *lang.Language) []bool {
	if len(q.e.o.Sanctioned) == 0 {
		return nil
	}
	toks, _ := d.tokens.All()
	grams := fingerprint.KGrams(nil, baseline.Values(nil, l, toks), q.e.params.K)
	masked, _ := q.e.o.Sanctioned.mask(grams, len(toks), q.e.params.K)
	return masked
}

func count(masked []bool) int {
	n := 0
	for _, m := range masked {
		if m {
			n++
		}
	}
	return n
}

// joint judges a match.
func (q *query) joint(p proof) (Joint, error) {
	text, err := q.e.fullText(p.doc)
	if err != nil {
		return Joint{}, err
	}
	j := Joint{Tokens: p.Tokens(), Evidence: score.Judge(q.side(), match.Side{Text: text, Blocks: p.doc.tokens}, p.Match, q.costs)}
	j.runs = p.Runs
	for _, r := range p.Runs {
		j.Runs = append(j.Runs, span(q.Stream, p.doc, r))
	}
	return j, nil
}

package examine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/contract"
	"github.com/git-provenance/git-provenance/scanner/derived"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/functions"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/helpers"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/trace"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// maxRepeats is how many occurrences of one fingerprint in one file are followed. A
// file of one repeated line has thousands; beyond this they are in the ledger.
const maxRepeats = 256

// Input is one text to examine.
type Input struct {
	Path     string
	Language *lang.Language // nil: detect
	Read     func(ctx context.Context) ([]byte, error)
	// Keep is asked for each finding with the file's stream; nil keeps all
	Keep  func(Stream, *Found) bool
	Added func(text []byte) []git.Range // the new lines of a changed file; nil when none is
}

// Blob reads a content of a repository.
func Blob(repo *git.Repo, h git.Hash, limit int64) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		b, err := repo.Blob(ctx, h, limit)
		if p, refused := errors.AsType[*fs.PathError](err); refused { // as bad as damage: the repository has it, and it is not known
			err = &git.CorruptError{What: "object " + h.String(), Offset: -1, Detail: "cannot be read: " + p.Err.Error()}
		}
		return b, err
	}
}

// Output is what one input came to.
type Output struct {
	Findings []Found
	Entries  []finding.Entry
	Missing  bool // the repository has not got the content, or not as it was
	Files    int
	Bytes    int64
	Tokens   int64
	Inline   []finding.Inline
}

// Found is a finding on its way to a report, with what is not told of it.
type Found struct {
	finding.Finding
	Core      git.Range        // lines, without those at either end that can be an accident
	Trace     trace.Trace      // what the region is known by from one version of a file to the next
	Signature *trace.Signature // what it is known by in older contents, where it is to be dated
}

// Stream is a target text as the matcher sees it.
type Stream struct {
	Path     string
	Language *lang.Language
	Text     []byte
	Tokens   []lang.Token
	Lines    lang.LineIndex
	costs    *score.Costs                // worked out at the first need
	bodies   func() []functions.Function // the functions, worked out at the first need
	masked   []bool                      // per token: base code; nil if none is
	own      int                         // tokens that are not
}

func (s Stream) side() match.Side {
	return match.Side{Text: s.Text, Tokens: s.Tokens, Prose: s.Language == lang.Words()}
}

// Worker examines texts one after the other.
type Worker struct {
	e      *Examiner
	tz     *lang.Tokenizer
	pairer baseline.Pairer
	remark comments.Reader // of the text at hand
	tables tables.Reader   // of the text at hand
	query  query           // of the text at hand; its buffers live on
	target *verdict.Said   // the text findings were last attributed in
	heads  map[docKey]*verdict.Said
}

// query is a text on its way from look-up to findings. Its steps are lookup, prove and findings; what one leaves for the
// next stands here.
type query struct {
	w *Worker
	e *Examiner
	Stream

	// look-up
	prints  []fingerprint.Fingerprint
	hashes  []uint64
	first   []int  // hashes[i] stands at prints[first[i]:first[i+1]]
	common  []int  // hashes[i] is of that many units, if they are many
	counted []int  // units that have a hash, 0 if not counted yet
	enough  []int8 // of each position of the hits whether a seed there is enough alone: 2 it is, 1 it is not, 0 not known
	hits    hits

	// proof
	larger []proved // so far

	helpers func() []helpers.Stretch // in the target, looked for at the first need
	written map[int]bool             // those of them that were taken out of matches

	generated func() bool // whether the target says that a program wrote it

	// buffers of single steps
	values []uint64
	grams  []uint64
	packed []uint64
	sorted []fingerprint.Fingerprint
	keyed  []uint64
	units  []uint32
	near   match.Nearness
	weight score.Costs
	reach  []match.Interval
	apart  []match.Interval // the groups that are long enough, one after the other
	groups []group
	bounds []score.Bound

	// alignment
	pairs      []fingerprint.Fingerprint // of rare names
	pairHashes []uint64
	around     []around
	tried      []match.Interval          // that were aligned
	imports    []clause                  // of the target; nil: not read yet
	contracts  func() []contract.Stretch // of the target, looked for at the first need

	origin    listed // a document with its functions
	originKey docKey
	symbols   [2][]derived.Symbol // of the target and of the origin
	aligner   derived.Aligner
}

// ask begins a query of a text.
func (w *Worker) ask(st Stream) *query {
	q := &w.query
	q.w, q.e, q.Stream, q.larger, q.origin = w, w.e, st, q.larger[:0], listed{}
	q.written, q.imports = make(map[int]bool), nil
	q.generated = sync.OnceValue(func() bool { return lang.SaysGenerated(q.Text) })
	q.helpers = sync.OnceValue(func() []helpers.Stretch { return helpers.Find(q.Text, q.Tokens) })
	q.contracts = sync.OnceValue(func() []contract.Stretch { return contract.Find(q.Language, q.Text, q.Tokens) })
	return q
}

// NewWorker makes a worker. It is not safe for concurrent use.
func (s *Examiner) NewWorker() *Worker { return &Worker{e: s, tz: lang.NewTokenizer(s.o.Limits)} }

// Close gives back what the parsers hold.
func (w *Worker) Close() { w.tz.Close() }

// Input reads and examines one input. Only a failure of the baseline or a
// cancelled context is an error; whatever is wrong with the text is an entry
// of the ledger.
func (w *Worker) Input(ctx context.Context, in Input) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	if w.e.Excluded(in.Path) {
		return Output{Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonExcluded, Detail: "by pattern"}}}, nil
	}
	data, err := in.Read(ctx)
	var large *git.TooLargeError
	var missing *git.MissingObjectError
	var corrupt *git.CorruptError
	var file *fs.PathError
	switch {
	case errors.As(err, &missing):
		return Output{Files: 1, Missing: true, Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonMissing, Detail: err.Error()}}}, nil
	case errors.As(err, &corrupt): // where it lies differs between machines, as below
		return Output{Files: 1, Missing: true, Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonDamaged, Detail: corrupt.Detail}}}, nil
	case errors.As(err, &large):
		return Output{Files: 1, Entries: []finding.Entry{{Path: in.Path, Reason: lang.TooLarge, Detail: fmt.Sprintf("%d bytes, limit %d", large.Size, large.Limit)}}}, nil
	case errors.As(err, &file): // its path, which differs between machines, is left out
		return Output{Files: 1, Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonUnreadable, Detail: file.Err.Error()}}}, nil
	case err != nil:
		return Output{}, err
	}
	if git.IsLFSPointer(data) {
		return Output{Files: 1, Entries: []finding.Entry{{Path: in.Path, Reason: lang.Reason(git.ReasonLFS), Detail: "the content lives in a Git LFS store"}}}, nil
	}
	return w.Text(ctx, in, data)
}

// Text examines one text that was read.
func (w *Worker) Text(ctx context.Context, in Input, data []byte) (Output, error) {
	out := Output{Files: 1, Bytes: int64(len(data))}
	st, notes := w.Tokenize(in, data)
	out.Entries = notes
	out.Tokens = int64(len(st.Tokens))
	q := w.ask(st)
	if len(st.Tokens) < w.e.params.K && !q.commented() {
		out.Inline = q.allow(in, nil)
		return out, nil
	}
	note, err := q.lookup(ctx)
	if err != nil {
		return out, err
	}
	out.Entries = append(out.Entries, note...)
	proved, note, err := q.prove(ctx)
	if err != nil {
		return out, err
	}
	out.Entries = append(out.Entries, note...)
	found, note, err := q.findings(ctx, proved)
	if err != nil {
		return out, err
	}
	out.Entries = append(append(out.Entries, note...), q.noteHelpers()...)
	out.Inline = q.allow(in, found)
	for i := range found {
		if in.Keep == nil || in.Keep(q.Stream, &found[i]) {
			out.Findings = append(out.Findings, found[i])
		}
	}
	return out, nil
}

// Tokenize makes the stream of a text, by words where the parse is given up.
func (w *Worker) Tokenize(in Input, data []byte) (Stream, []finding.Entry) {
	st := Stream{Path: in.Path, Language: in.Language, Text: data}
	note := func(r lang.Reason, detail string) []finding.Entry {
		return []finding.Entry{{Path: in.Path, Reason: r, Detail: detail}}
	}
	var notes []finding.Entry
	if int64(len(data)) > w.e.o.MaxFileSize {
		return st, note(lang.TooLarge, fmt.Sprintf("%d bytes, limit %d", len(data), w.e.o.MaxFileSize))
	}
	if st.Language == nil {
		d := lang.Detect(in.Path, data)
		if d.Skip != "" && !(d.Generated && w.e.o.Generated && d.Language != nil) {
			return st, note(d.Skip, "")
		}
		st.Language = d.Language
		if d.Note != "" {
			notes = note(d.Note, d.Reading())
		}
	}
	toks, l, limit, err := w.tz.TokenizeOrWords(st.Language, data)
	st.Language = l
	if limit != nil {
		notes = append(notes, finding.Entry{Path: in.Path, Reason: limit.Reason, Detail: limit.Detail + "; scanned as words"})
	}
	if err != nil {
		return st, append(notes, finding.Entry{Path: in.Path, Reason: lang.Budget, Detail: err.Error()})
	}
	if toks.Errors > 0 {
		notes = append(notes, finding.Entry{Path: in.Path, Reason: finding.ReasonParseErrors, Detail: finding.Count(toks.Errors, "syntax error") + "; nearby tokens may differ from those of the origin"})
	}
	st.Tokens, st.own = toks.Tokens, len(toks.Tokens)
	st.Lines = lang.Lines(data)
	return st, notes
}

// lookup collects the hits of a stream in all baselines, by document.
func (q *query) lookup(ctx context.Context) ([]finding.Entry, error) {
	p := q.e.params
	q.values = baseline.Values(q.values[:0], q.Language, q.Tokens)
	q.grams = fingerprint.KGrams(q.grams[:0], q.values, p.K)
	q.winnow(p.W)
	notes := q.maskBaseCode()
	q.sortPrints()
	q.hashes, q.first = q.hashes[:0], q.first[:0]
	for i, f := range q.prints {
		if i == 0 || f.Hash != q.prints[i-1].Hash {
			q.hashes, q.first = append(q.hashes, f.Hash), append(q.first, i)
		}
	}
	q.first = append(q.first, len(q.prints))
	q.hits.reset(len(q.e.bases), len(q.hashes))
	q.common = slices.Grow(q.common[:0], len(q.hashes))[:len(q.hashes)]
	q.counted = slices.Grow(q.counted[:0], len(q.hashes))[:len(q.hashes)]
	clear(q.counted)
	clear(q.common)
	var capped, repeated tally
	full := make([]bool, len(q.hashes))
	for base, b := range q.e.bases {
		err := b.Lookup(ctx, q.hashes, func(i int, count uint64, ps []baseline.Posting) error {
			at := q.prints[q.first[i]:q.first[i+1]]
			if count > uint64(len(ps)) && !full[i] {
				full[i] = true
				capped.add(at[0].Pos)
			}
			if len(at) > maxRepeats {
				repeated.add(at[0].Pos)
			}
			if len(ps) >= score.Frequent {
				q.common[i] += q.distinct(b, ps)
			}
			for _, posting := range ps {
				q.hits.add(i, min(len(at), maxRepeats), base, posting)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if capped.n > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonCommon, Detail: fmt.Sprintf("%d of %d fingerprints occur in the baseline more often than the %d positions that the index stores; the first at line %d",
			capped.n, len(q.hashes), baseline.MaxPostings, q.Lines.Line(q.Tokens[capped.first].Start))})
	}
	if repeated.n > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonRepetitive, Detail: fmt.Sprintf("%d fingerprints occur more than %d times in the file; the first at line %d",
			repeated.n, maxRepeats, q.Lines.Line(q.Tokens[repeated.first].Start))})
	}
	return notes, nil
}

// maskBaseCode prepares the mask of the stream whose k-grams were just made.
func (q *query) maskBaseCode() []finding.Entry {
	masked := q.e.o.BaseCode.MaskedGrams(q.grams, len(q.Tokens), q.e.params.K)
	n := match.Count(masked)
	if n == 0 {
		return nil
	}
	q.masked, q.own = masked, len(q.Tokens)-n
	q.prints = slices.DeleteFunc(q.prints, func(f fingerprint.Fingerprint) bool {
		return !slices.Contains(masked[f.Pos:int(f.Pos)+q.e.params.K], false)
	})
	return []finding.Entry{{Path: q.Path, Reason: finding.ReasonBaseCode, Detail: fmt.Sprintf("%d of %d tokens are base code", n, len(q.Tokens))}}
}

// winnow selects fingerprints in the order of each key that a baseline was built with. A
// baseline knows those of other orders by accident only, which the proof refuses.
func (q *query) winnow(w int) {
	q.prints = q.prints[:0]
	for _, k := range q.e.keys {
		grams := q.grams
		if !k.IsZero() {
			q.keyed = append(q.keyed[:0], q.grams...)
			k.Order(q.keyed)
			grams = q.keyed
		}
		q.prints = fingerprint.WinnowTies(q.prints, grams, w)
	}
}

// sortPrints sorts by hash, then position. The upper bits of the hashes, with the
// places of the prints behind them, sort three times as fast as by comparing; where
// they agree neighbours are put in order.
func (q *query) sortPrints() {
	const places = 24
	compare := func(a, b fingerprint.Fingerprint) int {
		return cmp.Or(cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.Pos, b.Pos))
	}
	if len(q.prints) >= 1<<places {
		slices.SortFunc(q.prints, compare)
		return
	}
	q.packed = q.packed[:0]
	for i, f := range q.prints {
		q.packed = append(q.packed, f.Hash>>places<<places|uint64(i))
	}
	slices.Sort(q.packed)
	q.sorted = q.sorted[:0]
	for _, k := range q.packed {
		q.sorted = append(q.sorted, q.prints[k&(1<<places-1)])
	}
	for i := 0; i < len(q.packed); {
		j := i + 1
		for j < len(q.packed) && q.packed[j]>>places == q.packed[i]>>places {
			j++
		}
		if alike := q.sorted[i:j]; !slices.IsSortedFunc(alike, compare) {
			slices.SortFunc(alike, compare)
		}
		i = j
	}
	q.prints, q.sorted = q.sorted, q.prints
}

// distinct counts the units of postings.
func (q *query) distinct(b *baseline.Baseline, ps []baseline.Posting) int {
	q.units = q.units[:0]
	for _, p := range ps {
		q.units = append(q.units, b.Unit(p.Doc))
	}
	return q.countUnits()
}

// countUnits counts the distinct ones of w.units.
func (q *query) countUnits() int {
	slices.Sort(q.units)
	return len(slices.Compact(q.units))
}

// costsOf prepares the costs of the stream just looked up, at the first need.
func (q *query) costsOf() *score.Costs {
	if q.costs != nil {
		return q.costs
	}
	c := q.e.common(q.Language.Family)
	runs := make([]score.Range, 0, len(q.common))
	for i, n := range q.common {
		if n < score.Frequent {
			continue
		}
		for _, f := range q.prints[q.first[i]:q.first[i+1]] {
			runs = append(runs, score.Range{From: int(f.Pos), To: int(f.Pos) + q.e.params.K, Bits: c.Run(n)})
		}
	}
	q.weight.Reset(q.e.weights, q.side(), c, runs, store.HasName)
	q.costs = &q.weight
	return q.costs
}

// tally counts and keeps the lowest position.
type tally struct {
	n     int
	first uint32
}

func (t *tally) add(pos uint32) {
	if t.n == 0 || pos < t.first {
		t.first = pos
	}
	t.n++
}

// proof is a verified match with one document.
type proof struct {
	doc *doc
	match.Match
	from, to uint32  // target tokens
	most     float64 // bits it can carry
	derived  bool    // it is an alignment
}

// prove verifies, document by document, the hits that can amount to a finding.
// The others are below the threshold whatever their documents look like.
func (q *query) prove(ctx context.Context) ([]proof, []finding.Entry, error) {
	var out []proof
	var weak, within tally
	cut := 0
	q.larger = q.larger[:0]
	least := (q.e.least-1)/q.longestAround() + 1 // seeds that can reach as far as a finding has to
	bundles := q.hits.bundles(q.prints, q.first, least)
	q.enough = slices.Grow(q.enough[:0], len(q.hits.positions))[:len(q.hits.positions)]
	clear(q.enough)
	needed := q.e.needed(len(q.Tokens))
	if err := q.bringBundles(bundles); err != nil {
		return nil, nil, err
	}
	for _, b := range bundles {
		if err := ctx.Err(); err != nil { // a file can meet thousands of documents
			return nil, nil, err
		}
		if ok, err := q.promising(b, needed, &weak, &within); err != nil {
			return nil, nil, err
		} else if !ok {
			continue
		}
		d, err := q.e.load(b.key)
		if err != nil {
			return nil, nil, err
		}
		before := len(out)
		whole := false
		if out, whole, err = q.verify(out, d, b.seeds, needed, &weak); err != nil {
			return nil, nil, err
		}
		if !whole {
			cut++
		}
		if out, err = q.withoutHelpers(out, before); err != nil {
			return nil, nil, err
		}
		if err := q.enlarge(out[before:], needed); err != nil {
			return nil, nil, err
		}
	}
	return out, q.unproved(cut, weak, within), nil
}

// verify appends the matches with a document that can still come to a finding. It
// is not whole when the comparison was cut short. Where it takes names and layout
// to tell whose the tokens are, the text is read if there is a finding in it.
func (q *query) verify(out []proof, d *doc, seeds []match.Seed, needed float64, weak *tally) (ps []proof, whole bool, err error) {
	side := d.side()
	runs, whole := match.Runs(q.side(), side, seeds, q.e.match)
	before, without := len(out), *weak
	contested := match.Contested(runs)
	out, err = q.worth(out, d, match.Arrange(q.side(), side, runs, q.e.match), needed, weak)
	if err != nil || !contested || len(out) == before {
		return out, whole, err
	}
	*weak = without
	if side.Text, err = q.e.fullText(d); err != nil {
		return nil, false, err
	}
	out, err = q.worth(out[:before], d, match.Arrange(q.side(), side, runs, q.e.match), needed, weak)
	return out, whole, err
}

// longestAround is the length of the longest run a single seed can be part of:
// see match.Stretches.
func (q *query) longestAround() int { return 2*(q.e.params.W-1) + q.e.params.K }

func (q *query) unproved(cut int, weak, within tally) []finding.Entry {
	var notes []finding.Entry
	if cut > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonRepetitive, Detail: "the comparison with " + finding.Count(cut, "document") + " was cut short: too many equal token sequences"})
	}
	if weak.n > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonBelowThreshold, Detail: fmt.Sprintf("hits in %s with too little information for a finding; the first at line %d", finding.Count(weak.n, "document"), q.Lines.Line(q.Tokens[weak.first].Start))})
	}
	if within.n > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonWithin, Detail: fmt.Sprintf("hits in %s that are a small part of a verified match and were not followed; the first at line %d", finding.Count(within.n, "document"), q.Lines.Line(q.Tokens[within.first].Start))})
	}
	return notes
}

// proved is a match that smaller ones can be part of: where it lies, small gaps
// closed, and how long it is.
type proved struct {
	spans  []match.Interval
	tokens int
}

// enlarge notes the matches with documents of others, whose regions smaller ones
// are part of. Only what would be a finding by its shape alone counts: names may
// yet speak against the others.
func (q *query) enlarge(ps []proof, needed float64) error {
	for _, p := range ps {
		occs, err := q.e.occurrences(p.doc)
		if err != nil {
			return err
		}
		foreign := slices.ContainsFunc(occs, func(o baseline.Occurrence) bool { return q.e.target.Self.Says(o.PURL) == "" })
		if !foreign {
			continue
		}
		l := proved{tokens: p.Tokens()}
		shape := 0.0
		for _, r := range p.Runs {
			from, to := int(r.Target), int(r.Target+r.Len)
			b := q.costsOf().Most(from, to, func(uint32) bool { return false })
			shape += q.e.weights.Shape(b)
			if n := len(l.spans); n > 0 && from-l.spans[n-1].To < q.e.params.K {
				l.spans[n-1].To = to
			} else {
				l.spans = append(l.spans, match.Interval{From: from, To: to})
			}
		}
		if shape >= needed {
			q.larger = append(q.larger, l)
		}
	}
	return nil
}

// smallPart is how many times longer than what seeds can reach a match around
// them is, for the document to be an origin of a part of it at most. Less than
// four lets a lookalike stand for the original where edits hide most of its seeds.
const smallPart = 4

// inLarger tells whether what the seeds with a document can reach is a small
// part of a match already proved.
func (q *query) inLarger(reach []match.Interval) bool {
	slack := q.e.params.W
	for _, l := range q.larger {
		if smallPart*match.Length(reach) > l.tokens {
			continue
		}
		if !slices.ContainsFunc(reach, func(r match.Interval) bool {
			return !slices.ContainsFunc(l.spans, func(s match.Interval) bool { return r.From >= s.From-slack && r.To <= s.To+slack })
		}) {
			return true
		}
	}
	return false
}

// worth appends the matches with a document that can still come to a finding,
// now that their runs are known. The others need not be judged on their texts.
func (q *query) worth(out []proof, d *doc, ms []match.Match, needed float64, weak *tally) ([]proof, error) {
	names, err := q.e.bases[d.key.base].Names(d.key.id)
	if err != nil {
		return out, err
	}
	long, most, best := ms[:0], []float64(nil), 0.0
	for _, m := range ms {
		if q.masked != nil {
			m = basecode.Unmasked(m, q.masked, q.e.match.MinFit)
		}
		if m.Tokens() < q.e.least {
			continue
		}
		q.bounds = q.bounds[:0]
		for _, r := range m.Runs {
			q.bounds = append(q.bounds, q.costsOf().Most(int(r.Target), int(r.Target+r.Len), names.Has))
		}
		bits := q.e.weights.Exactly(q.bounds)
		long, most, best = append(long, m), append(most, bits), max(best, bits)
	}
	for i, m := range long {
		from, to := m.Target()
		if best < needed || most[i] < q.e.weights.Unsupported(needed) {
			weak.add(from)
			continue
		}
		out = append(out, proof{doc: d, Match: m, from: from, to: to, most: most[i]})
	}
	return out, nil
}

// promising tells whether the seeds with one document can come to a finding: by the
// tokens they can be part of, and by the bits those can carry, first in a document that
// has all names.
func (q *query) promising(b bundle, needed float64, weak, within *tally) (bool, error) {
	p := q.e.params
	// most documents have only what a longer match has, whatever their diagonals
	q.reach = match.Reach(q.reach[:0], b.seeds, p.K, p.W)
	if match.Length(q.reach) < q.e.least {
		return false, nil
	}
	if q.inLarger(q.reach) {
		within.add(uint32(q.reach[0].From))
		return false, nil
	}
	q.apart, q.groups = q.apart[:0], q.groups[:0]
	if len(b.seeds) == 1 {
		if q.alone(b.seeds[0], needed) {
			q.apart = append(q.apart, q.reach[0])
			q.groups = append(q.groups, group{to: 1, needed: needed + q.rarest(q.apart, b.seeds)})
		}
	} else {
		many := q.near.Groups(q.near.Stretches(b.seeds, p.K, p.W), q.e.match, func(g []match.Interval) bool {
			if match.Length(g) >= q.e.least {
				q.apart = append(q.apart, g...)
				q.groups = append(q.groups, group{from: len(q.apart) - len(g), to: len(q.apart)})
			}
			return false
		})
		if many || len(q.groups) == 0 {
			return many, nil
		}
		q.reach = match.Union(append(q.reach[:0], q.apart...))
		if q.inLarger(q.reach) {
			within.add(uint32(q.reach[0].From))
			return false, nil
		}
		q.groups = q.possible(q.groups, b.seeds, needed)
	}
	if ok, err := q.named(b); ok || err != nil {
		return ok, err
	}
	weak.add(uint32(q.reach[0].From))
	return false, nil
}

// group is what gaps may bridge to one match: a part of apart.
type group struct {
	from, to int
	needed   float64 // bits, with those that many directories take off
}

// alone tells whether a seed can be enough without another, in a document that has all
// names. Most documents share one seed with a text, and many the same.
func (q *query) alone(s match.Seed, needed float64) bool {
	i := q.hits.at[s.Target]
	if q.enough[i] == 0 {
		q.enough[i] = 1
		if q.most(q.reach[:1], nil)-q.rarest(q.reach[:1], []match.Seed{s}) >= needed {
			q.enough[i] = 2
		}
	}
	return q.enough[i] == 2
}

// possible keeps the groups that can be enough in a document that has all names, and
// works out how many bits they need.
func (q *query) possible(groups []group, seeds []match.Seed, needed float64) []group {
	out := groups[:0]
	for _, g := range groups {
		spans := q.apart[g.from:g.to]
		if g.needed = needed + q.rarest(spans, seeds); q.most(spans, nil) >= g.needed {
			out = append(out, g)
		}
	}
	return out
}

// named tells whether a group is enough in a document with the names that this one has.
// It has to be a finding by itself, before it can support others.
func (q *query) named(b bundle) (bool, error) {
	if len(q.groups) == 0 {
		return false, nil
	}
	names, err := q.e.bases[b.key.base].Names(b.key.id)
	if err != nil {
		return false, err
	}
	for _, g := range q.groups {
		spans := q.apart[g.from:g.to]
		if q.most(spans, names.Has) < g.needed {
			continue
		}
		if q.e.weights.Together(q.bounds, math.MaxInt) >= g.needed || q.e.weights.Together(q.bounds, q.foreign(spans, b.seeds, names.Has)) >= g.needed {
			return true, nil
		}
	}
	return false, nil
}

// most bounds the bits of a group in a document with the names has says, nil for one
// that has all.
func (q *query) most(g []match.Interval, has func(uint32) bool) float64 {
	q.bounds = q.bounds[:0]
	for _, v := range g {
		o := q.costsOf().Outlook(v.From, v.To)
		if has == nil {
			q.bounds = append(q.bounds, o.All)
		} else {
			q.bounds = append(q.bounds, o.Most(has))
		}
	}
	return q.e.weights.Together(q.bounds, 0)
}

// rarest is what is taken off at least from any match of a group for the directories that
// share it. It has a seed at least, and with it all tokens of its k-gram.
func (q *query) rarest(g []match.Interval, seeds []match.Seed) float64 {
	directories := math.MaxInt
	for _, s := range seeds {
		if directories > 1 && within(g, int(s.Target)) {
			directories = min(directories, q.hitUnits(uint32(q.hits.positions[q.hits.at[s.Target]])))
		}
	}
	return q.e.weights.Shared(directories)
}

// foreign counts the names that differ in every run of the least length that has a seed
// of a group.
func (q *query) foreign(g []match.Interval, seeds []match.Seed, has func(uint32) bool) int {
	fewest, more := math.MaxInt, max(0, q.e.least-q.e.params.K)
	for _, s := range seeds {
		if at := int(s.Target); fewest > 0 && within(g, at) {
			fewest = min(fewest, q.costsOf().Outlook(at-more, at+q.e.params.K+more).Foreign(q.e.least, has))
		}
	}
	return fewest
}

// within tells whether a token lies in one of some intervals.
func within(g []match.Interval, at int) bool {
	return slices.ContainsFunc(g, func(v match.Interval) bool { return v.From <= at && at < v.To })
}

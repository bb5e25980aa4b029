package examine

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/functions"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Comments are a second line of evidence. Those beside a match support it; a long one that agrees word for word is a
// finding by itself, unless the code beside it is one.

// Bounds of what is compared.
const (
	mostCommented = 64      // documents with which the comments of one text are compared
	mostWords     = 1 << 17 // of comments of a document
	besideReach   = 48      // tokens before a match whose comments belong to it
	besideWords   = 12      // of a comment beside a match, at least
	besideMost    = 2048    // words beside a match that are compared
	commentOwners = 3       // owners from whom on a comment is nobody's
)

// remark is a run of words that a comment of the target shares with one of a document.
type remark struct {
	comments.Run
	doc             *library.Document
	origin          lang.Comments
	before, foreign int // the tokens behind the comments, here and there
}

// commented is a document that may have comments of the target.
type commented struct {
	key lookup.Key
	at  []int // the tokens behind them
}

// lookupComments finds the documents that share comments with the target. cut tells whether there are more.
func (q *query) lookupComments(ctx context.Context) (docs []commented, cut bool, err error) {
	if len(q.w.remark.List) == 0 {
		return nil, false, nil
	}
	prints := q.prints[:0]
	for _, k := range q.e.keys {
		prints = q.w.remark.Queries(prints, k, q.Language.Family)
	}
	q.prints = prints
	hashes := make([]uint64, len(prints))
	for i, f := range prints {
		hashes[i] = f.Hash
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	for base, b := range q.e.bases {
		err := b.Lookup(ctx, hashes, func(_ int, count uint64, ps []baseline.Posting) error {
			cut = cut || count > uint64(len(ps))
			for _, p := range ps {
				key := lookup.Key{Base: base, ID: p.Doc}
				i := slices.IndexFunc(docs, func(c commented) bool { return c.key == key })
				if i < 0 && len(docs) == mostCommented {
					cut = true
					continue
				}
				if i < 0 {
					i, docs = len(docs), append(docs, commented{key: key})
				}
				docs[i].at = append(docs[i].at, int(p.Pos))
			}
			return nil
		})
		if err != nil {
			return nil, cut, err
		}
	}
	slices.SortFunc(docs, func(a, b commented) int { return a.key.Compare(b.key) })
	for i := range docs {
		slices.Sort(docs[i].at)
		docs[i].at = slices.Compact(docs[i].at)
	}
	return docs, cut, nil
}

// commented tells whether the target has comments that are compared. A file may be little else.
func (q *query) commented() bool {
	q.w.remark.Read(q.Language, q.Text, q.Tokens)
	return len(q.w.remark.List) > 0
}

// remarks compares the comments of the target with those of the documents that the index names.
func (q *query) remarks(ctx context.Context) (out []remark, notes []finding.Entry, err error) {
	if q.Language == lang.Words() {
		return nil, nil, nil
	}
	q.w.remark.Read(q.Language, q.Text, q.Tokens)
	if q.masked != nil {
		q.w.remark.List = slices.DeleteFunc(q.w.remark.List, func(of lang.Comment) bool { return q.masked[min(of.At, len(q.masked)-1)] })
	}
	docs, cut, err := q.lookupComments(ctx)
	if err != nil {
		return nil, nil, err
	}
	var there comments.Reader
	bare := 0
	for _, c := range docs {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		d, err := q.readable(c.key)
		if err != nil {
			return nil, nil, err
		}
		if d.Bare {
			bare++
		}
		there.ReadAt(d.Text(), d.Stream, c.at)
		if len(there.Comments.Words) > mostWords {
			cut = true
			continue
		}
		out = appendRemarks(out, &q.w.remark, &there, d)
	}
	if bare > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonWithoutText, Detail: "comments may be copied from " + finding.Count(bare, "document") + " of the baseline, which has no text to prove it"})
	}
	if cut {
		q.crowd.docs = len(docs)
	}
	return out, notes, nil
}

// readable loads a document with its text.
func (q *query) readable(key lookup.Key) (*library.Document, error) {
	d, err := q.e.library.Load(key)
	if err != nil {
		return nil, err
	}
	_, err = d.Read()
	return d, err
}

func appendRemarks(out []remark, here, there *comments.Reader, d *library.Document) []remark {
	runs := comments.Shared(&here.Comments, &there.Comments, comments.Words)
	if len(runs) == 0 {
		return out
	}
	origin := lang.Comments{Words: slices.Clone(there.Comments.Words)}
	for _, r := range runs {
		out = append(out, remark{r, d, origin, behind(here.List, r.Target), behind(there.List, r.Origin)})
	}
	return out
}

// behind is the token behind the comment that has a word.
func behind(list []lang.Comment, word int) int {
	for _, of := range list {
		if of.From <= word && word < of.To {
			return of.At
		}
	}
	return 0
}

// byComments finds the documents that comments lead to, where nothing else did.
func (q *query) byComments(rs []remark, ps []proof, done []match.Interval) (leads, error) {
	l := leads{q: q, at: make(map[lookup.Key]int)}
	for _, r := range rs {
		at := min(r.before, len(q.Tokens)-1)
		if match.Within(done, at) || slices.ContainsFunc(ps, func(p proof) bool { return p.doc.Key == r.doc.Key && int(p.from) <= at+edge && at <= int(p.to)+edge }) {
			continue
		}
		names, all := q.namesAround(at)
		s := match.Seed{Target: uint32(at), Origin: uint32(min(r.foreign, r.doc.Stream.Len()-1))}
		if err := l.add(r.doc.Key, s, names, enoughNames(all)); err != nil {
			return l, err
		}
	}
	return l, nil
}

// beside adds to the evidence of a match what the comments beside it have in common, where it may be short of what is
// needed.
func (q *query) beside(e score.Evidence, p proof) score.Evidence {
	w := q.e.prose
	if q.Language == lang.Words() || e.Bits >= w.Full || e.Bits+w.Most < q.needs(e, q.e.needed(len(q.Tokens))) || e.Bits == 0 {
		return e
	}
	from, to := p.Match.Origin()
	here := besideOf(q.Text, q.Tokens, p.from, p.to)
	if len(here.List) == 0 {
		return e
	}
	low := max(0, int(from)-besideReach-1)
	there := besideOf(p.doc.Text(), p.doc.Stream.Slice(uint32(low), to), from-uint32(low), to-uint32(low))
	withoutEqual(here, there)
	runs := comments.Shared(here, there, besideWords)
	if len(runs) == 0 {
		return e
	}
	lines := lang.Lines(p.doc.Text())
	var shared []score.Remark
	for _, r := range runs {
		a, b := here.Words[r.Target:r.Target+r.Len], there.Words[r.Origin:r.Origin+r.Len]
		shared = append(shared, q.told(a, b, &lines))
	}
	return w.Beside(e, shared)
}

// withoutEqual leaves out strings that document and are equal on both sides: they count as literals.
func withoutEqual(here, there *lang.Comments) {
	here.List = slices.DeleteFunc(here.List, func(a lang.Comment) bool {
		return a.Quoted && slices.ContainsFunc(there.List, func(b lang.Comment) bool {
			return b.Quoted && slices.EqualFunc(here.Words[a.From:a.To], there.Words[b.From:b.To], func(v, w lang.Token) bool { return v.Kind == w.Kind })
		})
	})
}

// told is a run of words as it is told.
func (q *query) told(here, there []lang.Token, lines *lang.LineIndex) score.Remark {
	first, last := here[0], here[len(here)-1]
	return score.Remark{Words: len(here), Line: q.Lines.Line(first.Start), Last: q.Lines.Line(last.End - 1),
		Origin: lines.Line(there[0].Start), Behind: lines.Line(there[len(there)-1].End - 1), Text: wording(q.Text, here)}
}

// wording is a run of words on one line.
func wording(text []byte, words []lang.Token) string {
	var b bytes.Buffer
	for i, w := range words[:min(len(words), 24)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(text[w.Start:w.End])
	}
	return string(bytes.ToValidUTF8(b.Bytes(), []byte("?")))
}

// besideOf reads the comments of a match of the tokens [from, to), and of those right before it. A string that documents
// is a literal too, and counts as one where all of it agrees.
func besideOf(text []byte, toks []lang.Token, from, to uint32) *lang.Comments {
	low := max(0, int(from)-besideReach)
	begin := uint32(0)
	if low > 0 {
		begin = toks[low-1].End
	}
	c := new(lang.Comments)
	c.Read(text[:toks[to-1].End], int(begin), toks[low:to], besideWords)
	c.List = comments.Telling(text, c.Words, c.List)
	c.List = slices.DeleteFunc(c.List, func(of lang.Comment) bool { return of.To > besideMost })
	return c
}

// findDocumentation makes findings of comments that agree, but for those beside code that is a finding with the same package.
func (q *query) findDocumentation(rs []remark, cs []candidate) ([]Found, error) {
	var ps []proof
	docs := make(map[*library.Document]wordsOf)
	for _, r := range rs {
		if r.Len < q.e.o.MinTokens {
			continue
		}
		d, ok := docs[r.doc]
		if !ok {
			d = allWords(r.doc)
			docs[r.doc] = d
		}
		m := match.Match{Runs: []match.Run{{Target: uint32(r.Target), Origin: d.at(r.origin.Words[r.Origin]), Len: uint32(r.Len)}}}
		p := proof{doc: d.doc, Match: m}
		p.from, p.to = m.Target()
		ps = append(ps, p)
	}
	if len(ps) == 0 {
		return nil, nil
	}
	q.w.statements(q.Stream) // by the tokens of the code
	known, err := q.known(ps, make(map[string]int))
	if err != nil {
		return nil, err
	}
	ps = slices.DeleteFunc(ps, func(p proof) bool { return len(known[p.doc.Key]) == 0 })
	var out []Found
	for _, r := range regionsOf(ps) {
		occs := r.occurrences(known)
		at := behind(q.w.remark.List, int(r.from))
		if ownersOf(occs) >= commentOwners || nextTo(cs, at, occs) {
			continue
		}
		f, ok, err := q.documentation(r, occs)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// ownersOf counts who has a comment, but for those who keep code of others.
func ownersOf(occs []occurrence) int {
	return owners(slices.DeleteFunc(slices.Clone(occs), func(o occurrence) bool { return o.guest }))
}

// nextTo tells whether a finding with one of the packages is beside a token.
func nextTo(cs []candidate, at int, occs []occurrence) bool {
	return slices.ContainsFunc(cs, func(c candidate) bool {
		return int(c.from) <= at+edge && at <= int(c.to)+edge && slices.ContainsFunc(c.occurrences, func(o occurrence) bool {
			return slices.ContainsFunc(occs, func(p occurrence) bool { return purl.Name(o.PURL) == purl.Name(p.PURL) })
		})
	})
}

// documentation is the finding of a comment. It is judged as prose: a text of words.
func (q *query) documentation(r region, occs []occurrence) (Found, bool, error) {
	best := occs[0]
	code, lines := q.Stream, lang.Lines(best.doc.Text())
	run := best.Runs[0]
	words := q.w.remark.Comments.Words
	ev := q.e.prose.Alone(q.told(words[run.Target:run.Target+run.Len], best.doc.Stream.Slice(run.Origin, run.Origin+run.Len), &lines))
	if ev.Bits < q.e.needed(len(code.Tokens)) {
		return Found{}, false, nil
	}
	for i := range occs {
		occs[i].bits = round(ev.Bits * occs[i].share)
	}
	prose := *q
	prose.Stream = Stream{Path: code.Path, Language: lang.Words(), Text: code.Text, Tokens: words, Lines: code.Lines, own: len(words), bodies: func() []functions.Function { return nil }}
	all := others{whole: occs}
	f, err := prose.finding(candidate{region: r, best: best, occurrences: occs, ev: ev}, all)
	if err != nil {
		return f, false, err
	}
	f.Documentation, f.Language, f.Signature = true, code.Language.Name, nil
	traits := score.Traits{Above: ev.Bits - q.e.weights.Needed(DefaultMinScore, q.e.tokens, len(code.Tokens)), Order: 1, Unchanged: 1}
	f.Score, f.ScoredBy = q.e.likely.Score(traits), finding.Traits{Above: round(traits.Above), Order: 1, Unchanged: 1}
	if q.e.unwanted(f.Score) {
		return f, false, nil
	}
	if err := prose.attribute(all, &f.Finding); err != nil {
		return f, false, err
	}
	f.Reasons = q.e.weights.Documentation(score.Account{Evidence: ev, MinScore: q.e.o.MinScore, Tokens: f.Tokens, File: len(code.Tokens), Baseline: q.e.tokens, Packages: f.PackageCount})
	return f, true, nil
}

// wordsOf is a document with all words of its comments for tokens.
type wordsOf struct {
	doc   *library.Document
	words []lang.Token
}

// allWords reads all comments of a document.
func allWords(d *library.Document) wordsOf {
	var all lang.Comments
	toks, _ := d.Stream.All()
	all.Read(d.Text(), 0, toks, comments.Words)
	return wordsOf{d.OfWords(all.Words), all.Words}
}

// at is the number of a word.
func (w wordsOf) at(word lang.Token) uint32 {
	i, _ := slices.BinarySearchFunc(w.words, word, func(a, b lang.Token) int { return cmp.Compare(a.Start, b.Start) })
	return uint32(i)
}

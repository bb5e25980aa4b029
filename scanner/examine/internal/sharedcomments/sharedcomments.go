// Package sharedcomments compares the comments of a text with the comments of documents that the index proposes. A Run is a run of words
// that both have. A run beside a match adds to the evidence of the match (package evidence). A long one is a finding by itself,
// unless the code beside it is a finding already (package describe, documentation.go).
package sharedcomments

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Bounds of the comparison.
const (
	mostCommented = 64      // documents with which the comments of one text are compared
	mostWords     = 1 << 17 // words in the comments of a document
)

// Run is a run of words that a comment of the target shares with one of a document.
type Run struct {
	comments.Run
	Doc          *documents.Document
	Behind       int // the token of the target that follows its comment
	OriginBehind int // the token of the document that follows its comment
	origin       lang.Comments
}

// Reader reads the comments of a target.
type Reader struct {
	text   *text.Examined
	here   comments.Reader
	prints []fingerprint.Fingerprint
}

// New returns a reader of the comments of the text that t currently holds.
func New(t *text.Examined) *Reader { return &Reader{text: t} }

// commented is a document that may share comments with the target.
type commented struct {
	key lookup.Key
	at  []int // the tokens that follow these comments
}

// lookupComments finds the documents that share comments with the target. cut is true if some are left out.
func (r *Reader) lookupComments(ctx context.Context) (docs []commented, cut bool, err error) {
	if len(r.here.List) == 0 {
		return nil, false, nil
	}
	prints := r.prints[:0]
	for _, k := range r.text.Rules.Keys {
		prints = r.here.Queries(prints, k, r.text.Language.Family)
	}
	r.prints = prints
	hashes := lookup.Hashes(prints)
	for base, b := range r.text.Rules.Baselines {
		err := b.Lookup(ctx, hashes, func(_ int, count uint64, ps []baseline.Posting) error {
			cut = cut || count > uint64(len(ps))
			for _, p := range ps {
				key := lookup.Key{Baseline: base, ID: p.Doc}
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

// Any reports whether a text has comments that are compared. Some files have hardly any code beside their comments.
func (r *Reader) Any(st *text.Stream) bool {
	r.here.Read(st.Language, st.Text, st.Tokens)
	return len(r.here.List) > 0
}

// Shared is the outcome of Find. It is valid until the next text is read.
type Shared struct {
	Runs     []Run
	Words    []lang.Token    // of all comments of the target
	Entries  []finding.Entry // comments that were not compared
	comments []lang.Comment  // of the target
}

// Behind returns the token of the target that follows the comment with a word.
func (s *Shared) Behind(word int) int { return behind(s.comments, word) }

// Find compares the comments of the target with those of the documents that the index proposes.
func (r *Reader) Find(ctx context.Context) (out Shared, err error) {
	t := r.text
	if t.Language == lang.Words() {
		return out, nil
	}
	r.here.Read(t.Language, t.Text, t.Tokens)
	if t.Masked != nil {
		r.here.List = slices.DeleteFunc(r.here.List, func(of lang.Comment) bool { return t.Masked[min(of.At, len(t.Masked)-1)] })
	}
	out.Words, out.comments = r.here.Comments.Words, r.here.List
	docs, cut, err := r.lookupComments(ctx)
	if err != nil {
		return out, err
	}
	var there comments.Reader
	bare := 0
	for _, c := range docs {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		d, err := r.readable(c.key)
		if err != nil {
			return out, err
		}
		if d.Bare {
			bare++
		}
		there.ReadAt(d.Text(), d.Stream, c.at)
		if len(there.Comments.Words) > mostWords {
			cut = true
			continue
		}
		out.Runs = appendRuns(out.Runs, &r.here, &there, d)
	}
	if bare > 0 {
		out.Entries = append(out.Entries, finding.Entry{Path: t.Path, Reason: finding.ReasonWithoutText, Detail: "comments may be copied from " + finding.Count(bare, "document") + " of the baseline, which has no text to prove it"})
	}
	if cut && len(docs) > 0 {
		out.Entries = append(out.Entries, finding.Entry{Path: t.Path, Reason: finding.ReasonCrowded, Detail: fmt.Sprintf("comments are in more documents of the baseline than the %d that they were compared with", len(docs))})
	}
	return out, nil
}

// readable loads a document and reads its text.
func (r *Reader) readable(key lookup.Key) (*documents.Document, error) {
	d, err := r.text.Rules.Documents.Load(key)
	if err != nil {
		return nil, err
	}
	_, err = d.Read()
	return d, err
}

func appendRuns(out []Run, here, there *comments.Reader, d *documents.Document) []Run {
	runs := comments.Shared(&here.Comments, &there.Comments, comments.Words)
	if len(runs) == 0 {
		return out
	}
	origin := lang.Comments{Words: slices.Clone(there.Comments.Words)}
	for _, r := range runs {
		out = append(out, Run{r, d, behind(here.List, r.Target), behind(there.List, r.Origin), origin})
	}
	return out
}

// behind returns the token that follows the comment with a word.
func behind(list []lang.Comment, word int) int {
	for _, of := range list {
		if of.From <= word && word < of.To {
			return of.At
		}
	}
	return 0
}

// Proofs makes proofs of the runs with at least the given number of words. Their tokens are words, on both sides.
func Proofs(rs []Run, least int) (ps []evidence.Proof) {
	docs := make(map[*documents.Document]wordsOf)
	for _, r := range rs {
		if r.Len < least {
			continue
		}
		d, ok := docs[r.Doc]
		if !ok {
			d = allWords(r.Doc)
			docs[r.Doc] = d
		}
		ps = append(ps, evidence.Of(d.doc, match.Match{Runs: []match.Run{{Target: uint32(r.Target), Origin: d.at(r.origin.Words[r.Origin]), Len: uint32(r.Len)}}}))
	}
	return ps
}

// wordsOf is a document whose tokens are the words of all its comments.
type wordsOf struct {
	doc   *documents.Document
	words []lang.Token
}

// allWords reads all comments of a document.
func allWords(d *documents.Document) wordsOf {
	var all lang.Comments
	toks := d.Stream.All()
	all.Read(d.Text(), 0, toks, comments.Words)
	return wordsOf{d.OfWords(all.Words), all.Words}
}

// at returns the index of a word.
func (w wordsOf) at(word lang.Token) uint32 {
	i, _ := slices.BinarySearchFunc(w.words, word, func(a, b lang.Token) int { return cmp.Compare(a.Start, b.Start) })
	return uint32(i)
}

// Package learning makes the frequency model of a generation: it picks a sample of the documents, and counts n-grams and names in it.
//
//	learning.go    Learner; counts.go: counts of documents that are kept between builds
//	samples.go     Samples; extend.go: Extend
//	units.go       Unit, Units
//
//	Samples    documents of a generation, in the order of their hashes → a sample of each family
//	Extend     the samples and units of the generation before, new documents → the same samples, without listing every document
//	Learner    samples, the model before → the model
//	Unit       a package, a path → the sampling unit that they count for
//	Units      a generation → the units of each family, kept in a file
package learning

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"

	"golang.org/x/sync/errgroup"
)

// Generation is the part of a baseline that learning reads.
type Generation interface {
	// Fetch fetches documents that are to be decoded.
	Fetch(docs []Document) error
	// Decode returns a document's tokens and text.
	Decode(d Document) ([]lang.Token, []byte, error)
	// Find returns the document with a content, and whether there is one.
	Find(h store.Hash) (Document, bool, error)
}

// Learner makes a model from the one before.
type Learner struct {
	Old      *model.Model
	Before   map[string]string // per family: digest of the sample that its tables in Old were learnt from
	Counted  string            // directory of counts; "" keeps none
	Recounts int               // families that were counted from the previous counts
}

// Learn makes the model of samples of g. It returns the digest of each family's sample too. It returns no model if the sample of a
// family changed although its documents were said to be the same.
func (l *Learner) Learn(ctx context.Context, g Generation, of *Samples) (*model.Model, map[string]string, error) {
	var kept []string
	names := make(map[string]string)
	for _, family := range slices.Sorted(maps.Keys(of.families)) {
		s := of.families[family]
		if s.name == "" {
			s.name = s.digest(of.most)
		}
		names[family] = s.name
		if l.Old.Has(family) && l.Before[family] == s.name {
			kept = append(kept, family)
		} else if of.same[family] {
			return nil, nil, nil
		} else if err := l.count(ctx, g, &of.builder, s, of.most); err != nil {
			return nil, nil, err
		}
	}
	is := of.builder.Model()
	for _, family := range kept {
		if of.same[family] {
			is.Carry(l.Old, family)
		} else {
			is.Keep(l.Old, family)
		}
	}
	return is, names, nil
}

// count counts the sample of a family. With a directory for counts, it counts only the documents that this sample added or lost against the
// one before. Counts that are missing or cannot be written only cost time. The first sample of a family keeps counts only if it is full: a
// small one is soon counted again.
func (l *Learner) count(ctx context.Context, g Generation, to *model.Builder, s *sample, most int) error {
	before := l.Before[s.family]
	if l.Counted == "" || before == "" && s.tokens < most {
		return countEach(ctx, g, to, s.docs)
	}
	if s.counts == nil {
		s.was, s.counts = l.kept(before, most)
	}
	counts, err := l.recount(ctx, g, s)
	if err != nil {
		return err
	}
	if counts == nil {
		if err := s.complete(g); err != nil {
			return err
		}
		var b model.Builder
		if err := countEach(ctx, g, &b, s.docs); err != nil {
			return err
		}
		counts = b.Counts(s.family)
	}
	units := make(map[uint32]bool)
	for _, d := range s.docs {
		units[d.Unit] = true
	}
	to.Take(s.family, counts, units)
	l.note(before, s, counts)
	return nil
}

// recount updates the counts of the previous sample to this one. It returns nil if that is not possible.
func (l *Learner) recount(ctx context.Context, g Generation, s *sample) (*model.Counts, error) {
	if s.counts == nil {
		return nil, nil
	}
	left := make(map[sampled]bool, len(s.was))
	for _, c := range s.was {
		left[c] = true
	}
	var plus, minus []Document
	for _, d := range s.docs {
		c := sampled{d.Hash, d.Unit, d.Tokens, d.Scheme}
		if !left[c] {
			plus = append(plus, d)
		}
		delete(left, c)
	}
	for _, c := range s.was { // in the order of the old sample
		if !left[c] {
			continue
		}
		d, ok, err := g.Find(c.hash)
		if err != nil || !ok || d.Scheme != c.scheme {
			return nil, err // the document is gone, or its tokens were made by other rules
		}
		d.Unit = c.unit
		minus = append(minus, d)
	}
	if len(plus)+len(minus) > len(s.docs)/2 {
		return nil, nil
	}
	var more, less model.Builder
	if err := countEach(ctx, g, &more, plus); err != nil {
		return nil, err
	}
	if err := countEach(ctx, g, &less, minus); err != nil {
		return nil, err
	}
	if s.counts.Change(more.Counts(s.family), less.Counts(s.family)) != nil {
		return nil, nil
	}
	l.Recounts++
	return s.counts, nil
}

// counted is a decoded document. Decoding is half of the work and runs in parallel.
type counted struct {
	Document
	tokens []lang.Token
	text   []byte
}

// countEach counts documents in the order in which they are decoded.
func countEach(ctx context.Context, g Generation, to *model.Builder, docs []Document) error {
	if len(docs) == 0 {
		return nil
	}
	tokens := 0
	for _, d := range docs {
		tokens += int(d.Tokens)
	}
	to.Expect(lang.ByName(docs[0].Language).Family, tokens)
	if err := g.Fetch(docs); err != nil {
		return err
	}
	work, ctx := errgroup.WithContext(ctx)
	decoded := make(chan counted, 16)
	var at atomic.Int64
	var open sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		open.Add(1)
		work.Go(func() error {
			defer open.Done()
			for i := at.Add(1) - 1; i < int64(len(docs)); i = at.Add(1) - 1 {
				tokens, text, err := g.Decode(docs[i])
				if err != nil {
					return err
				}
				select {
				case decoded <- counted{docs[i], tokens, text}:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	work.Go(func() error {
		open.Wait()
		close(decoded)
		return nil
	})
	for c := range decoded {
		to.Add(lang.ByName(c.Language).Family, c.Unit, namedUnit(c.Unit), c.tokens, c.text)
	}
	return work.Wait()
}

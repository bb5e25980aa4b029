package baseline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/learning"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// learn makes the model of the next generation. It uses the documents with the lowest hashes of each family, so that the model depends on
// the content of the baseline and not on the order of the changes. A family whose sample is unchanged keeps its tables.
func (w *Writer) learn(ctx context.Context, m *generation.Manifest) error {
	next, err := openAs(w.dir, w.home, m, w.base.segs)
	if err != nil {
		return err
	}
	defer next.Close()
	old, err := w.base.Model()
	if err != nil {
		old = new(model.Model) // the old model is damaged; everything is learnt again
	}
	same, err := w.same(next, m, old)
	if err != nil {
		return err
	}
	l := &learning.Learner{Old: old, Before: w.man.Samples, Counted: w.counted}
	if !w.base.Key().IsZero() { // data of a baseline with a key is never written elsewhere
		l.Counted = ""
	}
	is, err := w.model(ctx, next, m, l, same)
	if err == nil && is == nil { // a later program samples differently
		is, err = w.model(ctx, next, m, l, nil)
	}
	if err != nil {
		return err
	}
	w.recounts += l.Recounts
	out := is.Marshal()
	sum := sha256.Sum256(out)
	m.Model = hex.EncodeToString(sum[:16])
	if err := writeFile(w.home.path(m.ModelFile()), out); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	return nil
}

// model makes the model of next and records its samples in m. It returns nil if the sample of a family in same has changed after all.
func (w *Writer) model(ctx context.Context, next *Baseline, m *generation.Manifest, l *learning.Learner, same map[string]bool) (is *model.Model, err error) {
	samples := learning.NewSamples(cmp.Or(w.learnt, learning.DefaultTokens), same)
	if err := next.sample(samples); err != nil {
		return nil, err
	}
	is, m.Samples, err = l.Learn(ctx, learnt{next}, samples)
	return is, err
}

// same lists the families whose documents a change leaves untouched. The change must only add segments. Neither the new segments nor other
// files of their packages may contain the family.
func (w *Writer) same(next *Baseline, m *generation.Manifest, old *model.Model) (map[string]bool, error) {
	n := len(w.man.Segments)
	if n > len(m.Segments) || !slices.EqualFunc(m.Segments[:n], w.man.Segments, generation.Segment.Equal) {
		return nil, nil
	}
	families, err := next.families()
	if err != nil {
		return nil, err
	}
	same := make(map[string]bool)
	for family := range w.man.Samples {
		same[family] = old.Has(family)
	}
	for _, p := range w.base.segs { // a program with other rules may have left out other documents
		languages, schemes, err := p.docs.Languages()
		if err != nil {
			return nil, blame.On(w.dir, err)
		}
		for i, name := range languages {
			if l := lang.ByName(name); l != nil && outdated(name, schemes[i]) {
				delete(same, l.Family)
			}
		}
	}
	for _, p := range next.segs[n:] {
		if err := disk.Guard(func() error {
			for i := range p.docs.Docs() {
				made, err := p.docs.Made(i)
				if err != nil {
					return err
				}
				delete(same, families[p][made])
			}
			return nil
		}); err != nil {
			return nil, blame.On(w.dir, err)
		}
		var lost error
		err := p.docs.AllOccurrences(func(o store.Occurrence) {
			d, known, err := w.base.Find(o.Hash)
			lost = cmp.Or(lost, err)
			if l := lang.ByName(d.Language); known && l != nil {
				delete(same, l.Family)
			}
		})
		if err = cmp.Or(err, lost); err != nil {
			return nil, blame.On(w.dir, err)
		}
	}
	return same, nil
}

// sample shows the documents of all families to samples.
func (b *Baseline) sample(to *learning.Samples) error {
	families, err := b.families()
	if err != nil {
		return err
	}
	return disk.Guard(func() error {
		return b.census(func(id DocID, at place) error {
			p, i := b.part(id)
			made, err := p.docs.Made(i)
			if err != nil {
				return blame.On(b.dir, err)
			}
			family := families[p][made]
			if family == "" || to.Done(family) {
				return nil
			}
			path, err := at.path()
			if err != nil {
				return blame.On(b.dir, err)
			}
			return to.See(family, at.key, path, func() (learning.Document, error) {
				d, err := b.Doc(id)
				return learning.Document{Document: d.Document, ID: uint32(id)}, err
			})
		})
	})
}

// families returns the family of each language of a segment. It is "" if a model learns nothing from documents of the language.
func (b *Baseline) families() (map[*part][]string, error) {
	out := make(map[*part][]string)
	for _, p := range b.segs {
		languages, schemes, err := p.docs.Languages()
		if err != nil {
			return nil, blame.On(b.dir, err)
		}
		names := make([]string, len(languages))
		for i, name := range languages {
			if l := lang.ByName(name); l != nil && !outdated(name, schemes[i]) {
				names[i] = l.Family
			}
		}
		out[p] = names
	}
	return out, nil
}

// learnt is a generation as package learning reads it.
type learnt struct{ b *Baseline }

func (g learnt) Bring(docs []learning.Document) error {
	ids := make([]DocID, len(docs))
	for i, d := range docs {
		ids[i] = DocID(d.ID)
	}
	return g.b.Bring(ids, true)
}

func (g learnt) Find(h store.Hash) (learning.Document, bool, error) {
	d, ok, err := g.b.Find(h)
	return learning.Document{Document: d.Document, ID: uint32(d.ID)}, ok, err
}

func (g learnt) Decode(d learning.Document) ([]lang.Token, []byte, error) {
	of := Document{d.Document, DocID(d.ID)}
	toks, _, err := g.b.Tokens(of)
	if err != nil {
		return nil, nil, err
	}
	text, err := g.b.Text(of)
	return toks, text, err
}

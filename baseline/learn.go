package baseline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/learning"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/purl"
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
	same, err := w.untouched(next, m, old)
	if err != nil {
		return err
	}
	l := w.learner(old)
	made, err := w.model(ctx, next, m, l, same)
	if err == nil && made == nil { // a later program samples differently
		made, err = w.model(ctx, next, m, l, nil)
	}
	if err != nil {
		return err
	}
	w.recounts += l.Recounts
	out := made.Marshal()
	sum := sha256.Sum256(out)
	m.Model = hex.EncodeToString(sum[:16])
	if err := writeFile(w.home.path(m.ModelFile()), out); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	return nil
}

// learner returns the Learner for the model of the next generation. For a baseline with a key it keeps no counts: data of such a
// baseline is never written elsewhere.
func (w *Writer) learner(old *model.Model) *learning.Learner {
	l := &learning.Learner{Old: old, Before: w.man.Samples, Counted: w.counted}
	if !w.base.Key().IsZero() {
		l.Counted = ""
	}
	return l
}

// model makes the model of next and records its samples in m. It returns nil if the sample of a family in same has changed after all.
func (w *Writer) model(ctx context.Context, next *Baseline, m *generation.Manifest, l *learning.Learner, same map[string]bool) (made *model.Model, err error) {
	before, err := w.unitsOf(w.base)
	if err != nil {
		return nil, err
	}
	samples, err := w.extended(next, l, same, before)
	if err == nil && samples == nil {
		samples = l.Samples(w.sampled(), same)
		err = next.sample(samples)
	}
	if err != nil {
		return nil, err
	}
	made, m.Samples, err = l.Learn(ctx, learnt{next}, samples)
	if made == nil || err != nil || l.Counted == "" {
		return made, err
	}
	after, err := w.unitsOf(next)
	if err != nil {
		return nil, err
	}
	l.WriteUnits(before, after, samples.Units())
	return made, nil
}

// sampled returns how many tokens of a family a model is learnt from.
func (w *Writer) sampled() int { return cmp.Or(w.learnt, learning.DefaultTokens) }

// untouched lists the families whose documents a change leaves as they are. It returns nil if the change does more than add segments.
func (w *Writer) untouched(next *Baseline, m *generation.Manifest, old *model.Model) (map[string]bool, error) {
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
	if err := w.base.dropOutdated(same); err != nil {
		return nil, blame.On(w.dir, err)
	}
	for _, p := range next.segs[n:] {
		if err := dropAdded(same, p, families[p]); err != nil {
			return nil, blame.On(w.dir, err)
		}
		if err := w.base.dropKnown(same, p); err != nil {
			return nil, blame.On(w.dir, err)
		}
	}
	return same, nil
}

// dropOutdated removes the families of outdated documents: a program with other rules may have left out other ones.
func (b *Baseline) dropOutdated(same map[string]bool) error {
	for _, p := range b.segs {
		languages, schemes, err := p.docs.Languages()
		if err != nil {
			return err
		}
		for i, name := range languages {
			if l := lang.ByName(name); l != nil && outdated(name, schemes[i]) {
				delete(same, l.Family)
			}
		}
	}
	return nil
}

// dropAdded removes the families of the documents of a new segment. families has one for each of its languages.
func dropAdded(same map[string]bool, p *part, families []string) error {
	return disk.Guard(func() error {
		for i := range p.docs.Docs() {
			language, err := p.docs.LanguageIndex(i)
			if err != nil {
				return err
			}
			delete(same, families[language])
		}
		return nil
	})
}

// dropKnown removes the families of the documents of b that packages of a new segment have too.
func (b *Baseline) dropKnown(same map[string]bool, p *part) error {
	var lost error
	err := p.docs.AllOccurrences(func(o store.Occurrence) {
		d, known, err := b.Find(o.Hash)
		lost = cmp.Or(lost, err)
		if l := lang.ByName(d.Language); known && l != nil {
			delete(same, l.Family)
		}
	})
	return cmp.Or(err, lost)
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
			language, err := p.docs.LanguageIndex(i)
			if err != nil {
				return blame.On(b.dir, err)
			}
			family := families[p][language]
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

// extended returns the samples of next, which only adds segments to the generation before. It reads the new segments, and the file
// before, which has the units of that generation. It returns nil if there is no such file, or if too many files are new: then every
// document is listed.
func (w *Writer) extended(next *Baseline, l *learning.Learner, same map[string]bool, before string) (*learning.Samples, error) {
	if l.Counted == "" || same == nil {
		return nil, nil
	}
	has := l.ReadUnits(before)
	if has == nil {
		return nil, nil
	}
	added, err := w.added(next)
	if added == nil || err != nil {
		return nil, err
	}
	samples := l.Extend(w.sampled(), same, has, added)
	if samples != nil {
		w.extensions++
	}
	return samples, nil
}

// unitsOf returns a name for the units of a generation. It is a hash of everything that they depend on: the segments, which of
// their documents this program samples, and the samples of the model, which another program can have made.
func (w *Writer) unitsOf(b *Baseline) (string, error) {
	families, err := b.families()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %q\n", learning.Version, w.sampled(), b.man.Samples)
	for i, p := range b.segs {
		fmt.Fprintf(h, "%s %d %q\n", b.man.Segments[i].Name, b.man.Segments[i].Removed, families[p])
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// keepUnits keeps the units of the generation before a merge, since the merge changes no content.
func (w *Writer) keepUnits(before string) error {
	l := w.learner(nil)
	if l.Counted == "" {
		return nil
	}
	after, err := w.unitsOf(w.base)
	if err == nil {
		l.MoveUnits(before, after)
	}
	return err
}

// firstPlace is the first place of a content: the package with the lowest package URL, and its first path there.
type firstPlace struct{ purl, path string }

func (p firstPlace) compare(q firstPlace) int {
	return cmp.Or(cmp.Compare(p.purl, q.purl), cmp.Compare(p.path, q.path))
}

// mostNew limits the new files: if more than one file in mostNew is new, all documents are listed instead. Looking up one new file
// takes as long as listing twenty documents.
const mostNew = 16

// added lists the new documents of next for each family, in the order of their hashes. It returns nil if a document of the generation
// before gets another first place, and if too much is new.
func (w *Writer) added(next *Baseline) (map[string][]learning.Placed, error) {
	n, occs, docs := len(w.base.segs), 0, 0
	for i, p := range next.segs {
		if docs += p.docs.Docs(); i >= n {
			occs += p.docs.Occs()
		}
	}
	if occs > docs/cmp.Or(w.mostNew, mostNew) {
		return nil, nil
	}
	first, err := next.firstPlaces(next.segs[n:])
	if err != nil {
		return nil, err
	}
	families, err := next.families()
	if err != nil {
		return nil, err
	}
	out := make(map[string][]learning.Placed)
	for _, h := range slices.SortedFunc(maps.Keys(first), compareHash) {
		_, known, err := w.base.Find(h)
		if err != nil {
			return nil, err
		}
		if known {
			if stays, err := w.base.isFirst(h, first[h]); err != nil || !stays {
				return nil, err
			}
			continue
		}
		d, family, err := next.sampledAs(h, families)
		if err != nil {
			return nil, err
		}
		if family != "" {
			out[family] = append(out[family], learning.Placed{Document: d, Key: purl.Key(first[h].purl), Path: first[h].path})
		}
	}
	return out, nil
}

// firstPlaces returns the first place of each content that some segments have.
func (b *Baseline) firstPlaces(segs []*part) (map[store.Hash]firstPlace, error) {
	first := make(map[store.Hash]firstPlace)
	for _, p := range segs {
		var bad error
		err := p.docs.AllOccurrences(func(o store.Occurrence) {
			name, err := p.docs.PURL(int(o.Package))
			bad = cmp.Or(bad, err)
			at := firstPlace{name, o.Path}
			if was, met := first[o.Hash]; !met || at.compare(was) < 0 {
				first[o.Hash] = at
			}
		})
		if err = cmp.Or(err, bad); err != nil {
			return nil, blame.On(b.dir, err)
		}
	}
	return first, nil
}

// isFirst reports whether a live package of b has a content at an earlier place than at.
func (b *Baseline) isFirst(h store.Hash, at firstPlace) (is bool, err error) {
	for _, p := range b.segs {
		var bad error
		err := p.docs.Occurrences(h, func(o store.Occurrence) {
			if p.dead[o.Package] {
				return
			}
			name, err := p.docs.PURL(int(o.Package))
			bad = cmp.Or(bad, err)
			is = is || firstPlace{name, o.Path}.compare(at) < 0
		})
		if err = cmp.Or(err, bad); err != nil {
			return false, blame.On(b.dir, err)
		}
	}
	return is, nil
}

// sampledAs returns a document and the family that it is sampled for. The family is "" if a model learns nothing from it.
func (b *Baseline) sampledAs(h store.Hash, families map[*part][]string) (d learning.Document, family string, err error) {
	found, ok, err := b.Find(h)
	if err != nil {
		return d, "", err
	}
	if !ok {
		return d, "", &CorruptError{Path: b.dir, Err: fmt.Errorf("document %s is in no segment", h)}
	}
	p, i := b.part(found.ID)
	language, err := p.docs.LanguageIndex(i)
	if err != nil {
		return d, "", blame.On(b.dir, err)
	}
	return learning.Document{Document: found.Document, ID: uint32(found.ID)}, families[p][language], nil
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

func (g learnt) Fetch(docs []learning.Document) error {
	ids := make([]DocID, len(docs))
	for i, d := range docs {
		ids[i] = DocID(d.ID)
	}
	return g.b.fetchDocs(ids)
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

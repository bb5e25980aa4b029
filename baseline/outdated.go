package baseline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/maker"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"

	"golang.org/x/sync/errgroup"
)

// Outdated counts the documents of one language whose tokens were made by other rules than this program's: its grammar,
// lexer or table entry has changed. Lookup skips them. [Writer.Compact] tokenises them again.
type Outdated struct {
	Language  string `json:"language"`
	Documents int    `json:"documents"`
	Bare      int    `json:"bare,omitempty"` // of Documents: without a text to tokenise
}

// outdated reports whether tokens of a language were made under another scheme.
func outdated(language, scheme string) bool { return scheme != lang.SchemeOf(language) }

// Outdated counts the outdated documents of each language, by name. Lookup skips these documents.
func (b *Baseline) Outdated() ([]Outdated, error) {
	count := make(map[string]Outdated)
	for _, p := range b.segs {
		old, err := p.outdated()
		if err != nil {
			return nil, blame.On(b.dir, err)
		}
		for i, is := range old {
			if !is {
				continue
			}
			d, err := p.docs.Doc(i)
			if err != nil {
				return nil, blame.On(b.dir, err)
			}
			o := count[d.Language]
			if o.Language, o.Documents = d.Language, o.Documents+1; d.Bare {
				o.Bare++
			}
			count[d.Language] = o
		}
	}
	out := slices.Collect(maps.Values(count))
	slices.SortFunc(out, func(x, y Outdated) int { return cmp.Compare(x.Language, y.Language) })
	return out, nil
}

// renewable reports whether this program can tokenise some of these documents. It lacks languages that a later program,
// or one built with a C compiler, knows.
func renewable(old []Outdated) bool { return slices.ContainsFunc(old, Outdated.renewable) }

func (o Outdated) renewable() bool { return o.Documents > o.Bare && lang.ByName(o.Language) != nil }

// tokenize makes the tokens and lines of an outdated document from its text.
func (b *Baseline) tokenize(d Document) ([]lang.Token, []uint32, error) {
	text, err := b.Text(d)
	if err != nil {
		return nil, nil, err
	}
	l := lang.ByName(d.Language)
	if l == nil {
		return nil, nil, fmt.Errorf("tokenise document %s of baseline %q: language %q is not known", d.Hash, b.dir, d.Language)
	}
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(l, text)
	if err != nil {
		return nil, nil, fmt.Errorf("tokenise document %s of baseline %q: %w", d.Hash, b.dir, err)
	}
	index, lines, line := lang.Lines(text), make([]uint32, len(s.Tokens)), 1
	for i, t := range s.Tokens {
		line = index.From(line, t.Start)
		lines[i] = uint32(line)
	}
	return slices.Clone(s.Tokens), lines, nil
}

// renew tokenises documents again and writes them to separate segments, which the compaction merges with the others. If
// one language of a family is outdated, renew handles the whole family, whose fingerprints can be equal. So the result
// equals that of indexing everything again.
func (c *compaction) renew(ctx context.Context) error {
	c.renewed = &Baseline{dir: c.w.dir, home: c.w.home, man: c.w.man, key: c.w.base.key}
	c.again, c.segs = make(map[store.Hash]bool), slices.Clone(c.w.base.segs)
	old, err := c.w.base.Outdated()
	if err != nil || !renewable(old) {
		return err
	}
	families := make(map[string]bool)
	for _, o := range old {
		if l := lang.ByName(o.Language); o.renewable() {
			families[l.Family] = true
		}
	}
	docs, err := c.ofFamilies(families)
	if err != nil {
		return err
	}
	for len(docs) > 0 {
		n, size := 0, int64(0)
		for n < len(docs) && (n == 0 || size < c.w.flushBytes) {
			size += int64(docs[n].Size)
			n++
		}
		if err := c.renewBatch(ctx, docs[:n]); err != nil {
			return err
		}
		docs = docs[n:]
	}
	c.segs = append(c.segs, c.renewed.segs...)
	return c.forget()
}

// ofFamilies lists, by hash, the live documents of some families that have their text.
func (c *compaction) ofFamilies(families map[string]bool) ([]Document, error) {
	var out []Document
	for _, p := range c.w.base.segs {
		for i := range p.docs.Docs() {
			d, err := c.w.base.Doc(p.first + DocID(i))
			if err != nil {
				return nil, err
			}
			l := lang.ByName(d.Language)
			if _, live := c.live[d.Hash]; l == nil || d.Bare || !live || !families[l.Family] || c.again[d.Hash] {
				continue
			}
			c.again[d.Hash] = true
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b Document) int { return compareHash(a.Hash, b.Hash) })
	return out, nil
}

// renewBatch writes one segment of documents tokenised again.
func (c *compaction) renewBatch(ctx context.Context, docs []Document) error {
	fresh := make([]*built, len(docs))
	g, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		g.Go(func() error {
			m, err := maker.New(lang.Limits{}, c.w.man.Params, c.w.base.key)
			if err != nil {
				return err
			}
			defer m.Close()
			for i := w; i < len(docs) && ctx.Err() == nil; i += workers {
				if fresh[i], err = c.anew(m, docs[i]); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	fresh = slices.DeleteFunc(fresh, func(b *built) bool { return b == nil })
	e, err := c.w.writeSegment(fresh, nil, nil)
	if err != nil {
		return err
	}
	return c.renewed.openPart(e, nil)
}

// anew tokenises a document again. It returns nil if the document now has too few tokens for a k-gram.
func (c *compaction) anew(m *maker.Maker, doc Document) (*built, error) {
	text, err := c.w.base.Text(doc)
	if err != nil {
		return nil, err
	}
	d := m.Again(doc.Hash, lang.ByName(doc.Language), text)
	if d == nil {
		return nil, nil
	}
	return &built{Document: d}, nil
}

// forget removes the documents that turned out too short, as Add would have.
func (c *compaction) forget() error {
	lost := make(map[store.Hash]bool)
	for h := range c.again {
		_, found, err := c.renewed.Find(h)
		if err != nil {
			return err
		}
		if !found {
			lost[h] = true
		}
	}
	if len(lost) == 0 {
		return nil
	}
	left := make([][]store.Occurrence, len(c.pkgs))
	short := make([]int, len(c.pkgs))
	for _, o := range c.occs {
		if lost[o.Hash] {
			short[o.Package]++
		} else {
			left[o.Package] = append(left[o.Package], o)
		}
	}
	c.occs = slices.Concat(left...)
	c.findFirst()
	for i := range c.pkgs {
		if p := &c.pkgs[i]; short[i] > 0 {
			skipped := map[string]int{string(ReasonTooShort): short[i]}
			for reason, n := range p.Skipped { // the map belongs to the reader
				skipped[reason] += n
			}
			p.Skipped = skipped
			p.Files, p.Digest = len(left[i]), packageDigest(left[i])
		}
	}
	return nil
}

// Refresh tokenises the outdated documents again, from their stored text, and returns their numbers. Documents in a
// language that this program does not know stay as they are.
func (w *Writer) Refresh(ctx context.Context) ([]Outdated, error) {
	old, err := w.base.Outdated()
	if err != nil {
		return nil, err
	}
	old = slices.DeleteFunc(old, func(o Outdated) bool { return !o.renewable() })
	if len(old) == 0 {
		return nil, nil
	}
	for i := range old {
		old[i].Documents, old[i].Bare = old[i].Documents-old[i].Bare, 0
	}
	return old, w.Compact(ctx)
}

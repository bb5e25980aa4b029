package baseline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"golang.org/x/sync/errgroup"
)

const (
	modelSuffix = ".model"
	// modelTokens bounds the sample a model is learnt from, per family: about
	// sixteen megabytes of source, which take 0.3 s.
	modelTokens = 2 << 20
)

// learn makes the model of the next generation: from the documents with the
// lowest hashes of each family, so that it depends on what is in the baseline
// and not on how it came in.
func (w *Writer) learn(ctx context.Context, m *manifest) error {
	next, err := openAs(w.dir, m)
	if err != nil {
		return err
	}
	defer next.Close()
	var live []DocID
	err = disk.Guard(func() error {
		live, err = next.live()
		return err
	})
	if err != nil {
		return err
	}
	var b model.Builder
	sample, err := next.sample(&b, live)
	if err != nil {
		return err
	}
	if err := next.count(ctx, &b, sample); err != nil {
		return err
	}
	out := b.Model().Marshal()
	sum := sha256.Sum256(out)
	m.Model = hex.EncodeToString(sum[:16])
	if err := writeFile(filepath.Join(w.dir, m.Model+modelSuffix), out); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	return nil
}

// sample tells the builder of all units and picks the documents to be counted.
func (b *Baseline) sample(to *model.Builder, live []DocID) ([]Document, error) {
	var out []Document
	used := make(map[string]int)
	for _, id := range live {
		d, err := b.Doc(id)
		if err != nil {
			return nil, err
		}
		l := lang.ByName(d.Language)
		if l == nil || outdated(d.Language, d.Scheme) {
			continue
		}
		to.Unit(l.Family, d.Unit)
		if used[l.Family] <= modelTokens {
			used[l.Family] += int(d.Tokens)
			out = append(out, d)
		}
	}
	return out, nil
}

// counted is a document that is decoded: half of the work, and it can be shared.
type counted struct {
	Document
	tokens []lang.Token
	text   []byte
}

// count counts documents in whichever order they are decoded.
func (b *Baseline) count(ctx context.Context, to *model.Builder, docs []Document) error {
	g, ctx := errgroup.WithContext(ctx)
	decoded := make(chan counted, 16)
	var at atomic.Int64
	var open sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		open.Add(1)
		g.Go(func() error {
			defer open.Done()
			for i := at.Add(1) - 1; i < int64(len(docs)); i = at.Add(1) - 1 {
				c, err := b.decode(docs[i])
				if err != nil {
					return err
				}
				select {
				case decoded <- c:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		open.Wait()
		close(decoded)
		return nil
	})
	for c := range decoded {
		to.Add(lang.ByName(c.Language).Family, c.Unit, c.tokens, c.text)
	}
	return g.Wait()
}

func (b *Baseline) decode(d Document) (counted, error) {
	toks, _, err := b.Tokens(d)
	if err != nil {
		return counted{}, err
	}
	text, err := b.Text(d)
	return counted{d, toks, text}, err
}

// live lists the documents that a package still has, by hash.
func (b *Baseline) live() ([]DocID, error) {
	has := make(map[store.Hash]bool)
	for _, p := range b.segs {
		err := p.docs.AllOccurrences(func(o store.Occurrence) {
			if !p.dead[o.Package] {
				has[o.Hash] = true
			}
		})
		if err != nil {
			return nil, err
		}
	}
	type entry struct {
		hash store.Hash
		id   DocID
	}
	var es []entry
	for _, p := range b.segs {
		for i := range p.docs.Docs() {
			if _, err := p.docs.Doc(i); err != nil {
				return nil, blame(b.dir, err)
			}
			if h := p.docs.Hash(i); has[h] {
				es = append(es, entry{h, p.first + DocID(i)})
			}
		}
	}
	slices.SortFunc(es, func(a, b entry) int { return cmp.Or(compareHash(a.hash, b.hash), cmp.Compare(a.id, b.id)) })
	ids := make([]DocID, len(es))
	for i, e := range es {
		ids[i] = e.id
	}
	return ids, nil
}

package baseline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
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
	live, err := next.live()
	if err != nil {
		return err
	}
	var b model.Builder
	used := make(map[string]int)
	for _, id := range live {
		d, err := next.Doc(id)
		if err != nil {
			return err
		}
		l := lang.ByName(d.Language)
		if l == nil {
			continue
		}
		b.Unit(l.Family, d.Unit)
		if used[l.Family] > modelTokens {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		used[l.Family] += int(d.Tokens)
		toks, _, err := next.Tokens(d)
		if err != nil {
			return err
		}
		text, err := next.Text(d)
		if err != nil {
			return err
		}
		b.Add(l.Family, d.Unit, toks, text)
	}
	out := b.Model().Marshal()
	sum := sha256.Sum256(out)
	m.Model = hex.EncodeToString(sum[:16])
	if err := writeFile(filepath.Join(w.dir, m.Model+modelSuffix), out); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	return nil
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

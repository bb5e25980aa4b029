package baseline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

const (
	modelSuffix = ".model"
	// modelTokens bounds the sample a model is learnt from, per family: from
	// there on more documents change little and cost a second per 10 M tokens.
	modelTokens = 4 << 20
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
	var b model.Builder
	units, err := next.units()
	if err != nil {
		return err
	}
	used := make(map[string]int)
	for _, u := range units {
		d, err := next.Doc(u.doc)
		if err != nil {
			return err
		}
		l := lang.ByName(d.Language)
		if l == nil || used[l.Family] > modelTokens {
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
		b.Add(l.Family, u.unit, toks, text)
	}
	out := b.Model().Marshal()
	sum := sha256.Sum256(out)
	m.Model = hex.EncodeToString(sum[:16])
	if err := writeFile(filepath.Join(w.dir, m.Model+modelSuffix), out); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	return nil
}

// unit is a document with the directory of the package it counts for: of its
// first live occurrence, the package without its version.
type unit struct {
	doc  DocID
	hash store.Hash
	unit uint64
}

// units lists the live documents by hash.
func (b *Baseline) units() ([]unit, error) {
	dirs := make(map[store.Hash]string)
	for _, p := range b.segs {
		pkgs, err := p.docs.Packages()
		if err != nil {
			return nil, err
		}
		names := make([]string, len(pkgs))
		for i := range pkgs {
			names[i] = purl.Name(pkgs[i].PURL)
		}
		err = p.docs.AllOccurrences(func(o store.Occurrence) {
			if p.dead[o.Package] {
				return
			}
			dir := names[o.Package] + " " + path.Dir(o.Path)
			if old, ok := dirs[o.Hash]; !ok || dir < old {
				dirs[o.Hash] = dir
			}
		})
		if err != nil {
			return nil, err
		}
	}
	var out []unit
	for _, p := range b.segs {
		for i := range p.docs.Docs() {
			h := p.docs.Hash(i)
			if dir, ok := dirs[h]; ok {
				sum := sha256.Sum256([]byte(dir))
				out = append(out, unit{p.first + DocID(i), h, binary.LittleEndian.Uint64(sum[:])})
			}
		}
	}
	slices.SortFunc(out, func(a, b unit) int { return cmp.Or(compareHash(a.hash, b.hash), cmp.Compare(a.doc, b.doc)) })
	return out, nil
}

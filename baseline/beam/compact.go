package main

import (
	"bufio"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/store"
)

func init() {
	register.DoFn5x1[context.Context, int, func(int, int64), func(string), func(string), error](&keepFn{})
	register.DoFn5x1[context.Context, int, func(*int, *int64) bool, func(*string) bool, func(string), error](&moveFn{})
	register.DoFn4x1[context.Context, int, func(*string) bool, func(string), error](&mergeFn{})
}

const moves = "moves"

// merge adds the steps of a compaction to the pipeline:
//
//	shards ─┬─ keep ─── (documents) ───────┐
//	        │   └ lengths, moves ┐         │
//	        └───────────────── move ─── commit
func merge(s beam.Scope, c Config) {
	numbers := make([]int, c.Shards)
	for i := range numbers {
		numbers[i] = i
	}
	shards := beam.Reshuffle(s.Scope("Shards"), beam.CreateList(s, numbers))
	tokens, moved, docs := beam.ParDo3(s.Scope("Keep"), &keepFn{Config: c}, shards)
	lists := beam.ParDo(s.Scope("Move"), &moveFn{Config: c}, shards, beam.SideInput{Input: tokens}, beam.SideInput{Input: moved})
	one := beam.GroupByKey(s, beam.ParDo(s, toOne, beam.Flatten(s, docs, lists)))
	said := beam.ParDo(s.Scope("Commit"), &mergeFn{c}, one)
	beam.ParDo0(s.Scope("Say"), &sayFn{c}, said)
}

// merging opens the generation that a merge starts from.
type merging struct {
	base *baseline.Baseline
	*baseline.Merging
}

func (m *merging) open(ctx context.Context, c Config) (err error) {
	if m.base, err = c.open(ctx); err != nil {
		return err
	}
	m.Merging, err = m.base.Merging(c.Gone)
	return err
}

func (m *merging) close() error {
	if m.base == nil {
		return nil
	}
	return m.base.Close()
}

// move is the new position of a document of the generation before, within its shard.
type move struct {
	Segment, Index int
	Base           uint64
}

// keepFn copies the documents of a shard, which is a range of hashes, that are kept.
type keepFn struct {
	Config Config
	from   merging
}

func (f *keepFn) Setup(ctx context.Context) error { return f.from.open(ctx, f.Config) }
func (f *keepFn) Teardown() error                 { return f.from.close() }

func (f *keepFn) ProcessElement(ctx context.Context, shard int, tokens func(int, int64), moved, docs func(string)) error {
	var all []move
	next := uint64(0)
	p, err := write(ctx, f.Config.Parts, part{Kind: documents, Shard: shard}, func(w io.Writer) error {
		to := gob.NewEncoder(w)
		for d, err := range f.from.Documents(ctx, uint32(f.Config.first(shard)), uint32(f.Config.first(shard+1)-1)) {
			if err != nil {
				return err
			}
			all = append(all, move{d.Segment, d.Index, next})
			next += uint64(d.Entry.Tokens)
			if err := to.Encode(d.Entry); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	m, err := write(ctx, f.Config.Parts, part{Kind: moves, Shard: shard}, func(w io.Writer) error { return gob.NewEncoder(w).Encode(all) })
	if err != nil {
		return err
	}
	tokens(shard, int64(next))
	moved(m.String())
	docs(p.String())
	return nil
}

// moveFn makes the lists of a range of fingerprints, with the new positions.
type moveFn struct {
	Config Config
	from   merging
	bases  [][]uint64 // per segment and document: its new position
}

// gone is the position of a document that is dropped.
const gone = math.MaxUint64

func (f *moveFn) Setup(ctx context.Context) error { return f.from.open(ctx, f.Config) }
func (f *moveFn) Teardown() error                 { return f.from.close() }

func (f *moveFn) ProcessElement(ctx context.Context, shard int, tokens func(*int, *int64) bool, moved func(*string) bool, parts func(string)) error {
	if f.bases == nil { // they are the same if the step is repeated
		if err := f.load(ctx, firsts(f.Config.Shards, tokens), moved); err != nil {
			return err
		}
	}
	base := func(segment, document int) (uint64, bool) {
		if segment >= len(f.bases) || document >= len(f.bases[segment]) {
			return 0, false
		}
		at := f.bases[segment][document]
		return at, at != gone
	}
	first, last := f.Config.first(shard)<<32, (f.Config.first(shard+1)-1)<<32|math.MaxUint32
	p, err := writeLists(ctx, f.Config, shard, func(put func(segment.List) error) error {
		return f.from.Lists(ctx, segment.Range{First: first, Last: last}, base, put)
	})
	if err == nil {
		parts(p.String())
	}
	return err
}

// load computes the new positions of the documents of all shards.
func (f *moveFn) load(ctx context.Context, first []uint64, moved func(*string) bool) error {
	bases := [][]uint64{}
	for name := ""; moved(&name); {
		var p part
		if err := json.Unmarshal([]byte(name), &p); err != nil {
			return err
		}
		var all []move
		if err := load(ctx, p.Name, &all); err != nil {
			return err
		}
		for _, m := range all {
			for len(bases) <= m.Segment {
				bases = append(bases, nil)
			}
			of := &bases[m.Segment]
			for len(*of) <= m.Index {
				*of = append(*of, gone)
			}
			(*of)[m.Index] = first[p.Shard] + m.Base
		}
	}
	f.bases = bases
	return nil
}

// mergeFn makes a generation from the files of the shards.
type mergeFn struct{ Config Config }

func (f *mergeFn) ProcessElement(ctx context.Context, _ int, names func(*string) bool, said func(string)) (err error) {
	of, err := byKind(names)
	if err != nil {
		return err
	}
	p := baseline.Pieces{From: f.Config.From, Documents: itemsOf(ctx, of[documents], documentsIn), Lists: itemsOf(ctx, of[posted], listsIn)}
	for _, l := range of[posted] {
		p.Keys += l.Keys
	}
	ctx = withCache(ctx)
	w, err := baseline.OpenWriter(ctx, f.Config.Baseline, f.Config.Params)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.CompactPieces(ctx, p, f.Config.Gone); err != nil {
		return err
	}
	said(Said{Digest: w.Baseline().Digest()}.String())
	return nil
}

// documentsIn returns a function that reads the next document of a file.
func documentsIn(r *bufio.Reader) func() (*store.Entry, error) {
	from := gob.NewDecoder(r)
	return func() (*store.Entry, error) {
		e := new(store.Entry)
		err := from.Decode(e)
		return e, err
	}
}

// compact merges a baseline and removes the packages in c.Gone.
func compact(ctx context.Context, c Config) (said Said, err error) {
	b, err := baseline.Open(withCache(ctx), c.Baseline)
	if err != nil {
		return said, err
	}
	defer b.Close() // it was only read
	m, err := b.Merging(c.Gone)
	if err != nil || m == nil {
		return Said{Digest: b.Digest()}, err
	}
	c.From, c.Params = b.Digest(), b.Params()
	return carryOut(ctx, c, func(s beam.Scope, c Config) { merge(s, c) })
}

// readPackages reads package URLs, one per line.
func readPackages(r io.Reader) (out []string, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if l := strings.TrimSpace(lines.Text()); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read packages: %w", err)
	}
	return out, nil
}

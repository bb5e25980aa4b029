package main

import (
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// document is an entry with its position in the order of reading.
type document struct {
	store.Entry
	PURL string
	Seq  int
}

func compareDocuments(a, b *document) int {
	return cmp.Or(baseline.CompareEntries(&a.Entry, &b.Entry), cmp.Compare(a.PURL, b.PURL), cmp.Compare(a.Seq, b.Seq))
}

// writeRun writes documents in order.
func writeRun(ctx context.Context, dir string, docs []document) (part, error) {
	slices.SortFunc(docs, func(a, b document) int { return compareDocuments(&a, &b) })
	return writeDocuments(ctx, dir, func(yield func(*document, error) bool) {
		for i := range docs {
			if !yield(&docs[i], nil) {
				return
			}
		}
	})
}

func writeDocuments(ctx context.Context, dir string, docs iter.Seq2[*document, error]) (part, error) {
	return write(ctx, dir, part{Kind: documents}, func(w io.Writer) error {
		to := gob.NewEncoder(w)
		for d, err := range docs {
			if err != nil {
				return err
			}
			if err := to.Encode(d); err != nil {
				return err
			}
		}
		return nil
	})
}

// opened is a file of documents, at its next document.
type opened struct {
	*stored
	from *gob.Decoder
	next *document
}

// step reads the next document. It returns io.EOF after the last.
func (r *opened) step() error {
	r.next = new(document)
	err := r.from.Decode(r.next)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("read part %q: %w", r.name, err)
	}
	return err
}

// runs is a list of files, ordered by their next document.
type runs []*opened

// sortFirst moves the first file to its place in that order.
func (r runs) sortFirst() {
	first, rest := r[0], r[1:]
	to, _ := slices.BinarySearchFunc(rest, first, compareNext)
	copy(r, rest[:to])
	r[to] = first
}

func compareNext(a, b *opened) int { return compareDocuments(a.next, b.next) }

func (r runs) close() {
	for _, f := range r {
		f.Close() // it was only read
	}
}

func openRuns(ctx context.Context, parts []part) (runs, error) {
	var out runs
	for _, p := range parts {
		f, err := open(ctx, p.Name)
		if err != nil {
			out.close()
			return nil, err
		}
		r := &opened{stored: f, from: gob.NewDecoder(f.r)}
		out = append(out, r)
		if err := r.step(); err != nil {
			out.close()
			return nil, err
		}
	}
	slices.SortFunc(out, compareNext)
	return out, nil
}

// merged yields the documents of several files in order.
func merged(ctx context.Context, parts []part) iter.Seq2[*document, error] {
	return func(yield func(*document, error) bool) {
		rs, err := openRuns(ctx, parts)
		defer func() { rs.close() }()
		for err == nil && len(rs) > 0 {
			d := rs[0].next
			switch err = rs[0].step(); err {
			case nil:
				rs.sortFirst()
			case io.EOF:
				rs[0].Close() // it was only read
				rs, err = rs[1:], nil
			}
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// maxRuns bounds how many files are read at once.
const maxRuns = 200

// documents yields one document for each content, in order. If there are too many files to be read at once, it first
// merges some of them.
func (f *commitFn) documents(ctx context.Context, parts []part) iter.Seq2[*store.Entry, error] {
	return func(yield func(*store.Entry, error) bool) {
		for len(parts) > maxRuns {
			p, err := writeDocuments(ctx, f.Config.Parts, merged(ctx, parts[:maxRuns]))
			if err != nil {
				yield(nil, err)
				return
			}
			parts = append(slices.Clone(parts[maxRuns:]), p)
		}
		var last store.Hash
		first := true
		for d, err := range merged(ctx, parts) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !first && d.Hash == last {
				continue
			}
			if first, last = false, d.Hash; !yield(&d.Entry, nil) {
				return
			}
		}
	}
}

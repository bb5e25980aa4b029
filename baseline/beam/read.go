package main

import (
	"context"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

func init() {
	register.DoFn4x1[context.Context, string, func(string, string), func(string), error](&openFn{})
	register.DoFn5x1[context.Context, string, func(*string) bool, func(int, []byte), func(string), error](&surveyFn{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func(string, []byte), error](&electFn{})
	register.DoFn5x1[context.Context, string, func(*[]byte) bool, func(int, []byte), func(string), error](&makeFn{})
	register.Emitter1[string]()
	register.Emitter2[string, string]()
	register.Emitter2[int, []byte]()
	register.Emitter2[string, []byte]()
	register.Iter1[string]()
	register.Iter1[[]byte]()
}

// openFn opens a line and emits its packages by name.
type openFn struct {
	Config Config
	opener opener
}

func (f *openFn) Setup(ctx context.Context) {
	f.opener.options = f.Config.sources(ctx)
}

func (f *openFn) ProcessElement(ctx context.Context, line string, named func(string, string), parts func(string)) error {
	var l source.Listed
	if err := json.Unmarshal([]byte(line), &l); err != nil {
		return err
	}
	f.opener.options.Skipped = func(s source.Skipped) {
		if s.Lacks() {
			parts(missing(s.Path + ": " + s.Detail))
		}
	}
	pkgs, err := f.opener.open(ctx, l)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		parts(missing(fmt.Sprintf("line %d: %v", l.Line, err)))
		return nil
	}
	for i, p := range pkgs {
		named(p.PURL, ref{l, i}.String())
	}
	return f.opener.close()
}

// batches collects elements for the shards of a bundle.
type batches[T any] struct {
	of   map[int][]T
	size map[int]int
}

func newBatches[T any]() batches[T] {
	return batches[T]{make(map[int][]T), make(map[int]int)}
}

// put adds an item. It emits the batch when it has the size of an element.
func (b batches[T]) put(shard int, item T, size int, emit func(int, []byte)) error {
	b.of[shard] = append(b.of[shard], item)
	if b.size[shard] += size; b.size[shard] < batchBytes {
		return nil
	}
	return b.pass(shard, emit)
}

func (b batches[T]) pass(shard int, emit func(int, []byte)) error {
	element, err := encode(b.of[shard])
	if err != nil {
		return err
	}
	emit(shard, element)
	delete(b.of, shard)
	delete(b.size, shard)
	return nil
}

func (b batches[T]) flush(emit func(int, []byte)) error {
	for shard := range b.of {
		if err := b.pass(shard, emit); err != nil {
			return err
		}
	}
	return nil
}

// share has the files of one package that belong to a shard.
type share struct {
	Ref, PURL string
	Files     []baseline.File
}

// surveyBytes is the approximate size of a file of surveys.
const surveyBytes = 64 << 20

// surveyFn reads packages for the first time.
type surveyFn struct {
	Config  Config
	opener  opener
	batches batches[share]
	surveys []*baseline.Survey
	size    int
}

func (f *surveyFn) Setup(ctx context.Context) {
	f.opener.options = f.Config.sources(ctx)
}

func (f *surveyFn) StartBundle(context.Context, func(int, []byte), func(string)) {
	f.batches, f.surveys, f.size = newBatches[share](), nil, 0
}

func (f *surveyFn) ProcessElement(ctx context.Context, purl string, lines func(*string) bool, candidates func(int, []byte), parts func(string)) error {
	refs, same, err := f.same(ctx, lines)
	if err != nil {
		return err
	}
	s, used, err := baseline.TakeSurvey(ctx, same, source.Limits{})
	if err != nil {
		return err
	}
	of := make(map[int]*share)
	for _, file := range s.Files {
		shard := f.Config.shardOf(binary.BigEndian.Uint32(file.Hash[:]))
		if of[shard] == nil {
			of[shard] = &share{Ref: refs[used].String(), PURL: purl}
		}
		of[shard].Files = append(of[shard].Files, file)
		f.size += 60 + len(file.Path)
	}
	for shard, is := range of {
		if err := f.batches.put(shard, *is, 300+100*len(is.Files), candidates); err != nil {
			return err
		}
	}
	f.surveys = append(f.surveys, s)
	if f.size > surveyBytes {
		return f.write(ctx, parts)
	}
	return nil
}

// same opens all packages of one name, in the order of the list.
func (f *surveyFn) same(ctx context.Context, lines func(*string) bool) (refs []ref, pkgs []*source.Package, err error) {
	for line := ""; lines(&line); {
		r, err := parseRef(line)
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, r)
	}
	sortRefs(refs)
	for _, r := range refs {
		p, err := f.opener.package1(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		pkgs = append(pkgs, p)
	}
	return refs, pkgs, nil
}

func (f *surveyFn) write(ctx context.Context, parts func(string)) error {
	p, err := write(ctx, f.Config.Parts, part{Kind: "surveys"}, func(w io.Writer) error { return gob.NewEncoder(w).Encode(f.surveys) })
	if err != nil {
		return err
	}
	parts(p.String())
	f.surveys, f.size = nil, 0
	return nil
}

func (f *surveyFn) FinishBundle(ctx context.Context, candidates func(int, []byte), parts func(string)) error {
	if err := errors.Join(f.batches.flush(candidates), f.opener.drop()); err != nil {
		return err
	}
	if len(f.surveys) == 0 {
		return nil
	}
	return f.write(ctx, parts)
}

func (f *surveyFn) Teardown() error { return f.opener.close() }

// wanted lists the contents for which a package is read again.
type wanted struct {
	Ref      string
	Readings []baseline.Elected
}

// electFn chooses the file under which each content of a shard is read.
type electFn struct {
	Config Config
	base   *baseline.Baseline
}

func (f *electFn) Setup(ctx context.Context) (err error) {
	f.base, err = f.Config.open(ctx)
	return err
}

func (f *electFn) ProcessElement(_ context.Context, _ int, elements func(*[]byte) bool, readings func(string, []byte)) error {
	refs := make(map[string]string)
	var all []baseline.Candidate
	for e := []byte(nil); elements(&e); {
		var shares []share
		if err := decode(e, &shares); err != nil {
			return err
		}
		for _, s := range shares {
			refs[s.PURL] = s.Ref
			for _, file := range s.Files {
				all = append(all, baseline.Candidate{Hash: file.Hash, PURL: s.PURL, Path: file.Path, Seq: file.Seq})
			}
		}
	}
	of := make(map[string]*wanted)
	for _, e := range baseline.Elect(all) {
		known, err := f.known(e.Hash)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		if of[e.PURL] == nil {
			of[e.PURL] = &wanted{Ref: refs[e.PURL]}
		}
		of[e.PURL].Readings = append(of[e.PURL].Readings, e)
	}
	for purl, w := range of {
		element, err := encode(w)
		if err != nil {
			return err
		}
		readings(purl, element)
	}
	return nil
}

func (f *electFn) known(h store.Hash) (bool, error) {
	if f.base == nil {
		return false, nil
	}
	_, known, err := f.base.Find(h)
	return known, err
}

func (f *electFn) Teardown() error {
	if f.base == nil {
		return nil
	}
	return f.base.Close()
}

// makeFn reads packages again and makes documents.
type makeFn struct {
	Config  Config
	opener  opener
	maker   *baseline.Maker
	batches batches[made]
	docs    []document
	size    int
}

func (f *makeFn) Setup(ctx context.Context) (err error) {
	f.opener.options = f.Config.sources(ctx)
	f.maker, err = baseline.NewMaker(lang.Limits{}, f.Config.Params, fingerprint.Key{})
	return err
}

func (f *makeFn) StartBundle(context.Context, func(int, []byte), func(string)) {
	f.batches, f.docs, f.size = newBatches[made](), nil, 0
}

func (f *makeFn) ProcessElement(ctx context.Context, purl string, elements func(*[]byte) bool, pieces func(int, []byte), parts func(string)) error {
	line, readings := "", make(map[string]baseline.Elected)
	for e := []byte(nil); elements(&e); {
		var w wanted
		if err := decode(e, &w); err != nil {
			return err
		}
		line = w.Ref
		for _, r := range w.Readings {
			readings[r.Path] = r
		}
	}
	r, err := parseRef(line)
	if err != nil {
		return err
	}
	pkg, err := f.opener.package1(ctx, r)
	if err != nil {
		return err
	}
	err = pkg.Walk(ctx, source.Limits{}, func(path string, data []byte) error {
		e, ok := readings[path]
		if !ok {
			return nil
		}
		delete(readings, path)
		if store.Sum(data) != e.Hash {
			return fmt.Errorf("read %s: %q has changed since it was first read", purl, path)
		}
		return f.keep(ctx, f.maker.Make(e, data), pieces, parts)
	}, nil)
	if err == nil && len(readings) > 0 {
		err = fmt.Errorf("read %s: %d files are gone since it was first read", purl, len(readings))
	}
	return err
}

// runBytes is the approximate size of a file of documents, which a worker holds in memory.
const runBytes = 32 << 20

// keep emits a piece and keeps its blobs for a file.
func (f *makeFn) keep(ctx context.Context, p baseline.Piece, pieces func(int, []byte), parts func(string)) error {
	m := pack(p)
	if err := f.batches.put(f.Config.shardOf(binary.BigEndian.Uint32(p.Hash[:])), m, m.size(), pieces); err != nil || p.Entry == nil {
		return err
	}
	f.docs = append(f.docs, document{*p.Entry, p.PURL, p.Seq})
	if f.size += len(p.Entry.TokBlob) + len(p.Entry.TxtBlob) + len(p.Entry.Names.Bits); f.size < runBytes {
		return nil
	}
	return f.write(ctx, parts)
}

func (f *makeFn) write(ctx context.Context, parts func(string)) error {
	p, err := writeRun(ctx, f.Config.Parts, f.docs)
	if err == nil {
		parts(p.String())
	}
	f.docs, f.size = nil, 0
	return err
}

func (f *makeFn) FinishBundle(ctx context.Context, pieces func(int, []byte), parts func(string)) error {
	if err := errors.Join(f.batches.flush(pieces), f.opener.drop()); err != nil || len(f.docs) == 0 {
		return err
	}
	return f.write(ctx, parts)
}

func (f *makeFn) Teardown() error {
	f.maker.Close()
	return f.opener.close()
}

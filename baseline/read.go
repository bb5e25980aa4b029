package baseline

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"

	"golang.org/x/sync/errgroup"
)

// Document is one distinct content of the baseline.
type Document struct {
	store.Document
	ID DocID
}

// Occurrence is a package and a path that have a document.
type Occurrence struct {
	PURL, Path, License string // licence of the file
	LicenseFrom         license.From
	Released            time.Time
	Repository          string // address that the package names
}

// Package is one package as it appears in lists.
type Package = store.Package

// Packages lists the packages by package URL.
func (b *Baseline) Packages() ([]Package, error) {
	var out []Package
	for _, p := range b.segs {
		pkgs, err := p.docs.Packages()
		if err != nil {
			return nil, blame.On(b.dir, err)
		}
		for i, pkg := range pkgs {
			if !p.dead[uint32(i)] {
				out = append(out, pkg)
			}
		}
	}
	slices.SortFunc(out, func(a, b Package) int { return cmp.Compare(a.PURL, b.PURL) })
	return out, nil
}

// PURLs lists the package URLs of the packages, in order. It decodes no package.
func (b *Baseline) PURLs() ([]string, error) {
	var out []string
	err := b.eachPURL(func(_ *part, _ int, name string) error {
		out = append(out, name)
		return nil
	})
	slices.Sort(out)
	return out, err
}

// PackagesOf lists the packages whose package URLs begin with prefix in any spelling of its letters, by package URL. It decodes no
// other package. With purl.Series as the prefix, these are all versions of a package, and possibly other packages.
func (b *Baseline) PackagesOf(prefix string) ([]Package, error) {
	var out []Package
	err := b.eachPURL(func(p *part, i int, name string) error {
		if !hasPrefix(name, prefix) {
			return nil
		}
		pkg, err := p.docs.Package(i)
		if err == nil {
			out = append(out, *pkg)
		}
		return err
	})
	slices.SortFunc(out, func(a, b Package) int { return cmp.Compare(a.PURL, b.PURL) })
	return out, err
}

// hasPrefix reports whether a package URL begins with prefix in any spelling of its letters.
func hasPrefix(name, prefix string) bool {
	return len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
}

// eachPURL calls fn with the segment, the number there and the package URL of each package.
func (b *Baseline) eachPURL(fn func(p *part, i int, name string) error) error {
	for _, p := range b.segs {
		n, err := p.docs.PackageCount()
		for i := 0; i < n && err == nil; i++ {
			if p.dead[uint32(i)] {
				continue
			}
			var name string
			if name, err = p.docs.PURL(i); err == nil {
				err = fn(p, i, name)
			}
		}
		if err != nil {
			return blame.On(b.dir, err)
		}
	}
	return nil
}

// Shared reports whether parts of the baseline may have to be fetched.
func (b *Baseline) Shared() bool { return b.home.objects != nil }

// FetchNames fetches the names of documents of a shared baseline in one round, before they are read one by one.
func (b *Baseline) FetchNames(ids []DocID) error { return b.fetch(ids, (*store.Reader).FetchNames) }

// fetchDocs fetches names and tokens of documents of a shared baseline in one round.
func (b *Baseline) fetchDocs(ids []DocID) error { return b.fetch(ids, (*store.Reader).FetchDocs) }

// fetch calls parts for each segment that has some of the documents.
func (b *Baseline) fetch(ids []DocID, parts func(r *store.Reader, ids []int) error) error {
	if b.home.objects == nil {
		return nil
	}
	lists := make(map[*part][]int)
	for _, id := range ids {
		p, i := b.part(id)
		lists[p] = append(lists[p], i)
	}
	var g errgroup.Group
	for p, list := range lists {
		g.Go(func() error { return parts(p.docs, list) })
	}
	return blame.On(b.dir, g.Wait())
}

// FetchTables fetches the tables of all segments from a store in one go, before they are read from start to end, or in many places.
func (b *Baseline) FetchTables() error {
	for _, p := range b.segs {
		if err := p.docs.FetchTables(); err != nil {
			return blame.On(b.dir, err)
		}
	}
	return nil
}

func (b *Baseline) part(id DocID) (*part, int) {
	i, found := slices.BinarySearchFunc(b.segs, id, func(p *part, id DocID) int { return cmp.Compare(p.first, id) })
	if !found {
		i--
	}
	// Several empty segments can start at one id. The last segment with that start contains the document.
	for i+1 < len(b.segs) && b.segs[i+1].first <= id {
		i++
	}
	p := b.segs[i]
	return p, int(id - p.first)
}

// Doc returns a document's record.
func (b *Baseline) Doc(id DocID) (Document, error) {
	p, i := b.part(id)
	d, err := p.docs.Doc(i)
	if err != nil {
		return Document{}, blame.On(b.dir, err)
	}
	return Document{d, id}, nil
}

// Tokens returns a document's token stream and each token's first line. The tokens of an outdated document are made from its text.
func (b *Baseline) Tokens(d Document) ([]lang.Token, []uint32, error) {
	if outdated(d.Language, d.Scheme) {
		return b.tokenize(d)
	}
	p, _ := b.part(d.ID)
	toks, lines, err := p.docs.Stream(d.Document)
	if err != nil {
		return nil, nil, blame.On(b.dir, err)
	}
	return toks, lines, nil
}

// Blocks is like Tokens, but decodes only the blocks that are read. Read them within a disk.Guard. The tokens of an outdated document
// are all made at once. text returns the document's text, from which spans are made; it may be nil. See lang.NewBlockStream for
// grown.
func (b *Baseline) Blocks(d Document, text func() ([]byte, error), grown func(bytes int)) (*lang.BlockStream, error) {
	if outdated(d.Language, d.Scheme) {
		toks, lines, err := b.tokenize(d)
		if err != nil {
			return nil, err
		}
		return store.BlocksOf(toks, lines, grown), nil
	}
	p, _ := b.part(d.ID)
	s, err := p.docs.Blocks(d.Document, text, grown, func(err error) error { return blame.On(b.dir, err) })
	if err != nil {
		return nil, blame.On(b.dir, err)
	}
	return s, nil
}

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

// Unit returns the sampling unit of a document: see package model. It reads a mapped file, so call it within a disk.Guard.
func (b *Baseline) Unit(id DocID) uint32 {
	p, i := b.part(id)
	return p.docs.Unit(i)
}

// Names returns the set of names in a document. The set is in a mapped file, so query it within a disk.Guard.
func (b *Baseline) Names(id DocID) (store.NameSet, error) {
	p, i := b.part(id)
	n, err := p.docs.Names(i)
	if err != nil {
		return n, blame.On(b.dir, err)
	}
	return n, nil
}

// Text returns a document's text. A bare document has only a part of it: see [Writer.WithoutText].
func (b *Baseline) Text(d Document) ([]byte, error) {
	p, _ := b.part(d.ID)
	t, err := p.docs.Text(d.Document)
	if err != nil {
		return nil, blame.On(b.dir, err)
	}
	return t, nil
}

// Verify reads every file of the generation and checks that they are consistent.
func (b *Baseline) Verify(ctx context.Context) error {
	if m, err := b.Model(); err != nil {
		return err
	} else if err := m.Check(); err != nil {
		return blame.On(b.dir, err)
	}
	for i, p := range b.segs {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := b.man.Segments[i].Name
		got, err := b.home.digest(name)
		if err != nil {
			return blame.On(b.dir, err)
		}
		if got != name {
			return &CorruptError{Path: b.dir, Err: fmt.Errorf("segment %s: its files have the digest %s", name, got)}
		}
		if err := p.fps.Verify(ctx); err != nil {
			return blame.On(b.dir, err)
		}
		if err := p.docs.Verify(); err != nil {
			return blame.On(b.dir, err)
		}
		if err := p.is(b.man.Segments[i]); err != nil {
			return blame.On(b.dir, err)
		}
		if err := b.verifyOccurrences(p); err != nil {
			return blame.On(b.dir, err)
		}
	}
	return nil
}

func (b *Baseline) verifyOccurrences(p *part) error {
	var missing error
	err := p.docs.AllOccurrences(func(o store.Occurrence) {
		for _, q := range b.segs {
			if _, ok, err := q.docs.Find(o.Hash); ok || err != nil {
				missing = cmp.Or(missing, err)
				return
			}
		}
		missing = fmt.Errorf("document %s of path %q is in no segment", o.Hash, o.Path)
	})
	return cmp.Or(err, missing)
}

func compareHash(a, b store.Hash) int { return bytes.Compare(a[:], b[:]) }

// Contents calls fn for each document of the packages that wanted accepts, in no particular order. It asks only for packages whose
// package URLs begin with one of the prefixes, as PackagesOf does, and reads the whole list of occurrences.
func (b *Baseline) Contents(prefixes []string, wanted func(Package) bool, fn func(pkg Package, path string, h store.Hash)) error {
	chosen := make(map[*part]map[uint32]*Package)
	err := b.eachPURL(func(p *part, i int, name string) error {
		if !slices.ContainsFunc(prefixes, func(prefix string) bool { return hasPrefix(name, prefix) }) {
			return nil
		}
		pkg, err := p.docs.Package(i)
		if err == nil && wanted(*pkg) {
			if chosen[p] == nil {
				chosen[p] = make(map[uint32]*Package)
			}
			chosen[p][uint32(i)] = pkg
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, p := range b.segs {
		if len(chosen[p]) == 0 {
			continue
		}
		err := p.docs.AllOccurrences(func(o store.Occurrence) {
			if pkg := chosen[p][o.Package]; pkg != nil {
				fn(*pkg, o.Path, o.Hash)
			}
		})
		if err != nil {
			return blame.On(b.dir, err)
		}
	}
	return nil
}

// is compares the packages of a segment with the manifest's entry.
func (p *part) is(e generation.Segment) error {
	pkgs, err := p.docs.Packages()
	if err != nil {
		return err
	}
	if n := len(e.Removed); n > 0 && e.Removed[n-1] >= len(pkgs) {
		return fmt.Errorf("segment %s: package %d of %d is removed", e.Name, e.Removed[n-1], len(pkgs))
	}
	return nil
}

// Model returns the frequency model of the baseline. It is read at its first use.
func (b *Baseline) Model() (*model.Model, error) {
	b.modelOnce.Do(func() {
		if b.modelFile == nil { // nothing was added yet
			b.model = new(model.Model)
			return
		}
		size, err := fetchAll(b.modelFile)
		var data []byte
		if err == nil {
			read := bytes.NewBuffer(make([]byte, 0, min(size+bytes.MinRead, mostModel)))
			_, err = read.ReadFrom(io.NewSectionReader(b.modelFile, 0, size))
			data = read.Bytes()
		}
		if sum := sha256.Sum256(data); err == nil && hex.EncodeToString(sum[:16]) != b.man.Model {
			err = errors.New("the model is not what its name says")
			if size > int64(len(data)) {
				err = disk.Cut(b.modelFile.Name(), size) // the file was cut short
			}
		}
		if err == nil {
			b.model, err = model.Unmarshal(data)
		}
		if err != nil {
			b.modelErr = blame.On(b.dir, err)
		}
	})
	return b.model, b.modelErr
}

// mostModel bounds the memory reserved for a model before it is read, in bytes.
const mostModel = 16 << 20

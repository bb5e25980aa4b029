package baseline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/shared"
)

// DocID numbers a document within one opened baseline.
type DocID uint32

// Baseline is an opened generation. Safe for concurrent use.
type Baseline struct {
	dir    string // as shown to the user: a directory, or an address
	home   home
	remote *shared.Remote // closed with the baseline, nil if there is none
	man    *generation.Manifest
	key    fingerprint.Key
	segs   []*part

	modelFile content // opened with the rest, since a later generation may remove it
	modelOnce sync.Once
	model     *model.Model
	modelErr  error
}

// part is one opened segment.
type part struct {
	*segmentFiles
	first DocID
	dead  map[uint32]bool // removed packages
}

// Open opens the newest generation of a baseline, in a directory or at an address. If the baseline was built with a key, keys must
// contain it; otherwise Open fails with a *KeyError. Parts of a shared baseline are fetched when they are needed, until ctx ends.
func Open(ctx context.Context, dir string, keys ...fingerprint.Key) (*Baseline, error) {
	if shared.IsAddress(dir) {
		return openAddress(ctx, dir, keys)
	}
	var b *Baseline
	var err error
	// A compaction may remove a generation after its manifest was read and before its files are opened. Then there is a newer
	// generation.
	for range 3 {
		if b, err = open(dir, keys); !errors.Is(err, fs.ErrNotExist) || ctx.Err() != nil {
			break
		}
	}
	return b, err
}

func open(dir string, keys []fingerprint.Key) (*Baseline, error) {
	m, err := generation.Newest(dir)
	if err != nil {
		return nil, err
	}
	return openGeneration(dir, home{dir: dir}, m, keys, nil)
}

// openGeneration opens the generation of a manifest. Segments that are already open are shared.
func openGeneration(dir string, h home, m *generation.Manifest, keys []fingerprint.Key, open []*part) (*Baseline, error) {
	key, err := m.Key(dir, keys)
	if err != nil {
		return nil, err
	}
	b, err := openAs(dir, h, m, open)
	if err != nil {
		return nil, err
	}
	b.key = key
	if b.modelFile, err = h.open(m.ModelFile()); err != nil {
		return nil, errors.Join(blame.On(dir, err), b.Close())
	}
	return b, nil
}

// openAs opens the segments of a manifest. Segments that are already open are shared.
func openAs(dir string, h home, m *generation.Manifest, open []*part) (*Baseline, error) {
	b := &Baseline{dir: dir, home: h, man: m}
	for _, e := range m.Segments {
		if err := b.openPart(e, open); err != nil {
			return nil, errors.Join(err, b.Close())
		}
	}
	return b, nil
}

func (b *Baseline) openPart(e generation.Segment, open []*part) error {
	p := &part{dead: make(map[uint32]bool)}
	if i := slices.IndexFunc(open, func(p *part) bool { return p.name == e.Name }); i >= 0 {
		p.segmentFiles = open[i].segmentFiles
	} else {
		var err error
		if p.segmentFiles, err = b.home.files(e.Name); err != nil {
			return blame.On(b.dir, err)
		}
	}
	p.users++
	for _, i := range e.Removed {
		p.dead[uint32(i)] = true
	}
	if n := len(b.segs); n > 0 {
		p.first = b.segs[n-1].first + DocID(b.segs[n-1].docs.Docs())
	}
	b.segs = append(b.segs, p)
	if s := p.fps.Info().Scheme; s != b.man.Scheme {
		return &CorruptError{Path: b.dir, Err: fmt.Errorf("segment %s has scheme %s, its manifest %s", e.Name, s, b.man.Scheme)}
	}
	// A file of another baseline is sound by itself, and a scan would find nothing. Manifests of before 2026-11-29 have only the counts.
	if e.Heads != "" && e.Heads != p.heads() {
		return &CorruptError{Path: b.dir, Err: fmt.Errorf("segment %s: its files are not those that its manifest names", e.Name)}
	}
	if docs, postings := p.docs.Docs(), p.fps.Info().Postings; e.Docs != docs || e.Postings != postings {
		return &CorruptError{Path: b.dir, Err: fmt.Errorf("segment %s: its manifest says %d documents and %d postings, it has %d and %d", e.Name, e.Docs, e.Postings, docs, postings)}
	}
	return nil
}

// dial connects to the store of a shared baseline.
func dial(ctx context.Context, address string) (*shared.Remote, error) {
	r, err := shared.Dial(ctx, address)
	if e, ok := errors.AsType[*shared.SchemeError](err); ok {
		return nil, &AddressError{e.Address}
	}
	return r, away(NameOf(address), err)
}

// openAddress opens the newest generation of a shared baseline.
func openAddress(ctx context.Context, address string, keys []fingerprint.Key) (*Baseline, error) {
	r, err := dial(ctx, address)
	if err != nil {
		return nil, err
	}
	s, m, err := newest(ctx, r)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	b, err := openGeneration(r.Name(), home{objects: s}, m, keys, nil)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	b.remote = r
	return b, nil
}

// newest reads the newest manifest of a store and checks it like that of a directory.
func newest(ctx context.Context, r *shared.Remote) (*shared.Snapshot, *generation.Manifest, error) {
	s, err := r.Head(ctx)
	if err != nil {
		return nil, nil, away(r.Name(), err)
	}
	if len(s.Manifest) > generation.MaxSize {
		return nil, nil, &CorruptError{Path: r.Name(), Err: fmt.Errorf("its manifest has more than %d bytes", generation.MaxSize)}
	}
	m, err := generation.Decode(s.Manifest)
	if older, ok := errors.AsType[*FormatError](err); ok {
		older.Path = r.Name()
		return nil, nil, older
	}
	if err == nil && m.Generation != s.Number {
		err = fmt.Errorf("it calls itself generation %d, the store %d", m.Generation, s.Number)
	}
	if err != nil {
		return nil, nil, &CorruptError{Path: r.Name(), Err: fmt.Errorf("manifest: %w", err)}
	}
	for _, name := range m.Parts() {
		if !s.Has(name) {
			return nil, nil, &CorruptError{Path: r.Name(), Err: fmt.Errorf("%s is missing", name)}
		}
	}
	return s, m, nil
}

// Close releases the files.
func (b *Baseline) Close() error {
	var errs []error
	for _, p := range b.segs {
		errs = append(errs, p.close())
	}
	if b.modelFile != nil {
		b.modelFile.Close() // it was only read
	}
	if b.remote != nil {
		errs = append(errs, b.remote.Close())
	}
	b.segs, b.modelFile, b.remote = nil, nil, nil
	return errors.Join(errs...)
}

// Path returns the directory, or the address without its secrets.
func (b *Baseline) Path() string { return b.dir }

// Params returns k and w, which a scan against this baseline must use.
func (b *Baseline) Params() fingerprint.Params { return b.man.Params }

// Scheme names how a text must be fingerprinted to be looked up here.
func (b *Baseline) Scheme() string { return SchemeID(b.man.Params) }

// Key returns the key that the baseline was built with, or the zero key. A text that is looked up must be winnowed in
// the order of this key.
func (b *Baseline) Key() fingerprint.Key { return b.key }

// Digest identifies the generation's content: segments in order, removals, scheme.
func (b *Baseline) Digest() string { return b.man.Digest() }

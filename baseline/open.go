package baseline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// part is one opened segment.
type part struct {
	*segmentFiles
	first DocID
	dead  map[uint32]bool // removed packages
}

// segmentFiles are the files of a segment. They never change. So a writer's next generation shares them, and everything that was read
// and checked of them.
type segmentFiles struct {
	name  string
	fps   *segment.Reader
	docs  *store.Reader
	users int // generations of one writer that have the files open

	outdated func() ([]bool, error) // reports which documents are outdated; computed once; nil if none is
}

// close releases the files when the last generation that has them open is closed.
func (o *segmentFiles) close() error {
	if o.users--; o.users > 0 {
		return nil
	}
	return errors.Join(o.fps.Close(), o.docs.Close())
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
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	return openGeneration(dir, home{dir: dir}, m, keys, nil)
}

// openGeneration opens the generation of a manifest. Segments that are already open are shared.
func openGeneration(dir string, h home, m *manifest, keys []fingerprint.Key, open []*part) (*Baseline, error) {
	key, err := m.keyOf(dir, keys)
	if err != nil {
		return nil, err
	}
	b, err := openAs(dir, h, m, open)
	if err != nil {
		return nil, err
	}
	b.key = key
	if b.modelFile, err = h.open(m.Model + modelSuffix); err != nil {
		return nil, errors.Join(blame(dir, err), b.Close())
	}
	return b, nil
}

// openAs opens the segments of a manifest. Segments that are already open are shared.
func openAs(dir string, h home, m *manifest, open []*part) (*Baseline, error) {
	b := &Baseline{dir: dir, home: h, man: m}
	for _, e := range m.Segments {
		if err := b.openPart(e, open); err != nil {
			return nil, errors.Join(err, b.Close())
		}
	}
	return b, nil
}

func (b *Baseline) openPart(e segmentEntry, open []*part) error {
	p := &part{dead: make(map[uint32]bool)}
	if i := slices.IndexFunc(open, func(p *part) bool { return p.name == e.Name }); i >= 0 {
		p.segmentFiles = open[i].segmentFiles
	} else {
		var err error
		if p.segmentFiles, err = b.home.files(e.Name); err != nil {
			return blame(b.dir, err)
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
		return &CorruptError{b.dir, fmt.Errorf("segment %s has scheme %s, its manifest %s", e.Name, s, b.man.Scheme)}
	}
	return nil
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

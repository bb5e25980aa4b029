package baseline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/maker"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// placed returns the posting of a document whose first token has position base.
func placed(f fingerprint.Fingerprint, base uint64) segment.Placed {
	return segment.Placed{Fingerprint: f.Hash &^ (1<<(64-segment.KeyBits) - 1), Position: base + uint64(f.Pos)}
}

// writeSegment writes both files of a segment from documents in hash order and all their postings. It names them by
// their digest.
func (w *Writer) writeSegment(docs []*built, pkgs []Package, occs []store.Occurrence) (generation.Segment, error) {
	tmp := w.home.path(generation.Building)
	dw, err := store.Create(tmp + ".docs")
	if err != nil {
		return generation.Segment{}, err
	}
	defer dw.Abort()
	total := 0
	for _, d := range docs {
		total += len(d.Prints)
	}
	ps := make([]segment.Placed, 0, total)
	for _, d := range docs {
		base := dw.Base()
		for _, f := range d.Prints {
			ps = append(ps, placed(f, base))
		}
		d.Prints = nil
		dw.Add(&d.Entry)
	}
	if err := dw.Close(pkgs, occs); err != nil {
		return generation.Segment{}, err
	}
	stored, err := writePostings(tmp+".fps", w.man.Scheme, ps)
	if err != nil {
		disk.Remove(tmp + ".docs")
		return generation.Segment{}, err
	}
	return w.adopt(stored, len(docs))
}

// writePostings returns how many postings it stored. Lists of common fingerprints are cut.
func writePostings(path, scheme string, ps []segment.Placed) (stored uint64, err error) {
	segment.Sort(ps)
	keys := uint64(0)
	segment.Lists(ps, 0, func(segment.List) error { keys++; return nil }) // fn never fails
	return writeLists(path, scheme, keys, func(add func(segment.List) error) error { return segment.Lists(ps, MaxPostings, add) })
}

// writeLists writes the lists that all passes to add, and returns the number of their postings.
func writeLists(path, scheme string, keys uint64, all func(add func(segment.List) error) error) (stored uint64, err error) {
	sw, err := segment.Create(path, segment.Options{Scheme: scheme, Keys: keys, MaxPostings: MaxPostings})
	if err != nil {
		return 0, err
	}
	defer sw.Abort()
	err = all(func(l segment.List) error {
		sw.Add(l.Fingerprint, l.Count, l.Positions)
		stored += uint64(len(l.Positions))
		return nil
	})
	if err != nil {
		return 0, err
	}
	return stored, sw.Close()
}

// adopt renames both built files to their digest.
func (w *Writer) adopt(postings uint64, docs int) (generation.Segment, error) {
	tmp := w.home.path(generation.Building)
	name, err := w.home.digest(generation.Building)
	if err != nil {
		return generation.Segment{}, err
	}
	files, err := w.home.files(generation.Building)
	if err != nil {
		return generation.Segment{}, err
	}
	heads := files.heads()
	files.close() // they were only read: nothing is lost if that fails
	for _, ext := range []string{".fps", ".docs"} {
		if err := disk.Rename(tmp+ext, w.home.path(name+ext)); err != nil {
			return generation.Segment{}, err
		}
	}
	return generation.Segment{Name: name, Postings: postings, Docs: docs, Heads: heads}, disk.SyncDir(w.home.dir)
}

func (a *adder) segment(docs []*built, pkgs []Package, occs []store.Occurrence) (generation.Segment, error) {
	docs = a.unique(docs)
	a.sum.Documents += len(docs)
	return a.w.writeSegment(docs, pkgs, occs)
}

// unique orders documents by hash and keeps one of each content. If different file names gave a content different
// front-ends, a front-end with a grammar is preferred, then the one read first.
func (a *adder) unique(docs []*built) []*built {
	slices.SortFunc(docs, func(x, y *built) int {
		return cmp.Or(CompareEntries(&x.Entry, &y.Entry), cmp.Compare(x.seq, y.seq))
	})
	docs = slices.CompactFunc(docs, func(x, y *built) bool { return x.Hash == y.Hash })
	return slices.DeleteFunc(docs, func(b *built) bool {
		old := a.met[b.Hash].state == isWritten
		a.reach(b.Hash, isWritten)
		return old
	})
}

// nextManifest makes the next manifest, and reports whether it differs. made reports whether a content is a document of this run;
// write ends a segment with the packages and occurrences that are new or changed.
func (a *adder) nextManifest(made func(store.Hash) bool, write func([]Package, []store.Occurrence) (generation.Segment, error)) (generation.Manifest, bool, error) {
	m := a.w.man.Clone()
	have, err := a.recorded()
	if err != nil {
		return m, false, err
	}
	occs, err := a.indexed(made)
	if err != nil {
		return m, false, err
	}
	pkgs, kept, replaced := a.settle(have, occs)
	a.sum.Packages = len(pkgs)
	if len(pkgs) == 0 {
		return m, false, nil
	}
	if _, err := a.w.kill(&m, replaced); err != nil {
		return m, false, err
	}
	e, err := write(pkgs, kept)
	if err != nil {
		return m, false, err
	}
	m.Segments = append(m.Segments, append(a.parts, e)...)
	return m, true, nil
}

// settle returns the packages of this run that are new or changed, and their occurrences. replaced has the package URLs of packages
// that the baseline already has in another form. occs are in the order of the run's packages; settle reuses their memory.
func (a *adder) settle(have map[string]Package, occs []store.Occurrence) (pkgs []Package, kept []store.Occurrence, replaced map[string]bool) {
	kept, replaced = occs[:0], make(map[string]bool)
	for i := range a.pkgs {
		own := 0
		for own < len(occs) && occs[own].Package == uint32(i) {
			own++
		}
		p := a.pkgs[i]
		p.Digest, p.Files = packageDigest(occs[:own]), own
		old, ok := have[p.PURL]
		p = withKnown(p, old)
		if ok && unchanged(old, p) {
			a.sum.Unchanged++
		} else {
			if ok {
				replaced[p.PURL] = true
			}
			for _, o := range occs[:own] {
				o.Package = uint32(len(pkgs))
				kept = append(kept, o)
			}
			pkgs = append(pkgs, p)
		}
		occs = occs[own:]
	}
	return pkgs, kept, replaced
}

// recorded returns those packages of this run that the baseline already has, by package URL. It decodes no others: a baseline has
// thousands.
func (a *adder) recorded() (map[string]Package, error) {
	have := make(map[string]Package, len(a.pkgs))
	for _, p := range a.pkgs {
		have[p.PURL] = Package{}
	}
	err := a.w.base.eachPURL(func(p *part, i int, name string) error {
		if _, ours := have[name]; !ours {
			return nil
		}
		pkg, err := p.docs.Package(i)
		if err == nil {
			have[name] = *pkg
		}
		return err
	})
	maps.DeleteFunc(have, func(_ string, p Package) bool { return p.PURL == "" })
	return have, err
}

// withKnown returns p, with the fields that its source does not give taken from the recorded package, old.
func withKnown(p, old Package) Package {
	if p.Released.IsZero() {
		p.Released = old.Released
	}
	if p.Packed.IsZero() && p.Released.Equal(old.Released) {
		p.Packed = old.Packed
	}
	p.Repository = cmp.Or(p.Repository, old.Repository)
	return p
}

// unchanged reports whether p adds nothing to what is recorded of a package.
func unchanged(old, p Package) bool {
	return old.Digest == p.Digest && old.License == p.License && old.Asked == p.Asked && slices.EqualFunc(old.Statements, p.Statements, license.Statement.Equal) && p.Released.Equal(old.Released) &&
		p.Repository == old.Repository && p.Packed.Equal(old.Packed)
}

// indexed keeps the occurrences whose content is a document of this run or of the baseline.
func (a *adder) indexed(made func(store.Hash) bool) ([]store.Occurrence, error) {
	out := a.occs[:0]
	for _, o := range a.occs {
		known := made(o.Hash)
		if !known {
			var err error
			if _, known, err = a.w.base.Find(o.Hash); err != nil {
				return nil, err
			}
		}
		if known {
			out = append(out, o)
		}
	}
	a.occs = nil
	return out, nil
}

// packageDigest hashes a package's paths and contents, sorted by path.
func packageDigest(occs []store.Occurrence) string {
	own := slices.SortedFunc(slices.Values(occs), func(a, b store.Occurrence) int { return cmp.Compare(a.Path, b.Path) })
	h := sha256.New()
	for _, o := range own {
		fmt.Fprintf(h, "%s %q\n", o.Hash, o.Path)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// built is a document ready for a segment.
type built struct {
	*maker.Document
	seq int // of the path under which it was read
}

package baseline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/learning"
	"github.com/git-provenance/git-provenance/baseline/internal/maker"
	"github.com/git-provenance/git-provenance/baseline/internal/survey"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// This file is Add in pieces, for machines that share the work. TakeSurvey runs for each package, Elect for the
// contents of all, and Make for each elected reading. Settle runs for a range of hashes, Lists for a range of
// fingerprints, and AddPieces once. The pieces can be cut anywhere; the result is the segment that one Add of the same
// packages makes. baseline/beam calls these functions.

// File is one file of a package, as found by a survey.
type File struct {
	Path string
	Hash store.Hash
	Seq  int // order of files and skips of the package
}

// SeqSkip is a skip with its number in the order of reading.
type SeqSkip struct {
	Seq int
	Skip
}

// Survey is the result of reading a package, before any content becomes a document.
type Survey struct {
	Package Package
	Files   []File
	Skips   []SeqSkip
	Bytes   int64
	Broken  string // why the package cannot be read
}

// TakeSurvey reads a package. same lists the packages of one name; the first that is not broken is used. It returns the
// index of that package, or of the last.
func TakeSurvey(ctx context.Context, same []*source.Package, lim source.Limits) (out *Survey, used int, err error) {
	out, seq := new(Survey), 0
	skip := func(s Skip) {
		seq++
		out.Skips = append(out.Skips, SeqSkip{seq, s})
	}
	r := survey.Surveyor{Limits: lim}
	r.File = func(path string, data []byte) error {
		seq++
		out.Files = append(out.Files, File{path, store.Sum(data), seq})
		out.Bytes += int64(len(data))
		return nil
	}
	for i, p := range same {
		from := seq
		r.Skip = func(path string, reason lang.Reason, detail string) { skip(Skip{p.PURL, path, reason, detail}) }
		if out.Package, err = r.Read(ctx, p); err == nil {
			for _, q := range same[i+1:] {
				skip(duplicate(q.PURL, q.From))
			}
			out.Broken = ""
			return out, i, nil
		}
		if seq > from || !source.Broken(err) {
			return nil, i, fmt.Errorf("read %s: %w", p.PURL, err)
		}
		out.Broken = cmp.Or(out.Broken, fmt.Sprintf("read %s: %v", p.PURL, err))
		skip(Skip{PURL: p.PURL, Reason: ReasonBroken, Detail: err.Error()})
	}
	return out, len(same) - 1, nil
}

// Candidate is a file under whose name its content may be read.
type Candidate struct {
	Hash store.Hash
	PURL string
	Path string
	Seq  int
}

// Elected is the file under whose name a content is read. Unit is that of the content's first path.
type Elected struct {
	Candidate
	Unit uint32
}

// Elect picks the first file for each content and file name. The candidates must include every file of each content.
// Elect sorts them.
func Elect(all []Candidate) []Elected {
	slices.SortFunc(all, func(x, y Candidate) int {
		return cmp.Or(bytes.Compare(x.Hash[:], y.Hash[:]), cmp.Compare(x.PURL, y.PURL), cmp.Compare(x.Seq, y.Seq))
	})
	var out []Elected
	for i := 0; i < len(all); {
		u, seen := learning.Unit(all[i].PURL, all[i].Path), make(map[string]bool, 1)
		for from := i; i < len(all) && all[i].Hash == all[from].Hash; i++ {
			if base := path.Base(all[i].Path); !seen[base] {
				seen[base] = true
				out = append(out, Elected{all[i], u})
			}
		}
	}
	return out
}

// Maker turns contents into documents. Not safe for concurrent use.
type Maker struct{ m *maker.Maker }

// NewMaker returns a maker of documents for baselines with these parameters.
func NewMaker(lim lang.Limits, p fingerprint.Params, key fingerprint.Key) (*Maker, error) {
	m, err := maker.New(lim, p, key)
	return &Maker{m}, err
}

// Close releases the parsers.
func (m *Maker) Close() { m.m.Close() }

// Piece is one content that became a document, or the reason why it did not.
type Piece struct {
	Elected
	Entry        *store.Entry // nil if it is left out
	Fingerprints []fingerprint.Fingerprint
	Reason       lang.Reason // why it is left out or only partly indexed; "" if it is complete
	Detail       string
}

// Make turns a content into a document.
func (m *Maker) Make(e Elected, data []byte) Piece {
	b, out := m.m.Make(e.Hash, e.Path, data)
	p := Piece{Elected: e, Reason: out.Reason, Detail: out.Detail}
	if b != nil {
		b.Unit = e.Unit
		p.Entry, p.Fingerprints = &b.Entry, b.Prints
	}
	return p
}

// Settle returns the documents among pieces in the order of their hashes, one for each content. All pieces of a content
// must be given.
func Settle(pieces []Piece) []Piece {
	docs := slices.DeleteFunc(slices.Clone(pieces), func(p Piece) bool { return p.Entry == nil })
	slices.SortFunc(docs, func(x, y Piece) int {
		return cmp.Or(CompareEntries(x.Entry, y.Entry), cmp.Compare(x.PURL, y.PURL), cmp.Compare(x.Seq, y.Seq))
	})
	return slices.CompactFunc(docs, func(x, y Piece) bool { return x.Hash == y.Hash })
}

// AppendPlaced appends the postings of a document whose first token has position base.
func AppendPlaced(dst []segment.Placed, fps []fingerprint.Fingerprint, base uint64) []segment.Placed {
	for _, f := range fps {
		dst = append(dst, placed(f, base))
	}
	return dst
}

// Lists calls fn with the list of each fingerprint, in order. It sorts the postings. fn must not keep its argument,
// which is reused.
func Lists(ps []segment.Placed, fn func(segment.List) error) error {
	segment.Sort(ps)
	return segment.Lists(ps, MaxPostings, fn)
}

// Outcome says why a content under a file name is left out or only partly indexed.
type Outcome struct {
	Hash    store.Hash
	Base    string // the file name
	Reason  lang.Reason
	Detail  string
	Partial bool // indexed by its words only
}

// Outcome returns the outcome of a piece, and whether there is one to report.
func (p *Piece) Outcome() (Outcome, bool) {
	return Outcome{p.Hash, path.Base(p.Path), p.Reason, p.Detail, p.Entry != nil}, p.Reason != ""
}

// Pieces are all parts of a change.
type Pieces struct {
	From      string    // digest of the generation that they were made for; "" if there was none
	Surveys   []*Survey // one for each package
	Outcomes  []Outcome
	Documents iter.Seq2[*store.Entry, error] // in the order of their hashes
	Keys      uint64                         // number of lists
	Lists     iter.Seq2[segment.List, error] // in the order of their fingerprints
}

// MovedError reports that a baseline has changed since pieces were made for it.
type MovedError struct{ Path string }

func (e *MovedError) Error() string {
	return fmt.Sprintf("baseline %q was changed since this build began", e.Path)
}

// AddPieces makes a generation with one segment of pieces and then merges segments like Add. The segment equals, byte
// for byte, that of an Add that writes only one. Pieces that the baseline already has change nothing, so AddPieces can
// be repeated.
func (w *Writer) AddPieces(ctx context.Context, p Pieces, skipped func(Skip)) (Added, error) {
	a, before := newAdder(w, AddOptions{Skipped: skipped}), len(w.man.Segments)
	if err := w.change(func() error { return a.addPieces(ctx, p) }); err != nil {
		return a.sum, err
	}
	return a.sum, w.compactIfDue(ctx, before)
}

func (a *adder) addPieces(ctx context.Context, p Pieces) error {
	old, err := a.w.base.Packages()
	if err != nil {
		return err
	}
	if err := a.take(p); err != nil {
		return err
	}
	if a.w.digest() != p.From {
		return a.unmoved(old)
	}
	dw, err := store.Create(a.w.home.path(generation.Building) + ".docs")
	if err != nil {
		return err
	}
	defer dw.Abort()
	made := make(map[store.Hash]bool)
	for e, err := range p.Documents {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		made[e.Hash] = true
		dw.Add(e)
	}
	m, changed, err := a.merge(old, func(h store.Hash) bool { return made[h] }, func(pkgs []Package, occs []store.Occurrence) (generation.Segment, error) {
		a.sum.Documents = len(made)
		return a.w.finish(dw, pkgs, occs, len(made), p)
	})
	if err != nil || !changed {
		return err
	}
	return a.w.commit(ctx, m)
}

// take records surveys and outcomes as reading the packages would have.
func (a *adder) take(p Pieces) error {
	surveys := slices.SortedFunc(slices.Values(p.Surveys), func(x, y *Survey) int { return cmp.Compare(x.Package.PURL, y.Package.PURL) })
	for _, s := range surveys {
		from := a.seq
		for _, n := range s.Skips {
			a.seq = max(a.seq, from+n.Seq)
			a.notes = append(a.notes, note{from + n.Seq, n.Skip})
		}
		if s.Broken != "" {
			a.broken = cmp.Or(a.broken, errors.New(s.Broken))
			continue
		}
		for _, f := range s.Files {
			a.seq = max(a.seq, from+f.Seq)
			a.occs, a.at = append(a.occs, store.Occurrence{Hash: f.Hash, Package: uint32(len(a.pkgs)), Path: f.Path}), append(a.at, from+f.Seq)
		}
		a.sum.Files, a.sum.Bytes = a.sum.Files+len(s.Files), a.sum.Bytes+s.Bytes
		s.Package.Skipped = make(map[string]int) // counted again by report
		a.pkgs = append(a.pkgs, s.Package)
	}
	if len(a.pkgs) == 0 && a.broken != nil {
		return a.broken
	}
	for _, o := range p.Outcomes {
		a.outcomes[named{o.Hash, o.Base}] = outcome{o.Reason, o.Detail, o.Partial}
	}
	a.report()
	return nil
}

// unmoved accepts pieces for another generation if this generation already has all of them.
func (a *adder) unmoved(old []Package) error {
	moved := &MovedError{a.w.dir}
	none := func(store.Hash) bool { return false }
	_, _, err := a.merge(old, none, func([]Package, []store.Occurrence) (generation.Segment, error) { return generation.Segment{}, moved })
	return err
}

// Merging is Compact in pieces, for one generation: Documents for a range of hashes, Lists for a range of fingerprints,
// and then CompactPieces, once.
type Merging struct{ c *compaction }

// RenewError reports that a merge in pieces would keep outdated documents.
type RenewError struct{ Path string }

func (e *RenewError) Error() string {
	return fmt.Sprintf("baseline %q has documents that are to be tokenised again", e.Path)
}

// Remedy says what the user can do.
func (e *RenewError) Remedy() string {
	return fmt.Sprintf("run \"git-provenance baseline refresh --baseline %s\", which merges as well", e.Path)
}

// Merging prepares a merge of all segments without the packages in gone. It returns nil if there is nothing to do.
func (b *Baseline) Merging(gone []string) (*Merging, error) {
	c := &compaction{w: &Writer{dir: b.dir, man: b.man, base: b}, segs: b.segs, live: make(map[store.Hash]uint32), gone: make(map[string]bool)}
	old, err := b.Outdated()
	if err == nil && renewable(old) {
		err = &RenewError{b.dir}
	}
	if err != nil {
		return nil, err
	}
	for _, purl := range gone {
		c.gone[purl] = true
	}
	if merged := len(b.segs) == 0 || len(b.segs) == 1 && len(b.segs[0].dead) == 0; merged && len(gone) == 0 {
		return nil, nil
	}
	pkgs, err := b.Packages()
	if err != nil {
		return nil, err
	}
	for _, purl := range gone {
		if !slices.ContainsFunc(pkgs, func(p Package) bool { return p.PURL == purl }) {
			return nil, &UnknownPackageError{b.dir, purl}
		}
	}
	return &Merging{c}, nil
}

// Documents yields the documents that are kept, in the order of their hashes. It yields only those whose hash begins
// with a number in the range from to to, both included.
func (m *Merging) Documents(ctx context.Context, from, to uint32) iter.Seq2[Moved, error] {
	return func(yield func(Moved, error) bool) {
		err := disk.Guard(func() error {
			if m.c.pkgs == nil {
				if err := m.c.packages(); err != nil {
					return blame.On(m.c.w.dir, err)
				}
			}
			for d, err := range m.c.stay(ctx, from, to) {
				if err != nil {
					return err
				}
				if !yield(d, nil) {
					return errStopped
				}
			}
			return nil
		})
		if err != nil && err != errStopped {
			yield(Moved{}, err)
		}
	}
}

var errStopped = errors.New("stopped")

// Lists calls fn with the lists of a range of fingerprints, in order. base returns a document's new position, by its segment and its number there, and whether it is kept.
func (m *Merging) Lists(ctx context.Context, fps segment.Range, base func(segment, document int) (uint64, bool), fn func(segment.List) error) error {
	o := segment.Options{Scheme: m.c.w.man.Scheme, MaxPostings: MaxPostings}
	all, err := sources(m.c.segs, base)
	if err == nil {
		err = segment.Union(ctx, o, all, fps, func(fp, count uint64, postings []uint64) error {
			return fn(segment.List{Fingerprint: fp, Count: count, Positions: postings[:min(len(postings), MaxPostings)]})
		})
	}
	if err != nil {
		return blame.On(m.c.w.dir, err)
	}
	return nil
}

// CompactPieces makes a generation from the results of Documents and Lists, without the packages in gone. It equals,
// byte for byte, Remove and Compact. If that was already done, it changes nothing, so it can be repeated.
func (w *Writer) CompactPieces(ctx context.Context, p Pieces, gone []string) error {
	if w.digest() != p.From {
		if len(w.base.segs) <= 1 && !w.base.hasAny(gone) {
			return nil
		}
		return &MovedError{w.dir}
	}
	m, err := w.base.Merging(gone)
	if err != nil || m == nil {
		return err
	}
	m.c.w = w
	return w.change(func() error { return w.replace(ctx, m.c, p) })
}

// hasAny reports whether a baseline has, or may have, one of these packages.
func (b *Baseline) hasAny(purls []string) bool {
	pkgs, err := b.Packages()
	return err != nil || slices.ContainsFunc(pkgs, func(p Package) bool { return slices.Contains(purls, p.PURL) })
}

// replace commits one segment of pieces in place of all segments.
func (w *Writer) replace(ctx context.Context, c *compaction, p Pieces) error {
	if err := c.packages(); err != nil {
		return blame.On(w.dir, err)
	}
	m := w.man.Clone()
	m.Segments = nil
	if len(c.pkgs) == 0 {
		return w.commit(ctx, m)
	}
	dw, err := store.Create(w.home.path(generation.Building) + ".docs")
	if err != nil {
		return err
	}
	defer dw.Abort()
	n := 0
	for e, err := range p.Documents {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		dw.Add(e)
		n++
	}
	e, err := w.finish(dw, c.pkgs, c.occs, n, p)
	if err != nil {
		return err
	}
	m.Segments = append(m.Segments, e)
	return w.commit(ctx, m)
}

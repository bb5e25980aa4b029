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
			has := make(map[string]store.Hash, len(out.Files))
			for _, f := range out.Files {
				has[f.Path] = f.Hash
			}
			for j, q := range same[i+1:] {
				s, err := repeated(ctx, q, p, has, lim)
				if err != nil {
					return nil, i + 1 + j, fmt.Errorf("read %s: %w", q.PURL, err)
				}
				skip(s)
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
	if err := a.take(p); err != nil {
		return err
	}
	if a.w.digest() != p.From {
		return a.unmoved()
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
	m, changed, err := a.nextManifest(func(h store.Hash) bool { return made[h] }, func(pkgs []Package, occs []store.Occurrence) (generation.Segment, error) {
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
func (a *adder) unmoved() error {
	moved := &MovedError{a.w.dir}
	none := func(store.Hash) bool { return false }
	_, _, err := a.nextManifest(none, func([]Package, []store.Occurrence) (generation.Segment, error) { return generation.Segment{}, moved })
	return err
}

// finish completes a segment whose documents are written.
func (w *Writer) finish(dw *store.Writer, pkgs []Package, occs []store.Occurrence, docs int, p Pieces) (generation.Segment, error) {
	if err := dw.Close(pkgs, occs); err != nil {
		return generation.Segment{}, err
	}
	tmp := w.home.path(generation.Building)
	stored, err := writeLists(tmp+".fps", w.man.Scheme, p.Keys, func(add func(segment.List) error) error {
		for l, err := range p.Lists {
			if err != nil {
				return err
			}
			if err := add(l); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		disk.Remove(tmp + ".docs")
		return generation.Segment{}, err
	}
	return w.adopt(stored, docs)
}

// digest names the generation that is being changed; "" before the first.
func (w *Writer) digest() string {
	if w.man.Generation == 0 {
		return ""
	}
	return w.base.Digest()
}

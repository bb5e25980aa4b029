package baseline

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/transport"
	"github.com/git-provenance/git-provenance/baseline/store"

	"golang.org/x/sync/errgroup"
)

// Exported describes an export. See [ReadExport].
type Exported struct {
	ID       string            // digest of its header, which covers everything in it
	Digest   string            // of the baseline
	Since    string            // digest of the baseline that must exist already; "" for a whole export
	Signer   ed25519.PublicKey // nil if it is not signed; the signature was checked
	Segments int
	Bytes    int64 // of the whole file

	head *transport.Head
}

func exportedBy(h *transport.Head) Exported {
	return Exported{ID: h.ID, Digest: h.Baseline.Digest(), Since: h.Since, Signer: h.Signer, Segments: len(h.Baseline.Segments), Bytes: int64(len(h.Bytes())) + h.Size(), head: h}
}

// ExportError reports that the input is not a valid export.
type ExportError struct{ Err error }

func (e *ExportError) Error() string { return fmt.Sprintf("read export: %v", e.Err) }
func (e *ExportError) Unwrap() error { return e.Err }

// Cut reports whether the end of the export is missing.
func (e *ExportError) Cut() bool { return errors.Is(e.Err, transport.ErrCut) }

// ExportOptions sets how a baseline is exported.
type ExportOptions struct {
	Since *Exported          // leave out the parts that this export has
	Sign  ed25519.PrivateKey // nil leaves it unsigned
}

// Export is a baseline about to be written as one file.
type Export struct {
	Exported
	dir  string
	home home
}

// Export prepares to write the generation as one file. The same generation and key always give the same bytes.
func (b *Baseline) Export(o ExportOptions) (*Export, error) {
	var since *transport.Header
	if o.Since != nil {
		since = &o.Since.head.Header
	}
	list, err := transport.List(b.man, since, b.home.size)
	if err != nil {
		return nil, blame.On(b.dir, err)
	}
	head, err := transport.Seal(list, o.Sign)
	if err != nil {
		return nil, fmt.Errorf("export baseline: %w", err)
	}
	return &Export{exportedBy(head), b.dir, b.home}, nil
}

// Write writes the export. It fails if a part has changed since.
func (e *Export) Write(ctx context.Context, out io.Writer) error {
	if _, err := out.Write(e.head.Bytes()); err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	var sums transport.Sums
	for _, p := range e.head.Parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.writePart(out, p, &sums); err != nil {
			return err
		}
	}
	return nil
}

func (e *Export) writePart(out io.Writer, p transport.Part, sums *transport.Sums) error {
	f, size, err := e.home.whole(p.Name)
	if err != nil {
		return fmt.Errorf("export baseline %q, which has changed meanwhile: %w", e.dir, err)
	}
	defer f.Close()
	n, err := io.Copy(io.MultiWriter(out, sums.Of(p)), io.NewSectionReader(f, 0, min(size, p.Size)))
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	if wrong := sums.Check(p); n != p.Size || wrong != nil {
		return &CorruptError{Path: e.dir, Err: fmt.Errorf("%s is not what its name says", p.Name)}
	}
	return nil
}

// ReadExport reads an export up to its parts and checks its signature.
func ReadExport(r io.Reader) (*Exported, error) {
	h, err := transport.Read(r)
	if err != nil {
		return nil, &ExportError{err}
	}
	e := exportedBy(h)
	return &e, nil
}

// ImportOptions are the conditions of an import.
type ImportOptions struct {
	Trust   []ed25519.PublicKey // one of these keys must have signed; if empty, no signature is needed
	Replace bool                // replaces any existing baseline
}

// ReplaceError reports that an import would replace another baseline.
type ReplaceError struct {
	Path, Have string
	Since      string // of a delta: digest of the baseline it builds on
}

func (e *ReplaceError) Error() string {
	if e.Since != "" {
		return fmt.Sprintf("baseline %q is %s, the export is for %s", e.Path, e.Have, e.Since)
	}
	return fmt.Sprintf("there is another baseline at %q: %s", e.Path, e.Have)
}

// SignerError reports that no trusted key has signed an export.
type SignerError struct{ Signer ed25519.PublicKey }

func (e *SignerError) Error() string {
	if e.Signer == nil {
		return "the export is not signed"
	}
	return fmt.Sprintf("the export is signed by a key that is not trusted: %s", KeyName(e.Signer))
}

// KeyName returns a short name of a signing key, for people to compare.
func KeyName(k ed25519.PublicKey) string {
	sum := sha256.Sum256(k)
	return "ed25519:" + hex.EncodeToString(sum[:16])
}

// Import makes the baseline in an export the next generation. Every file is compared with its digest. If no trusted
// keys are given, every document is verified too. On error nothing has changed.
func (w *Writer) Import(ctx context.Context, r io.Reader, o ImportOptions) (*Exported, error) {
	e, err := ReadExport(r)
	if err != nil {
		return nil, err
	}
	if len(o.Trust) > 0 && !slices.ContainsFunc(o.Trust, func(k ed25519.PublicKey) bool { return k.Equal(e.Signer) }) {
		return nil, &SignerError{e.Signer}
	}
	if _, err := e.head.Baseline.Key(w.dir, []fingerprint.Key{w.base.key}); err != nil {
		return nil, err
	}
	if have := w.base.Digest(); w.man.Generation > 0 {
		switch {
		case have == e.Digest:
			return e, nil
		case e.Since != "" && have != e.Since, e.Since == "" && !o.Replace && len(w.man.Segments) > 0:
			return nil, &ReplaceError{w.dir, have, e.Since}
		}
	} else if e.Since != "" {
		return nil, &ReplaceError{w.dir, "empty", e.Since}
	}
	return e, w.change(func() error { return w.take(ctx, r, e, len(o.Trust) == 0) })
}

// take reads the parts of an export and publishes its generation.
func (w *Writer) take(ctx context.Context, r io.Reader, e *Exported, verify bool) error {
	var sums transport.Sums
	for _, p := range e.head.Parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.takePart(r, p, &sums); err != nil {
			return err
		}
	}
	if n, err := r.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return &ExportError{errors.New("something follows its last part")}
	}
	if err := disk.SyncDir(w.home.dir); err != nil {
		return fmt.Errorf("import baseline: %w", err)
	}
	m := e.head.Baseline
	if err := w.whole(ctx, &m, verify); err != nil {
		return &ExportError{err}
	}
	return w.publish(ctx, m)
}

func (w *Writer) takePart(r io.Reader, p transport.Part, sums *transport.Sums) (err error) {
	tmp := w.home.path(generation.Building + filepath.Ext(p.Name))
	f, err := disk.Create(tmp, os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("import baseline: %w", err)
	}
	n, err := io.Copy(io.MultiWriter(f, sums.Of(p)), io.LimitReader(r, p.Size))
	if err == nil && w.remote == nil { // for a shared baseline, only the store's copy must last
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("import baseline: %w", err)
	}
	if n < p.Size {
		return &ExportError{transport.ErrCut}
	}
	if err := sums.Check(p); err != nil {
		return &ExportError{fmt.Errorf("part %w", err)}
	}
	return disk.Rename(tmp, w.home.path(p.Name))
}

// whole checks that a generation can be opened and is consistent. With verify it also checks every document.
func (w *Writer) whole(ctx context.Context, m *generation.Manifest, verify bool) error {
	next, err := openAs(w.dir, w.home, m, nil)
	if err != nil {
		return err
	}
	defer next.Close()
	if next.modelFile, err = w.home.open(m.ModelFile()); err != nil {
		return err
	}
	if verify {
		return next.Verify(ctx)
	}
	for i, p := range next.segs {
		if err := p.is(m.Segments[i]); err != nil {
			return err
		}
	}
	_, err = next.Model()
	return err
}

// bareBatch is the number of documents whose text is removed in one batch.
const bareBatch = 256

// WithoutText makes the first generation: a copy of another baseline without its texts. Each document keeps its tokens.
// The text between two tokens is kept only if notice returns true for it. Names, lines and fingerprints stay the same.
func (w *Writer) WithoutText(ctx context.Context, from *Baseline, notice func(between []byte) bool) error {
	if w.man.Generation > 0 {
		return &ReplaceError{Path: w.dir, Have: w.base.Digest()}
	}
	return w.change(func() error { return w.takeBare(ctx, from, notice) })
}

func (w *Writer) takeBare(ctx context.Context, from *Baseline, notice func([]byte) bool) error {
	m := from.man.Clone()
	for i, p := range from.segs {
		if err := p.docs.FetchAll(); err != nil {
			return blame.On(from.dir, err)
		}
		e, err := w.bareSegment(ctx, from, p, m.Segments[i], notice)
		if err != nil {
			return err
		}
		e.Removed = m.Segments[i].Removed
		m.Segments[i] = e
	}
	if err := w.copyOf(from, m.ModelFile(), m.ModelFile()); err != nil {
		return err
	}
	return w.publish(ctx, m)
}

// copyOf copies a file of another baseline.
func (w *Writer) copyOf(from *Baseline, name, to string) error {
	in, size, err := from.home.whole(name)
	if err != nil {
		return blame.On(from.dir, err)
	}
	defer in.Close()
	out, err := disk.Create(w.home.path(to), os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.NewSectionReader(in, 0, size))
	return errors.Join(err, out.Sync(), out.Close())
}

// bareSegment writes a copy of a segment whose documents have no text.
func (w *Writer) bareSegment(ctx context.Context, from *Baseline, p *part, is generation.Segment, notice func([]byte) bool) (generation.Segment, error) {
	pkgs, err := p.docs.Packages()
	if err != nil {
		return generation.Segment{}, blame.On(from.dir, err)
	}
	var occs []store.Occurrence
	if err := p.docs.AllOccurrences(func(o store.Occurrence) { occs = append(occs, o) }); err != nil {
		return generation.Segment{}, blame.On(from.dir, err)
	}
	dw, err := store.Create(w.home.path(generation.Building) + ".docs")
	if err != nil {
		return generation.Segment{}, err
	}
	defer dw.Abort()
	batch := make([]store.Entry, bareBatch)
	for at := 0; at < p.docs.Docs(); at += bareBatch {
		n := min(bareBatch, p.docs.Docs()-at)
		if err := bareEntries(ctx, batch[:n], p.docs, at, notice); err != nil {
			return generation.Segment{}, blame.On(from.dir, err)
		}
		for i := range batch[:n] {
			dw.Add(&batch[i])
		}
	}
	if err := dw.Close(pkgs, occs); err != nil {
		return generation.Segment{}, err
	}
	if err := w.copyOf(from, is.Name+".fps", generation.Building+".fps"); err != nil {
		return generation.Segment{}, err
	}
	return w.adopt(is.Postings, is.Docs)
}

// bareEntries fills out with the entries of the documents from index at on, without their text.
func bareEntries(ctx context.Context, out []store.Entry, docs *store.Reader, at int, notice func([]byte) bool) error {
	g, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		g.Go(func() error {
			enc, err := store.NewEncoder()
			for i := w; i < len(out) && err == nil; i += workers {
				if err = ctx.Err(); err == nil {
					out[i], err = bareEntry(enc, docs, at+i, notice)
				}
			}
			return err
		})
	}
	return g.Wait()
}

func bareEntry(enc *store.Encoder, docs *store.Reader, i int, notice func([]byte) bool) (store.Entry, error) {
	none := store.Entry{}
	e, err := docs.Entry(i)
	if err != nil {
		return none, err
	}
	if e.Bare {
		return *e, nil
	}
	d, err := docs.Doc(i)
	if err != nil {
		return none, err
	}
	text, err := docs.Text(d)
	if err != nil {
		return none, err
	}
	toks, lines, err := docs.Stream(d)
	if err != nil {
		return none, err
	}
	return enc.Bare(*e, text, toks, lines, notice), nil
}

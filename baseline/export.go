package baseline

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/store"

	"golang.org/x/sync/errgroup"
)

// # An exported baseline, version 1
//
//	"GPEXPORT1\n"
//	u32 little endian: length of the header
//	header             JSON, see exportHeader; the same bytes for the same generation
//	u8                 1 if it is signed, then ed25519 key (32 bytes), signature (64 bytes)
//	parts              the files that the header lists, one after another
//
// The header names each file by its digest. The SHA-256 of the header identifies the export. So this digest, and a
// signature of it, cover everything.
const (
	exportMagic   = "GPEXPORT1\n"
	exportFormat  = 1
	signedContext = "git-provenance baseline export 1\n"
	// maxExport bounds the size in bytes that all parts of one export may claim together.
	maxExport = 256 << 30
)

// exportHeader is the table of contents of an export.
type exportHeader struct {
	Format   int                 `json:"format"`
	Baseline generation.Manifest `json:"baseline"`        // its generation is 0
	Since    string              `json:"since,omitempty"` // digest of the baseline that this export builds on
	Parts    []exportPart        `json:"parts"`
}

type exportPart struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// Exported describes an export. See [ReadExport].
type Exported struct {
	ID       string            // digest of its header, which covers everything in it
	Digest   string            // of the baseline
	Since    string            // digest of the baseline that must exist already; "" for a whole export
	Signer   ed25519.PublicKey // nil if it is not signed; the signature was checked
	Segments int
	Bytes    int64 // of its parts

	header exportHeader
}

// ExportError reports that the input is not a valid export.
type ExportError struct{ Err error }

func (e *ExportError) Error() string { return fmt.Sprintf("read export: %v", e.Err) }
func (e *ExportError) Unwrap() error { return e.Err }

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
	head []byte // everything before the parts
}

// Export prepares to write the generation as one file. The same generation and key always give the same bytes.
func (b *Baseline) Export(o ExportOptions) (*Export, error) {
	h := exportHeader{Format: exportFormat, Baseline: b.man.Clone()}
	h.Baseline.Generation = 0
	have := make(map[string]bool)
	if o.Since != nil {
		h.Since = o.Since.Digest
		for _, name := range o.Since.header.Baseline.Parts() {
			have[name] = true
		}
	}
	for _, name := range h.Baseline.Parts() {
		if have[name] {
			continue
		}
		size, err := b.home.size(name)
		if err != nil {
			return nil, blame.On(b.dir, err)
		}
		h.Parts = append(h.Parts, exportPart{name, size})
	}
	js, err := h.encode()
	if err != nil {
		return nil, fmt.Errorf("export baseline: %w", err)
	}
	e := &Export{Exported: h.exported(js), dir: b.dir, home: b.home}
	e.head = append(binary.LittleEndian.AppendUint32([]byte(exportMagic), uint32(len(js))), js...)
	if o.Sign == nil {
		e.head = append(e.head, 0)
		return e, nil
	}
	e.Signer = o.Sign.Public().(ed25519.PublicKey)
	e.head = append(append(append(e.head, 1), e.Signer...), ed25519.Sign(o.Sign, signed(js))...)
	return e, nil
}

func (h *exportHeader) exported(js []byte) Exported {
	sum := sha256.Sum256(js)
	e := Exported{ID: hex.EncodeToString(sum[:]), Digest: h.Baseline.Digest(), Since: h.Since, Segments: len(h.Baseline.Segments), header: *h}
	for _, p := range h.Parts {
		e.Bytes += p.Size
	}
	return e
}

// signed returns the bytes that are signed.
func signed(header []byte) []byte {
	sum := sha256.Sum256(header)
	return append([]byte(signedContext), sum[:]...)
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
		if err := p.docs.BringAll(); err != nil {
			return blame.On(from.dir, err)
		}
		e, err := w.bareSegment(ctx, from, p, m.Segments[i], notice)
		if err != nil {
			return err
		}
		m.Segments[i].Name = e.Name
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

// Write writes the export. It fails if a part has changed since.
func (e *Export) Write(ctx context.Context, out io.Writer) error {
	if _, err := out.Write(e.head); err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	var sums partSums
	for _, p := range e.header.Parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.writePart(out, p, &sums); err != nil {
			return err
		}
	}
	return nil
}

func (e *Export) writePart(out io.Writer, p exportPart, sums *partSums) error {
	f, size, err := e.home.whole(p.Name)
	if err != nil {
		return fmt.Errorf("export baseline %q, which has changed meanwhile: %w", e.dir, err)
	}
	defer f.Close()
	n, err := io.Copy(io.MultiWriter(out, sums.of(p.Name)), io.NewSectionReader(f, 0, min(size, p.Size)))
	if err == nil && (n != p.Size || !sums.right(p.Name)) {
		return &CorruptError{Path: e.dir, Err: fmt.Errorf("%s is not what its name says", p.Name)}
	}
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	return nil
}

// partSums checks parts in the order of an export. A segment's digest covers both of its files.
type partSums struct{ h hash.Hash }

func (s *partSums) of(name string) io.Writer {
	if filepath.Ext(name) != ".docs" || s.h == nil {
		s.h = sha256.New()
	}
	return s.h
}

// right reports whether the digest of the parts so far is the one in name.
func (s *partSums) right(name string) bool {
	digest, ext := name[:len(name)-len(filepath.Ext(name))], filepath.Ext(name)
	return ext == ".fps" || hex.EncodeToString(s.h.Sum(nil)[:16]) == digest
}

func (h *exportHeader) encode() ([]byte, error) {
	js, err := json.MarshalIndent(h, "", " ")
	return append(js, '\n'), err
}

// ReadExport reads an export up to its parts and checks its signature.
func ReadExport(r io.Reader) (*Exported, error) {
	e, err := readExport(r)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, &ExportError{err}
	}
	return e, nil
}

func readExport(r io.Reader) (*Exported, error) {
	head := make([]byte, len(exportMagic)+4)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	if string(head[:len(exportMagic)]) != exportMagic {
		return nil, errors.New("it is no exported baseline")
	}
	size := int64(binary.LittleEndian.Uint32(head[len(exportMagic):]))
	if size > generation.MaxSize {
		return nil, fmt.Errorf("its header has more than %d bytes", generation.MaxSize)
	}
	js, err := io.ReadAll(io.LimitReader(r, size))
	if err != nil {
		return nil, err
	}
	if int64(len(js)) < size {
		return nil, io.ErrUnexpectedEOF
	}
	h, err := decodeExport(js)
	if err != nil {
		return nil, err
	}
	e := h.exported(js)
	e.Signer, err = readSignature(r, js)
	return &e, err
}

// decodeExport accepts only the exact bytes that encode writes: see decodeManifest.
func decodeExport(js []byte) (*exportHeader, error) {
	var is struct {
		Format   int `json:"format"`
		Baseline struct {
			Format int `json:"format"`
		} `json:"baseline"`
	}
	if err := json.Unmarshal(js, &is); err != nil {
		return nil, err
	}
	if is.Format != exportFormat || is.Baseline.Format != generation.Format {
		return nil, fmt.Errorf("it has format %d of a baseline of format %d, this program reads %d of %d", is.Format, is.Baseline.Format, exportFormat, generation.Format)
	}
	h := new(exportHeader)
	d := json.NewDecoder(bytes.NewReader(js))
	d.DisallowUnknownFields()
	if err := d.Decode(h); err != nil {
		return nil, err
	}
	again, err := h.encode()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, js) {
		return nil, errors.New("its header is not as this program writes it")
	}
	return h, h.check()
}

// check refuses parts that do not belong to the generation, that lack their twin or that are too large together.
func (h *exportHeader) check() error {
	if err := h.Baseline.Check(); err != nil {
		return err
	}
	order, total, at := h.Baseline.Parts(), int64(0), 0
	if names := slices.Sorted(slices.Values(order)); len(slices.Compact(names)) < len(order) {
		return errors.New("a segment is listed twice")
	}
	for i, p := range h.Parts {
		for at < len(order) && order[at] != p.Name {
			at++
		}
		if at == len(order) || p.Size < 0 || p.Size > maxExport-total {
			return fmt.Errorf("part %q of %d bytes", p.Name, p.Size)
		}
		if other, after := twin(p.Name); other != "" && (i+after < 0 || i+after >= len(h.Parts) || h.Parts[i+after].Name != other) {
			return fmt.Errorf("part %q without %q", p.Name, other)
		}
		total += p.Size
		at++
	}
	if h.Since == "" && len(h.Parts) < len(order) {
		return fmt.Errorf("it has %d of %d parts, and needs no other export", len(h.Parts), len(order))
	}
	return nil
}

// twin returns the other file of a segment and where it is listed: 1 for the next part, -1 for the one before. Both
// files share one digest.
func twin(name string) (other string, after int) {
	if digest, is := strings.CutSuffix(name, ".fps"); is {
		return digest + ".docs", 1
	}
	if digest, is := strings.CutSuffix(name, ".docs"); is {
		return digest + ".fps", -1
	}
	return "", 0
}

func readSignature(r io.Reader, header []byte) (ed25519.PublicKey, error) {
	var is [1]byte
	if _, err := io.ReadFull(r, is[:]); err != nil || is[0] == 0 {
		return nil, err
	}
	b := make([]byte, ed25519.PublicKeySize+ed25519.SignatureSize)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	key, sig := ed25519.PublicKey(b[:ed25519.PublicKeySize]), b[ed25519.PublicKeySize:]
	if is[0] != 1 || !ed25519.Verify(key, signed(header), sig) {
		return nil, errors.New("its signature is wrong")
	}
	return key, nil
}

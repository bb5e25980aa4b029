package baseline

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"io"

	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/transport"
)

// Exported describes an export. See [ReadExport].
type Exported struct {
	ID       string            // digest of its header, which covers everything in it
	Digest   string            // of the baseline
	Since    string            // digest of the baseline that must exist already; "" for a whole export
	Signer   ed25519.PublicKey // nil if it is not signed; the signature was checked
	Segments int
	Bytes    int64 // of its parts

	head *transport.Head
}

func exportedBy(h *transport.Head) Exported {
	return Exported{ID: h.ID, Digest: h.Baseline.Digest(), Since: h.Since, Signer: h.Signer, Segments: len(h.Baseline.Segments), Bytes: h.Size(), head: h}
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

// Package transport has the head of an exported baseline, and checks the parts after it. It reads and writes no file of a baseline.
//
// # An exported baseline, version 1
//
//	"GPEXPORT1\n"
//	u32 little endian: length of the header
//	header             JSON, see Header; the same bytes for the same generation
//	u8                 1 if it is signed, then ed25519 key (32 bytes), signature (64 bytes)
//	parts              the files that the header lists, one after another
//
// The header names each file by its digest. The SHA-256 of the header identifies the export. So this digest, and a
// signature of it, cover everything.
package transport

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/internal/generation"
)

const (
	magic         = "GPEXPORT1\n"
	format        = 1
	signedContext = "git-provenance baseline export 1\n"
	// maxSize bounds the size in bytes that all parts of one export may claim together.
	maxSize = 256 << 30
)

// Header is the table of contents of an export.
type Header struct {
	Format   int                 `json:"format"`
	Baseline generation.Manifest `json:"baseline"`        // its generation is 0
	Since    string              `json:"since,omitempty"` // digest of the baseline that this export builds on
	Parts    []Part              `json:"parts"`
}

// Part is a file of a baseline.
type Part struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// List returns the header of an export of a generation, without the parts of since, which may be nil. size returns the
// size of a file.
func List(m *generation.Manifest, since *Header, size func(name string) (int64, error)) (Header, error) {
	h := Header{Format: format, Baseline: m.Clone()}
	h.Baseline.Generation = 0
	have := make(map[string]bool)
	if since != nil {
		h.Since = since.Baseline.Digest()
		for _, name := range since.Baseline.Parts() {
			have[name] = true
		}
	}
	for _, name := range h.Baseline.Parts() {
		if have[name] {
			continue
		}
		n, err := size(name)
		if err != nil {
			return h, err
		}
		h.Parts = append(h.Parts, Part{name, n})
	}
	return h, nil
}

// Size returns the size of all parts in bytes.
func (h *Header) Size() (n int64) {
	for _, p := range h.Parts {
		n += p.Size
	}
	return n
}

// Head is everything before the parts.
type Head struct {
	Header
	ID     string            // digest of the header, which covers everything in the export
	Signer ed25519.PublicKey // nil if it is not signed

	header, signature []byte // as they are written
}

// Seal returns the head with a header. If key is not nil, the head is signed.
func Seal(h Header, key ed25519.PrivateKey) (*Head, error) {
	js, err := h.encode()
	if err != nil {
		return nil, err
	}
	out := newHead(h, js)
	if key != nil {
		out.Signer = key.Public().(ed25519.PublicKey)
		out.signature = ed25519.Sign(key, signed(js))
	}
	return out, nil
}

func newHead(h Header, js []byte) *Head {
	sum := sha256.Sum256(js)
	return &Head{Header: h, ID: hex.EncodeToString(sum[:]), header: js}
}

// Bytes returns the head as it is written.
func (h *Head) Bytes() []byte {
	b := append(binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(h.header))), h.header...)
	if h.Signer == nil {
		return append(b, 0)
	}
	return slices.Concat(b, []byte{1}, h.Signer, h.signature)
}

// signed returns the bytes that are signed.
func signed(header []byte) []byte {
	sum := sha256.Sum256(header)
	return append([]byte(signedContext), sum[:]...)
}

// ErrCut reports that the end of an export is missing.
var ErrCut = errors.New("it ends too early")

// Read reads a head and checks its signature. The parts follow in r.
func Read(r io.Reader) (*Head, error) {
	h, err := read(r)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = ErrCut
	}
	return h, err
}

func read(r io.Reader) (*Head, error) {
	start := make([]byte, len(magic)+4)
	if _, err := io.ReadFull(r, start); err != nil {
		return nil, err
	}
	if string(start[:len(magic)]) != magic {
		return nil, errors.New("it is no exported baseline")
	}
	size := int64(binary.LittleEndian.Uint32(start[len(magic):]))
	if size > generation.MaxSize {
		return nil, fmt.Errorf("its header has more than %d bytes", generation.MaxSize)
	}
	js, err := io.ReadAll(io.LimitReader(r, size))
	if err != nil {
		return nil, err
	}
	if int64(len(js)) < size {
		return nil, ErrCut
	}
	header, err := decode(js)
	if err != nil {
		return nil, err
	}
	h := newHead(*header, js)
	return h, h.readSignature(r)
}

func (h *Head) readSignature(r io.Reader) error {
	var is [1]byte
	if _, err := io.ReadFull(r, is[:]); err != nil || is[0] == 0 {
		return err
	}
	b := make([]byte, ed25519.PublicKeySize+ed25519.SignatureSize)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	h.Signer, h.signature = ed25519.PublicKey(b[:ed25519.PublicKeySize]), b[ed25519.PublicKeySize:]
	if is[0] != 1 || !ed25519.Verify(h.Signer, signed(h.header), h.signature) {
		return errors.New("its signature is wrong")
	}
	return nil
}

func (h *Header) encode() ([]byte, error) {
	js, err := json.MarshalIndent(h, "", " ")
	return append(js, '\n'), err
}

// decode accepts only the exact bytes that encode writes: see generation.Decode.
func decode(js []byte) (*Header, error) {
	var is struct {
		Format   int `json:"format"`
		Baseline struct {
			Format int `json:"format"`
		} `json:"baseline"`
	}
	if err := json.Unmarshal(js, &is); err != nil {
		return nil, err
	}
	if is.Format != format || is.Baseline.Format != generation.Format {
		return nil, fmt.Errorf("it has format %d of a baseline of format %d, this program reads %d of %d", is.Format, is.Baseline.Format, format, generation.Format)
	}
	h := new(Header)
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
func (h *Header) check() error {
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
		if at == len(order) || p.Size < 0 || p.Size > maxSize-total {
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

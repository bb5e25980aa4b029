package transport

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
)

var params = fingerprint.Params{K: 20, W: 12}

// False headers are refused before the parts are read.
func TestExportHeaders(t *testing.T) {
	name, other := strings.Repeat("0a", 16), strings.Repeat("1b", 16)
	good := Header{Format: format, Baseline: generation.Manifest{Format: generation.Format, Scheme: "s", Params: params, Model: name, Segments: []generation.Segment{{Name: other}}},
		Parts: []Part{{other + ".fps", 3}, {other + ".docs", 4}, {name + generation.ModelSuffix, 5}}}
	if e, err := Seal(good, nil); err != nil {
		t.Fatal(err)
	} else if _, err := Read(bytes.NewReader(e.Bytes())); err != nil {
		t.Fatal(err)
	}
	for name, lie := range map[string]func(*Header){
		"path":      func(h *Header) { h.Baseline.Segments[0].Name = "../../../etc/passwd" },
		"foreign":   func(h *Header) { h.Parts[0].Name = "lock" },
		"twice":     func(h *Header) { h.Baseline.Segments = append(h.Baseline.Segments, h.Baseline.Segments[0]) },
		"negative":  func(h *Header) { h.Parts[1].Size = -1 },
		"huge":      func(h *Header) { h.Parts[0].Size, h.Parts[1].Size = maxSize, 1 },
		"half":      func(h *Header) { h.Since, h.Parts = "x", h.Parts[:1] },
		"missing":   func(h *Header) { h.Parts = h.Parts[1:] },
		"backwards": func(h *Header) { slices.Reverse(h.Parts) },
		"format":    func(h *Header) { h.Baseline.Format++ },
	} {
		h := good
		h.Baseline, h.Parts = good.Baseline.Clone(), slices.Clone(good.Parts)
		lie(&h)
		js, err := h.encode()
		if err != nil {
			t.Fatal(err)
		}
		file := append(append(binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(js))), js...), 0)
		if _, err := Read(bytes.NewReader(file)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	long := binary.LittleEndian.AppendUint32([]byte(magic), generation.MaxSize+1)
	if _, err := Read(io.MultiReader(bytes.NewReader(long), strings.NewReader("{"))); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a long header: %v", err)
	}
}

// FuzzExport reads any input as an export. If it is accepted, it is written as it was read.
func FuzzExport(f *testing.F) {
	name, other := strings.Repeat("0a", 16), strings.Repeat("1b", 16)
	h := Header{Format: format, Baseline: generation.Manifest{Format: generation.Format, Scheme: "s", Params: params, Model: name, Segments: []generation.Segment{{Name: other}}},
		Parts: []Part{{other + ".fps", 3}, {other + ".docs", 4}, {name + generation.ModelSuffix, 5}}}
	js, err := h.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(js)
	f.Add(bytes.Replace(js, []byte(".docs"), []byte(".fps"), 1))
	f.Fuzz(func(t *testing.T, js []byte) {
		file := append(append(binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(js))), js...), 0)
		e, err := Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		again, err := e.Header.encode()
		if err != nil || !bytes.Equal(again, js) || e.Size() < 0 || e.Size() > maxSize {
			t.Fatalf("%q is accepted and written as %q with %d bytes, %v", js, again, e.Size(), err)
		}
	})
}

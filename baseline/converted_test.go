package baseline

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"
)

// A notebook and a text of UTF-16 are stored as what they say. The baseline is sound, before and after its segments are merged, and
// another machine imports it.
func TestConverted(t *testing.T) {
	code := python(60)
	stored := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(std(t, "container/ring")["ring.go"])) {
		stored = binary.LittleEndian.AppendUint16(stored, u)
	}
	notebook, err := json.MarshalIndent(map[string]any{"cells": []any{map[string]any{"cell_type": "code", "metadata": map[string]any{}, "outputs": []any{}, "source": strings.SplitAfter(code, "\n")}},
		"metadata": map[string]any{}, "nbformat": 4, "nbformat_minor": 5}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	p := pkg(t, "pkg:generic/converted@1", map[string]string{"a.ipynb": string(notebook), "ring.go": string(stored)})
	dir := build(t, samples(t)[3:4], append(samples(t)[:1], p))
	verify(t, dir)
	w := writer(t, dir)
	defer w.Close()
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := w.Baseline().Verify(context.Background()); err != nil {
		t.Errorf("after a merge: %v", err)
	}
	converted := 0
	in, err := w.Baseline().Info()
	if err != nil {
		t.Fatal(err)
	}
	for id := range DocID(in.Documents) {
		d, err := w.Baseline().Doc(id)
		if err != nil {
			t.Fatal(err)
		}
		if d.Converted {
			converted++
		}
	}
	if converted != 2 {
		t.Errorf("%d of %d documents say that their text was made of the content, want 2", converted, in.Documents)
	}
	other := writer(t, t.TempDir())
	defer other.Close()
	if _, err := other.Import(context.Background(), bytes.NewReader(exported(t, w.Baseline(), ExportOptions{})), ImportOptions{}); err != nil {
		t.Errorf("imported elsewhere: %v", err)
	}
}

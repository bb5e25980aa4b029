package store

import (
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// BenchmarkParts reports what the bytes of a document file are used for, in percent of the source. It also reports the
// size of the texts at other levels of compression, and with a dictionary of 256 KB made from such texts:
// DOCS=FILE.docs go test -run - -bench Parts ./baseline/store
func BenchmarkParts(b *testing.B) {
	if os.Getenv("DOCS") == "" {
		b.Skip("DOCS names no document file")
	}
	r, err := Open(os.Getenv("DOCS"))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	source, parts, texts := 0, map[string]int{}, [][]byte{}
	for i := range r.Docs() {
		d, err := r.Doc(i)
		if err != nil {
			b.Fatal(err)
		}
		_, text, names, err := r.compressed(d)
		if err != nil {
			b.Fatal(err)
		}
		h, err := r.tokenHead(d)
		if err != nil {
			b.Fatal(err)
		}
		parts["heads"] += h.size
		for _, block := range h.blocks {
			parts["kinds"] += int(block.kinds)
			parts["spans"] += int(block.spans)
		}
		parts["text"] += len(text)
		parts["names"] += len(names)
		s, err := r.Text(d)
		if err != nil {
			b.Fatal(err)
		}
		source += len(s)
		texts = append(texts, append([]byte(nil), s...))
	}
	parts["all"] = int(r.Size())
	var dict []byte
	for i := 0; i < len(texts) && len(dict) < 256<<10; i += 1 + len(texts)/64 {
		dict = append(dict, texts[i][:min(len(texts[i]), 6000)]...)
	}
	for name, o := range map[string][]zstd.EOption{"default": {zstd.WithEncoderLevel(zstd.SpeedDefault)}, "best": {zstd.WithEncoderLevel(zstd.SpeedBestCompression)},
		"dictionary": {zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderDictRaw(1, dict)}} {
		z, err := zstd.NewWriter(nil, append(o, zstd.WithEncoderConcurrency(1))...)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < len(texts); i += 4 {
			parts["text-"+name] += 4 * len(z.EncodeAll(texts[i], nil))
		}
	}
	for b.Loop() {
	}
	for name, n := range parts {
		b.ReportMetric(100*float64(n)/float64(source), "%-"+name)
	}
}

package baseline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// If a file is cut while it is open, every way to read it returns an error. The error does not call the baseline
// damaged, since that is not known.
func TestCutWhileOpen(t *testing.T) {
	if !disk.Maps {
		t.Skip("files are read here")
	}
	ctx := context.Background()
	text := std(t, "container/list")["list.go"]
	fps := prints(t, text)
	lookup := func(b *Baseline) error {
		return b.Lookup(ctx, fps, func(int, uint64, []Posting) error { return nil })
	}
	hash := store.Sum([]byte(text))
	for ext, reads := range map[string]map[string]func(*Baseline) error{
		".fps": {"look up": lookup, "verify": func(b *Baseline) error { return b.segs[0].fps.Verify(ctx) }},
		".docs": {
			"look up":     lookup,
			"doc":         func(b *Baseline) error { _, err := b.Doc(0); return err },
			"find":        func(b *Baseline) error { _, _, err := b.Find(hash); return err },
			"names":       func(b *Baseline) error { _, err := b.Names(0); return err },
			"occurrences": func(b *Baseline) error { _, err := b.Occurrences(Document{store.Document{Hash: hash}, 0}); return err },
			"census": func(b *Baseline) error {
				return disk.Guard(func() error { return b.census(func(DocID, place) error { return nil }) })
			},
			"verify": func(b *Baseline) error { return b.segs[0].docs.Verify() },
		},
	} {
		for name, read := range reads {
			dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))})
			b := open1(t, dir)
			if _, err := b.Packages(); err != nil { // decoded from the part that is still complete
				t.Fatal(err)
			}
			if err := os.Truncate(filepath.Join(dir, b.man.Segments[0].Name+ext), 0); err != nil {
				t.Fatal(err)
			}
			err := read(b)
			var fault *disk.FaultError
			var corrupt *CorruptError
			if !errors.As(err, &fault) || errors.As(err, &corrupt) {
				t.Errorf("%s cut: %s: %v", ext, name, err)
			}
		}
	}
}

// If a file of a baseline is cut during a write, the write fails and the generation before stays in place.
func TestCutWhileWriting(t *testing.T) {
	if !disk.Maps {
		t.Skip("files are read here")
	}
	ctx := context.Background()
	ps := samples(t)
	for name, change := range map[string]func(w *Writer) error{
		"add":     func(w *Writer) error { _, err := w.Add(ctx, ps[2:], AddOptions{Workers: 2}); return err },
		"remove":  func(w *Writer) error { return w.Remove(ctx, []string{ps[0].PURL}) },
		"compact": func(w *Writer) error { return w.Compact(ctx) },
	} {
		dir := build(t, ps[:1], ps[1:2])
		w := writer(t, dir)
		path := filepath.Join(dir, w.man.Segments[0].Name+".docs")
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		if err := change(w); err == nil {
			t.Errorf("%s: no error", name)
		}
		digest := w.Baseline().Digest()
		if err := w.Close(); err != nil {
			t.Errorf("%s: close: %v", name, err)
		}
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := open1(t, dir).Digest(); got != digest {
			t.Errorf("%s: digest %s, want %s", name, got, digest)
		}
		verify(t, dir)
	}
}

package object

import (
	"strings"
	"testing"
)

func TestResidency(t *testing.T) {
	r := newResidency(100 * residentPart)
	for _, c := range []struct{ off, n, more int64 }{
		{0, 10, 1}, {5, 10, 0}, {residentPart - 1, 2, 1}, {residentPart, residentPart * 3, 3}, {residentPart * 2, 40, 0},
		{99 * residentPart, residentPart, 2}, {99*residentPart + 5, 10, 0}, {127 * residentPart, residentPart * 10, 1}, {1000 * residentPart, 1, 0},
	} {
		if more := r.touch(c.off, c.n); more != c.more {
			t.Errorf("%d bytes at %d: %d parts, want %d", c.n, c.off, more, c.more)
		}
	}
	r.clear()
	if more := r.touch(0, 1); more != 1 {
		t.Errorf("after it was cleared: %d parts", more)
	}
}

// TestGiveBack reads objects while the pages of their pack are taken away.
func TestGiveBack(t *testing.T) {
	var versions []string
	for i := range 40 {
		versions = append(versions, strings.Repeat("a line of text\n", 50+i))
	}
	db, p := onlyPack(t, newRepo(t, 50, versions...))
	for range 2 {
		rd := NewReader(db, false)
		for i := range p.idx.upTo(255) {
			h := Hash(p.idx.name(i))
			if typ, b, err := rd.Object(h, MaxObject); err != nil || nameOf(typ, b) != h {
				t.Fatalf("%s: %v", h, err)
			}
			db.GiveBack()
		}
	}
	db.resident.Store(maxResident / residentPart)
	p.touched.clear()
	db.touch(p, 0, 1)
	if n := db.resident.Load(); n != 0 {
		t.Errorf("%d parts are kept beyond the bound", n)
	}
}

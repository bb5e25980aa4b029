package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// Each position moves with the document that Locate finds.
func TestMoves(t *testing.T) {
	s := newSample()
	for i := range 300 { // some without a token
		s.texts = append(s.texts, fmt.Sprint("number ", i), fmt.Sprintf("%*s", i+2, "\n"))
		s.licenses = append(s.licenses, "", "")
	}
	path := filepath.Join(t.TempDir(), "a.docs")
	write(t, path, s)
	r := open(t, path)
	of, err := r.Moves(func(doc int) (uint64, bool) { return uint64(1000 * doc), doc%3 > 0 })
	if err != nil {
		t.Fatal(err)
	}
	for pos := range r.Tokens() + 2 {
		doc, token, ok := r.Locate(pos)
		if got, stays := of(pos); stays != (ok && doc%3 > 0) || stays && got != uint64(1000*doc)+uint64(token) {
			t.Fatalf("position %d moves to %d, %v; it is in document %d, %v", pos, got, stays, doc, ok)
		}
	}
}

// A table whose documents do not follow each other is refused.
func TestMovesDisorder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.docs")
	write(t, path, newSample())
	b := read(t, path)
	at := int(binary.LittleEndian.Uint64(b[32:])) + docSize
	binary.LittleEndian.PutUint64(b[at+32:], 1<<40)
	binary.LittleEndian.PutUint32(b[at+docSize-4:], crc(b[at:at+docSize-4]))
	reseal(b)
	r, err := inMemory(b)
	if err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	if _, err := r.Moves(func(int) (uint64, bool) { return 0, true }); !errors.As(err, &corrupt) {
		t.Errorf("a document behind the last token: %v", err)
	}
}

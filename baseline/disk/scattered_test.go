package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestScattered(t *testing.T) {
	if !Maps {
		t.Skip("this system has no maps")
	}
	text := bytes.Repeat([]byte("0123456789abcdef"), 64)
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := Scatter(f, int64(len(text)))
	if b := s.Get(1); b != nil {
		t.Errorf("%q is there before it was read", b)
	}
	b := s.Read(18, 4)
	if string(b) != "2345" || s.Get(1) != nil {
		t.Errorf("read %q", b)
	}
	s.Keep(1, b)
	if string(s.Get(1)) != "2345" || s.Done() {
		t.Error("what was kept is not there")
	}
	if b := s.Read(uint64(len(text))-2, 4); b != nil {
		t.Errorf("beyond the end there is %q", b)
	}
	if b := s.ReadCached(uint64(len(text))-2, 4); b != nil {
		t.Errorf("beyond the end the system has %q", b)
	}
	if b := s.ReadCached(20, 4); b != nil && string(b) != "4567" || s.Done() {
		t.Errorf("the system has %q", b) // or the system does not report it
	}
	if b := s.Read(0, 57); b != nil || !s.Done() || s.Get(1) != nil {
		t.Errorf("after a sixteenth of the file the map is not used: %q", b)
	}
	s.Keep(2, b) // by a reader that began before that
	var none *Scattered
	if !none.Done() || none.Get(1) != nil || none.Read(0, 1) != nil || none.ReadCached(0, 1) != nil {
		t.Error("none has something")
	}
}

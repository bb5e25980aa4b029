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
	b := s.ReadKept(18, 4)
	if string(b) != "2345" || s.Get(1) != nil {
		t.Errorf("read %q", b)
	}
	s.Keep(1, b)
	if string(s.Get(1)) != "2345" || s.Done() {
		t.Error("what was kept is not there")
	}
	into, end := make([]byte, 4), uint64(len(text))-2
	if s.Read(into, end) || s.ReadKept(end, 4) != nil {
		t.Error("beyond the end there is something")
	}
	if s.ReadCached(into, end) {
		t.Error("beyond the end the system has something")
	}
	if s.ReadCached(into, 20) && string(into) != "4567" || s.Done() {
		t.Errorf("the system has %q", into) // or the system does not report it
	}
	if s.Read(into, 21) && string(into) != "5678" {
		t.Errorf("read %q", into)
	}
	if s.Read(make([]byte, 57), 0) || !s.Done() || s.Get(1) != nil || s.ReadKept(0, 1) != nil {
		t.Error("after a sixteenth of the file the map is not used")
	}
	s.Keep(2, b) // by a reader that began before that
	var none *Scattered
	if !none.Done() || none.Get(1) != nil || none.ReadKept(0, 1) != nil || none.Read(into, 0) || none.ReadCached(into, 0) {
		t.Error("none has something")
	}
}

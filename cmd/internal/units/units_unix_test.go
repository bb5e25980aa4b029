//go:build unix

package units

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe is refused: nobody may ever write to it.
func TestPipes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	s := new(Opener)
	defer s.Close()
	if _, err := s.Open(t.Context(), name, false); err == nil {
		t.Error("no error")
	}
}

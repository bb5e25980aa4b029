//go:build unix

package disk_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// A pipe that nobody writes to, a device or a directory in the place of a file is refused at once.
func TestIrregular(t *testing.T) {
	dir := t.TempDir()
	pipe, device := filepath.Join(dir, "pipe"), filepath.Join(dir, "device")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", device); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, device, dir} {
		if f, err := disk.Open(name); err == nil {
			f.Close()
			t.Errorf("%s is opened", name)
		}
		if _, err := disk.ReadFile(name); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

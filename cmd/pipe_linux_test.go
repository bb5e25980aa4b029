package cmd_test

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
)

// TestInterruptedPipe reads a report, an export and lists from a pipe that nobody writes to.
func TestInterruptedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	at := filepath.Join(t.TempDir(), "base")
	for _, args := range [][]string{{"report", pipe}, {"baseline", "import", pipe, "--baseline", at}, {"baseline", "add", "--list", pipe, "--baseline", at}, {"baseline", "make", pipe, "--baseline", at}} {
		code, _, stderr := run(t, ctx, nil, "", args...)
		if code != 2 || stderr != "git-provenance: interrupted; nothing was written\n" {
			t.Errorf("%q: exit %d, %q", args, code, stderr)
		}
	}
}

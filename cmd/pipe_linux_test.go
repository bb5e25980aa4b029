package cmd_test

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
)

// TestInterruptedPipe reads a report from a pipe that nobody writes to.
func TestInterruptedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code, _, stderr := run(t, ctx, nil, "", "report", pipe)
	if code != 2 || stderr != "git-provenance: interrupted; nothing was written\n" {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

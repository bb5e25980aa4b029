//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestReaderLeaves: if nobody reads the output, as behind head, the program says nothing and leaves no temporary file. Those of similar have
// the texts of all that was compared.
func TestReaderLeaves(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temp, dir := t.TempDir(), t.TempDir()
	text, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.go", "b.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	reads, writes, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reads.Close()
	defer writes.Close()
	for _, args := range [][]string{{"similar", "--all", dir}, {"compare", filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go"), "--format", "html"}, {"cluster", dir}} {
		c := exec.Command(exe, args...)
		c.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+temp)
		var said bytes.Buffer
		c.Stdout, c.Stderr = writes, &said
		if err := c.Run(); err == nil {
			t.Errorf("%v: exit code 0", args)
		}
		if code := c.ProcessState.ExitCode(); code != 2 || said.Len() > 0 {
			t.Errorf("%v: exit code %d, want 2; said %q", args, code, &said)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("%v: left %v, %v", args, left, err)
		}
	}
}

package cmd_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/cmd"
)

// notice calls once with the first text that is written.
type notice struct {
	bytes.Buffer
	once sync.Once
	call func()
}

func (n *notice) Write(b []byte) (int, error) {
	n.once.Do(n.call)
	return n.Buffer.Write(b)
}

// TestTwoWriters: a command that has to wait for another writer says so, and goes on when the other is done.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	base, lib := filepath.Join(dir, "base"), filepath.Join(dir, "lib")
	if err := os.Mkdir(lib, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(lib, "a.py"), []byte("def cut(text, width, mark):\n    return text[:width] + mark\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := baseline.OpenWriter(t.Context(), base, baseline.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	said := &notice{call: func() { w.Close() }} // the command would wait forever if it said nothing
	var out bytes.Buffer
	code := cmd.Main(context.Background(), []string{"baseline", "add", "--baseline", base, "--purl", "pkg:generic/l@1", lib}, variables(map[string]string{"HOME": dir}), cmd.Streams{In: strings.NewReader(""), Out: &out, Err: said})
	if code != 0 || !strings.Contains(said.String(), "another program may be changing it") || !strings.Contains(out.String(), "packages: 1 new") {
		t.Errorf("exit %d, %q, %q", code, out.String(), said.String())
	}
}

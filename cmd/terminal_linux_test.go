package cmd

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/cmd/internal/consoletest"
)

func TestColor(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir+"/lib", os.DirFS("testdata/ring")); err != nil {
		t.Fatal(err)
	}
	do := func(out io.Writer, env map[string]string, args ...string) int {
		env["HOME"] = dir
		lookup := func(n string) (string, bool) { v, ok := env[n]; return v, ok }
		return Main(context.Background(), args, lookup, Streams{In: strings.NewReader(""), Out: out, Err: io.Discard})
	}
	if code := do(io.Discard, map[string]string{}, "baseline", "add", dir+"/lib", "--purl", "pkg:generic/ring@1"); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"TERM": "xterm"}, true},
		{map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		{map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{map[string]string{"TERM": "dumb"}, false},
	} {
		screen, tty := consoletest.Terminal(t)
		code := do(tty, c.env, "scan", dir+"/lib")
		got := consoletest.Shown(screen, tty)
		if code != 1 || strings.Contains(got, "\x1b[") != c.want {
			t.Errorf("%v: exit code %d, shown %q", c.env, code, got)
		}
		if !strings.Contains(got, "there at\r\n             an unknown time") {
			t.Errorf("not folded at 50 columns: %q", got)
		}
	}
}

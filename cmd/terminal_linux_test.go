package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a pseudo-terminal of 50 columns.
func openTerminal(t *testing.T) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err := errors.Join(err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)); err != nil {
		t.Skip(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 50}); err != nil {
		t.Fatal(err)
	}
	return screen, tty
}

// shown closes the terminal and returns what it was sent.
func shown(screen, tty *os.File) string {
	tty.Close()
	b, _ := io.ReadAll(screen) // ends with EIO
	return string(b)
}

func TestColor(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir+"/lib", os.DirFS("testdata/ring")); err != nil {
		t.Fatal(err)
	}
	do := func(out io.Writer, env map[string]string, args ...string) int {
		env["HOME"] = dir
		lookup := func(n string) (string, bool) { v, ok := env[n]; return v, ok }
		return Main(context.Background(), args, lookup, strings.NewReader(""), out, io.Discard)
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
		screen, tty := openTerminal(t)
		code := do(tty, c.env, "scan", dir+"/lib")
		got := shown(screen, tty)
		if code != 1 || strings.Contains(got, "\x1b[") != c.want {
			t.Errorf("%v: exit code %d, shown %q", c.env, code, got)
		}
		if !strings.Contains(got, "older is\r\n             unknown") {
			t.Errorf("not folded at 50 columns: %q", got)
		}
	}
}

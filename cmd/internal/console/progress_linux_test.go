package console

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

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

func TestProgress(t *testing.T) {
	screen, tty := openTerminal(t)
	g := NewProgress(tty)
	g.At("early", 1, 4)
	g.next = g.next.Add(-2 * progressAfter)
	for i := range 4 {
		g.At("reading a\x1b[31m\nb", i, 4)
		time.Sleep(120 * time.Millisecond) // the bar is not drawn more often
	}
	g.Stop()
	g.At("late", 4, 4)
	got := shown(screen, tty)
	if !strings.Contains(got, `reading a\x1b[31m\nb`) || strings.Contains(got, "early") || strings.Contains(got, "late") {
		t.Errorf("shown %q", got)
	}
	if strings.Contains(got, "\x1b[31m") {
		t.Errorf("a name was obeyed: %q", got)
	}
}

// A line that is as wide as the terminal would wrap, and stay.
func TestProgressStaysOnItsLine(t *testing.T) {
	screen, tty := openTerminal(t)
	g := NewProgress(tty)
	g.next = g.next.Add(-2 * progressAfter)
	g.At(strings.Repeat("ü", 200), 7, 9)
	g.Stop()
	lines := strings.Split(shown(screen, tty), eraseLine)
	if len(lines) != 3 || len([]rune(lines[1])) != 49 || !strings.HasSuffix(lines[1], "… 7 of 9, 77%") || lines[2] != "" {
		t.Errorf("shown %q", lines)
	}
}

func TestNoProgressInPipe(t *testing.T) {
	var b bytes.Buffer
	g := NewProgress(&b)
	g.next = g.next.Add(-2 * progressAfter)
	g.At("x", 1, 2)
	g.Stop()
	if b.Len() > 0 {
		t.Errorf("written %q", &b)
	}
}

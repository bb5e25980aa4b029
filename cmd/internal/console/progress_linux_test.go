package console

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/cmd/internal/consoletest"
)

func TestProgress(t *testing.T) {
	screen, tty := consoletest.Terminal(t)
	g := NewProgress(tty)
	g.At("early", 1, 4)
	g.next = g.next.Add(-2 * progressAfter)
	for i := range 4 {
		g.At("reading a\x1b[31m\nb", i, 4)
		time.Sleep(120 * time.Millisecond) // the bar is not drawn more often
	}
	g.Stop()
	g.At("late", 4, 4)
	got := consoletest.Shown(screen, tty)
	if !strings.Contains(got, `reading a\x1b[31m\nb`) || strings.Contains(got, "early") || strings.Contains(got, "late") {
		t.Errorf("shown %q", got)
	}
	if strings.Contains(got, "\x1b[31m") {
		t.Errorf("a name was obeyed: %q", got)
	}
}

// A line that is as wide as the terminal would wrap, and stay.
func TestProgressStaysOnItsLine(t *testing.T) {
	screen, tty := consoletest.Terminal(t)
	g := NewProgress(tty)
	g.next = g.next.Add(-2 * progressAfter)
	g.At(strings.Repeat("ü", 200), 7, 9)
	g.Stop()
	lines := strings.Split(consoletest.Shown(screen, tty), eraseLine)
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

package console

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

const (
	// progressAfter is the time after which progress is shown. A line that appears for less only flickers.
	progressAfter = time.Second
	// progressEvery is the time between two updates of the line.
	progressEvery = 100 * time.Millisecond
	// eraseLine goes to the beginning of the line and clears it.
	eraseLine = "\r\x1b[K"
)

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:max(n-1, 0)]) + "…"
	}
	return s
}

// Progress shows the progress of a task on one line of a terminal, and nothing in a pipe. It is safe for concurrent
// use.
type Progress struct {
	to    io.Writer
	on    bool
	width int // columns
	next  time.Time

	mu    sync.Mutex
	shown bool
}

// NewProgress starts the clock.
func NewProgress(to io.Writer) *Progress {
	width, on := Terminal(to)
	if width == 0 {
		width = 80
	}
	return &Progress{to: to, on: on, width: width, next: time.Now().Add(progressAfter)}
}

// At shows that done out of total is done; total 0 means unknown.
func (g *Progress) At(what string, done, total int) {
	if !g.on {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if now.Before(g.next) {
		return
	}
	g.next, g.shown = now.Add(progressEvery), true
	count := fmt.Sprintf(" %d", done)
	if total > 0 {
		count = fmt.Sprintf(" %d of %d, %d%%", done, total, 100*int64(done)/int64(total))
	}
	room := g.width - 1 - len(count) // a full line would wrap
	fmt.Fprint(g.to, eraseLine+clip(escape.Line(what), room)+count)
}

// Stop clears the line.
func (g *Progress) Stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown {
		fmt.Fprint(g.to, eraseLine)
		g.shown = false
	}
	g.on = false
}

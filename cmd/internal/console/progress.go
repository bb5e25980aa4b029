package console

import (
	"io"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/schollz/progressbar/v3"
)

// progressAfter is how long something takes before its progress is shown:
// shorter, a bar only flickers.
const progressAfter = time.Second

// maxWhat keeps a bar on one line of a terminal of 80 columns.
const maxWhat = 48

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Progress shows on a terminal how far something has come, and nothing in a
// pipe. Safe for concurrent use.
type Progress struct {
	to    io.Writer
	on    bool
	start time.Time

	mu  sync.Mutex
	bar *progressbar.ProgressBar
}

// NewProgress begins to count the time.
func NewProgress(to io.Writer) *Progress {
	_, on := Terminal(to)
	return &Progress{to: to, on: on, start: time.Now()}
}

// At shows that done out of total is done; total 0 means that it is not known.
func (g *Progress) At(what string, done, total int) {
	if !g.on {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.bar == nil {
		if time.Since(g.start) < progressAfter {
			return
		}
		g.bar = g.newBar(total)
	}
	if total > 0 && total != g.bar.GetMax() { // an estimate that has become better
		g.bar.ChangeMax(total)
	}
	g.bar.Describe(clip(report.Escape(what), maxWhat))
	g.bar.Set(done) // fails only where the terminal does
}

func (g *Progress) newBar(total int) *progressbar.ProgressBar {
	if total == 0 {
		total = -1
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(g.to),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionShowCount(),
		progressbar.OptionSetItsString("files"),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// Stop takes the bar away.
func (g *Progress) Stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.bar != nil {
		g.bar.Finish()
		g.bar = nil
	}
	g.on = false
}

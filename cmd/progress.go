package cmd

import (
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

// progress shows on a terminal how far something has come, and nothing in a
// pipe. Safe for concurrent use.
type progress struct {
	p     *program
	on    bool
	start time.Time

	mu  sync.Mutex
	bar *progressbar.ProgressBar
}

func (p *program) newProgress() *progress {
	_, on := terminal(p.err)
	return &progress{p: p, on: on, start: time.Now()}
}

// at shows that done out of total is done; total 0 means that it is not known.
func (g *progress) at(what string, done, total int) {
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

func (g *progress) newBar(total int) *progressbar.ProgressBar {
	if total == 0 {
		total = -1
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(g.p.err),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionShowCount(),
		progressbar.OptionSetItsString("files"),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// stop takes the bar away.
func (g *progress) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.bar != nil {
		g.bar.Finish()
		g.bar = nil
	}
	g.on = false
}

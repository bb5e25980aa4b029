package action

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
)

// log is the output that the runner reads. Lines that begin with two colons are commands to it, so no text from outside
// may begin a line with them.
type log struct{ w io.Writer }

// say writes a line.
func (l *log) say(format string, args ...any) {
	fmt.Fprintln(l.w, "git-provenance: "+escape.Line(fmt.Sprintf(format, args...)))
}

// failed writes an error annotation of the workflow run.
func (l *log) failed(err error) {
	fmt.Fprintln(l.w, "::error title=git-provenance::"+strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(err.Error()))
}

// inert makes the runner obey no commands until the returned function is called. The word that ends this is random, so
// the text in between cannot contain it.
func (l *log) inert() (end func()) {
	word := rand.Text()
	fmt.Fprintf(l.w, "::stop-commands::%s\n", word)
	return func() { fmt.Fprintf(l.w, "\n::%s::\n", word) }
}

// mostReason is how many bytes of a command's messages are kept: a message and its hints.
const mostReason = 4096

// ending passes on what a command writes to standard error, and keeps the end of it.
type ending struct {
	w    io.Writer
	kept []byte
}

func (e *ending) Write(p []byte) (int, error) {
	e.kept = append(e.kept, p...)
	e.kept = e.kept[max(0, len(e.kept)-mostReason):]
	return e.w.Write(p)
}

// reason returns the last message with its hints, on one line.
func (e *ending) reason() string {
	const sign = "git-provenance: "
	lines := strings.Split(strings.TrimSpace(string(e.kept)), "\n")
	last := 0
	for i, l := range lines {
		if strings.HasPrefix(l, sign) {
			last = i
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(strings.Join(lines[last:], "; "), ""), sign)
}

// output is one of the step's outputs.
type output struct{ name, value string }

// outputs appends to the file of the step's outputs. The delimiter is random, so that no value can end itself and begin
// another.
func (r *run) outputs(outs []output) error {
	if r.job.output == "" {
		return nil
	}
	return writeOutputs(r.job.output, outs)
}

func writeOutputs(path string, outs []output) error {
	var b strings.Builder
	for _, o := range outs {
		word := "git-provenance-" + rand.Text()
		fmt.Fprintf(&b, "%s<<%s\n%s\n%s\n", o.name, word, o.value, word)
	}
	return appendFile(path, []byte(b.String()))
}

// summary appends to the step's summary.
func (r *run) summary(text []byte) error {
	if r.job.summary == "" {
		return nil
	}
	return appendFile(r.job.summary, text)
}

// summaryLeft returns the room left in the step's summary, in bytes. GitHub drops a summary that is too long as a
// whole.
func (r *run) summaryLeft() int {
	st, err := os.Stat(r.job.summary)
	if err != nil {
		return markdown.SummaryLimit
	}
	return markdown.SummaryLimit - int(min(st.Size(), markdown.SummaryLimit))
}

func appendFile(path string, b []byte) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("write for the workflow: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(b); err != nil {
		return fmt.Errorf("write for the workflow: %w", err)
	}
	return nil
}

// fenced makes a fenced block of Markdown, in which no text has a meaning.
func fenced(text string) string {
	longest, n := 2, 0
	for _, c := range text {
		if c != '`' {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// Package workflow writes a report as commands to the runner of GitHub Actions: annotations, and the evidence for the
// log.
package workflow

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// maxAnnotations is how many annotations of a level the runner of GitHub Actions accepts from one step. It silently
// drops the rest.
const maxAnnotations = 10

// Write writes a report as workflow commands: annotations for the findings that ask for action, then the evidence of
// all findings for the log. Annotations come by weight, and of each level at most as many as the runner accepts. Texts
// from outside are escaped in commands, and elsewhere enclosed by stop-commands.
func Write(w io.Writer, r *finding.Report) error {
	var b bytes.Buffer
	loud, _ := order.Split(order.Ranked(r.Findings))
	for _, s := range r.Unseen[:min(len(r.Unseen), maxAnnotations)] {
		fmt.Fprintf(&b, "::warning title=%s::%s\n", property("Not everything was looked at"), data(escape.Line(s)))
	}
	left := annotations(&b, loud)
	b.WriteString("::group::Findings and their evidence\n")
	var log bytes.Buffer
	if err := text.Write(&log, r, text.Options{All: true}); err != nil {
		return err
	}
	stopped(&b, log.Bytes())
	b.WriteString("::endgroup::\n")
	if left > 0 {
		fmt.Fprintf(&b, "%s not annotated: a step may make %d annotations of a level. Those annotated weigh most; the log above has all.\n", words.Plural(left, "finding"), maxAnnotations)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// annotations writes the commands, and returns how many findings were left out.
func annotations(b *bytes.Buffer, fs []*finding.Finding) int {
	used, left := make(map[string]int), 0
	for _, f := range fs {
		name := command(f.Level)
		if used[name]++; used[name] > maxAnnotations {
			left++
			continue
		}
		at := order.Focus(f)
		fmt.Fprintf(b, "::%s %sline=%d,endLine=%d,title=%s::%s\n", name, fileProperty(f.Path), at.StartLine, at.EndLine,
			property(words.Title(f)), data(words.Message(f)))
	}
	return left
}

func command(level string) string {
	return [...]string{"error", "warning", "notice", "notice"}[order.LevelRank(level)]
}

// fileProperty returns "" for the snippet from standard input, which is not a file.
func fileProperty(path string) string {
	if path == "-" || path == "" {
		return ""
	}
	return "file=" + property(escape.Line(Path(path))) + ","
}

// Path returns the path of a file for GitHub's interfaces: the unescaped name if it is valid UTF-8.
func Path(path string) string {
	if name := finding.UnescapeName(path); utf8.ValidString(name) {
		return name
	}
	return path
}

// data escapes the message of a command, and property one of its parameters; see
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
func data(s string) string { return dataEscapes.Replace(s) }

func property(s string) string { return propertyEscapes.Replace(s) }

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// stopped writes a text in which the runner obeys no command. The word that ends this is a hash of the text. So no text
// can contain it on purpose, and the same report gives the same bytes.
func stopped(b *bytes.Buffer, text []byte) {
	token := fmt.Sprintf("git-provenance-%x", sha256.Sum256(text))
	fmt.Fprintf(b, "::stop-commands::%s\n", token)
	b.Write(text)
	if n := len(text); n > 0 && text[n-1] != '\n' {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "::%s::\n", token)
}

package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// maxAnnotations is how many annotations of a level the runner of GitHub Actions
// takes of one step; it drops more without a word.
const maxAnnotations = 10

// What GitHub takes of an annotation: it cuts longer messages and titles.
const (
	maxMessage = 4000
	maxTitle   = 200
)

// GitHub writes a report as workflow commands: an annotation for each finding
// that asks for action, the weightiest first and no more of a level than the
// runner takes, then the evidence of all findings for the log. What comes from
// outside stands in commands only escaped, and elsewhere between stop-commands.
func GitHub(w io.Writer, r *finding.Report) error {
	var b bytes.Buffer
	loud, _ := split(Ranked(r.Findings))
	left := annotations(&b, loud)
	b.WriteString("::group::Findings and their evidence\n")
	var log bytes.Buffer
	if err := Text(&log, r, TextOptions{}); err != nil {
		return err
	}
	stopped(&b, log.Bytes())
	b.WriteString("::endgroup::\n")
	if left > 0 {
		fmt.Fprintf(&b, "%s not annotated: a step may make %d annotations of a level. Those annotated weigh most; the log above has all.\n", plural(left, "finding"), maxAnnotations)
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
		at := Focus(f)
		fmt.Fprintf(b, "::%s %sline=%d,endLine=%d,title=%s::%s\n", name, fileProperty(f.Path), at.StartLine, at.EndLine,
			property(AnnotationTitle(f)), data(AnnotationMessage(f)))
	}
	return left
}

func command(level string) string {
	return [...]string{"error", "warning", "notice", "notice"}[levelRank(level)]
}

// fileProperty leaves out what is no file: the snippet from standard input.
func fileProperty(path string) string {
	if path == "-" || path == "" {
		return ""
	}
	return "file=" + property(Escape(GitHubPath(path))) + ","
}

// GitHubPath is the path of a file as GitHub's interfaces take it: the name itself
// where that is text.
func GitHubPath(path string) string {
	if name := finding.UnescapeName(path); utf8.ValidString(name) {
		return name
	}
	return path
}

// AnnotationTitle is what an annotation of a finding is called, on one line and
// short enough for every kind of annotation.
func AnnotationTitle(f *finding.Finding) string {
	o := firstOrigin(f)
	before, _ := relation(f)
	end := string(f.Verdict)
	if f.Direction == finding.DirectionTo {
		end = "here first"
	}
	return clip(fmt.Sprintf("%s %s (%s), %s", upperFirst(before), Escape(o.PURL), Escape(licenceWords(o.License)), Escape(end)), maxTitle)
}

// AnnotationMessage is the evidence of a finding in a few plain lines, bounded too.
func AnnotationMessage(f *finding.Finding) string {
	o := firstOrigin(f)
	before, after := relation(f)
	lines := []string{
		fmt.Sprintf("%s: %s %s%s: %s.", upperFirst(lineRange(f.StartLine, f.EndLine)), before, origin(&o), after, verdictWords(f.Verdict)),
		fmt.Sprintf("Score %s: %s. %s, %s of the file; %s.", score(f.Score), scoreWords(f.Score), plural(f.Tokens, "token"), percent(f.FileShare), cloneType(f.CloneType)),
	}
	add := func(label string, parts []string) {
		if len(parts) > 0 {
			lines = append(lines, label+": "+strings.Join(parts, ", "))
		}
	}
	if len(f.Reasons) > 0 {
		add("Why", []string{strings.Join(escaped(f.Reasons), "; ")})
	}
	add("Renamed", renames(f.Renames, false))
	add("Agreement", agreement(f))
	for i, n := range f.Attributions {
		if i == maxRanges {
			break
		}
		add("The code says", []string{fmt.Sprintf("\"%s\" at %s, which names %s", Escape(n.Text), spanOf(cmp.Or(n.Path, f.Path), n.Line), namesWords(n.Names))})
	}
	add("Licence", licence(f, true))
	if s := partCount(f); s != "" {
		add("Part of it also", []string{s})
	}
	add("Time", when(f))
	if s := changedWords(f); s != "" {
		add("New in this change", []string{"lines " + s})
	}
	if u := webURL(o.URL); u != "" {
		add("See", []string{u})
	}
	add("Finding", []string{Escape(f.ID)})
	return clipBytes(strings.Join(lines, "\n"), maxMessage)
}

func spanOf(path string, line int) string { return fmt.Sprintf("%s:%d", Escape(path), line) }

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func escaped(ss []string) []string {
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = Escape(s)
	}
	return out
}

// data escapes the message of a command, property one of its parameters; see
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
func data(s string) string { return dataEscapes.Replace(s) }

func property(s string) string { return propertyEscapes.Replace(s) }

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// stopped writes a text in which the runner is to obey nothing. The word that
// ends this is the hash of the text, which the text cannot hold on purpose, and
// which is the same for the same report.
func stopped(b *bytes.Buffer, text []byte) {
	token := fmt.Sprintf("git-provenance-%x", sha256.Sum256(text))
	fmt.Fprintf(b, "::stop-commands::%s\n", token)
	b.Write(text)
	if n := len(text); n > 0 && text[n-1] != '\n' {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "::%s::\n", token)
}

package indexing

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// LeftOut accounts for everything that is not indexed.
type LeftOut struct {
	To      io.Writer // gets a line for each entry if Verbose is set
	Verbose bool
	count   map[string]int
	missing []string      // packages that were requested, but are not available
	files   []string      // files that added packages lack: the repository lacks their objects, or these are damaged
	answer  source.Answer // about the first of missing
}

// Incomplete returns an error if something requested is not available.
func (l *LeftOut) Incomplete() error {
	if len(l.missing)+len(l.files) == 0 {
		return nil
	}
	return &incompleteError{l.missing, l.files, l.answer, l.Verbose}
}

// Note notes an entry that is left out, in whole or in part.
func (l *LeftOut) Note(what, reason, detail string) {
	if l.count == nil {
		l.count = make(map[string]int)
	}
	l.count[reason]++
	if !l.Verbose {
		return
	}
	fmt.Fprintln(l.To, "left out: "+escape.Line(Reasoned(what, reason, detail)))
}

// Lacking notes a requested source that is not available.
func (l *LeftOut) Lacking(s source.Skipped) {
	l.Note(s.Path, s.Reason, s.Detail)
	if len(l.missing) == 0 {
		l.answer = s.Answer
	}
	l.missing = append(l.missing, s.Path+": "+s.Detail)
}

// lacksFile notes a file that is missing from a package that was added.
func (l *LeftOut) lacksFile(name, reason, detail string) {
	l.Note(name, reason, detail)
	l.files = append(l.files, name+": "+detail)
}

// Reasoned returns a line that says what is left out, and why.
func Reasoned(what, reason, detail string) string {
	if detail == "" {
		return what + ": " + reason
	}
	return what + ": " + reason + ": " + detail
}

// incompleteError says that requested packages or files were not added.
type incompleteError struct {
	missing, files []string      // not both empty
	answer         source.Answer // about the first of missing
	listed         bool          // all are listed already
}

func (e *incompleteError) Error() string {
	var said []string
	if n := len(e.missing); n > 0 {
		said = append(said, fmt.Sprintf("asked for and not added: %d, first %s", n, e.missing[0]))
	}
	if n := len(e.files); n > 0 {
		said = append(said, fmt.Sprintf("added without some of the files: %d, first %s", n, e.files[0]))
	}
	if len(e.missing) > 1 && !e.listed {
		said = append(said, "--verbose lists them")
	}
	return strings.Join(said, "; ")
}

// NotThere says what to do about a package that its registry does not have. It returns "" if the registry gave no answer.
func NotThere(a source.Answer) string {
	const archive = "git-provenance baseline add ARCHIVE --purl PURL"
	switch a {
	case source.NoAnswer:
		return ""
	case source.NoSource:
		return "the registry has it only in compiled form; an archive of its source, such as its repository's, can be added: " + archive
	}
	return "check the name and the version; what its registry withdrew can be added from an archive: " + archive
}

// Remedy says how to add packages that no registry has.
func (e *incompleteError) Remedy() string {
	if len(e.missing) > 0 && strings.Contains(e.missing[0], ": run \"") {
		return ""
	}
	if len(e.files) > 0 {
		return "\"git fsck\" lists what the repository lacks or has damaged: fetch it again, or make a full clone"
	}
	if hint := NotThere(e.answer); hint != "" {
		return hint
	}
	return "run the command again later, or add an archive of what is missing: git-provenance baseline add ARCHIVE --purl PURL"
}

// Unfound notes a language whose standard library is not on this machine. bring is a command that gets it, or "". A lock file does
// not list a standard library, so this makes no run incomplete.
func (l *LeftOut) Unfound(language, bring string) {
	detail := "its source is not on this machine"
	if bring != "" {
		detail += fmt.Sprintf(": run %q", bring)
	}
	l.Note("standard library of "+language, source.ReasonMissing, detail)
}

// Say writes what was added, and counts what was left out.
func (l *LeftOut) Say(out io.Writer, sum baseline.Added, b *baseline.Baseline) error {
	fmt.Fprintf(out, "packages: %d new or changed, %d unchanged\n", sum.Packages, sum.Unchanged)
	fmt.Fprintf(out, "files: %d read, %d documents new, %d known\n", sum.Files, sum.Documents, sum.Known)
	if len(l.count) > 0 {
		hint := "; --verbose lists them"
		if l.Verbose {
			hint = ""
		}
		fmt.Fprintf(out, "left out, in whole or in part: %s%s\n", escape.Line(Tally(l.count)), hint)
	}
	_, err := fmt.Fprintf(out, "baseline %s: %s\n", escape.Line(b.Path()), b.Digest())
	return err
}

// Tally writes counts, the largest first.
func Tally(count map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for i, k := range keys {
		keys[i] = fmt.Sprintf("%d %s", count[k], k)
	}
	return strings.Join(keys, ", ")
}

package corpus

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Settings are the flags of an evaluation.
type Settings struct {
	corpus, Work, tables, Goroot string
	Mode                         string
	Langs                        []string
	Count, Negatives             int // excerpts of each language and size; unknown files of each language
}

// Modes are the kinds of evaluation with their default sizes. Fresh packages have more files than the others, and fewer excerpts
// are pasted into them, since the question there is how few false findings they have.
var Modes = map[string]struct {
	Kind             Kind
	langs            []string
	count, negatives int
}{
	"quick":  {Quick, []string{"go", "java", "js", "py"}, 60, 500},
	"full":   {Full, Languages, 80, 1000},
	"curve":  {Quick, nil, 0, 0},
	"fresh":  {Fresh, Languages, 40, 2000},
	"sealed": {Sealed, Languages, 0, 1000},
	"unseen": {Unseen, Languages, 20, 500},
	"later":  {Later, Languages, 20, 500},
}

// Flags declares the flags of every command on a corpus.
func (s *Settings) Flags(f *flag.FlagSet) {
	f.StringVar(&s.corpus, "corpus", "", "evaluate on the corpus in directory `DIR`; see docs/eval/run.sh")
	f.StringVar(&s.Work, "work", "", "keep baselines and targets in directory `DIR`")
	f.StringVar(&s.tables, "tables", "docs/eval", "read packages.tsv, reviewed.tsv and forks.tsv in directory `DIR`")
	f.StringVar(&s.Goroot, "goroot", os.Getenv("GOROOT"), "index the standard library of `GOROOT` as a known package; empty for none")
	f.StringVar(&s.Mode, "mode", "quick", "quick, full, curve, fresh, sealed, unseen or later")
	f.Func("langs", "languages, separated by commas (default: all of the mode)", func(v string) error {
		s.Langs = strings.Split(v, ",")
		return nil
	})
	f.IntVar(&s.Negatives, "files", 0, "unknown files of each language (default: those of the mode)")
	f.IntVar(&s.Count, "excerpts", 0, "excerpts of each language and size (default: those of the mode)")
}

// Complete sets the values that the mode determines.
func (s *Settings) Complete() error {
	m, ok := Modes[s.Mode]
	switch {
	case !ok:
		return fmt.Errorf("unknown mode %q", s.Mode)
	case s.corpus == "" || s.Work == "":
		return fmt.Errorf("-corpus and -work are needed; see docs/eval/run.sh")
	}
	if s.Langs == nil {
		s.Langs = m.langs
	}
	s.Count, s.Negatives = cmp.Or(s.Count, m.count), cmp.Or(s.Negatives, m.negatives)
	return os.MkdirAll(s.Work, 0o755)
}

// Table returns the path of a table of the evaluation.
func (s Settings) Table(name string) string { return filepath.Join(s.tables, name) }

// Load reads the corpus of a kind, and the reviews.
func (s Settings) Load(k Kind) (*Corpus, []Review, error) {
	c, err := Load(s.corpus, s.Table("packages.tsv"), s.Goroot, k)
	if err != nil {
		return nil, nil, err
	}
	rs, err := Reviews(s.Table("reviewed.tsv"))
	return c, rs, err
}

// Emptied returns a directory of the work directory, without the files of an earlier run.
func Emptied(work, name string) (string, error) {
	dir := filepath.Join(work, name)
	return dir, os.RemoveAll(dir)
}

// CPU returns the processor time that this process has used.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Say writes the progress of a long run to standard error.
func Say(format string, a ...any) { fmt.Fprintf(os.Stderr, format+"\n", a...) }

package lang

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// judged is what a lexer did on the files of its language.
type judged struct{ files, compared, refused, broken, differ, bytes int }

// Each lexer yields what its grammar does on every file without syntax errors:
// the samples, Go's own tree, the modules of go.mod, and below CORPUS if set.
func TestLexersAgree(t *testing.T) {
	grammars(t)
	by := map[string]*judged{}
	z := NewTokenizer(Limits{})
	defer z.Close()
	for _, root := range realSource(t) {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			src, err := os.ReadFile(path)
			d := Detect(path, src)
			if err != nil || d.Language.grammar == nil || d.Language.spec.lexer == nil || d.Skip != "" || len(src) > 1<<20 {
				return err
			}
			j := by[d.Language.Name]
			if j == nil {
				j = &judged{}
				by[d.Language.Name] = j
			}
			if why := j.judge(z, d.Language, src); why != "" && j.differ <= 5 {
				t.Errorf("%s: %s", path, why)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range sortedNames(by) {
		t.Logf("%-10s %+v", name, *by[name])
	}
}

func sortedNames[V any](by map[string]V) []string {
	var names []string
	for n := range by {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// realSource lists directories of real code; a short run makes do with the samples.
func realSource(t *testing.T) []string {
	roots := []string{filepath.Join("langtest", "testdata")}
	if dir := os.Getenv("CORPUS"); dir != "" {
		return append(roots, dir)
	}
	if testing.Short() {
		return roots
	}
	roots = append(roots, goroot(t))
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range strings.Fields(string(out)) {
		if wd, err := os.Getwd(); err == nil && strings.HasPrefix(wd, dir) {
			continue // our own: its test data breaks things on purpose
		}
		roots = append(roots, dir)
	}
	return roots
}

// goroot is the source of the standard library.
func goroot(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

func (j *judged) judge(z *Tokenizer, l *Language, src []byte) string {
	j.files++
	j.bytes += len(src)
	lexed, ok := l.spec.lexer(nil, src)
	if !ok {
		j.refused++
		return ""
	}
	want, err := z.tokenizeCode(l, src)
	if err != nil || want.Errors > 0 {
		j.broken++
		return ""
	}
	j.compared++
	why := difference(src, lexed, want.Tokens)
	if why != "" {
		j.differ++
	}
	return why
}

// difference tells where two streams part, "" if nowhere.
func difference(src []byte, got, want []Token) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("ends before %s", shown(src, want[i]))
		case i >= len(want):
			return fmt.Sprintf("goes on with %s", shown(src, got[i]))
		case got[i] != want[i]:
			return fmt.Sprintf("has %s, not %s", shown(src, got[i]), shown(src, want[i]))
		}
	}
	return ""
}

func shown(src []byte, t Token) string {
	line := 1 + bytes.Count(src[:t.Start], []byte{'\n'})
	text := src[t.Start:min(t.End, t.Start+40)]
	return fmt.Sprintf("%q (%v, kind %08x, flags %d, bytes %d-%d, line %d)", text, t.Class, t.Kind, t.Flags, t.Start, t.End, line)
}

//go:build cgo && unix

package lang

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// change is two consecutive versions of a file.
type change struct {
	path     string
	lang     *Language
	was, src []byte
}

// changes lists up to n changes to files of languages that have a grammar, the
// latest first, of the git repository named by the environment variable HISTORY.
func changes(b testing.TB, n int) (out []change) {
	dir := os.Getenv("HISTORY")
	if dir == "" {
		b.Skip("set HISTORY to a git repository")
	}
	grammars(b)
	git := func(in string, args ...string) []byte {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin = strings.NewReader(in)
		text, err := cmd.Output()
		if err != nil {
			b.Fatalf("git %v: %v", args, err)
		}
		return text
	}
	log := git("", "log", "--no-merges", "--no-renames", "--diff-filter=M", "--raw", "--abbrev=40", "--format=")
	var names strings.Builder
	for line := range strings.Lines(string(log)) {
		fields := strings.Fields(line)
		if len(fields) < 6 {
			continue
		}
		path := fields[len(fields)-1]
		if Detect(path, []byte(" ")).Language.spec == nil {
			continue
		}
		out = append(out, change{path: path})
		fmt.Fprintf(&names, "%s\n%s\n", fields[2], fields[3])
		if len(out) == n {
			break
		}
	}
	texts := git(names.String(), "cat-file", "--batch")
	next := func() []byte {
		head, rest, _ := bytes.Cut(texts, []byte{'\n'})
		fields := bytes.Fields(head)
		size, err := strconv.Atoi(string(fields[len(fields)-1]))
		if err != nil {
			b.Fatalf("git cat-file: %q", head)
		}
		texts = rest[size+1:]
		return rest[:size]
	}
	for i := range out {
		out[i].was = next()
		out[i].src = next()
		out[i].lang = Detect(out[i].path, out[i].src).Language
	}
	return out
}

// oneEdit is what stands between the common beginning and end of two texts.
func oneEdit(was, src []byte) []sitter.Edit {
	n, end := 0, 0
	for n < min(len(was), len(src)) && was[n] == src[n] {
		n++
	}
	for end < min(len(was), len(src))-n && was[len(was)-1-end] == src[len(src)-1-end] {
		end++
	}
	return []sitter.Edit{{Start: n, OldEnd: len(was) - end, Text: src[n : len(src)-end]}}
}

// hunks are the lines that differ, the last first. Lines that both texts have
// once, in the order of both, stay; between them so do equal beginnings and ends.
func hunks(was, src []byte) (out []sitter.Edit) {
	old, now := bytes.SplitAfter(was, []byte{'\n'}), bytes.SplitAfter(src, []byte{'\n'})
	places := map[string]int{} // of the lines that old has once, -1 for others
	for i, l := range old {
		if _, ok := places[string(l)]; ok {
			i = -1
		}
		places[string(l)] = i
	}
	i, j, at := 0, 0, 0
	replace := func(oldEnd, newEnd int) {
		a, b := bytes.Join(old[i:oldEnd], nil), bytes.Join(now[j:newEnd], nil)
		if !bytes.Equal(a, b) {
			e := oneEdit(a, b)[0]
			e.Start, e.OldEnd = e.Start+at, e.OldEnd+at
			out = append([]sitter.Edit{e}, out...)
		}
		at += len(a)
		i, j = oldEnd, newEnd
	}
	for n, l := range now {
		k, ok := places[string(l)]
		if !ok || k < i || n < j {
			continue
		}
		replace(k, n)
		for i < len(old) && j < len(now) && bytes.Equal(old[i], now[j]) {
			at += len(old[i])
			i, j = i+1, j+1
		}
	}
	replace(len(old), len(now))
	return out
}

// Every version of a file in a history is read by its lexer as by its grammar.
//
//	HISTORY=repo.git go test -run LexersAgreeOnVersions -v ./lang
func TestLexersAgreeOnVersions(t *testing.T) {
	by := map[string]*judged{}
	z := NewTokenizer(Limits{})
	defer z.Close()
	for _, c := range changes(t, 8000) {
		if c.lang.spec == nil || c.lang.spec.lexer == nil {
			continue
		}
		j := by[c.lang.Name]
		if j == nil {
			j = &judged{}
			by[c.lang.Name] = j
		}
		if why := j.judge(z, c.lang, c.src); why != "" && j.differ <= 5 {
			t.Errorf("%s: %s", c.path, why)
		}
	}
	for _, name := range sortedNames(by) {
		t.Logf("%-10s %+v", name, *by[name])
	}
}

// BenchmarkReparse reports what parsing a version costs with the tree of the
// version before, as a share of parsing it anew, how often the tokens differ, and
// what a lexer takes for the same versions:
//
//	HISTORY=repo.git go test -run - -bench Reparse -benchtime 1x ./lang
func BenchmarkReparse(b *testing.B) {
	all := changes(b, 4000)
	for _, edits := range []string{"one edit", "lines"} {
		b.Run(edits, func(b *testing.B) {
			for b.Loop() {
				b.Log(reparseAll(b, all, edits == "lines"))
			}
		})
	}
}

type reparsed struct {
	n, broken, differ, brokenDiffer int
	anew, reused, walked            time.Duration
}

func reparseAll(b *testing.B, all []change, lines bool) string {
	by := map[string]*reparsed{}
	bare := map[*Language]*sitter.Bare{}
	for _, c := range all {
		if c.lang.grammar == nil {
			continue
		}
		if bare[c.lang] == nil {
			bare[c.lang] = sitter.NewBare(c.lang.grammar())
			defer bare[c.lang].Close()
		}
		edits := oneEdit(c.was, c.src)
		if lines {
			edits = hunks(c.was, c.src)
		}
		r, err := bare[c.lang].Reparse(c.lang.grammar(), c.was, c.src, edits)
		if err != nil {
			b.Fatal(err)
		}
		if by[c.lang.Name] == nil {
			by[c.lang.Name] = &reparsed{}
		}
		by[c.lang.Name].add(r)
	}
	var out strings.Builder
	for _, name := range sortedNames(by) {
		fmt.Fprintf(&out, "\n%-12s %s%s", name, by[name], lexedAll(all, ByName(name), by[name].anew+by[name].walked))
	}
	return out.String()
}

// lexedAll is what the lexer of a language takes for the same versions, if it has one.
func lexedAll(all []change, l *Language, whole time.Duration) string {
	if l.spec.lexer == nil {
		return ""
	}
	var buffer []Token
	start := cpu()
	for _, c := range all {
		if c.lang == l {
			buffer, _ = l.spec.lexer(buffer[:0], c.src)
		}
	}
	return fmt.Sprintf("; lexer %.3f", (cpu()-start).Seconds()/whole.Seconds())
}

func (s *reparsed) add(r sitter.Reparse) {
	s.n++
	s.anew, s.reused, s.walked = s.anew+r.Anew, s.reused+r.Reused, s.walked+r.Walked
	if r.Errors > 0 || r.ReusedErrors > 0 {
		s.broken++
		if !r.Same {
			s.brokenDiffer++
		}
		return
	}
	if !r.Same {
		s.differ++
	}
}

func (s *reparsed) String() string {
	return fmt.Sprintf("%5d versions, %d with errors; tokens differ in %d without, %d with errors; anew %.2f s, reused %.3f, with the walk %.3f",
		s.n, s.broken, s.differ, s.brokenDiffer, s.anew.Seconds(), s.reused.Seconds()/s.anew.Seconds(), (s.reused+s.walked).Seconds()/(s.anew+s.walked).Seconds())
}

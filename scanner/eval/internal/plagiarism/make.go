package plagiarism

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// Set has units in memory, by name and path, and the labelled pairs.
type Set struct {
	Files     map[string][]byte // by unit/path
	Pairs     []Pair
	Exercises []string // compared one by one; nil: all units with each other
	Partial   bool     // pairs labelled as no copies may be copies
}

// Pair is two units with the level of disguise of one; 0 if neither is a copy of the other.
type Pair struct {
	A, B  string
	Level int
}

// Bounds of the programs to copy.
const (
	minLines = 50
	maxLines = 300
)

// sameLines is the share of lines from which two solutions count as copies of each other and are not used as
// negatives. Lines have 15 bytes or more without white space.
const sameLines = 0.15

// solution is the solution of one repository for an exercise.
type solution struct {
	repo string
	path string
	src  []byte
	program
}

// Disguised makes sets of programs for which several of the repositories have a solution: a file of the same name and
// language, with 50 to 300 lines. There are two sets for each language, to fit (a) and to judge (b). Each exercise is
// in one of them.
func Disguised(ctx context.Context, repos []string) (map[string]*Set, error) {
	exercises, err := exercisesOf(ctx, repos)
	if err != nil {
		return nil, err
	}
	sets := make(map[string]*Set)
	var donor program
	for _, key := range slices.Sorted(maps.Keys(exercises)) {
		ss := exercises[key]
		if len(ss) < 2 {
			continue
		}
		h := fnv.New32a()
		fmt.Fprint(h, key)
		n := int(h.Sum32() >> 8)
		name := ss[0].lang + []string{"-a", "-b"}[n%2]
		if sets[name] == nil {
			sets[name] = &Set{Files: make(map[string][]byte)}
		}
		if donor.lang != ss[0].lang {
			donor = ss[0].program
		}
		first := n / 2 % len(ss)
		sets[name].add(strings.ReplaceAll(key, ".", "-"), ss[first], slices.Delete(slices.Clone(ss), first, first+1), donor)
		donor = ss[first].program
	}
	maps.DeleteFunc(sets, func(_ string, s *Set) bool { return len(s.Pairs) == 0 })
	return sets, nil
}

// exercisesOf reads the solutions, by language and name.
func exercisesOf(ctx context.Context, repos []string) (map[string][]solution, error) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	out := make(map[string][]solution)
	for _, repo := range repos {
		err := filepath.WalkDir(repo, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			src, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			if n := bytes.Count(src, []byte("\n")); n < minLines || n > maxLines || bytes.IndexByte(src, '\r') >= 0 {
				return nil
			}
			q, ok := parse(tz, p, src)
			key := exercise(q)
			if ok && key != "" && !slices.ContainsFunc(out[key], func(s solution) bool { return s.repo == repo }) {
				out[key] = append(out[key], solution{repo: repo, path: p, src: src, program: q})
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read programs of %q: %w", repo, err)
		}
	}
	return out, nil
}

// exercise returns the exercise of a program: its language and the letters of its name.
func exercise(p program) string {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(strings.TrimSuffix(p.name, filepath.Ext(p.name))))
	if len(letters) < 4 || strings.Contains(letters, "test") || words("main init solution index util utils node")[letters] {
		return ""
	}
	return p.lang + "." + letters
}

// add adds an original with its disguised copies, and the solutions of others.
func (s *Set) add(key string, original solution, others []solution, donor program) {
	others = slices.DeleteFunc(others, func(o solution) bool { return alike(o.src, original.src) >= sameLines })
	if len(others) == 0 {
		return
	}
	put := func(unit string, src []byte) string {
		s.Files[unit+"/"+original.name] = src
		return unit
	}
	o := put(key+"-original", original.src)
	copies := []string{o}
	for l := 1; l <= Levels; l++ {
		c := put(fmt.Sprintf("%s-level%d", key, l), disguise(original.program, donor, l))
		copies = append(copies, c)
		s.Pairs = append(s.Pairs, Pair{o, c, l})
	}
	for i, other := range others {
		u := put(fmt.Sprintf("%s-other%d", key, i+1), other.src)
		for _, c := range copies {
			s.Pairs = append(s.Pairs, Pair{A: c, B: u})
		}
	}
}

// alike returns the share of long lines of the shorter text that the other also has.
func alike(a, b []byte) float64 {
	x, y := long(a), long(b)
	both := 0
	for l := range x {
		if y[l] {
			both++
		}
	}
	return float64(both) / float64(max(1, min(len(x), len(y))))
}

// long returns the lines that have 15 bytes or more without white space.
func long(src []byte) map[string]bool {
	m := make(map[string]bool)
	for l := range bytes.Lines(src) {
		if l = bytes.Join(bytes.Fields(l), nil); len(l) >= 15 {
			m[string(l)] = true
		}
	}
	return m
}

// Write writes a set into a new directory: its units below units, its pairs in pairs.tsv.
func (s *Set) Write(dir string) error {
	for name, src := range s.Files {
		p := filepath.Join(dir, "units", filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, src, 0o666)); err != nil {
			return fmt.Errorf("write set %q: %w", dir, err)
		}
	}
	slices.SortFunc(s.Pairs, func(x, y Pair) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	var b bytes.Buffer
	for _, p := range s.Pairs {
		fmt.Fprintf(&b, "%s\t%s\t%d\n", p.A, p.B, p.Level)
	}
	files := map[string]string{"pairs.tsv": b.String()}
	if s.Exercises != nil {
		files["exercises"] = strings.Join(s.Exercises, "\n") + "\n"
	}
	if s.Partial {
		files[partial] = ""
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return fmt.Errorf("write set %q: %w", dir, err)
		}
	}
	return nil
}

// partial is the file that marks a set of Set.Partial.
const partial = "partial"

package plagiarism

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Bounds of a class.
const (
	originals = 18 // solutions of an exercise that are copied, three at each level
	ownLines  = 5  // long lines that a solution has beyond the given code
)

// Class makes sets of what the students of one course wrote, each exercise from code that all were given. dir has
// EXERCISE/STUDENT.EXT. Eighteen solutions of each exercise are copied once, three at each level, and the rest of the
// class stands around them. Of the exercises of a language every other is to fit (-a), the rest to judge (-b). Students
// may have copied from each other unseen, so the sets are partial.
func Class(ctx context.Context, dir string) (map[string]*Set, error) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	sets, seen := make(map[string]*Set), make(map[string]int)
	var donor program
	for _, ex := range folders(dir) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ss, err := students(tz, filepath.Join(dir, ex))
		if err != nil {
			return nil, fmt.Errorf("read exercise %q: %w", ex, err)
		}
		if len(ss) <= originals {
			continue
		}
		l := ss[0].lang
		name := "class-" + l + []string{"-a", "-b"}[seen[l]%2]
		seen[l]++
		if sets[name] == nil {
			sets[name] = &Set{Files: make(map[string][]byte), Partial: true}
		}
		if donor.lang != l {
			donor = ss[len(ss)-1].program
		}
		sets[name].class(ex, ss, donor)
		donor = ss[0].program
	}
	return sets, nil
}

// student is somebody of a class, with the lines of a solution that were not given.
type student struct {
	solution
	own []byte
}

// students reads the solutions of an exercise, in an order that chance decides. Solutions with hardly a line of their
// own are left out: who changes nothing has copied nothing.
func students(tz *lang.Tokenizer, dir string) (out []student, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
		if p, ok := parse(tz, f, src); ok {
			out = append(out, student{solution: solution{repo: filepath.Base(f), src: src, program: p}})
		}
	}
	given := givenLines(out)
	for i := range out {
		out[i].own = without(out[i].src, given)
	}
	out = slices.DeleteFunc(out, func(s student) bool { return len(long(s.own)) < ownLines })
	drawn := func(s student) string { return fmt.Sprintf("%x", sha1.Sum([]byte(filepath.Base(dir)+"/"+s.repo))) }
	slices.SortFunc(out, func(a, b student) int { return cmp.Compare(drawn(a), drawn(b)) })
	return out, nil
}

// givenLines returns the long lines that a third of the solutions have and more.
func givenLines(ss []student) map[string]bool {
	of := make(map[string]int)
	for _, s := range ss {
		for l := range long(s.src) {
			of[l]++
		}
	}
	out := make(map[string]bool)
	for l, n := range of {
		out[l] = 3*n >= len(ss)
	}
	return out
}

// without returns the lines of a text that are not given.
func without(src []byte, given map[string]bool) []byte {
	var out []byte
	for l := range bytes.Lines(src) {
		if !given[string(bytes.Join(bytes.Fields(l), nil))] {
			out = append(out, l...)
		}
	}
	return out
}

// class adds an exercise. Students whose own lines are alike are no negatives.
func (s *Set) class(ex string, ss []student, donor program) {
	ex = s.exercise(ex)
	ext := filepath.Ext(ss[0].repo)
	put := func(unit string, src []byte) string {
		unit = fmt.Sprintf("%s-%s", ex, unit)
		s.Files[unit+"/main"+ext] = src
		return unit
	}
	names := make([]string, len(ss))
	for i, x := range ss {
		names[i] = put(fmt.Sprintf("student%02d", i), x.src)
	}
	for i, x := range ss {
		mine := []string{names[i]}
		if i < originals {
			level := i%Levels + 1
			c := put(fmt.Sprintf("student%02d-level%d", i, level), disguise(x.program, donor, level))
			s.Pairs = append(s.Pairs, Pair{names[i], c, level})
			mine = append(mine, c)
		}
		for j, y := range ss {
			if j == i || alike(x.own, y.own) >= sameLines {
				continue
			}
			for k, m := range mine {
				if k > 0 || j > i {
					s.Pairs = append(s.Pairs, Pair{A: m, B: names[j]})
				}
			}
		}
	}
}

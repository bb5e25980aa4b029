package plagiarism

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/csv"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Sets of programs that people copied from each other, for many exercises. Each exercise is a collection of its own, as
// a lecturer would compare it: Set.Exercises.

// contests reads pairs of ConPlag: labels.csv, and version_1/A_B/A.java for a pair. Cases are numbers of problems.
func (s *Set) contests(dir string, cases []string) error {
	file, err := os.ReadFile(filepath.Join(dir, "labels.csv"))
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		return fmt.Errorf("read labels.csv: %w", err)
	}
	source := make(map[string]string) // a few differ between pairs; the last one counts
	for _, pair := range folders(filepath.Join(dir, "version_1")) {
		for _, name := range strings.Split(pair, "_") {
			source[name] = filepath.Join(dir, "version_1", pair, name+".java")
		}
	}
	for _, r := range rows[min(1, len(rows)):] {
		if len(r) < 4 || cases != nil && !slices.Contains(cases, r[2]) {
			continue
		}
		p := Pair{A: s.exercise(r[2]) + "-" + r[0], B: r[2] + "-" + r[1]}
		if r[3] != "0" {
			p.Level = 1
		}
		for unit, name := range map[string]string{p.A: r[0], p.B: r[1]} {
			if s.Files[unit+"/main.java"], err = os.ReadFile(source[name]); err != nil {
				return err
			}
		}
		s.Pairs = append(s.Pairs, p)
	}
	return nil
}

// honest is how many students of an exercise take part who are in no group of copies.
const honest = 60

// students reads Ljubovic's programming homework: ground-truth-static-anon.txt, and
// src/COURSE/…/student.c. Cases are exercises. Not every copy is labelled.
func (s *Set) students(dir string, cases []string) error {
	s.Partial = true
	truth, err := os.ReadFile(filepath.Join(dir, "ground-truth-static-anon.txt"))
	if err != nil {
		return err
	}
	groups := make(map[string][][]string)
	var order []string
	for line := range strings.Lines(string(truth)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "- "); ok {
			order = append(order, name)
		} else if line != "" && len(order) > 0 {
			groups[order[len(order)-1]] = append(groups[order[len(order)-1]], strings.Split(line, ","))
		}
	}
	for _, name := range order {
		if cases != nil && !slices.Contains(cases, name) {
			continue
		}
		if err := s.homeworkOf(dir, name, groups[name]); err != nil {
			return err
		}
	}
	return nil
}

// homeworkOf adds the students in the groups of an exercise, and some others.
func (s *Set) homeworkOf(dir, name string, groups [][]string) error {
	copies, labelled := make(map[[2]string]bool), make(map[string]bool)
	for _, g := range groups {
		for i, a := range g {
			labelled[a] = true
			for _, b := range g[i+1:] {
				copies[[2]string{min(a, b), max(a, b)}] = true
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "src", filepath.FromSlash(name), "*.c"))
	if err != nil {
		return err
	}
	var take, rest []string
	for _, f := range files {
		if u := strings.TrimSuffix(filepath.Base(f), ".c"); labelled[u] {
			take = append(take, u)
		} else {
			rest = append(rest, u)
		}
	}
	drawn := func(u string) string { return fmt.Sprintf("%x", sha1.Sum([]byte(name+u))) }
	slices.SortFunc(rest, func(a, b string) int { return cmp.Compare(drawn(a), drawn(b)) })
	take = append(take, rest[:min(honest, len(rest))]...)
	slices.Sort(take)
	ex := s.exercise(strings.ReplaceAll(name, "/", "."))
	for i, a := range take {
		src, err := os.ReadFile(filepath.Join(dir, "src", filepath.FromSlash(name), a+".c"))
		if err != nil {
			return err
		}
		s.Files[path.Join(ex+"-"+a, "main.c")] = src
		for _, b := range take[i+1:] {
			p := Pair{A: ex + "-" + a, B: ex + "-" + b}
			if copies[[2]string{a, b}] {
				p.Level = 1
			}
			s.Pairs = append(s.Pairs, p)
		}
	}
	return nil
}

// reused reads SOCO 2014: programs of one collection, and the pairs that people judged to be copies. Cases are languages.
func (s *Set) reused(dir string, cases []string) error {
	s.Partial = true
	if cases == nil {
		cases = []string{"java", "c"}
	}
	for _, l := range cases {
		labels, err := os.ReadFile(filepath.Join(dir, "SOCO14-"+l+".qrel"))
		if err != nil {
			return err
		}
		copies := make(map[[2]string]bool)
		for line := range strings.Lines(string(labels)) {
			if f := strings.Fields(line); len(f) > 1 {
				copies[[2]string{min(f[0], f[1]), max(f[0], f[1])}] = true
			}
		}
		files, err := filepath.Glob(filepath.Join(dir, l, "*."+l))
		if err != nil {
			return err
		}
		for i, f := range files {
			a := filepath.Base(f)
			if s.Files[path.Join(a, "main."+l)], err = os.ReadFile(f); err != nil {
				return err
			}
			for _, b := range files[i+1:] {
				p := Pair{A: a, B: filepath.Base(b)}
				if copies[[2]string{p.A, p.B}] {
					p.Level = 1
				}
				s.Pairs = append(s.Pairs, p)
			}
		}
	}
	return nil
}

// exercise notes an exercise of the set. The names of its units begin with its name and a hyphen.
func (s *Set) exercise(name string) string {
	if !slices.Contains(s.Exercises, name) {
		s.Exercises = append(s.Exercises, name)
	}
	return name
}

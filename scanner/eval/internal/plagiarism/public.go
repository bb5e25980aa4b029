package plagiarism

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Public reads a set labelled by others, by its layout. ok is false if dir has none of these:
//
//	case-NN/original, case-NN/plagiarized/L1..L6/NN, case-NN/non-plagiarized/NN   (levels 1-6 of IR-Plag)
//	Base Programs/B, Variant Programs/B/V or Variant Programs/B-LEVEL/V           (homework refactored by programs)
//	ACCEPTED/UNIT, plagiarism.csv                                                 (PROGpedia)
//	labels.csv, version_1/A_B/A.java                                              (ConPlag)
//	ground-truth-static-anon.txt, src/COURSE/…/UNIT.c                             (Ljubovic's programming homework)
//	SOCO14-LANGUAGE.qrel, LANGUAGE/UNIT.LANGUAGE                                  (SOCO 2014)
//	human/UNIT, insert/plag-UNIT, refactor/plag-UNIT, gptobf/gptN-UNIT            (copies that programs and a language model hid)
//
// cases selects among the levels, contests, students, and the languages of SOCO; nil means all.
func Public(dir string, cases []string) (s *Set, ok bool, err error) {
	s = &Set{Files: make(map[string][]byte)}
	has := func(name string) bool { _, err := os.Stat(filepath.Join(dir, name)); return err == nil }
	switch {
	case has("plagiarism.csv"):
		err = s.progpedia(dir)
	case has("Base Programs"):
		err = s.homework(dir)
	case has("labels.csv"):
		err = s.contests(dir, cases)
	case has("ground-truth-static-anon.txt"):
		err = s.students(dir, cases)
	case has("SOCO14-java.qrel"):
		err = s.reused(dir, cases)
	case has("human"):
		err = s.hidden(dir)
	case has("case-01"):
		err = s.levels(dir, cases)
	default:
		return nil, false, nil
	}
	return s, true, err
}

// unit adds the files below dir in Java or C++.
func (s *Set) unit(name, dir string) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(p) != ".java" && filepath.Ext(p) != ".cpp" {
			return err
		}
		src, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		s.Files[path.Join(name, filepath.ToSlash(rel))] = src
		return err
	})
}

// folders lists the subdirectories of a directory, none if it does not exist.
func folders(dir string) (out []string) {
	es, _ := os.ReadDir(dir)
	for _, e := range es {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

func (s *Set) levels(dir string, cases []string) error {
	for _, c := range folders(dir) {
		if cases != nil && !slices.Contains(cases, c) {
			continue
		}
		at := filepath.Join(dir, c)
		original := c + "-original"
		if err := s.unit(original, filepath.Join(at, "original")); err != nil {
			return err
		}
		for level := 0; level <= Levels; level++ {
			sub := "non-plagiarized"
			if level > 0 {
				sub = fmt.Sprintf("plagiarized/L%d", level)
			}
			for _, u := range folders(filepath.Join(at, sub)) {
				name := fmt.Sprintf("%s-level%d-%s", c, level, u)
				if err := s.unit(name, filepath.Join(at, sub, u)); err != nil {
					return err
				}
				s.Pairs = append(s.Pairs, Pair{original, name, level})
			}
		}
	}
	return nil
}

func (s *Set) homework(dir string) error {
	type variant struct {
		base, name string
		level      int
	}
	var vs []variant
	for _, b := range folders(filepath.Join(dir, "Base Programs")) {
		if err := s.unit("base"+b, filepath.Join(dir, "Base Programs", b)); err != nil {
			return err
		}
	}
	for _, group := range folders(filepath.Join(dir, "Variant Programs")) {
		base, level, _ := strings.Cut(group, "-")
		v := variant{base: "base" + base, level: 1}
		fmt.Sscan(level, &v.level)
		for _, u := range folders(filepath.Join(dir, "Variant Programs", group)) {
			v.name = "variant" + group + "-" + u
			if err := s.unit(v.name, filepath.Join(dir, "Variant Programs", group, u)); err != nil {
				return err
			}
			vs = append(vs, v)
		}
	}
	for _, b := range folders(filepath.Join(dir, "Base Programs")) {
		for _, v := range vs {
			p := Pair{A: "base" + b, B: v.name}
			if v.base == p.A {
				p.Level = v.level
			}
			s.Pairs = append(s.Pairs, p)
		}
	}
	return nil
}

func (s *Set) progpedia(dir string) error {
	csv, err := os.ReadFile(filepath.Join(dir, "plagiarism.csv"))
	if err != nil {
		return err
	}
	copies := make(map[[2]string]bool)
	for line := range bytes.Lines(csv) {
		if f := strings.Split(string(line), ";"); len(f) > 1 {
			copies[[2]string{min(f[0], f[1]), max(f[0], f[1])}] = true
		}
	}
	units := folders(filepath.Join(dir, "ACCEPTED"))
	for i, a := range units {
		if err := s.unit(a, filepath.Join(dir, "ACCEPTED", a)); err != nil {
			return err
		}
		for _, b := range units[i+1:] {
			p := Pair{A: a, B: b}
			if copies[[2]string{a, b}] {
				p.Level = 1
			}
			s.Pairs = append(s.Pairs, p)
		}
	}
	return nil
}

// hidden reads copies that were hidden from tools: level 1 by inserted statements, 2 by refactoring, 3 by a language model. The
// originals may have copies among them that nobody labelled.
func (s *Set) hidden(dir string) error {
	s.Partial = true
	originals := folders(filepath.Join(dir, "human"))
	for i, o := range originals {
		if err := s.unit(o, filepath.Join(dir, "human", o)); err != nil {
			return err
		}
		for _, other := range originals[i+1:] {
			s.Pairs = append(s.Pairs, Pair{A: o, B: other})
		}
	}
	for level, sub := range []string{"insert", "refactor", "gptobf"} {
		for _, u := range folders(filepath.Join(dir, sub)) {
			name := sub + "-" + u
			if err := s.unit(name, filepath.Join(dir, sub, u)); err != nil {
				return err
			}
			_, of, _ := strings.Cut(u, "-")
			for _, o := range originals {
				p := Pair{A: o, B: name}
				if o == of {
					p.Level = level + 1
				}
				s.Pairs = append(s.Pairs, p)
			}
		}
	}
	return nil
}

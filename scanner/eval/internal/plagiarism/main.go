package plagiarism

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Main runs the command. "make OUT REPO…" makes disguised copies of the programs of repositories and writes them as
// sets below OUT. "class OUT DIR" does so with the exercises of a course. "public OUT DIR [CASE,…]" does so with a set labelled by others. "measure SET TOOL=SCORES…" prints a
// row for each tool. "differ SET LEVEL TOOL=SCORES OTHER=SCORES…" prints the differences of the first tool to each other one on a level, 0 for all.
func Main(ctx context.Context, args []string, out io.Writer) error {
	switch {
	case len(args) > 2 && args[0] == "make":
		sets, err := Disguised(ctx, args[2:])
		return write(sets, err, args[1], out)
	case len(args) == 3 && args[0] == "class":
		sets, err := Class(ctx, args[2])
		return write(sets, err, args[1], out)
	case len(args) > 2 && args[0] == "public":
		var cases []string
		if len(args) > 3 {
			cases = strings.Split(args[3], ",")
		}
		s, ok, err := Public(args[2], cases)
		if err == nil && !ok {
			err = fmt.Errorf("read set %q: no known layout", args[2])
		}
		if err != nil {
			return err
		}
		return s.Write(args[1])
	case len(args) > 2 && args[0] == "measure":
		return measure(args[1], args[2:], out)
	case len(args) > 4 && args[0] == "differ":
		return differ(args[1], args[2], args[3:], out)
	}
	return errors.New("usage: plagiarism make OUT REPO… | class OUT DIR | public OUT DIR [CASE,…] | measure SET TOOL=SCORES… | differ SET LEVEL TOOL=SCORES OTHER=SCORES…")
}

// write writes sets below a directory, and prints their sizes.
func write(sets map[string]*Set, err error, dir string, out io.Writer) error {
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		if err := sets[name].Write(filepath.Join(dir, name)); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %d files, %d pairs\n", name, len(sets[name].Files), len(sets[name].Pairs))
	}
	return nil
}

func measure(set string, tools []string, out io.Writer) error {
	s, err := readDrawn(set)
	if err != nil {
		return err
	}
	for _, t := range tools {
		tool, file, _ := strings.Cut(t, "=")
		scores, err := ReadScores(file)
		if err != nil {
			return err
		}
		WriteTable(out, filepath.Base(set), tool, Measure(s.Pairs, scores, s.Spared))
	}
	return nil
}

// readDrawn reads a set written by Write, without its programs.
func readDrawn(set string) (s Drawn, err error) {
	if s.Pairs, err = ReadPairs(set); err != nil {
		return s, err
	}
	if _, err := os.Stat(filepath.Join(set, partial)); err == nil {
		s.Spared = 0.01
	}
	names, err := os.ReadFile(filepath.Join(set, "exercises"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	s.Exercises = strings.Fields(string(names))
	return s, nil
}

func differ(set, level string, tools []string, out io.Writer) error {
	s, err := readDrawn(set)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(level)
	if err != nil {
		return fmt.Errorf("read level: %w", err)
	}
	var first map[[2]string]float64
	for i, t := range tools {
		tool, file, _ := strings.Cut(t, "=")
		scores, err := ReadScores(file)
		if err != nil {
			return err
		}
		if i == 0 {
			first = scores
			continue
		}
		Compare(s, n, first, scores).write(out, filepath.Base(set), n, tool)
	}
	return nil
}

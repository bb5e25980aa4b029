package units

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/lang"
)

// rosterName is the file in which Gradescope says who handed in the directories beside it, submission_12345.
const rosterName = "submission_metadata.yml"

// Bounds of a roster, and of the names of all persons of one submission, in bytes.
const (
	maxRoster = 64 << 20
	maxNames  = 200
)

// graded is what Gradescope says of a submission.
type graded struct {
	Submitters []struct {
		Name string `yaml:":name"`
	} `yaml:":submitters"`
}

// rostered takes the lists of names out of the entries of a directory that Gradescope and Brightspace add. It returns the persons by the names of their directories:
// the name, and the number that tells two persons of one name apart.
func (s *Opener) rostered(dir string, names []string) (rest []string, persons map[string]string) {
	names = s.withoutIndex(dir, names)
	at := slices.IndexFunc(names, func(n string) bool { return filepath.Base(n) == rosterName })
	if at < 0 {
		return names, nil
	}
	all, err := readRoster(names[at])
	if err != nil {
		s.leave(dir, rosterName, files.ReasonUnreadable, err.Error())
	} else {
		s.leave(dir, rosterName, string(lang.ToolWritten), "")
	}
	persons = make(map[string]string)
	for folder, g := range all {
		number, ok := strings.CutPrefix(folder, "submission_")
		var who []string
		for _, p := range g.Submitters {
			if n := strings.TrimSpace(strings.ReplaceAll(p.Name, "/", " ")); n != "" {
				who = append(who, n)
			}
		}
		if ok && len(who) > 0 {
			persons[folder] = cutName(strings.Join(who, ", ")) + "_" + number
		}
	}
	return slices.Delete(names, at, at+1), persons
}

// withoutIndex leaves out the list of names that Brightspace adds to its archive.
func (s *Opener) withoutIndex(dir string, names []string) []string {
	brightspace := submissionNames()[len(submissionNames())-1]
	if !slices.ContainsFunc(names, func(n string) bool { return brightspace.MatchString(filepath.Base(n)) }) {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		index := filepath.Base(n) == "index.html"
		if index {
			s.leave(dir, "index.html", string(lang.ToolWritten), "")
		}
		return index
	})
}

// readRoster reads a roster. Its errors do not name the file, which may lie in a temporary directory.
func readRoster(name string) (all map[string]graded, err error) {
	f, err := os.Open(name)
	if err != nil {
		if p, ok := errors.AsType[*os.PathError](err); ok {
			err = p.Err
		}
		return nil, fmt.Errorf("open the names of the students: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRoster+1))
	if err == nil && len(data) > maxRoster {
		err = fmt.Errorf("more than %d bytes", maxRoster)
	}
	if err == nil {
		err = bounded.YAML(data, &all)
	}
	if err != nil {
		return all, fmt.Errorf("read the names of the students: %w", err)
	}
	return all, nil
}

// cutName bounds a name.
func cutName(name string) string {
	if len(name) <= maxNames {
		return name
	}
	n := maxNames
	for !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n] + "…"
}

// maxWrapped bounds the directories around the one that has the submissions.
const maxWrapped = 3

// unwrappedDir returns the directory that has the submissions, if it is all that another directory has. Windows unpacks an archive into a directory of
// its name, in which is the directory of the archive. That a platform made it, or that both have one name, tells it from the only
// submission of a class.
func unwrappedDir(dir string) string {
	for range maxWrapped {
		es, err := entries(dir, func(string, string) {})
		if err != nil || len(es) != 1 {
			return dir
		}
		inner := es[0]
		below, err := entries(inner, func(string, string) {})
		if err != nil || filepath.Base(inner) != filepath.Base(dir) && !madeByPlatform(below) {
			return dir
		}
		dir = inner
	}
	return dir
}

// madeByPlatform reports whether a learning platform named most of the entries of a directory, or added its list of names.
func madeByPlatform(entries []string) bool {
	n := 0
	for _, e := range entries {
		name := filepath.Base(e)
		if name == rosterName {
			return true
		}
		if slices.ContainsFunc(submissionNames(), func(x *regexp.Regexp) bool { return x.MatchString(name) }) {
			n++
		}
	}
	return 2*n > len(entries)
}

package units

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
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

// rostered removes from the entries of a directory the lists of names that Gradescope and Brightspace add. persons has the name of
// a person for each directory, with the number that tells two persons of one name apart.
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
	if !slices.ContainsFunc(names, func(n string) bool { return brightspaceName().MatchString(filepath.Base(n)) }) {
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
	f, err := files.OpenRegular(name)
	if errors.Is(err, files.ErrNotRegular) {
		err = files.ErrNotRegular
	}
	if err != nil {
		return nil, fmt.Errorf("open the names of the students: %s", files.Cause(err))
	}
	defer f.Close()
	data, _, err := files.ReadFile(f, maxRoster)
	if err == nil {
		err = bounded.YAML(data, &all)
	}
	if err != nil {
		return all, fmt.Errorf("read the names of the students: %w", err)
	}
	return all, nil
}

// cutName bounds a name.
func cutName(name string) string { return escape.ClipBytes(name, maxNames) }

// maxWrapped bounds the directories around the one that has the submissions.
const maxWrapped = 3

// unwrappedDir returns the directory that has the submissions, if it is the only entry of dir. Windows unpacks an archive that has
// a directory into one more directory with the archive's name. A directory that no platform made, and whose name differs from that
// of dir, may be the only submission of a class: then it returns dir.
func unwrappedDir(dir string) string {
	unlisted := func(string, string) {}
	es, err := entries(dir, unlisted)
	for range maxWrapped {
		if err != nil || len(es) != 1 {
			return dir
		}
		inner := es[0]
		if es, err = entries(inner, unlisted); err != nil || filepath.Base(inner) != filepath.Base(dir) && !madeByPlatform(es) {
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
		if namedByPlatform(name) {
			n++
		}
	}
	return 2*n > len(entries)
}

// Package drift compares a directory of somebody else's code with a baseline: which version of which package it is, and what was
// changed in it. Its input is the directory's files, its output a [Drift]:
//
//	ask      files → those that are equal to a document, and the packages that have most of these
//	pairs    the files of such a package → the file of the directory that each became
//	changes  pairs → the hunks by which they differ
//
// Several packages and versions may have equally many of the files. Then the one with fewest changed and added lines is taken, then the
// one with fewest files besides, then the latest.
package drift

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// File is one file of the directory.
type File struct {
	Path string // below the directory, with slashes
	Text []byte
}

// Drift tells how a directory differs from a package. Lists are sorted by path.
type Drift struct {
	PURL     string    `json:"purl"`
	License  string    `json:"license,omitempty"` // SPDX expression of the package
	Released time.Time `json:"released,omitzero"`
	Equal    int       `json:"equal"`   // files that the package has too, byte for byte
	Changed  []Change  `json:"changed"` // files that differ from their counterpart in the package
	Local    []string  `json:"local"`   // files without a counterpart
	Absent   []string  `json:"absent"`  // files of the package without a counterpart in the directory
	Left     []Left    `json:"left"`    // what was not compared

	cost int // lines that were changed or added; all lines of a file whose counterpart has no text
	rest int // files of the package that the directory has not, anywhere
}

// Left is a file or a directory that was not compared, with the reason. Without a counterpart these are files that no baseline has, such
// as data, licence texts and files of few tokens.
type Left struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
}

// Change is a file that differs.
type Change struct {
	Path   string `json:"path"`             // in the directory
	Origin string `json:"origin"`           // in the package
	Hunks  int    `json:"hunks"`            // 0 if only line ends differ, or without the package's text
	Added  int    `json:"added"`            // lines that only the directory has
	Gone   int    `json:"removed"`          // lines that only the package has
	As     string `json:"as,omitempty"`     // another version of the package that has the file as it is here
	NoText bool   `json:"noText,omitempty"` // the baseline was exported without text, so the lines are not known
	Diff   string `json:"diff,omitempty"`   // unified, from the package to the directory
}

// Real reports whether more than line ends differ, as far as the lines are known.
func (c Change) Real() bool { return c.Hunks > 0 || c.NoText }

// Hunks counts the hunks of all changed files.
func (d *Drift) Hunks() int {
	n := 0
	for _, c := range d.Changed {
		n += c.Hunks
	}
	return n
}

// nearer reports whether d fits better than e. A package that only contains a copy of the directory has more files besides. A
// package that shares only a file of many packages lacks the other files of the directory, and each of their lines counts.
func (d *Drift) nearer(e *Drift) bool {
	return cmp.Or(cmp.Compare(d.cost, e.cost), cmp.Compare(d.rest, e.rest)) < 0
}

// None reports whether nothing was changed. Line ends are no change, nor are files that were left out of a copy.
func (d *Drift) None() bool { return len(d.Local) == 0 && !slices.ContainsFunc(d.Changed, Change.Real) }

// UnknownError says that no package of the baseline has a file of the directory, or that it lacks the package that was asked for.
type UnknownError struct {
	Files int    // that were compared
	Among string // the package that was asked for, "" for all
}

func (e *UnknownError) Error() string {
	if e.Among != "" {
		return fmt.Sprintf("the baseline does not have %s", e.Among)
	}
	return fmt.Sprintf("no package of the baseline has any of its files (%s)", finding.Count(e.Files, "file"))
}

// Remedy says how to go on.
func (e *UnknownError) Remedy() string {
	if e.Among != "" {
		return fmt.Sprintf("add it with \"git-provenance baseline add %s\"", e.Among)
	}
	return "add the package with \"git-provenance baseline add\"; if all its files were changed, name it with --purl"
}

// maxTied bounds the versions that are compared in full.
const maxTied = 16

// Find compares files with the package of a baseline that has most of them. among, if not empty, is a package URL, with or without
// version, and the only package that is considered.
func Find(ctx context.Context, b *baseline.Baseline, files []File, among string) (*Drift, error) {
	s, err := ask(ctx, b, files, among)
	if err != nil {
		return nil, err
	}
	defer s.tokens.Close()
	tied := s.best()
	if len(tied) == 0 {
		if tied, err = s.named(); err != nil {
			return nil, err
		}
	}
	packages, err := s.contents(tied)
	if err != nil {
		return nil, err
	}
	var best *Drift
	for _, name := range tied {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, err := s.compare(packages[name])
		if err != nil {
			return nil, err
		}
		if best == nil || d.nearer(best) {
			best = d
		}
	}
	if best == nil {
		return nil, &UnknownError{len(files), among}
	}
	return best, nil
}

// search holds what is known of the files.
type search struct {
	base   *baseline.Baseline
	among  string
	files  []File // by path
	hashes []store.Hash
	held   []map[string]string // of each file: package URL → the path of a file in it that is equal, but for line ends
	equal  map[string]int      // package URL → files that are equal, but for line ends
	agree  map[string]int      // package URL → elements in which the paths of these files end alike
	left   map[int]string      // of files without a counterpart: why no baseline has them, or ""
	tokens *lang.Tokenizer
}

// ask looks for documents that are equal to files.
func ask(ctx context.Context, b *baseline.Baseline, files []File, among string) (*search, error) {
	s := &search{base: b, among: among, files: slices.Clone(files), equal: make(map[string]int), agree: make(map[string]int), left: make(map[int]string), tokens: lang.NewTokenizer(lang.Limits{})}
	slices.SortFunc(s.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if err := b.FetchTables(); err != nil { // not a round trip for each file; contents reads them all anyway
		return nil, err
	}
	for _, f := range s.files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h, held := store.Sum(f.Text), make(map[string]string)
		d, ok, err := b.Find(h)
		if unix := plain(f.Text); err == nil && !ok && len(unix) < len(f.Text) { // git writes such files on Windows
			d, ok, err = b.Find(store.Sum(unix))
		}
		if err != nil {
			return nil, err
		}
		if ok {
			os, err := b.Occurrences(d)
			if err != nil {
				return nil, err
			}
			for _, o := range os {
				if old, met := held[o.PURL]; !met || suffix(f.Path, o.Path) > suffix(f.Path, old) {
					held[o.PURL] = o.Path
				}
			}
		}
		s.hashes, s.held = append(s.hashes, h), append(s.held, held)
		for name, at := range held {
			if s.asked(name) {
				s.equal[name]++
				s.agree[name] += suffix(f.Path, at)
			}
		}
	}
	return s, nil
}

// asked reports whether a package may be the answer.
func (s *search) asked(name string) bool {
	return s.among == "" || name == s.among || purl.Version(s.among) == "" && purl.Name(name) == purl.Name(s.among)
}

// best lists the packages that have most of the files: those whose paths agree most, then the latest versions first.
func (s *search) best() []string {
	most := 0
	for _, n := range s.equal {
		most = max(most, n)
	}
	var out []string
	for name, n := range s.equal {
		if n == most {
			out = append(out, name)
		}
	}
	return s.latest(out)
}

// latest sorts packages by the agreement of paths, then by name, the latest version first. It returns as many as are compared in full.
func (s *search) latest(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.agree[b], s.agree[a]), cmp.Compare(purl.Name(a), purl.Name(b)), -purl.CompareVersions(a, b))
	})
	return names[:min(len(names), maxTied)]
}

// named lists the versions of the package that was asked for, if none of them has a file as it is.
func (s *search) named() ([]string, error) {
	if s.among == "" {
		return nil, nil
	}
	all, err := s.base.PURLs()
	if err != nil {
		return nil, err
	}
	return s.latest(slices.DeleteFunc(all, func(name string) bool { return !s.asked(name) })), nil
}

// content is a package with its files.
type content struct {
	baseline.Package
	files map[string]store.Hash // by path
}

// contents reads the files of packages, in one pass over the baseline.
func (s *search) contents(names []string) (map[string]*content, error) {
	out := make(map[string]*content)
	for _, name := range names {
		out[name] = &content{baseline.Package{PURL: name}, make(map[string]store.Hash)}
	}
	wanted := func(p baseline.Package) bool { return out[p.PURL] != nil }
	err := s.base.Contents(names, wanted, func(p baseline.Package, path string, h store.Hash) {
		out[p.PURL].Package, out[p.PURL].files[path] = p, h
	})
	return out, err
}

// compare compares the files with one package.
func (s *search) compare(p *content) (*Drift, error) {
	d := &Drift{PURL: p.PURL, License: p.License, Released: p.Released, Changed: []Change{}, Local: []string{}, Absent: []string{}, Left: []Left{}}
	theirs, name := p.files, p.PURL
	to := s.pairs(name, theirs)
	taken, dirs := make(map[string]bool), make(map[string]bool)
	for i, f := range s.files {
		at, ok := to[i]
		if !ok {
			if reason := s.reason(i); reason != "" {
				d.Left = append(d.Left, Left{f.Path, reason, ""})
			} else {
				d.Local = append(d.Local, f.Path)
				d.cost += bytes.Count(f.Text, []byte{'\n'}) + 1
			}
			continue
		}
		taken[at], dirs[path.Dir(at)] = true, true
		if theirs[at] == s.hashes[i] {
			d.Equal++
			continue
		}
		c, err := s.change(i, at, theirs[at], name)
		if err != nil {
			return nil, err
		}
		d.Changed = append(d.Changed, c)
		if d.cost += c.Added + c.Gone; c.NoText {
			d.cost += bytes.Count(f.Text, []byte{'\n'}) + 1
		}
	}
	for at := range theirs {
		if !taken[at] && dirs[path.Dir(at)] {
			d.Absent = append(d.Absent, at)
		}
	}
	slices.Sort(d.Absent)
	d.rest = len(theirs) - len(taken)
	return d, nil
}

// reason says why no baseline has a file like this, "" if one would.
func (s *search) reason(i int) string {
	reason, known := s.left[i]
	if !known {
		f := s.files[i]
		if _, _, l, why, _ := baseline.Tokenize(s.tokens, f.Path, f.Text, s.base.Params().K); l == nil {
			reason = string(why)
		}
		s.left[i] = reason
	}
	return reason
}

// change compares a file with its counterpart.
func (s *search) change(i int, at string, h store.Hash, name string) (Change, error) {
	f := s.files[i]
	c := Change{Path: f.Path, Origin: at, As: s.other(i, name)}
	d, ok, err := s.base.Find(h)
	if err != nil {
		return c, err
	}
	if !ok || d.Bare {
		c.NoText = true
		return c, nil
	}
	text, err := s.base.Text(d)
	if err != nil {
		return c, err
	}
	ours := lang.Detect(f.Path, f.Text).Text // as the baseline keeps it: of notebooks the code, of UTF-16 the UTF-8
	c.Diff = string(diff.Diff(header("a/"+at), plain(text), header("b/"+c.Path), plain(ours)))
	for line := range strings.Lines(c.Diff) {
		switch {
		case strings.HasPrefix(line, "@@ "):
			c.Hunks++
		case c.Hunks == 0: // names of both files
		case line[0] == '+':
			c.Added++
		case line[0] == '-':
			c.Gone++
		}
	}
	return c, nil
}

// header returns a name for the first lines of a diff. As in git, a name with line ends is quoted.
func header(name string) string {
	if strings.ContainsAny(name, "\r\n") {
		return strconv.Quote(name)
	}
	return name
}

// plain returns a text with the line ends of Unix.
func plain(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// other returns the latest other version of a package that has file i of the directory unchanged. name is the package with its
// version. It returns "" if there is none, or if that version has the file.
func (s *search) other(i int, name string) string {
	if s.held[i][name] != "" {
		return ""
	}
	var out []string
	for p := range s.held[i] {
		if purl.Name(p) == purl.Name(name) && p != name {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return ""
	}
	slices.SortFunc(out, purl.CompareVersions)
	return purl.Version(out[len(out)-1])
}

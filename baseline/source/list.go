package source

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// Listed is a line of a list of sources: the source, and the known facts about it.
type Listed struct {
	Line     int
	Source   string
	PURL     string
	License  string
	Released time.Time
}

// ListError reports an invalid line of a list.
type ListError struct {
	List string
	Line int
	Why  string
}

func (e *ListError) Error() string {
	return fmt.Sprintf("read list %q, line %d: %s", e.List, e.Line, e.Why)
}

// maxListLine bounds a line of a list, in bytes: paths have at most 4,096.
const maxListLine = 64 << 10

// ReadList reads a list of sources, one per line: the source, its package URL, licence and release date, separated by
// tabs. The last three may be empty or missing. Empty lines and lines that begin with "#" are ignored.
func ReadList(name string, r io.Reader) ([]Listed, error) {
	var out []Listed
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxListLine)
	n := 0
	for s.Scan() {
		n++
		line := strings.TrimRight(s.Text(), "\r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		l, why := parseListed(strings.Split(line, "\t"))
		if why != "" {
			return nil, &ListError{name, n, why}
		}
		l.Line = n
		out = append(out, l)
	}
	if err := s.Err(); err != nil {
		return nil, &ListError{name, n + 1, err.Error()}
	}
	return out, nil
}

func parseListed(f []string) (l Listed, why string) {
	if len(f) > 4 {
		return l, fmt.Sprintf("%d fields, where source, package URL, licence and date are 4", len(f))
	}
	f = append(f, make([]string, 4-len(f))...)
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	l = Listed{Source: f[0], PURL: f[1], License: f[2]}
	if l.Source == "" {
		return l, "it names no source"
	}
	if l.PURL != "" {
		if _, err := purl.Canonical(l.PURL); err != nil {
			return l, err.Error()
		}
	}
	if f[3] != "" {
		t, err := time.Parse(time.DateOnly, f[3])
		if err != nil {
			if t, err = time.Parse(time.RFC3339, f[3]); err != nil {
				return l, fmt.Sprintf("%q is no date such as 2024-01-22", f[3])
			}
		}
		l.Released = t.UTC()
	}
	return l, ""
}

// OpenListed opens the sources of a list. Sources that cannot be opened are skipped as missing. Only the end of ctx is
// an error.
func OpenListed(ctx context.Context, list []Listed, o Options) ([]*Package, error) {
	var out []*Package
	if o.HTTP == nil {
		o.HTTP = newClient(o)
	}
	for _, l := range list {
		own := o
		own.PURL, own.License, own.Released = l.PURL, l.License, l.Released
		pkgs, err := Open(ctx, l.Source, own)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			o.lacks(l.Source, fmt.Sprintf("line %d: %s", l.Line, files.Cause(err)), "")
			continue
		}
		out = append(out, pkgs...)
	}
	return out, nil
}

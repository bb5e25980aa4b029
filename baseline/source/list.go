package source

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
		o.HTTP = o.client()
	}
	for _, l := range list {
		own := o
		own.PURL, own.License, own.Released = l.PURL, l.License, l.Released
		pkgs, err := Open(ctx, l.Source, own)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			o.failed(l.Source, fmt.Sprintf("line %d: %s", l.Line, files.Cause(err)), err, "")
			continue
		}
		out = append(out, pkgs...)
	}
	return out, nil
}

// Pin is a line of a list for a baseline: a package, and the known facts about it.
type Pin struct {
	Line     int
	PURL     string
	Digest   string // digest of its files, see Package.Digest; "" accepts any files
	License  string
	Released time.Time
}

// ReadPins reads a list of packages, one per line: package URL, digest, licence and release date, separated by tabs.
// The last three may be empty or missing. Empty lines and lines that begin with "#" are ignored.
func ReadPins(name string, r io.Reader) ([]Pin, error) {
	var out []Pin
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxListLine)
	seen := make(map[string]bool)
	n := 0
	for s.Scan() {
		n++
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		f := append(strings.Split(line, "\t"), "", "", "")
		canonical, err := purl.Canonical(f[0])
		if err != nil {
			return nil, &ListError{name, n, err.Error()}
		}
		// the package URL takes the field of the source
		l, why := parseListed([]string{canonical, canonical, f[2], f[3]})
		p := Pin{Line: n, PURL: canonical, Digest: strings.TrimSpace(f[1]), License: l.License, Released: l.Released}
		switch {
		case why != "":
		case len(f) > 7:
			why = "more than package URL, digest, licence and date"
		case seen[canonical]:
			why = fmt.Sprintf("%s is listed twice", canonical)
		case p.Digest != "" && !isFilesDigest(p.Digest):
			why = fmt.Sprintf("%q is no digest", p.Digest)
		case p.Digest != "" && purl.Version(canonical) == "":
			why = "a digest, and no version"
		}
		if why != "" {
			return nil, &ListError{name, n, why}
		}
		seen[canonical] = true
		out = append(out, p)
	}
	if err := s.Err(); err != nil {
		return nil, &ListError{name, n + 1, err.Error()}
	}
	return out, nil
}

const digestPrefix = "files:"

func isFilesDigest(s string) bool {
	sum, is := strings.CutPrefix(s, digestPrefix)
	b, err := hex.DecodeString(sum)
	return is && err == nil && len(b) == sha256.Size
}

// Digest reads the package and returns a digest of the paths and contents of its files. It does not depend on where the
// package is read from.
func (p *Package) Digest(ctx context.Context, lim Limits) (string, error) {
	all := sha256.New()
	err := p.Walk(ctx, lim, func(path string, data []byte) error {
		fmt.Fprintf(all, "%x %q\n", sha256.Sum256(data), path)
		return nil
	}, nil)
	return digestPrefix + hex.EncodeToString(all.Sum(nil)), err
}

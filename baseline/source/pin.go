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
)

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

package remote

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// maxSources bounds the unpacked index of a component, in bytes: Debian's main has 60 MB.
const maxSources = 512 << 20

// deb finds a source package in the indexes of the archives. It does not check the signature of an index: as with other
// registries, the checksums are only as reliable as the archive.
func (l *locator) deb() (Release, error) {
	var failed error
	for _, s := range l.r.Debian {
		for _, component := range s.Components {
			r, err := l.debIn(s, component)
			if err == nil {
				return r, nil
			}
			if !errors.Is(err, ErrNone) {
				failed = errors.Join(failed, err)
			}
		}
	}
	if failed == nil {
		failed = ErrNone
	}
	return Release{}, failed
}

func (l *locator) debIn(s Suite, component string) (Release, error) {
	index, err := l.debianIndex(join(s.Archive, "dists", s.Name, component, "source", "Sources.gz"))
	if err != nil {
		return Release{}, err
	}
	best := stanza{}
	for _, st := range index[l.u.Name] {
		if (l.u.Version == "" || st["Version"] == l.u.Version) && compare(st["Version"], best["Version"]) > 0 {
			best = st
		}
	}
	if best["Version"] == "" {
		return Release{}, ErrNone
	}
	return l.sourcePackage(s.Archive, best)
}

// debianIndex is an index that is read once.
type debianIndex struct {
	once   sync.Once
	byName map[string][]stanza
	err    error
}

// debianIndex returns the source packages of a component by name.
func (l *locator) debianIndex(addr string) (map[string][]stanza, error) {
	x := l.r.Indexes
	if x == nil {
		return l.readIndex(addr)
	}
	x.mu.Lock()
	if x.debian == nil {
		x.debian = map[string]*debianIndex{}
	}
	i := x.debian[addr]
	if i == nil {
		i = &debianIndex{}
		x.debian[addr] = i
	}
	x.mu.Unlock()
	i.once.Do(func() { i.byName, i.err = l.readIndex(addr) })
	return i.byName, i.err
}

func (l *locator) readIndex(addr string) (map[string][]stanza, error) {
	data, err := l.get(l.ctx, addr, "")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read its index: %w", err)
	}
	byName := map[string][]stanza{}
	err = stanzas(io.LimitReader(z, maxSources), func(st stanza) {
		small := stanza{}
		for _, k := range []string{"Version", "Directory", "Checksums-Sha256"} {
			small[k] = strings.Clone(st[k])
		}
		name := strings.Clone(st["Package"])
		byName[name] = append(byName[name], small)
	})
	if err != nil {
		return nil, fmt.Errorf("read its index: %w", err)
	}
	return byName, nil
}

// sourcePackage returns the archives of a source package: those of upstream, the main one first, or the only one of a
// native package. Debian's own changes are patches and left out.
func (l *locator) sourcePackage(archive string, st stanza) (Release, error) {
	u := l.u
	u.Version = st["Version"]
	u.Qualifiers, u.Subpath = nil, ""
	r := Release{PURL: u.ToString()}
	for line := range strings.Lines(st["Checksums-Sha256"]) {
		f := strings.Fields(line)
		if len(f) != 3 || strings.Contains(f[2], "/") || !strings.Contains(f[2], ".tar.") || strings.HasSuffix(f[2], ".asc") || strings.Contains(f[2], ".debian.tar.") {
			continue
		}
		r.Archives = append(r.Archives, Archive{URL: join(archive, st["Directory"], f[2]), Integrity: sum("sha256", f[0]), Name: f[2]})
	}
	slices.SortStableFunc(r.Archives, func(a, b Archive) int { return cmp.Compare(further(a.Name), further(b.Name)) })
	return r, nil
}

// further returns 1 for a further archive of upstream. An index lists x_1.orig-part.tar.gz before x_1.orig.tar.gz.
func further(name string) int {
	if strings.Contains(name, ".orig-") {
		return 1
	}
	return 0
}

// stanza is a paragraph of a control file.
type stanza map[string]string

// stanzas reads the paragraphs of a control file.
func stanzas(r io.Reader, use func(stanza)) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	st, key := stanza{}, ""
	for s.Scan() {
		line := s.Text()
		switch {
		case line == "":
			use(st)
			st, key = stanza{}, ""
		case line[0] == ' ' || line[0] == '\t':
			st[key] += "\n" + strings.TrimSpace(line)
		default:
			var value string
			key, value, _ = strings.Cut(line, ":")
			st[key] = strings.TrimSpace(value)
		}
	}
	if len(st) > 0 {
		use(st)
	}
	return s.Err()
}

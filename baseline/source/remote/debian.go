package remote

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// deb finds a source package in the indexes of the archives. It does not check the signature of an index: as with other
// registries, the checksums are only as reliable as the archive.
func (l *locator) deb() (Release, error) {
	var failed []error
	var none error
	all := true // all that failed are not there
	for _, s := range l.r.Debian {
		for _, component := range s.Components {
			r, err := l.debIn(s, component)
			switch {
			case err == nil:
				return r, nil
			case errors.Is(err, ErrNone):
				if none == nil || none == ErrNone {
					none = err
				}
			default:
				failed, all = append(failed, err), all && missing(err)
			}
		}
	}
	switch {
	case len(failed) == 0:
		return Release{}, cmp.Or(none, ErrNone)
	case none != nil && all: // a mirror without a suite for updates is common
		return Release{}, fmt.Errorf("%w in the indexes that could be read; %d could not be read: %w", none, len(failed), failed[0])
	}
	return Release{}, errors.Join(failed...)
}

// missing reports whether an index is not there. The error of a fetch says so.
func missing(err error) bool {
	is, ok := errors.AsType[interface {
		error
		Missing() bool
	}](err)
	return ok && is.Missing()
}

func (l *locator) debIn(s Suite, component string) (Release, error) {
	index, err := l.debianIndex(join(s.Archive, "dists", s.Name, component, "source", "Sources.gz"))
	if err != nil {
		return Release{}, err
	}
	best, newest := stanza{}, ""
	for _, st := range index[l.u.Name] {
		if compare(st.version, newest) > 0 {
			newest = st.version
		}
		if (l.u.Version == "" || st.version == l.u.Version) && compare(st.version, best.version) > 0 {
			best = st
		}
	}
	switch {
	case best.version != "":
	case newest != "":
		return Release{}, fmt.Errorf("%w (its newest is %q)", ErrNone, newest)
	default:
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
	byName, err := readSources(z)
	if err != nil {
		return nil, fmt.Errorf("read its index: %w", err)
	}
	return byName, nil
}

// sourcePackage returns the archives of a source package: those of upstream, the main one first, or the only one of a
// native package. Debian's folder is apart: it describes the package, and its changes are patches.
func (l *locator) sourcePackage(archive string, st stanza) (Release, error) {
	u := l.u
	u.Version = st.version
	u.Qualifiers, u.Subpath = nil, ""
	r := Release{PURL: u.ToString()}
	var further []Archive // of upstream
	for line := range strings.Lines(st.sums) {
		f := strings.Fields(line)
		if len(f) != 3 || strings.Contains(f[2], "/") {
			continue
		}
		a := Archive{URL: join(archive, st.directory, f[2]), Integrity: Integrity("sha256", f[0]), Name: f[2]}
		switch dir, ok := manifest.DebianPart(a.Name); {
		case !ok:
		case dir == manifest.DebianDir:
			r.About = &a
		case dir == "":
			r.Archives = append(r.Archives, a)
		default: // an index lists x_1.orig-part.tar.gz before x_1.orig.tar.gz
			further = append(further, a)
		}
	}
	r.Archives = append(r.Archives, further...)
	return r, nil
}

// stanza has what is kept of a source package in an index.
type stanza struct{ version, directory, sums string }

// Bounds of an index. Debian's main has 38,000 packages, and 20 MB of its 60 MB are kept.
const (
	maxSources = 512 << 20 // unpacked bytes
	maxStanzas = 1 << 18
	maxKept    = 256 << 20 // bytes
	maxLine    = 1 << 20   // bytes
)

// sources reads an index of source packages.
type sources struct {
	byName     map[string][]stanza
	fields     map[string]*strings.Builder // of the paragraph at hand
	read, kept int
	stanzas    int
}

func readSources(r io.Reader) (map[string][]stanza, error) {
	x := &sources{byName: map[string][]stanza{}, fields: map[string]*strings.Builder{"Package": {}, "Version": {}, "Directory": {}, "Checksums-Sha256": {}}}
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	var field *strings.Builder // nil if the field is not kept
	for s.Scan() {
		line := s.Bytes()
		if x.read += len(line) + 1; x.read > maxSources {
			return nil, bounded.ErrTooMany
		}
		switch {
		case len(line) == 0:
			x.end()
			field = nil
		case line[0] == ' ' || line[0] == '\t':
			if field != nil {
				field.WriteByte('\n')
				field.Write(bytes.TrimSpace(line))
			}
		default:
			key, value, _ := bytes.Cut(line, []byte{':'})
			if field = x.fields[string(key)]; field != nil {
				field.Reset()
				field.Write(bytes.TrimSpace(value))
			}
		}
		if x.stanzas > maxStanzas || field != nil && x.kept+field.Len() > maxKept {
			return nil, bounded.ErrTooMany
		}
	}
	x.end()
	return x.byName, s.Err()
}

// end keeps the paragraph at hand.
func (x *sources) end() {
	name := x.fields["Package"].String()
	if name != "" {
		st := stanza{x.fields["Version"].String(), x.fields["Directory"].String(), x.fields["Checksums-Sha256"].String()}
		x.byName[name] = append(x.byName[name], st)
		x.stanzas++
		x.kept += len(name) + len(st.version) + len(st.directory) + len(st.sums)
	}
	for _, b := range x.fields {
		b.Reset()
	}
}

package store

import (
	"bytes"
	"encoding/json"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// packageList is the list of packages of a file. A scan without findings needs only their number. A scan with findings needs
// only the packages that it names. To decode all of them takes longer than a small scan.
type packageList struct {
	text []byte // JSON of the whole list

	split sync.Once
	each  [][]byte                  // JSON of each package
	known []atomic.Pointer[Package] // packages decoded so far
	err   error

	decoded sync.Once
	all     []Package
	allErr  error
}

// Packages returns the list of packages. It is shared; do not change it.
func (r *Reader) Packages() ([]Package, error) {
	if _, err := r.PackageCount(); err != nil {
		return nil, err
	}
	l := &r.packages
	l.decoded.Do(func() {
		for i := range l.each {
			p, err := r.Package(i)
			if err != nil {
				l.all, l.allErr = nil, err
				return
			}
			l.all = append(l.all, *p)
		}
	})
	return l.all, l.allErr
}

// PackageCount returns the number of packages.
func (r *Reader) PackageCount() (int, error) {
	if _, err := r.loadMeta(); err != nil {
		return 0, err
	}
	l := &r.packages
	l.split.Do(func() {
		var ok bool
		if l.each, ok = elements(l.text); !ok {
			l.err = &CorruptError{r.path, "meta", errTruncated}
		}
		l.known = make([]atomic.Pointer[Package], len(l.each))
	})
	return len(l.each), l.err
}

// Package returns the i-th package; i must be below the count. The result is shared; do not change it.
func (r *Reader) Package(i int) (*Package, error) {
	if _, err := r.PackageCount(); err != nil {
		return nil, err
	}
	l := &r.packages
	if p := l.known[i].Load(); p != nil {
		return p, nil
	}
	p := new(Package)
	if err := json.Unmarshal(l.each[i], p); err != nil {
		return nil, &CorruptError{r.path, "meta", err}
	}
	l.known[i].Store(p)
	return p, nil
}

// PURL returns the package URL of the i-th package, without decoding the rest of the package; i must be below the count.
func (r *Reader) PURL(i int) (string, error) {
	if _, err := r.PackageCount(); err != nil {
		return "", err
	}
	if text, ok := bytes.CutPrefix(r.packages.each[i], []byte(`{"purl":"`)); ok { // as Go writes a Package
		if name, _, ok := bytes.Cut(text, []byte{'"'}); ok && bytes.IndexByte(name, '\\') < 0 && utf8.Valid(name) {
			return string(name), nil
		}
	}
	p, err := r.Package(i)
	if err != nil {
		return "", err
	}
	return p.PURL, nil
}

// elements splits the JSON of a list of objects; more text may follow the list. ok is false if b is not a list or has no end.
func elements(b []byte) (list [][]byte, ok bool) {
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("null")) {
		return nil, true
	}
	depth, from := 0, 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			if depth++; depth == 2 {
				from = i
			}
		case ']', '}':
			if depth--; depth == 1 {
				list = append(list, b[from:i+1])
			}
			if depth <= 0 {
				return list, depth == 0
			}
		}
	}
	return nil, false
}

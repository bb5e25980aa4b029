package files

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/module"
)

// Form says how the names in an archive become paths of a package.
type Form struct {
	Strip  bool   // remove the folder that contains all entries, if there is one
	Prefix string // remove this prefix; entries without it are refused
	Gem    bool   // the files are in the entry data.tar.gz
}

// GoZip is the form of the zips of module proxies.
func GoZip(m module.Version) Form { return Form{Prefix: m.Path + "@" + m.Version + "/"} }

// item is an entry of an archive, except directories.
type item struct {
	path           string
	unsafe         bool   // path is for display only
	reason, detail string // why it is not read; reason is "" if it is read
	size           int64
	off            int64     // position of its bytes in the temporary file
	zip            *zip.File // set for a zip
	from           *cappedReader
	data           []byte // metadata, when a tar is inspected
	phar           *pharEntry
}

// Kind returns the kind of an archive by its first bytes: "zip", "tar", "gzip", "xz", "zstd", "bzip2", "phar" or "".
func Kind(f io.ReaderAt) (string, error) {
	head := make([]byte, 512)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "zip", nil
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return "gzip", nil
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return "xz", nil
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "zstd", nil
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) >= 10 && bytes.Equal(head[4:10], []byte("\x31\x41\x59\x26\x53\x59")):
		return "bzip2", nil
	case len(head) == 512 && bytes.HasPrefix(head[257:], []byte("ustar")):
		return "tar", nil
	case (bytes.HasPrefix(head, []byte("<?php")) || bytes.HasPrefix(head, []byte("#!"))) && pharStart(f, maxInt) > 0:
		return "phar", nil
	}
	return "", nil
}

// WalkArchiveFile visits the archive in a file.
func WalkArchiveFile(ctx context.Context, name, from string, fm Form, v *Visit) error {
	f, err := OpenRegular(name)
	if err != nil {
		return fmt.Errorf("read archive: %w", err)
	}
	defer f.Close()
	a, err := NewBlob(f)
	if err != nil {
		return err
	}
	return WalkArchive(ctx, a, from, fm, v)
}

// Blob is an archive to be read.
type Blob struct {
	io.ReaderAt
	Size int64
}

// NewBlob returns the archive in a file.
func NewBlob(f *os.File) (Blob, error) {
	info, err := f.Stat()
	if err != nil {
		return Blob{}, fmt.Errorf("read archive: %w", err)
	}
	return Blob{f, info.Size()}, nil
}

// WalkArchive visits the files of an archive in the order of their paths, whatever the archive's order. It first
// unpacks all of them into a temporary file, so that a damaged archive yields no file.
func WalkArchive(ctx context.Context, a Blob, from string, fm Form, v *Visit) error {
	b, k, err := newBudget(ctx, a, from, v.Limits)
	if err != nil {
		return err
	}
	if v.Check {
		return nil
	}
	if v.parts != nil {
		b.before = *v.parts
	}
	return WithTemp(func(tmp *os.File) error {
		spool := bufio.NewWriterSize(tmp, 1<<16)
		var items []item
		if list, read := randomAccess(a, k, b); list != nil {
			if items, err = list(); err == nil {
				items = arrange(items, fm)
				err = spoolItems(items, b, v, spool, read)
			}
		} else {
			scan := &tarScan{b: b, spool: spool}
			if items, err = tarItems(a, k, fm, b, scan); err == nil {
				items = arrange(items, fm)
				v.dated(scan.made)
			}
		}
		if err != nil {
			return err
		}
		if v.parts != nil {
			*v.parts += b.unpacked
		}
		return deliver(items, b, v, tmp)
	})
}

// randomAccess returns functions that list and read the entries of an archive. They are nil for an archive that must be
// read sequentially.
func randomAccess(a Blob, kind string, b *budget) (list func() ([]item, error), read func(item) ([]byte, error)) {
	switch kind {
	case "zip":
		return func() ([]item, error) { return zipItems(a, b) }, func(it item) ([]byte, error) { return readZip(it, b) }
	case "phar":
		return func() ([]item, error) { return pharItems(a, b) }, func(it item) ([]byte, error) { return readPhar(a, it, b) }
	}
	return nil, nil
}

// deliver passes the items, which are in a temporary file, to the visit.
func deliver(items []item, b *budget, v *Visit, tmp *os.File) error {
	for _, it := range items {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if it.reason != "" {
			v.Skipped(it.path, it.reason, it.detail)
			continue
		}
		if !v.wants(it.path) {
			continue
		}
		data := make([]byte, it.size)
		if _, err := tmp.ReadAt(data, it.off); err != nil && it.size > 0 {
			return fmt.Errorf("read temporary file: %w", err)
		}
		if err := v.File(it.path, data); err != nil {
			return err
		}
	}
	return nil
}

// wants reports whether a file is to be read.
func (v *Visit) wants(path string) bool { return v.Wanted == nil || v.Wanted(path) }

// maxPath is the longest accepted path of an archive, in bytes, as on most systems.
const maxPath = 4096

// newItem makes an item from an entry's name. It refuses names that are absolute, lead outside, or have another meaning
// on another system or terminal.
func newItem(name string, size int64) item {
	clean := path.Clean(name)
	switch {
	case name == "" || len(name) > maxPath || !utf8.ValidString(name),
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }),
		name[0] == '/' || len(name) >= 2 && name[1] == ':',
		clean == "." || slices.Contains(strings.Split(name, "/"), ".."):
		return item{path: showName(name), unsafe: true, reason: ReasonUnsafePath, size: size}
	}
	return item{path: clean, size: size}
}

// showName makes a name safe to print.
func showName(name string) string {
	name = strings.ToValidUTF8(name[:min(len(name), 256)], "?")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, name)
}

// checkSize skips an item that is larger than a file may be.
func (it *item) checkSize(limit int64) {
	if it.reason == "" && it.size > limit {
		it.reason, it.detail = ReasonTooLarge, SizeDetail(it.size, limit)
	}
}

// arrange turns the entries of an archive into the files of a package, sorted, with paths relative to its root. Of
// entries with the same path it keeps the last, as unpacking would. Each directory of foreign code becomes one item.
func arrange(items []item, fm Form) []item {
	stripPrefix(items, fm)
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.path, b.path) })
	out := items[:0]
	for i, it := range items {
		if i+1 < len(items) && it.reason == "" && items[i+1].path == it.path && !items[i+1].unsafe {
			it.reason = ReasonDuplicate
		}
		if dir, reason := Foreign(it.path); reason != "" && !it.unsafe {
			if n := len(out); n > 0 && out[n-1].path == dir {
				continue
			}
			it = item{path: dir, reason: reason}
		}
		out = append(out, it)
	}
	return out
}

// Foreign returns the outermost directory of a path that is not the package's own, with a final slash, and the reason.
func Foreign(p string) (dir, reason string) {
	for start := 0; ; {
		n := strings.IndexByte(p[start:], '/')
		if n < 0 {
			return "", ""
		}
		if r := SkippedDir(p[start : start+n]); r != "" {
			return p[:start+n+1], r
		}
		start += n + 1
	}
}

func stripPrefix(items []item, fm Form) {
	prefix := fm.Prefix
	if prefix == "" && fm.Strip {
		prefix = commonTop(items)
	}
	if prefix == "" {
		return
	}
	for i := range items {
		it := &items[i]
		rest, ok := strings.CutPrefix(it.path, prefix)
		switch {
		case it.unsafe:
		case ok:
			it.path = rest
		default:
			*it = item{path: showName(it.path), unsafe: true, reason: ReasonUnsafePath, detail: "outside " + prefix}
		}
	}
}

// commonTop returns the folder that contains all items, with a slash, or "".
func commonTop(items []item) string {
	top := ""
	for _, it := range items {
		if it.unsafe {
			continue
		}
		i := strings.IndexByte(it.path, '/')
		switch {
		case i < 0:
			return ""
		case top == "":
			top = it.path[:i+1]
		case !strings.HasPrefix(it.path, top):
			return ""
		}
	}
	return top
}

// IsArchive reports, by its first bytes, whether a file is an archive that Open reads.
func IsArchive(name string) (bool, error) {
	f, err := OpenRegular(name)
	if err != nil {
		return false, fmt.Errorf("read file: %w", err)
	}
	defer f.Close()
	k, err := Kind(f)
	if err != nil {
		return false, fmt.Errorf("read file %q: %w", name, err)
	}
	return k != "", nil
}

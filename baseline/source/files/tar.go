package files

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// tarScan reads a tar once, from start to end. It writes it to a temporary file or, when inspecting, keeps only
// metadata.
type tarScan struct {
	b     *budget
	spool *bufio.Writer          // nil when inspecting
	off   int64                  // bytes written to spool
	keep  func(path string) bool // metadata to keep when inspecting
	items []item
	made  time.Time // the latest date of a file
}

// tarItems scans a tar. In a gem, the tar with the files is inside another tar.
func tarItems(a Blob, kind string, fm Form, b *budget, s *tarScan) ([]item, error) {
	r, err := tarStream(io.NewSectionReader(a, 0, a.Size), kind, b)
	scan := s.scan
	if fm.Gem {
		scan = s.scanGem
	}
	if err == nil {
		err = scanWhole(r, kind, scan)
	}
	if err == nil && s.spool != nil {
		err = s.spool.Flush()
	}
	if err != nil {
		return nil, b.broken("", err)
	}
	return s.items, nil
}

func tarStream(r io.Reader, kind string, b *budget) (io.Reader, error) {
	u, err := unpacked(bufio.NewReaderSize(r, 1<<16), kind)
	if err != nil {
		return nil, err
	}
	return metered{u, b}, nil
}

// gunzip reads the members of a gzip file one after another and checks the checksum and length of each. Zeros may
// follow, since tapes and some servers pad with them.
type gunzip struct {
	in *bufio.Reader
	z  *gzip.Reader
}

func newGunzip(in *bufio.Reader) (*gunzip, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gunzip{in, z}, nil
}

func (g *gunzip) Read(p []byte) (int, error) {
	for {
		n, err := g.z.Read(p)
		if n > 0 && err == io.EOF {
			err = nil // the next Read returns it again
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		if err := g.next(); err != nil {
			return 0, err
		}
	}
}

// next moves to the next member.
func (g *gunzip) next() error {
	for {
		c, err := g.in.ReadByte()
		if err != nil {
			return err
		}
		if c != 0 {
			break
		}
	}
	if err := g.in.UnreadByte(); err != nil {
		return err
	}
	if err := g.z.Reset(g.in); err != nil {
		return fmt.Errorf("behind its end: %w", err)
	}
	g.z.Multistream(false)
	return nil
}

// next advances to the next entry of a tar and counts it.
func (b *budget) next(t *tar.Reader) (*tar.Header, error) {
	h, err := t.Next()
	if err == nil {
		err = b.entry()
	}
	return h, err
}

// gemEntry advances to the first entry of a gem with a name.
func gemEntry(r io.Reader, name string, b *budget) (io.Reader, error) {
	t := tar.NewReader(r)
	for {
		h, err := b.next(t)
		if err == io.EOF {
			return nil, errors.New("no entry " + name)
		}
		if err != nil {
			return nil, err
		}
		if h.Name == name && h.Typeflag == tar.TypeReg {
			return t, nil
		}
	}
}

// Entries of a gem.
const (
	gemFiles = "data.tar.gz"
	gemMeta  = "metadata.gz"
)

// scanGem scans the files of a gem. RubyGems refuses a gem with two entries of one name. Here the first is read, and the others are
// listed.
func (s *tarScan) scanGem(t *tar.Reader) error {
	seen := map[string]bool{}
	for {
		h, err := s.b.next(t)
		if err == io.EOF && !seen[gemFiles] {
			return errors.New("no entry " + gemFiles)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case h.Typeflag != tar.TypeReg || h.Name != gemFiles && h.Name != gemMeta:
			continue
		case seen[h.Name]:
			s.items = append(s.items, item{path: h.Name, unsafe: true, reason: ReasonDuplicate, detail: "the first entry of this name in the gem is read"})
		case h.Name == gemFiles:
			r, err := tarStream(t, "gzip", s.b)
			if err == nil {
				err = scanWhole(r, "gzip", s.scan)
			}
			if err != nil {
				return s.b.broken(gemFiles, err)
			}
		}
		seen[h.Name] = true
	}
}

// endMark is the least number of zero bytes at the end of a tar.
const endMark = 2 * 512

// tail counts the zeros at the end of the bytes read.
type tail struct {
	r     io.Reader
	zeros int
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	rest := bytes.TrimRight(p[:n], "\x00")
	if len(rest) > 0 {
		t.zeros = 0
	}
	t.zeros += n - len(rest)
	return n, err
}

// scanWhole scans a tar and checks that its end is not missing. A compressed file is read to its end, which checks the
// checksum; a plain tar must have its end mark.
func scanWhole(r io.Reader, kind string, scan func(*tar.Reader) error) error {
	t := &tail{r: r}
	if err := scan(tar.NewReader(t)); err != nil {
		return err
	}
	if kind == "tar" && t.zeros < endMark {
		return io.ErrUnexpectedEOF
	}
	_, err := io.Copy(io.Discard, r)
	return err
}

func (s *tarScan) scan(t *tar.Reader) error {
	for {
		h, err := s.b.next(t)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader || strings.HasSuffix(h.Name, "/") {
			continue
		}
		if err := s.b.named(h.Name); err != nil {
			return err
		}
		if err := s.add(h, t); err != nil {
			return s.b.broken(showName(h.Name), err)
		}
	}
}

func (s *tarScan) add(h *tar.Header, r io.Reader) error {
	it := newItem(h.Name, h.Size)
	switch {
	case it.reason != "":
	case h.Typeflag == tar.TypeSymlink, h.Typeflag == tar.TypeLink:
		it.reason, it.size = ReasonSymlink, 0
	case h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse:
		it.reason = ReasonSpecial
	}
	it.checkSize(s.b.lim.FileBytes)
	var err error
	switch {
	case it.reason != "":
	case s.spool != nil:
		it.off = s.off
		s.off += it.size
		// A sparse file can be larger than the bytes read from the archive.
		if err = s.b.total(s.off); err == nil {
			_, err = io.CopyN(s.spool, r, it.size)
		}
	case s.keep(it.path) && it.size <= maxMetadata:
		if err = s.b.keep(it.size); err != nil {
			return err
		}
		it.data, err = ReadBounded(r, it.size, maxMetadata)
	}
	if it.reason == "" && h.ModTime.After(s.made) {
		s.made = h.ModTime
	}
	s.items = append(s.items, it)
	return err
}

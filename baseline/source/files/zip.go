package files

import (
	"archive/zip"
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/encoding/charmap"
)

// directoryBytes bounds the bytes of a zip's directory per allowed entry. A record has 46 bytes, the name, and rarely more
// than 100 further bytes.
const directoryBytes = 192

// cappedReader fails after a number of bytes. That bounds the memory that the zip package allocates for a directory with too
// many entries.
type cappedReader struct {
	f    io.ReaderAt
	left int64 // negative: no limit
	err  error

	names  bool  // record header; entries must then be opened one at a time
	header int64 // offset of the last read that has the length of an entry's header
}

// localHeader is the size of the header before an entry's name, in bytes.
const localHeader = 30

func (c *cappedReader) ReadAt(p []byte, off int64) (int, error) {
	if c.left >= 0 {
		if c.left -= int64(len(p)); c.left < 0 {
			c.left = 0
			return 0, c.err
		}
	}
	if c.names && len(p) == localHeader {
		c.header = off
	}
	return c.f.ReadAt(p, off)
}

// zipItems lists the files of a zip.
func zipItems(a Blob, b *budget) ([]item, error) {
	c := &cappedReader{f: a, left: 1<<20 + directoryBytes*int64(b.lim.Entries), err: b.refuse("entries", int64(b.lim.Entries))}
	z, err := zip.NewReader(c, b.packed)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, b.broken("", err)
	}
	c.left, c.names = -1, true
	items := make([]item, 0, min(len(z.File), b.lim.Entries))
	for _, zf := range z.File {
		if err := b.entry(); err != nil {
			return nil, err
		}
		if strings.HasSuffix(nameIn(zf), "/") {
			if zf.UncompressedSize64 > 0 {
				return nil, b.broken(showName(zf.Name), errors.New("a directory with content"))
			}
			continue
		}
		it := zipItem(zf, b.lim)
		it.from = c
		items = append(items, it)
	}
	return items, nil
}

// The systems on which an entry was made: their file names have no backslash, and old tools separate directories by it.
const (
	madeOnFAT  = 0
	madeOnNTFS = 10
	madeOnVFAT = 14
)

// nameIn returns the name of an entry in UTF-8, with slashes. A name that is not valid UTF-8, and is not marked as UTF-8, is read
// in code page 437, as the format prescribes. If the packing system had another code page, some letters are wrong, but no file is
// lost.
func nameIn(zf *zip.File) string {
	const saysUTF8 = 1 << 11
	name := zf.Name
	if !utf8.ValidString(name) && zf.Flags&saysUTF8 == 0 {
		if read, err := charmap.CodePage437.NewDecoder().String(name); err == nil {
			name = read
		}
	}
	switch zf.CreatorVersion >> 8 {
	case madeOnFAT, madeOnNTFS, madeOnVFAT:
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return name
}

func zipItem(zf *zip.File, lim Limits) item {
	it := newItem(nameIn(zf), int64(min(zf.UncompressedSize64, 1<<62)))
	it.zip = zf
	const encrypted = 1
	switch mode := zf.Mode(); {
	case it.reason != "":
	case mode&fs.ModeSymlink != 0:
		it.reason = ReasonSymlink
	case !mode.IsRegular():
		it.reason = ReasonSpecial
	case zf.Flags&encrypted != 0:
		it.reason, it.detail = ReasonMethod, "encrypted"
	}
	it.checkSize(lim.FileBytes)
	return it
}

// spoolItems unpacks arranged items into a temporary file.
func spoolItems(items []item, b *budget, v *Visit, spool *bufio.Writer, read func(item) ([]byte, error)) error {
	off := int64(0)
	for i := range items {
		it := &items[i]
		if it.reason != "" || !v.wants(it.path) {
			continue
		}
		if err := b.ctx.Err(); err != nil {
			return err
		}
		data, err := read(*it)
		if errors.Is(err, zip.ErrAlgorithm) {
			it.reason = ReasonMethod
			continue
		}
		if err != nil {
			return b.broken(it.path, err)
		}
		if _, err := spool.Write(data); err != nil {
			return fmt.Errorf("write temporary file: %w", err)
		}
		it.off, it.size = off, int64(len(data))
		off += it.size
	}
	if err := spool.Flush(); err != nil {
		return fmt.Errorf("write temporary file: %w", err)
	}
	return nil
}

// firstRead bounds the bytes allocated before a zip's directory is confirmed.
const firstRead = 1 << 20

var errLonger = errors.New("longer than the directory says")

func readZip(it item, b *budget) ([]byte, error) {
	if err := sameName(it.zip, it.from); err != nil {
		return nil, err
	}
	r, err := it.zip.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := ReadBounded(metered{r, b}, min(it.size, firstRead), it.size)
	if errors.Is(err, ErrTooLarge) {
		return nil, errLonger
	}
	if err == nil && it.zip.CRC32 == 0 && crc32.ChecksumIEEE(data) != 0 { // the zip package takes a zero checksum for none
		return nil, zip.ErrChecksum
	}
	return data, err
}

var errName = errors.New("the directory gives it another name than its own header")

// sameName compares the two names of an entry. The directory has no checksum, so a damaged name would put sound content
// under a wrong path.
func sameName(zf *zip.File, from *cappedReader) error {
	if _, err := zf.DataOffset(); err != nil { // reads the entry's own header; from records its offset
		return err
	}
	own := make([]byte, localHeader+len(zf.Name))
	if _, err := from.ReadAt(own, from.header); err != nil {
		return err
	}
	if int(binary.LittleEndian.Uint16(own[26:])) != len(zf.Name) || string(own[localHeader:]) != zf.Name {
		return errName
	}
	return nil
}

// HashZip returns the h1 checksum that the Go command computes for the zip of a module. It hashes several files in parallel,
// since a tool chain has 230 MB of them.
func HashZip(ctx context.Context, a Blob, from string, lim Limits) (string, error) {
	b, _, err := newBudget(ctx, a, from, lim.WithDefaults())
	if err != nil {
		return "", err
	}
	c := &cappedReader{f: a, left: 1<<20 + directoryBytes*int64(b.lim.Entries), err: b.refuse("entries", int64(b.lim.Entries))}
	z, err := zip.NewReader(c, a.Size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return "", b.broken("", err)
	}
	c.left = -1
	files := make(map[string]*zip.File, len(z.File))
	var names []string
	for _, f := range z.File {
		if err := b.entry(); err != nil {
			return "", err
		}
		if strings.Contains(f.Name, "\n") {
			return "", b.broken(showName(f.Name), errors.New("a line end in its name"))
		}
		files[f.Name] = f
		names = append(names, f.Name)
	}
	slices.Sort(names)
	sums := make([][sha256.Size]byte, len(names))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		g.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				sums[i], err = hashEntry(files[name], b)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return "", b.broken("", err)
	}
	all := sha256.New()
	for i, name := range names {
		fmt.Fprintf(all, "%x  %s\n", sums[i], name)
	}
	return "h1:" + base64.StdEncoding.EncodeToString(all.Sum(nil)), nil
}

// hashEntry returns the checksum of a file in a zip.
func hashEntry(f *zip.File, b *budget) (sum [sha256.Size]byte, err error) {
	r, err := f.Open()
	if err != nil {
		return sum, err
	}
	defer r.Close()
	h := sha256.New()
	if _, err = io.Copy(h, metered{r, b}); err == nil {
		h.Sum(sum[:0])
	}
	return sum, err
}

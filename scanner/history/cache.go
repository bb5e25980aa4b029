package history

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/examine"
)

// diskCache stores the outcomes of a history's contents. A later run over the same history does not examine them again, and an
// interrupted run continues. The cache is a directory below Options.Cache for each baseline and each set of parameters. It
// contains files of records. A file is written as a whole and then renamed. Damaged records are ignored.
//
//	file    magic, then records
//	record  uint32 length of the body, uint32 CRC-32C of key and body, 16 bytes key, body
//	body    uint32 length of the brief part, the brief part, the deflated findings
//
// All numbers are little-endian.
type diskCache struct {
	dir     string
	files   []*disk.File
	known   map[cacheKey]cachePlace
	pending bytes.Buffer
	since   time.Time // when the oldest pending record was added
	size    int64     // of the files
}

// CacheMagic changes with the format, and with every change of outcomes that no parameter names. The shares that dating keeps depend on it too.
const CacheMagic = "gphist67"

const (
	// maxCache limits all directories together, in bytes. The one used last is kept.
	maxCache = 256 << 20
	// A record is the findings of a file with the lines of both sides: far less than this.
	maxRecord = 32 << 20
	// An interrupted run loses at most this.
	pendingBytes = 1 << 20
	pendingTime  = 10 * time.Second
	// More files than this are merged.
	maxCacheFiles = 8
)

type cacheKey [16]byte

type cachePlace struct {
	file *disk.File
	at   int64
	size int
	sum  uint32
}

// cacheKey returns the key of a content that is examined as a whole.
func (k blobKey) cacheKey() cacheKey { return k.after(cacheKey{}) }

// after returns the key of a content that is compared with the content whose key is base. The name is last, since its length
// varies.
func (k blobKey) after(base cacheKey) cacheKey {
	sum := sha256.Sum256(slices.Concat(k.blob[:], base[:], []byte(k.name)))
	return cacheKey(sum[:16])
}

// openCache opens the cache for the examiner's parameters. Errors are ignored: they only cost the time to examine again.
func openCache(e *examine.Examiner, o Options) *diskCache {
	if o.Cache == "" {
		return nil
	}
	m := &diskCache{dir: filepath.Join(o.Cache, cacheName(e, o)), known: map[cacheKey]cachePlace{}}
	for _, name := range m.named(recordFile) {
		m.read(name)
	}
	return m
}

func recordFile(name string) bool { return strings.HasSuffix(name, ".rec") }

// named lists the files whose names fit, sorted; none if the directory cannot be read.
func (m *diskCache) named(fits func(name string) bool) []string {
	entries, err := disk.List(m.dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if fits(e.Name()) {
			names = append(names, filepath.Join(m.dir, e.Name()))
		}
	}
	return names
}

// cacheName returns a hash of everything besides the content that decides an outcome.
func cacheName(e *examine.Examiner, o Options) string {
	eo := e.Options()
	base := eo.BaseCode
	eo.Exclude, eo.Vendored, eo.BaseCode, eo.Weighed = nil, false, nil, nil
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n%+v %q\n%s\n", CacheMagic, e.Baselines()[0].Scheme(), eo, o.Key, e.Baseline().Digest)
	for _, p := range e.Project().Self.Describe() {
		fmt.Fprintf(h, "self %s\n", p)
	}
	binary.Write(h, binary.LittleEndian, []uint64(base))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// read indexes a file up to the first record that is not valid.
func (m *diskCache) read(name string) {
	f, err := disk.Open(name)
	if err != nil {
		return
	}
	r := bufio.NewReaderSize(f, 1<<20)
	magic := make([]byte, len(CacheMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != CacheMagic {
		f.Close()
		return
	}
	m.files = append(m.files, f)
	at := int64(len(magic))
	var head [24]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			break
		}
		n := int(binary.LittleEndian.Uint32(head[:]))
		at += int64(len(head))
		if n > maxRecord {
			break
		}
		if _, err := r.Discard(n); err != nil {
			break
		}
		m.known[cacheKey(head[8:])] = cachePlace{f, at, n, binary.LittleEndian.Uint32(head[4:])}
		at += int64(n)
	}
	m.size += at
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func recordSum(k cacheKey, body []byte) uint32 {
	return crc32.Update(crc32.Checksum(k[:], castagnoli), castagnoli, body)
}

// flush writes the pending records as one more file.
func (m *diskCache) flush() error {
	if m == nil || m.pending.Len() == 0 {
		return nil
	}
	err := m.write(recordsName(m.pending.Bytes()), m.pending.Bytes())
	m.size += int64(m.pending.Len())
	m.pending.Reset()
	return err
}

// write makes a file, complete or not at all. After a power failure the checksums reveal damage.
func (m *diskCache) write(name string, b []byte) error {
	if err := disk.MakeDirs(m.dir, 0o700); err != nil {
		return fmt.Errorf("remember history: %w", err)
	}
	if err := disk.WriteCache(filepath.Join(m.dir, name), "new-*", b); err != nil {
		return fmt.Errorf("remember history: %w", err)
	}
	return nil
}

// recordsName returns a name for a file of records that sorts after the existing ones.
func recordsName(b []byte) string {
	return fmt.Sprintf("%020d-%08x.rec", time.Now().UnixNano(), crc32.Checksum(b, castagnoli))
}

// close writes the pending records. Unless the context is cancelled, it also merges many files and removes old directories.
func (m *diskCache) close(ctx context.Context) error {
	if m == nil {
		return nil
	}
	err := m.flush()
	for _, f := range m.files {
		f.Close()
	}
	m.files = nil
	if ctx.Err() == nil {
		m.merge()
		m.prune()
	}
	return err
}

// merge merges the files if there are many. If that fails, the files stay.
func (m *diskCache) merge() {
	names := m.named(recordFile)
	if len(names) <= maxCacheFiles {
		return
	}
	all := &diskCache{dir: m.dir, known: map[cacheKey]cachePlace{}}
	for _, name := range names {
		all.read(name)
	}
	defer func() {
		for _, f := range all.files {
			f.Close()
		}
	}()
	keys := make([]cacheKey, 0, len(all.known))
	for k := range all.known {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b cacheKey) int { return bytes.Compare(a[:], b[:]) })
	out := bytes.NewBufferString(CacheMagic)
	for _, k := range keys {
		p := all.known[k]
		body := make([]byte, p.size)
		if _, err := p.file.ReadAt(body, p.at); err != nil || recordSum(k, body) != p.sum {
			continue
		}
		head := binary.LittleEndian.AppendUint32(nil, uint32(p.size))
		out.Write(binary.LittleEndian.AppendUint32(head, p.sum))
		out.Write(k[:])
		out.Write(body)
	}
	if m.write(recordsName(out.Bytes()), out.Bytes()) != nil {
		return
	}
	for _, name := range names {
		disk.Remove(name)
	}
}

// prune removes the directories used longest ago until the rest has at most maxCache bytes.
func (m *diskCache) prune() {
	now := time.Now()
	os.Chtimes(m.dir, now, now) // fails if nothing was stored
	root := filepath.Dir(m.dir)
	entries, err := disk.List(root)
	if err != nil {
		return
	}
	type room struct {
		dir  string
		used time.Time
		size int64
	}
	var rooms []room
	total := int64(0)
	for _, e := range entries {
		st, err := e.Info()
		if err != nil || !e.IsDir() {
			continue
		}
		r := room{filepath.Join(root, e.Name()), st.ModTime(), disk.DirSize(filepath.Join(root, e.Name()))}
		total += r.size
		rooms = append(rooms, r)
	}
	slices.SortFunc(rooms, func(a, b room) int { return a.used.Compare(b.used) })
	for _, r := range rooms {
		if total <= maxCache || r.dir == m.dir {
			break
		}
		if disk.RemoveAll(r.dir) == nil {
			total -= r.size
		}
	}
}

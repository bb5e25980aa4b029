package history

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
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
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
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

// cacheMagic changes with the format, and with every change of outcomes that no parameter names.
const cacheMagic = "gphist15"

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
func reportFile(name string) bool { return strings.HasPrefix(name, "report-") }

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
	fmt.Fprintf(h, "%s %s\n%+v %q\n%s\n", cacheMagic, e.Bases()[0].Scheme(), eo, o.Key, e.Baseline().Digest)
	for _, p := range e.Target().Self.Describe() {
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
	magic := make([]byte, len(cacheMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != cacheMagic {
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

// brief is the part of an outcome that every run needs.
type brief struct {
	Files     int             `json:"f"`
	Bytes     int64           `json:"b"`
	Tokens    int64           `json:"t"`
	Language  string          `json:"l,omitempty"`
	Longest   int64           `json:"m,omitempty"`
	Aligned   bool            `json:"a,omitempty"`
	Entries   []finding.Entry `json:"e,omitempty"`
	Snapshots []snapshot      `json:"s,omitempty"`
	Said      uint64          `json:"n,omitempty"`
}

// stored is a finding with the fields that its JSON omits.
type stored struct {
	finding.Finding
	Inline *storedInline `json:",omitempty"`
}

// recall returns a stored outcome, or nil.
func (m *diskCache) recall(k cacheKey) *outcome {
	if m == nil {
		return nil
	}
	p, ok := m.known[k]
	if !ok {
		return nil
	}
	body := make([]byte, p.size)
	if _, err := p.file.ReadAt(body, p.at); err != nil || recordSum(k, body) != p.sum || len(body) < 4 {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(body))
	if n > len(body)-4 {
		return nil
	}
	var b brief
	if json.Unmarshal(body[4:4+n], &b) != nil || !b.sound() {
		return nil
	}
	o := &outcome{files: b.Files, bytes: b.Bytes, tokens: b.Tokens, language: b.Language, longest: b.Longest, aligned: b.Aligned, entries: b.Entries, snapshots: b.Snapshots, said: b.Said}
	if rest := body[4+n:]; len(rest) > 0 {
		o.packed = rest
	}
	return o
}

// sound reports whether a brief has the values that every written one has.
func (b *brief) sound() bool {
	for i := range b.Snapshots {
		if s := &b.Snapshots[i]; len(s.Content) == 0 || s.At < 0 {
			return false
		}
	}
	return true
}

// unpack returns the findings of a stored outcome, or nil if they were not stored.
func (o *outcome) unpack() []finding.Finding {
	var ks []stored
	err := json.NewDecoder(io.LimitReader(flate.NewReader(bytes.NewReader(o.packed)), 8*maxRecord)).Decode(&ks)
	if err != nil {
		return nil
	}
	return unshelve(ks)
}

func shelve(fs []finding.Finding) []stored {
	out := make([]stored, len(fs))
	for i, f := range fs {
		out[i] = stored{f, shelveInline(f.Inline)}
	}
	return out
}

func unshelve(ss []stored) []finding.Finding {
	out := make([]finding.Finding, len(ss))
	for i, s := range ss {
		out[i] = s.Finding
		out[i].Inline = s.Inline.unshelve()
	}
	return out
}

// keep adds an outcome, with its findings only if they are needed for a report.
func (m *diskCache) keep(o *outcome) error {
	if m == nil || m.size+int64(m.pending.Len()) > maxCache/2 {
		return nil
	}
	b, err := json.Marshal(brief{o.files, o.bytes, o.tokens, o.language, o.longest, o.aligned, o.entries, o.snapshots, o.said})
	if err != nil {
		return fmt.Errorf("remember %x: %w", o.stored, err)
	}
	body := append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
	if o.began {
		if body, err = pack(body, shelve(o.findings)); err != nil {
			return fmt.Errorf("remember %x: %w", o.stored, err)
		}
	}
	if len(body) > maxRecord {
		return nil
	}
	if m.pending.Len() == 0 {
		m.since = time.Now()
		m.pending.WriteString(cacheMagic)
	}
	key := o.stored
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	head = binary.LittleEndian.AppendUint32(head, recordSum(key, body))
	m.pending.Write(head)
	m.pending.Write(key[:])
	m.pending.Write(body)
	if m.pending.Len() > pendingBytes || time.Since(m.since) > pendingTime {
		return m.flush()
	}
	return nil
}

// pack appends the deflated JSON of a value.
func pack(body []byte, v any) ([]byte, error) {
	out := bytes.NewBuffer(body)
	z, err := flate.NewWriter(out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	err = errors.Join(json.NewEncoder(z).Encode(v), z.Close())
	return out.Bytes(), err
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

// write makes a file, complete or not at all. It does not sync: after a power failure the checksums reveal damage.
func (m *diskCache) write(name string, b []byte) error {
	if err := disk.MakeDirs(m.dir, 0o700); err != nil {
		return fmt.Errorf("remember history: %w", err)
	}
	f, err := disk.CreateTemp(m.dir, "new-*")
	if err != nil {
		return fmt.Errorf("remember history: %w", err)
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = disk.Rename(f.Name(), filepath.Join(m.dir, name))
	}
	if err != nil {
		disk.Remove(f.Name())
		return fmt.Errorf("remember history: %w", err)
	}
	return nil
}

// recordsName returns a name for a file of records that sorts behind the existing ones.
func recordsName(b []byte) string {
	return fmt.Sprintf("%020d-%08x.rec", time.Now().UnixNano(), crc32.Checksum(b, castagnoli))
}

// reportName returns the file name of the report of a selection. The name is the same as long as nothing that decides the report
// has changed.
func (h *scan) reportName(ctx context.Context) (string, error) {
	heads, bases, err := h.repo.Ends(ctx, h.sel)
	if err != nil {
		return "", err
	}
	main, _, err := h.repo.Ends(ctx, git.Selection{}) // the tip of HEAD is reported separately, and its notices hold for all
	if _, unborn := errors.AsType[*git.RevisionError](err); err != nil && !unborn {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n%s\n%s\n%d %q\n", heads, bases, main, h.repo.Boundary(), h.sel.Since.Unix(), h.sel.Paths)
	fmt.Fprintf(sum, "%q %v\n", h.e.Options().Exclude, h.e.Options().Vendored)
	return "report-" + hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// wholeReport is a report with the fields that its JSON omits.
type wholeReport struct {
	*finding.Report
	Findings []stored       `json:"findings"`
	Marks    []storedInline `json:"marks"`
}

// recallReport returns a stored report, or nil.
func (m *diskCache) recallReport(name string) *finding.Report {
	if m == nil {
		return nil
	}
	b, err := disk.ReadFile(filepath.Join(m.dir, name))
	if err != nil || len(b) < 4 || binary.LittleEndian.Uint32(b) != crc32.Checksum(b[4:], castagnoli) {
		return nil
	}
	w := wholeReport{Report: &finding.Report{}}
	if json.NewDecoder(flate.NewReader(bytes.NewReader(b[4:]))).Decode(&w) != nil {
		return nil
	}
	w.Report.Findings = unshelve(w.Findings)
	for _, m := range w.Marks {
		w.Report.Inline = append(w.Report.Inline, *m.unshelve())
	}
	return w.Report
}

// keepReport stores a report for the next run over the same history.
func (m *diskCache) keepReport(name string, r *finding.Report) error {
	if m == nil {
		return nil
	}
	w := wholeReport{Report: r, Findings: shelve(r.Findings)}
	for i := range r.Inline {
		w.Marks = append(w.Marks, *shelveInline(&r.Inline[i]))
	}
	body, err := pack(make([]byte, 4), w)
	if err != nil || int64(len(body)) > maxCache/4 {
		return err
	}
	binary.LittleEndian.PutUint32(body, crc32.Checksum(body[4:], castagnoli))
	m.limitReports()
	return m.write(name, body)
}

// maxReports limits the reports stored for one baseline and set of parameters.
const maxReports = 32

// limitReports removes all reports if there is no room for one more.
func (m *diskCache) limitReports() {
	names := m.named(reportFile)
	if len(names) < maxReports {
		return
	}
	for _, name := range names { // all of them: most histories have one report, that of their tip
		disk.Remove(name)
	}
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
	out := bytes.NewBufferString(cacheMagic)
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

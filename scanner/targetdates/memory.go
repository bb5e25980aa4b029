package targetdates

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// memory keeps what dating has read of a repository for the next run: facts of commits, and which contents have which regions. Both follow
// from names of objects, so they stay true when the history grows. A file of each repository is written as a whole. A damaged file, or
// one of another version, is made again. Numbers are little-endian.
//
//	file    magic, SHA-256 of the rest, stamp, four uint32: how many commits, parents, sums and shares follow
//	commit  name, tree, int64 time, uint32 parents, int32 files, uint32 sums or one of noSummary and anyChange
//	then    the parents, the sums, and the shares: a key and a byte each
type memory struct {
	path  string
	stamp [16]byte

	commits map[git.Hash]git.CommitFacts
	mu      sync.Mutex
	shares  map[shareKey]uint8
	learned bool
}

const (
	memoryMagic = "gpseen01" // changes with the format, and with what the facts of a commit say
	headBytes   = len(memoryMagic) + sha256.Size + 16 + 16
	commitBytes = 2*len(git.Hash{}) + 8 + 3*4
	shareBytes  = len(shareKey{}) + 1

	// maxMemory limits a file, in bytes, and maxMemories all files together. moby takes 11 MB.
	maxMemory   = 64 << 20
	maxMemories = 256 << 20
	// If there are more shares, only those that the last run has used are kept.
	maxShares = 1 << 18

	noSummary = 1<<32 - 1
	anyChange = 1<<32 - 2
)

// shareKey identifies a region, as it is searched for in a file, and a content.
type shareKey [16]byte

// The values of shares. used marks those of the current run.
const (
	shareLess uint8 = iota
	shareHalf
	shareMost
	used = 1 << 7
)

// openMemory returns the memory of a repository, or nil if nothing is kept.
func openMemory(rs *Readers, repo *git.Repo) *memory {
	if rs.Memory == "" || repo == nil || !repo.CanRemember() {
		return nil
	}
	name := sha256.Sum256([]byte(repo.CommonDir()))
	stamp := sha256.Sum256([]byte(rs.Stamp))
	m := &memory{path: filepath.Join(rs.Memory, hex.EncodeToString(name[:16])), stamp: [16]byte(stamp[:])}
	m.commits, m.shares = map[git.Hash]git.CommitFacts{}, map[shareKey]uint8{}
	m.read()
	return m
}

// read reads the file, if it is whole.
func (m *memory) read() {
	f, err := disk.Open(m.path)
	if err != nil {
		return
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil || size < int64(headBytes) || size > maxMemory {
		return
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(f, b); err == nil {
		m.decode(b)
	}
}

func (m *memory) decode(b []byte) {
	head, rest := b[:len(memoryMagic)+sha256.Size], b[len(memoryMagic)+sha256.Size:]
	if sum := sha256.Sum256(rest); !bytes.Equal(head, append([]byte(memoryMagic), sum[:]...)) {
		return
	}
	stamp, rest := rest[:16], rest[16:]
	var n [4]int
	for i := range n {
		n[i], rest = int(binary.LittleEndian.Uint32(rest)), rest[4:]
	}
	h := len(git.Hash{})
	if len(rest) != n[0]*commitBytes+n[1]*h+n[2]*4+n[3]*shareBytes {
		return
	}
	list, rest := rest[:n[0]*commitBytes], rest[n[0]*commitBytes:]
	parents, sums := make([]git.Hash, n[1]), make([]uint32, n[2])
	for i := range parents {
		parents[i], rest = git.Hash(rest[:h]), rest[h:]
	}
	for i := range sums {
		sums[i], rest = binary.LittleEndian.Uint32(rest), rest[4:]
	}
	if !m.decodeCommits(list, parents, sums) || !bytes.Equal(stamp, m.stamp[:]) {
		return
	}
	m.shares = make(map[shareKey]uint8, n[3])
	for ; len(rest) > 0; rest = rest[shareBytes:] {
		m.shares[shareKey(rest)] = rest[shareBytes-1]
	}
}

// decodeCommits reads the facts of commits. It takes their parents and sums off the lists.
func (m *memory) decodeCommits(b []byte, parents []git.Hash, sums []uint32) bool {
	h := len(git.Hash{})
	out := make(map[git.Hash]git.CommitFacts, len(b)/commitBytes)
	summaries := make([]git.ChangeSummary, len(b)/commitBytes)
	for i := range summaries {
		at := b[i*commitBytes:]
		c := git.CommitFacts{Tree: git.Hash(at[h:]), Time: int64(binary.LittleEndian.Uint64(at[2*h:]))}
		n, files, kind := int(binary.LittleEndian.Uint32(at[2*h+8:])), int32(binary.LittleEndian.Uint32(at[2*h+12:])), binary.LittleEndian.Uint32(at[2*h+16:])
		if n > len(parents) {
			return false
		}
		c.Parents, parents = parents[:n:n], parents[n:]
		s := &summaries[i]
		switch s.Files = int(files); {
		case kind == noSummary:
			s = nil
		case kind == anyChange:
			s.Any = true
		case int(kind) > len(sums):
			return false
		default:
			s.Sums, sums = sums[:kind:kind], sums[kind:]
		}
		c.Changes = s
		out[git.Hash(at)] = c
	}
	m.commits = out
	return true
}

// save writes what the run has learned. If the file cannot be written, the next run repeats the work.
func (m *memory) save(t *git.Trail) {
	if m == nil || t == nil {
		return
	}
	all := maps.Clone(m.commits)
	t.Facts(func(id git.Hash, facts git.CommitFacts, known bool) {
		if all[id] = facts; !known {
			m.learned = true
		}
	})
	if !m.learned {
		return
	}
	if len(m.shares) > maxShares {
		maps.DeleteFunc(m.shares, func(_ shareKey, v uint8) bool { return v&used == 0 })
	}
	b := m.encode(all)
	if len(b) > maxMemory || disk.MakeDirs(filepath.Dir(m.path), 0o777) != nil {
		return
	}
	if disk.WriteCache(m.path, ".tmp-", b) != nil {
		return
	}
	disk.Trim(filepath.Dir(m.path), maxMemories)
}

func (m *memory) encode(all map[git.Hash]git.CommitFacts) []byte {
	list, sums := make([]byte, 0, len(all)*commitBytes), make([]byte, 0, len(all)*4*24) // moby has 22 sums a commit
	var parents, shares []byte
	for _, id := range slices.SortedFunc(maps.Keys(all), func(a, b git.Hash) int { return bytes.Compare(a[:], b[:]) }) {
		c := all[id]
		list = append(append(list, id[:]...), c.Tree[:]...)
		list = binary.LittleEndian.AppendUint64(list, uint64(c.Time))
		list = binary.LittleEndian.AppendUint32(list, uint32(len(c.Parents)))
		for _, p := range c.Parents {
			parents = append(parents, p[:]...)
		}
		files, kind := 0, uint32(noSummary)
		if s := c.Changes; s != nil {
			files, kind = s.Files, uint32(len(s.Sums))
			if s.Any {
				kind = anyChange
			}
			for _, sum := range s.Sums {
				sums = binary.LittleEndian.AppendUint32(sums, sum)
			}
		}
		list = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(list, uint32(int32(files))), kind)
	}
	for _, k := range slices.SortedFunc(maps.Keys(m.shares), func(a, b shareKey) int { return bytes.Compare(a[:], b[:]) }) {
		shares = append(append(shares, k[:]...), m.shares[k]&^used)
	}
	rest := slices.Clone(m.stamp[:])
	for _, n := range []int{len(all), len(parents) / len(git.Hash{}), len(sums) / 4, len(m.shares)} {
		rest = binary.LittleEndian.AppendUint32(rest, uint32(n))
	}
	rest = slices.Concat(rest, list, parents, sums, shares)
	sum := sha256.Sum256(rest)
	return slices.Concat([]byte(memoryMagic), sum[:], rest)
}

// known recalls the share of each region of a query that a content has, as far as dating tells shares apart.
func (m *memory) known(keys []shareKey, blob git.Hash) []float64 {
	if m == nil || len(keys) == 0 {
		return nil
	}
	out := make([]float64, len(keys))
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, k := range keys {
		k = k.in(blob)
		v, ok := m.shares[k]
		if !ok {
			return nil
		}
		m.shares[k] = v | used
		switch v &^ used {
		case shareMost:
			out[i] = trace.Most
		case shareHalf:
			out[i] = trace.Half
		}
	}
	return out
}

// keep keeps which share of each region of a query a content has.
func (m *memory) keep(keys []shareKey, blob git.Hash, shares []float64) {
	if m == nil || len(shares) != len(keys) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, k := range keys {
		v := shareLess
		switch {
		case shares[i] >= trace.Most:
			v = shareMost
		case shares[i] >= trace.Half:
			v = shareHalf
		}
		m.shares[k.in(blob)] = v | used
	}
	m.learned = true
}

// in returns the key of a region in a content.
func (k shareKey) in(blob git.Hash) shareKey {
	sum := sha256.Sum256(append(k[:], blob[:]...))
	return shareKey(sum[:])
}

// keysOf returns the keys of the regions of a query: all that decides what a content has of them.
func (m *memory) keysOf(q *query, maxFileSize int64) (keys []shareKey) {
	if m == nil {
		return nil
	}
	for _, r := range q.regions {
		h := sha256.New()
		h.Write(r.sum[:])
		binary.Write(h, binary.LittleEndian, maxFileSize)
		io.WriteString(h, q.regions[0].finding.Language+"\x00"+q.path)
		keys = append(keys, shareKey(h.Sum(nil)))
	}
	return keys
}

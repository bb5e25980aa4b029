package origindates

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// resultStore stores results of needles, one file each: a line with the SHA-256 of the rest, then JSON. Files are renamed into place,
// so a killed run leaves no partial file. Damaged files are ignored. A needle is identified by its tokens and package, so its
// result serves every repository.
type resultStore struct {
	dir string
}

const (
	// maxRecord limits one file, in bytes: a hundred sightings of 200 bytes are 20 KB.
	maxRecord = 256 << 10
	// maxStore limits all files together, in bytes. Those used last are kept.
	maxStore = 64 << 20
)

// record is the content of a file.
type record struct {
	Seen     []sighting        `json:"seen"`
	Interval *finding.Interval `json:"interval,omitempty"` // set once no later run can learn more
}

func openStore(dir string) *resultStore { return &resultStore{dir: dir} }

func (s *resultStore) path(id string) string { return filepath.Join(s.dir, id[:2], id[2:]) }

// load sets the stored data of a needle.
func (s *resultStore) load(n *needle) {
	if s.dir == "" {
		return
	}
	r, ok := readRecord(s.path(n.id))
	if !ok {
		return
	}
	n.seen = r.Seen
	if n.covers(r.Interval) {
		n.settled, n.done = r.Interval, true
		s.touch(n.id)
	}
}

// touch marks a record as used.
func (s *resultStore) touch(id string) {
	now := time.Now()
	os.Chtimes(s.path(id), now, now)
}

func readRecord(name string) (r record, ok bool) {
	ok = readInto(name, &r)
	return r, ok
}

// readInto reads a record and checks its checksum.
func readInto(name string, to any) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err != nil || len(data) > maxRecord {
		return false
	}
	sum, body, _ := bytes.Cut(data, []byte("\n"))
	want := sha256.Sum256(body)
	return string(sum) == hex.EncodeToString(want[:]) && json.Unmarshal(body, to) == nil
}

// save stores the data of a needle. If the store cannot be written, the next run repeats the work.
func (s *resultStore) save(n *needle) {
	if s.dir == "" || len(n.seen) == 0 && !n.done {
		return
	}
	r := record{Seen: n.seen}
	if n.done {
		r.Interval = n.settled
	}
	s.writeJSON(n.id, r)
}

func (s *resultStore) writeJSON(id string, v any) {
	body, err := json.Marshal(v)
	if err != nil || len(body) > maxRecord-100 {
		return
	}
	sum := sha256.Sum256(body)
	s.write(s.path(id), append([]byte(hex.EncodeToString(sum[:])+"\n"), body...))
}

func (s *resultStore) write(name string, data []byte) {
	if os.MkdirAll(filepath.Dir(name), 0o777) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".tmp-")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil || os.Rename(f.Name(), name) != nil {
		os.Remove(f.Name())
	}
}

// past returns the stored result of searching a history for a needle.
func (s *resultStore) past(n *needle) (*byRepository, bool) {
	p := &byRepository{}
	if s.dir == "" || !readInto(s.path(n.pastID()), p) || p.Interval != nil && p.Interval.Present == nil {
		return nil, false
	}
	s.touch(n.pastID())
	return p, true
}

func (s *resultStore) keepPast(n *needle, p *byRepository) {
	if s.dir != "" {
		s.writeJSON(n.pastID(), p)
	}
}

// prune removes the records used longest ago until the store is within maxStore.
func (s *resultStore) prune() {
	if s.dir == "" {
		return
	}
	disk.Trim(s.dir, maxStore)
}

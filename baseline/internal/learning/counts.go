package learning

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/model"
	file "github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// sampled is a document of a sample.
type sampled struct {
	hash   store.Hash
	unit   uint32
	scheme string
}

// CountedSuffix ends the name of a file of counts. The name begins with the digest of a sample. The file has one line for each document, an
// empty line, and the output of [model.Counts].Append.
const CountedSuffix = ".counted"

// Bounds of files of counts, in bytes: one file, and all files together. Two million tokens take 6 MB. The second bound removes files of
// baselines that no longer exist.
const (
	mostCounted = 64 << 20
	allCounted  = 512 << 20
)

// kept reads the documents and counts of a sample. It returns nil if there is no valid file.
func (l *Learner) kept(digest string, most int) ([]sampled, *model.Counts) {
	data, err := file.ReadSmallLimit(filepath.Join(l.Counted, digest+CountedSuffix), mostCounted)
	if err != nil {
		return nil, nil
	}
	head, body, ok := bytes.Cut(data, []byte("\n\n"))
	if !ok {
		return nil, nil
	}
	var docs []sampled
	var check sample
	for line := range strings.SplitSeq(string(head), "\n") {
		hash, rest, _ := strings.Cut(line, " ")
		unit, scheme, _ := strings.Cut(rest, " ")
		sum, err := hex.DecodeString(hash)
		n, err2 := strconv.ParseUint(unit, 10, 32)
		if err != nil || err2 != nil || len(sum) != len(store.Hash{}) {
			return nil, nil
		}
		c := sampled{store.Hash(sum), uint32(n), scheme}
		docs = append(docs, c)
		check.docs = append(check.docs, Document{Document: store.Document{Hash: c.hash, Unit: c.unit, Scheme: c.scheme}})
	}
	counts, err := model.UnmarshalCounts(body)
	if err != nil || check.digest(most) != digest {
		return nil, nil
	}
	return docs, counts
}

// note writes the counts of a sample and removes those of the sample before.
func (l *Learner) note(before string, s *sample, counts *model.Counts) {
	b := make([]byte, 0, counts.Size()+128*len(s.docs))
	for _, d := range s.docs {
		b = fmt.Appendf(b, "%x %d %s\n", d.Hash[:], d.Unit, d.Scheme)
	}
	b = counts.Append(append(b, '\n'))
	if len(b) > mostCounted || disk.MakeDir(l.Counted) != nil || disk.WriteFile(filepath.Join(l.Counted, s.name+CountedSuffix), generation.TempPrefix+"*", b) != nil {
		return // the next change counts everything
	}
	if before != "" && before != s.name {
		_ = disk.Remove(filepath.Join(l.Counted, before+CountedSuffix)) // a file that is left is trimmed another time
	}
	disk.Trim(l.Counted, allCounted)
}

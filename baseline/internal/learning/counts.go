package learning

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
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
	tokens uint32
	scheme string
}

// CountedSuffix ends the name of a file of counts. The name begins with the digest of a sample. The file has one line for each document, an
// empty line, and the output of [model.Counts].Append. Before them it has a line with the CRC32C of the lines.
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
	sum, lines, ok2 := strings.Cut(string(head), "\n")
	if !ok || !ok2 || sum != checksum(lines) {
		return nil, nil
	}
	var docs []sampled
	var check sample
	for line := range strings.SplitSeq(lines, "\n") {
		c, ok := parseSampled(line)
		if !ok {
			return nil, nil
		}
		docs = append(docs, c)
		check.docs = append(check.docs, c.document())
	}
	counts, err := model.UnmarshalCounts(body)
	if err != nil || check.digest(most) != digest {
		return nil, nil
	}
	return docs, counts
}

// parseSampled reads a line of a file of counts: the hash, the unit, the tokens and the scheme.
func parseSampled(line string) (c sampled, ok bool) {
	f := strings.SplitN(line, " ", 4)
	if len(f) < 4 || len(f[0]) != 2*len(c.hash) {
		return c, false
	}
	_, err := hex.Decode(c.hash[:], []byte(f[0]))
	unit, err2 := strconv.ParseUint(f[1], 10, 32)
	tokens, err3 := strconv.ParseUint(f[2], 10, 32)
	c.unit, c.tokens, c.scheme = uint32(unit), uint32(tokens), f[3]
	return c, err == nil && err2 == nil && err3 == nil
}

// document returns what a file of counts has of a document.
func (c sampled) document() Document {
	return Document{Document: store.Document{Hash: c.hash, Unit: c.unit, Tokens: c.tokens, Scheme: c.scheme}}
}

// checksum returns the CRC32C of text in hex.
func checksum(text string) string {
	return fmt.Sprintf("%08x", crc32.Checksum([]byte(text), castagnoli))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// note writes the counts of a sample and removes those of the sample before.
func (l *Learner) note(before string, s *sample, counts *model.Counts) {
	lines := make([]byte, 0, 128*len(s.docs))
	for _, d := range s.docs {
		lines = fmt.Appendf(lines, "%x %d %d %s\n", d.Hash[:], d.Unit, d.Tokens, d.Scheme)
	}
	b := make([]byte, 0, counts.Size()+len(lines)+16)
	b = append(append(b, checksum(strings.TrimSuffix(string(lines), "\n"))...), '\n')
	b = counts.Append(append(append(b, lines...), '\n'))
	if len(b) > mostCounted || disk.MakeDir(l.Counted) != nil || disk.WriteFile(filepath.Join(l.Counted, s.name+CountedSuffix), generation.TempPrefix+"*", b) != nil {
		return // the next change counts everything
	}
	if before != "" && before != s.name {
		_ = disk.Remove(filepath.Join(l.Counted, before+CountedSuffix)) // a file that is left is trimmed another time
	}
	disk.Trim(l.Counted, allCounted)
}

// Package generation has the manifest of one generation of a baseline: which segments it has, which packages are removed, and its
// model. It also knows the names of a baseline's files. It opens no segment.
//
// A manifest is JSON; its last field is the SHA-256 of the others. A reader accepts only the exact bytes that a writer makes, so it
// notices each flipped bit when it opens the baseline. Otherwise a flipped bit in a segment's name or in the list of removed packages
// could lose findings or bring packages back.
//
// # Changelog of the format
//
//	1: first version
//	2: a checksum; unknown keys are refused. Format 1 is no longer read, since
//	   nothing shows whether it is complete: its packages have to be indexed again
//	3: the scheme names k, w and the hash only. The scheme of a language's tokens
//	   is stored beside the language in a segment's documents, so a change to one
//	   language leaves the others usable. Format 2 is no longer read: its documents
//	   do not say by which rules their tokens were made
//	4: documents keep their tokens in blocks (package store). Format 3 is no longer
//	   read: its packages have to be indexed again. Since 2026-11-22 it records what the
//	   model of each family was learnt from; without that, the next change learns anew.
//	   Since the same date, a segment's fingerprints include pairs of rare names
//	   (package pairs); in documents without pairs less derived code is found. Since
//	   2026-11-29 it records the digest of the headers of a segment's files, so that
//	   files of another baseline are noticed when they are opened. Earlier programs
//	   refuse a manifest that has it
package generation

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

const (
	// Format is the version of manifests that this program reads and writes.
	Format = 4
	// MaxSize bounds a manifest, in bytes: each of a million removed packages takes 20.
	MaxSize = 64 << 20
)

// FormatError reports that a baseline's manifest has a format that this program does not read.
type FormatError struct {
	Path       string
	Have, Want int
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("baseline %q has format %d, this program reads format %d", e.Path, e.Have, e.Want)
}

// Manifest is one generation.
type Manifest struct {
	Format     int                `json:"format"`
	Generation int                `json:"generation"`
	Scheme     string             `json:"scheme"`
	Params     fingerprint.Params `json:"params"`
	Segments   []Segment          `json:"segments"`
	Model      string             `json:"model"`             // hex of its digest
	Samples    map[string]string  `json:"samples,omitempty"` // per family: digest of the sample that its model was learnt from
	Sum        string             `json:"sum,omitempty"`     // hex of the SHA-256 of the manifest without this field
}

// Segment is a segment of a generation.
type Segment struct {
	Name     string `json:"name"`              // hex of its digest
	Removed  []int  `json:"removed,omitempty"` // indexes of dead packages, ascending
	Postings uint64 `json:"postings"`
	Docs     int    `json:"docs"`
	Heads    string `json:"heads,omitempty"` // hex of the digest of both files' headers
}

// Equal reports whether both entries name the same segment and the same removed packages.
func (s Segment) Equal(t Segment) bool {
	return s.Name == t.Name && slices.Equal(s.Removed, t.Removed)
}

// First returns the empty generation before the first.
func First(p fingerprint.Params, k fingerprint.Key) *Manifest {
	return &Manifest{Format: Format, Scheme: Scheme(p, k), Params: p}
}

// Clone returns a copy that shares no segment with m.
func (m *Manifest) Clone() Manifest {
	c := *m
	c.Segments = slices.Clone(m.Segments)
	for i := range c.Segments {
		c.Segments[i].Removed = slices.Clone(c.Segments[i].Removed)
	}
	return c
}

// Digest identifies the generation's content: segments in order, removals, scheme.
func (m Manifest) Digest() string {
	m.Generation = 0
	js, err := json.Marshal(m)
	if err != nil {
		panic(err) // plain data
	}
	sum := sha256.Sum256(js)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// ModelFile returns the name of the model's file.
func (m *Manifest) ModelFile() string { return m.Model + ModelSuffix }

// Parts lists the files of the generation in the order of an export: both of each segment, then the model.
func (m *Manifest) Parts() []string {
	var names []string
	for _, s := range m.Segments {
		names = append(names, s.Name+Prints, s.Name+Documents)
	}
	return append(names, m.ModelFile())
}

// Encode returns the content of a manifest's file. The same manifest always gives the same bytes; the checksum is in
// the last line.
func (m Manifest) Encode() ([]byte, error) {
	m.Sum = ""
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	m.Sum = hex.EncodeToString(sum[:])
	b, err = json.MarshalIndent(m, "", "  ")
	return append(b, '\n'), err
}

// Decode accepts only the exact bytes that Encode writes. JSON leaves some freedom, for example in the case of keys and
// the white space between them. So Decode encodes the result again; a byte that differs is damage.
func Decode(b []byte) (*Manifest, error) {
	var is struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(b, &is); err != nil {
		return nil, err
	}
	if is.Format != Format {
		return nil, &FormatError{Have: is.Format, Want: Format}
	}
	m := new(Manifest)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, err
	}
	again, err := m.Encode()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, b) {
		return nil, errors.New("its checksum differs")
	}
	m.Sum = "" // digests are made without it
	return m, m.Check()
}

// Check refuses names that would leave the directory, since a baseline may come from elsewhere. It also refuses
// impossible package numbers.
func (m *Manifest) Check() error {
	for _, s := range m.Segments {
		if !isDigest(s.Name) {
			return fmt.Errorf("segment name %q", s.Name)
		}
		if s.Heads != "" && !isDigest(s.Heads) {
			return fmt.Errorf("heads %q of segment %s", s.Heads, s.Name)
		}
		for i, n := range s.Removed {
			if n < 0 || n > math.MaxInt32 || i > 0 && n <= s.Removed[i-1] {
				return fmt.Errorf("removed package %d of segment %s", n, s.Name)
			}
		}
	}
	if !isDigest(m.Model) {
		return fmt.Errorf("model name %q", m.Model)
	}
	for family, digest := range m.Samples {
		if !isDigest(digest) {
			return fmt.Errorf("sample %q of family %q", digest, family)
		}
	}
	return m.Params.Validate()
}

package transport

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/internal/generation"
)

// Sums compares parts with the digests in their names, in the order of an export. A segment's digest covers both of its
// files.
type Sums struct{ h hash.Hash }

// Of returns a writer that must get the bytes of a part.
func (s *Sums) Of(p Part) io.Writer {
	if filepath.Ext(p.Name) != generation.Documents || s.h == nil {
		s.h = sha256.New()
	}
	return s.h
}

// Check fails if the parts so far do not have the digest in the name of p.
func (s *Sums) Check(p Part) error {
	ext := filepath.Ext(p.Name)
	if ext == generation.Prints || hex.EncodeToString(s.h.Sum(nil)[:16]) == p.Name[:len(p.Name)-len(ext)] {
		return nil
	}
	return fmt.Errorf("%s is not what its name says", p.Name)
}

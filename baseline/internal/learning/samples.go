package learning

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// DefaultTokens bounds the sample that a model is learnt from, in tokens per family: about sixteen megabytes of source, which take 0.3 s.
const DefaultTokens = 2 << 20

// Document is a document of a sample. Its Unit is that of its first place in the generation.
type Document struct {
	store.Document
	ID uint32
}

// Samples picks the documents that a model is learnt from: in each family the first ones, until they have enough tokens.
type Samples struct {
	most     int             // tokens
	same     map[string]bool // families whose documents did not change since the model before
	listed   bool            // the units of the families in same are wanted too
	builder  model.Builder
	families map[string]*sample
	units    units
}

// Samples returns empty samples of most tokens. The families in same keep their tables, so their units are not counted again, except for
// a list of units.
func (l *Learner) Samples(most int, same map[string]bool) *Samples {
	return &Samples{most: most, same: same, listed: l.Counted != "", families: make(map[string]*sample), units: make(units)}
}

// Done reports whether a family needs no more documents.
func (s *Samples) Done(family string) bool {
	own := s.families[family]
	return own != nil && own.tokens > s.most && s.same[family] && !s.listed
}

// See is called for each document of a family that is not done, in the order of their hashes, with its first place: the key of a package
// and a path. doc reads the document; See calls it only for a document that it picks.
func (s *Samples) See(family, key string, path []byte, doc func() (Document, error)) error {
	own := s.of(family)
	unit := s.units.of(key, path)
	if !s.same[family] || s.listed {
		s.builder.Unit(family, unit)
	}
	if own.tokens > s.most {
		return nil
	}
	d, err := doc()
	if err != nil {
		return err
	}
	d.Unit = unit
	own.tokens += int(d.Tokens)
	own.docs = append(own.docs, d)
	return nil
}

// of returns the sample of a family, which is empty at first.
func (s *Samples) of(family string) *sample {
	own := s.families[family]
	if own == nil {
		own = &sample{family: family}
		s.families[family] = own
	}
	return own
}

// sample holds the documents that the model of a family is learnt from.
type sample struct {
	family string
	name   string // its digest, once all its documents are known
	docs   []Document
	tokens int

	was    []sampled     // the sample before and its counts, if they are known
	counts *model.Counts // recount changes it
}

// Version is raised when the same sample would give another model, and when a document would get another unit, since
// units are kept in files.
const Version = 2

// digest names everything that the model depends on.
func (s *sample) digest(most int) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d\n", Version, most)
	var line []byte
	for _, d := range s.docs {
		line = hex.AppendEncode(line[:0], d.Hash[:])
		line = strconv.AppendUint(append(line, ' '), uint64(d.Unit), 10)
		line = append(append(append(line, ' '), d.Scheme...), '\n')
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

package learning

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	file "github.com/git-provenance/git-provenance/baseline/source/files"
)

// Units lists, for each family of a generation, the sampling units of its documents, ascending.
type Units map[string][]uint32

// UnitsSuffix ends the name of a file of units. The file lies beside the files of counts.
//
//	"GPUNITS1"
//	for each family, by name: uvarint length, name, uvarint units, then for each unit: uvarint unit minus the unit before
//	CRC32C of all before it
const UnitsSuffix = ".units"

const unitsMagic = "GPUNITS1"

// Placed is a new document and its first place: the key of a package and a path.
type Placed struct {
	Document
	Key, Path string
}

// Extend returns the samples of a generation that adds documents to an earlier one. has are the units of the earlier generation;
// added lists the new documents of each family, in the order of their hashes. Extend returns nil if it does not know the sample of
// a family: then each document has to be seen.
func (l *Learner) Extend(most int, same map[string]bool, has Units, added map[string][]Placed) *Samples {
	s := l.Samples(most, same)
	for family, units := range has {
		s.of(family)
		for _, u := range units {
			s.builder.Unit(family, u)
		}
	}
	for family, docs := range added {
		s.of(family)
		for i := range docs {
			docs[i].Unit = s.units.of(docs[i].Key, []byte(docs[i].Path))
			s.builder.Unit(family, docs[i].Unit)
		}
	}
	for family, own := range s.families {
		before := l.Before[family]
		if same[family] {
			own.name = before
			continue
		}
		if before != "" {
			if own.was, own.counts = l.kept(before, most); own.counts == nil {
				return nil
			}
		}
		own.merge(added[family], most)
	}
	return s
}

// merge fills a sample from the one before and new documents, in the order of their hashes, as See does.
func (s *sample) merge(added []Placed, most int) {
	was := s.was
	for s.tokens <= most && len(was)+len(added) > 0 {
		var d Document
		if len(added) == 0 || len(was) > 0 && bytes.Compare(was[0].hash[:], added[0].Hash[:]) < 0 {
			d, was = was[0].document(), was[1:]
		} else {
			d, added = added[0].Document, added[1:]
		}
		s.tokens += int(d.Tokens)
		s.docs = append(s.docs, d)
	}
}

// complete reads the records of the documents that were taken from a file of counts.
func (s *sample) complete(g Generation) error {
	for i, d := range s.docs {
		if d.Language != "" {
			continue
		}
		is, ok, err := g.Find(d.Hash)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("document %s of the sample is in no segment", d.Hash)
		}
		is.Unit = d.Unit
		s.docs[i] = is
	}
	return nil
}

// Units returns the units of all families, if the Learner keeps counts. Call it after Learn.
func (s *Samples) Units() Units { return s.builder.Units() }

// ReadUnits reads the units of a generation. It returns nil if there is no valid file.
func (l *Learner) ReadUnits(name string) Units {
	data, err := file.ReadSmallLimit(l.unitsFile(name), mostCounted)
	if err != nil {
		return nil
	}
	return parseUnits(data)
}

func parseUnits(b []byte) Units {
	n := len(b) - crc32.Size
	if n < len(unitsMagic) || string(b[:len(unitsMagic)]) != unitsMagic || crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
		return nil
	}
	out := make(Units)
	for b = b[len(unitsMagic):n]; len(b) > 0; {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return nil
		}
		family := string(b[n:][:size])
		b = b[n+int(size):]
		count, n := binary.Uvarint(b)
		if n <= 0 || count > uint64(len(b)-n) { // a unit takes a byte or more
			return nil
		}
		b = b[n:]
		units, unit := make([]uint32, count), uint64(0)
		for i := range units {
			step, n := binary.Uvarint(b)
			if unit += step; n <= 0 || unit > 1<<32-1 {
				return nil
			}
			units[i], b = uint32(unit), b[n:]
		}
		out[family] = units
	}
	return out
}

// WriteUnits keeps the units of a generation and removes those of the one before. Units that cannot be written only cost time.
func (l *Learner) WriteUnits(before, name string, units Units) {
	b := []byte(unitsMagic)
	for _, family := range slices.Sorted(maps.Keys(units)) {
		b = append(binary.AppendUvarint(b, uint64(len(family))), family...)
		b = binary.AppendUvarint(b, uint64(len(units[family])))
		last := uint32(0)
		for _, u := range units[family] {
			b = binary.AppendUvarint(b, uint64(u-last))
			last = u
		}
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	if len(b) > mostCounted || disk.MakeDir(l.Counted) != nil || disk.WriteFile(l.unitsFile(name), generation.TempPrefix+"*", b) != nil {
		return
	}
	if before != name {
		_ = disk.Remove(l.unitsFile(before)) // a file that is left is trimmed another time
	}
}

// MoveUnits names the units of a generation after one with the same content.
func (l *Learner) MoveUnits(before, name string) {
	_ = os.Rename(l.unitsFile(before), l.unitsFile(name)) // if it fails, the next change lists every document
}

func (l *Learner) unitsFile(name string) string { return filepath.Join(l.Counted, name+UnitsSuffix) }

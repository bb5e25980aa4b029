package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
)

const (
	magic  = "GPMODEL3"
	magic2 = "GPMODEL2"
	magic1 = "GPMODEL1"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Marshal returns the model in its file format.
func (m *Model) Marshal() []byte {
	b := []byte(magic)
	b = binary.AppendUvarint(b, uint64(len(m.families)))
	var order []string
	for name := range m.families {
		order = append(order, name)
	}
	slices.Sort(order)
	for _, name := range order {
		f := m.families[name]
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
		b = binary.AppendUvarint(b, uint64(f.Units))
		b = binary.AppendUvarint(b, uint64(f.All))
		for i := range f.tables {
			b = f.tables[i].append(b)
		}
	}
	return sealed(b, 0)
}

// sealed appends the checksum of what b has from a place on.
func sealed(b []byte, from int) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

var errCorrupt = errors.New("corrupt model")

// Unmarshal reads the output of Marshal, in any version, and keeps a reference to b. It does not check the entries of
// tables; Check does.
func Unmarshal(b []byte) (*Model, error) {
	version := string(b[:min(len(b), len(magic))])
	if versions[version] == nil {
		version = magic
	}
	body, err := opened(b, version, "model")
	if err != nil {
		return nil, err
	}
	return unmarshal(body, versions[version])
}

// versions read the tables of a family, by the magic of the format.
var versions = map[string]func(*reader, *Family){magic1: distances, magic2: lengthAndDistances, magic: (*reader).tables}

// tables reads the tables of a family.
func (r *reader) tables(f *Family) {
	for i := range f.tables {
		f.tables[i] = r.table()
	}
}

// distances reads the tables of version 1.
func distances(r *reader, f *Family) {
	for i := range f.tables {
		f.tables[i] = r.distances()
	}
}

// lengthAndDistances reads the tables of version 2.
func lengthAndDistances(r *reader, f *Family) {
	in := reader{b: r.take(r.number())}
	distances(&in, f)
	r.bad = r.bad || in.bad || len(in.b) > 0
}

// unmarshal reads the families of a model; tables reads the tables of each.
func unmarshal(body []byte, tables func(*reader, *Family)) (*Model, error) {
	r := reader{b: body}
	m := &Model{families: make(map[string]*Family)}
	last := ""
	for n := r.number(); n > 0 && !r.bad; n-- {
		name := string(r.take(r.number()))
		if len(m.families) > 0 && name <= last {
			return nil, fmt.Errorf("%w: family %q after %q", errCorrupt, name, last)
		}
		last = name
		f := &Family{Units: int(min(r.number(), math.MaxInt32)), All: int(min(r.number(), math.MaxInt32))}
		tables(&r, f)
		f.price()
		m.families[name] = f
	}
	if r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: truncated, out of order or too long", errCorrupt)
	}
	return m, nil
}

// Check reads the tables of all families. Look-ups without this check take damaged entries for rare ones; no program
// writes such a file.
func (m *Model) Check() error {
	for _, name := range slices.Sorted(maps.Keys(m.families)) {
		f := m.families[name]
		for i := range f.tables {
			if _, ok := f.tables[i].all(); !ok {
				return fmt.Errorf("%w: tables of %q", errCorrupt, name)
			}
		}
	}
	return nil
}

// opened checks the magic and the checksum of a file and returns the bytes between them.
func opened(b []byte, magic, what string) ([]byte, error) {
	if len(b) < len(magic)+4 || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no %s of this version", errCorrupt, what)
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, fmt.Errorf("%w: checksum differs", errCorrupt)
	}
	return body[len(magic):], nil
}

// reader reads numbers from a slice; its first failure sticks.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) number() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 { // most counts are one byte
		v := uint64(r.b[0])
		r.b = r.b[1:]
		return v
	}
	return r.long()
}

func (r *reader) long() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.b, r.bad = nil, true
		return nil
	}
	t := r.b[:n]
	r.b = r.b[n:]
	return t
}

// distances reads a table of version 1 or 2.
func (r *reader) distances() table {
	n := r.number()
	if r.bad || n > uint64(len(r.b))/2 {
		r.bad = true
		return table{}
	}
	es := make([]entry, 0, n)
	h := uint64(0)
	for i := range n {
		d, l := r.number(), r.take(1)
		if h += d; r.bad || d > math.MaxUint32 || h > math.MaxUint32 || i > 0 && d == 0 || l[0] == 0 {
			r.bad = true
			return table{}
		}
		es = append(es, entry{uint32(h), l[0]})
	}
	return pack(es)
}

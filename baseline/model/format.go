package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
)

const (
	magic  = "GPMODEL2"
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
		tables := f.packed
		if tables == nil {
			for _, t := range f.tables {
				tables = t.append(tables)
			}
		}
		b = binary.AppendUvarint(b, uint64(len(tables)))
		b = append(b, tables...)
	}
	return sealed(b)
}

// sealed appends the checksum of all before it.
func sealed(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func (t table) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(t.hashes)))
	last := uint32(0)
	for i, h := range t.hashes {
		b = binary.AppendUvarint(b, uint64(h-last))
		b = append(b, byte(t.levels[i]))
		last = h
	}
	return b
}

var errCorrupt = errors.New("corrupt model")

// Unmarshal reads what Marshal wrote, and keeps b. Tables are decoded when a family is
// asked; Check tells whether they can be.
func Unmarshal(b []byte) (*Model, error) {
	if bytes.HasPrefix(b, []byte(magic1)) {
		body, err := opened(b, magic1, "model")
		if err != nil {
			return nil, err
		}
		return unmarshal(body, func(r *reader, f *Family) {
			for i := range f.tables {
				f.tables[i] = r.table()
			}
		})
	}
	body, err := opened(b, magic, "model")
	if err != nil {
		return nil, err
	}
	return unmarshal(body, packed)
}

// packed takes the tables of a family as they lie.
func packed(r *reader, f *Family) { f.packed = r.take(r.number()) }

// unmarshal reads the families of a model whose tables are read by tables.
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

// Check decodes the tables of all families. A family with tables that are none knows
// nothing: no program writes such a file.
func (m *Model) Check() error {
	for _, name := range slices.Sorted(maps.Keys(m.families)) {
		f := m.families[name]
		if f.open(); f.broken {
			return fmt.Errorf("%w: tables of %q", errCorrupt, name)
		}
	}
	return nil
}

// opened is what lies between the magic of a format and the checksum behind it.
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

// reader takes numbers off a slice; its first failure sticks.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) number() uint64 {
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

func (r *reader) table() table {
	n := r.number()
	if n > uint64(len(r.b))/2 {
		r.bad = true
		return table{}
	}
	t := table{hashes: make([]uint32, 0, n), levels: make([]uint16, 0, n)}
	h := uint64(0)
	for i := range n {
		d, l := r.number(), r.take(1)
		if h += d; r.bad || d > math.MaxUint32 || h > math.MaxUint32 || i > 0 && d == 0 || l[0] == 0 {
			r.bad = true
			return table{}
		}
		t.hashes, t.levels = append(t.hashes, uint32(h)), append(t.levels, uint16(l[0]))
	}
	return t
}

package model

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// counted counts documents that are made from their numbers.
func counted(numbers ...int) *Counts {
	var b Builder
	for _, n := range numbers {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		var words []string
		for range 50 {
			words = append(words, fmt.Sprintf("w%d", r.IntN(40)))
		}
		add(&b, uint32(n%7), words...)
	}
	return b.Counts("go")
}

// TestCountsChange adds and removes documents in any order. The counts are those of the documents that are left.
func TestCountsChange(t *testing.T) {
	c := counted(1, 2, 3, 4, 5, 6)
	if err := c.Change(counted(7, 8, 9, 10, 11, 12, 13), counted(2, 5)); err != nil {
		t.Fatal(err)
	}
	if err := c.Change(counted(2), counted(8)); err != nil {
		t.Fatal(err)
	}
	want := counted(1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13)
	if !bytes.Equal(c.Append(nil), want.Append(nil)) {
		t.Error("counts differ from those of the same documents")
	}
	units := make(map[uint32]bool)
	var taken, all Builder
	for _, n := range []int{1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13} {
		units[uint32(n%7)] = true
		taken.Unit("go", uint32(n%7))
	}
	taken.Take("go", c, units)
	for _, n := range []int{13, 12, 11, 10, 9, 7, 6, 4, 3, 2, 1} {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		var words []string
		for range 50 {
			words = append(words, fmt.Sprintf("w%d", r.IntN(40)))
		}
		add(&all, uint32(n%7), words...)
	}
	m := taken.Model()
	if !bytes.Equal(m.Marshal(), all.Model().Marshal()) || m.Of("go").tables[names].len() == 0 {
		t.Error("the model of counts differs from that of documents")
	}
	if err := c.Change(counted(), counted(99)); !errors.Is(err, errCorrupt) {
		t.Errorf("what is not in was taken out: %v", err)
	}
}

func TestCountsFormat(t *testing.T) {
	c := counted(1, 2, 3)
	b := c.Append([]byte("before"))[len("before"):]
	if got, err := UnmarshalCounts(b); err != nil || !bytes.Equal(got.Append(nil), b) {
		t.Fatalf("read otherwise than written: %v", err)
	}
	for i := range b {
		bad := bytes.Clone(b)
		bad[i] ^= 1 << (i % 8)
		if _, err := UnmarshalCounts(bad); !errors.Is(err, errCorrupt) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := UnmarshalCounts(b[:i]); !errors.Is(err, errCorrupt) {
			t.Fatalf("%d bytes: %v", i, err)
		}
	}
	if len(b) > c.Size() {
		t.Errorf("%d bytes, and at most %d were announced", len(b), c.Size())
	}
	for name, body := range map[string]string{
		"no tables": "", "more pairs than bytes": "\xFF\xFF\xFF\xFF\x0F\x02\x01\x01\x00\x00\x00\x00", "fewer bytes": "\x01\x03\x05\x01", "bytes behind": "\x00\x00\x00\x00\x00\x00\x00",
	} {
		if _, err := UnmarshalCounts(seal([]byte(countsMagic + body))); !errors.Is(err, errCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, body := range map[string]string{
		"never met": "\x01\x02\x05\x00", "a pair twice": "\x02\x04\x05\x01\x00\x01", "beyond 40 bits": "\x01\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F\x01",
		"too often": "\x01\x06\x05\x81\x80\x80\x80\x08", "a number without end": "\x01\x02\x05\x80", "bytes behind": "\x01\x03\x05\x01\x07", "bytes of no pair": "\x00\x01\x07",
	} {
		bad, err := UnmarshalCounts(seal([]byte(countsMagic + body + "\x00\x00\x00\x00")))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := bad.Change(counted(), counted()); !errors.Is(err, errCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCountsChangeEach changes tables of few pairs, so that those of both changes are before, behind and at the others.
func TestCountsChangeEach(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		var times [3][12]int
		var sides [3]pairTable
		for i := range 12 {
			times[0][i], times[1][i] = r.IntN(3), r.IntN(3)
			times[2][i] = r.IntN(times[0][i] + times[1][i] + 1)
		}
		table := func(times [12]int) pairTable {
			var pairs []uint64
			for i, n := range times {
				pairs = append(pairs, slices.Repeat([]uint64{uint64(i*i) << (3 * i)}, n)...)
			}
			return tableOf(pairs)
		}
		var want [12]int
		for i := range want {
			want[i] = times[0][i] + times[1][i] - times[2][i]
		}
		for i := range sides {
			sides[i] = table(times[i])
		}
		got, err := sides[0].change(sides[1], sides[2])
		if w := table(want); err != nil || got.pairs != w.pairs || !bytes.Equal(got.b, w.b) {
			t.Fatalf("%v: %x, not %x: %v", times, got.b, w.b, err)
		}
	}
}

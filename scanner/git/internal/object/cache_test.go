package object

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestCache: a value that is found is the one that was put, memory stays bounded, and values
// that are often asked for stay.
func TestCache(t *testing.T) {
	const limit = 40 * slabSize
	c := newByteCache(limit)
	rng := rand.New(rand.NewPCG(1, 9))
	keys := func(n int) cacheKey {
		if n%3 == 0 {
			var k cacheKey
			binary.LittleEndian.PutUint32(k.name[12:], uint32(n)) // names that begin alike
			return k
		}
		return cacheKey{off: int64(n / 3), pack: int32(n % 3)}
	}
	content := func(n int) []byte {
		size := n % 300
		switch n % 50 {
		case 0:
			size = 0
		case 7:
			size = slabObject + n%1000 - 500
		case 8:
			size = 2 * slabSize
		}
		if n == 33 {
			size = limit
		}
		return bytes.Repeat([]byte{byte(n), byte(n >> 8)}, size/2)
	}
	hits := 0
	for i := range 300_000 {
		n := rng.IntN(20_000)
		if i%40 == 0 {
			n = 5
		}
		v, ok := c.get(keys(n))
		want := content(n)
		switch {
		case ok && (v.typ != Type(n%5) || !bytes.Equal(v.data, want)):
			t.Fatalf("%d: another content", n)
		case ok:
			hits++
		case n%7 == 0:
			c.keep(keys(n), Type(n%5), want)
		default:
			b, at := c.take(len(want))
			copy(b, want)
			c.put(keys(n), Type(n%5), at)
		}
		if n == 5 && !ok && i > 0 {
			t.Fatalf("a favourite left at %d", i)
		}
		if v, ok := c.get(keys(33)); ok {
			t.Fatalf("kept %d bytes", len(v.data))
		}
		sum := 0
		for _, s := range c.slabs {
			sum += s.size
		}
		if sum != c.used || sum > limit {
			t.Fatalf("%d bytes, counted %d", sum, c.used)
		}
	}
	if hits < 15_000 || len(c.items) > 1<<14 {
		t.Errorf("%d hits, %d items", hits, len(c.items))
	}
}

// TestLoans: memory that was lent is used again, and never while somebody has an object of it.
func TestLoans(t *testing.T) {
	var objects []packObject
	for i := range 60 {
		b := bytes.Repeat([]byte{byte(i)}, slabSize/8)
		objects = append(objects, packObject{name: nameOf(Blob, b), typ: Blob, data: b})
	}
	db, err := Open([]string{makePack(t, objects)})
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(db, false)
	defer r.Close()
	r.cache = newByteCache(4 * slabSize)
	read := func(i int) []byte {
		b, err := r.Blob(objects[i].name, MaxObject)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	kept := map[int][]byte{0: read(0)}
	r.Lend()
	for i := 1; i < 30; i++ {
		lent := read(i)
		for range 3 {
			read(0) // puts it anew while it is lent
		}
		if !bytes.Equal(lent, objects[i].data) {
			t.Fatalf("%d was written while it was lent", i)
		}
		r.Lend()
	}
	r.Return()
	waiting := len(r.cache.spare)
	for i := 30; i < len(objects); i++ {
		kept[i] = read(i)
	}
	if waiting == 0 || len(r.cache.spare) >= waiting {
		t.Errorf("%d slabs waited, then %d: none was used again", waiting, len(r.cache.spare))
	}
	for range 3 {
		r.Lend()
		for i := range 30 {
			read(i)
		}
		r.Return()
	}
	for i, b := range kept {
		if !bytes.Equal(b, objects[i].data) {
			t.Errorf("%d was written while it was held", i)
		}
	}
}

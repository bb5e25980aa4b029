package object

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestCache: what is found is what was put, memory stays bounded, and what is
// asked for again and again stays.
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
			c.keep(keys(n), cached{Type(n % 5), want})
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

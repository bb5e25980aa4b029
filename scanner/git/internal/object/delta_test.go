package object

import (
	"bytes"
	"testing"
)

// plainPatch applies a delta the slow way: by bytes, each checked.
func plainPatch(base, delta []byte, size int) (out []byte, ok bool) {
	next := func() (c byte, ok bool) {
		if len(delta) == 0 {
			return 0, false
		}
		c, delta = delta[0], delta[1:]
		return c, true
	}
	for len(delta) > 0 {
		op, _ := next()
		from, n := 0, int(op)
		if op == 0 {
			return nil, false
		}
		if op >= 0x80 {
			n = 0
			for i := range 7 {
				if op>>i&1 == 0 {
					continue
				}
				c, ok := next()
				if !ok {
					return nil, false
				}
				if i < 4 {
					from |= int(c) << (8 * i)
				} else {
					n |= int(c) << (8 * (i - 4))
				}
			}
			if n == 0 {
				n = 1 << 16
			}
		}
		for i := range n {
			c, ok := byte(0), from+i < len(base)
			if op < 0x80 {
				c, ok = next()
			} else if ok {
				c = base[from+i]
			}
			if !ok || len(out) == size {
				return nil, false
			}
			out = append(out, c)
		}
	}
	return out, len(out) == size
}

// FuzzDelta holds the application of deltas to a plain one.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("the base"), []byte{0x90, 3, 2, 'x', 'y', 0xb1, 1, 4, 0}, uint16(9))
	f.Add([]byte("b"), []byte{1, 'a'}, uint16(1))
	f.Add([]byte("b"), []byte{0x80}, uint16(9))
	f.Fuzz(func(t *testing.T, base, delta []byte, size uint16) {
		want, ok := plainPatch(base, delta, int(size))
		got := make([]byte, size)
		if taken := patch(got, base, delta); taken != ok || ok && !bytes.Equal(got, want) {
			t.Fatalf("%t %q, want %t %q", taken, got, ok, want)
		}
	})
}

package object

import (
	"errors"
	"fmt"
)

// apply builds the result of a delta in memory of the cache. It bounds the size of the result first.
func (r *Reader) apply(base, delta []byte) ([]byte, slot, error) {
	source, target, rest, ok := deltaSizes(delta)
	if !ok || source != int64(len(base)) {
		return nil, slot{}, errors.New("delta does not fit its base")
	}
	if target > MaxObject {
		return nil, slot{}, fmt.Errorf("delta makes %d bytes", target)
	}
	out, at := r.cache.take(int(target))
	if !patch(out, base, rest) {
		return nil, slot{}, errors.New("delta out of its bounds")
	}
	return out, at, nil
}

// patch fills out by the instructions of a delta: copies from the base, and bytes from the delta.
func patch(out, base, delta []byte) bool {
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		if op == 0 {
			return false
		}
		if op < 0x80 {
			n := int(op)
			if n > len(delta) || n > len(out) {
				return false
			}
			copy(out, delta[:n])
			out, delta = out[n:], delta[n:]
			continue
		}
		var args [7]byte // offset and size, little-endian; zero bytes are omitted
		for i := range args {
			if op>>i&1 == 0 {
				continue
			}
			if len(delta) == 0 {
				return false
			}
			args[i], delta = delta[0], delta[1:]
		}
		from := int64(args[0]) | int64(args[1])<<8 | int64(args[2])<<16 | int64(args[3])<<24
		n := int64(args[4]) | int64(args[5])<<8 | int64(args[6])<<16
		if n == 0 {
			n = 0x10000
		}
		if from+n > int64(len(base)) || n > int64(len(out)) {
			return false
		}
		copy(out, base[from:from+n])
		out = out[n:]
	}
	return len(out) == 0
}

func deltaSizes(delta []byte) (source, target int64, rest []byte, ok bool) {
	if source, delta, ok = varint(delta); !ok {
		return 0, 0, nil, false
	}
	target, delta, ok = varint(delta)
	return source, target, delta, ok
}

// varint reads a little-endian base-128 number.
func varint(b []byte) (v int64, rest []byte, ok bool) {
	for i, c := range b {
		if i > 8 { // the ninth byte would reach the sign bit
			return 0, nil, false
		}
		v |= int64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return v, b[i+1:], v >= 0
		}
	}
	return 0, nil, false
}

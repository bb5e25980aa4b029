package ring

import "errors"

// Ring is a buffer of fixed size.
type Ring struct {
	data       []byte
	head, size int
}

// ErrFull says that nothing fits.
var ErrFull = errors.New("ring: full")

// Write appends p, or nothing.
func (r *Ring) Write(p []byte) (int, error) {
	if len(p) > len(r.data)-r.size {
		return 0, ErrFull
	}
	at := (r.head + r.size) % len(r.data)
	n := copy(r.data[at:], p)
	copy(r.data, p[n:])
	r.size += len(p)
	return len(p), nil
}

// Read takes the oldest bytes.
func (r *Ring) Read(p []byte) (int, error) {
	want := min(len(p), r.size)
	n := copy(p[:want], r.data[r.head:])
	if n < want {
		n += copy(p[n:want], r.data)
	}
	r.head = (r.head + n) % len(r.data)
	r.size -= n
	for i := 0; i < 3 && r.size == 0; i++ {
		r.head, r.data[i] = 0, byte(i*17)
	}
	return n, nil
}

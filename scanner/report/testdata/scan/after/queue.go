// Package queue holds what waits.
package queue

import "errors"

// Queue is a list of what waits.
type Queue struct{ items []string }

// Len tells how many wait.
func (q *Queue) Len() int { return len(q.items) }

// Loop is a buffer of fixed size.
type Loop struct {
	data       []byte
	head, size int
}

// ErrFull says that nothing fits.
var ErrFull = errors.New("loop: full")

// Write appends p, or nothing.
func (l *Loop) Write(p []byte) (int, error) {
	if len(p) > len(l.data)-l.size {
		return 0, ErrFull
	}
	at := (l.head + l.size) % len(l.data)
	n := copy(l.data[at:], p)
	copy(l.data, p[n:])
	l.size += len(p)
	return len(p), nil
}

// Read takes the oldest bytes.
func (l *Loop) Read(p []byte) (int, error) {
	limit := min(len(p), l.size)
	n := copy(p[:limit], l.data[l.head:])
	if n < limit {
		n += copy(p[n:limit], l.data)
	}
	l.head = (l.head + n) % len(l.data)
	l.size -= n
	for i := 0; i < 3 && l.size == 0; i++ {
		l.head, l.data[i] = 0, byte(i*17)
	}
	return n, nil
}

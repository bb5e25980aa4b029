package shared

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// StallError says that a store took a request and then moved nothing.
type StallError struct{ After time.Duration }

func (e *StallError) Error() string { return fmt.Sprintf("nothing came for %v", e.After) }

// Watch returns a context that ends once nothing moved for so long. The reader calls moved
// with all that comes, and stop at the end. A slow network is waited for, a dead one is not.
func Watch(ctx context.Context, after time.Duration) (watched context.Context, moved, stop func()) {
	watched, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(after, func() { cancel(&StallError{after}) })
	return watched, func() { timer.Reset(after) }, func() {
		timer.Stop()
		cancel(nil)
	}
}

// Stalled is an error as it was, or the *StallError that a watched context ended with.
func Stalled(watched context.Context, err error) error {
	if e, ok := errors.AsType[*StallError](context.Cause(watched)); ok && err != nil {
		return e
	}
	return err
}

// Moving is a reader that calls moved when something came.
func Moving(r io.Reader, moved func()) io.Reader { return moving{r, moved} }

type moving struct {
	r     io.Reader
	moved func()
}

func (m moving) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if n > 0 {
		m.moved()
	}
	return n, err
}

package shared

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// StallError reports that a store accepted a request and then sent nothing.
type StallError struct{ After time.Duration }

func (e *StallError) Error() string { return fmt.Sprintf("nothing came for %v", e.After) }

// Watch returns a context that ends if no data arrives for the given time. The reader calls moved whenever data
// arrives, and stop at the end. So a slow network is waited for, but a dead one is not.
func Watch(ctx context.Context, after time.Duration) (watched context.Context, moved, stop func()) {
	watched, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(after, func() { cancel(&StallError{after}) })
	return watched, func() { timer.Reset(after) }, func() {
		timer.Stop()
		cancel(nil)
	}
}

// Stalled returns err, or the *StallError that ended a watched context.
func Stalled(watched context.Context, err error) error {
	if e, ok := errors.AsType[*StallError](context.Cause(watched)); ok && err != nil {
		return e
	}
	return err
}

// Moving returns a reader that calls moved when data arrives.
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

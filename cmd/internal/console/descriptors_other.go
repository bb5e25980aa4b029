//go:build !unix

package console

import (
	"context"
	"io"
)

// EnoughFiles returns nil on systems that do not count descriptors.
func EnoughFiles() error { return nil }

// WhileRead returns a context that ends with ctx: this system does not report that a reader has left.
func WhileRead(ctx context.Context, _ io.Writer) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

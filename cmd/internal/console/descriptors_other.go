//go:build !unix

package console

import (
	"context"
	"io"
)

// EnoughFiles returns nil on systems that do not count descriptors.
func EnoughFiles() error { return nil }

// WhileRead returns a context that lasts as long as ctx: here nothing tells that a reader has left.
func WhileRead(ctx context.Context, _ io.Writer) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

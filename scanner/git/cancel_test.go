package git

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// counted is a context that is cancelled by being asked often enough.
type counted struct {
	context.Context
	left atomic.Int64
}

func (c *counted) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCanceledInsideOfCommit: the walk over one commit asks at every directory whether it is still wanted.
func TestCanceledInsideOfCommit(t *testing.T) {
	r := newRepo(t)
	const depth = 60
	r.write(strings.Repeat("d/", depth)+"f", "f\n")
	r.commit("deep")
	repo := r.open()
	for left := range int64(depth) {
		ctx := &counted{Context: t.Context()}
		ctx.left.Store(left)
		ended := false
		for _, err := range repo.History(ctx, Selection{}, nil) {
			ended = errors.Is(err, context.Canceled)
		}
		if !ended {
			t.Fatalf("asked no more than %d times", left)
		}
		ctx.left.Store(left)
		if _, err := repo.Diff(ctx, object.EmptyTree.String()+"..HEAD", nil); err == nil {
			t.Fatalf("comparison: asked no more than %d times", left)
		}
	}
}

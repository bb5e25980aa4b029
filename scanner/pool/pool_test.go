package pool_test

import (
	"context"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/pool"
)

type nobody struct{}

func (nobody) Close() {}

// TestNoWorkers: a pool without a number of workers has one.
func TestNoWorkers(t *testing.T) {
	n := 0
	p := pool.Pool[nobody]{New: func() nobody { return nobody{} }}
	if err := p.Each(context.Background(), 3, func(nobody, int) error { n++; return nil }); err != nil || n != 3 {
		t.Errorf("%d of 3 jobs done, %v", n, err)
	}
}

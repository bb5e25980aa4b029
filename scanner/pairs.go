package scanner

import (
	"context"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/pool"
)

// Pairs compares documents of the baseline with others there. want says which pairs are
// asked for; it is called from several goroutines. take gets the documents in their order.
func (s *Scanner) Pairs(ctx context.Context, docs []baseline.DocID, want func(a, b baseline.DocID) bool, take func(examine.Compared) error) error {
	e := s.Comparing()
	p := pool.Pool[*examine.Worker]{Workers: s.o.Workers, New: e.NewWorker, Progress: s.o.Progress}
	compare := func(ctx context.Context, w *examine.Worker, id baseline.DocID) (examine.Compared, error) {
		return w.Compare(ctx, id, func(other baseline.DocID) bool { return want(id, other) })
	}
	return pool.List(ctx, p, docs, compare, func(_ baseline.DocID, c examine.Compared) error { return take(c) })
}

package scanner

import (
	"context"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/git"
	"golang.org/x/sync/errgroup"
)

// input is one text to examine.
type input struct {
	path     string
	language *lang.Language // nil: detect
	read     func(ctx context.Context) ([]byte, error)
	// work takes the place of reading and examining
	work func(context.Context, *worker) (output, error)
	// keep is asked for each finding with the file's stream; nil keeps all
	keep func(stream, *traced) bool
	// step is what is to be done when all inputs before have been taken; such
	// an input is nothing to read
	step  func() error
	key   blobKey                       // history
	added func(text []byte) []git.Range // the new lines of a changed file; nil when none is
}

// output is what one input came to.
type output struct {
	findings []traced
	entries  []Entry
	missing  bool // the repository has not got the content, or not as it was
	files    int
	bytes    int64
	tokens   int64
	inline   []Inline
	compared Compared
}

// run examines inputs with all workers and hands each outcome on in the order
// of the inputs, whichever worker was first. feed sends the inputs; at most
// ahead of them wait for an earlier one. A negative total says that somebody
// else tells of the progress.
func (s *Scanner) run(ctx context.Context, total int, feed func(ctx context.Context, send func(input) error) error, take func(input, output) error) error {
	const ahead = 256
	type ticket struct {
		in   input
		done chan output
	}
	g, ctx := errgroup.WithContext(ctx)
	jobs, queue := make(chan ticket), make(chan ticket, ahead)
	g.Go(func() error {
		defer close(jobs)
		defer close(queue)
		return feed(ctx, func(in input) error {
			t := ticket{in, make(chan output, 1)}
			to := []chan ticket{queue, jobs}
			if in.step != nil {
				t.done <- output{}
				to = to[:1]
			}
			for _, c := range to {
				select {
				case c <- t:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for range s.o.Workers {
		g.Go(func() error {
			w := s.newWorker()
			defer w.close()
			for t := range jobs {
				var out output
				err := disk.Guard(func() (err error) { // of baselines: units and sets of names
					out, err = w.input(ctx, t.in)
					return err
				})
				if err != nil {
					return err
				}
				t.done <- out
			}
			return nil
		})
	}
	g.Go(func() error {
		done := 0
		for t := range queue {
			select {
			case out := <-t.done:
				if err := take(t.in, out); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
			if total >= 0 {
				done++
				s.o.Progress(done, total)
			}
		}
		return nil
	})
	return g.Wait()
}

// fixed feeds a list.
func fixed(ins []input) func(context.Context, func(input) error) error {
	return func(_ context.Context, send func(input) error) error {
		for _, in := range ins {
			if err := send(in); err != nil {
				return err
			}
		}
		return nil
	}
}

// each calls f for each number below n, with all workers at once.
func (s *Scanner) each(ctx context.Context, n int, f func(w *worker, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	next := make(chan int)
	g.Go(func() error {
		defer close(next)
		for i := range n {
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range min(n, s.o.Workers) {
		g.Go(func() error {
			w := s.newWorker()
			defer w.close()
			for i := range next {
				if err := f(w, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

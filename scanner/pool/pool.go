// Package pool runs jobs on all workers and passes the results on in the order of the jobs. So no byte of a report depends on
// which worker was first. It is the only worker pool of a scan.
package pool

import (
	"context"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"golang.org/x/sync/errgroup"
)

// ahead is how many jobs can wait for an earlier one.
const ahead = 256

// Pool describes the workers.
type Pool[W interface{ Close() }] struct {
	Workers  int                   // at least 1 is used
	New      func() W              // returns a worker for one goroutine
	Progress func(done, total int) // may be nil
}

// Feed sends jobs. A job with work set to false is not worked on, and is taken after those before it.
type Feed[J any] func(ctx context.Context, send func(j J, work bool) error) error

// Run runs the jobs of a feed and takes their results in order. A job without work has the zero result.
func Run[W interface{ Close() }, J, T any](ctx context.Context, p Pool[W], feed Feed[J], work func(context.Context, W, J) (T, error), take func(J, T) error) error {
	type ticket struct {
		job  J
		done chan T
	}
	g, ctx := errgroup.WithContext(ctx)
	jobs, queue := make(chan ticket), make(chan ticket, ahead)
	g.Go(func() error {
		defer close(jobs)
		defer close(queue)
		return feed(ctx, func(j J, work bool) error {
			t := ticket{j, make(chan T, 1)}
			to := []chan ticket{queue, jobs}
			if !work {
				var none T
				t.done <- none
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
	p.start(ctx, g, func(ctx context.Context, w W) error {
		for t := range jobs {
			out, err := guarded(ctx, w, t.job, work)
			if err != nil {
				return err
			}
			t.done <- out
		}
		return nil
	}, p.workers())
	g.Go(func() error {
		for t := range queue {
			select {
			case out := <-t.done:
				if err := take(t.job, out); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}

// guarded runs a job. A read of a mapped baseline can fault; Guard turns that into an error.
func guarded[W, J, T any](ctx context.Context, w W, j J, work func(context.Context, W, J) (T, error)) (out T, err error) {
	err = disk.Guard(func() (err error) {
		out, err = work(ctx, w, j)
		return err
	})
	return out, err
}

// workers returns at least one: without any, jobs would wait for ever.
func (p Pool[W]) workers() int { return max(1, p.Workers) }

// start runs do on n workers.
func (p Pool[W]) start(ctx context.Context, g *errgroup.Group, do func(context.Context, W) error, n int) {
	for range n {
		g.Go(func() error {
			w := p.New()
			defer w.Close()
			return do(ctx, w)
		})
	}
}

// List is Run for a list of jobs, with progress.
func List[W interface{ Close() }, J, T any](ctx context.Context, p Pool[W], list []J, work func(context.Context, W, J) (T, error), take func(J, T) error) error {
	done := 0
	feed := func(_ context.Context, send func(J, bool) error) error {
		for _, j := range list {
			if err := send(j, true); err != nil {
				return err
			}
		}
		return nil
	}
	return Run(ctx, p, feed, work, func(j J, out T) error {
		if err := take(j, out); err != nil {
			return err
		}
		done++
		if p.Progress != nil {
			p.Progress(done, len(list))
		}
		return nil
	})
}

// Each calls f for each number below n, in any order.
func (p Pool[W]) Each(ctx context.Context, n int, f func(w W, i int) error) error {
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
	p.start(ctx, g, func(_ context.Context, w W) error {
		for i := range next {
			if err := f(w, i); err != nil {
				return err
			}
		}
		return nil
	}, min(n, p.workers()))
	return g.Wait()
}

package pool_test

import (
	"context"
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/pool"
)

// square is a worker.
type square struct{}

func (square) Close() {}

// Four workers square numbers; the results have the order of the numbers.
func ExampleList() {
	p := pool.Pool[square]{Workers: 4, New: func() square { return square{} }}
	err := pool.List(context.Background(), p, []int{3, 1, 2},
		func(_ context.Context, _ square, n int) (int, error) { return n * n, nil },
		func(n, squared int) error {
			fmt.Println(n, squared)
			return nil
		})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 3 9
	// 1 1
	// 2 4
}

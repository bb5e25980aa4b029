package s3_test

import (
	"context"
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/shared"
	_ "github.com/git-provenance/git-provenance/baseline/shared/s3" // addresses of buckets
)

// A program that imports this package can open baselines in buckets. Credentials do not belong in an address.
func Example() {
	_, err := shared.Dial(context.Background(), "s3://key:secret@bucket/code")
	fmt.Println(err)
	// Output: baseline "s3://bucket/code": this is no address of a bucket
}

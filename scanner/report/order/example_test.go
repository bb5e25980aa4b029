package order_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

// Findings that ask for action come first, graver levels before milder ones.
func ExampleRanked() {
	ranked := order.Ranked([]finding.Finding{{ID: "ignored", Level: "ignore"}, {ID: "note", Level: "note"}, {ID: "error", Level: "error"}})
	for _, f := range ranked {
		fmt.Println(f.ID, order.Quiet(f))
	}
	// Output:
	// error false
	// note false
	// ignored true
}

package origindates_test

import (
	"context"
	"fmt"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/origindates"
)

// Without the network and a baseline no date is known, and the ledger says so.
func ExampleDate() {
	r := &finding.Report{Findings: []finding.Finding{{
		Path: "a.go", Direction: "unknown", Origins: []finding.Origin{{PURL: "pkg:golang/example.com/ring@v1.0.0", Path: "ring.go"}},
	}}}
	err := origindates.Date(context.Background(), r, origindates.Options{Source: source.Options{Offline: true}, Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)})
	fmt.Println(err, r.Findings[0].Direction)
	for _, e := range r.Ledger {
		fmt.Println(e.Path, e.Reason)
	}
	// Output:
	// <nil> unknown
	// a.go undated
}

package policy_test

import (
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/policy"
)

// TestFormerIDs: of a history, an id that a region once had is that of the finding,
// for as many findings as the earlier report has.
func TestFormerIDs(t *testing.T) {
	finding := func(id string, former ...string) scanner.Finding {
		return scanner.Finding{ID: id, FormerIDs: former, Path: "a.go", Verdict: scanner.Undeclared, Origins: []scanner.Origin{{PURL: "pkg:generic/a@1"}}}
	}
	report := func() *scanner.Report {
		return &scanner.Report{Findings: []scanner.Finding{finding("new", "old"), finding("other", "old"), finding("third")}}
	}
	count := func(p *policy.Policy) int {
		r := report()
		p.Apply(r)
		return r.Summary.Allowed
	}
	allow := policy.Allow{Finding: "old", Reason: "ours"}
	if n := count(policy.New(nil, []policy.Allow{allow}, "", nil, time.Time{})); n != 2 {
		t.Errorf("allowed: %d", n)
	}
	known := policy.Known{Name: "r.json", Report: &scanner.Report{Findings: []scanner.Finding{finding("old")}}}
	if n := count(policy.New(nil, nil, "", []policy.Known{known}, time.Time{})); n != 1 {
		t.Errorf("known: %d", n)
	}
}

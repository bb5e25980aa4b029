package policy_test

import (
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/policy"
)

// TestFormerIDs: of a history, an id that a region once had is that of the finding,
// for as many findings as the earlier report has.
func TestFormerIDs(t *testing.T) {
	found := func(id string, former ...string) finding.Finding {
		return finding.Finding{ID: id, FormerIDs: former, Path: "a.go", Verdict: finding.Undeclared, Origins: []finding.Origin{{PURL: "pkg:generic/a@1"}}}
	}
	report := func() *finding.Report {
		return &finding.Report{Findings: []finding.Finding{found("new", "old"), found("other", "old"), found("third")}}
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
	known := policy.Known{Name: "r.json", Report: &finding.Report{Findings: []finding.Finding{found("old")}}}
	if n := count(policy.New(nil, nil, "", []policy.Known{known}, time.Time{})); n != 1 {
		t.Errorf("known: %d", n)
	}
}

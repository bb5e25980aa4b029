package policy_test

import (
	"fmt"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/policy"
)

func Example() {
	rules := append([]policy.Rule{{Name: "generated", Path: []string{"gen/"}, Level: policy.Ignore}}, policy.Default()...)
	p := policy.New(rules, nil, ".git-provenance.yml", nil, time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	r := &finding.Report{Findings: []finding.Finding{
		{ID: "1", Path: "gen/a.go", Score: 0.97, Verdict: finding.Undeclared, Licenses: []string{"MIT"}, Origins: []finding.Origin{{PURL: "pkg:generic/ring@1.0", License: "MIT"}}},
		{ID: "2", Path: "b.go", Score: 0.97, Verdict: finding.Undeclared, Licenses: []string{"MIT"}, Origins: []finding.Origin{{PURL: "pkg:generic/ring@1.0", License: "MIT"}}},
	}}
	p.Apply(r)
	for _, f := range r.Findings {
		fmt.Println(f.Path, f.Level, f.Rule)
	}
	// Output:
	// gen/a.go ignore generated
	// b.go warning undeclared
}

package attestation_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
)

type statement struct {
	Type          string `json:"_type"`
	PredicateType string
	Subject       []struct {
		Name   string
		Digest map[string]string
	}
	Predicate struct {
		Baseline    finding.Baseline
		Levels      map[string]int
		NotExamined map[string]int
	}
}

func statementOf(t *testing.T, r *finding.Report) (s statement) {
	t.Helper()
	if err := json.Unmarshal([]byte(reporttest.Render(t, "in-toto", r, report.Options{})), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStatement checks that the statement is about the report as --format json writes it, and about the commit that was scanned.
func TestStatement(t *testing.T) {
	r := reporttest.Example()
	r.Target = finding.Target{Kind: "diff", Base: strings.Repeat("a", 40), Head: strings.Repeat("b", 40)}
	s := statementOf(t, r)
	sum := sha256.Sum256([]byte(reporttest.Render(t, "json", r, report.Options{})))
	if len(s.Subject) != 2 || s.Subject[0].Digest["sha256"] != hex.EncodeToString(sum[:]) || s.Subject[1].Digest["gitCommit"] != r.Target.Head {
		t.Errorf("the subjects are %v", s.Subject)
	}
	if s.Type != "https://in-toto.io/Statement/v1" || !strings.HasPrefix(s.PredicateType, "https://") || s.Predicate.Baseline != r.Baseline {
		t.Errorf("%+v", s)
	}
	findings := 0
	for _, n := range s.Predicate.Levels {
		findings += n
	}
	entries := 0
	for _, n := range s.Predicate.NotExamined {
		entries += n
	}
	if findings != len(r.Findings) || entries != len(r.Ledger) || findings == 0 || entries == 0 {
		t.Errorf("%d findings and %d entries are counted, the report has %d and %d", findings, entries, len(r.Findings), len(r.Ledger))
	}
}

// TestNoCommit checks that a work tree, whose commit nobody knows, is no subject.
func TestNoCommit(t *testing.T) {
	r := reporttest.Example()
	r.Target = finding.Target{Kind: "tree"}
	if s := statementOf(t, r); len(s.Subject) != 1 || s.Subject[0].Name != "report.json" {
		t.Errorf("the subjects are %v", s.Subject)
	}
}

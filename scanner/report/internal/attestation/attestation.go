// Package attestation writes what a scan compared, and what came of it, as an in-toto Statement v1
// (github.com/in-toto/attestation/blob/main/spec/v1/statement.md). The statement is not signed; any tool that signs statements can.
package attestation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
)

// The types of statement and predicate. The predicate's changes if a field of it changes its meaning.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://github.com/git-provenance/git-provenance/scan/v1"
)

// statement is an in-toto Statement. The types of in-toto's own library are protocol buffers, whose JSON differs from build to build.
type statement struct {
	Type          string    `json:"_type"`
	Subject       []subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     predicate `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// predicate names everything that the result depends on, and the result in numbers.
type predicate struct {
	Tool        finding.Tool       `json:"tool"`
	Parameters  finding.Parameters `json:"parameters"`
	Baseline    finding.Baseline   `json:"baseline"`
	Target      finding.Target     `json:"target"`
	Summary     finding.Summary    `json:"summary"`
	Levels      map[string]int     `json:"levels"`      // findings of each level
	NotExamined map[string]int     `json:"notExamined"` // entries of the ledger, by reason
	Unseen      []string           `json:"unseen,omitempty"`
}

// Write writes the statement of a report. Its subjects are the report, by the digest of its JSON, and the latest commit that was
// scanned, if the target is made of commits.
func Write(w io.Writer, r *finding.Report) error {
	sum := sha256.New()
	if err := jsonform.Write(sum, r); err != nil {
		return err
	}
	s := statement{Type: statementType, PredicateType: predicateType, Predicate: predicate{
		Tool: r.Tool, Parameters: r.Parameters, Baseline: r.Baseline, Target: r.Target, Summary: r.Summary,
		Levels: make(map[string]int), NotExamined: make(map[string]int), Unseen: r.Unseen,
	}}
	s.Subject = []subject{{"report.json", map[string]string{"sha256": hex.EncodeToString(sum.Sum(nil))}}}
	if r.Target.Head != "" {
		s.Subject = append(s.Subject, subject{"commit", map[string]string{"gitCommit": r.Target.Head}})
	}
	for i := range r.Findings {
		s.Predicate.Levels[r.Findings[i].Level]++
	}
	for _, e := range r.Ledger {
		s.Predicate.NotExamined[string(e.Reason)]++
	}
	js, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(escape.JSON(js), '\n'))
	return err
}

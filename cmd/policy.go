package cmd

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/policy"
)

// decide gives every finding its level: by the rules and allowances of the
// configuration, and by the earlier reports of --known.
func (p *program) decide(ctx context.Context, rep *finding.Report, f *scanFlags) error {
	var known []policy.Known
	for _, name := range f.known {
		r, err := p.readReport(ctx, name)
		if err != nil {
			return err
		}
		known = append(known, policy.Known{Name: filepath.Base(name), Report: r})
	}
	today, err := p.created()
	if err != nil {
		return err
	}
	if today.IsZero() {
		today = time.Now()
	}
	policy.New(p.file.Rules, p.file.Allows, config.Name, known, today).Apply(rep)
	return nil
}

// configPath is where the configuration lies in the target, as its paths are
// written.
func configPath(root string) string {
	if root == "" {
		return ""
	}
	return config.Name
}

// countFrom counts the findings at or above a level; what the policy ignores
// never counts. An unknown level counts: better to look at a finding in vain than
// to miss it.
func countFrom(fs []finding.Finding, level string) int {
	if level == config.Never {
		return 0
	}
	n, low := 0, slices.Index(policy.Levels, level)
	for _, f := range fs {
		if at := slices.Index(policy.Levels, f.Level); f.Level != policy.Ignore && (at < 0 || at >= low) {
			n++
		}
	}
	return n
}

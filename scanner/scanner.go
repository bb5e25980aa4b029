// Package scanner turns targets into reports: a work tree, staged files, a range of commits, a history, a snippet.
//
//	targets.go           target → the texts that belong to it; the order of the steps below
//	package pool         texts → findings: package examine examines each text, with all workers
//	oldcode.go           findings of a change → those in code that was not there before
//	package targetdates  findings → findings with dates, from the target's history
//	vendored.go          files of a target → vendored packages, such as third_party/zlib
//	outdated.go          baselines → documents that no scan finds, for the ledger
//	package finding      findings → a report in its one order
//
// Package history scans histories. The tests of this package run the whole path of a text, for one rule each.
package scanner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Options say how to scan. Start with Defaults and change single fields.
type Options struct {
	examine.Options
	Workers  int    // 0 means one for each CPU
	Cache    string // directory of the disk cache of histories; "" for none
	Memory   string // directory in which the dates of the target keep what was read of its history; "" for none
	Version  string // of the tool, for the report
	Config   string // path in the target of the file that decides what is reported; "" for none
	Progress func(done, total int)
}

// Defaults returns the default options.
func Defaults() Options { return Options{Options: examine.Defaults()} }

// Scanner scans targets against baselines. Safe for concurrent use.
type Scanner struct {
	*examine.Examiner
	o Options
}

// New returns a scanner for baselines. The baselines must have the same scheme.
func New(bases []*baseline.Baseline, o Options) (*Scanner, error) {
	e, err := examine.New(bases, o.Options)
	if err == nil && o.Workers < 0 {
		err = errors.New("option Workers is out of range; begin with Defaults")
	}
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	o.Options = e.Options()
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return &Scanner{e, o}, nil
}

// report starts an empty report of a target.
func (s *Scanner) report(t finding.Target) *examine.Draft {
	p := s.Params()
	return &examine.Draft{Report: &finding.Report{
		Schema: finding.Schema, Tool: finding.Tool{Version: s.o.Version}, Baseline: s.Baseline(), Target: t,
		Parameters: finding.Parameters{K: p.K, W: p.W, T: p.T(), Scheme: s.Baselines()[0].Scheme(), MinTokens: s.o.MinTokens, MinScore: s.o.MinScore},
		Findings:   []finding.Finding{}, Suppressions: []finding.Suppression{}, Ledger: append([]finding.Entry{}, outdatedEntries(s.Outdated())...),
	}}
}

// Snippet scans a piece of source of a named language.
func (s *Scanner) Snippet(ctx context.Context, src []byte, language string) (*finding.Report, error) {
	l := lang.ByName(language)
	if l == nil {
		return nil, fmt.Errorf("scan snippet: unknown language %q", language)
	}
	r := s.report(finding.Target{Kind: "snippet"})
	w := s.NewWorker()
	defer w.Close()
	out, err := w.Text(ctx, examine.Input{Path: "-", Language: l}, src)
	if err != nil {
		return nil, err
	}
	r.Take(out)
	for i := range r.Found {
		finding.SetDirection(&r.Found[i].Finding)
	}
	return r.Finish(), nil
}

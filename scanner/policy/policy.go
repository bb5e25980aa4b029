// Package policy is the stage between findings and reports: it decides how much each finding matters. Its input is a
// report with the verdict of each finding. It adds a level to each finding, the rule that set it, the allowance that
// accepts it, and the outcome of every suppression.
//
//	policy.go        Policy.Apply: allowances first, then the rules in order
//	rule.go          Rule: its conditions, the values that they can have, which findings it matches
//	default.go       the rules that apply if no other matches
//	allow.go         Allow: which findings an allowance accepts
//	suppressions.go  earlier reports; allowances that were used, unused or expired
//
// It reads no file and no clock: rules, allowances, earlier reports and the day are arguments.
package policy

import (
	"cmp"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// The levels of findings, the least important first.
const (
	Ignore  = "ignore"
	Note    = "note"
	Warning = "warning"
	Error   = "error"
)

// Levels lists the levels in order.
var Levels = []string{Ignore, Note, Warning, Error}

// Known is an earlier report, whose findings are not new.
type Known struct {
	Name   string
	Report *finding.Report
}

// Policy decides the levels of findings. Make it with New.
type Policy struct {
	rules  []Rule
	allows []Allow
	config string // path of the file that contains them, for the report
	known  []Known
	today  string
}

// New makes a policy of rules, followed by those of Default, and of allowances. Check has checked both. config names
// their file. today decides which allowances have expired.
func New(rules []Rule, allows []Allow, config string, known []Known, today time.Time) *Policy {
	p := &Policy{rules: slices.Concat(rules, Default()), allows: slices.Clone(allows), config: config, known: known, today: today.UTC().Format(time.DateOnly)}
	for i := range p.rules {
		p.rules[i].inPath = pathMatcher(p.rules[i].Path)
	}
	for i := range p.allows {
		p.allows[i].inPath = pathMatcher(p.allows[i].Path)
	}
	return p
}

// Apply sets the level of every finding of a report, and the outcome of every suppression.
func (p *Policy) Apply(r *finding.Report) {
	known := p.earlier(r)
	for i := range p.allows {
		p.allows[i].used = 0
	}
	r.Summary.Allowed, r.Summary.Common = 0, 0
	for i := range r.Findings {
		f := &r.Findings[i]
		if a := p.allowed(f, known[i]); a != nil {
			f.Verdict, f.Level, f.Rule, f.Allowed = finding.AllowedCode, Ignore, "", a
			r.Summary.Allowed++
			continue
		}
		if f.Verdict == finding.CommonCode {
			r.Summary.Common++
		}
		rule := p.rule(f)
		f.Level, f.Rule = rule.Level, rule.Name
	}
	r.Suppressions = append(r.Suppressions, p.suppressions(r)...)
	slices.SortStableFunc(r.Suppressions, func(a, b finding.Suppression) int {
		return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
}

// SetLevel sets the level of one finding again, after the finding has changed. An allowed finding stays allowed.
func (p *Policy) SetLevel(f *finding.Finding) {
	if f.Allowed == nil {
		rule := p.rule(f)
		f.Level, f.Rule = rule.Level, rule.Name
	}
}

// rule returns the first rule that matches; the last rule of Default always does.
func (p *Policy) rule(f *finding.Finding) *Rule {
	for i := range p.rules {
		if p.rules[i].fits(f) {
			return &p.rules[i]
		}
	}
	return &p.rules[len(p.rules)-1]
}

// allowed returns the allowance of a finding: from the mark next to it, the configuration, or an earlier report, in
// this order; nil if there is none.
func (p *Policy) allowed(f *finding.Finding, known string) *finding.Allowance {
	if m := f.Inline; m != nil && m.Err == nil && !p.expired(m.Expires) {
		return &finding.Allowance{By: "inline", Reason: m.Reason, Expires: m.Expires}
	}
	var found *finding.Allowance
	for i := range p.allows {
		a := &p.allows[i]
		if !a.fits(f) {
			continue
		}
		a.used++
		if found == nil && !p.expired(a.Expires) {
			found = &finding.Allowance{By: "configuration", Reason: a.Reason, Expires: a.Expires}
		}
	}
	if found == nil && known != "" {
		found = &finding.Allowance{By: "known", Reason: "in " + known}
	}
	return found
}

// expired reports whether today is after the last day.
func (p *Policy) expired(last string) bool { return last != "" && p.today > last }

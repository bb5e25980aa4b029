// Package policy is the stage between findings and reports: it decides how much each finding matters. Its input is a
// report with the verdict of each finding. It adds a level to each finding, the rule that set it, the allowance that
// accepts it, and the outcome of every suppression.
//
// It reads no file and no clock: rules, allowances, earlier reports and the day are arguments.
package policy

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git/ignore"
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

// The values that the conditions of a rule can have, as a configuration file spells them. Places are those of notices.
var (
	Verdicts        = []string{string(finding.Attributed), string(finding.AttributionWrong), string(finding.LicenceStripped), string(finding.AttributedElsewhere), string(finding.Undeclared), string(finding.CommonCode)}
	Directions      = []string{"from", "to", "unknown"}
	Owners          = []string{OwnerSame, "other"}
	Kinds           = []string{KindCode, KindProse, KindDocumentation, KindTable}
	Places          = []string{InFile, InFolder, InRoot}
	Histories       = []string{HistoryShared, "other"}
	Compatibilities = []string{string(license.Fits), string(license.Ask), string(license.FitsNot), CompatibilityUnknown}
)

// The kinds of text a region can be: code, a document for people, a comment, or a table of numbers or named numbers.
const (
	KindCode          = "code"
	KindProse         = "prose"
	KindDocumentation = "documentation"
	KindTable         = "table"
)

// The places where the target can name an origin, the nearest first: in the file itself, in a notice or licence file of a folder above
// it, or only in a notice file at the root. The last speaks of the whole target: it says that the package is used somewhere.
const (
	InFile   = "file"
	InFolder = "folder"
	InRoot   = "root"
)

// namedIn returns the nearest place that names the origin or its holder, or "".
func namedIn(f *finding.Finding) string {
	place := ""
	for _, n := range f.Attributions {
		switch {
		case !n.NamesOrigin():
		case n.Path == "":
			return InFile
		case license.Folder(n.Path) != ".":
			place = InFolder
		case place == "":
			place = InRoot
		}
	}
	return place
}

func kindOf(f *finding.Finding) string {
	switch {
	case f.Documentation:
		return KindDocumentation
	case f.IsProse():
		return KindProse
	case f.Table:
		return KindTable
	}
	return KindCode
}

const (
	// OwnerSame is the owner of a package with the same publisher as the target.
	OwnerSame = "same"
	// HistoryShared is the history of a region that came by a commit that the origin's repository has too, as in a fork.
	HistoryShared = "shared"
	// CompatibilityUnknown is the answer of licences that are not both known.
	CompatibilityUnknown = "unknown"
)

// compatibilityOf says whether the origin's licence fits the target's.
func compatibilityOf(f *finding.Finding) string {
	if f.Compatibility == nil {
		return CompatibilityUnknown
	}
	return string(f.Compatibility.Answer)
}

// Rule gives a level to the findings that match it. An empty list matches every finding. In any other list at least one
// entry has to match.
type Rule struct {
	Name          string
	License       []string // classes, SPDX identifiers with * and ?, or whole expressions
	Package       []string // package URLs with * and ?
	Path          []string // of the target, in .gitignore's syntax
	Verdict       []string
	Direction     []string
	Owner         []string // same, other: whether the origin's package has the same publisher as the target
	Kind          []string // code, prose, documentation, table
	NamedIn       []string // file, folder, root: the nearest place that names the origin
	History       []string // shared, other: whether the region came by a commit that the origin's repository has too
	Compatibility []string // compatible, ask, not-compatible, unknown: the origin's licence and the target's
	MinTokens     int
	MinLines      int
	BelowScore    float64 // 0 matches all
	Level         string

	inPath func(string) bool
}

// Allow accepts the findings that match it: by id, by origin, or by the content of the origin's file, in some paths or
// in all.
type Allow struct {
	Finding string // id
	Origin  string // package URL with * and ?
	Content string // SHA-256 of the origin's file, or at least its first twelve digits
	Path    []string
	Reason  string
	Expires string // YYYY-MM-DD, the last day on which it applies; "" is never
	Line    int    // its line in the configuration

	inPath func(string) bool
	used   int
}

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

// pathMatcher returns a function that reports whether a path matches patterns in .gitignore's syntax. If there are none, every path does.
func pathMatcher(patterns []string) func(string) bool {
	if len(patterns) == 0 {
		return func(string) bool { return true }
	}
	fits := ignore.Lines(patterns).Match
	return func(path string) bool { return fits(finding.UnescapeName(path)) }
}

// fits reports whether a rule matches a finding.
func (r *Rule) fits(f *finding.Finding) bool {
	o := &f.Origins[0]
	return f.Tokens >= r.MinTokens && f.EndLine-f.StartLine+1 >= r.MinLines && (r.BelowScore == 0 || f.Score < r.BelowScore) &&
		holds(r.Verdict, func(v string) bool { return v == string(f.Verdict) }) &&
		holds(r.Direction, func(d string) bool { return d == f.Direction }) &&
		holds(r.Owner, func(w string) bool { return (w == OwnerSame) == o.SameOwner }) &&
		holds(r.Kind, func(k string) bool { return k == kindOf(f) }) &&
		holds(r.NamedIn, func(p string) bool { return p == namedIn(f) }) &&
		holds(r.History, func(h string) bool { return (h == HistoryShared) == f.SharedHistory() }) &&
		holds(r.Compatibility, func(a string) bool { return a == compatibilityOf(f) }) &&
		holds(r.License, func(l string) bool { return licensed(l, o.License) }) &&
		holds(r.Package, func(p string) bool { return purl.Match(p, o.PURL) }) &&
		r.inPath(f.Path)
}

// holds reports whether a condition of a rule holds: it is empty, or one of its entries fits.
func holds(list []string, fits func(string) bool) bool {
	return len(list) == 0 || slices.ContainsFunc(list, fits)
}

// licensed reports whether a licence pattern matches an expression. A class matches the class of the expression. An
// identifier matches if it binds under every choice. An expression matches an equal one.
func licensed(pattern, expr string) bool {
	if slices.Contains(license.Classes, license.Class(pattern)) {
		return license.ClassOf(expr) == license.Class(pattern)
	}
	if pattern == license.NoAssertion {
		return license.Expression(expr) == license.NoAssertion
	}
	if !strings.ContainsAny(pattern, "*?[") {
		if pattern = license.Expression(pattern); pattern == license.Expression(expr) {
			return true
		}
	}
	return license.Binds(expr, func(term string) bool {
		id, _, _ := strings.Cut(term, " WITH ")
		whole, _ := path.Match(pattern, term)
		bare, _ := path.Match(pattern, id)
		return whole || bare
	})
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

func (a *Allow) fits(f *finding.Finding) bool {
	origin := func(o finding.Origin) bool {
		return (a.Origin == "" || purl.Match(a.Origin, o.PURL)) && strings.HasPrefix(o.SHA256, strings.TrimPrefix(a.Content, "sha256:"))
	}
	return (a.Finding == "" || a.Finding == f.ID || a.Finding == f.ContentID() || slices.Contains(f.FormerIDs, a.Finding)) && slices.ContainsFunc(f.Origins, origin) && a.inPath(f.Path)
}

// expired reports whether today is after the last day.
func (p *Policy) expired(last string) bool { return last != "" && p.today > last }

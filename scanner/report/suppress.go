package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// maxStatements is how many statements of the target are shown: the nearest tell
// most.
const maxStatements = 2

// statements shows what the target says of a finding, and what of the origin
// that names.
func statements(f *finding.Finding, all bool) []string {
	var out []string
	for i, n := range told(f.Attributions) {
		if i == maxStatements && !all {
			break
		}
		place := fmt.Sprintf("line %d", n.Line)
		if n.Path != "" {
			place = fmt.Sprintf("%s:%d", Escape(n.Path), n.Line)
		}
		out = append(out, fmt.Sprintf("%s: \"%s\" names %s", place, Escape(clip(n.Text, 80)), namesWords(n.Names)))
	}
	if n := len(f.Attributions) - len(out); n > 0 {
		out = append(out, fmt.Sprintf("+%d more", n))
	}
	return out
}

// told puts what names something of the origin first.
func told(ns []finding.Notice) []finding.Notice {
	out := slices.Clone(ns)
	slices.SortStableFunc(out, func(a, b finding.Notice) int { return cmp.Compare(namesRank(a.Names), namesRank(b.Names)) })
	return out
}

func namesRank(names string) int {
	return max(0, slices.Index([]string{"package", "holder", "license", "other", "nothing"}, names))
}

func allowance(a *finding.Allowance) []string {
	if a == nil {
		return nil
	}
	out := "by " + Escape(a.By)
	if a.Reason != "" {
		out += ": " + Escape(a.Reason)
	}
	if a.Expires != "" {
		out += " (until " + Escape(a.Expires) + ")"
	}
	return []string{out}
}

// howToAllow tells it once, not with every finding.
func (t *text) howToAllow() {
	fmt.Fprintln(t.w, `to allow one: the comment  git-provenance:allow reason="…"  above it, or in .git-provenance.yml  allow: [{finding: ID, reason: "…"}]`)
}

// suppressions counts what was allowed and tells of every suppression that is
// not as it should be, or that the change examined brings itself. The rest is
// shown on request.
func (t *text) suppressions(r *finding.Report) {
	ignored := 0
	for i := range r.Findings {
		if f := &r.Findings[i]; Quiet(f) && f.Allowed == nil {
			ignored++
		}
	}
	if hidden := quietWords(r.Summary.Allowed, ignored); hidden != "" {
		if !t.o.Verbose {
			hidden += "; --verbose lists them"
		}
		fmt.Fprintln(t.w, hidden)
	}
	for i := range r.Suppressions {
		s := &r.Suppressions[i]
		if t.o.Verbose || s.Added || s.State != finding.Used && s.By != "known" {
			fmt.Fprintln(t.w, t.paint(yellow, SuppressionWords(s)))
		}
	}
}

func quietWords(allowed, ignored int) string {
	var parts []string
	if allowed > 0 {
		parts = append(parts, group(allowed)+" allowed")
	}
	if ignored > 0 {
		parts = append(parts, group(ignored)+" ignored by the policy")
	}
	return strings.Join(parts, ", ")
}

// SuppressionWords tells on one line what a suppression is and what became of it.
func SuppressionWords(s *finding.Suppression) string {
	place := Escape(s.Path)
	if s.Line > 0 {
		place += fmt.Sprintf(":%d", s.Line)
	}
	if s.State == finding.Changed {
		return place + ": " + Escape(s.Detail)
	}
	out := place + ": " + Escape(s.State) + " allowance"
	if s.By == "known" {
		out = place + ": earlier report"
	}
	if s.Added {
		out += ", added by this very change"
	}
	switch {
	case s.Detail != "":
		out += ": " + Escape(s.Detail)
	case s.State == finding.Expired:
		out += ": it held until " + Escape(s.Expires)
	case s.Findings > 0:
		out += ": " + plural(s.Findings, "finding")
	}
	if s.Reason != "" {
		out += fmt.Sprintf(" (\"%s\")", Escape(s.Reason))
	}
	return out
}

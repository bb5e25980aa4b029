package text

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// HowToAccept names the two places of an allowance.
const HowToAccept = `write the comment  git-provenance:allow reason="…"  above it, or in .git-provenance.yml  allow: [{finding: ID, reason: "…"}]`

// howToGoOn says once how to check a finding and how to accept it, instead of with every finding. The hook and the Action, which
// show findings in full, have their own words for the former.
func (t *printer) howToGoOn(fs []*finding.Finding) {
	if t.o.Accept == "" && !t.o.All {
		fmt.Fprintln(t.w, "to see both sides of a finding: git-provenance explain "+words.ExplainFlags(fs)+"ID, with the flags of the scan")
	}
	fmt.Fprintln(t.w, cmp.Or(t.o.Accept, `to accept a finding: `+HowToAccept))
}

// suppressions counts the allowed findings. It lists every suppression that has a problem, or that the examined change
// adds. The others are listed on request.
func (t *printer) suppressions(r *finding.Report) {
	ignored := 0
	for i := range r.Findings {
		if f := &r.Findings[i]; order.Quiet(f) && f.Allowed == nil {
			ignored++
		}
	}
	if hidden := quietWords(r.Summary.Allowed, ignored); hidden != "" {
		if !t.o.Verbose {
			hidden += t.lists()
		}
		fmt.Fprintln(t.w, hidden)
	}
	for i := range r.Suppressions {
		s := &r.Suppressions[i]
		if t.o.Verbose || s.Added || s.State != finding.Used && s.By != "known" {
			fmt.Fprintln(t.w, t.paint(yellow, words.Suppression(s)))
		}
	}
}

func quietWords(allowed, ignored int) string {
	var parts []string
	if allowed > 0 {
		parts = append(parts, words.Number(allowed)+" allowed")
	}
	if ignored > 0 {
		parts = append(parts, words.Number(ignored)+" ignored by the policy")
	}
	return strings.Join(parts, ", ")
}

// lists says how to see what a line only counts.
func (t *printer) lists() string { return "; " + t.verbose() + " lists them" }

// verbose names the flag or the command that leaves nothing out.
func (t *printer) verbose() string { return cmp.Or(t.o.Lists, "--verbose") }

// ledger lists what was not examined: counts by reason, or each entry.
func (t *printer) ledger(es []finding.Entry) {
	if len(es) == 0 {
		return
	}
	if !t.o.Verbose {
		fmt.Fprintf(t.w, "not or only partly examined: %s%s\n", strings.Join(byReason(es), ", "), t.lists())
		return
	}
	fmt.Fprintf(t.w, "not or only partly examined: %s\n", strings.Join(byReason(es), ", "))
	for _, e := range es {
		line := fmt.Sprintf("  %s: %s", escape.Line(e.Path), escape.Line(string(e.Reason)))
		if e.Detail != "" {
			line += ": " + escape.Line(e.Detail)
		}
		fmt.Fprintln(t.w, line)
	}
}

// byReason counts entries, the most frequent reason first.
func byReason(es []finding.Entry) []string {
	var out []string
	for _, c := range words.CountReasons(es) {
		out = append(out, words.Number(c.N)+" "+escape.Line(string(c.Reason)))
	}
	return out
}

func (t *printer) summary(r *finding.Report) {
	s, b := &r.Summary, &r.Baseline
	in := words.Plural(s.Files, "file")
	if s.Commits > 0 {
		in += " of " + words.Plural(s.Commits, "commit")
	}
	fmt.Fprintf(t.w, "%s in %s (%s); baseline %s: %s, %s\n", t.paint(bold, words.Plural(s.Findings, "finding")), in,
		words.Plural(s.Tokens, "token"), escape.Line(words.Shorten(b.Digest)), words.Plural(b.Packages, "package"), words.Plural(b.Documents, "document"))
}

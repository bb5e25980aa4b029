package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// AddToLedger adds entries to the ledger of a finished report.
func (r *Report) AddToLedger(es ...Entry) {
	r.Ledger = append(r.Ledger, es...)
	r.sortLedger()
}

func (r *Report) sortLedger() {
	slices.SortStableFunc(r.Ledger, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Detail, b.Detail))
	})
	r.Ledger = slices.Compact(r.Ledger) // a history reads the same file many times
}

// Finish escapes names, sorts the report, and makes ids unique.
func (r *Report) Finish() *Report {
	r.escapeNames()
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.ID, b.ID))
	})
	r.number()
	r.sortLedger()
	r.Summary.Findings = len(r.Findings)
	r.sortInline()
	r.SetUnseen()
	return r
}

// SetUnseen sets Unseen from the ledger and the summary.
func (r *Report) SetUnseen() {
	r.Unseen = nil
	if cut := shallow(r.Ledger); len(cut) > 0 {
		begin := fmt.Sprintf("commit %.12s", cut[0])
		if len(cut) > 1 {
			begin = fmt.Sprintf("%d commits, the first %.12s", len(cut), cut[0])
		}
		r.Unseen = append(r.Unseen, "The clone is shallow. Its history begins with "+begin+" here; what that holds, and all that is older, was not compared. "+
			"Run git fetch --unshallow and scan again; for actions/checkout, set fetch-depth: 0.")
	}
	if r.Summary.Tokens > 0 {
		return
	}
	what := map[string]string{"tree": "no file with code or text was read", "history": "no commit that was read brings a file with code or text"}[r.Target.Kind]
	if what == "" {
		return // many changes have no tokens
	}
	if len(r.Ledger) > 0 {
		what += "; the ledger says what was left out"
	}
	if slices.ContainsFunc(r.Ledger, func(e Entry) bool { return e.Reason == lang.TooLarge }) {
		what += ", and --max-file-size BYTES reads what is too large"
	}
	r.Unseen = append(r.Unseen, "Nothing was compared: "+what+".")
}

// shallow lists the commits at which a history is cut off.
func shallow(ledger []Entry) (out []string) {
	for _, e := range ledger {
		if _, rest, ok := strings.Cut(e.Detail, "commit "); ok && e.Reason == ReasonShallow {
			name, _, _ := strings.Cut(rest, ":")
			out = append(out, name)
		}
	}
	return out
}

// sortInline sorts the allow marks and removes duplicates: a history reads one mark many times.
func (r *Report) sortInline() {
	slices.SortFunc(r.Inline, func(a, b Inline) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Origin, b.Origin),
			cmp.Compare(a.Expires, b.Expires), cmp.Compare(b.Covers, a.Covers))
	})
	r.Inline = slices.CompactFunc(r.Inline, func(a, b Inline) bool {
		return a.Path == b.Path && a.Line == b.Line && a.Reason == b.Reason && a.Origin == b.Origin && a.Expires == b.Expires
	})
}

// CompareTrue puts true before false.
func CompareTrue(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

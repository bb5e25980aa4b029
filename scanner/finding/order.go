package finding

import (
	"cmp"
	"slices"
)

// Note adds entries to the ledger of a finished report.
func (r *Report) Note(es ...Entry) {
	r.Ledger = append(r.Ledger, es...)
	r.sortLedger()
}

func (r *Report) sortLedger() {
	slices.SortStableFunc(r.Ledger, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Detail, b.Detail))
	})
	r.Ledger = slices.Compact(r.Ledger) // a history meets the same file many times
}

// Finish puts everything into its one order.
func (r *Report) Finish() *Report {
	r.escapeNames()
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.ID, b.ID))
	})
	r.number()
	r.sortLedger()
	r.Summary.Findings = len(r.Findings)
	r.sortInline()
	return r
}

// sortInline puts marks into their one order; a history meets one many times.
func (r *Report) sortInline() {
	slices.SortFunc(r.Inline, func(a, b Inline) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Origin, b.Origin),
			cmp.Compare(a.Expires, b.Expires), cmp.Compare(b.Covers, a.Covers))
	})
	r.Inline = slices.CompactFunc(r.Inline, func(a, b Inline) bool {
		return a.Path == b.Path && a.Line == b.Line && a.Reason == b.Reason && a.Origin == b.Origin && a.Expires == b.Expires
	})
}

// CompareTrue puts what is so first.
func CompareTrue(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

package scanner

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Suppression is one way by which somebody asked not to be told of findings, and
// what became of it.
type Suppression struct {
	By       string `json:"by"` // configuration, inline, known
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"`
	State    string `json:"state"` // used, unused, expired, refused, changed
	Reason   string `json:"reason,omitempty"`
	Expires  string `json:"expires,omitempty"` // YYYY-MM-DD, the last day it holds
	Detail   string `json:"detail,omitempty"`  // why it was refused
	Findings int    `json:"findings"`          // that it allowed
	Added    bool   `json:"added,omitempty"`   // by the very change that was examined
}

// The states of suppressions.
const (
	Used    = "used"
	Unused  = "unused"  // nothing it fits was found
	Expired = "expired" // not obeyed any more
	Refused = "refused" // not obeyed: something is wrong with it
	Changed = "changed" // the change examined changes the file that holds the policy
)

// Inline is a mark in a file of the target.
type Inline struct {
	attribution.Allow
	Path   string
	Covers int  // findings, those in old code among them
	Added  bool // it stands on a new line of the change examined
}

// allow finds the marks of a text and the findings they cover.
func (w *worker) allow(in input, st stream, found []Finding) []Inline {
	marks := attribution.Allows(st.text, false, st.quotes())
	if len(marks) == 0 {
		return nil
	}
	var added []git.Range
	if in.added != nil {
		added = in.added(st.text)
	}
	out := make([]Inline, len(marks))
	for i, m := range marks {
		out[i] = Inline{Allow: m, Path: st.path, Added: slices.ContainsFunc(added, func(r git.Range) bool { return r.First <= m.Line && m.Line <= r.Last })}
	}
	for i := range found {
		f := &found[i]
		function := 0
		if f.Function != nil {
			function = f.Function.StartLine
		}
		for j := range out {
			m := &out[j]
			if !m.Allow.Covers(f.core.First, f.core.Last, function) && !m.Allow.Covers(f.StartLine, f.EndLine, function) || m.Origin != "" && !purl.Match(m.Origin, f.Origins[0].PURL) {
				continue
			}
			m.Covers++
			if f.Inline == nil || f.Inline.Err != nil {
				f.Inline = m
			}
		}
	}
	return out
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

// noteConfig tells that a change is one to the file that decides what of it is
// reported.
func (r *Report) noteConfig(config string, c git.Change) {
	if config != "" && c.Path == config {
		r.Suppressions = append(r.Suppressions, Suppression{By: "configuration", Path: c.Path, State: Changed, Added: true,
			Detail: "the change examined changes the policy it is judged by"})
	}
}

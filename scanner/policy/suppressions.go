package policy

import (
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// earlier finds the earlier report that contains each finding. Findings are counted: a second copy of a region that was
// known once is new. If there are several copies, those at their earlier path are the known ones.
func (p *Policy) earlier(r *finding.Report) []string {
	type location struct{ id, path string }
	out := make([]string, len(r.Findings))
	for _, k := range p.known {
		at, left := make(map[location]int), make(map[string]int)
		for i := range k.Report.Findings {
			f := &k.Report.Findings[i]
			at[location{f.ContentID(), f.Path}]++
			left[f.ContentID()]++
		}
		took := make([]bool, len(r.Findings)) // from this report
		for i := range r.Findings {
			f := &r.Findings[i]
			if s := (location{f.ContentID(), f.Path}); at[s] > 0 {
				at[s]--
				left[f.ContentID()]--
				took[i] = true
			}
		}
		for i := range r.Findings {
			if f := &r.Findings[i]; !took[i] && left[f.ContentID()] > 0 {
				left[f.ContentID()]--
				took[i] = true
			}
		}
		for i := range r.Findings { // in a history: its earlier ids
			f := &r.Findings[i]
			if at := slices.IndexFunc(f.FormerIDs, func(id string) bool { return left[id] > 0 }); !took[i] && at >= 0 {
				left[f.FormerIDs[at]]--
				took[i] = true
			}
		}
		for i := range out {
			if took[i] && out[i] == "" {
				out[i] = k.Name
			}
		}
	}
	return out
}

// suppressions returns the outcome of each suppression.
func (p *Policy) suppressions(r *finding.Report) []finding.Suppression {
	var out []finding.Suppression
	for i := range r.Inline {
		m := &r.Inline[i]
		s := finding.Suppression{By: "inline", Path: m.Path, Line: m.Line, Reason: m.Reason, Expires: m.Expires, Findings: m.Covers, Added: m.Added}
		s.State = p.state(m.Expires, m.Covers)
		if m.Err != nil {
			s.State, s.Detail, s.Findings = finding.Refused, m.Err.Error(), 0
		}
		if s.State == finding.Expired {
			s.Findings = 0
		}
		if s.State == finding.Unused && r.Target.Kind == "history" {
			continue // the finding may be from another time
		}
		out = append(out, s)
	}
	whole := r.Target.Kind == "tree" || r.Target.Kind == "history"
	for i := range p.allows {
		a := &p.allows[i]
		s := finding.Suppression{By: "configuration", Path: p.config, Line: a.Line, Reason: a.Reason, Expires: a.Expires, State: p.state(a.Expires, a.used), Findings: a.used}
		if s.State == finding.Unused && !whole {
			continue // a change need not touch what was allowed
		}
		if s.State == finding.Expired {
			s.Findings = 0
		}
		out = append(out, s)
	}
	for _, k := range p.known {
		n := 0
		for i := range r.Findings {
			if a := r.Findings[i].Allowed; a != nil && a.By == "known" && a.Reason == "in "+k.Name {
				n++
			}
		}
		state := finding.Unused
		if n > 0 {
			state = finding.Used
		}
		out = append(out, finding.Suppression{By: "known", Path: k.Name, State: state, Findings: n})
	}
	return out
}

func (p *Policy) state(expires string, findings int) string {
	switch {
	case p.expired(expires):
		return finding.Expired
	case findings > 0:
		return finding.Used
	}
	return finding.Unused
}

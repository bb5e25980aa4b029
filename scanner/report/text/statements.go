package text

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// maxStatements is how many statements of the target are shown: the nearest tell
// most.
const maxStatements = 2

// statements shows what the target says of a finding, and what of the origin
// that names.
func statements(f *finding.Finding, all bool) []string {
	var out []string
	for i, n := range words.Told(f.Attributions) {
		if i == maxStatements && !all {
			break
		}
		place := fmt.Sprintf("line %d", n.Line)
		if n.Path != "" {
			place = fmt.Sprintf("%s:%d", escape.Line(n.Path), n.Line)
		}
		out = append(out, fmt.Sprintf("%s: \"%s\" names %s", place, escape.Line(escape.Clip(n.Text, 80)), words.Names(n.Names)))
	}
	if n := len(f.Attributions) - len(out); n > 0 {
		out = append(out, fmt.Sprintf("+%d more", n))
	}
	return out
}

func allowance(a *finding.Allowance) []string {
	if a == nil {
		return nil
	}
	out := "by " + escape.Line(a.By)
	if a.Reason != "" {
		out += ": " + escape.Line(a.Reason)
	}
	if a.Expires != "" {
		out += " (until " + escape.Line(a.Expires) + ")"
	}
	return []string{out}
}

package html

import (
	"io"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// WritePart writes a part that the page has for each finding, file, commit or reason:
// the page itself is too long to be written thousands of times a second.
func WritePart(w io.Writer, part string, r *finding.Report) error {
	t, err := parsedPage()
	if err != nil {
		return err
	}
	var data any
	switch part {
	case "fact":
		data = meta(r)[0]
	case "row", "evidence":
		data, err = newRow(1, &r.Findings[0], nil, 0)
	case "file":
		data = pageFiles([]*finding.Finding{&r.Findings[0]})[0]
	case "moment":
		data = newChart(r.Findings).Moments[0]
	case "reason":
		var rs []pageReason
		if rs, err = pageLedger(r.Ledger); err == nil {
			data = rs[0]
		}
	}
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, part, data)
}

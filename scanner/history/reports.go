package history

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

func reportFile(name string) bool { return strings.HasPrefix(name, "report-") }

// reportName returns the file name of the report of a selection. The name is the same as long as nothing that decides the report
// has changed.
func (h *scan) reportName(ctx context.Context) (string, error) {
	heads, bases, err := h.repo.Ends(ctx, h.sel)
	if err != nil {
		return "", err
	}
	main, _, err := h.repo.Ends(ctx, git.Selection{}) // it is preferred among tips, and its notices count
	if _, unborn := errors.AsType[*git.RevisionError](err); err != nil && !unborn {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n%s\n%s\n%d %q\n", heads, bases, main, h.repo.Boundary(), h.sel.Since.Unix(), h.sel.Paths)
	fmt.Fprintf(sum, "%q %v\n", h.e.Options().Exclude, h.e.Options().Vendored)
	return "report-" + hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// wholeReport is a report with the fields that its JSON omits.
type wholeReport struct {
	*finding.Report
	Findings []stored       `json:"findings"`
	Marks    []storedInline `json:"marks"`
}

// recallReport returns a stored report, or nil.
func (m *diskCache) recallReport(name string) *finding.Report {
	if m == nil {
		return nil
	}
	b, err := disk.ReadFile(filepath.Join(m.dir, name))
	if err != nil || len(b) < 4 || binary.LittleEndian.Uint32(b) != crc32.Checksum(b[4:], castagnoli) {
		return nil
	}
	w := wholeReport{Report: &finding.Report{}}
	if json.NewDecoder(flate.NewReader(bytes.NewReader(b[4:]))).Decode(&w) != nil {
		return nil
	}
	w.Report.Findings = unshelve(w.Findings)
	for _, m := range w.Marks {
		w.Report.Inline = append(w.Report.Inline, *m.unshelve())
	}
	return w.Report
}

// keepReport stores a report for the next run over the same history.
func (m *diskCache) keepReport(name string, r *finding.Report) error {
	if m == nil {
		return nil
	}
	w := wholeReport{Report: r, Findings: shelve(r.Findings)}
	for i := range r.Inline {
		w.Marks = append(w.Marks, *shelveInline(&r.Inline[i]))
	}
	body, err := pack(make([]byte, 4), w)
	if err != nil || int64(len(body)) > maxCache/4 {
		return err
	}
	binary.LittleEndian.PutUint32(body, crc32.Checksum(body[4:], castagnoli))
	m.limitReports()
	return m.write(name, body)
}

// maxReports limits the reports stored for one baseline and set of parameters.
const maxReports = 32

// limitReports removes all reports if there is no room for one more.
func (m *diskCache) limitReports() {
	names := m.named(reportFile)
	if len(names) < maxReports {
		return
	}
	for _, name := range names { // all of them: most histories have one report, that of their tip
		disk.Remove(name)
	}
}

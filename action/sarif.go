package action

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/sarif"
	"github.com/google/go-github/v60/github"
)

const (
	sarifName = "report.sarif"
	// maxSARIF is the largest compressed file that code scanning accepts, in bytes.
	maxSARIF = 10 << 20
)

func (r *run) writeSARIF(rep *finding.Report) error {
	b, err := rendered(func(w io.Writer) error { return sarif.Write(w, rep) })
	if err != nil {
		return err
	}
	if err := os.WriteFile(r.file(sarifName), b, 0o666); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// uploadSARIF uploads the file to code scanning, for the commit whose lines it names. It replaces an earlier file for
// the same commit.
func (p *publisher) uploadSARIF(ctx context.Context, j *job, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read report: %w", err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("compress report: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("compress report: %w", err)
	}
	if z.Len() > maxSARIF {
		return fmt.Errorf("the compressed report has %d bytes, code scanning takes %d", z.Len(), maxSARIF)
	}
	a := &github.SarifAnalysis{
		CommitSHA: &j.scope.lines, Ref: github.String(j.sarifRef()), ToolName: github.String("git-provenance"),
		Sarif: github.String(base64.StdEncoding.EncodeToString(z.Bytes())),
	}
	return p.retried(ctx, func() error {
		_, _, err := p.client.CodeScanning.UploadSarif(ctx, p.owner, p.repo, a)
		if _, accepted := errors.AsType[*github.AcceptedError](err); accepted {
			return nil // it is processed later
		}
		return err
	})
}

// sarifRef returns the reference whose tip is the commit: the head of the pull request, or the workflow's reference.
func (j *job) sarifRef() string {
	if n := j.pull(); n > 0 && j.scope.lines != j.sha {
		return fmt.Sprintf("refs/pull/%d/head", n)
	}
	return j.ref
}

// Package calibrate turns the score into a share of true findings. It lists findings in unknown files for a person to label,
// fits the weights of the score to the labels, and tests it on findings that it was not fitted to.
package calibrate

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Row is a finding with its label.
type Row struct {
	score.Traits
	Kind   string // of the packages on both sides
	Path   string // language/package/file
	Lines  string
	Origin string
	Place  string // in the origin
	Label  string // true-copy, false, unknown, unread
	How    string // read: both sides; reviewed: by reviewed.tsv; names: by path and names
	Why    string
	Plain  bool // the file is plain text: Share is read, and Order and Unchanged are not
}

// columns of the table.
const columns = 12

// readRows reads a table of labels. One of plain text has the share of the file instead of the order, and nothing unchanged.
func readRows(name string, plain bool) (out []Row, err error) {
	err = corpus.Rows(name, columns, func(c []string) error {
		r := Row{Plain: plain}
		for i, to := range []*float64{&r.Above, &r.Order, &r.Unchanged} {
			x, err := strconv.ParseFloat(c[i], 64)
			if err != nil {
				return err
			}
			*to = x
		}
		if plain {
			r.Order, r.Share = 0, r.Order
		}
		r.Supported = c[3] == "yes"
		r.Kind, r.Path, r.Lines, r.Origin, r.Place, r.Label, r.How, r.Why = c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11]
		out = append(out, r)
		return nil
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	return out, err
}

// writeRows writes lines of the table.
func writeRows(out io.Writer, rs []Row) error {
	w := bufio.NewWriter(out)
	for _, r := range rs {
		supported := "no"
		if r.Supported {
			supported = "yes"
		}
		fmt.Fprintf(w, "%.1f\t%.3f\t%.3f\t%s\t%s\n", r.Above, r.Order, r.Unchanged, supported,
			strings.Join([]string{r.Kind, r.Path, r.Lines, r.Origin, r.Place, r.Label, r.How, r.Why}, "\t"))
	}
	return w.Flush()
}

// language and target are the first two parts of the path.
func (r Row) language() string { return part(r.Path, 0) }
func (r Row) target() string   { return part(r.Path, 1) }

// pair returns what the row's packages have in common with those of other rows. In plain text these are the two owners, since both sides
// of a pair were scanned.
func (r Row) pair() [2]string {
	if !r.Plain {
		return [2]string{r.target(), r.Origin}
	}
	here, _, _ := strings.Cut(r.target(), "+")
	there, _, _ := strings.Cut(strings.TrimPrefix(r.Origin, "pkg:github/"), "/")
	return [2]string{min(here, there), max(here, there)}
}

func part(path string, n int) string {
	if parts := strings.SplitN(path, "/", 3); n < len(parts) {
		return parts[n]
	}
	return ""
}

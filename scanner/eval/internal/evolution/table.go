package evolution

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// Row is a repository of docs/eval/evolution.tsv.
type Row struct {
	Role, Lang, Repository string
	Commits                []string // the first is indexed; functions of the last are searched; of a host there is one
}

var roles = []string{"train", "validate", "sealed", "late", "latest", "newest", "formatted", "wider", "wider-held"}

// host is the role of repositories whose files receive functions, in languages that the corpus lacks.
const host = "host"

// Table reads evolution.tsv.
func Table(name string) (out []Row, err error) {
	err = corpus.Rows(name, 6, func(r []string) error {
		row := Row{Role: r[0], Lang: r[1], Repository: r[2], Commits: strings.Fields(r[5])}
		if len(row.Commits) < 2 && row.Role != host {
			return fmt.Errorf("%s has fewer than two commits", row.Repository)
		}
		out = append(out, row)
		return nil
	})
	return out, err
}

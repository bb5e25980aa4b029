package examine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	from "github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
)

// What is compared at once and what is left for later are together what would be compared if nothing were left, and a text
// without a finding is compared with the former only.
func TestProveLeavesForLater(t *testing.T) {
	ctx := context.Background()
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no Go distribution")
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	w := worker(t, filepath.Join(src, "go", "types"))
	left, later := 0, 0
	for _, name := range []string{"go/ast/print.go", "go/printer/printer.go", "go/parser/parser.go", "text/template/exec.go"} {
		text, err := os.ReadFile(filepath.Join(src, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		st, _ := w.Tokenize(Input{Path: name, Language: lang.ByName("go")}, text)
		q := w.ask(st)
		if _, err := q.lookup(ctx); err != nil {
			t.Fatal(err)
		}
		early, err := q.prove(ctx)
		if err != nil {
			t.Fatal(err)
		}
		n, notes := len(q.late), q.unproved()
		left += n
		all, err := q.proveLate(ctx, slices.Clone(early))
		if err != nil {
			t.Fatal(err)
		}
		later += len(all) - len(early)
		if n > 0 && len(notes) == 0 {
			t.Errorf("%s: %d documents are left, and no entry of the ledger says so", name, n)
		}
		if q.left.n > 0 || len(q.late) > 0 {
			t.Errorf("%s: %d documents are left for ever", name, len(q.late))
		}
		if want := atOnce(t, q); !slices.Equal(places(all), want) {
			t.Errorf("%s: %v, want %v", name, places(all), want)
		}
	}
	if left == 0 || later == 0 {
		t.Errorf("%d documents are left, with %d matches: nothing is tested", left, later)
	}
}

// worker indexes a directory and returns a worker that looks texts up in it.
func worker(t *testing.T, dir string) *Worker {
	ctx, base := context.Background(), t.TempDir()
	ps, err := from.Open(ctx, dir, from.Options{PURL: "pkg:generic/known@1", Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := baseline.OpenWriter(ctx, base, baseline.Defaults, fingerprint.Key{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Add(ctx, ps, baseline.AddOptions{})
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	opened, err := baseline.Open(ctx, base)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	e, err := New([]*baseline.Baseline{opened}, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	w := e.NewWorker()
	t.Cleanup(w.Close)
	return w
}

// place is where a proof is.
type place struct {
	doc      docKey
	from, to uint32
}

func places(ps []proof) (out []place) {
	for _, p := range ps {
		out = append(out, place{p.doc.key, p.from, p.to})
	}
	slices.SortFunc(out, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.doc.id, b.doc.id), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	return out
}

// atOnce are the proofs of a text of which nothing is left for later.
func atOnce(t *testing.T, q *query) []place {
	if _, err := q.lookup(context.Background()); err != nil {
		t.Fatal(err)
	}
	q.larger = q.larger[:0]
	ps, err := q.proveAll(context.Background(), nil, q.hits.bundles(q.prints, q.first, 1), q.e.needed(len(q.Tokens)), false)
	if err != nil {
		t.Fatal(err)
	}
	return places(ps)
}

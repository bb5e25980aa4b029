package baseline_test

import (
	"context"
	"flag"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

var (
	updatePrior = flag.String("update-prior", "", "write model/prior from the baseline at this path")
	renewed     = flag.String("renew", "", "a family that is written even if the old prior counts more units of it")
)

// priorShare keeps the built-in model near two megabytes.
const priorShare = 0.005

func TestPrior(t *testing.T) {
	if *updatePrior != "" {
		b, err := baseline.Open(context.Background(), *updatePrior)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		m = m.Trim(priorShare)
		m.Fill(model.Prior(), *renewed)
		if err := m.Write("model/prior"); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range []string{"go", "java", "python", "javascript", "c", "rust", "csharp", "kotlin", "swift", "php", "ruby", "scala", "bash", "lua"} {
		l := lang.ByName(name)
		f := model.Prior().Of(l.Family)
		if f == nil || f.Units < 50 {
			t.Errorf("the prior knows nothing of %s", name)
		}
	}
}

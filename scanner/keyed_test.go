package scanner_test

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestKeyedAndUnkeyedTogether: one scan can use baselines with and without keys. Each has its own findings, and a copied file has
// the same ones with and without a key.
func TestKeyedAndUnkeyedTogether(t *testing.T) {
	sorts := pack{"pkg:golang/example.com/sort@v1", "MIT", "2023-02-01", stdFiles(t, "sort/sort.go", "sort/search.go")}
	lists := pack{"pkg:golang/example.com/list@v1", "MIT", "2023-02-01", stdFiles(t, "container/list/list.go", "container/ring/ring.go")}
	codes := pack{"pkg:golang/example.com/code@v1", "MIT", "2023-02-01", stdFiles(t, "encoding/base64/base64.go", "encoding/hex/hex.go")}
	one, two := fingerprint.NewKey([]byte("the first of two secrets")), fingerprint.NewKey([]byte("the second of two secrets"))
	all := func(one, two fingerprint.Key) *finding.Report {
		bases := []*baseline.Baseline{
			open(t, build(t, t.TempDir(), baseline.Defaults, sorts)),
			open(t, buildKeyed(t, t.TempDir(), baseline.Defaults, one, lists), one),
			open(t, buildKeyed(t, t.TempDir(), baseline.Defaults, two, codes), one, two),
		}
		target := stdFiles(t, "sort/sort.go", "container/list/list.go", "encoding/base64/base64.go")
		return tree(t, scan(t, scanner.Options{}, bases...), target.dir(t))
	}
	ids := func(r *finding.Report) (ids []string) {
		for _, f := range r.Findings {
			ids = append(ids, f.Path+" "+f.Origins[0].PURL+" "+f.ID)
		}
		return ids
	}
	plain, keyed := all(fingerprint.Key{}, fingerprint.Key{}), all(one, two)
	if len(plain.Findings) != 3 || !slices.Equal(ids(plain), ids(keyed)) {
		t.Errorf("with keys %v, without %v", ids(keyed), ids(plain))
	}
	if plain.Baseline.Digest == keyed.Baseline.Digest {
		t.Error("the digest does not tell of keys")
	}
}

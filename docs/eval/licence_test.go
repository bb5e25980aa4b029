package eval

import (
	"bufio"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
)

var (
	licencesFile = flag.String("licences-of", "licences.tsv,licences-unseen.tsv", "tables of labels, separated by commas")
	licencesDir  = flag.String("licences", "", "hold the licences of files to licences.tsv; what no registry has is read from this directory")
)

// TestLicences adds the packages of a table of labels to a baseline and asks it for the
// licence of each file; licences.sh calls it.
func TestLicences(t *testing.T) {
	if *licencesDir == "" {
		t.Skip("no -licences")
	}
	told, right := 0, 0
	for name := range strings.SplitSeq(*licencesFile, ",") {
		a, b := holdLicences(t, name)
		told, right = told+a, right+b
	}
	if float64(right) < 0.98*float64(told) {
		t.Error("less than 0.98 of the licences told are right")
	}
}

// holdLicences holds one table.
func holdLicences(t *testing.T, name string) (told, right int) {
	all := 0
	for purl, files := range labels(t, name) {
		known, from := licencesOf(t, purl)
		for path, want := range files {
			all++
			got, ok := known[path]
			switch {
			case !ok:
				t.Errorf("%s %s is not in the baseline", purl, path)
			case got == "NOASSERTION":
				t.Logf("not told: %s %s: %s", purl, path, want)
				told--
			case got == want:
				right++
			default:
				t.Logf("wrong: %s %s: %s (%s), is %s", purl, path, got, from[path], want)
			}
			told++
		}
	}
	t.Logf("%s: %d files; licence told of %d, right in %d (%.3f of those told, %.3f of all)", name, all, told, right, float64(right)/float64(told), float64(right)/float64(all))
	return told, right
}

// labels reads a table: package, path, licence.
func labels(t *testing.T, name string) map[string]map[string]string {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := make(map[string]map[string]string)
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		c := strings.Split(s.Text(), "\t")
		if out[c[0]] == nil {
			out[c[0]] = make(map[string]string)
		}
		out[c[0]][c[1]] = c[2]
	}
	return out
}

// licencesOf returns the licence of each file of a package and where it was read.
func licencesOf(t *testing.T, purl string) (licences, from map[string]string) {
	ctx := context.Background()
	arg, o := purl, source.Options{ModCache: os.Getenv("GOMODCACHE")}
	if name, ok := strings.CutPrefix(purl, "pkg:deb/debian/"); ok {
		arg, o.PURL = filepath.Join(*licencesDir, strings.Replace(name, "@", "_", 1)+".orig.tar.gz"), purl
	}
	pkgs, err := source.Open(ctx, arg, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "base")
	w, err := baseline.OpenWriter(ctx, dir, baseline.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Add(ctx, pkgs, baseline.AddOptions{Workers: 2})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := baseline.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	licences, from = make(map[string]string), make(map[string]string)
	err = pkgs[0].Walk(ctx, source.Limits{}, func(path string, data []byte) error {
		d, ok, err := b.Find(store.Sum(data))
		if err != nil || !ok {
			return err
		}
		occs, err := b.Occurrences(d)
		for _, o := range occs {
			licences[o.Path], from[o.Path] = o.License, o.LicenseFrom.Kind+" "+o.LicenseFrom.Path
		}
		return err
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return licences, from
}

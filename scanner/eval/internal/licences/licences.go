// Package licences compares the licences that a baseline names for files with labels set by a person.
package licences

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// enoughRight is the least share of the named licences that have to be right.
const enoughRight = 0.98

// Check adds the packages of tables of labels to a baseline and looks up the licence of each file.
// docs/eval/licences.sh calls it.
func Check(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("licences", flag.ContinueOnError)
	tables := f.String("tables", "docs/eval", "read them in directory `DIR`")
	names := f.String("of", "licences.tsv,licences-unseen.tsv,licences-listed.tsv,licences-drawn.tsv", "tables of labels, separated by commas")
	part := f.String("part", "", "read tables with a fourth column, and of these only the rows of `PART`")
	archives := f.String("archives", "", "read what no registry has in directory `DIR`")
	if err := f.Parse(args); err != nil {
		return err
	}
	told, right := 0, 0
	for name := range strings.SplitSeq(*names, ",") {
		a, b, err := holdLicences(ctx, out, filepath.Join(*tables, name), *part, *archives)
		if err != nil {
			return err
		}
		told, right = told+a, right+b
	}
	if float64(right) < enoughRight*float64(told) {
		return fmt.Errorf("licences: %d of the %d told are right, fewer than %g", right, told, enoughRight)
	}
	return nil
}

// holdLicences compares one table, or the rows of one part.
func holdLicences(ctx context.Context, out io.Writer, name, part, archives string) (told, right int, err error) {
	all, kinds := 0, make(map[string][2]int) // type of package: told, right
	table, err := labels(name, part)
	if err != nil {
		return 0, 0, err
	}
	for _, purl := range slices.Sorted(maps.Keys(table)) {
		known, from, err := licencesOf(ctx, purl, archives)
		if errors.Is(err, errAbsent) {
			fmt.Fprintf(out, "absent: %s: %d files\n", purl, len(table[purl]))
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		for _, path := range slices.Sorted(maps.Keys(table[purl])) {
			want := table[purl][path]
			got, ok := known[path]
			if !ok { // as a program that reads another language in it may decide
				fmt.Fprintf(out, "not indexed: %s %s\n", purl, path)
				continue
			}
			all++
			kind := kinds[typeOf(purl)]
			switch {
			case got == "NOASSERTION":
				fmt.Fprintf(out, "not told: %s %s: %s\n", purl, path, want)
				continue
			case got == want:
				right++
				kind[1]++
			default:
				fmt.Fprintf(out, "wrong: %s %s: %s (%s), is %s\n", purl, path, got, from[path], want)
			}
			told++
			kind[0]++
			kinds[typeOf(purl)] = kind
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		n := kinds[kind]
		fmt.Fprintf(out, "%s, %s: told of %d, right in %d (%.3f)\n", filepath.Base(name), kind, n[0], n[1], float64(n[1])/float64(n[0]))
	}
	fmt.Fprintf(out, "%s: %d files; licence told of %d, right in %d (%.3f of those told, %.3f of all)\n", filepath.Base(name), all, told, right, float64(right)/float64(told), float64(right)/float64(all))
	return told, right, nil
}

// typeOf returns the type of a package URL.
func typeOf(purl string) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(purl, "pkg:"), "/")
	return kind
}

// labels reads a table by package and path. Tables that are divided have the part in a fourth column.
func labels(name, part string) (map[string]map[string]string, error) {
	out, columns := make(map[string]map[string]string), 3
	if part != "" {
		columns = 4
	}
	err := corpus.Rows(name, columns, func(r []string) error {
		if part != "" && r[3] != part {
			return nil
		}
		if out[r[0]] == nil {
			out[r[0]] = make(map[string]string)
		}
		out[r[0]][r[1]] = r[2]
		return nil
	})
	return out, err
}

// errAbsent is the error for a package that no registry has and that is not in the directory of archives: Debian's archive loses versions.
var errAbsent = errors.New("not in the directory of archives")

// licencesOf returns the licence of each file of a package and where it was read.
func licencesOf(ctx context.Context, purl, archives string) (licences, from map[string]string, err error) {
	arg, o := purl, source.Options{ModCache: os.Getenv("GOMODCACHE")}
	if name, ok := strings.CutPrefix(purl, "pkg:deb/debian/"); ok {
		arg, o.PURL = filepath.Join(archives, strings.Replace(name, "@", "_", 1)), purl
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			arg += ".orig.tar.gz" // alone, without Debian's additions
			if _, err := os.Stat(arg); errors.Is(err, fs.ErrNotExist) {
				return nil, nil, errAbsent
			}
		}
	}
	pkgs, err := source.Open(ctx, arg, o)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "licences-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	b, err := corpus.IndexPackages(ctx, filepath.Join(dir, "base"), baseline.Defaults, pkgs)
	if err != nil {
		return nil, nil, err
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
	return licences, from, err
}

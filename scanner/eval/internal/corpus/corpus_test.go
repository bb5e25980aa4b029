package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tables is where the tables of the evaluation are.
const tables = "../../../../docs/eval"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Fresh packages are in none of the evaluations that weights may be fitted to.
func TestKinds(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, lines ...string) {
		name = filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	}
	file := func(pkg string) string { return "go\t" + pkg + "\tgo/" + pkg + "/a.go\t300\t" + pkg }
	put("packages.tsv", "k\tknown\tpkg:generic/k@1\t-", "h\thome\tpkg:generic/h@1\t-", "l\tlarge\tpkg:generic/l@1\t-",
		"u\tunknown\tpkg:generic/u@1\t-", "f\tfresh\tpkg:generic/f@1\t-", "o\tfresh-origin\tpkg:generic/o@1\t-", "s\tsealed\tpkg:generic/s@1\t-")
	put("MANIFEST.tsv", file("k"), file("l"))
	put("eval/MANIFEST.tsv", file("h"), file("u"))
	load := func(k Kind) (known, unknown string) {
		c, err := Load(dir, filepath.Join(dir, "packages.tsv"), "", k)
		must(t, err)
		names := func(role string) string {
			var out []string
			for _, f := range c.Of("go", role) {
				out = append(out, f.Package)
			}
			return strings.Join(slices.Sorted(slices.Values(out)), " ")
		}
		return names("known"), names("unknown")
	}
	check := func(name string, k Kind, wantKnown, wantUnknown string) {
		t.Helper()
		if known, unknown := load(k); known != wantKnown || unknown != wantUnknown {
			t.Errorf("%s: known %q, unknown %q; want %q, %q", name, known, unknown, wantKnown, wantUnknown)
		}
	}
	check("quick", Quick, "h k", "u") // the fresh corpus need not be there
	check("full", Full, "h k l", "u")
	put("fresh/MANIFEST.tsv", file("f"), file("o"))
	check("quick", Quick, "h k", "u")
	check("full", Full, "h k l", "u")
	check("fresh", Fresh, "h k l", "f o")
	check("apart", Apart, "o", "f")
	put("sealed/MANIFEST.tsv", file("s"))
	check("full", Full, "h k l", "u")
	check("fresh", Fresh, "h k l", "f o")
	check("sealed", Sealed, "h k l", "s")
}

// packages.tsv marks every package that is held out. Such a package is neither in the
// list of the others nor in the corpus that the prior was learnt from.
func TestHeldOut(t *testing.T) {
	role := make(map[string]string)
	must(t, Rows(tables+"/packages.tsv", 4, func(r []string) error {
		role[r[0]] = r[1]
		return nil
	}))
	names := func(list string) (out []string) {
		b, err := os.ReadFile(list)
		must(t, err)
		prefix, quoted := "", false
		for _, l := range strings.Split(string(b), "\n") {
			switch {
			case l == `GO_MODULES="`:
				prefix, quoted = "go_", true
			case l == `NPM_PACKAGES="`:
				prefix, quoted = "npm_", true
			case l == `DEB_SOURCES="`:
				prefix, quoted = "deb_", true
			case l == `"`:
				quoted = false
			case quoted && prefix == "go_":
				out = append(out, prefix+strings.NewReplacer("/", "_", "@", "_").Replace(l))
			case quoted && prefix == "npm_":
				out = append(out, prefix+strings.NewReplacer("/", "_", "@", "").Replace(l))
			case quoted:
				out = append(out, prefix+strings.Replace(l, "=", "_", 1))
			}
		}
		return out
	}
	held := make(map[string]string) // list of a package that is held out
	for _, list := range []string{"fresh", "sealed", "unseen", "later"} {
		for _, n := range names(tables + "/" + list + ".sh") {
			if !strings.HasPrefix(role[n], list) {
				t.Errorf("%s of %s.sh is %q in packages.tsv", n, list, role[n])
			}
			if held[n] != "" {
				t.Errorf("%s is in %s.sh and in %s.sh", n, held[n], list)
			}
			held[n] = list
		}
	}
	if len(held) < 100 {
		t.Errorf("%d packages are held out", len(held))
	}
	for n, r := range role {
		if (strings.HasPrefix(r, "fresh") || r == "sealed") && held[n] == "" {
			t.Errorf("%s is %s, and in no list", n, r)
		}
	}
	for _, list := range []string{tables + "/packages.sh", tables + "/../bench/corpus.sh"} {
		for _, n := range names(list) {
			if held[n] != "" {
				t.Errorf("%s is held out, and in %s", n, list)
			}
		}
	}
}

// Every review has a verdict that counts, and a reason.
func TestReviewed(t *testing.T) {
	rs, err := Reviews(tables + "/reviewed.tsv")
	must(t, err)
	if len(rs) < 500 {
		t.Errorf("%d reviews", len(rs))
	}
	for _, r := range rs {
		lang, _, _ := strings.Cut(r.Path, "/")
		if !slices.Contains(Languages, lang) || r.Verdict != "true-copy" && r.Verdict != "false" || r.Why == "" || r.First > r.Last {
			t.Errorf("a review nobody can use: %+v", r)
		}
	}
}

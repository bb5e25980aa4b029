// Package corpus reads the pinned packages of an evaluation, and the tables that give their roles: known, unknown, held
// out. Its dice make every choice depend on a seed and a name alone: the same corpus and seed give the same targets.
package corpus

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// Package is one line of packages.tsv.
type Package struct {
	Name     string // of its directory in the corpus
	Role     string // in this evaluation: known or unknown
	Home     bool   // other known packages vendor it
	PURL     string
	Released time.Time
}

// File is one file of the corpus.
type File struct {
	Lang, Package string
	Rel           string // below the package, with slashes
	Path          string
	Hash          string // SHA-256 of the content, hexadecimal
	Size          int
}

// Corpus has the known and the unknown packages of an evaluation.
type Corpus struct {
	Packages []Package // by name
	Files    []File    // by language and digest, known ones first
	GoRoot   string    // indexed as the standard library; "" for none
	role     map[string]*Package
}

// Kind is a kind of evaluation: the packages that take part, and their roles.
type Kind struct {
	As   map[string]string // maps a role of packages.tsv to known or unknown; packages of other roles are left out
	Dirs []string          // of the manifests, below the corpus
}

// The weights of the scorer were fitted to Quick and Full. In Fresh the same baseline meets packages that the previous
// scoring had not seen; in Sealed, packages that this scoring had not seen when it was made. In Apart both sides are
// fresh packages. Unseen and Later have packages of their own on both sides, to judge further origins.
var (
	Quick  = Kind{As: map[string]string{"known": "known", "home": "known", "unknown": "unknown"}, Dirs: []string{"", "eval"}}
	Full   = Kind{As: map[string]string{"known": "known", "home": "known", "large": "known", "unknown": "unknown"}, Dirs: []string{"", "eval"}}
	Fresh  = Kind{As: map[string]string{"known": "known", "home": "known", "large": "known", "fresh": "unknown", "fresh-origin": "unknown"}, Dirs: []string{"", "eval", "fresh"}}
	Apart  = Kind{As: map[string]string{"fresh": "unknown", "fresh-origin": "known"}, Dirs: []string{"fresh"}}
	Sealed = Kind{As: map[string]string{"known": "known", "home": "known", "large": "known", "sealed": "unknown"}, Dirs: []string{"", "eval", "sealed"}}
	Unseen = Kind{As: map[string]string{"unseen": "unknown", "unseen-origin": "known"}, Dirs: []string{"unseen"}}
	Later  = Kind{As: map[string]string{"later": "unknown", "later-origin": "known"}, Dirs: []string{"later"}}
)

// Load reads packages.tsv and the manifests of the corpus: the one of docs/bench/corpus.sh and those below it.
func Load(dir, packages, goroot string, k Kind) (*Corpus, error) {
	c := &Corpus{GoRoot: goroot, role: make(map[string]*Package)}
	if err := c.packages(packages, k); err != nil {
		return nil, err
	}
	for _, d := range k.Dirs {
		if err := c.manifest(filepath.Join(dir, d)); err != nil {
			return nil, err
		}
	}
	c.order()
	return c, nil
}

// roles are the roles of packages.tsv.
var roles = []string{"known", "home", "large", "unknown", "fresh", "fresh-origin", "sealed", "unseen", "unseen-origin", "later", "later-origin"}

func (c *Corpus) packages(name string, k Kind) error {
	err := Rows(name, 4, func(r []string) error {
		if !slices.Contains(roles, r[1]) {
			return fmt.Errorf("unknown role %q", r[1])
		}
		p := Package{Name: r[0], Role: k.As[r[1]], Home: r[1] == "home", PURL: r[2]}
		if p.Role == "" {
			return nil
		}
		if r[3] != "-" {
			t, err := time.Parse(time.DateOnly, r[3])
			if err != nil {
				return err
			}
			p.Released = t
		}
		c.Packages = append(c.Packages, p)
		return nil
	})
	for i := range c.Packages {
		c.role[c.Packages[i].Name] = &c.Packages[i]
	}
	return err
}

func (c *Corpus) manifest(dir string) error {
	return Rows(filepath.Join(dir, "MANIFEST.tsv"), 5, func(r []string) error {
		if c.role[r[1]] == nil {
			return nil
		}
		f := File{Lang: r[0], Package: r[1], Hash: r[4], Path: filepath.Join(dir, "src", r[2])}
		f.Rel = strings.TrimPrefix(r[2], r[0]+"/"+r[1]+"/")
		_, err := fmt.Sscan(r[3], &f.Size)
		c.Files = append(c.Files, f)
		return err
	})
}

// order sorts by digest, which is stable and as good as chance. Of equal contents, the home of the known ones comes
// first.
func (c *Corpus) order() {
	rank := func(f File) int {
		switch p := c.role[f.Package]; {
		case p.Home:
			return 0
		case p.Role == "known":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(c.Files, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Lang, b.Lang), cmp.Compare(a.Hash, b.Hash), cmp.Compare(rank(a), rank(b)))
	})
}

// Of lists the files of a language in packages of a role, each content once. The packages take turns, so that no large
// one dominates.
func (c *Corpus) Of(lang, role string) []File {
	turn := make(map[string]int)
	type seat struct {
		File
		turn int
	}
	var seats []seat
	for i, f := range c.Files {
		if i > 0 && f.Lang == c.Files[i-1].Lang && f.Hash == c.Files[i-1].Hash {
			continue
		}
		if f.Lang == lang && c.role[f.Package].Role == role {
			seats = append(seats, seat{f, turn[f.Package]})
			turn[f.Package]++
		}
	}
	slices.SortStableFunc(seats, func(a, b seat) int { return cmp.Compare(a.turn, b.turn) })
	out := make([]File, len(seats))
	for i, s := range seats {
		out[i] = s.File
	}
	return out
}

// Index makes the baseline of the known packages below dir, or opens the one that an earlier run made of the same
// packages.
func (c *Corpus) Index(ctx context.Context, dir string, p fingerprint.Params, only func(File) bool) (*baseline.Baseline, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, baseline.SchemeID(p), c.GoRoot)
	for _, f := range c.Files {
		if c.role[f.Package].Role == "known" && (only == nil || only(f)) {
			fmt.Fprintln(sum, *c.role[f.Package], f.Lang, f.Rel, f.Hash)
		}
	}
	base := filepath.Join(dir, "base-"+hex.EncodeToString(sum.Sum(nil)[:8]))
	if b, err := baseline.Open(ctx, base); err == nil {
		return b, nil
	}
	stage, err := os.MkdirTemp(dir, "stage-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(stage)
	pkgs, err := c.known(ctx, stage, only)
	if err != nil {
		return nil, err
	}
	b, err := IndexPackages(ctx, base, p, pkgs)
	if err != nil {
		os.RemoveAll(base)
	}
	return b, err
}

// known opens the known packages, which it writes below a directory.
func (c *Corpus) known(ctx context.Context, stage string, only func(File) bool) ([]*source.Package, error) {
	var pkgs []*source.Package
	open := func(arg string, o source.Options) error {
		o.Offline = true
		ps, err := source.Open(ctx, arg, o)
		pkgs = append(pkgs, ps...)
		return err
	}
	if c.GoRoot != "" {
		if err := open(c.GoRoot, source.Options{}); err != nil {
			return nil, err
		}
	}
	for i, pkg := range c.Packages {
		if pkg.Role != "known" {
			continue
		}
		dir := filepath.Join(stage, fmt.Sprint(i))
		n, err := c.stage(dir, pkg.Name, only)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		if err := open(dir, source.Options{PURL: pkg.PURL, Released: pkg.Released}); err != nil {
			return nil, err
		}
	}
	return pkgs, nil
}

// stage collects the files of one package, which the corpus stores by language.
func (c *Corpus) stage(dir, name string, only func(File) bool) (n int, err error) {
	for _, f := range c.Files {
		if f.Package != name || only != nil && !only(f) {
			continue
		}
		n++
		if err := Link(f.Path, filepath.Join(dir, filepath.FromSlash(f.Rel))); err != nil {
			return n, err
		}
	}
	return n, nil
}

// Link copies a file and makes the directories above it.
func Link(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// Only returns the part of a corpus whose files pass.
func (c *Corpus) Only(pass func(File) bool) *Corpus {
	part := &Corpus{Packages: c.Packages, role: c.role}
	for _, f := range c.Files {
		if pass(f) {
			part.Files = append(part.Files, f)
		}
	}
	return part
}

// PackageOf returns the package of a file.
func (c *Corpus) PackageOf(f File) *Package { return c.role[f.Package] }

// NameOf returns the package of a file in the form of origins, without its version.
func (c *Corpus) NameOf(f File) string { return purl.Name(c.role[f.Package].PURL) }

// Rows reads a table of tab-separated columns. # begins a comment line.
func Rows(name string, columns int, row func([]string) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		if sc.Text() == "" || strings.HasPrefix(sc.Text(), "#") {
			continue
		}
		r := strings.Split(sc.Text(), "\t")
		if len(r) != columns {
			return fmt.Errorf("%s:%d: %d columns, not %d", name, n, len(r), columns)
		}
		if err := row(r); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return sc.Err()
}

// WriteJSON saves a value for a person to read.
func WriteJSON(name string, v any) error {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o644)
}

// Negatives writes files of unknown packages below dir: count of each language.
func (c *Corpus) Negatives(dir string, langs []string, count int) (n int, err error) {
	for _, l := range langs {
		for i, f := range c.Of(l, "unknown") {
			if i >= count {
				break
			}
			n++
			if err := Link(f.Path, filepath.Join(dir, Flat(f))); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// Flat returns the path of a negative. It has no directories of the original, since the scanner might skip some of
// them.
func Flat(f File) string {
	return f.Lang + "/" + strings.ReplaceAll(f.Package, ":", "_") + "/" + strings.ReplaceAll(f.Rel, "/", "--")
}

// Languages are the languages of the corpus.
var Languages = []string{"go", "java", "js", "ts", "py", "c", "cpp"}

// IndexPackages makes a new baseline of packages in dir.
func IndexPackages(ctx context.Context, dir string, p fingerprint.Params, pkgs []*source.Package) (*baseline.Baseline, error) {
	w, err := baseline.OpenWriter(ctx, dir, p)
	if err != nil {
		return nil, err
	}
	_, err = w.Add(ctx, pkgs, baseline.AddOptions{Workers: 2})
	if err := cmp.Or(err, w.Close()); err != nil {
		return nil, err
	}
	return baseline.Open(ctx, dir)
}

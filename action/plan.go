package action

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// Plan describes the content of the workflow's cache: the baseline of the listed sources, or the one that a scan makes
// from the repository's own dependencies.
type Plan struct {
	Cache   bool   // there is something to cache
	Dir     string // the directory to cache
	Key     string // names exactly this content
	Restore string // prefix of the keys of contents that can be updated; "" if there are none
}

func (p *Plan) baseline() string  { return filepath.Join(p.Dir, "baseline") }
func (p *Plan) cacheHome() string { return filepath.Join(p.Dir, "cache") }

// NewPlan reads the inputs and hashes the sources in the workspace.
func NewPlan(env Env) (*Plan, error) {
	in, err := readInputs(env)
	if err != nil {
		return nil, err
	}
	p := &Plan{Dir: filepath.Join(cmp.Or(value(env, "RUNNER_TEMP"), os.TempDir()), "git-provenance")}
	h := sha256.New()
	// an outdated baseline of sources is rebuilt; one of dependencies is refreshed
	fmt.Fprintf(h, "%q", baseline.SchemeID(baseline.Defaults))
	prefix := fmt.Sprintf("git-provenance-1-%s-%s-", value(env, "RUNNER_OS"), value(env, "RUNNER_ARCH"))
	switch {
	case len(in.sources) > 0:
		p.Cache = true
		if err := hashSources(h, in.sources); err != nil {
			return nil, err
		}
		p.Key = prefix + "sources-" + digest(h)
	case len(in.baselines) == 0:
		p.Cache = true
		s := sha256.Sum256([]byte(baseline.IndexID(baseline.Defaults))) // baselines of another format cannot be read
		p.Restore = prefix + "own-" + hex.EncodeToString(s[:4]) + "-"
		hashManifests(h)
		p.Key = p.Restore + digest(h)
	}
	return p, nil
}

func digest(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

// hashSources hashes the arguments, and the content of those that are paths: a directory of the repository can change
// while its name stays.
func hashSources(h hash.Hash, sources [][]string) error {
	for _, words := range sources {
		fmt.Fprintf(h, "%q", words)
		for _, w := range words {
			if err := hashTree(h, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// manifests list dependencies, beside the files of package lockfile.
var manifests = []string{"go.mod", "go.sum", "package.json"}

// hashManifests hashes the files of the workspace that list its dependencies, and the commits of its submodules. An unreadable file is
// left out: the scan tells it, and a key that stays only costs time.
func hashManifests(h hash.Hash) {
	_ = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch base := filepath.Base(name); {
		case err != nil:
		case base == ".git" && d.IsDir():
			hashSubmodules(h, filepath.Join(name, "modules"))
			return fs.SkipDir
		case base == "vendor" && d.IsDir():
			_ = hashTree(h, filepath.Join(name, "modules.txt"))
			return fs.SkipDir
		case d.IsDir() && files.SkippedDir(base) != "":
			return fs.SkipDir
		case !d.IsDir() && (slices.Contains(manifests, base) || lockfile.Of(filepath.ToSlash(name)) != nil):
			hashNamed(h, name)
		}
		return nil
	})
}

// hashSubmodules hashes the commits that are checked out in the repositories below .git/modules.
func hashSubmodules(h hash.Hash, modules string) {
	_ = filepath.WalkDir(modules, func(name string, d fs.DirEntry, err error) error {
		switch base := filepath.Base(name); {
		case err != nil:
		case d.IsDir() && slices.Contains([]string{"objects", "refs", "logs"}, base):
			return fs.SkipDir
		case base == "HEAD":
			hashNamed(h, name)
		}
		return nil
	})
}

// hashNamed hashes a file and its name.
func hashNamed(h hash.Hash, name string) {
	fmt.Fprintf(h, "%q", filepath.ToSlash(name))
	_ = hashTree(h, name)
}

// hashTree hashes a file, or all files below a directory. A missing path adds nothing.
func hashTree(h hash.Hash, root string) error {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%q", filepath.ToSlash(rel))
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		n, err := io.Copy(h, f)
		fmt.Fprintf(h, "%d", n)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("hash source %q: %w", root, err)
	}
	return nil
}

// WritePlan writes the plan to the step's outputs.
func WritePlan(h Host) error {
	p, err := NewPlan(h.Env)
	if err != nil {
		return err
	}
	if p.Cache {
		if err := os.MkdirAll(p.Dir, 0o777); err != nil {
			return fmt.Errorf("make directory for the cache: %w", err)
		}
	}
	outs := []output{{"cache", strconv.FormatBool(p.Cache)}, {"path", p.Dir}, {"key", p.Key}, {"restore-keys", p.Restore}}
	if path := value(h.Env, "GITHUB_OUTPUT"); path != "" {
		return writeOutputs(path, outs)
	}
	for _, o := range outs {
		fmt.Fprintf(h.Log, "%s=%s\n", o.name, o.value)
	}
	return nil
}

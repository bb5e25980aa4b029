package cmd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/indexing"
	"github.com/git-provenance/git-provenance/cmd/internal/repos"
	"github.com/git-provenance/git-provenance/cmd/internal/target"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// openBaselines opens the named baselines, else the default one. Otherwise it builds one from the dependencies of the
// target.
func (p *program) openBaselines(ctx context.Context, f *scanFlags, t *target.Target) ([]*baseline.Baseline, error) {
	key, err := f.key.read()
	if err != nil {
		return nil, err
	}
	paths := f.baselines
	if len(paths) == 0 {
		dir, err := p.defaultBaseline()
		if err != nil {
			return nil, err
		}
		if baseline.Absent(dir) {
			if dir, err = p.zeroBaseline(ctx, f, t); err != nil {
				return nil, err
			}
		}
		paths = []string{dir}
	}
	if paths, err = p.locatedAll(paths); err != nil {
		return nil, err
	}
	return openAll(ctx, paths, key)
}

// openAll opens several baselines. Those that were built with a key are opened with key.
func openAll(ctx context.Context, paths []string, key fingerprint.Key) (bases []*baseline.Baseline, err error) {
	for _, path := range paths {
		b, err := baseline.Open(ctx, path, key)
		if err != nil {
			closeAll(&err, bases)
			return nil, err
		}
		bases = append(bases, b)
	}
	return bases, nil
}

// noBaselineError says that there is no code to compare a target with.
type noBaselineError struct {
	root    string
	skipped int      // dependencies that are not on this machine
	bring   string   // the commands that download them
	locks   []string // lock files whose packages add can download
	open    string   // how to compare with the open baseline
}

func (e *noBaselineError) Error() string {
	if e.skipped > 0 {
		return fmt.Sprintf("there is no baseline, and none of the dependencies of %q can be indexed", e.root)
	}
	return fmt.Sprintf("there is no baseline, and %q has no dependencies to index", e.root)
}

// Remedy says how to get the dependencies onto this machine, or what else can be indexed.
func (e *noBaselineError) Remedy() string {
	add := orAdd(e.locks)
	if add == "" {
		add = "; or index what to compare with: git-provenance baseline add SOURCE, such as pkg:npm/left-pad@1.3.0, a directory or an archive"
	}
	add += "; or " + e.open
	if e.bring == "" {
		return strings.TrimPrefix(add, "; or ")
	}
	return "bring the dependencies to this machine by " + e.bring + " and scan again" + add
}

// zeroBaseline updates the cached baseline of a repository's own dependencies, and returns its path.
func (p *program) zeroBaseline(ctx context.Context, f *scanFlags, t *target.Target) (dir string, err error) {
	root, err := t.Project()
	if err != nil {
		return "", err
	}
	dir, err = p.zeroDir(root)
	if err != nil {
		return "", err
	}
	o, err := p.sourceOptions(ctx)
	if err != nil {
		return "", err
	}
	o.Here, _ = os.Getwd() // without it, commands are relative to the root
	lacking := make(map[string]int)
	o.Lacking = func(lock string, packages int) { lacking[lock] = packages }
	var without []string
	o.Unfound = func(language, bring string) { without = append(without, language+brings(bring)) }
	pkgs, skipped, err := source.Dependencies(ctx, root, o)
	if err != nil {
		return "", err
	}
	subs, err := p.submodules(ctx, t)
	if err != nil {
		return "", err
	}
	defer closeAll(&err, []*repos.Submodules{subs})
	pkgs, skipped = append(pkgs, subs.Packages...), append(skipped, subs.Skipped...)
	locks := most(lacking)[:min(len(lacking), fewLocks)]
	if !f.staged || f.verbose || len(pkgs) == 0 || !exists(dir) { // once is enough for what a hook repeats at each commit
		p.sayNotIndexed(skipped, f.verbose, f.staged)
	}
	if len(pkgs) == 0 {
		return "", &noBaselineError{root, len(skipped), commands(skipped), locks, p.orOpen()}
	}
	if f.verbose || !f.staged {
		p.hintMissing(without, commands(skipped), orAdd(locks))
	}
	return dir, p.refreshed(ctx, dir, root, pkgs, f)
}

// submodules opens the submodules of the target's repository.
func (p *program) submodules(ctx context.Context, t *target.Target) (*repos.Submodules, error) {
	if t.Repo == nil {
		return new(repos.Submodules), nil
	}
	return repos.OpenSubmodules(ctx, t.Repo, git.Options{Home: p.home(), Git: onPath("git")})
}

// zeroDir returns the directory of the cached baseline of a repository's own dependencies. A release with another baseline format or
// with other front-ends has its own: what an earlier one read as words may be code now.
func (p *program) zeroDir(root string) (string, error) {
	cache, err := p.userDir("XDG_CACHE_HOME", ".cache")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(root + "\x00" + baseline.SchemeID(baseline.Defaults)))
	return filepath.Join(cache, "zero", hex.EncodeToString(sum[:16])), nil
}

// hintMissing says what a comparison with some packages lacks, and what brings it.
func (p *program) hintMissing(libraries []string, bring, add string) {
	if len(libraries) > 0 {
		p.say("no baseline yet: standard libraries not on this machine: %s", strings.Join(libraries, ", "))
	}
	switch {
	case bring != "":
		fmt.Fprintf(p.err, "hint: this brings missing dependencies to this machine: %s%s\n", bring, add)
	case add != "":
		fmt.Fprintf(p.err, "hint: %s\n", strings.TrimPrefix(add, "; or "))
	}
}

// brings names the command that brings a standard library, if there is one.
func brings(command string) string {
	if command == "" {
		return ""
	}
	return fmt.Sprintf(" (run %q)", command)
}

// refreshed builds a cached baseline again if it is damaged.
func (p *program) refreshed(ctx context.Context, dir, root string, pkgs []*source.Package, f *scanFlags) error {
	err := p.refresh(ctx, dir, root, pkgs, f)
	if !unusable(err) {
		return err
	}
	p.say("the cache is made again: %v", err)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove damaged cache: %w", err)
	}
	return p.refresh(ctx, dir, root, pkgs, f)
}

// unusable reports whether a baseline has to be built again.
func unusable(err error) bool {
	_, damaged := errors.AsType[*baseline.CorruptError](err)
	_, other := errors.AsType[*baseline.FormatError](err)
	_, lost := errors.AsType[*baseline.LostManifestError](err)
	_, newer := errors.AsType[*baseline.NewerError](err)
	return damaged || other || lost || newer
}

// fewSkipped is how many skipped dependencies are named without --verbose.
const fewSkipped = 3

// sayNotIndexed reports the dependencies that are not compared with. If there are none to compare with at all, the
// error says what to do. Before a commit it writes one line only. The user's own code, packages of other machines and packages inside of
// others are counted, but named only with --verbose: nothing is to be done about them.
func (p *program) sayNotIndexed(skipped []source.Skipped, verbose, staged bool) {
	count, named := make(map[string]int), 0
	for _, s := range skipped {
		count[s.Reason]++
		fine := slices.Contains([]string{source.ReasonLocal, lockfile.ReasonLocal, source.ReasonMachine, source.ReasonVendored}, s.Reason)
		if verbose || named < fewSkipped && !staged && !fine {
			p.say("not indexed: %s", indexing.Reasoned(s.Path, s.Reason, s.Detail))
			named++
		}
	}
	if staged && !verbose {
		if len(count) > 0 {
			p.say("no baseline yet: dependencies not indexed: %s; \"git-provenance scan\" says how to get them", indexing.Tally(count))
		}
		return
	}
	switch more := len(skipped) - named; {
	case len(skipped) == 0:
	case more == 0:
		p.say("no baseline yet: dependencies not indexed: %s", indexing.Tally(count))
	case named == 0:
		p.say("no baseline yet: dependencies not indexed: %s; --verbose lists them", indexing.Tally(count))
	default:
		p.say("no baseline yet: dependencies not indexed: %s; --verbose lists the other %d", indexing.Tally(count), more)
	}
}

// orAdd says that add can download the packages of lock files into the baseline.
func orAdd(locks []string) string {
	if len(locks) == 0 {
		return ""
	}
	return "; or let git-provenance download what is listed: git-provenance baseline add " + strings.Join(locks, " ")
}

// commands lists commands that get missing dependencies, the most useful first, with counts if there are several.
func commands(skipped []source.Skipped) string {
	brings := make(map[string]int)
	each := 0 // packages that each have a command of their own, of which the first is named
	for _, s := range skipped {
		if strings.HasPrefix(s.Bring, ofOnePackage) {
			if each++; each > 1 {
				continue
			}
		}
		if s.Bring != "" {
			brings[s.Bring]++
		}
	}
	var out []string
	for _, bring := range most(brings) {
		out = append(out, strconv.Quote(bring))
		switch n := brings[bring]; {
		case each > 1 && strings.HasPrefix(bring, ofOnePackage):
			out[len(out)-1] += fmt.Sprintf(" and so on for %d packages", each)
		case n > 1 && len(brings) > 1:
			out[len(out)-1] += fmt.Sprintf(" (%d packages)", n)
		}
	}
	if more := len(out) - fewCommands; more > 0 {
		return fmt.Sprintf("%s and %d more, which --verbose lists", strings.Join(out[:fewCommands], ", "), more)
	}
	return strings.Join(out, ", ")
}

// ofOnePackage begins commands that bring one package.
const ofOnePackage = "mvn dependency:get "

// most lists names by their counts, the highest first.
func most(count map[string]int) []string {
	return slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
}

const (
	fewCommands = 8 // named together
	fewLocks    = 3
)

// refresh makes a cached baseline contain exactly pkgs. A package with a version never changes, so only new ones are
// read.
func (p *program) refresh(ctx context.Context, dir, root string, pkgs []*source.Package, f *scanFlags) (err error) {
	w, err := p.openWriter(ctx, dir, baseline.Defaults)
	if err != nil {
		return err
	}
	defer closeAll(&err, []*baseline.Writer{w})
	if _, err := w.Refresh(ctx); err != nil {
		return err
	}
	old, err := w.Baseline().Packages()
	if err != nil {
		return err
	}
	wanted := make(map[string]bool)
	for _, pkg := range pkgs {
		wanted[pkg.PURL] = true
	}
	var gone []string
	have := make(map[string]bool)
	for _, pkg := range old {
		have[pkg.PURL] = true
		if !wanted[pkg.PURL] {
			gone = append(gone, pkg.PURL)
		}
	}
	if len(gone) > 0 {
		if err := w.Remove(ctx, gone); err != nil {
			return err
		}
	}
	missing := slices.DeleteFunc(slices.Clone(pkgs), func(pkg *source.Package) bool {
		return have[pkg.PURL] && purl.Version(pkg.PURL) != ""
	})
	if len(missing) > 0 || !f.staged || f.verbose {
		p.say("no baseline yet: comparing %s (packages: %d, to index: %d)", comparedWith(root, pkgs), len(pkgs), len(missing))
	}
	if len(missing) == 0 {
		return nil
	}
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	o := indexing.Options(f.Workers, p.counted(), bar)
	o.Skipped = func(s baseline.Skip) {
		if s.Reason == baseline.ReasonBroken {
			p.say("not indexed: %s", indexing.Reasoned(s.PURL, string(s.Reason), s.Detail))
		}
	}
	_, err = w.Add(ctx, missing, o)
	return err
}

// comparedWith says what a repository is compared with. Standard libraries are named: the repository's files do not list them, and
// they are often all that is on the machine.
func comparedWith(root string, pkgs []*source.Package) string {
	var std []string
	for _, pkg := range pkgs {
		if pkg.Standard {
			std = append(std, pkg.PURL)
		}
	}
	switch {
	case len(std) == 0:
		return fmt.Sprintf("with the dependencies of %q", root)
	case len(std) == len(pkgs):
		return fmt.Sprintf("%q with nothing except %s", root, strings.Join(std, ", "))
	}
	return fmt.Sprintf("with the dependencies of %q and with %s", root, strings.Join(std, ", "))
}

package cmd

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/target"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// keyFile is the --key flag: the file that contains a secret, "" for none.
type keyFile struct{ path string }

func (k *keyFile) flag(fs *pflag.FlagSet, usage string) {
	fs.StringVar(&k.path, "key", "", usage)
	config.Mark(fs, config.IsPath, "key")
}

// opens is the help of --key for commands that open a baseline.
const opens = "open a baseline that was built with the secret in `FILE`"

// maxKey bounds a key file, in bytes.
const maxKey = 1 << 20

// read returns the key, the zero key if no file is named.
func (k *keyFile) read() (fingerprint.Key, error) {
	if k.path == "" {
		return fingerprint.Key{}, nil
	}
	f, err := os.Open(k.path)
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if err != nil {
		return fingerprint.Key{}, fmt.Errorf("read key %q: %w", k.path, err)
	}
	defer f.Close()
	secret, err := console.ReadLimited(f, maxKey)
	if err == nil && len(secret) < fingerprint.MinKey {
		err = fmt.Errorf("%d bytes, at least %d are needed", len(secret), fingerprint.MinKey)
	}
	if err != nil {
		return fingerprint.Key{}, fmt.Errorf("read key %q: %w", k.path, err)
	}
	return fingerprint.NewKey(secret), nil
}

// unkeyedError says that a key was given for adding to a baseline without one.
type unkeyedError struct{ path string }

func (e *unkeyedError) Error() string {
	return fmt.Sprintf("baseline %q was built without a key", e.path)
}

// Remedy names both solutions.
func (e *unkeyedError) Remedy() string {
	return fmt.Sprintf("leave --key out, or make another baseline with it: %q cannot get a key later", e.path)
}

// store is the --baseline flag of commands that work on one baseline, with its key.
type store struct {
	paths  []string
	key    keyFile
	afresh bool // cached parts of a shared baseline are not used
}

func (s *store) flag(c *cobra.Command) {
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&s.paths, "baseline", nil, "the baseline at `PATH`: a directory, postgres://…, s3://…, or the word default for the open baseline")
	config.Mark(c.Flags(), config.IsPath, "baseline")
	config.Mark(c.Flags(), config.NoAddress, "baseline")
	s.key.flag(c.Flags(), opens)
}

// where returns the one baseline that is named, and its key.
func (s *store) where(p *program, c *cobra.Command) (string, fingerprint.Key, error) {
	dir, err := s.dir(p, c)
	if err != nil {
		return "", fingerprint.Key{}, err
	}
	key, err := s.key.read()
	return dir, key, err
}

// dir returns the one baseline that is named.
func (s *store) dir(p *program, c *cobra.Command) (string, error) {
	switch len(s.paths) {
	case 0:
		return p.defaultBaseline()
	case 1:
		return p.located(s.paths[0])
	}
	return "", usage(c, "%d baselines are given, it takes one: %s", len(s.paths), strings.Join(names(s.paths), ", "))
}

// names returns the names of baselines, fit for display.
func names(dirs []string) []string {
	out := make([]string, len(dirs))
	for i, dir := range dirs {
		out[i] = baseline.NameOf(dir)
	}
	return out
}

// settled sets the flags of a command before it runs. The configuration is that of the repository around the working
// directory.
func (p *program) settled(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		repo, err := p.openRepo(c.Context(), ".")
		if err != nil {
			return err
		}
		root := target.RootOf(repo)
		if repo != nil {
			if err := repo.Close(); err != nil {
				return err
			}
		}
		if err := p.settle(c, root); err != nil {
			return err
		}
		return run(c, args)
	}
}

// opened is settled for commands that read a baseline.
func (p *program) opened(s *store, run func(context.Context, *baseline.Baseline) error) func(*cobra.Command, []string) error {
	return p.settled(func(c *cobra.Command, _ []string) (err error) {
		dir, key, err := s.where(p, c)
		if err != nil {
			return err
		}
		ctx := c.Context()
		if s.afresh {
			ctx = shared.Afresh(ctx)
		}
		b, err := baseline.Open(ctx, dir, key)
		if err != nil {
			return err
		}
		defer closeAll(&err, []*baseline.Baseline{b})
		return run(ctx, b)
	})
}

// changed is settled for commands that change an existing baseline.
func (p *program) changed(s *store, run func(context.Context, *baseline.Writer, []string) error) func(*cobra.Command, []string) error {
	return p.settled(func(c *cobra.Command, args []string) (err error) {
		dir, key, err := s.where(p, c)
		if err != nil {
			return err
		}
		if err := there(c.Context(), dir, key); err != nil {
			return err
		}
		w, err := p.openWriter(c.Context(), dir, baseline.Defaults, key)
		if err != nil {
			return err
		}
		defer closeAll(&err, []*baseline.Writer{w})
		return run(c.Context(), w, args)
	})
}

// there refuses a baseline that does not exist, since a writer would create it.
func there(ctx context.Context, dir string, key fingerprint.Key) error {
	b, err := baseline.Open(ctx, dir, key)
	if err == nil {
		return b.Close()
	}
	if _, none := errors.AsType[*baseline.NotBaselineError](err); none || baseline.IsAddress(dir) {
		return err
	}
	return nil // it is there; the writer says what is wrong with it
}

// openList lists the widely used packages, with pinned versions, that the open baseline is made from.
//
//go:embed open.tsv
var openList string

// openBaseline returns the path of the open baseline.
func (p *program) openBaseline() (string, error) {
	dir, err := p.userDir("XDG_DATA_HOME", filepath.Join(".local", "share"))
	return filepath.Join(dir, "open"), err
}

// located returns the path of a baseline that --baseline names.
func (p *program) located(name string) (string, error) {
	if name == config.OpenBaseline {
		return p.openBaseline()
	}
	return name, nil
}

// locatedAll is located for baselines that are read.
func (p *program) locatedAll(names []string) ([]string, error) {
	out := make([]string, len(names))
	for i, name := range names {
		dir, err := p.located(name)
		if err != nil {
			return nil, err
		}
		if name == config.OpenBaseline && baseline.Absent(dir) {
			return nil, new(noOpenError)
		}
		out[i] = dir
	}
	return out, nil
}

// noOpenError says that the open baseline is not on this machine.
type noOpenError struct{}

func (e *noOpenError) Error() string { return "the open baseline is not on this machine" }

// Remedy says how to get it. A scan never downloads anything itself.
func (e *noOpenError) Remedy() string {
	return makeOpen() + "; or import one that somebody published: git-provenance baseline import FILE --trust KEY --baseline default"
}

// makeOpen says how to make the open baseline.
func makeOpen() string {
	pins, err := source.ReadPins("open.tsv", strings.NewReader(openList))
	if err != nil {
		panic(err) // it is part of the program
	}
	return fmt.Sprintf("make it of %d widely used packages, which are downloaded once: git-provenance baseline make default --available", len(pins))
}

// orOpen says how to compare with the open baseline, for repositories without dependencies to compare with.
func (p *program) orOpen() string {
	if dir, err := p.openBaseline(); err == nil && !baseline.Absent(dir) {
		return "compare with the open baseline: git-provenance scan --baseline default"
	}
	return "compare with the open baseline: " + makeOpen() + ", then git-provenance scan --baseline default"
}

// thereError says that a baseline is where a new one was to be made.
type thereError struct{ name string }

func (e *thereError) Error() string { return fmt.Sprintf("baseline %q is there already", e.name) }

// Remedy says how to go on.
func (e *thereError) Remedy() string {
	return "add to it with \"git-provenance baseline add\", or give another place with --baseline"
}

// newFlags are the flags of commands that can create a baseline.
type newFlags struct {
	store
	fingerprint.Params
}

// params adds the flags that determine a new baseline.
func (f *newFlags) params(c *cobra.Command) {
	fs := c.Flags()
	fs.VarP(value.AtLeast(&f.K, f.K, 1), "kgram", "k", "tokens of a k-gram: the noise threshold `K` of a new baseline")
	fs.VarP(value.AtLeast(&f.W, f.W, 1), "window", "w", "window `W` of a new baseline: shared runs of k+w-1 tokens are always found")
	fs.Lookup("key").Usage = "choose the fingerprints of a new baseline by the secret in `FILE`; every later command needs the same key"
}

// writer opens a baseline to change it, or creates it. It refuses a baseline with other parameters than those given.
func (f *newFlags) writer(p *program, c *cobra.Command, dir string, key fingerprint.Key) (*baseline.Writer, error) {
	w, err := p.openWriter(c.Context(), dir, f.Params, key)
	if err != nil {
		return nil, err
	}
	err = f.sameParams(c, dir, w.Baseline().Params())
	if err == nil && !key.IsZero() && w.Baseline().Key().IsZero() {
		err = &unkeyedError{baseline.NameOf(dir)}
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// paramsError says that an existing baseline has other parameters than those given.
type paramsError struct {
	path       string
	have, want fingerprint.Params
}

func (e *paramsError) Error() string {
	return fmt.Sprintf("baseline %q has k %d and w %d, not %d and %d", e.path, e.have.K, e.have.W, e.want.K, e.want.W)
}

// Remedy says when parameters are chosen.
func (e *paramsError) Remedy() string {
	return "-k and -w are chosen when a baseline is made: leave them out, or add to another baseline"
}

// sameParams refuses parameters that differ from those of an existing baseline.
func (f *newFlags) sameParams(c *cobra.Command, dir string, have fingerprint.Params) error {
	given := c.Flags().Changed("kgram") && f.K != have.K || c.Flags().Changed("window") && f.W != have.W
	if given {
		return &paramsError{baseline.NameOf(dir), have, f.Params}
	}
	return nil
}

// silentWait is how long a command waits for a baseline before it says so. Without another writer, a baseline in a directory opens
// within milliseconds.
const silentWait = time.Second

// openWriter opens a baseline for changes. If that takes long, it says what the command waits for.
func (p *program) openWriter(ctx context.Context, dir string, params fingerprint.Params, keys ...fingerprint.Key) (*baseline.Writer, error) {
	said := make(chan struct{})
	wait := time.AfterFunc(silentWait, func() {
		defer close(said)
		p.say("waiting for baseline %q: another program may be changing it", baseline.NameOf(dir))
	})
	w, err := baseline.OpenWriter(ctx, dir, params, keys...)
	if !wait.Stop() {
		<-said // two goroutines never write to p.err at once
	}
	return w, err
}

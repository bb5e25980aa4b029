package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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

func (p *program) initCommand() *cobra.Command {
	f := &newFlags{Params: baseline.Defaults}
	c := &cobra.Command{
		Use:   "init",
		Short: "Make an empty baseline, with a secret key if asked",
		Long: `Make an empty baseline. "baseline add" makes one, too, if there is none.

With --key, a secret chooses the fingerprints: any file of at least 16 bytes. A person
without the key cannot compute which k-grams an edit has to change. The key is not
stored. Every command that opens the baseline needs it: by --key, by the environment
variable GIT_PROVENANCE_KEY, which names the file, or by "key: FILE" in
.git-provenance.yml. Without the key the baseline is lost.`,
		Example: `  head -c 32 /dev/urandom > secret.key
  git-provenance baseline init --key secret.key --baseline audit`,
		Args: noArgs,
	}
	f.store.flag(c)
	f.params(c)
	c.RunE = p.settled(func(c *cobra.Command, _ []string) error { return p.init(c, f) })
	return c
}

func (p *program) init(c *cobra.Command, f *newFlags) (err error) {
	dir, key, err := f.where(p, c)
	if err != nil {
		return err
	}
	w, err := f.writer(p, c, dir, key)
	if err != nil {
		return err
	}
	defer closeAll(&err, []*baseline.Writer{w})
	made, err := w.Init(c.Context())
	if err == nil && !made {
		err = &thereError{w.Baseline().Path()}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "baseline %s: %s\n", escape.Line(w.Baseline().Path()), w.Baseline().Digest())
	return err
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
	if err != nil {
		return fingerprint.Key{}, fmt.Errorf("read key: %w", err)
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
	return fmt.Sprintf("leave --key out, or make another with it: %q keeps how it was built", e.path)
}

// thereError says that a baseline is where a new one was to be made.
type thereError struct{ name string }

func (e *thereError) Error() string { return fmt.Sprintf("baseline %q is there already", e.name) }

// Remedy says how to go on.
func (e *thereError) Remedy() string {
	return "add to it with \"git-provenance baseline add\", or give another place with --baseline"
}

// silentWait is how long a command waits for a baseline before it says so. Without another writer, a baseline in a directory opens
// within milliseconds.
const silentWait = time.Second

// openWriter opens a baseline for changes. If that takes long, it says what the command waits for.
func (p *program) openWriter(ctx context.Context, dir string, params fingerprint.Params, keys ...fingerprint.Key) (*baseline.Writer, error) {
	told := make(chan struct{})
	wait := time.AfterFunc(silentWait, func() {
		defer close(told)
		p.say("waiting for baseline %q: another program may be changing it", baseline.NameOf(dir))
	})
	w, err := baseline.OpenWriter(ctx, dir, params, keys...)
	if !wait.Stop() {
		<-told // two goroutines never write to p.err at once
	}
	return w, err
}

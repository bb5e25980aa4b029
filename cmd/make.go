package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/indexing"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
)

// makeFlags are the flags of baseline make.
type makeFlags struct {
	newFlags
	indexFlags
	pin       string
	available bool
}

func (p *program) makeCommand() *cobra.Command {
	f := &makeFlags{newFlags: newFlags{Params: baseline.Defaults}}
	c := &cobra.Command{
		Use:   "make LIST",
		Short: "Make a new baseline from a list of packages, the same on every machine",
		Long: `Make a new baseline from a list of packages. A line of LIST has a package URL, and after
tabs the digest of its files, its licence and its release date. Each of these may be empty.

--pin writes the list with the versions, digests and dates that were found. A list that is
pinned makes the same baseline, byte for byte, on every machine with the same release of
this program: each package is compared with its digest, and nothing is made if a package
is not available or differs. A package that has no digest in LIST is left out if it is
not available. With --available, a package with a digest is left out too if it is not
available or differs. If a package was left out, the exit code is 2.

The LIST default is part of the program: widely used packages of Go, npm and Debian, from
which the open baseline is made. "git-provenance scan --baseline default" compares with it.`,
		Example: `  git-provenance baseline make wishes.txt --pin open.tsv --baseline open
  git-provenance baseline make open.tsv --baseline again
  git-provenance baseline make default --available`,
		Args: oneArg("LIST"),
	}
	f.store.flag(c)
	f.params(c)
	fs := c.Flags()
	fs.StringVar(&f.pin, "pin", "", "write the list with versions and digests to `FILE`")
	fs.BoolVar(&f.available, "available", false, "leave out packages that are not available or differ from their digest, instead of making nothing")
	f.indexFlags.flag(fs)
	config.Mark(fs, config.NotInFile, "pin", "available")
	c.RunE = p.settled(func(c *cobra.Command, args []string) error { return p.make(c, args[0], f) })
	return c
}

func (p *program) make(c *cobra.Command, list string, f *makeFlags) (err error) {
	ctx := c.Context()
	if list == config.OpenBaseline && len(f.paths) == 0 {
		f.paths = []string{list}
	}
	dir, key, err := f.where(p, c)
	if err != nil {
		return err
	}
	pins, err := readPins(ctx, list)
	if err != nil {
		return err
	}
	if len(pins) == 0 {
		return fmt.Errorf("list %q names no package", list)
	}
	if err := there(ctx, dir, key); err == nil {
		return &thereError{baseline.NameOf(dir)}
	} else if _, none := errors.AsType[*baseline.NotBaselineError](err); !none {
		return err
	}
	if err := f.writable(p, c, dir, key); err != nil {
		return err
	}
	left := &indexing.LeftOut{To: p.out, Verbose: f.verbose}
	pkgs, pinned, err := p.openPins(ctx, pins, f, left)
	if err != nil {
		return err
	}
	if len(pkgs) == 0 {
		return left.Incomplete()
	}
	if f.pin != "" {
		if err := console.WriteFile(f.pin, func(w io.Writer) error { return writePins(w, pinned) }); err != nil {
			return err
		}
	}
	w, err := f.writer(p, c, dir, key)
	if err != nil {
		return err
	}
	defer closeAll(&err, []*baseline.Writer{w})
	sum, err := p.index(ctx, w, pkgs, f.workers, left)
	if err != nil {
		return err
	}
	if err := w.Compact(ctx); err != nil {
		return err
	}
	return p.indexed(w, sum, left)
}

// writable fails if the baseline or the pinned list cannot be written. Downloads, which can take half an hour, come later. A writer
// that adds nothing leaves nothing.
func (f *makeFlags) writable(p *program, c *cobra.Command, dir string, key fingerprint.Key) error {
	if err := console.Reachable(f.pin); err != nil {
		return err
	}
	w, err := f.writer(p, c, dir, key)
	if err != nil {
		return err
	}
	return w.Close()
}

func readPins(ctx context.Context, name string) ([]source.Pin, error) {
	if name == config.OpenBaseline {
		return source.ReadPins(name, strings.NewReader(openList))
	}
	f, err := openInput(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("read list: %w", err)
	}
	defer f.Close()
	return source.ReadPins(name, f)
}

// pinError says that a package does not match its digest, or is not available.
type pinError struct {
	bad   int
	first string
}

func (e *pinError) Error() string {
	return fmt.Sprintf("packages that are not what the list says: %d, first %s", e.bad, e.first)
}

// Remedy says how to continue without the package.
func (e *pinError) Remedy() string {
	return "pin the list again, or leave them out: git-provenance baseline make LIST --available"
}

// openPins opens the packages of a list and compares them with their digests. It returns packages that are the same on
// every machine, and the list with the digests found.
func (p *program) openPins(ctx context.Context, pins []source.Pin, f *makeFlags, left *indexing.LeftOut) ([]*source.Package, []source.Pin, error) {
	o, err := p.indexOptions(ctx, &f.indexFlags)
	if err != nil {
		return nil, nil, err
	}
	found, errs := make([]*source.Package, len(pins)), make([]error, len(pins))
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	var done atomic.Int64
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(indexing.Downloading)
	for i := range pins {
		g.Go(func() error {
			found[i], errs[i] = openPin(gctx, &pins[i], o)
			bar.At("read "+pins[i].PURL, int(done.Add(1)), 0)
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	var pkgs []*source.Package
	var pinned []source.Pin
	bad := new(pinError)
	for i, pin := range pins {
		switch {
		case errs[i] == nil:
			pkgs, pinned = append(pkgs, found[i]), append(pinned, pin)
			continue
		case pin.Digest != "":
			if bad.bad++; bad.bad == 1 {
				bad.first = fmt.Sprintf("%s: %v", pin.PURL, errs[i])
			}
		}
		left.Lacking(source.Skipped{Path: pin.PURL, Reason: source.ReasonMissing, Detail: fmt.Sprintf("line %d: %v", pin.Line, errs[i]), Answer: source.AnswerOf(errs[i])})
	}
	if bad.bad > 0 && !f.available {
		return nil, nil, bad
	}
	return pkgs, pinned, nil
}

// openPin opens one package and fills in the missing fields of its line.
func openPin(ctx context.Context, pin *source.Pin, o source.Options) (*source.Package, error) {
	o.License, o.Released = pin.License, pin.Released
	pkgs, err := source.Open(ctx, pin.PURL, o)
	if err != nil {
		return nil, err
	}
	if len(pkgs) != 1 {
		return nil, fmt.Errorf("it stands for %d packages", len(pkgs))
	}
	pkg := pkgs[0]
	digest, err := pkg.Digest(ctx, o.Limits)
	if err != nil {
		return nil, err
	}
	if pin.Digest != "" && digest != pin.Digest {
		return nil, fmt.Errorf("its files have the digest %s, the list says %s", digest, pin.Digest)
	}
	if purl.Version(pkg.PURL) == "" {
		return nil, fmt.Errorf("no version of it is known")
	}
	pkg.From = pkg.PURL // independent of this machine
	pin.PURL, pin.Digest, pin.Released = pkg.PURL, digest, pkg.Released
	return pkg, nil
}

func writePins(w io.Writer, pins []source.Pin) error {
	for _, p := range pins {
		released := ""
		if !p.Released.IsZero() {
			released = p.Released.Format(time.RFC3339Nano)
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", escape.Line(p.PURL), p.Digest, p.License, released); err != nil {
			return err
		}
	}
	return nil
}

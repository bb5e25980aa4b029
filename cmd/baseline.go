package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/holdings"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner/drift"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/spf13/cobra"
)

func (p *program) baselineCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "baseline",
		Short: "Build and maintain baselines, the indexes of known packages",
		Long: `A baseline is an index of known packages. It is a directory, or lies in a store that
many share: postgres://USER@HOST/DATABASE or s3://BUCKET/PREFIX. Without --baseline it
is $XDG_DATA_HOME/git-provenance/baseline, by default below ~/.local/share.`,
	}
	group(c)
	c.AddCommand(p.initCommand(), p.addCommand(), p.listCommand(), p.infoCommand(), p.verifyCommand(), p.removeCommand(), p.compactCommand(), p.refreshCommand(), p.exportCommand(), p.importCommand(), p.makeCommand(), p.driftCommand())
	return c
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

func (p *program) listCommand() *cobra.Command {
	s, format := new(store), ""
	c := &cobra.Command{
		Use:   "list",
		Short: "List the packages of the baseline",
		Args:  noArgs,
		RunE: p.opened(s, func(_ context.Context, b *baseline.Baseline) error {
			pkgs, err := b.Packages()
			if err != nil {
				return err
			}
			return holdings.Packages(p.out, pkgs, format)
		}),
	}
	s.flag(c)
	c.Flags().Var(value.OneOf(&format, "text", "text", "json"), "format", "output `FORMAT`: text or json")
	return c
}

func (p *program) infoCommand() *cobra.Command {
	s, format, growth := new(store), "", false
	c := &cobra.Command{
		Use:   "info",
		Short: "Show what the baseline holds, its parameters and its digest",
		Long: `Show what the baseline holds, its parameters and its digest.

With --growth, show each segment, the oldest first. Each add writes a segment. When the
later segments together are as large as a segment, they are merged with it. ROOM is the
number of bytes that can be added before that.`,
		Args: noArgs,
		RunE: p.opened(s, func(_ context.Context, b *baseline.Baseline) error {
			if growth {
				segments, err := b.Growth()
				if err != nil {
					return err
				}
				return holdings.Segments(p.out, segments, format)
			}
			in, err := b.Info()
			if err != nil {
				return err
			}
			if err := holdings.Info(p.out, in, format); err != nil || format == "json" {
				return err
			}
			return holdings.Outdated(p.out, b)
		}),
	}
	s.flag(c)
	c.Flags().Var(value.OneOf(&format, "text", "text", "json"), "format", "output `FORMAT`: text or json")
	c.Flags().BoolVar(&growth, "growth", false, "show each segment, and what each posting and each byte of source takes")
	return c
}

func (p *program) verifyCommand() *cobra.Command {
	s := &store{afresh: true}
	c := &cobra.Command{
		Use:   "verify",
		Short: "Read the whole baseline and check every checksum",
		Long: `Read the whole baseline and check every checksum. A baseline at an address is fetched
again as a whole: the cache of this machine could hide damage, or keep it.`,
		Args: noArgs,
		RunE: p.opened(s, func(ctx context.Context, b *baseline.Baseline) error {
			if err := b.Verify(ctx); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(p.out, "baseline %s: sound: %s\n", escape.Line(b.Path()), b.Digest()); err != nil {
				return err
			}
			return holdings.Outdated(p.out, b)
		}),
	}
	s.flag(c)
	return c
}

func (p *program) removeCommand() *cobra.Command {
	s := new(store)
	c := &cobra.Command{
		Use:     "remove PURL…",
		Short:   "Remove packages from the baseline",
		Example: "  git-provenance baseline remove pkg:npm/left-pad@1.3.0",
		Args:    someArgs("PURL"),
		RunE: p.changed(s, func(ctx context.Context, w *baseline.Writer, args []string) error {
			var purls []string
			for _, a := range args {
				canonical, err := purl.Canonical(a)
				if err != nil {
					return err
				}
				purls = append(purls, canonical)
			}
			return w.Remove(ctx, purls)
		}),
	}
	s.flag(c)
	return c
}

func (p *program) compactCommand() *cobra.Command {
	s := new(store)
	c := &cobra.Command{
		Use:   "compact",
		Short: "Merge all segments and drop removed packages",
		Args:  noArgs,
		RunE: p.changed(s, func(ctx context.Context, w *baseline.Writer, _ []string) error {
			return w.Compact(ctx)
		}),
	}
	s.flag(c)
	return c
}

func (p *program) refreshCommand() *cobra.Command {
	s := new(store)
	c := &cobra.Command{
		Use:   "refresh",
		Short: "Make the tokens of outdated documents again",
		Long: `Make the tokens of outdated documents again. A document is outdated if the grammar or
the rules of its language changed after the document was indexed. A scan skips
outdated documents and lists them. The text comes from the baseline, so no package is
read again. If a baseline was exported without text, its documents stay outdated.
"baseline compact" refreshes too.`,
		Args: noArgs,
		RunE: p.changed(s, func(ctx context.Context, w *baseline.Writer, _ []string) error {
			done, err := w.Refresh(ctx)
			if err != nil {
				return err
			}
			b := w.Baseline()
			_, err = fmt.Fprintf(p.out, "baseline %s: made again: %s: %s\n", escape.Line(b.Path()), holdings.Documents(done), b.Digest())
			return err
		}),
	}
	s.flag(c)
	return c
}

func (p *program) driftCommand() *cobra.Command {
	s, format, among, verbose := new(store), "", "", false
	c := &cobra.Command{
		Use:   "drift DIR",
		Short: "Show which package a vendored directory is, and what was changed in it",
		Long: `Compare a directory of somebody else's code, such as third_party/zlib, with the baseline:
which version of which package it is, which files are as released, which were changed and
where, and which are local. The version with most equal files is taken; of several, the
one with fewest changed and added lines. Of more than 16 such versions only the latest 16
are compared.

Exit code: 0 nothing was changed, 1 files were changed or added, 2 could not complete.`,
		Example: `  git-provenance baseline drift third_party/zlib
  git-provenance baseline drift --purl pkg:generic/zlib@1.2.11 --verbose third_party/zlib`,
		Args: oneArg("DIR"),
	}
	s.flag(c)
	c.Flags().StringVar(&among, "purl", "", "compare with the package `PURL`; without a version, with the version that fits best")
	config.Mark(c.Flags(), config.NotInFile, "purl") // like --purl of add: it belongs to one source
	c.Flags().Var(value.OneOf(&format, "text", "text", "json"), "format", "output `FORMAT`: text or json")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show the changed lines and every file")
	c.RunE = func(c *cobra.Command, args []string) error {
		return p.opened(s, func(ctx context.Context, b *baseline.Baseline) error {
			d, err := driftOf(ctx, b, args[0], among)
			if err != nil {
				return err
			}
			if !d.None() {
				p.found = 1
			}
			return errors.Join(holdings.Drift(p.out, args[0], d, format, verbose), unreadable(args[0], d))
		})(c, args)
	}
	return c
}

// driftOf compares a directory with a baseline.
func driftOf(ctx context.Context, b *baseline.Baseline, dir, among string) (*drift.Drift, error) {
	if among != "" {
		canonical, err := purl.Canonical(among)
		if err != nil {
			return nil, err
		}
		among = canonical
	}
	var list []drift.File
	var left []drift.Left
	var size int64
	err := files.WalkDir(ctx, dir, nil, &files.Visit{Limits: files.DefaultLimits(),
		File: func(path string, text []byte) error {
			list = append(list, drift.File{Path: path, Text: text})
			if size += int64(len(text)); size > mostDrift {
				return &files.LimitError{Subject: dir, Limit: "bytes in all files", Max: mostDrift}
			}
			return nil
		},
		Skipped: func(path, reason, detail string) {
			left = append(left, drift.Left{Path: path, Reason: reason, Detail: detail})
		},
	})
	if err != nil {
		return nil, err
	}
	d, err := drift.Find(ctx, b, list, among)
	if err != nil {
		return nil, fmt.Errorf("compare %q: %w", dir, err)
	}
	d.Left = append(d.Left, left...)
	slices.SortFunc(d.Left, func(a, b drift.Left) int { return strings.Compare(a.Path, b.Path) })
	return d, nil
}

// mostDrift bounds the files of a directory that drift keeps in memory. Linux has 1.5 GB.
const mostDrift = 2 << 30

// unreadable fails if a file of a directory could not be read: then nothing may be called unchanged.
func unreadable(dir string, d *drift.Drift) error {
	for _, l := range d.Left {
		if l.Reason == files.ReasonUnreadable {
			return fmt.Errorf("compare %q: %q: %s: %s", dir, l.Path, l.Reason, l.Detail)
		}
	}
	return nil
}

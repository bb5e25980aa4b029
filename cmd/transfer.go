package cmd

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/spf13/cobra"
)

// exportFlags are the flags of baseline export.
type exportFlags struct {
	store
	output, delta, sign string
	withoutText         bool
}

func (p *program) exportCommand() *cobra.Command {
	f := new(exportFlags)
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the baseline as one file",
		Long: `Write the whole baseline to one file. "git-provenance baseline import" reads the file
elsewhere.

The file is named by its content. A baseline that has not changed gives the same file
again. Two baselines of the same packages give the same file after "baseline compact".

--without-text leaves out comments and layout, so that the file passes on no prose of
others. It saves little or no space: the position of each token takes about as much as
the comments did. The file keeps what a scan compares: names, literals, signs, line
numbers, notices and links. Scans then find nearly the same code, but no copied
comments. The code can still be read from the file: this flag keeps nothing secret.

--delta FILE writes only what was added since the earlier export FILE. Import the result
where FILE was imported before. After "baseline compact" everything counts as added.

--sign FILE signs the export with the ed25519 private key in FILE, a PEM file as OpenSSL
writes it. "baseline import --trust" checks the signature.`,
		Example: `  git-provenance baseline export --output /srv/baselines
  openssl genpkey -algorithm ed25519 -out sign.pem
  openssl pkey -in sign.pem -pubout -out sign.pub
  git-provenance baseline export --sign sign.pem --delta monday.gpbase --output tuesday.gpbase`,
		Args: noArgs,
	}
	f.flag(c)
	fs := c.Flags()
	fs.StringVarP(&f.output, "output", "o", ".", "write to `PATH`: a file, a directory, or - for standard output")
	fs.StringVar(&f.delta, "delta", "", "leave out the content of the earlier export `FILE`")
	fs.BoolVar(&f.withoutText, "without-text", false, "leave out comments and layout; scans find nearly the same code, and no copied comments")
	fs.StringVar(&f.sign, "sign", "", "sign with the private key in `FILE`")
	config.Mark(fs, config.NotInFile, "output", "delta", "without-text", "sign")
	c.RunE = p.opened(&f.store, func(ctx context.Context, b *baseline.Baseline) error { return p.export(ctx, b, f) })
	return c
}

func (p *program) export(ctx context.Context, b *baseline.Baseline, f *exportFlags) (err error) {
	var o baseline.ExportOptions
	if f.delta != "" {
		if o.Since, err = readExport(f.delta); err != nil {
			return err
		}
	}
	if f.sign != "" {
		if o.Sign, err = readPEM[ed25519.PrivateKey](f.sign, x509.ParsePKCS8PrivateKey, "private"); err != nil {
			return err
		}
	}
	if f.withoutText {
		bare, remove, err := withoutText(ctx, b)
		if err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, remove()) }()
		b = bare
	}
	e, err := b.Export(o)
	if err != nil {
		return err
	}
	if f.output == "-" {
		return e.Write(ctx, p.out)
	}
	name := f.output
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		name = filepath.Join(name, e.ID+".gpbase")
	}
	if err := console.WriteFile(name, func(w io.Writer) error { return e.Write(ctx, w) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s: %d bytes, baseline %s, %s\n", escape.Line(name), e.Bytes, e.Digest, signer(&e.Exported))
	return err
}

// withoutText makes a copy of a baseline without its texts. The caller removes it after writing.
func withoutText(ctx context.Context, b *baseline.Baseline) (bare *baseline.Baseline, remove func() error, err error) {
	dir, err := os.MkdirTemp("", "git-provenance-export-*")
	if err != nil {
		return nil, nil, fmt.Errorf("export baseline: %w", err)
	}
	w, err := baseline.OpenWriter(ctx, dir, b.Params(), b.Key())
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	remove = func() error { return errors.Join(w.Close(), os.RemoveAll(dir)) }
	heads := new(license.Heads)
	if err := w.WithoutText(ctx, b, func(between []byte) bool { return isNotice(heads, between) }); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return w.Baseline(), remove, nil
}

// isNotice reports whether the text between two tokens must be kept, since verdicts depend on it: it names an origin or
// a licence, or says that a program wrote the code.
func isNotice(heads *license.Heads, between []byte) bool {
	return bytes.Contains(between, []byte("://")) || lang.SaysGenerated(between) || heads.Read(between) != (license.Stated{}) || license.Wording(between) != "" ||
		len(attribution.Scan(between, false)) > 0
}

// signer says who signed an export.
func signer(e *baseline.Exported) string {
	if e.Signer == nil {
		return "not signed"
	}
	return "signed by " + baseline.KeyName(e.Signer)
}

// readExport reads the head of an export in a file.
func readExport(name string) (*baseline.Exported, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read export: %w", err)
	}
	defer f.Close()
	return baseline.ReadExport(f)
}

// readPEM reads a key from a file in the format of OpenSSL. half says which half of a pair it has to be.
func readPEM[K ed25519.PrivateKey | ed25519.PublicKey](name string, parse func([]byte) (any, error), half string) (key K, err error) {
	f, err := os.Open(name)
	if err != nil {
		return key, fmt.Errorf("read key: %w", err)
	}
	defer f.Close()
	text, err := console.ReadLimited(f, maxKey)
	if err != nil {
		return key, fmt.Errorf("read key %q: %w", name, err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return key, fmt.Errorf("read key %q: no key in PEM", name)
	}
	parsed, err := parse(block.Bytes)
	key, ok := parsed.(K)
	if err != nil || !ok {
		return key, fmt.Errorf("read key %q: it is no %s key of ed25519, but %q", name, half, block.Type)
	}
	return key, nil
}

// importFlags are the flags of baseline import.
type importFlags struct {
	store
	trust   []string
	replace bool
}

func (p *program) importCommand() *cobra.Command {
	f := new(importFlags)
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a baseline from an exported one",
		Long: `Make a baseline from the FILE that "baseline export" wrote, - for standard input. Every
part is compared with its digest before anything changes. If no --trust key signed the
export, every document is verified too.

An export names packages and licences, and a scan believes it: import those of people
you know.`,
		Example: `  git-provenance baseline import open.gpbase --trust sign.pub
  curl https://example.com/open.gpbase | git-provenance baseline import - --trust sign.pub`,
		Args: oneArg("FILE"),
	}
	f.flag(c)
	fs := c.Flags()
	fs.StringArrayVar(&f.trust, "trust", nil, "refuse what the public key in `FILE` did not sign (repeatable: one of them)")
	fs.BoolVar(&f.replace, "replace", false, "replace the baseline that is there")
	config.Mark(fs, config.NotInFile, "replace")
	config.Mark(fs, config.IsPath, "trust")
	c.RunE = p.settled(func(c *cobra.Command, args []string) error { return p.imported(c, args[0], f) })
	return c
}

// openInput opens a file that an argument names. A pipe is waited for until ctx ends.
func openInput(ctx context.Context, name string) (*os.File, error) {
	return interruptible(ctx, func() (*os.File, error) { return os.Open(name) })
}

func (p *program) imported(c *cobra.Command, name string, f *importFlags) (err error) {
	dir, key, err := f.where(p, c)
	if err != nil {
		return err
	}
	o := baseline.ImportOptions{Replace: f.replace}
	for _, file := range f.trust {
		k, err := readPEM[ed25519.PublicKey](file, x509.ParsePKIXPublicKey, "public")
		if err != nil {
			return err
		}
		o.Trust = append(o.Trust, k)
	}
	in := io.NopCloser(p.in)
	if name != "-" {
		f, err := openInput(c.Context(), name)
		if err != nil {
			return fmt.Errorf("read export: %w", err)
		}
		in = f
	}
	defer func() { err = cmp.Or(err, in.Close()) }()
	w, err := p.openWriter(c.Context(), dir, baseline.Defaults, key)
	if err != nil {
		return err
	}
	defer closeAll(&err, []*baseline.Writer{w})
	e, err := w.Import(c.Context(), in, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "baseline %s: %s, export %s, %s\n", escape.Line(w.Baseline().Path()), w.Baseline().Digest(), e.ID, signer(e))
	return err
}

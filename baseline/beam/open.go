package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// ref identifies one package: the line of the list, and its index among the line's packages.
type ref struct {
	Line  source.Listed
	Index int
}

func (r ref) String() string {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // plain data
	}
	return string(b)
}

func parseRef(s string) (r ref, err error) { return r, json.Unmarshal([]byte(s), &r) }

// sortRefs sorts packages in the order of their list.
func sortRefs(refs []ref) {
	slices.SortFunc(refs, func(a, b ref) int {
		return cmp.Or(cmp.Compare(a.Line.Line, b.Line.Line), cmp.Compare(a.Index, b.Index))
	})
}

// opener opens lines. It keeps the packages of the last line, which can be a whole module cache, and the copy of an
// archive from a bucket.
type opener struct {
	options source.Options
	line    source.Listed
	pkgs    []*source.Package
	copied  string // directory of the copy
}

func (o *opener) close() error {
	o.pkgs = nil
	return o.drop()
}

// drop removes the copy of an archive, since a runner need not report when it is done with a step.
func (o *opener) drop() error {
	if o.copied == "" {
		return nil
	}
	o.pkgs = nil
	dir := o.copied
	o.copied = ""
	return os.RemoveAll(dir)
}

func (o *opener) open(ctx context.Context, l source.Listed) ([]*source.Package, error) {
	if o.pkgs != nil && o.line == l {
		return o.pkgs, nil
	}
	if err := o.close(); err != nil {
		return nil, err
	}
	own, from := o.options, l.Source
	own.PURL, own.License, own.Released = l.PURL, l.License, l.Released
	if strings.Contains(from, "://") {
		var err error
		if from, err = o.copy(ctx, from); err != nil {
			return nil, err
		}
	}
	pkgs, err := source.Open(ctx, from, own)
	if err != nil {
		return nil, err
	}
	if from != l.Source {
		for _, p := range pkgs {
			p.From = l.Source
		}
	}
	o.line, o.pkgs = l, pkgs
	return pkgs, nil
}

// package1 opens one package.
func (o *opener) package1(ctx context.Context, r ref) (*source.Package, error) {
	pkgs, err := o.open(ctx, r.Line)
	if err != nil {
		return nil, err
	}
	if r.Index >= len(pkgs) {
		return nil, fmt.Errorf("open %q: it had a package more a moment ago", r.Line.Source)
	}
	return pkgs[r.Index], nil
}

// copy copies an archive from a bucket to this machine.
func (o *opener) copy(ctx context.Context, address string) (string, error) {
	fs, err := filesystem.New(ctx, address)
	if err != nil {
		return "", err
	}
	defer fs.Close()
	r, err := fs.OpenRead(ctx, address)
	if err != nil {
		return "", fmt.Errorf("open %q: %w", address, err)
	}
	defer r.Close() // it was only read
	if o.copied, err = os.MkdirTemp("", "provenance-beam-"); err != nil {
		return "", err
	}
	name := filepath.Join(o.copied, path.Base(address))
	w, err := os.Create(name)
	if err != nil {
		return "", err
	}
	if _, err = io.Copy(w, r); err != nil {
		w.Close()
		return "", fmt.Errorf("copy %q: %w", address, err)
	}
	return name, w.Close()
}

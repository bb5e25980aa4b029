// Package baselinetest has code for examples to index. It also makes baselines in the form of older programs.
package baselinetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// Outdate gives the documents of a language other tokens and another scheme, as another version of its grammar might
// have. Texts, packages and other languages stay unchanged.
func Outdate(dir, language string) error {
	names, err := filepath.Glob(filepath.Join(dir, "manifest-*.json"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("outdate %q: no manifest: %w", dir, err)
	}
	path := names[len(names)-1]
	man, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var m struct{ Segments []struct{ Name string } }
	if err := json.Unmarshal(man, &m); err != nil {
		return err
	}
	man = heads.ReplaceAll(man, nil)
	for _, s := range m.Segments {
		name, err := outdateSegment(dir, s.Name, language)
		if err != nil {
			return fmt.Errorf("outdate segment %s: %w", s.Name, err)
		}
		man = bytes.ReplaceAll(man, []byte(s.Name), []byte(name))
	}
	return os.WriteFile(path, sealed(man), 0o644)
}

// heads matches a field that older manifests do not have.
var heads = regexp.MustCompile(`,\n *"heads": "[0-9a-f]*"`)

// sealed adds the checksum to a manifest.
func sealed(man []byte) []byte {
	sum := regexp.MustCompile(`,\n  "sum": "[0-9a-f]*"\n}\n$`)
	bare := sum.ReplaceAll(man, []byte("\n}"))
	return fmt.Appendf(nil, "%s,\n  \"sum\": \"%x\"\n}\n", bytes.TrimSuffix(bare, []byte("\n}")), sha256.Sum256(bare))
}

// outdateSegment rewrites the documents of a segment and returns its new name.
func outdateSegment(dir, name, language string) (string, error) {
	r, err := store.Open(filepath.Join(dir, name+".docs"))
	if err != nil {
		return "", err
	}
	building := filepath.Join(dir, "building")
	err = errors.Join(rewrite(r, building+".docs", language), r.Close())
	if err != nil {
		return "", err
	}
	if err := os.Rename(filepath.Join(dir, name+".fps"), building+".fps"); err != nil {
		return "", err
	}
	if err := os.Remove(filepath.Join(dir, name+".docs")); err != nil {
		return "", err
	}
	h := sha256.New()
	for _, ext := range []string{".fps", ".docs"} {
		b, err := os.ReadFile(building + ext)
		if err != nil {
			return "", err
		}
		h.Write(b)
	}
	name = hex.EncodeToString(h.Sum(nil)[:16])
	return name, errors.Join(os.Rename(building+".fps", filepath.Join(dir, name+".fps")), os.Rename(building+".docs", filepath.Join(dir, name+".docs")))
}

func rewrite(r *store.Reader, path, language string) error {
	w, err := store.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	enc, err := store.NewEncoder()
	if err != nil {
		return err
	}
	for i := range r.Docs() {
		e, err := r.Entry(i)
		if err == nil && e.Language == language {
			e, err = outdated(r, i, enc)
		}
		if err != nil {
			return err
		}
		w.Add(e)
	}
	pkgs, err := r.Packages()
	if err != nil {
		return err
	}
	var occs []store.Occurrence
	if err := r.AllOccurrences(func(o store.Occurrence) { occs = append(occs, o) }); err != nil {
		return err
	}
	return w.Close(pkgs, occs)
}

// outdated returns a document with other kinds of tokens and another scheme.
func outdated(r *store.Reader, i int, enc *store.Encoder) (*store.Entry, error) {
	d, err := r.Doc(i)
	if err != nil {
		return nil, err
	}
	text, err := r.Text(d)
	if err != nil {
		return nil, err
	}
	toks, lines, err := r.Stream(d)
	if err != nil {
		return nil, err
	}
	for i := range toks {
		toks[i].Kind ^= 0x5a5a5a5a
	}
	e := enc.Entry(store.Content{Hash: d.Hash, Language: d.Language, License: d.License, Text: text, Tokens: toks, Lines: lang.Lines(text)})
	e.Scheme, e.Unit, e.LicenseAt = "0.0@before", d.Unit, d.LicenseAt
	if d.Bare {
		e = enc.Bare(e, text, toks, lines, func([]byte) bool { return true })
	}
	return &e, nil
}

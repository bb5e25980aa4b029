// Package basecode reads code that a target may have regardless of its author: a skeleton that was handed out, or the frame that
// a generator writes. MOSS calls it base code. Read takes paths and returns a Set of k-grams. Set.Masked tells which tokens of a target agree with it,
// except for names; they are masked before anything is scored.
package basecode

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Set holds all k-grams of the base code, ascending.
type Set []uint64

// maxGrams limits the k-grams of a set. Each takes 8 bytes, and a large framework stays below the limit. Larger amounts of code
// belong in a baseline.
const maxGrams = 8 << 20

// Read reads the files at and below paths, including archives. A file that cannot be read as code is an error, and so is a path
// without any code, because a smaller mask than requested could accuse somebody.
func Read(ctx context.Context, paths []string, p fingerprint.Params) (Set, error) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	var out Set
	for _, path := range paths {
		before := len(out)
		names, err := filesAt(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("read base code %q: %w", path, err)
		}
		for _, name := range names {
			err := each(ctx, name, func(name string, text []byte) (err error) {
				out, err = out.add(z, name, text, p.K)
				return err
			})
			if err != nil {
				return nil, fmt.Errorf("read base code %q: %w", name, err)
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("read base code %q: no file there has %d tokens of code", path, p.K)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// each calls file with a file, or with the files in an archive.
func each(ctx context.Context, name string, file func(name string, text []byte) error) error {
	packed, err := files.IsArchive(name)
	if err != nil {
		return err
	}
	if !packed {
		text, err := readFile(name)
		if err != nil {
			return err
		}
		return file(name, text)
	}
	var left error
	err = files.WalkArchiveFile(ctx, name, name, files.Form{}, &files.Visit{Limits: files.DefaultLimits(), File: func(inner string, text []byte) error {
		if k, err := files.Kind(bytes.NewReader(text)); err != nil || k != "" {
			return fmt.Errorf("%s: an archive in an archive: unpack it first", inner)
		}
		return file(inner, text)
	}, Skipped: func(inner, reason, detail string) {
		if left == nil && slices.Contains([]string{files.ReasonTooLarge, files.ReasonMethod, files.ReasonUnreadable}, reason) {
			left = fmt.Errorf("%s: %s: %s", inner, reason, detail)
		}
	}})
	return cmp.Or(err, left)
}

// maxFile limits the size of a base code file, in bytes. The configuration of a repository can name files anywhere on the
// machine.
const maxFile = 64 << 20

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("larger than %d bytes", maxFile)
	}
	return text, err
}

func filesAt(ctx context.Context, path string) ([]string, error) {
	st, err := os.Stat(path)
	if err != nil || st.Mode().IsRegular() {
		return []string{path}, err
	}
	var unread error
	found, err := git.Files(ctx, path, nil, func(name string, why git.Reason, detail string) {
		if why == git.ReasonUnreadable && unread == nil {
			unread = fmt.Errorf("%s: %s", name, detail)
		}
	})
	if err == nil {
		err = unread
	}
	var out []string
	for _, f := range found {
		out = append(out, filepath.Join(path, filepath.FromSlash(f.Path)))
	}
	return out, err
}

func (s Set) add(z *lang.Tokenizer, name string, text []byte, k int) (Set, error) {
	d := lang.Detect(name, text)
	if d.Language == nil {
		return s, nil // binary: nothing a target could match
	}
	stream, language, _, err := z.TokenizeOrWords(d.Language, d.Text)
	if err != nil {
		return s, err
	}
	s = fingerprint.KGrams(s, baseline.Values(nil, language, stream.Tokens), k)
	if len(s) > maxGrams {
		return s, fmt.Errorf("more than %d tokens of base code", maxGrams)
	}
	return s, nil
}

// Masked reports which tokens of a document are base code; nil if the set is empty.
func (s Set) Masked(l *lang.Language, toks []lang.Token, k int) []bool {
	if len(s) == 0 {
		return nil
	}
	return s.MaskedGrams(fingerprint.KGrams(nil, baseline.Values(nil, l, toks), k), len(toks), k)
}

// MaskedGrams is Masked for a document given by its k-grams.
func (s Set) MaskedGrams(grams []uint64, tokens, k int) []bool {
	if len(s) == 0 {
		return nil
	}
	masked := make([]bool, tokens)
	for i, g := range grams {
		if _, ok := slices.BinarySearch(s, g); ok {
			for j := i; j < i+k; j++ {
				masked[j] = true
			}
		}
	}
	return masked
}

// Unmasked removes the masked tokens of the target from a match, and pieces of runs shorter than shortest.
func Unmasked(m match.Match, masked []bool, shortest int) match.Match {
	var out match.Match
	for _, r := range m.Runs {
		from := uint32(0)
		for i := uint32(0); i <= r.Len; i++ {
			if i < r.Len && !masked[r.Target+i] {
				continue
			}
			if n := i - from; int(n) >= shortest || n == r.Len {
				out.Runs = append(out.Runs, match.Run{Target: r.Target + from, Origin: r.Origin + from, Len: n})
			}
			from = i + 1
		}
	}
	return out
}

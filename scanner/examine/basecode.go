package examine

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// Sanctioned is the code a target may hold whoever wrote it: a skeleton that was
// handed out, a generator's frame; MOSS calls it base code. What matches it, names
// aside, is masked before anything is weighed. It is the set of its k-grams, all
// of them, ascending.
type Sanctioned []uint64

// maxSanctioned bounds the k-grams kept: 8 bytes each, and the code of a large
// framework. What is sanctioned in such amounts belongs into a baseline.
const maxSanctioned = 8 << 20

// ReadSanctioned reads the files at and below paths. A file that cannot be read
// as code is an error: masking less than was asked for accuses somebody.
func ReadSanctioned(ctx context.Context, paths []string, p fingerprint.Params) (Sanctioned, error) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	var out Sanctioned
	for _, path := range paths {
		files, err := sanctionedFiles(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("read base code %q: %w", path, err)
		}
		for _, name := range files {
			text, err := readSanctioned(name)
			if err == nil {
				out, err = out.add(z, name, text, p.K)
			}
			if err != nil {
				return nil, fmt.Errorf("read base code %q: %w", name, err)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// maxSanctionedFile bounds the bytes of a file of base code, which the
// configuration of a repository can name anywhere on the machine.
const maxSanctionedFile = 64 << 20

func readSanctioned(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSanctionedFile+1))
	if err == nil && len(text) > maxSanctionedFile {
		err = fmt.Errorf("larger than %d bytes", maxSanctionedFile)
	}
	return text, err
}

func sanctionedFiles(ctx context.Context, path string) ([]string, error) {
	st, err := os.Stat(path)
	if err != nil || st.Mode().IsRegular() {
		return []string{path}, err
	}
	var unread error
	files, err := git.Files(ctx, path, nil, func(name string, why git.Reason, detail string) {
		if why == git.ReasonUnreadable && unread == nil {
			unread = fmt.Errorf("%s: %s", name, detail)
		}
	})
	if err == nil {
		err = unread
	}
	var out []string
	for _, f := range files {
		out = append(out, filepath.Join(path, filepath.FromSlash(f.Path)))
	}
	return out, err
}

func (s Sanctioned) add(z *lang.Tokenizer, name string, text []byte, k int) (Sanctioned, error) {
	d := lang.Detect(name, text)
	if d.Language == nil {
		return s, nil // binary: nothing a target could match
	}
	stream, err := z.Tokenize(d.Language, text)
	if err != nil {
		return s, err
	}
	s = fingerprint.KGrams(s, baseline.Values(nil, d.Language, stream.Tokens), k)
	if len(s) > maxSanctioned {
		return s, fmt.Errorf("more than %d tokens of base code", maxSanctioned)
	}
	return s, nil
}

// Masked tells which tokens of a document are sanctioned; nil if none can be.
func (s Sanctioned) Masked(l *lang.Language, toks []lang.Token, k int) []bool {
	if len(s) == 0 {
		return nil
	}
	return s.MaskedGrams(fingerprint.KGrams(nil, baseline.Values(nil, l, toks), k), len(toks), k)
}

// MaskedGrams is Masked of a document that is given by its k-grams.
func (s Sanctioned) MaskedGrams(grams []uint64, tokens, k int) []bool {
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

// Unmasked takes the masked tokens of the target out of a match; pieces too short
// to tell anything go with them.
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

// maskSanctioned prepares the mask of the stream whose k-grams were just made.
func (q *query) maskSanctioned() []finding.Entry {
	masked := q.e.o.Sanctioned.MaskedGrams(q.grams, len(q.Tokens), q.e.params.K)
	n := match.Count(masked)
	if n == 0 {
		return nil
	}
	q.masked, q.own = masked, len(q.Tokens)-n
	q.prints = slices.DeleteFunc(q.prints, func(f fingerprint.Fingerprint) bool {
		return !slices.Contains(masked[f.Pos:int(f.Pos)+q.e.params.K], false)
	})
	return []finding.Entry{{Path: q.Path, Reason: finding.ReasonSanctioned, Detail: fmt.Sprintf("%d of %d tokens are base code", n, len(q.Tokens))}}
}

// countOwn is how many tokens of a document are not sanctioned.
func (q *query) countOwn(d *doc, family *lang.Language) int {
	if len(q.e.o.Sanctioned) == 0 {
		return d.tokens.Len()
	}
	toks, _ := d.tokens.All()
	return len(toks) - match.Count(q.e.o.Sanctioned.Masked(family, toks, q.e.params.K))
}

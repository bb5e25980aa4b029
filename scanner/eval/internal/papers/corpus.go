package papers

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/parameterized"
)

const (
	gram   = 20 // tokens of a k-gram, as in baseline.Defaults
	window = 12
	// shortest and longest are the bounds of a file's bytes. Shorter files have nothing to compare, longer ones are
	// data.
	shortest, longest = 1 << 10, 256 << 10
)

// document is a file of the corpus in the experiments.
type document struct {
	hash     [sha256.Size]byte
	path     string
	language *lang.Language
	text     []byte
	tokens   []lang.Token
	values   []uint64 // of tokens, all names equal
	names    []int32  // by token: the number of its name, or parameterized.None
}

func (d *document) grams(k int) []uint64 { return fingerprint.KGrams(nil, d.values, k) }

// corpus is a sample of files: for each language those with the lowest hashes, in the order of their hashes.
type corpus struct {
	docs   []*document
	files  int // read
	trials int // of repetitions with other dice
	orders int // number of orders that each pair is sampled in
}

func (c *corpus) String() string {
	n, size, by := 0, 0, make(map[string]int)
	for _, d := range c.docs {
		n, size = n+len(d.tokens), size+len(d.text)
		by[d.language.Name]++
	}
	var langs []string
	for _, l := range slices.Sorted(maps.Keys(by)) {
		langs = append(langs, fmt.Sprintf("%s %d", l, by[l]))
	}
	return fmt.Sprintf("%d files looked at; %d documents, %d bytes, %d tokens: %s", c.files, len(c.docs), size, n, strings.Join(langs, ", "))
}

// of returns the documents of a language.
func (c *corpus) of(language string) (out []*document) {
	for _, d := range c.docs {
		if d.language.Name == language {
			out = append(out, d)
		}
	}
	return out
}

// languages lists those with at least least documents.
func (c *corpus) languages(least int) (out []string) {
	by := make(map[string]int)
	for _, d := range c.docs {
		by[d.language.Name]++
	}
	for _, l := range slices.Sorted(maps.Keys(by)) {
		if by[l] >= least {
			out = append(out, l)
		}
	}
	return out
}

// read lists the source files below dirs and tokenises a sample of each language.
func read(ctx context.Context, dirs []string, perLanguage int) (*corpus, error) {
	c := &corpus{trials: 300, orders: 96}
	by := make(map[string][]*document)
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || ctx.Err() != nil {
				return cmp.Or(err, ctx.Err())
			}
			if !e.Type().IsRegular() {
				return nil
			}
			return c.file(by, path)
		})
		if err != nil {
			return nil, err
		}
	}
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	for _, l := range slices.Sorted(maps.Keys(by)) {
		docs := by[l]
		slices.SortFunc(docs, func(a, b *document) int { return bytes.Compare(a.hash[:], b.hash[:]) })
		docs = slices.CompactFunc(docs, func(a, b *document) bool { return a.hash == b.hash })
		n := 0
		for _, d := range docs {
			if n < perLanguage && d.load(tz) {
				c.docs, n = append(c.docs, d), n+1
			}
		}
	}
	if len(c.docs) == 0 {
		return nil, fmt.Errorf("no source files in %s", strings.Join(dirs, ", "))
	}
	slices.SortFunc(c.docs, func(a, b *document) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	return c, nil
}

// file notes a file of code. Its text is read again if it is selected.
func (c *corpus) file(by map[string][]*document, path string) error {
	st, err := os.Stat(path)
	if err != nil || st.Size() < shortest || st.Size() > longest {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	c.files++
	det := lang.Detect(path, text)
	if det.Language == nil || det.Skip != "" || det.Generated || det.Language == lang.Words() {
		return nil
	}
	by[det.Language.Name] = append(by[det.Language.Name], &document{hash: sha256.Sum256(text), path: path, language: det.Language})
	return nil
}

// load tokenises a document. It rejects one that can only be read as words.
func (d *document) load(tz *lang.Tokenizer) bool {
	text, err := os.ReadFile(d.path)
	if err != nil {
		return false
	}
	s, err := tz.Tokenize(d.language, text)
	if err != nil || len(s.Tokens) < 2*(gram+window) {
		return false
	}
	d.text, d.tokens = text, slices.Clone(s.Tokens)
	d.values = baseline.Values(nil, d.language, d.tokens)
	numbers := make(map[string]int32)
	for _, t := range d.tokens {
		name := int32(parameterized.None)
		if t.Class == lang.Identifier {
			word := string(text[t.Start:t.End])
			if _, ok := numbers[word]; !ok {
				numbers[word] = int32(len(numbers))
			}
			name = numbers[word]
		}
		d.names = append(d.names, name)
	}
	return true
}

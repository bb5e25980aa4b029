package papers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// manber repeats the experiment of "Finding similar files in a large file system". A program of 30 KB is among 4,000
// files. 50 bytes at random positions of it are replaced by random ones. The question is which of the files is then
// similar.
func manber(ctx context.Context, c *corpus) (o outcome, err error) {
	const files, piece = 4000, 50
	trials := c.trials
	among := c.docs[:min(files, len(c.docs))]
	languages := slices.DeleteFunc(c.languages(100), func(l string) bool { return !slices.Contains(programs, l) })
	of, err := programsOf(ctx, among, languages, 30_000)
	if err != nil {
		return o, err
	}
	t := table{name: "manber", header: []string{"language", "bytes", "substitutions", "trials", "found", "median share", "least share", "largest share of another", "trials where another has 25%", "trials read as words"}}
	ch := chart{name: "manber", title: fmt.Sprintf("A program of 30 KB among %d files, 50 random bytes substituted at a time", len(among)), x: "substitutions", y: "share found, and median share of tokens", logX: true}
	for i, l := range languages {
		found, kept := series{name: l + ": found"}, series{name: l + ": share", dashed: true}
		for _, n := range []int{1, 10, 30, 100, 300} {
			r := rand.New(rand.NewPCG(uint64(n), uint64(len(of[i].text))))
			var texts []*document
			for range trials {
				texts = append(texts, &document{path: of[i].path, text: substitute(r, of[i].text, n, piece)})
			}
			m, err := tallied(ctx, among, of[i], texts)
			if err != nil {
				return o, err
			}
			t.row(l, len(of[i].text), n, trials, m.found, median(m.shares), slices.Min(m.shares), m.other, m.others, m.words)
			found.points = append(found.points, [2]float64{float64(n), share(m.found, trials)})
			kept.points = append(kept.points, [2]float64{float64(n), median(m.shares)})
		}
		ch.series = append(ch.series, found, kept)
	}
	return outcome{[]table{t}, []chart{ch}}, nil
}

// programs are the languages of the programs that are changed.
var programs = []string{"c", "go", "java", "python"}

// programsOf returns, for each language, the document whose size is nearest to bytes, among those that share little
// with any other. Every other document found is then an error.
func programsOf(ctx context.Context, docs []*document, languages []string, bytes int) (out []*document, err error) {
	err = asked(ctx, docs, nil, func(q *questions) error {
		off := func(d *document) int { return max(len(d.text)-bytes, bytes-len(d.text)) }
		for _, l := range languages {
			of := slices.DeleteFunc(slices.Clone(docs), func(d *document) bool { return d.language.Name != l })
			slices.SortStableFunc(of, func(x, y *document) int { return cmp.Compare(off(x), off(y)) })
			i := 0
			for ; i < len(of); i++ {
				a, err := q.ask(ctx, slices.Index(docs, of[i]))
				if err != nil {
					return err
				}
				if most(a.shares) < 0.1 {
					break
				}
			}
			if i == len(of) {
				return fmt.Errorf("every document in %s is similar to another", l)
			}
			out = append(out, of[i])
		}
		return nil
	})
	return out, err
}

// tally counts the results for the mutants of one program.
type tally struct {
	found  int       // the program ranked first
	shares []float64 // share of the mutant's tokens that the program has
	other  float64   // the largest share of another file
	others int       // mutants of which another file has a quarter
	words  int       // mutants that could only be read as words
}

// tallied finds which documents have code of the mutants of one of them.
func tallied(ctx context.Context, docs []*document, of *document, mutants []*document) (m tally, err error) {
	at := slices.Index(docs, of)
	err = asked(ctx, docs, mutants, func(q *questions) error {
		for i := range mutants {
			a, err := q.ask(ctx, len(docs)+i)
			if err != nil {
				return err
			}
			own := a.shares[at]
			delete(a.shares, at)
			other := most(a.shares)
			m.shares, m.other = append(m.shares, own), max(m.other, other)
			if own > other {
				m.found++
			}
			if other >= 0.25 {
				m.others++
			}
			if a.words {
				m.words++
			}
		}
		return nil
	})
	return m, err
}

// most returns the largest share.
func most(shares map[int]float64) (m float64) {
	for _, s := range shares {
		m = max(m, s)
	}
	return m
}

// questions looks up code in documents that were read.
type questions struct {
	set  *collection.Set
	docs collection.ID         // contents from here on belong to texts
	at   map[int]collection.ID // of a document, and of a text after the documents
	of   map[collection.ID]int // of a content: the first document or text that has it
}

// answer says which documents have code of a text.
type answer struct {
	shares map[int]float64 // of the text's tokens, by document
	words  bool            // the text could only be read as words
}

// asked reads documents, and the texts to look up.
func asked(ctx context.Context, docs, texts []*document, ask func(*questions) error) error {
	dir, err := os.MkdirTemp("", "papers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all := slices.Concat(docs, texts)
	p := source.New("files", func(_ context.Context, _ source.Limits, file func(string, []byte) error, _ func(string, string, string)) error {
		for i, d := range all {
			if err := file(fmt.Sprintf("%06d/%s", i, filepath.Base(d.path)), d.text); err != nil {
				return err
			}
		}
		return nil
	})
	o := collection.Options{Params: baseline.Defaults, MinTokens: baseline.Defaults.T(), Workers: 2}
	set, err := collection.Read(ctx, filepath.Join(dir, "texts"), []collection.Part{{Name: "files", Package: p}}, o)
	if err != nil {
		return err
	}
	q := &questions{set: set, at: make(map[int]collection.ID), of: make(map[collection.ID]int)}
	for _, f := range set.Files {
		var i int
		if _, err := fmt.Sscanf(f.Path, "%d/", &i); err != nil {
			return errors.Join(err, set.Close())
		}
		q.at[i] = f.Doc
		if _, known := q.of[f.Doc]; !known {
			q.of[f.Doc] = i
		}
		if i < len(docs) {
			q.docs = max(q.docs, f.Doc+1)
		}
	}
	return errors.Join(ask(q), set.Close())
}

// ask finds which documents have code of a document or a text.
func (q *questions) ask(ctx context.Context, i int) (a answer, err error) {
	a.shares = make(map[int]float64)
	id, read := q.at[i]
	if !read {
		return a, nil
	}
	a.words = q.set.Docs[id].Language == lang.Words()
	return a, q.set.Compare(ctx, collection.Query{Docs: []collection.ID{id}, All: true, Want: func(_, o collection.ID) bool { return o < q.docs }}, func(c collection.Compared) error {
		for _, p := range c.Pairs {
			a.shares[q.of[p.ID]] = share(match.Length(p.Target), q.set.Docs[id].Own)
		}
		return nil
	})
}

// substitute overwrites n pieces of a text with random printable bytes.
func substitute(r *rand.Rand, text []byte, n, piece int) []byte {
	out := slices.Clone(text)
	for range n {
		at := r.IntN(len(out) - piece)
		for i := range piece {
			out[at+i] = byte(' ' + r.IntN('~'-' '+1))
		}
	}
	return out
}

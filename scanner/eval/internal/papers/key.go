package papers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner"
)

// key measures the cost of hiding a copied piece from a scan, for an attacker who knows the program, k, w and the
// indexed code. An edit is one inserted token. Without a key the attacker makes the same baseline and undoes every edit
// that is not needed. With a key that is impossible. Edits that suffice against a baseline without key are tried
// against one with a key, and edits at even distances against both.
func key(ctx context.Context, c *corpus) (o outcome, err error) {
	docs := c.docs[:min(1500, len(c.docs))]
	dir, err := os.MkdirTemp("", "papers-")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	secret := fingerprint.NewKey([]byte("nobody knows this one"))
	public, err := guard(ctx, dir, docs, fingerprint.Key{})
	if err != nil {
		return o, err
	}
	keyed, err := guard(ctx, dir, docs, secret)
	if err != nil {
		return o, err
	}
	pieces, err := copies(ctx, docs, public, 200)
	if err != nil {
		return o, err
	}
	plain := indexed(docs, fingerprint.Key{})
	o.hits(pieces, plain, indexed(docs, secret))
	return o, o.found(ctx, pieces, plain, public, keyed)
}

// guard returns a scanner with a baseline of documents.
func guard(ctx context.Context, dir string, docs []*document, k fingerprint.Key) (*scanner.Scanner, error) {
	b, err := index(ctx, dir, docs, k)
	if err != nil {
		return nil, err
	}
	o := scanner.Defaults()
	o.NoSource = true
	return scanner.New([]*baseline.Baseline{b}, o)
}

// index makes a baseline of documents, each a package of its own.
func index(ctx context.Context, dir string, docs []*document, key fingerprint.Key) (*baseline.Baseline, error) {
	var pkgs []*source.Package
	for i, d := range docs {
		at := filepath.Join(dir, "files", fmt.Sprint(i))
		if err := os.MkdirAll(at, 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(at, filepath.Base(d.path)), d.text, 0o666); err != nil {
			return nil, err
		}
		ps, err := source.Open(ctx, at, source.Options{PURL: fmt.Sprintf("pkg:generic/p%d@1", i), Offline: true})
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, ps...)
	}
	at := filepath.Join(dir, "baseline"+key.Check())
	w, err := baseline.OpenWriter(ctx, at, baseline.Defaults, key)
	if err != nil {
		return nil, err
	}
	_, err = w.Add(ctx, pkgs, baseline.AddOptions{Workers: 2})
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return baseline.Open(ctx, at, key)
}

// piece is tokens [from, to) of a document: whole lines.
type piece struct {
	*document
	from, to int
}

func (p piece) tokens() int { return p.to - p.from }

// copies cuts a piece of 200 to 400 tokens out of up to most documents, if a scan finds it.
func copies(ctx context.Context, docs []*document, s *scanner.Scanner, most int) (out []piece, err error) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, d := range docs {
		n := 200 + r.IntN(200)
		if len(d.tokens) < n+50 {
			continue
		}
		from := r.IntN(len(d.tokens) - n)
		p := piece{d, from, from + n}
		if is, err := isFound(ctx, s, p, nil); err != nil || !is {
			if err != nil {
				return nil, err
			}
			continue
		}
		if out = append(out, p); len(out) == most {
			break
		}
	}
	return out, nil
}

// isFound scans a piece with a token inserted before some of its tokens.
func isFound(ctx context.Context, s *scanner.Scanner, p piece, edits []int) (bool, error) {
	var b bytes.Buffer
	at := p.document.tokens[p.from].Start
	for _, e := range slices.Sorted(slices.Values(edits)) {
		start := p.document.tokens[p.from+e].Start
		b.Write(p.text[at:start])
		b.WriteString(" % ") // an operator of every language, and rarely used
		at = start
	}
	b.Write(p.text[at:p.document.tokens[p.to-1].End])
	b.WriteString("\n")
	r, err := s.Snippet(ctx, b.Bytes(), p.language.Name)
	return err == nil && len(r.Findings) > 0, err
}

// order has the fingerprints of all documents in one order.
type order struct {
	key fingerprint.Key
	has map[uint64]bool
}

func indexed(docs []*document, k fingerprint.Key) order {
	o := order{k, make(map[uint64]bool)}
	for _, d := range docs {
		grams := d.grams(gram)
		k.Order(grams)
		for _, f := range fingerprint.WinnowRobust(nil, grams, window) {
			o.has[f.Hash] = true
		}
	}
	return o
}

// in lists the positions in a piece of k-grams that are in the index.
func (o order) in(p piece) (at []int) {
	grams := fingerprint.KGrams(nil, p.values[p.from:p.to], gram)
	o.key.Order(grams)
	for i, g := range grams {
		if o.has[g] {
			at = append(at, i)
		}
	}
	return at
}

// cuts returns the fewest positions at which a token must be inserted to cut every selected k-gram. Each is the last position
// within the first k-gram that is still whole.
func cuts(selected []int) (out []int) {
	last := -1
	for _, i := range selected {
		if last <= i { // before its first token, or earlier: the k-gram is whole
			last = i + gram - 1
			out = append(out, last)
		}
	}
	return out
}

// whole counts the selected k-grams that no edit cuts.
func whole(selected, edits []int) (n int) {
	for _, i := range selected {
		if !slices.ContainsFunc(edits, func(e int) bool { return e > i && e < i+gram }) {
			n++
		}
	}
	return n
}

// every returns positions at an even distance.
func every(tokens, distance, first int) (out []int) {
	for e := first; e < tokens; e += distance {
		out = append(out, e)
	}
	return out
}

// hits counts the remaining fingerprints: the bound that no score hides.
func (o *outcome) hits(pieces []piece, plain, keyed order) {
	t := table{name: "key-hits", header: []string{"edits", "edits in 100 tokens", "pieces with a hit, without key", "pieces with a hit, with key"}}
	add := func(name string, edits func(p piece) []int) {
		var n, tokens, hit, hitKeyed int
		for _, p := range pieces {
			es := edits(p)
			n, tokens = n+len(es), tokens+p.tokens()
			hit += count(whole(plain.in(p), es) > 0)
			hitKeyed += count(whole(keyed.in(p), es) > 0)
		}
		t.row(name, 100*share(n, tokens), share(hit, len(pieces)), share(hitKeyed, len(pieces)))
	}
	add("tuned to the order without key", func(p piece) []int { return cuts(plain.in(p)) })
	for _, d := range []int{gram - 1, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31} {
		add(fmt.Sprintf("every %d tokens", d), func(p piece) []int { return every(p.tokens(), d, d) })
	}
	o.tables = append(o.tables, t)
}

// found scans the pieces. A scan has rules beyond fingerprints: a finding needs 55 tokens in all and enough
// information.
func (o *outcome) found(ctx context.Context, pieces []piece, plain order, public, keyed *scanner.Scanner) error {
	t := table{name: "key-found", header: []string{"edits", "edits in 100 tokens", "found, without key", "found, with key"}}
	ch := chart{name: "key-found", title: "Pieces of 200 to 400 tokens: found by the number of edits", x: "edits in 100 tokens", y: "pieces found",
		series: []series{{name: "even, without key"}, {name: "even, with key"}, {name: "tuned, without key", dots: true}, {name: "tuned, with key", dots: true}}}
	add := func(name string, at int, edits [][]int) error {
		n, tokens := 0, 0
		var shares [2]float64
		for i, s := range []*scanner.Scanner{public, keyed} {
			found := 0
			for j, p := range pieces {
				is, err := isFound(ctx, s, p, edits[j])
				if err != nil {
					return err
				}
				found += count(is)
			}
			shares[i] = share(found, len(pieces))
		}
		for j, p := range pieces {
			n, tokens = n+len(edits[j]), tokens+p.tokens()
		}
		per := 100 * share(n, tokens)
		t.row(name, per, shares[0], shares[1])
		for i, y := range shares {
			ch.series[at+i].points = append(ch.series[at+i].points, [2]float64{per, y})
		}
		return nil
	}
	var tuned [][]int
	for _, p := range pieces {
		es, err := tune(ctx, public, p, cuts(plain.in(p)))
		if err != nil {
			return err
		}
		tuned = append(tuned, es)
	}
	if err := add("tuned by scans without key", 2, tuned); err != nil {
		return err
	}
	for _, d := range []int{19, 22, 25, 28, 31, 36, 42, 50, 60, 80, 120} {
		var even [][]int
		for _, p := range pieces {
			even = append(even, every(p.tokens(), d, d))
		}
		if err := add(fmt.Sprintf("every %d tokens", d), 0, even); err != nil {
			return err
		}
	}
	o.tables, o.charts = append(o.tables, t), append(o.charts, ch)
	return nil
}

// tune undoes each edit without which a scan still finds nothing.
func tune(ctx context.Context, s *scanner.Scanner, p piece, edits []int) ([]int, error) {
	for i := 0; i < len(edits); {
		less := slices.Delete(slices.Clone(edits), i, i+1)
		is, err := isFound(ctx, s, p, less)
		if err != nil {
			return nil, err
		}
		if is {
			i++
			continue
		}
		edits = less
	}
	return edits, nil
}

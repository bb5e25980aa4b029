package targetdates

import (
	"context"
	"errors"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// answer searches the contents of a path for regions, the oldest first.
func (d *dater) answer(ctx context.Context, w *examine.Worker, q query) ([]answer, error) {
	contents := d.contents(q)
	out := make([]answer, len(q.regions))
	for i, r := range q.regions {
		out[i] = answer{region: r, path: q.path, thinned: len(contents) > maxVersions, older: q.had && len(contents) == 0, half: unmet}
	}
	measure := d.measurer(ctx, w, q)
	step := max(1, (len(contents)+maxVersions-1)/maxVersions)
	for at := 0; at < len(contents); at += step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		shares, err := measure(contents[at])
		if err != nil {
			return nil, err
		}
		for i := range out {
			if err := out[i].note(shares, i, contents[max(0, at-step+1):at+1], measure); err != nil {
				return nil, err
			}
		}
		if !slices.ContainsFunc(out, func(a answer) bool { return !a.found }) {
			break
		}
	}
	for i := range out {
		if out[i].found && out[i].record.commit < 0 {
			out[i].found, out[i].older = false, true
		}
	}
	return out, nil
}

// contents lists the contents that the path of a query had before its commit, each once, the oldest first.
func (d *dater) contents(q query) (out []record) {
	seen := map[git.Hash]bool{}
	until := d.endRank(q.until)
	for _, r := range d.inOrder(q.path) {
		if d.rank(r.commit) < until && !seen[r.blob] {
			seen[r.blob] = true
			out = append(out, r)
		}
	}
	return out
}

// note records which share of region i the last of some contents has; shares is nil if it cannot be read. If it has most of the
// region, the others are searched too.
func (a *answer) note(shares []float64, i int, contents []record, measure func(record) ([]float64, error)) error {
	last := contents[len(contents)-1]
	switch {
	case a.found:
		return nil
	case shares == nil:
		a.unread = true
		return nil
	}
	if a.half == unmet && shares[i] >= trace.Half {
		a.half = last.commit
	}
	if shares[i] < trace.Most {
		return nil
	}
	a.found, a.record = true, last
	return a.narrow(contents, i, measure)
}

// narrow finds by bisection the first content with the region. The last of rs has it.
func (a *answer) narrow(rs []record, i int, measure func(record) ([]float64, error)) error {
	lo, hi := 0, len(rs)-1 // rs[hi] has it
	for lo < hi {
		mid := (lo + hi) / 2
		shares, err := measure(rs[mid])
		switch {
		case err != nil:
			return err
		case shares == nil:
			a.unread = true
			lo = mid + 1
		case shares[i] >= trace.Most:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	a.record = rs[hi]
	return nil
}

// measurer returns a function that computes which share of each region a content has. It returns nil if the content cannot be read. The set
// of regions is made for the first content, since many queries have none that is read.
func (d *dater) measurer(ctx context.Context, w *examine.Worker, q query) func(record) ([]float64, error) {
	var sigs []*trace.Signature
	for _, r := range q.regions {
		sigs = append(sigs, r.finding.Signature)
	}
	var k *trace.Set
	none := make([]float64, len(sigs))
	keys := d.memory.keysOf(&q, d.MaxFileSize)
	in := examine.Input{Path: q.path, Language: lang.ByName(q.regions[0].finding.Language)}
	return func(at record) (shares []float64, err error) {
		if shares := d.memory.known(keys, at.blob); shares != nil && d.Repo.Has(at.blob) {
			return shares, nil
		}
		err = d.Repo.WithBlob(ctx, at.blob, d.MaxFileSize, func(text []byte) error {
			if k == nil {
				k = trace.NewSet(sigs)
			}
			if shares = none; !k.Possible(lang.Text(q.path, text), trace.Half) {
				return nil
			}
			st, _ := w.Tokenize(in, text)
			shares = k.Shares(st.Text, st.Tokens)
			return nil
		})
		if large := (*git.TooLargeError)(nil); git.IsUnreadable(err) && !errors.As(err, &large) {
			d.unread.Store(true)
		}
		if err == nil {
			d.memory.keep(keys, at.blob, shares)
		}
		return shares, absent(err)
	}
}

// absent drops errors that mean that a content cannot be read.
func absent(err error) error {
	if git.IsUnreadable(err) {
		return nil
	}
	return err
}

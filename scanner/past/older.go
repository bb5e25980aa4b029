package past

import (
	"context"
	"errors"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// ask searches the contents of a path for needs, the oldest first, each content once.
func (d *dater) ask(ctx context.Context, w *examine.Worker, q query) ([]answer, error) {
	var rs []record
	seen := map[git.Hash]bool{}
	until := d.end(q.until)
	for _, r := range d.inOrder(q.path) {
		if d.place(r.commit) < until && !seen[r.blob] {
			seen[r.blob] = true
			rs = append(rs, r)
		}
	}
	out := make([]answer, len(q.needs))
	for i, n := range q.needs {
		out[i] = answer{need: n, path: q.path, thinned: len(rs) > maxVersions, older: q.had && len(rs) == 0, half: unmet}
	}
	look := d.looker(ctx, w, q)
	step := (len(rs) + maxVersions - 1) / maxVersions
	for at := 0; at < len(rs); at += max(step, 1) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		shares, err := look(rs[at])
		if err != nil {
			return nil, err
		}
		open := false
		for i := range out {
			a := &out[i]
			if !a.found && a.half == unmet && shares != nil && shares[i] >= halfOf {
				a.half = rs[at].commit
			}
			switch {
			case a.found:
			case shares == nil:
				a.lacks = true
			case shares[i] >= trace.Most:
				a.found, a.record = true, rs[at]
				if err := a.narrow(rs[max(0, at-step+1):at+1], i, look); err != nil {
					return nil, err
				}
			}
			open = open || !a.found
		}
		if !open {
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

// narrow finds by bisection the first content with the region. The last of rs has it.
func (a *answer) narrow(rs []record, i int, look func(record) ([]float64, error)) error {
	lo, hi := 0, len(rs)-1 // rs[hi] has it
	for lo < hi {
		mid := (lo + hi) / 2
		shares, err := look(rs[mid])
		switch {
		case err != nil:
			return err
		case shares == nil:
			a.lacks = true
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

// looker returns a function that computes which share of each need a content has. It returns nil if the content cannot be read.
func (d *dater) looker(ctx context.Context, w *examine.Worker, q query) func(record) ([]float64, error) {
	var sigs []*trace.Signature
	for _, n := range q.needs {
		sigs = append(sigs, n.f.Signature)
	}
	k, none := trace.NewSet(sigs), make([]float64, len(sigs))
	in := examine.Input{Path: q.path, Language: lang.ByName(q.needs[0].f.Language)}
	return func(at record) (shares []float64, err error) {
		err = d.Repo.WithBlob(ctx, at.blob, d.MaxFileSize, func(text []byte) error {
			if shares = none; !k.Possible(lang.Text(q.path, text), trace.Most) {
				return nil
			}
			st, _ := w.Tokenize(in, text)
			shares = k.Shares(st.Text, st.Tokens)
			return nil
		})
		if large := (*git.TooLargeError)(nil); git.IsUnreadable(err) && !errors.As(err, &large) {
			d.unread.Store(true)
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

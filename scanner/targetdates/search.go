package targetdates

import (
	"context"
	"runtime"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// arrival is a content with the commit that added it.
type arrival struct {
	commit   int32
	blob     git.Hash
	vendored bool // the file is in a vendored directory
	name     string
}

// search reads contents in the order in which they were added.
type search struct {
	history *WholeHistory
	needles []*Needle
	firsts  []firstCommits
}

// run reads contents in batches until every needle was found.
func (s *search) run(ctx context.Context, arrivals []arrival) error {
	for len(arrivals) > 0 {
		open := s.open()
		if len(open) == 0 {
			return nil
		}
		n := min(atATime, len(arrivals))
		if err := s.read(ctx, arrivals[:n], open); err != nil {
			return err
		}
		arrivals = arrivals[n:]
	}
	return nil
}

// open lists the needles that are not completely found yet.
func (s *search) open() (out []int) {
	for i, f := range s.firsts {
		if f.most < 0 || !s.history.target && (f.own < 0 || f.bulk < 0) {
			out = append(out, i)
		}
	}
	return out
}

// read searches some contents for needles.
func (s *search) read(ctx context.Context, arrivals []arrival, open []int) error {
	shares := make([][]float64, len(arrivals))
	searchers := pool.Pool[*searcher]{Workers: runtime.GOMAXPROCS(0), New: func() *searcher { return s.searcher(open) }}
	err := searchers.Each(ctx, len(arrivals), func(e *searcher, i int) (err error) {
		shares[i], err = e.look(ctx, arrivals[i])
		return err
	})
	if err != nil {
		return err
	}
	for i, a := range arrivals {
		s.note(a, shares[i], open)
	}
	return nil
}

// note records the shares of one content; nil means that it could not be read.
func (s *search) note(a arrival, shares []float64, open []int) {
	for k, i := range open {
		f := &s.firsts[i]
		if shares != nil && shares[k] >= s.history.least && !s.history.inTime(a.commit, s.needles[i]) {
			continue
		}
		if shares == nil {
			f.read = f.read && f.most >= 0
			continue
		}
		set := func(at *int32, least float64) bool {
			first := *at < 0 && shares[k] >= least
			if first {
				*at = a.commit
			}
			return first
		}
		set(&f.half, trace.Half)
		set(&f.bulk, finding.SameRegion)
		if set(&f.most, trace.Most) {
			f.path = a.name
		}
		if !a.vendored {
			set(&f.own, trace.Most)
		}
	}
}

// searcher searches for some needles. It owns the buffers of one goroutine.
type searcher struct {
	history *WholeHistory
	open    []int
	needles []*Needle
	known   *trace.Set
	tz      *lang.Tokenizer
	none    []float64 // zero for each needle
}

func (s *search) searcher(open []int) *searcher {
	e := &searcher{history: s.history, open: open, tz: lang.NewTokenizer(lang.Limits{}), none: make([]float64, len(open))}
	var sigs []*trace.Signature
	for _, i := range open {
		e.needles = append(e.needles, s.needles[i])
		sigs = append(sigs, &s.needles[i].sig)
	}
	e.known = trace.NewSet(sigs)
	return e
}

// Close frees the memory of the parsers.
func (e *searcher) Close() { e.tz.Close() }

// look returns the share of each needle that a content has, or nil if it cannot be read.
func (e *searcher) look(ctx context.Context, a arrival) ([]float64, error) {
	var shares []float64
	err := e.history.repo.WithBlob(ctx, a.blob, maxContent, func(text []byte) error {
		shares = e.shares(a.name, text)
		return nil
	})
	return shares, absent(err)
}

// shares returns the share of each needle that a text has, or nil if it cannot be tokenised.
func (e *searcher) shares(name string, text []byte) []float64 {
	if !e.known.Possible(lang.Text(name, text), e.history.least) {
		return e.none
	}
	d := lang.Detect(name, text)
	l, text := d.Language, d.Text
	if !slices.ContainsFunc(e.needles, func(n *Needle) bool { return n.family == l.Family }) {
		l = e.needles[0].lang
	}
	toks, _, _, err := e.tz.TokenizeOrWords(l, text)
	if err != nil {
		return nil
	}
	return e.known.Shares(text, toks.Tokens)
}

package past

import (
	"context"
	"runtime"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/trace"
)

// arrival is where a content came in.
type arrival struct {
	commit int32
	blob   git.Hash
	kept   bool // by a package manager
	name   string
}

// search goes through contents in the order in which they came in.
type search struct {
	past   *Contents
	pieces []*Piece
	at     []found
	whole  bool
}

// run reads contents, a batch at a time, until every piece was met.
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

// open lists the pieces of which something was not met yet.
func (s *search) open() (out []int) {
	for i, f := range s.at {
		if f.most < 0 || !s.past.target && (f.own < 0 || f.bulk < 0) {
			out = append(out, i)
		}
	}
	return out
}

// read looks for pieces in some contents.
func (s *search) read(ctx context.Context, arrivals []arrival, open []int) error {
	shares := make([][]float64, len(arrivals))
	eyes := pool.Pool[*eye]{Workers: runtime.GOMAXPROCS(0), New: func() *eye { return s.eye(open) }}
	err := eyes.Each(ctx, len(arrivals), func(e *eye, i int) (err error) {
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

// note takes down what one content has; nil says that it could not be read.
func (s *search) note(a arrival, shares []float64, open []int) {
	for k, i := range open {
		f := &s.at[i]
		if shares != nil && shares[k] >= s.past.least && !s.past.inTime(a.commit, s.pieces[i]) {
			continue
		}
		if shares == nil {
			f.read = f.read && f.most >= 0
			continue
		}
		meet := func(at *int32, least float64) bool {
			first := *at < 0 && shares[k] >= least
			if first {
				*at = a.commit
			}
			return first
		}
		meet(&f.half, halfOf)
		meet(&f.bulk, bulkOf)
		if meet(&f.most, trace.Most) {
			f.path = a.name
		}
		if !a.kept {
			meet(&f.own, trace.Most)
		}
	}
}

// eye looks for some pieces. It owns the buffers of one goroutine.
type eye struct {
	past   *Contents
	open   []int
	pieces []*Piece
	known  *trace.Set
	tz     *lang.Tokenizer
	hashes []uint64
	none   []float64 // of each piece
}

func (s *search) eye(open []int) *eye {
	e := &eye{past: s.past, open: open, tz: lang.NewTokenizer(lang.Limits{}), none: make([]float64, len(open))}
	var sigs []*trace.Signature
	for _, i := range open {
		e.pieces = append(e.pieces, s.pieces[i])
		sigs = append(sigs, &s.pieces[i].sig)
	}
	e.known = trace.NewSet(sigs)
	return e
}

// Close gives back what the parsers hold.
func (e *eye) Close() { e.tz.Close() }

// look tells how much of each piece a content has, nothing if it cannot be read.
func (e *eye) look(ctx context.Context, a arrival) ([]float64, error) {
	var shares []float64
	err := e.past.repo.WithBlob(ctx, a.blob, maxContent, func(text []byte) error {
		shares = e.shares(a.name, text)
		return nil
	})
	return shares, absent(err)
}

// shares tells how much of each piece a text has, nothing if it cannot be read.
func (e *eye) shares(name string, text []byte) []float64 {
	if !e.known.Possible(text, e.past.least) {
		return e.none
	}
	l := lang.Detect(name, text).Language
	if !slices.ContainsFunc(e.pieces, func(p *Piece) bool { return p.family == l.Family }) {
		l = e.pieces[0].lang
	}
	toks, _, _, err := e.tz.TokenizeOrWords(l, text)
	if err != nil {
		return nil
	}
	e.hashes = trace.Contents(e.hashes[:0], text, toks.Tokens)
	return e.known.Shares(e.hashes)
}

package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/segment"
)

func init() {
	register.DoFn6x1[context.Context, int, func(*[]byte) bool, func(int, int64), func(int, []byte), func(string), error](&settleFn{})
	register.DoFn5x1[context.Context, int, func(*[]byte) bool, func(*int, *int64) bool, func(string), error](&sortFn{})
	register.DoFn4x1[context.Context, int, func(*string) bool, func(string), error](&commitFn{})
	register.Emitter2[int, int64]()
	register.Iter2[int, int64]()
}

const (
	surveys   = "surveys"
	documents = "documents"
	outcomes  = "outcomes"
	posted    = "lists"
	lacking   = "missing"
)

func (p part) String() string {
	b, err := json.Marshal(p)
	if err != nil {
		panic(err) // plain data
	}
	return string(b)
}

// missing returns a part that reports a package that could not be opened.
func missing(what string) string { return part{Kind: lacking, Name: what}.String() }

// settleFn chooses the documents of a shard, which is a range of hashes. It emits their postings with positions within
// the shard.
type settleFn struct{ Config Config }

func (f *settleFn) ProcessElement(ctx context.Context, shard int, elements func(*[]byte) bool, tokens func(int, int64), ranges func(int, []byte), parts func(string)) error {
	var all []baseline.Piece
	for e := []byte(nil); elements(&e); {
		var ms []made
		if err := decode(e, &ms); err != nil {
			return err
		}
		for _, m := range ms {
			p, err := m.unpack()
			if err != nil {
				return err
			}
			all = append(all, p)
		}
	}
	docs := baseline.Settle(all)
	if err := f.write(ctx, shard, all, parts); err != nil {
		return err
	}
	under, placed, base := make(map[int][]byte), []segment.Placed(nil), uint64(0)
	for _, d := range docs {
		placed = baseline.AppendPlaced(placed[:0], d.Fingerprints, base)
		for _, p := range placed {
			at := f.Config.shardOf(uint32(p.Fingerprint >> 32))
			if under[at] == nil {
				under[at] = binary.LittleEndian.AppendUint32(nil, uint32(shard))
			}
			if under[at] = appendPosting(under[at], p); len(under[at]) >= batchBytes {
				ranges(at, under[at])
				under[at] = nil
			}
		}
		base += uint64(d.Entry.Tokens)
	}
	for at, b := range under {
		if b != nil {
			ranges(at, b)
		}
	}
	tokens(shard, int64(base))
	return nil
}

// write writes the outcomes of readings to a file.
func (f *settleFn) write(ctx context.Context, shard int, all []baseline.Piece, parts func(string)) error {
	var said []baseline.Outcome
	for i := range all {
		if o, ok := all[i].Outcome(); ok {
			said = append(said, o)
		}
	}
	p, err := write(ctx, f.Config.Parts, part{Kind: outcomes, Shard: shard}, func(w io.Writer) error { return gob.NewEncoder(w).Encode(said) })
	if err == nil {
		parts(p.String())
	}
	return err
}

// sortFn makes the lists of a range of fingerprints.
type sortFn struct{ Config Config }

func (f *sortFn) ProcessElement(ctx context.Context, shard int, elements func(*[]byte) bool, tokens func(*int, *int64) bool, parts func(string)) error {
	first := firsts(f.Config.Shards, tokens)
	var all []segment.Placed
	var err error
	for e := []byte(nil); elements(&e); {
		if all, err = postings(all, e, first); err != nil {
			return err
		}
	}
	p, err := writeLists(ctx, f.Config, shard, func(put func(segment.List) error) error { return baseline.Lists(all, put) })
	if err == nil {
		parts(p.String())
	}
	return err
}

// writeLists writes the lists of a shard in order.
func writeLists(ctx context.Context, c Config, shard int, each func(put func(segment.List) error) error) (part, error) {
	keys := uint64(0)
	p, err := write(ctx, c.Parts, part{Kind: posted, Shard: shard}, func(w io.Writer) error {
		var b []byte
		before := uint64(0)
		return each(func(l segment.List) error {
			b = appendList(b[:0], before, l)
			before = l.Fingerprint
			keys++
			_, err := w.Write(b)
			return err
		})
	})
	p.Keys = keys
	return p, err
}

// firsts returns the position at which each shard of documents begins.
func firsts(shards int, tokens func(*int, *int64) bool) []uint64 {
	first := make([]uint64, shards+1)
	var shard int
	var n int64
	for tokens(&shard, &n) {
		first[shard+1] = uint64(n)
	}
	for i := range shards {
		first[i+1] += first[i]
	}
	return first[:shards]
}

// commitFn makes a generation from the files of all other steps.
type commitFn struct{ Config Config }

// Said is the result of a build.
type Said struct {
	Digest  string
	Added   baseline.Added
	Missing []string // packages that are not in the baseline
}

func (s Said) String() string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // plain data
	}
	return string(b)
}

func (f *commitFn) ProcessElement(ctx context.Context, _ int, names func(*string) bool, said func(string)) (err error) {
	of, err := byKind(names)
	if err != nil {
		return err
	}
	out := Said{}
	for _, p := range of[lacking] {
		out.Missing = append(out.Missing, p.Name)
	}
	pieces, err := f.pieces(ctx, of)
	if err != nil {
		return err
	}
	if len(pieces.Surveys) == 0 { // no packages make no baseline
		said(out.String())
		return nil
	}
	ctx = withCache(ctx)
	w, err := baseline.OpenWriter(ctx, f.Config.Baseline, f.Config.Params)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	out.Added, err = w.AddPieces(ctx, pieces, func(s baseline.Skip) {
		if s.Reason == baseline.ReasonBroken {
			out.Missing = append(out.Missing, s.PURL+": "+s.Detail)
		}
	})
	if err != nil {
		return err
	}
	out.Digest = w.Baseline().Digest()
	said(out.String())
	return nil
}

// byKind groups the files that steps passed on by kind, in the order of their shards.
func byKind(names func(*string) bool) (map[string][]part, error) {
	of := make(map[string][]part)
	for name := ""; names(&name); {
		var p part
		if err := json.Unmarshal([]byte(name), &p); err != nil {
			return nil, err
		}
		of[p.Kind] = append(of[p.Kind], p)
	}
	for _, ps := range of {
		slices.SortFunc(ps, func(a, b part) int { return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Name, b.Name)) })
	}
	return of, nil
}

// pieces opens the files that the steps wrote.
func (f *commitFn) pieces(ctx context.Context, of map[string][]part) (baseline.Pieces, error) {
	out := baseline.Pieces{From: f.Config.From, Documents: f.documents(ctx, of[documents]), Lists: itemsOf(ctx, of[posted], listsIn)}
	for _, p := range of[surveys] {
		var s []*baseline.Survey
		if err := load(ctx, p.Name, &s); err != nil {
			return out, err
		}
		out.Surveys = append(out.Surveys, s...)
	}
	for _, p := range of[outcomes] {
		var o []baseline.Outcome
		if err := load(ctx, p.Name, &o); err != nil {
			return out, err
		}
		out.Outcomes = append(out.Outcomes, o...)
	}
	for _, p := range of[posted] {
		out.Keys += p.Keys
	}
	return out, nil
}

package baseline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// inPieces makes the pieces of packages as a cluster would: contents by their hash in shards, fingerprints in as many
// ranges.
func inPieces(t *testing.T, b *Baseline, pkgs []*source.Package, shards int) Pieces {
	t.Helper()
	ctx, out := context.Background(), Pieces{}
	if b != nil {
		out.From = b.Digest()
	}
	byName := make(map[string][]*source.Package)
	for _, p := range pkgs {
		byName[p.PURL] = append(byName[p.PURL], p)
	}
	candidates, used := make([][]Candidate, shards), make(map[string]*source.Package)
	for name, same := range byName {
		s, n, err := TakeSurvey(ctx, same, source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		out.Surveys, used[name] = append(out.Surveys, s), same[n]
		for _, f := range s.Files {
			at := int(f.Hash[0]) % shards
			candidates[at] = append(candidates[at], Candidate{f.Hash, name, f.Path, f.Seq})
		}
	}
	var pieces []Piece
	for _, c := range candidates {
		for _, e := range Elect(c) {
			if b != nil {
				if _, known, err := b.Find(e.Hash); known || err != nil {
					continue
				}
			}
			pieces = append(pieces, makePiece(t, used[e.PURL], e))
		}
	}
	for i := range pieces {
		if o, ok := pieces[i].Outcome(); ok {
			out.Outcomes = append(out.Outcomes, o)
		}
	}
	put(&out, Settle(pieces), shards)
	return out
}

func makePiece(t *testing.T, p *source.Package, e Elected) Piece {
	t.Helper()
	m, err := NewMaker(lang.Limits{}, Defaults, fingerprint.Key{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var out Piece
	err = p.Walk(context.Background(), source.Limits{}, func(path string, data []byte) error {
		if path == e.Path {
			out = m.Make(e, data)
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// put gives pieces their documents, and lists from so many ranges of fingerprints.
func put(to *Pieces, docs []Piece, ranges int) {
	to.Documents = func(yield func(*store.Entry, error) bool) {
		for _, d := range docs {
			if !yield(d.Entry, nil) {
				return
			}
		}
	}
	placed, base := make([][]segment.Placed, ranges), uint64(0)
	for _, d := range docs {
		for _, p := range AppendPlaced(nil, d.Fingerprints, base) {
			at := int(p.Fingerprint >> 32 * uint64(ranges) >> 32)
			placed[at] = append(placed[at], p)
		}
		base += uint64(d.Entry.Tokens)
	}
	var all []segment.List
	for _, ps := range placed {
		Lists(ps, func(l segment.List) error {
			l.Positions = slices.Clone(l.Positions)
			all = append(all, l)
			return nil
		})
	}
	to.Keys = uint64(len(all))
	to.Lists = eachOf(all)
}

func eachOf(all []segment.List) iter.Seq2[segment.List, error] {
	return func(yield func(segment.List, error) bool) {
		for _, l := range all {
			if !yield(l, nil) {
				return
			}
		}
	}
}

// hard returns packages whose result depends on the order of reading. They have contents under many names, one of them
// of another language, repeated names, files that are left out, common fingerprints, and an archive that cannot be
// read.
func hard(t *testing.T) []*source.Package {
	t.Helper()
	sorts := std(t, "sort")
	c := "int f(int a) { return a + 1; }\n" + strings.Repeat("int g(int b) { b = b * 2 + 1; return b; }\n", 80)
	renamed := map[string]string{"LICENSE": mit, "x.txt": sorts["sort.go"], "a/short.go": "package a\n", "b.c": c, "lib/b.txt": c}
	bad := source.New("broken.zip", func(context.Context, source.Limits, func(string, []byte) error, func(_, _, _ string)) error {
		return &source.ArchiveError{Archive: "broken.zip", Err: errors.New("it ends too soon")}
	})
	bad.PURL = "pkg:generic/m@1"
	out := []*source.Package{
		pkg(t, "pkg:golang/z@1", with(sorts, "LICENSE", mit)), pkg(t, "pkg:golang/z@2", with(sorts, "new.go", "package sort\n\nfunc New(a, b int) int { for a < b { a += b - a/2; b-- }; return a*b + a - b }\n")),
		pkg(t, "pkg:generic/a@1", renamed), bad, pkg(t, "pkg:generic/m@1", std(t, "container/list")), pkg(t, "pkg:generic/m@1", std(t, "container/ring")),
	}
	return out
}

func TestPiecesMakeWhatAddMakes(t *testing.T) {
	pkgs := hard(t)
	var notes []string
	dir := filepath.Join(t.TempDir(), "baseline")
	w := writer(t, dir)
	sum, err := w.Add(context.Background(), pkgs, AddOptions{Workers: 2, Skipped: func(s Skip) { notes = append(notes, fmt.Sprint(s)) }})
	if err != nil {
		t.Fatal(err)
	}
	want := w.Baseline().Digest()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(notes) < 5 {
		t.Fatalf("the packages are too simple: %q", notes)
	}
	for _, shards := range []int{1, 7} {
		p := inPieces(t, nil, pkgs, shards)
		slices.Reverse(p.Surveys)
		var told []string
		w := writer(t, filepath.Join(t.TempDir(), "baseline"))
		got, err := w.AddPieces(context.Background(), p, func(s Skip) { told = append(told, fmt.Sprint(s)) })
		if err != nil {
			t.Fatal(err)
		}
		if d := w.Baseline().Digest(); d != want {
			t.Errorf("%d shards: digest %s, Add made %s", shards, d, want)
		}
		if fmt.Sprint(got) != fmt.Sprint(sum) {
			t.Errorf("%d shards: %v, Add said %v", shards, got, sum)
		}
		slices.Sort(told)
		if slices.Sort(notes); !slices.Equal(told, notes) {
			t.Errorf("%d shards: skipped %q, Add %q", shards, told, notes)
		}
		if again, err := w.AddPieces(context.Background(), p, nil); err != nil || again.Packages != 0 || w.Baseline().Digest() != want {
			t.Errorf("a second time: %+v, %v, digest %s", again, err, w.Baseline().Digest())
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestPiecesForABaselineThatIsThere(t *testing.T) {
	first := []*source.Package{pkg(t, "pkg:golang/first@1", std(t, "sort"))}
	a, b := build(t, first), build(t, first)
	pkgs := append(hard(t), pkg(t, "pkg:golang/first@1", std(t, "container/heap")))
	w := writer(t, a)
	add(t, w, pkgs...)
	want := w.Baseline().Digest()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	base := open1(t, b)
	p := inPieces(t, base, pkgs, 3)
	w = writer(t, b)
	if _, err := w.AddPieces(context.Background(), p, nil); err != nil || w.Baseline().Digest() != want {
		t.Errorf("digest %s, %v; Add made %s", w.Baseline().Digest(), err, want)
	}
	later := inPieces(t, base, []*source.Package{pkg(t, "pkg:golang/late@1", std(t, "bufio"))}, 3)
	_, err := w.AddPieces(context.Background(), later, nil)
	if _, moved := errors.AsType[*MovedError](err); !moved || w.Baseline().Digest() != want {
		t.Errorf("pieces made for an older generation: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// compactedInPieces does the same as Remove and Compact, but as a cluster would: documents by hash and lists by
// fingerprint, in shards.
func compactedInPieces(t *testing.T, dir string, shards int, gone ...string) (*Writer, error) {
	t.Helper()
	ctx := context.Background()
	b := open1(t, dir)
	m, err := b.Merging(gone)
	if err != nil || m == nil {
		t.Fatal(m, err)
	}
	first := func(shard int) uint64 { return (uint64(shard)<<32 + uint64(shards) - 1) / uint64(shards) }
	out, bases, next := Pieces{From: b.Digest()}, make(map[[2]int]uint64), uint64(0)
	var docs []*store.Entry
	var lists []segment.List
	for s := range shards {
		for d, err := range m.Documents(ctx, uint32(first(s)), uint32(first(s+1)-1)) {
			if err != nil {
				t.Fatal(err)
			}
			bases[[2]int{d.Segment, d.Index}] = next
			next += uint64(d.Entry.Tokens)
			docs = append(docs, d.Entry)
		}
	}
	for s := range shards {
		err := m.Lists(ctx, segment.Range{First: first(s) << 32, Last: (first(s+1)-1)<<32 | 1<<32 - 1}, func(segment, document int) (uint64, bool) {
			base, stays := bases[[2]int{segment, document}]
			return base, stays
		}, func(l segment.List) error {
			l.Positions = slices.Clone(l.Positions)
			lists = append(lists, l)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	out.Keys = uint64(len(lists))
	out.Documents = func(yield func(*store.Entry, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
	out.Lists = func(yield func(segment.List, error) bool) {
		for _, l := range lists {
			if !yield(l, nil) {
				return
			}
		}
	}
	w := writer(t, dir)
	return w, w.CompactPieces(ctx, out, gone)
}

func TestCompactInPieces(t *testing.T) {
	ctx, ps := context.Background(), samples(t)
	groups := [][]*source.Package{ps[2:3], ps[:2], ps[4:], ps[3:4]}
	gone := []string{ps[1].PURL, ps[4].PURL}
	want := writer(t, build(t, groups...))
	defer want.Close()
	if err := errors.Join(want.Remove(ctx, gone), want.Compact(ctx)); err != nil {
		t.Fatal(err)
	}
	for _, shards := range []int{1, 7} {
		dir := build(t, groups...)
		from := open1(t, dir).Digest()
		got, err := compactedInPieces(t, dir, shards, gone...)
		if err != nil {
			t.Fatal(err)
		}
		if got.Baseline().Digest() != want.Baseline().Digest() {
			t.Errorf("in %d shards: %+v, want %+v", shards, got.man.Segments, want.man.Segments)
		}
		generation := got.man.Generation
		if err := got.CompactPieces(ctx, Pieces{From: from}, gone); err != nil || got.man.Generation != generation {
			t.Errorf("a second time: %v, generation %d after %d", err, got.man.Generation, generation)
		}
		if err := got.CompactPieces(ctx, Pieces{From: from}, []string{ps[0].PURL}); !isA[*MovedError](err) {
			t.Errorf("pieces for another generation: %v", err)
		}
		if err := got.Close(); err != nil {
			t.Fatal(err)
		}
		verify(t, dir)
	}
	b := open1(t, build(t, groups...))
	if _, err := b.Merging([]string{"pkg:generic/none@1"}); !isA[*UnknownPackageError](err) {
		t.Errorf("a package that is not there: %v", err)
	}
}

func TestRemoveAllInPieces(t *testing.T) {
	ps := samples(t)
	var all []string
	for _, p := range ps {
		all = append(all, p.PURL)
	}
	w, err := compactedInPieces(t, build(t, ps[:2], ps[2:]), 2, all...)
	if err != nil || len(w.man.Segments) > 0 {
		t.Errorf("%+v, %v", w.man.Segments, err)
	}
	if m, err := w.Baseline().Merging(nil); m != nil || err != nil {
		t.Errorf("an empty baseline is to be merged: %v, %v", m, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

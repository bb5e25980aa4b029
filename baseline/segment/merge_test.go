package segment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mergeCase builds sources whose documents, 1000 postings each, get new numbers in the union. There are few keys, so
// that many lists are joined.
func mergeCase(rng *rand.Rand, sources, keys, lists int) (each [][]list, remap func(s int) func(uint64) (uint64, bool)) {
	const perSource = 1 << 20
	each = make([][]list, sources)
	for s := range each {
		chosen := rng.Perm(keys)[:lists]
		slices.Sort(chosen)
		for _, k := range chosen {
			l := randomList(rng, perSource)
			l.fp = uint64(k) * 0x9E3779B97F4A7C15 / uint64(keys) << 20
			each[s] = append(each[s], l)
		}
		slices.SortFunc(each[s], byFingerprint)
		each[s] = slices.CompactFunc(each[s], func(a, b list) bool { return a.fp == b.fp })
	}
	return each, func(s int) func(uint64) (uint64, bool) {
		return func(p uint64) (uint64, bool) {
			document := p / 1000
			return (document*uint64(sources)+uint64(s))*1000 + p%1000, true // interleaved
		}
	}
}

// unite joins lists according to the definition.
func unite(each [][]list, remap func(s int) func(uint64) (uint64, bool)) []list {
	byFP := map[uint64]list{}
	for s, lists := range each {
		for _, l := range lists {
			u := byFP[l.fp]
			u.fp = l.fp
			for _, p := range l.postings {
				if q, ok := remap(s)(p); ok {
					u.postings = append(u.postings, q)
					u.count++
				}
			}
			byFP[l.fp] = u
		}
	}
	var out []list
	for _, u := range byFP {
		if u.count > 0 {
			slices.Sort(u.postings)
			out = append(out, u)
		}
	}
	slices.SortFunc(out, byFingerprint)
	return out
}

func buildSources(t *testing.T, dir string, each [][]list, o Options, remap func(s int) func(uint64) (uint64, bool)) []Source {
	t.Helper()
	sources := make([]Source, len(each))
	for s, lists := range each {
		path := filepath.Join(dir, fmt.Sprint("source", s))
		so := o
		so.Keys = uint64(len(lists))
		build(t, path, so, lists)
		sources[s] = Source{Reader: open(t, path), Remap: remap(s)}
	}
	return sources
}

func TestMergeIsADirectBuild(t *testing.T) {
	for _, c := range []struct{ sources, keys, lists, most int }{
		{1, 100, 100, 64}, {2, 300, 200, 64}, {3, 2000, 1500, 5}, {9, 5000, 900, 64}, {2, 40_000, 30_000, 64},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(c.keys)))
			each, remap := mergeCase(rng, c.sources, c.keys, c.lists)
			dir := t.TempDir()
			o := Options{Scheme: "m", MaxPostings: c.most}
			sources := buildSources(t, dir, each, o, remap)
			want := unite(each, remap)
			keys := o
			keys.Keys = uint64(len(want))
			build(t, filepath.Join(dir, "direct"), keys, want)
			for _, whole := range []bool{false, true} { // counting keys with their postings, and without
				for i := range sources {
					sources[i].Whole = whole
				}
				info, err := Merge(context.Background(), filepath.Join(dir, "merged"), o, sources)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(mustRead(t, filepath.Join(dir, "merged")), mustRead(t, filepath.Join(dir, "direct"))) {
					t.Error("merged and directly built segments differ")
				}
				if got := open(t, filepath.Join(dir, "merged")).Info(); got != info {
					t.Errorf("Merge says %+v, the file %+v", info, got)
				}
			}
		})
	}
}

// Lists that were stored in full lose exactly the postings of dropped documents.
func TestMergeDropsDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	each, remap := mergeCase(rng, 3, 1000, 700)
	dropping := func(s int) func(uint64) (uint64, bool) {
		return func(p uint64) (uint64, bool) {
			if p/1000%3 == 0 {
				return 0, false
			}
			return remap(s)(p)
		}
	}
	dir := t.TempDir()
	o := Options{Scheme: "m", MaxPostings: 1000}
	path := filepath.Join(dir, "merged")
	if _, err := Merge(context.Background(), path, o, buildSources(t, dir, each, o, dropping)); err != nil {
		t.Fatal(err)
	}
	want := unite(each, dropping)
	o.Keys = uint64(len(want))
	build(t, filepath.Join(dir, "direct"), o, want)
	if !bytes.Equal(mustRead(t, path), mustRead(t, filepath.Join(dir, "direct"))) {
		t.Error("merged and directly built segments differ")
	}
}

// For longer lists, only the stored postings are known.
func TestMergeOfCappedLists(t *testing.T) {
	dir := t.TempDir()
	o := Options{Scheme: "m", MaxPostings: 4}
	each := [][]list{{
		{1 << 40, 100, []uint64{1, 2, 3, 4, 5, 6}},
		{2 << 40, 100, []uint64{1, 3, 5, 7}},
	}}
	odd := func(int) func(uint64) (uint64, bool) {
		return func(p uint64) (uint64, bool) { return p, p%2 == 0 }
	}
	path := filepath.Join(dir, "merged")
	if _, err := Merge(context.Background(), path, o, buildSources(t, dir, each, o, odd)); err != nil {
		t.Fatal(err)
	}
	want := []list{{1 << 40, 98, []uint64{2, 4}}}
	if got := all(t, open(t, path)); !sameLists(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestMergeOfNothingWritesNothing(t *testing.T) {
	dir := t.TempDir()
	o := Options{Scheme: "m"}
	each := [][]list{nil, {{1 << 40, 1, []uint64{1}}}}
	none := func(int) func(uint64) (uint64, bool) {
		return func(uint64) (uint64, bool) { return 0, false }
	}
	sources := buildSources(t, dir, each, o, none)
	for _, keys := range []uint64{0, 10} {
		o.Keys = keys
		info, err := Merge(context.Background(), filepath.Join(dir, "merged"), o, sources)
		if err != nil || info != (Info{}) {
			t.Errorf("%+v, %v", info, err)
		}
		checkFiles(t, dir, "source0", "source1")
	}
}

func TestMergeErrors(t *testing.T) {
	dir := t.TempDir()
	o := Options{Scheme: "m", MaxPostings: 8}
	each := [][]list{{{1 << 40, 3, []uint64{1, 2, 3}}}}
	same := func(int) func(uint64) (uint64, bool) { return nil }
	good := buildSources(t, dir, each, o, same)
	folded := []Source{{Reader: good[0].Reader, Remap: func(uint64) (uint64, bool) { return 7, true }}}
	large := []Source{{Reader: good[0].Reader, Remap: func(p uint64) (uint64, bool) { return MaxPosting + p, true }}}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		o       Options
		sources []Source
		want    string
	}{
		{"scheme", context.Background(), Options{Scheme: "other", MaxPostings: 8}, good, `has scheme "m", want "other"`},
		{"cap", context.Background(), Options{Scheme: "m"}, good, "stores 8 postings of a fingerprint, want 64"},
		{"order", context.Background(), o, folded, "remapped postings do not ascend"},
		{"bound", context.Background(), Options{Scheme: "m", MaxPostings: 8, Keys: 1}, large, "is above"},
		{"ctx", cancelled, o, good, "context canceled"},
	} {
		_, err := Merge(c.ctx, filepath.Join(dir, "merged"), c.o, c.sources)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		checkFiles(t, dir, "source0")
	}
	damaged := filepath.Join(dir, "source0")
	data := mustRead(t, damaged)
	data[headerSize+5] ^= 1
	if err := os.WriteFile(filepath.Join(dir, "damaged"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Merge(context.Background(), filepath.Join(dir, "merged"), o, []Source{{Reader: open(t, filepath.Join(dir, "damaged"))}})
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Section != "block" || corrupt.Offset != headerSize {
		t.Errorf("damaged source: %v", err)
	}
	checkFiles(t, dir, "damaged", "source0")
}

// checkFiles fails unless exactly these files are in dir.
func checkFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

package baseline

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/source"
)

const secret = "a secret of enough bytes"

// keyed makes a baseline with the key of secret, one Add for each group.
func keyed(t *testing.T, groups ...[]*source.Package) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "baseline")
	w, err := OpenWriter(context.Background(), dir, Defaults, fingerprint.NewKey([]byte(secret)))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		add(t, w, g...)
	}
	if err := errors.Join(w.Compact(context.Background()), w.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestKeyIsNeeded(t *testing.T) {
	dir := keyed(t, samples(t))
	right, wrong := fingerprint.NewKey([]byte(secret)), fingerprint.NewKey([]byte(secret+"."))
	for _, c := range []struct {
		keys  []fingerprint.Key
		given int
	}{{nil, 0}, {[]fingerprint.Key{{}}, 0}, {[]fingerprint.Key{wrong}, 1}} {
		_, err := Open(context.Background(), dir, c.keys...)
		e, ok := errors.AsType[*KeyError](err)
		if !ok || e.Given != c.given || e.Check != right.Check() || e.Path != dir {
			t.Errorf("open with %d keys: %v", len(c.keys), err)
		}
		if _, err := OpenWriter(context.Background(), dir, Defaults, c.keys...); !errors.As(err, &e) {
			t.Errorf("open writer with %d keys: %v", len(c.keys), err)
		}
	}
	b, err := Open(context.Background(), dir, wrong, right)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(context.Background()); err != nil || b.Key().Check() != right.Check() {
		t.Errorf("verify: %v; key %s", err, b.Key().Check())
	}
}

// A key opens a baseline that was built without one, and changes no byte of it.
func TestKeyOfUnkeyedBaseline(t *testing.T) {
	dir := build(t, samples(t))
	before := listing(t, dir)
	w, err := OpenWriter(context.Background(), dir, Defaults, fingerprint.NewKey([]byte(secret)))
	if err != nil {
		t.Fatal(err)
	}
	if !w.Baseline().Key().IsZero() || w.man.Scheme != generation.IndexID(Defaults) {
		t.Errorf("it has become keyed: %s", w.man.Scheme)
	}
	if err := errors.Join(w.Compact(context.Background()), w.Close()); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(listing(t, dir), before) {
		t.Error("its files differ")
	}
}

func TestKeyIsNotStored(t *testing.T) {
	dir := keyed(t, samples(t))
	es, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || bytes.Contains(b, []byte(secret)) || bytes.Contains(b, []byte(secret[:8])) {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
}

// Adding one by one and compacting with a key gives the bytes of one Add. They differ from those without a key.
func TestKeyedCompactIsFresh(t *testing.T) {
	ps := samples(t)
	var groups [][]*source.Package
	for _, p := range slices.Backward(ps) {
		groups = append(groups, []*source.Package{p})
	}
	parts := func(dir string) (names []string) {
		for n := range listing(t, dir) {
			if generation.IsPart(n) {
				names = append(names, n)
			}
		}
		slices.Sort(names)
		return names
	}
	fresh, again, plain := parts(keyed(t, ps)), parts(keyed(t, groups...)), parts(build(t, ps))
	if !slices.Equal(fresh, again) {
		t.Errorf("%v, want %v", again, fresh)
	}
	if slices.Equal(fresh, plain) {
		t.Error("the key changes nothing")
	}
}

// A refresh makes the fingerprints again with the same key.
func TestKeyedRefresh(t *testing.T) {
	pkgs := []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))}
	fresh, dir := keyed(t, pkgs), keyed(t, pkgs)
	if err := baselinetest.Outdate(dir, "go"); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(context.Background(), dir, Defaults, fingerprint.NewKey([]byte(secret)))
	if err != nil {
		t.Fatal(err)
	}
	done, err := w.Refresh(context.Background())
	if err := errors.Join(err, w.Close()); err != nil || len(done) != 1 {
		t.Fatalf("refreshed %v, %v", done, err)
	}
	if got, want := files(t, dir), files(t, fresh); !slices.Equal(got, want) {
		t.Errorf("refreshed files %v, those of a fresh baseline %v", got, want)
	}
}

func TestInit(t *testing.T) {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "new")
	key := fingerprint.NewKey([]byte(secret))
	for _, want := range []bool{true, false} {
		w, err := OpenWriter(ctx, dir, fingerprint.Params{K: 10, W: 5}, key)
		if err != nil {
			t.Fatal(err)
		}
		if made, err := w.Init(ctx); err != nil || made != want {
			t.Errorf("made %v, %v, want %v", made, err, want)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	b, err := Open(ctx, dir, key)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	in, err := b.Info()
	if err != nil || in.Params.K != 10 || in.Key != key.Check() || in.Documents != 0 || b.Verify(ctx) != nil {
		t.Errorf("%+v, %v", in, err)
	}
}

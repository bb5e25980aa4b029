package baseline

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

func signingKey(fill byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{fill}, ed25519.SeedSize))
}

func public(k ed25519.PrivateKey) ed25519.PublicKey { return k.Public().(ed25519.PublicKey) }

func exported(t testing.TB, b *Baseline, o ExportOptions) []byte {
	t.Helper()
	e, err := b.Export(o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := e.Write(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	if int64(out.Len()) != e.Bytes {
		t.Errorf("an export of %d bytes says that it has %d", out.Len(), e.Bytes)
	}
	return out.Bytes()
}

func head(t testing.TB, b []byte) *Exported {
	t.Helper()
	e, err := ReadExport(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The same generation gives the same export, and importing it gives that generation.
func TestExportImport(t *testing.T) {
	ps := samples(t)
	b := open1(t, build(t, ps[:3], ps[3:]))
	key := signingKey(1)
	file := exported(t, b, ExportOptions{Sign: key})
	if again := exported(t, b, ExportOptions{Sign: key}); !bytes.Equal(again, file) {
		t.Error("two exports of one generation differ")
	}
	if plain := head(t, exported(t, b, ExportOptions{})); plain.ID != head(t, file).ID || plain.Signer != nil {
		t.Errorf("without signature %+v", plain)
	}
	for _, trust := range [][]ed25519.PublicKey{nil, {public(signingKey(2)), public(key)}} {
		dir := t.TempDir()
		w := writer(t, dir)
		e, err := w.Import(context.Background(), bytes.NewReader(file), ImportOptions{Trust: trust})
		if err != nil {
			t.Fatal(err)
		}
		if !e.Signer.Equal(public(key)) || w.Baseline().Digest() != b.Digest() || e.Digest != b.Digest() {
			t.Errorf("signed by %x, %s, want %s", e.Signer, w.Baseline().Digest(), b.Digest())
		}
		if !slices.Equal(purls(t, w.Baseline()), purls(t, b)) {
			t.Errorf("packages %v", purls(t, w.Baseline()))
		}
		if _, err := w.Import(context.Background(), bytes.NewReader(file), ImportOptions{}); err != nil {
			t.Errorf("imported again: %v", err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		verify(t, dir)
	}
}

// A delta has only new parts, and can only be imported where it belongs.
func TestExportSince(t *testing.T) {
	ps := samples(t)
	dir := build(t, ps[:2])
	first := exported(t, open1(t, dir), ExportOptions{})
	w := writer(t, dir)
	defer w.Close()
	add(t, w, ps[3])
	delta := exported(t, w.Baseline(), ExportOptions{Since: head(t, first)})
	if len(delta) >= len(first)/2 || len(w.man.Segments) != 2 {
		t.Fatalf("%d bytes since %d, %d segments", len(delta), len(first), len(w.man.Segments))
	}
	to := t.TempDir()
	other := writer(t, to)
	defer other.Close()
	var misfit *ReplaceError
	if _, err := other.Import(context.Background(), bytes.NewReader(delta), ImportOptions{Replace: true}); !errors.As(err, &misfit) {
		t.Errorf("a delta without its base: %v", err)
	}
	for _, file := range [][]byte{first, delta} {
		if _, err := other.Import(context.Background(), bytes.NewReader(file), ImportOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := other.Baseline().Digest(), w.Baseline().Digest(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	verify(t, to)
	if _, err := other.Import(context.Background(), bytes.NewReader(first), ImportOptions{}); !errors.As(err, &misfit) {
		t.Errorf("another baseline is replaced: %v", err)
	}
	if _, err := other.Import(context.Background(), bytes.NewReader(first), ImportOptions{Replace: true}); err != nil {
		t.Error(err)
	}
	if n := len(purls(t, other.Baseline())); n != 2 {
		t.Errorf("%d packages after the replacement", n)
	}
	verify(t, to)
}

// Only exports signed by a trusted key are imported.
func TestImportTrust(t *testing.T) {
	b := open1(t, build(t, samples(t)[2:3]))
	trust := ImportOptions{Trust: []ed25519.PublicKey{public(signingKey(1))}}
	for name, o := range map[string]ExportOptions{"unsigned": {}, "another's": {Sign: signingKey(2)}} {
		w := writer(t, t.TempDir())
		var refused *SignerError
		if _, err := w.Import(context.Background(), bytes.NewReader(exported(t, b, o)), trust); !errors.As(err, &refused) || w.man.Generation != 0 {
			t.Errorf("%s: %v", name, err)
		}
		w.Close()
	}
}

// A keyed baseline can be imported with the key.
func TestImportKeyed(t *testing.T) {
	key := fingerprint.NewKey([]byte("a secret of many bytes"))
	w, err := OpenWriter(context.Background(), t.TempDir(), Defaults, key)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	add(t, w, samples(t)[2])
	file := exported(t, w.Baseline(), ExportOptions{})
	plain := writer(t, t.TempDir())
	defer plain.Close()
	var locked *KeyError
	if _, err := plain.Import(context.Background(), bytes.NewReader(file), ImportOptions{}); !errors.As(err, &locked) || plain.man.Generation != 0 {
		t.Errorf("without the key: %v", err)
	}
	keyed, err := OpenWriter(context.Background(), t.TempDir(), Defaults, key)
	if err != nil {
		t.Fatal(err)
	}
	defer keyed.Close()
	if _, err := keyed.Import(context.Background(), bytes.NewReader(file), ImportOptions{}); err != nil {
		t.Error(err)
	}
}

// An export that is cut or changed anywhere changes nothing: the existing baseline stays.
func TestImportDamaged(t *testing.T) {
	ps := samples(t)
	b := open1(t, build(t, ps[3:4]))
	file := exported(t, b, ExportOptions{Sign: signingKey(1)})
	dir := build(t, ps[2:3])
	before := listing(t, dir)
	w := writer(t, dir)
	defer w.Close()
	refuse := func(what string, file []byte) {
		t.Helper()
		if _, err := w.Import(context.Background(), bytes.NewReader(file), ImportOptions{Replace: true}); err == nil {
			t.Fatalf("%s is taken", what)
		}
		if now := listing(t, dir); !maps.Equal(now, before) {
			t.Fatalf("%s: files %v, want %v", what, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(before)))
		}
	}
	step := len(file)/150 + 1
	for at := 0; at < len(file); at += step {
		refuse("a part", file[:at])
		bad := slices.Clone(file)
		bad[at] ^= 1 << (at % 8)
		refuse("a changed byte", bad)
	}
	refuse("a byte more", append(slices.Clone(file), 0))
}

// A baseline without its texts finds the same, has the same model, and learns the same.
func TestWithoutText(t *testing.T) {
	ps := samples(t)
	full := open1(t, build(t, ps[:3], ps[3:]))
	dir, notice := t.TempDir(), func(b []byte) bool { return bytes.Contains(b, []byte("Copyright")) }
	w := writer(t, dir)
	if err := w.WithoutText(context.Background(), full, notice); err != nil {
		t.Fatal(err)
	}
	again := writer(t, t.TempDir())
	defer again.Close()
	if err := again.WithoutText(context.Background(), full, notice); err != nil || again.Baseline().Digest() != w.Baseline().Digest() {
		t.Errorf("made twice: %s, then %s, %v", w.Baseline().Digest(), again.Baseline().Digest(), err)
	}
	bare := w.Baseline()
	in, err := bare.Info()
	if err != nil || in.Bare != in.Documents || in.Documents == 0 {
		t.Errorf("%d of %d documents are bare: %v", in.Bare, in.Documents, err)
	}
	if !bytes.Equal(modelBytes(t, bare), modelBytes(t, full)) || !slices.Equal(purls(t, bare), purls(t, full)) {
		t.Error("its model or its packages differ")
	}
	if err := w.WithoutText(context.Background(), full, notice); err == nil {
		t.Error("it replaces a baseline")
	}
	sameBut(t, full, bare)
	file := exported(t, bare, ExportOptions{})
	later := pkg(t, "pkg:generic/later@1", map[string]string{"later.py": python(40), "later.go": std(t, "container/ring")["ring.go"]})
	var models [2][]byte
	for i, b := range []*Baseline{full, bare} {
		u := writer(t, t.TempDir())
		if _, err := u.Import(context.Background(), bytes.NewReader(exported(t, b, ExportOptions{})), ImportOptions{}); err != nil {
			t.Fatal(err)
		}
		add(t, u, later)
		if err := u.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
		models[i] = modelBytes(t, u.Baseline())
		if err := u.Baseline().Verify(context.Background()); err != nil {
			t.Error(err)
		}
		u.Close()
	}
	if !bytes.Equal(models[0], models[1]) {
		t.Error("an add learns something else")
	}
	if len(file) >= len(exported(t, full, ExportOptions{})) {
		t.Error("it is no smaller")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	verify(t, dir)
}

// sameBut checks that the documents of two baselines differ only in their texts.
func sameBut(t *testing.T, full, bare *Baseline) {
	t.Helper()
	in, err := full.Info()
	if err != nil {
		t.Fatal(err)
	}
	comments := 0
	for id := range DocID(in.Documents) {
		was, err := full.Doc(id)
		if err != nil {
			t.Fatal(err)
		}
		is, err := bare.Doc(id)
		if err != nil || is.Hash != was.Hash || is.Unit != was.Unit || is.License != was.License {
			t.Fatalf("document %+v, want %+v, %v", is, was, err)
		}
		text, err := full.Text(was)
		if err != nil {
			t.Fatal(err)
		}
		left, err := bare.Text(is)
		if err != nil || len(left) != len(text) {
			t.Fatalf("%d bytes of text, want %d: %v", len(left), len(text), err)
		}
		if got, want := found(t, bare, string(text)), found(t, full, string(text)); !maps.Equal(got, want) {
			t.Errorf("found %v, want %v", got, want)
		}
		if !bytes.Equal(left, text) {
			comments++
		}
		if bytes.Contains(text, []byte("// Copyright")) != bytes.Contains(left, []byte("// Copyright")) {
			t.Errorf("the notice of %s is gone", was.Hash)
		}
	}
	if comments == 0 {
		t.Error("no document has lost anything")
	}
}

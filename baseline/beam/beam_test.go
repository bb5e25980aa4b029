package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest/pgtest"
	"github.com/git-provenance/git-provenance/baseline/baselinetest/s3test"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init() // the runner is prism, in this process
	os.Exit(m.Run())
}

// modules lists modules that this test is built from, which are in the module cache.
var modules = []string{
	"github.com/BurntSushi/toml", "github.com/FastFilter/xorfilter", "github.com/google/licensecheck", "github.com/klauspost/compress",
	"github.com/package-url/packageurl-go", "golang.org/x/sync",
}

// realList returns a list of real packages: one is listed twice, one again as a directory, and one does not exist.
func realList(t *testing.T) string {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("the test does not know what it is built from")
	}
	var b strings.Builder
	for _, m := range info.Deps {
		if slices.Contains(modules, m.Path) {
			fmt.Fprintf(&b, "pkg:golang/%s@%s\n", m.Path, m.Version)
		}
	}
	if n := strings.Count(b.String(), "\n"); n != len(modules) {
		t.Fatalf("%d of the %d modules are known", n, len(modules))
	}
	first, _, _ := strings.Cut(b.String(), "\n")
	fmt.Fprintf(&b, "# twice\n%s\n../fingerprint\tpkg:generic/again@1\tMIT\t2024-01-22\n../fingerprint\t%s\n", first, first)
	name := filepath.Join(t.TempDir(), "list.tsv")
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// added makes a baseline from a list on this machine, and returns its digest.
func added(t *testing.T, ctx context.Context, dir, list string, c Config) string {
	t.Helper()
	lines, err := readList(list)
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := source.OpenListed(ctx, lines, c.sources(ctx))
	if err != nil {
		t.Fatal(err)
	}
	w, err := baseline.OpenWriter(ctx, dir, baseline.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Add(ctx, pkgs, baseline.AddOptions{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return w.Baseline().Digest()
}

// built runs the pipeline.
func built(t *testing.T, ctx context.Context, list string, c Config) Said {
	t.Helper()
	lines, err := readList(list)
	if err != nil {
		t.Fatal(err)
	}
	said, err := build(ctx, c, lines)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(c.Parts); err != nil || len(left) > 0 {
		t.Errorf("the build left %v, %v", left, err)
	}
	return said
}

func TestABuildMakesWhatAddMakes(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx, list := context.Background(), realList(t)
	c := Config{Parts: t.TempDir(), Offline: true}
	want := added(t, ctx, t.TempDir(), list, c)
	c.Baseline, c.Shards = filepath.Join(t.TempDir(), "b"), 5
	for _, packages := range []int{len(modules) + 1, 0} { // the second time all are known
		if said := built(t, ctx, list, c); said.Digest != want || said.Added.Packages != packages || len(said.Missing) > 0 {
			t.Errorf("the build made %+v, add %s", said, want)
		}
	}
	b, err := baseline.Open(ctx, c.Baseline)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(ctx); err != nil {
		t.Error(err)
	}
}

func TestABuildAddsToSharedBaselines(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx, list := context.Background(), realList(t)
	c := Config{Parts: t.TempDir(), Offline: true, Shards: 64}
	few := filepath.Join(t.TempDir(), "few.tsv")
	if err := os.WriteFile(few, []byte("../segment\tpkg:generic/segment@1\n../store\tpkg:generic/again@1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	added(t, ctx, dir, few, c)
	want := added(t, ctx, dir, list, c)
	pg := pgtest.Start(t)
	for _, address := range []string{s3test.Start(t).Bucket(t), pg.Database(t)} {
		c.Baseline = address
		built(t, ctx, few, c)
		if said := built(t, ctx, list, c); said.Digest != want {
			t.Errorf("%s: the build made %s, add %s", address, said.Digest, want)
		}
	}
}

// mergedBy returns what the pipeline makes of a baseline without some packages.
func mergedBy(t *testing.T, ctx context.Context, c Config, gone string) string {
	t.Helper()
	list := filepath.Join(t.TempDir(), "gone")
	if err := os.WriteFile(list, []byte(gone), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, complaint strings.Builder
	if code := runCompact(ctx, c, list, &out, &complaint); code != 0 {
		t.Fatalf("exit code %d, %s", code, complaint.String())
	}
	if left, err := os.ReadDir(c.Parts); err != nil || len(left) > 0 {
		t.Errorf("the merge left %v, %v", left, err)
	}
	_, digest, _ := strings.Cut(strings.TrimSpace(out.String()), c.Baseline+": ")
	return digest
}

func TestAMergeMakesWhatRemoveAndCompactMake(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx, list, dir := context.Background(), realList(t), t.TempDir()
	few := filepath.Join(t.TempDir(), "few.tsv")
	if err := os.WriteFile(few, []byte("../segment\tpkg:generic/segment@1\n../store\tpkg:generic/store@1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := Config{Parts: t.TempDir(), Offline: true, Shards: 5}
	added(t, ctx, dir, list, c)
	added(t, ctx, dir, few, c)
	const gone = "pkg:generic/segment@1"
	address := pgtest.Start(t).Database(t)
	c.Baseline = address
	built(t, ctx, list, c)
	built(t, ctx, few, c)
	w, err := baseline.OpenWriter(ctx, dir, baseline.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := errors.Join(w.Remove(ctx, []string{gone}), w.Compact(ctx)); err != nil {
		t.Fatal(err)
	}
	if digest := mergedBy(t, ctx, c, "# removed\n"+gone+"\n"); digest != w.Baseline().Digest() {
		t.Errorf("the pipeline made %s, want %s", digest, w.Baseline().Digest())
	}
	if digest := mergedBy(t, ctx, c, ""); digest != w.Baseline().Digest() { // there is nothing to do
		t.Errorf("a second time it made %s", digest)
	}
	b, err := baseline.Open(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(ctx); err != nil {
		t.Error(err)
	}
	var out, complaint strings.Builder
	c.Gone = []string{"pkg:generic/none@1"}
	if code := runCompact(ctx, c, "", &out, &complaint); code != 2 || !strings.Contains(complaint.String(), "has no package") {
		t.Errorf("a package that is not there: exit code %d, %s", code, complaint.String())
	}
}

// TestSubmit: the script names the flags of each runner.
func TestSubmit(t *testing.T) {
	for _, c := range []struct{ runner, environment, want string }{
		{"prism", "", "--runner prism --compact"},
		{"flink", "FLINK_MASTER=flink:8081", "--flink-master=flink:8081"},
		{"spark", "SPARK_MASTER=spark://spark:7077", "--environment_type DOCKER"},
		{"dataflow", "GCP_PROJECT=p GCP_REGION=r GCP_STAGING=gs://b/s", "--runner dataflow --project p --region r --staging_location gs://b/s"},
		{"dataflow", "", "set GCP_PROJECT"},
		{"hadoop", "", "none of prism"},
	} {
		run := exec.Command("bash", "submit.sh", c.runner, "--print", "--", "--compact")
		run.Env = append(strings.Fields(c.environment), "PATH="+os.Getenv("PATH"))
		said, err := run.CombinedOutput()
		if failed := strings.HasPrefix(c.want, "set") || strings.HasPrefix(c.want, "none"); !strings.Contains(string(said), c.want) || (err != nil) != failed {
			t.Errorf("%s: %v\n%s", c.runner, err, said)
		}
	}
}

func TestAFailedBuildChangesNothing(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	c := Config{Parts: t.TempDir(), Offline: true, Shards: 4, Baseline: filepath.Join(dir, "b")}
	list := filepath.Join(dir, "list.tsv")
	if err := os.WriteFile(list, []byte("../fingerprint\tpkg:generic/a@1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := built(t, ctx, list, c)
	c.From = before.Digest
	if _, err := c.open(ctx); err != nil {
		t.Fatal(err)
	}
	c.From = "sha256:another"
	if _, err := c.open(ctx); !moved(err) {
		t.Errorf("a step with another generation: %v", err)
	}
	f := commitFn{c}
	survey := part{Kind: surveys, Name: filepath.Join(dir, "lost")}.String()
	err := f.ProcessElement(ctx, 0, func(s *string) bool {
		*s, survey = survey, ""
		return *s != ""
	}, func(string) { t.Error("a commit without a part succeeded") })
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a commit without a part: %v", err)
	}
	if again := built(t, ctx, list, Config{Parts: c.Parts, Offline: true, Shards: 1, Baseline: c.Baseline}); again.Digest != before.Digest {
		t.Errorf("digest %s, before %s", again.Digest, before.Digest)
	}
}

func moved(err error) bool {
	_, is := errors.AsType[*baseline.MovedError](err)
	return is
}

func TestArchivesInABucket(t *testing.T) {
	ctx, dir, copies := context.Background(), t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", copies)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, name := range []string{"parts.go", "runs.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	const address = "memfs://bucket/code.zip"
	if err := filesystem.Write(ctx, memfs.New(ctx), address, archive.Bytes()); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "list.tsv")
	if err := os.WriteFile(list, []byte(address+"\tpkg:generic/code@1\tMIT\nmemfs://bucket/none.zip\tpkg:generic/none@1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := Config{Parts: filepath.Join(dir, "parts"), Offline: true, Shards: 2, Baseline: filepath.Join(dir, "b")}
	var out, complaint strings.Builder
	if code := run(ctx, c, list, &out, &complaint); code != 2 || !strings.Contains(complaint.String(), "line 2") || !strings.Contains(out.String(), "2 documents new") {
		t.Fatalf("exit code %d, %s%s", code, out.String(), complaint.String())
	}
	if left, err := filepath.Glob(copies + "/provenance-beam-*"); err != nil || len(left) > 0 {
		t.Errorf("copies of archives are left: %q, %v", left, err)
	}
	b, err := baseline.Open(ctx, c.Baseline)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if pkgs, err := b.Packages(); err != nil || len(pkgs) != 1 || pkgs[0].From != address {
		t.Errorf("%+v, %v", pkgs, err)
	}
}

// TestManyRuns merges more files than may be open at once.
func TestManyRuns(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	f := commitFn{Config{Parts: dir}}
	var parts []part
	want := make(map[store.Hash]int)
	for i := range 2*maxRuns + 3 {
		h := store.Sum(fmt.Append(nil, i/2))
		p, err := writeRun(ctx, dir, []document{{Entry: store.Entry{Hash: h, Unit: uint32(i)}, PURL: "pkg:generic/a@1", Seq: i}})
		if err != nil {
			t.Fatal(err)
		}
		if _, known := want[h]; !known {
			want[h] = i
		}
		parts = append(parts, p)
	}
	var last store.Hash
	n := 0
	for e, err := range f.documents(ctx, parts) {
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Compare(last[:], e.Hash[:]) >= 0 || int(e.Unit) != want[e.Hash] {
			t.Fatalf("document %d is %s of file %d, the first is %d", n, e.Hash, e.Unit, want[e.Hash])
		}
		last = e.Hash
		n++
	}
	if n != len(want) {
		t.Errorf("%d documents of %d", n, len(want))
	}
}

func TestDamagedPartsAreErrors(t *testing.T) {
	if _, err := postings(nil, []byte{0, 0, 0, 0, 1, 2, 3}, []uint64{0}); err == nil {
		t.Error("a batch that is cut passes")
	}
	if _, err := postings(nil, []byte{9, 0, 0, 0}, []uint64{0}); err == nil {
		t.Error("a batch of a shard that is none passes")
	}
	if _, err := (made{Prints: []byte{1, 2, 3}}).unpack(); err == nil {
		t.Error("fingerprints that are cut pass")
	}
	ctx, dir := context.Background(), t.TempDir()
	name := filepath.Join(dir, "lists")
	if err := os.WriteFile(name, appendList(nil, 0, segment.List{Fingerprint: 1 << 20, Count: 2, Positions: []uint64{3, 500}})[:5], 0o644); err != nil {
		t.Fatal(err)
	}
	var got error
	for _, err := range itemsOf(ctx, []part{{Name: name}}, listsIn) {
		got = errors.Join(got, err)
	}
	if got == nil {
		t.Error("a file of lists that is cut passes")
	}
}

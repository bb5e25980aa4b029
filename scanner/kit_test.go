package scanner_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

// scratch is the directory of the baselines that all tests share.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "scanner-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

var goroot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
})

// std returns a source file of the Go distribution.
func std(t testing.TB, name string) string {
	t.Helper()
	root, err := goroot()
	if err != nil {
		t.Skipf("no Go distribution: %v", err)
	}
	b, err := os.ReadFile(filepath.Join(root, "src", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// files maps paths to contents.
type files map[string]string

func stdFiles(t testing.TB, names ...string) files {
	t.Helper()
	f := files{}
	for _, n := range names {
		f[n] = std(t, n)
	}
	return f
}

func (f files) write(t testing.TB, dir string) {
	t.Helper()
	for p, text := range f {
		p = filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// dir writes files to a new directory.
func (f files) dir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	f.write(t, dir)
	return dir
}

// pack is a package of a baseline.
type pack struct {
	purl, license, released string
	files                   files
}

func date(s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// build makes a baseline of packages below dir.
func build(t testing.TB, dir string, p fingerprint.Params, packs ...pack) string {
	t.Helper()
	return buildKeyed(t, dir, p, fingerprint.Key{}, packs...)
}

func buildKeyed(t testing.TB, dir string, p fingerprint.Params, key fingerprint.Key, packs ...pack) string {
	t.Helper()
	ctx := context.Background()
	var pkgs []*source.Package
	for i, k := range packs {
		src := filepath.Join(dir, fmt.Sprintf("source%d", i))
		if err := os.MkdirAll(src, 0o755); err != nil {
			t.Fatal(err)
		}
		k.files.write(t, src)
		ps, err := source.Open(ctx, src, source.Options{PURL: k.purl, License: k.license, Released: date(k.released), Offline: true})
		if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, ps...)
	}
	base := filepath.Join(dir, "baseline")
	w, err := baseline.OpenWriter(ctx, base, p, key)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Add(ctx, pkgs, baseline.AddOptions{Workers: 2})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return base
}

func open(t testing.TB, dir string, keys ...fingerprint.Key) *baseline.Baseline {
	t.Helper()
	b, err := baseline.Open(context.Background(), dir, keys...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// based makes and opens a baseline of packages.
func based(t testing.TB, packs ...pack) *baseline.Baseline {
	t.Helper()
	return open(t, build(t, t.TempDir(), baseline.Defaults, packs...))
}

const stdPURL = "pkg:golang/std@1.20.0"

// stdNames lists the files of the shared baseline.
var stdNames = []string{
	"strings/replace.go", "compress/flate/deflate.go", "compress/flate/inflate.go", "compress/flate/huffman_code.go",
	"compress/flate/huffman_bit_writer.go", "container/list/list.go", "sort/sort.go", "encoding/base64/base64.go",
}

var (
	shared     sync.Mutex
	sharedPath string
)

// stdBaseline is the shared baseline: a few packages of the Go distribution.
func stdBaseline(t testing.TB) *baseline.Baseline {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if sharedPath == "" {
		sharedPath = build(t, filepath.Join(scratch, "std"), baseline.Defaults, pack{stdPURL, "BSD-3-Clause", "2023-02-01", stdFiles(t, stdNames...)})
	}
	return open(t, sharedPath)
}

// scan returns a scanner; zero fields of o get their defaults.
func scan(t testing.TB, o scanner.Options, bases ...*baseline.Baseline) *scanner.Scanner {
	t.Helper()
	d := scanner.Defaults()
	o.MinTokens, o.MinScore, o.Common = cmp.Or(o.MinTokens, d.MinTokens), cmp.Or(o.MinScore, d.MinScore), cmp.Or(o.Common, d.Common)
	o.MaxOrigins, o.MaxFileSize = cmp.Or(o.MaxOrigins, d.MaxOrigins), cmp.Or(o.MaxFileSize, d.MaxFileSize)
	if o.Memory == "" {
		o.Memory = t.TempDir()
	}
	s, err := scanner.New(bases, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tree scans a plain directory.
func tree(t testing.TB, s *scanner.Scanner, dir string, paths ...string) *finding.Report {
	t.Helper()
	r, err := s.Tree(context.Background(), nil, dir, paths)
	if err != nil {
		t.Fatal(err)
	}
	check(t, r)
	return r
}

// check checks properties that every report has.
func check(t testing.TB, r *finding.Report) {
	t.Helper()
	if r.Schema != finding.Schema || r.Summary.Findings != len(r.Findings) || r.Findings == nil || r.Ledger == nil {
		t.Errorf("report %q with %d findings says %d", r.Schema, len(r.Findings), r.Summary.Findings)
	}
	for i, f := range r.Findings {
		if i > 0 && (r.Findings[i-1].Path > f.Path || r.Findings[i-1].Path == f.Path && r.Findings[i-1].StartLine > f.StartLine) {
			t.Errorf("%s:%d comes after %s:%d", f.Path, f.StartLine, r.Findings[i-1].Path, r.Findings[i-1].StartLine)
		}
		checkFinding(t, f)
	}
	if !slices.IsSortedFunc(r.Ledger, func(a, b finding.Entry) int { return strings.Compare(a.Path, b.Path) }) {
		t.Error("the ledger is not sorted")
	}
	for _, e := range r.Ledger {
		if e.Reason == "" {
			t.Errorf("ledger entry without reason: %+v", e)
		}
	}
}

func checkFinding(t testing.TB, f finding.Finding) {
	t.Helper()
	at := fmt.Sprintf("%s:%d-%d", f.Path, f.StartLine, f.EndLine)
	if len(f.Runs) == 0 || len(f.Origins) == 0 || f.OriginCount < len(f.Origins) || f.PackageCount < 1 || f.PackageCount > f.OriginCount {
		t.Fatalf("%s: %d runs, %d of %d origins in %d packages", at, len(f.Runs), len(f.Origins), f.OriginCount, f.PackageCount)
	}
	first, last, o := f.Runs[0], f.Runs[len(f.Runs)-1], f.Origins[0]
	within := func(from, to, start, end int) bool { return start <= from && from <= to && to <= end }
	if !within(f.StartLine, f.EndLine, first.StartLine, last.EndLine) || !within(o.StartLine, o.EndLine, first.OriginStartLine, last.OriginEndLine) {
		t.Errorf("%s: runs %+v disagree with the finding or its origin %d-%d", at, f.Runs, o.StartLine, o.EndLine)
	}
	n := 0
	for i, r := range f.Runs {
		n += r.Tokens
		if r.StartLine < 1 || r.EndLine < r.StartLine || r.OriginStartLine < 1 || r.OriginEndLine < r.OriginStartLine || r.Tokens < 1 ||
			i > 0 && (r.StartLine < f.Runs[i-1].EndLine || r.OriginStartLine < f.Runs[i-1].OriginEndLine) {
			t.Errorf("%s: run %d of %+v", at, i, f.Runs)
		}
	}
	if f.EndLine > f.FileLines {
		t.Errorf("%s: the file has %d lines", at, f.FileLines)
	}
	if n != f.Tokens {
		t.Errorf("%s: %d tokens, the runs have %d", at, f.Tokens, n)
	}
	if f.CloneType < 1 || f.CloneType > 3 || f.CloneType == 3 && len(f.Runs) == 1 || f.Score < 0 || f.Score > 1 || f.FileShare <= 0 || f.FileShare > 1 {
		t.Errorf("%s: type %d of %d runs, score %v, share %v", at, f.CloneType, len(f.Runs), f.Score, f.FileShare)
	}
	if f.Identifiers.Unchanged+f.Identifiers.Renamed+f.Identifiers.Inconsistent != f.Identifiers.Total || f.Literals.Equal > f.Literals.Total {
		t.Errorf("%s: %+v, %+v", at, f.Identifiers, f.Literals)
	}
	for i, o := range f.Origins {
		if o.PURL == "" || o.License == "" || o.Similarity <= 0 || o.Similarity > 1 || o.FileShare > 1 {
			t.Errorf("%s: origin %+v", at, o)
		}
		if i > 1 && f.Origins[i-1].Similarity < o.Similarity {
			t.Errorf("%s: origin %d is closer than the one before", at, i)
		}
	}
}

// one returns the only finding.
func one(t testing.TB, r *finding.Report) finding.Finding {
	t.Helper()
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want 1: %s; ledger %v", len(r.Findings), list(r), r.Ledger)
	}
	return r.Findings[0]
}

// none expects no finding.
func none(t testing.TB, r *finding.Report) {
	t.Helper()
	if len(r.Findings) != 0 {
		t.Fatalf("%d findings, want none: %s", len(r.Findings), list(r))
	}
}

func list(r *finding.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "\n\t%s:%d-%d = %s %s:%d-%d, %d tokens, type %d", f.Path, f.StartLine, f.EndLine,
			f.Origins[0].PURL, f.Origins[0].Path, f.Origins[0].StartLine, f.Origins[0].EndLine, f.Tokens, f.CloneType)
	}
	return b.String()
}

func reason(r *finding.Report, path string) []lang.Reason {
	var out []lang.Reason
	for _, e := range r.Ledger {
		if e.Path == path {
			out = append(out, e.Reason)
		}
	}
	return out
}

func marshal(t testing.TB, r *finding.Report) []byte {
	t.Helper()
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// part is a piece of a file with its lines.
type part struct {
	text        string
	first, last int
}

func (p part) lines() int { return p.last - p.first + 1 }

// function returns the function whose declaration starts with head, without the comments before it.
func function(t testing.TB, src, head string) part {
	t.Helper()
	i := strings.Index(src, "\n"+head)
	if i < 0 {
		t.Fatalf("no %q in the source", head)
	}
	i++
	n := strings.Index(src[i:], "\n}\n")
	text := src[i : i+n+3]
	first := strings.Count(src[:i], "\n") + 1
	return part{text, first, first + strings.Count(text, "\n") - 1}
}

// tokens of Go source.
func tokens(t testing.TB, src string) []lang.Token {
	t.Helper()
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(lang.ByName("go"), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(s.Tokens)
}

// renamed gives every identifier another name, the same at all its places. It returns the number of distinct names.
func renamed(t testing.TB, src string) (string, int) {
	t.Helper()
	names := make(map[string]string)
	var b strings.Builder
	at := 0
	for _, k := range tokens(t, src) {
		if k.Class != lang.Identifier || k.Flags&lang.FlagImport != 0 {
			continue
		}
		old := src[k.Start:k.End]
		if names[old] == "" {
			names[old] = fmt.Sprintf("name%c%c", 'a'+len(names)/26, 'a'+len(names)%26)
		}
		b.WriteString(src[at:k.Start] + names[old])
		at = int(k.End)
	}
	b.WriteString(src[at:])
	return b.String(), len(names)
}

// reformatted prints declarations again, with spaces for tabs and without comments.
func reformatted(t testing.TB, src string) string {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "x.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			d.Doc = nil
		}
		if err := (&printer.Config{Mode: printer.UseSpaces, Tabwidth: 3}).Fprint(&b, set, d); err != nil {
			t.Fatal(err)
		}
		b.WriteString("\n\n")
	}
	return "package x\n\n" + b.String()
}

// repository is made and changed by git itself.
type repository struct {
	t   testing.TB
	dir string
	now time.Time // of the next commit
}

func newRepository(t testing.TB) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := &repository{t: t, dir: filepath.Join(t.TempDir(), "repo"), now: date("2022-01-01")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	return r.feed("", args...)
}

// feed runs git with an input.
func (r *repository) feed(stdin string, args ...string) string {
	r.t.Helper()
	c := exec.Command("git", args...)
	c.Stdin = strings.NewReader(stdin)
	c.Dir = r.dir
	at := r.now.Format(time.RFC3339)
	c.Env = append(gittest.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// gone is the content of a file to be removed.
const gone = "\x00gone"

// commit writes files, or removes them, and commits everything. It returns the commit's name.
func (r *repository) commit(f files) string {
	r.t.Helper()
	r.put(f)
	r.now = r.now.Add(24 * time.Hour)
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "change")
	return r.git("rev-parse", "HEAD")
}

func (r *repository) put(f files) {
	r.t.Helper()
	for p, text := range f {
		if text == gone {
			if err := os.Remove(filepath.Join(r.dir, p)); err != nil {
				r.t.Fatal(err)
			}
			continue
		}
		files{p: text}.write(r.t, r.dir)
	}
}

func (r *repository) open() *git.Repo {
	r.t.Helper()
	repo, err := git.Open(context.Background(), r.dir, git.Options{})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { repo.Close() })
	return repo
}

func (r *repository) diff(s *scanner.Scanner, spec string) *finding.Report {
	r.t.Helper()
	return r.checked(s.Diff(context.Background(), r.open(), spec))
}

func (r *repository) staged(s *scanner.Scanner) *finding.Report {
	r.t.Helper()
	return r.checked(s.Staged(context.Background(), r.open()))
}

func (r *repository) history(s *scanner.Scanner, spec string, paths ...string) *finding.Report {
	r.t.Helper()
	return r.checked(s.History(context.Background(), r.open(), git.Selection{Range: spec, Paths: paths}))
}

func (r *repository) tree(s *scanner.Scanner, paths ...string) *finding.Report {
	r.t.Helper()
	return r.checked(s.Tree(context.Background(), r.open(), r.dir, paths))
}

func (r *repository) checked(rep *finding.Report, err error) *finding.Report {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
	check(r.t, rep)
	return rep
}

package origindates

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// region is the dated code: lines 3 to 14 of code.
const region = `func merge(left, right []int) []int {
	out := make([]int, 0, len(left)+len(right))
	for len(left) > 0 && len(right) > 0 {
		if left[0] <= right[0] {
			out, left = append(out, left[0]), left[1:]
		} else {
			out, right = append(out, right[0]), right[1:]
		}
	}
	out = append(out, left...)
	return append(out, right...)
}
`

const code = "package a\n\n" + region

// another gives region other names.
var another = strings.NewReplacer("merge", "blend", "left", "rows", "right", "cols", "out", "sum", "int", "Cell").Replace(code)

// pieces adds other code to every line of region, so that no run has 20 tokens.
var pieces = strings.NewReplacer("\n\t", "\n\tprintln()\n\t", "[1:]", "[len(os.Args):]", " 0, len", " 8|0, len").Replace(code)

// earlier returns region as it may have been before: half of it is the same.
var earlier = strings.NewReplacer("out, left = append(out, left[0]), left[1:]", "out = next(out, &left)", "out, right = append(out, right[0]), right[1:]", "out = next(out, &right)",
	"out = append(out, left...)\n\treturn append(out, right...)", "return rest(out, left, right)").Replace(code)

// release is one version of the module a.b/c, or of the package c of npm.
type release struct {
	version, date string
	files         map[string]string // nil: the version does not exist
}

func has(version, date string) release {
	return release{version, date, map[string]string{"a.go": code}}
}

func lacks(version, date string) release {
	return release{version, date, map[string]string{"a.go": "package a\n"}}
}

func inPiecesOf(version, date string) release {
	return release{version, date, map[string]string{"a.go": pieces}}
}

// proxy serves releases, and counts requests.
type proxy struct {
	t    *testing.T
	mu   sync.Mutex
	docs map[string]string
	hits map[string]int
	on   func(path string, w http.ResponseWriter) bool // answers instead
	*httptest.Server
}

func newProxy(t *testing.T, releases ...release) *proxy {
	p := &proxy{t: t, docs: map[string]string{}, hits: map[string]int{}}
	for _, r := range releases {
		p.add("a.b/c", r)
	}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) add(module string, r release) {
	base := "/" + module + "/@v/"
	p.docs[base+"list"] = r.version + "\n" + p.docs[base+"list"]
	p.docs[base+r.version+".info"] = fmt.Sprintf(`{"Version":%q}`, r.version)
	if r.date != "" {
		p.docs[base+r.version+".info"] = fmt.Sprintf(`{"Version":%q,"Time":"%sT00:00:00Z"}`, r.version, r.date)
	}
	if r.files != nil {
		p.docs[base+r.version+".zip"] = zipped(p.t, module+"@"+r.version+"/", r.files)
	}
}

func zipped(t *testing.T, prefix string, files map[string]string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(prefix + name)
		must(t, err)
		_, err = w.Write([]byte(text))
		must(t, err)
	}
	must(t, z.Close())
	return b.String()
}

func (p *proxy) serve(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.hits[r.URL.Path]++
	doc, ok := p.docs[r.URL.Path]
	on := p.on
	p.mu.Unlock()
	switch {
	case on != nil && on(r.URL.Path, w):
	case !ok:
		http.NotFound(w, r)
	default:
		w.Write([]byte(doc))
	}
}

// downloads returns the number of zips fetched since the last call. It fails if one was fetched twice.
func (p *proxy) downloads() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for path, times := range p.hits {
		if strings.HasSuffix(path, ".zip") || strings.HasSuffix(path, ".tgz") {
			n += times
			if times > 1 {
				p.t.Errorf("%s was fetched %d times", path, times)
			}
		}
	}
	p.hits = map[string]int{}
	return n
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// found returns a report of one finding whose origin is region in a file of a version.
func found(name, released string) *finding.Report {
	sum := sha256.Sum256([]byte(code))
	o := finding.Origin{PURL: name, Path: "a.go", StartLine: 3, EndLine: 14, SHA256: hex.EncodeToString(sum[:])}
	if released != "" {
		at, err := time.Parse(time.DateOnly, released)
		if err != nil {
			panic(err)
		}
		o.Released = &at
	}
	return &finding.Report{Findings: []finding.Finding{{Path: "x.go", Origins: []finding.Origin{o},
		Runs: []finding.Run{{OriginStartLine: 3, OriginStartColumn: 1, OriginEndLine: 14, OriginEndColumn: 2}}}}}
}

var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// dates dates a report and returns the outcome as text: absent -> present, and the ledger.
func dates(t *testing.T, rep *finding.Report, o Options) string {
	t.Helper()
	o.Now = now
	must(t, Date(t.Context(), rep, o))
	return shown(rep)
}

func shown(rep *finding.Report) string {
	i := rep.Findings[0].Origins[0].First
	out := point(i.Absent) + " -> " + point(i.Present) + " " + i.From
	if i.Note != "" {
		out += ": " + i.Note
	}
	for _, e := range rep.Ledger {
		out += " [" + e.Path + " " + string(e.Reason) + " " + e.Detail + "]"
	}
	return out
}

func point(p *finding.Point) string {
	switch {
	case p == nil:
		return "-"
	case p.Time == nil:
		return purl.Version(p.PURL)
	}
	return purl.Version(p.PURL) + " " + p.Time.Format(time.DateOnly)
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

// many returns versions v1.0.0 to v1.(n-1).0, a month apart. The first ones lack the region.
func many(n, lacking int) []release {
	var out []release
	for i := range n {
		v, at := fmt.Sprintf("v1.%d.0", i), time.Date(2015, time.Month(1+i), 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		if i < lacking {
			out = append(out, lacks(v, at))
		} else {
			out = append(out, release{v, at, map[string]string{fmt.Sprintf("moved%d/b.go", i): code, "a.go": another}})
		}
	}
	return out
}

// TestBisect: the version that adds the region is found with few requests, wherever it is. A second run makes no request.
func TestBisect(t *testing.T) {
	for _, lacking := range []int{1, 2, 17, 38, 39} {
		rs := many(40, lacking)
		rs[39].files["a.go"] = code
		p := newProxy(t, rs...)
		o := Options{Source: source.Options{GoProxy: p.URL}, Store: t.TempDir()}
		want := fmt.Sprintf("v1.%d.0 %s -> v1.%d.0 %s versions", lacking-1, rs[lacking-1].date, lacking, rs[lacking].date)
		same(t, "first run", dates(t, found("pkg:golang/a.b/c@v1.39.0", rs[39].date), o), want)
		if n := p.downloads(); n > MaxDownloads {
			t.Errorf("%d downloads", n)
		}
		rep := found("pkg:golang/a.b/c@v1.39.0", rs[39].date)
		o.Baselines = []*baseline.Baseline{baselineOf(t, "pkg:golang/a.b/c@v1.39.0", map[string]string{"a.go": code})}
		o.Source.Offline = true
		same(t, "offline", dates(t, rep, o), want)
		if len(p.hits) > 0 {
			t.Errorf("the second run asked for %v", p.hits)
		}
	}
}

// TestBisectComment: the versions of a package are searched for the words of a comment, in any layout and above any code.
func TestBisectComment(t *testing.T) {
	const said = `// merge takes the smaller of the two heads, again and again, until one of the rows
// has been emptied; what is left of the other one follows as it stands, because it was in
// order before. Equal cells keep the order of their rows, which the callers rely on.
`
	words := "/* " + strings.ToUpper(strings.Join(strings.Fields(strings.ReplaceAll(said, "//", "")), "\n")) + "\n*/\n"
	of := func(version, date, comment string) release {
		return release{version, date, map[string]string{"a.go": "package a\n\n" + comment + region}}
	}
	p := newProxy(t, of("v1.0.0", "2015-01-01", ""), of("v1.1.0", "2016-01-01", said[:50]+"\n"), release{"v1.2.0", "2017-01-01", map[string]string{"b/b.go": "package b\n\n" + words + "func f() {}\n"}}, of("v1.3.0", "2018-01-01", said))
	origin := "package a\n\n" + said + region
	report := func() *finding.Report {
		rep := found("pkg:golang/a.b/c@v1.3.0", "2018-01-01")
		sum := sha256.Sum256([]byte(origin))
		f := &rep.Findings[0]
		f.Documentation, f.Origins[0].SHA256, f.Origins[0].EndLine = true, hex.EncodeToString(sum[:]), 5
		f.Runs[0] = finding.Run{OriginStartLine: 3, OriginStartColumn: 4, OriginEndLine: 5, OriginEndColumn: 83}
		return rep
	}
	o := Options{Baselines: []*baseline.Baseline{baselineOf(t, "pkg:golang/a.b/c@v1.3.0", map[string]string{"a.go": origin})}, Source: source.Options{GoProxy: p.URL}}
	same(t, "versions", dates(t, report(), o), "v1.1.0 2016-01-01 -> v1.2.0 2017-01-01 versions")

	h := historyOf(t, without("2012-01-01"), commit{date: "2014-05-01", files: map[string]string{"z.go": "package z\n\n" + words + "func f() {}\n"}}, commit{date: "2015-05-01", files: map[string]string{"a.go": origin}})
	o.Repositories, o.Source.Offline = []Repository{{"clone", h.open(), func(string) bool { return true }}}, true
	same(t, "history", dates(t, report(), o), " 2012-01-01 ->  2014-05-01 history")
}

// baselineOf makes a baseline of one package.
func baselineOf(t *testing.T, name string, files map[string]string) *baseline.Baseline {
	dir := t.TempDir()
	add(t, dir, name, "", files)
	return open(t, dir)
}

func open(t *testing.T, dir string) *baseline.Baseline {
	b, err := baseline.Open(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

func add(t *testing.T, dir, name, released string, files map[string]string) {
	src := t.TempDir()
	for path, text := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(src, path)), 0o777))
		must(t, os.WriteFile(filepath.Join(src, path), []byte(text), 0o666))
	}
	o := source.Options{PURL: name}
	if released != "" {
		var err error
		o.Released, err = time.Parse(time.DateOnly, released)
		must(t, err)
	}
	pkgs, err := source.Open(t.Context(), src, o)
	must(t, err)
	w, err := baseline.OpenWriter(t.Context(), dir, baseline.Defaults)
	must(t, err)
	_, err = w.Add(t.Context(), pkgs, baseline.AddOptions{Workers: 1})
	must(t, err)
	must(t, w.Close())
}

// TestOddVersions: odd dates and versions of registries widen an interval, or are noted. They never reverse an order.
func TestOddVersions(t *testing.T) {
	for name, c := range map[string]struct {
		releases []release
		origin   string
		want     string
	}{
		"the oldest has it": {[]release{has("v1.0.0", "2015-01-01"), has("v1.1.0", "2016-01-01")}, "v1.1.0",
			"- -> v1.0.0 2015-01-01 versions: the oldest version that can be read has it already"},
		"the only one": {[]release{has("v1.0.0", "2015-01-01")}, "v1.0.0",
			"- -> v1.0.0 2015-01-01 versions: no older version is listed"},
		"a backport has it, later than the main line": {[]release{lacks("v1.9.7", "2016-01-01"), has("v1.9.8", "2019-01-01"), has("v1.10.0", "2017-01-01"), has("v1.11.0", "2018-01-01")}, "v1.11.0",
			"v1.9.7 2016-01-01 -> v1.10.0 2017-01-01 versions"},
		"a backport lacks it, later than the main line": {[]release{lacks("v1.8.0", "2015-01-01"), lacks("v1.9.8", "2019-01-01"), has("v1.10.0", "2017-01-01")}, "v1.10.0",
			"v1.8.0 2015-01-01 -> v1.10.0 2017-01-01 versions: v1.9.8 has a lower number, but not an earlier date"},
		"dates the other way round": {[]release{lacks("v1.0.0", "2018-01-01"), has("v1.1.0", "2017-01-01")}, "v1.1.0",
			"- -> v1.1.0 2017-01-01 versions: v1.0.0 has a lower number, but not an earlier date"},
		"no dates": {[]release{lacks("v1.0.0", ""), has("v1.1.0", "")}, "v1.1.0",
			"- -> v1.1.0 versions: v1.0.0 has a lower number, but not an earlier date; no date is known of a version that has it"},
		"clocks that are wrong": {[]release{lacks("v1.0.0", "2015-01-01"), has("v1.1.0", "1970-01-01"), has("v1.2.0", "2016-01-01"), has("v1.3.0", "2031-01-01")}, "v1.3.0",
			"v1.0.0 2015-01-01 -> v1.2.0 2016-01-01 versions: v1.1.0 has it, but no date that can be right"},
		"left and came back": {[]release{has("v1.0.0", "2015-01-01"), lacks("v1.1.0", "2016-01-01"), has("v1.2.0", "2017-01-01")}, "v1.2.0",
			"- -> v1.0.0 2015-01-01 versions: the oldest version that can be read has it already"},
		"a version that is gone": {[]release{lacks("v1.0.0", "2015-01-01"), {"v1.1.0", "2016-01-01", nil}, has("v1.2.0", "2017-01-01")}, "v1.2.0",
			"v1.0.0 2015-01-01 -> v1.2.0 2017-01-01 versions: 1 version could not be read, v1.1.0 among them"},
		"the same shape with other names": {[]release{{"v1.0.0", "2015-01-01", map[string]string{"a.go": another}}, has("v1.1.0", "2016-01-01")}, "v1.1.0",
			"v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
		"a foreign copy in it": {[]release{{"v1.0.0", "2015-01-01", map[string]string{"vendor/x/a.go": code}}, has("v1.1.0", "2016-01-01")}, "v1.1.0",
			"v1.0.0 2015-01-01 -> v1.1.0 2016-01-01 versions"},
		"older versions have it in pieces": {[]release{lacks("v1.0.0", "2015-01-01"), inPiecesOf("v1.1.0", "2016-01-01"), inPiecesOf("v1.2.0", "2017-01-01"), has("v1.3.0", "2018-01-01")}, "v1.3.0",
			"v1.0.0 2015-01-01 -> v1.3.0 2018-01-01 versions: v1.1.0 has part of it"},
		"the version before has it in an earlier form": {[]release{lacks("v1.0.0", "2015-01-01"), {"v1.1.0", "2016-01-01", map[string]string{"a.go": earlier}}, has("v1.2.0", "2017-01-01")}, "v1.2.0",
			"v1.0.0 2015-01-01 -> v1.2.0 2017-01-01 versions: v1.1.0 has part of it"},
		"the oldest has it in pieces": {[]release{inPiecesOf("v1.0.0", "2015-01-01"), lacks("v1.1.0", "2016-01-01"), inPiecesOf("v1.2.0", "2017-01-01"), has("v1.3.0", "2018-01-01"), has("v1.4.0", "2019-01-01")}, "v1.4.0",
			"- -> v1.3.0 2018-01-01 versions: v1.0.0 has part of it"},
		"all have it in pieces": {[]release{inPiecesOf("v1.0.0", "2015-01-01"), inPiecesOf("v1.1.0", "2016-01-01"), has("v1.2.0", "2017-01-01")}, "v1.2.0",
			"- -> v1.2.0 2017-01-01 versions: v1.0.0 has part of it"},
	} {
		p := newProxy(t, c.releases...)
		got := dates(t, found("pkg:golang/a.b/c@"+c.origin, ""), Options{Source: source.Options{GoProxy: p.URL}})
		same(t, name, got, c.want)
		p.downloads()
	}
}

// TestNoTag: no registry lists commits without a tag. The ledger says so if that leaves the date open, in later runs too.
func TestNoTag(t *testing.T) {
	const version = "v0.0.0-20200102030405-0123456789ab"
	b := baselineOf(t, "pkg:golang/a.b/c@"+version, map[string]string{"a.go": code})
	store := t.TempDir()
	for _, releases := range [][]release{{}, {}, {lacks("v0.0.0-20190102030405-0123456789ab", "2019-01-02")}} {
		p := newProxy(t, releases...)
		p.docs["/a.b/c/@v/list"] = ""
		rep := found("pkg:golang/a.b/c@"+version, "2020-01-02")
		must(t, Date(t.Context(), rep, Options{Baselines: []*baseline.Baseline{b}, Store: store, Source: source.Options{GoProxy: p.URL}}))
		if len(rep.Ledger) != 1 || !strings.Contains(rep.Ledger[0].Detail, "a commit without a tag") {
			t.Errorf("%+v", rep.Ledger)
		}
	}
}

// A module keeps its age across major versions.
func TestMajorVersions(t *testing.T) {
	p := newProxy(t, lacks("v0.1.0", "2015-01-01"), has("v1.0.0", "2016-01-01"))
	p.add("a.b/c/v2", has("v2.0.0", "2017-01-01"))
	p.add("a.b/c/v3", has("v3.0.0", "2018-01-01"))
	got := dates(t, found("pkg:golang/a.b/c/v3@v3.0.0", ""), Options{Source: source.Options{GoProxy: p.URL}})
	same(t, "majors", got, "v0.1.0 2015-01-01 -> v1.0.0 2016-01-01 versions")
}

// TestUnreachable: if a registry cannot be asked, the origin keeps its known date, and the ledger gives the reason.
func TestUnreachable(t *testing.T) {
	b := baselineOf(t, "pkg:golang/a.b/c@v1.1.0", map[string]string{"a.go": code})
	for name, on := range map[string]func(string, http.ResponseWriter) bool{
		"gone":  func(_ string, w http.ResponseWriter) bool { w.WriteHeader(http.StatusNotFound); return true },
		"down":  func(_ string, w http.ResponseWriter) bool { w.WriteHeader(http.StatusBadGateway); return true },
		"html":  func(_ string, w http.ResponseWriter) bool { fmt.Fprint(w, "<html>sign in here"); return true },
		"broke": func(string, http.ResponseWriter) bool { panic(http.ErrAbortHandler) },
	} {
		p := newProxy(t)
		p.on = on
		got := dates(t, found("pkg:golang/a.b/c@v1.1.0", "2016-01-01"), Options{Source: source.Options{GoProxy: p.URL}, Baselines: []*baseline.Baseline{b}})
		if !strings.HasPrefix(got, "- -> v1.1.0 2016-01-01 baseline: only the versions of the baseline were looked at") || !strings.Contains(got, "[x.go undated pkg:golang/a.b/c: ") {
			t.Errorf("%s: %s", name, got)
		}
		if said, _, _ := strings.Cut(got, " ["); name == "down" && !strings.HasSuffix(said, "looked at: the registry answered 502") || !strings.Contains(got, p.URL) {
			t.Errorf("%s: %s; only the ledger has the address", name, got)
		}
	}
	got := dates(t, found("pkg:golang/a.b/c@v1.1.0", "2016-01-01"), Options{Source: source.Options{Offline: true}})
	same(t, "offline, and no file", got, "- -> v1.1.0 2016-01-01 baseline [x.go undated pkg:golang/a.b/c: its file is in no baseline: it was not dated before, and the network is switched off]")
}

// TestInterrupted: results from before a registry failed, or the user stopped the run, are not fetched again.
func TestInterrupted(t *testing.T) {
	rs := many(40, 17)
	rs[39].files["a.go"] = code
	b := baselineOf(t, "pkg:golang/a.b/c@v1.39.0", map[string]string{"a.go": code})
	want := "v1.16.0 " + rs[16].date + " -> v1.17.0 " + rs[17].date + " versions"
	for _, how := range []string{"broken", "cancelled"} {
		p := newProxy(t, rs...)
		o := Options{Source: source.Options{GoProxy: p.URL}, Store: t.TempDir(), Baselines: []*baseline.Baseline{b}, Now: now}
		ctx, cancel := context.WithCancel(t.Context())
		zips := 0
		p.on = func(path string, w http.ResponseWriter) bool {
			if zips++; strings.HasSuffix(path, ".zip") && zips > 6 {
				if how == "cancelled" {
					cancel()
				}
				w.WriteHeader(http.StatusInternalServerError)
				return true
			}
			return false
		}
		rep := found("pkg:golang/a.b/c@v1.39.0", rs[39].date)
		err := Date(ctx, rep, o)
		if cancelled := how == "cancelled"; cancelled != (err != nil) {
			t.Errorf("%s: %v", how, err)
		}
		first := p.downloads()
		p.on = nil
		same(t, how, dates(t, found("pkg:golang/a.b/c@v1.39.0", rs[39].date), o), want)
		if second := p.downloads(); first < 2 || first+second > MaxDownloads {
			t.Errorf("%s: %d downloads, then %d", how, first, second)
		}
		cancel()
	}
}

// TestDamagedStore: a damaged file of the store is noticed, and written again.
func TestDamagedStore(t *testing.T) {
	p := newProxy(t, many(10, 5)...)
	b := baselineOf(t, "pkg:golang/a.b/c@v1.9.0", map[string]string{"a.go": code})
	o := Options{Source: source.Options{GoProxy: p.URL}, Store: t.TempDir(), Baselines: []*baseline.Baseline{b}}
	want := dates(t, found("pkg:golang/a.b/c@v1.9.0", "2015-10-01"), o)
	p.downloads()
	files := 0
	must(t, filepath.WalkDir(o.Store, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
			data, _ := os.ReadFile(path)
			return os.WriteFile(path, bytes.Replace(data, []byte("v1.5.0"), []byte("v1.3.0"), 1), 0o666)
		}
		return err
	}))
	same(t, "again", dates(t, found("pkg:golang/a.b/c@v1.9.0", "2015-10-01"), o), want)
	if p.downloads() == 0 || files != 1 {
		t.Errorf("a damaged store was believed (%d files)", files)
	}
}

// TestBaselineOnly: packages that no registry has are dated by the versions of the baseline.
func TestBaselineOnly(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, "pkg:generic/c@1.0", "2015-01-01", map[string]string{"a.go": another})
	add(t, dir, "pkg:generic/c@1.1", "2016-01-01", map[string]string{"b.go": code + "\nvar b = 1\n"})
	add(t, dir, "pkg:generic/c@1.2", "2017-01-01", map[string]string{"a.go": code})
	got := dates(t, found("pkg:generic/c@1.2", "2017-01-01"), Options{Baselines: []*baseline.Baseline{open(t, dir)}})
	same(t, "generic", got, "1.0 2015-01-01 -> 1.1 2016-01-01 baseline: no registry can be asked for it: only the versions of the baseline were looked at")
}

// TestTogether: several findings of one package share its downloads.
func TestTogether(t *testing.T) {
	rs := many(60, 30)
	other := strings.NewReplacer("merge", "zip", "left", "first", "right", "second", "out", "both").Replace(code)
	for i := 10; i < 60; i++ {
		rs[i].files["other.go"] = other
	}
	rs[59].files["a.go"] = code
	p := newProxy(t, rs...)
	rep := found("pkg:golang/a.b/c@v1.59.0", rs[59].date)
	second := found("pkg:golang/a.b/c@v1.59.0", rs[59].date).Findings[0]
	sum := sha256.Sum256([]byte(other))
	second.Origins[0].SHA256, second.Origins[0].Path = hex.EncodeToString(sum[:]), "other.go"
	rep.Findings = append(rep.Findings, second)
	dates(t, rep, Options{Source: source.Options{GoProxy: p.URL}})
	if n := p.downloads(); n > MaxDownloads {
		t.Errorf("%d downloads", n)
	}
	for i, enters := range []int{30, 10} {
		f := rep.Findings[i].Origins[0].First
		if f.Absent == nil || f.Absent.Time.After(day(rs[enters-1].date)) || f.Present.Time.Before(day(rs[enters].date)) {
			t.Errorf("finding %d: %s -> %s", i, point(f.Absent), point(f.Present))
		}
	}
}

func day(s string) time.Time {
	at, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return at
}

// TestNPM: an npm tarball that differs from the registry's announcement is ignored.
func TestNPM(t *testing.T) {
	p := newProxy(t)
	versions, times := map[string]any{}, map[string]string{}
	for i, text := range []string{"", "", code, code} {
		v := fmt.Sprintf("1.%d.0", i)
		tgz := zipped(t, "package/", map[string]string{"a.go": text})
		sum := sha512.Sum512([]byte(tgz))
		if i == 1 {
			sum[0]++
		}
		p.docs["/c-"+v+".tgz"] = tgz
		versions[v] = map[string]any{"version": v, "dist": map[string]string{"tarball": p.URL + "/c-" + v + ".tgz", "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}}
		times[v] = fmt.Sprintf("201%d-01-01T00:00:00.000Z", i)
	}
	doc, err := json.Marshal(map[string]any{"name": "c", "versions": versions, "time": times})
	must(t, err)
	p.docs["/c"] = string(doc)
	b := baselineOf(t, "pkg:npm/c@1.3.0", map[string]string{"a.go": code})
	got := dates(t, found("pkg:npm/c@1.3.0", "2013-01-01"), Options{Source: source.Options{NPMRegistry: p.URL}, Baselines: []*baseline.Baseline{b}})
	same(t, "npm", got, "1.0.0 2010-01-01 -> 1.2.0 2012-01-01 versions: 1 version could not be read, 1.1.0 among them")
}

// TestHostileReport: unreadable parts of a report, which may come from anybody, do no harm.
func TestHostileReport(t *testing.T) {
	rep := found("pkg:golang/a.b/c@v1.1.0", "")
	o := &rep.Findings[0].Origins[0]
	b := baselineOf(t, "pkg:golang/a.b/c@v1.1.0", map[string]string{"a.go": code})
	rep.Findings[0].Runs[0] = finding.Run{OriginStartLine: 1 << 60, OriginStartColumn: 1 << 60, OriginEndLine: -5}
	rep.Findings[0].Origins = append(rep.Findings[0].Origins, *o, *o, *o)
	rep.Findings[0].Origins[1].SHA256, rep.Findings[0].Origins[1].PURL = "zz", "no purl"
	rep.Findings[0].Origins[2].StartLine = -7
	rep.Findings[0].Origins[3].PURL = "pkg:npm/..%2f..%2fetc@1"
	got := dates(t, rep, Options{Source: source.Options{Offline: true}, Baselines: []*baseline.Baseline{b}})
	if !strings.Contains(got, "its lines hold no tokens") || len(rep.Ledger) != 4 {
		t.Error(got)
	}
}

// TestRealModule uses real versions of golang.org/x/mod, to which pseudo-versions were added in 2021.
func TestRealModule(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the network")
	}
	pkgs, err := source.Open(t.Context(), "pkg:golang/golang.org/x/mod@v0.17.0", source.Options{})
	if err != nil {
		t.Skipf("not reachable: %v", err)
	}
	dir := t.TempDir()
	w, err := baseline.OpenWriter(t.Context(), dir, baseline.Defaults)
	must(t, err)
	_, err = w.Add(t.Context(), pkgs, baseline.AddOptions{Workers: 1})
	must(t, err)
	must(t, w.Close())
	rep := found(pkgs[0].PURL, pkgs[0].Released.Format(time.DateOnly))
	must(t, pkgs[0].Walk(t.Context(), source.Limits{}, func(path string, data []byte) error {
		if path == "module/pseudo.go" {
			sum := sha256.Sum256(data)
			rep.Findings[0].Origins[0].SHA256 = hex.EncodeToString(sum[:])
			rep.Findings[0].Runs[0] = finding.Run{OriginStartLine: 30, OriginStartColumn: 1, OriginEndLine: 100, OriginEndColumn: 1}
		}
		return nil
	}, nil))
	o := Options{Baselines: []*baseline.Baseline{open(t, dir)}, Store: t.TempDir()}
	o.Source.Sums = source.NewSums(t.Context(), "", "", o.Source)
	got := dates(t, rep, o)
	i := rep.Findings[0].Origins[0].First
	if i.Absent == nil || i.Present == nil || !i.Present.Time.After(day("2021-01-01")) || !i.Present.Time.Before(day("2023-01-01")) {
		t.Error(got)
	}
}

package origindates

import (
	"archive/tar"
	"bytes"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// tarred returns an archive with one file of a date.
func tarred(t *testing.T, text string, made time.Time) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(t, w.WriteHeader(&tar.Header{Name: "package/a.go", Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg, ModTime: made}))
	_, err := w.Write([]byte(text))
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

// TestCopiesDated: a registry that copied all versions has the dates of the copies, in any order. The dates of the files in the
// archives count instead, except those of a tool.
func TestCopiesDated(t *testing.T) {
	for name, c := range map[string]struct {
		made func(i int) time.Time
		want string
	}{
		"files have dates": {func(i int) time.Time { return day("2013-01-15").AddDate(0, i, 0) },
			"1.0.2 2013-03-15 -> 1.0.3 2013-04-15 versions: dated by the files in its archives: the registry dates copies"},
		"files have a tool's date": {func(int) time.Time { return day("1985-10-26") }, "- -> 1.0.5 2024-02-01 versions: 1.0.2 has a lower number, but not an earlier date"},
	} {
		p := newProxy(t)
		versions, times := map[string]any{}, map[string]string{}
		for i, text := range []string{"package a\n", "package a\n\n", "package a\n\n\n", code, code, code} {
			v := fmt.Sprintf("1.0.%d", i)
			data := tarred(t, text, c.made(i))
			sum := sha512.Sum512(data)
			p.docs["/c-"+v+".tgz"] = string(data)
			versions[v] = map[string]any{"version": v, "dist": map[string]string{"tarball": p.URL + "/c-" + v + ".tgz", "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}}
			times[v] = day("2024-07-01").AddDate(0, -i, 0).Format(time.RFC3339)
		}
		doc, err := json.Marshal(map[string]any{"name": "c", "versions": versions, "time": times})
		must(t, err)
		p.docs["/c"] = string(doc)
		b := baselineOf(t, "pkg:npm/c@1.0.5", map[string]string{"a.go": code})
		same(t, name, dates(t, found("pkg:npm/c@1.0.5", "2024-02-01"), Options{Source: source.Options{NPMRegistry: p.URL}, Baselines: []*baseline.Baseline{b}}), c.want)
	}
}

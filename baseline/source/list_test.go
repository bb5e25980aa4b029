package source

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReadList(t *testing.T) {
	got, err := ReadList("x", strings.NewReader("# sources\n\nzlib.tgz\tpkg:generic/zlib@1.3.1\tZlib\t2024-01-22\r\npkg:npm/a@1\ndir\t\tMIT OR Apache-2.0\n"))
	must(t, err)
	day := time.Date(2024, 1, 22, 0, 0, 0, 0, time.UTC)
	same(t, "list", fmt.Sprint(got), fmt.Sprint([]Listed{{3, "zlib.tgz", "pkg:generic/zlib@1.3.1", "Zlib", day}, {4, "pkg:npm/a@1", "", "", time.Time{}}, {5, "dir", "", "MIT OR Apache-2.0", time.Time{}}}))
	for _, in := range []string{"a\tb", "\tpkg:npm/a", "a\t\t\t22.1.2024", "a\t\t\t\t", "a" + strings.Repeat("b", maxListLine)} {
		var bad *ListError
		if _, err := ReadList("x", strings.NewReader("ok\n"+in)); !errors.As(err, &bad) || bad.Line != 2 {
			t.Errorf("%.20q: got %v", in, err)
		}
	}
}

// The facts in a line override those of the source. A missing source keeps no other source out.
func TestOpenListed(t *testing.T) {
	dir := tree(t, map[string]string{"a/package.json": `{"name":"a","version":"1","license":"MIT"}`, "b/b.c": "b"})
	list := []Listed{{1, filepath.Join(dir, "a"), "", "ISC", time.Time{}}, {2, filepath.Join(dir, "gone"), "", "", time.Time{}}, {3, filepath.Join(dir, "b"), "pkg:generic/b@2", "", time.Unix(0, 0)}}
	var skipped []Skipped
	pkgs, err := OpenListed(t.Context(), list, Options{Skipped: func(s Skipped) { skipped = append(skipped, s) }})
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:npm/a@1", "pkg:generic/b@2"})
	same(t, "licence", pkgs[0].License, "ISC")
	same(t, "date", pkgs[1].Released, time.Unix(0, 0).UTC())
	same(t, "skipped", skipped, []Skipped{{filepath.Join(dir, "gone"), ReasonMissing, "line 2: no such file or directory", "", NoAnswer}})
}

package git

import (
	"context"
	"strings"
	"testing"
)

func TestDirAndStagedFiles(t *testing.T) {
	r := newRepo(t)
	if fs, err := r.open().Dir(context.Background(), "HEAD", ""); err != nil || len(fs) != 0 {
		t.Errorf("unborn: %v, %v", fs, err)
	}
	r.write("a/b/NOTICE", "1\n")
	r.write("a/b/x.c", "1\n")
	r.write("a/NOTICE", "1\n")
	r.write("z", "1\n")
	r.commit("one")
	r.write("a/c/NOTICE", "2\n")
	r.git("add", ".")
	repo := r.open()
	paths := func(fs []File, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range fs {
			out = append(out, f.Path)
		}
		return out
	}
	ctx := context.Background()
	equal(t, "root", paths(repo.Dir(ctx, "HEAD", "")), []string{"z"})
	equal(t, "below", paths(repo.Dir(ctx, "HEAD", "a/b")), []string{"a/b/NOTICE", "a/b/x.c"})
	equal(t, "not committed", paths(repo.Dir(ctx, "HEAD", "a/c")), nil)
	equal(t, "a file", paths(repo.Dir(ctx, "HEAD", "z")), nil)
	equal(t, "staged", paths(repo.StagedFiles(ctx, func(n string) bool { return strings.HasPrefix(n, "NOTICE") })), []string{"a/NOTICE", "a/b/NOTICE", "a/c/NOTICE"})
	if _, err := repo.Dir(ctx, "no-such", ""); err == nil {
		t.Error("unknown revision: no error")
	}
}

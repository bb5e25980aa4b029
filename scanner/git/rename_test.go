package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRenames(t *testing.T) {
	body := func(name string, n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "%s line %d\n", name, i)
		}
		return s.String()
	}
	r := newRepo(t)
	r.write("same", body("same", 5))
	r.write("edited", body("edited", 20))
	r.write("rewritten", body("rewritten", 20))
	r.write("twin/1", body("twin", 10))
	r.write("twin/2", body("twin", 10))
	r.write("stays", body("stays", 10))
	r.commit("one")
	for _, p := range []string{"same", "edited", "rewritten", "twin/1", "twin/2"} {
		os.Remove(filepath.Join(r.dir, p))
	}
	r.write("dir/same", body("same", 5))
	r.write("dir/edited", body("edited", 15)+"new\n")
	r.write("dir/rewritten", body("other", 20))
	r.write("dir/twin1", body("twin", 10))
	r.write("dir/twin2", body("twin", 9))
	r.write("dir/twin3", body("twin", 8))
	r.write("copy", body("stays", 10))
	r.git("add", "-A")
	want := []string{"A copy", "R edited > dir/edited", "A dir/rewritten", "R same > dir/same", "R twin/1 > dir/twin1",
		"R twin/2 > dir/twin2", "A dir/twin3"}
	changes, err := changesOf(r.open().Staged(context.Background(), nil))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "staged", changeList(changes), want)
	r.commit("two")
	_, _, changes, err = parts(r.open().Diff(context.Background(), "HEAD~..", nil))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "diff", changeList(changes), want)
}

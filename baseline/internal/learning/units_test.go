package learning

import (
	"path"
	"testing"
)

func TestDirOf(t *testing.T) {
	for _, file := range []string{"", "a", "/", "/a", "a/", "a/b", "a//b", "a/b/", "./a", "a/./b", "a/../b", "../a", "a/.git/b", "a./b", "a/b.c/d", "//a", "a/b//c/d", ".a/b"} {
		if got, want := dirOf(file), path.Dir(file); got != want || string(dirOf([]byte(file))) != want {
			t.Errorf("dirOf(%q) is %q, want %q", file, got, want)
		}
	}
}

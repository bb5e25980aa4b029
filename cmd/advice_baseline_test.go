package cmd

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/disk"
)

// The advice to remove a baseline is given only if the baseline is damaged for certain.
func TestUnreadableIsNotDamaged(t *testing.T) {
	file := func(op string, err error) error { return &os.PathError{Op: op, Path: "x.docs", Err: err} }
	for _, c := range []struct {
		cause error
		want  string
	}{
		{file("open", syscall.EMFILE), "hint: allow the program more open files"},
		{fmt.Errorf("open segment: %w", file("open", syscall.ENFILE)), "hint: allow the program more open files"},
		{file("open", syscall.EACCES), `hint: let this user read the files in "/b"`},
		{file("read", syscall.EIO), `hint: run "git-provenance baseline verify --baseline /b"`},
		{&disk.FaultError{Path: "x.fps", Size: 9, Now: 3}, "cut from 9 to 3 bytes"},
	} {
		var said strings.Builder
		p := &program{err: &said}
		p.complain(context.Background(), &baseline.ReadError{Path: "/b", Err: c.cause})
		if s := said.String(); !strings.Contains(s, c.want) || strings.Contains(s, "damaged") || strings.Contains(s, "remove") {
			t.Errorf("%v: %s", c.cause, s)
		}
	}
}

//go:build unix

package console

import (
	"bytes"
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestWhileRead: the context ends when the other end of a pipe or of a pair of sockets closes, and not before.
func TestWhileRead(t *testing.T) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	pipeReads, pipeWrites, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	for name, ends := range map[string][2]*os.File{"pipe": {pipeReads, pipeWrites}, "socket": {os.NewFile(uintptr(pair[0]), "a"), os.NewFile(uintptr(pair[1]), "b")}} {
		reads, writes := ends[0], ends[1]
		defer writes.Close()
		ctx, stop := WhileRead(t.Context(), writes)
		defer stop()
		if _, err := writes.WriteString("x"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * askEvery * time.Millisecond)
		if ctx.Err() != nil {
			t.Fatalf("%s: ended while somebody can read", name)
		}
		reads.Close()
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
			t.Errorf("%s: goes on without a reader", name)
		}
	}
}

// TestWhileReadElsewhere: files and buffers have no reader that can leave.
func TestWhileReadElsewhere(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.Writer{f, new(bytes.Buffer)} {
		ctx, stop := WhileRead(t.Context(), w)
		time.Sleep(2 * askEvery * time.Millisecond)
		if ctx.Err() != nil {
			t.Errorf("%T: ended", w)
		}
		if stop(); ctx.Err() == nil {
			t.Errorf("%T: not stopped", w)
		}
	}
	f.Close()
	ctx, stop := WhileRead(t.Context(), f) // closed: a write tells
	defer stop()
	if ctx.Err() != nil {
		t.Error("a closed file ended the context")
	}
}

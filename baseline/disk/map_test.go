package disk_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// mapped writes a file of some pages and maps it.
func mapped(t testing.TB) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, bytes.Repeat([]byte("0123456789abcdef"), 4096), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err = disk.Map(f, 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := disk.Unmap(data); err != nil {
			t.Error(err)
		}
	})
	return path, data
}

func sum(data []byte) (n int) {
	for _, b := range data {
		n += int(b)
	}
	return n
}

// sink keeps reads from being optimised away.
var sink int

func TestCutFileIsAnError(t *testing.T) {
	if !disk.Maps {
		t.Skip("files are read here")
	}
	path, data := mapped(t)
	same := bytes.Clone(data)
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(){
		"load":    func() { sink += sum(data) },
		"compare": func() { sink += bytes.Compare(data[8192:], same[8192:]) },
		"copy":    func() { sink += len(string(data)) + copy(same, data) },
		"index":   func() { sink += bytes.IndexByte(data, 0xff) },
		"crc":     func() { sink += int(crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))) },
		"sha":     func() { h := sha256.Sum256(data); sink += int(h[0]) },
	} {
		var fault *disk.FaultError
		err := disk.Guard(func() error { read(); return nil })
		if !errors.As(err, &fault) || *fault != (disk.FaultError{Path: path, Size: 1 << 16, Now: 100}) {
			t.Errorf("%s: %v", name, err)
		} else if !strings.Contains(err.Error(), "cut from 65536 to 100 bytes") {
			t.Errorf("%s: message %q", name, err)
		}
	}
	var inner error
	outer := disk.Guard(func() error {
		inner = disk.Guard(func() error { sink += sum(data); return nil })
		sink += sum(data) // the outer guard is still active
		return nil
	})
	if inner == nil || outer == nil {
		t.Errorf("nested: %v in %v", inner, outer)
	}
	os.Remove(path)
	if err := disk.Guard(func() error { sink += sum(data); return nil }); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("removed: %v", err)
	}
}

// A removed file stays readable, and the error of read is returned.
func TestGuardPassesOn(t *testing.T) {
	path, data := mapped(t)
	os.Remove(path)
	mine := errors.New("mine")
	if err := disk.Guard(func() error { sink += sum(data); return mine }); err != mine {
		t.Errorf("got %v", err)
	}
}

// Panics that do not concern a mapped file stay panics.
func TestGuardKeepsOtherPanics(t *testing.T) {
	for name, fail := range map[string]func(){
		"own":   func() { panic("mine") },
		"nil":   func() { var p *int; *p = 1 },
		"index": func() { var s []int; _ = s[len(os.Args)] },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			err := disk.Guard(func() error { fail(); return nil })
			t.Errorf("%s: returned %v", name, err)
		}()
	}
}

func BenchmarkGuard(b *testing.B) {
	_, data := mapped(b)
	for b.Loop() {
		disk.Guard(func() error { sink += int(data[0]); return nil })
	}
}

// A reader without an error result panics with the error; other panics continue.
func TestGuardReturnsFailures(t *testing.T) {
	want := errors.New("cannot be read")
	if err := disk.Guard(func() error { panic(disk.Failure{Err: want}) }); err != want {
		t.Errorf("failure: %v", err)
	}
	defer func() {
		if r := recover(); r != "else" {
			t.Errorf("another panic became %v", r)
		}
	}()
	disk.Guard(func() error { panic("else") })
}

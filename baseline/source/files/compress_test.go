package files

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// tarOf returns a tar with one file.
func tarOf(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "p/a.c", Size: 2, Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("1\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bz2 is a tar with p/a.c, packed by the program bzip2: Go can only unpack.
const bz2 = "QlpoOTFBWSZTWZIyr4IAAHBbgMmQQAH3AAAIaABeAAgIIABUMoGkabQRoegkkmEZHqGmgfXqQQgpEEIybD0HrOaBDA8DrDyuyJMEePIe2VQaRHDX/vSszcEkDYu5IpwoSEkZV8EA"

// packed returns the tar in every compression.
func packed(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	var b bytes.Buffer
	x, err := xz.NewWriter(&b)
	if err == nil {
		_, err = x.Write(tarOf(t))
	}
	if err == nil {
		err = x.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	out["xz"] = b.Bytes()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	out["zstd"] = z.EncodeAll(tarOf(t), nil)
	raw, err := base64.StdEncoding.DecodeString(bz2)
	if err != nil {
		t.Fatal(err)
	}
	out["bzip2"] = raw
	return out
}

func walkAll(t testing.TB, data []byte) (string, error) {
	var got strings.Builder
	err := WalkArchive(t.Context(), Blob{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, "x", Form{Strip: true}, &Visit{
		Limits:  Limits{TotalBytes: 1 << 20, FileBytes: 1 << 16}.WithDefaults(),
		File:    func(path string, data []byte) error { fmt.Fprintf(&got, "%s %q\n", path, data); return nil },
		Skipped: func(path, reason, _ string) { fmt.Fprintln(&got, path, reason) },
	})
	return got.String(), err
}

// A tar is read in every compression. If it is cut anywhere or any byte is changed, the result is an error or the same.
func TestCompressions(t *testing.T) {
	for name, data := range packed(t) {
		if k, err := Kind(bytes.NewReader(data)); k != name || err != nil {
			t.Errorf("%s is taken for %q, %v", name, k, err)
		}
		if got, err := walkAll(t, data); err != nil || got != "a.c \"1\\n\"\n" {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
		for n := range len(data) - 1 {
			if got, err := walkAll(t, data[:n]); err == nil {
				t.Errorf("%s cut at %d of %d: got %q", name, n, len(data), got)
			}
			bad := bytes.Clone(data)
			bad[n] ^= 0x10
			if got, err := walkAll(t, bad); err == nil && got != "a.c \"1\\n\"\n" {
				t.Errorf("%s changed at %d: got %q", name, n, got)
			}
		}
	}
}

// A block that asks for gigabytes is refused before anything is allocated.
func TestWindow(t *testing.T) {
	data := packed(t)["xz"]
	if w, ok := blockWindow(data[12:]); !ok || w != 8<<20 {
		t.Fatalf("window %d, %v", w, ok)
	}
	n := (int(data[12]) + 1) * 4
	i := bytes.LastIndex(data[12:12+n-4], []byte{0x21, 1})
	data[12+i+2] = 40
	binary.LittleEndian.PutUint32(data[12+n-4:], crc32.ChecksumIEEE(data[12:12+n-4]))
	if _, err := walkAll(t, data); !errors.Is(err, errWindow) {
		t.Errorf("got %v", err)
	}
	if _, err := walkAll(t, append(packed(t)["xz"], data...)); !errors.Is(err, errWindow) {
		t.Errorf("in a second stream: got %v", err)
	}
}

// Input that unpacks to more than its limit is refused.
func TestCompressedBomb(t *testing.T) {
	var b bytes.Buffer
	x, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Write(make([]byte, 4<<20)); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	head := tarOf(t)[:1024]
	for name, data := range map[string][]byte{"xz": b.Bytes(), "zstd": z.EncodeAll(append(head, make([]byte, 4<<20)...), nil)} {
		var limit *LimitError
		if got, err := walkAll(t, data); !errors.As(err, &limit) && got != "" {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// FuzzCompressed reads any input as each compression: no panic, no more than the limits.
func FuzzCompressed(f *testing.F) {
	for _, data := range packed(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err1 := walkAll(t, data)
		second, err2 := walkAll(t, data)
		if first != second || (err1 == nil) != (err2 == nil) || len(first) > 8<<20 {
			t.Fatalf("%q, %v, then %q, %v", first, err1, second, err2)
		}
	})
}

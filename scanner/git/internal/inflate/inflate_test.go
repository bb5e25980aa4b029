package inflate

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	library "hash/adler32"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	klauspost "github.com/klauspost/compress/zlib"
)

func zlibbed(t testing.TB, b []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(b)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// samples are contents of every kind of code: skewed, flat, repeated, long.
func samples() map[string][]byte {
	rng := rand.New(rand.NewPCG(3, 4))
	noise, skewed := make([]byte, 100<<10), make([]byte, 200<<10)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	for i := range skewed { // codes up to the greatest length
		skewed[i] = byte(min(rng.ExpFloat64()*3, 255))
	}
	return map[string][]byte{
		"empty": {}, "one byte": {7}, "text": []byte(strings.Repeat("func main() { println(1) }\n", 500)),
		"zeros": make([]byte, 300<<10), "noise": noise, "skewed": skewed, "mixed": bytes.Join([][]byte{noise[:5000], skewed[:90000], noise[:5000]}, []byte("between")),
	}
}

func TestInflate(t *testing.T) {
	var f Inflater
	for name, want := range samples() {
		for level := zlib.HuffmanOnly; level <= 9; level++ {
			b := zlibbed(t, want, level)
			got := make([]byte, len(want), len(want)+level+2)
			if err := f.Inflate(got, append(b, "behind it"...), false); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s at level %d: %v", name, level, err)
			}
			if len(want) == 0 {
				continue
			}
			head := make([]byte, (len(want)+2)/3)
			if err := f.Inflate(head, b, true); err != nil || !bytes.Equal(head, want[:len(head)]) {
				t.Errorf("head of %s at level %d: %v", name, level, err)
			}
			if err := f.Inflate(head, b, false); err != ErrTooLong && len(head) < len(want) {
				t.Errorf("%s at level %d into too little: %v", name, level, err)
			}
			if err := f.Inflate(make([]byte, len(want)+1), b, false); err != ErrTooShort {
				t.Errorf("%s at level %d into too much: %v", name, level, err)
			}
			for _, n := range []int{0, 1, 2, len(b) / 2, len(b) - 4, len(b) - 1} {
				if err := f.Inflate(got, b[:n], false); err != ErrTruncated {
					t.Errorf("%s at level %d cut to %d of %d: %v", name, level, n, len(b), err)
				}
			}
			b[len(b)-1] ^= 1
			if err := f.Inflate(got, b, false); err != ErrChecksum {
				t.Errorf("%s at level %d with another checksum: %v", name, level, err)
			}
		}
	}
}

// FuzzInflate compares the inflater with the library's: both accept the same data,
// with the same result.
func FuzzInflate(f *testing.F) {
	for _, b := range samples() {
		for _, level := range []int{zlib.HuffmanOnly, 0, 1, 6} {
			f.Add(zlibbed(f, b[:min(len(b), 3000)], level), uint32(len(b)))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, size uint32) {
		var inf Inflater
		want := []byte(nil)
		r, err := klauspost.NewReader(bytes.NewReader(b))
		if err == nil {
			want, err = io.ReadAll(io.LimitReader(r, 1<<20))
		}
		if len(want) == 1<<20 {
			return
		}
		n := len(want)
		if err != nil {
			n = int(size % (1 << 20))
		}
		memory := bytes.Repeat([]byte{0xa5}, n+32)
		room := n + int(size>>20)%17 // with less than the Slack, with all of it, with more
		got := memory[:n:room]
		mine := inf.Inflate(got, b, false)
		if guard := memory[room:]; bytes.Count(guard, []byte{0xa5}) != len(guard) {
			t.Fatal("wrote behind its memory")
		}
		if err == nil && (mine != nil || !bytes.Equal(got, want)) {
			t.Fatalf("refused: %v", mine)
		}
		if err != nil && mine == nil {
			t.Fatalf("accepted what the library refuses: %v", err)
		}
	})
}

// FuzzDeflated does the same behind the checksum, which hardly any change of a
// stream leaves right: the bytes are deflated data whose checksum is made to fit.
func FuzzDeflated(f *testing.F) {
	for _, b := range samples() {
		for _, level := range []int{zlib.HuffmanOnly, 0, 1, 6} {
			z := zlibbed(f, b[:min(len(b), 3000)], level)
			f.Add(z[2:len(z)-4], uint16(len(b)))
		}
	}
	f.Add([]byte{0x4b, 0x4c, 0x4c, 0x4c, 0x04, 0x00}, uint16(0)) // fixed codes
	var inf Inflater                                             // used again and again, as a reader's is
	f.Fuzz(func(t *testing.T, b []byte, size uint16) {
		src := bytes.NewReader(b)
		want, err := io.ReadAll(io.LimitReader(flate.NewReader(src), 1<<18))
		if len(want) == 1<<18 {
			return
		}
		if err != nil {
			for _, n := range []int{len(want), int(size)} {
				if inf.Inflate(make([]byte, n, n+int(size)%40), append([]byte{0x78, 0x9c}, b...), false) == nil {
					t.Fatalf("accepted what the library refuses: %v", err)
				}
			}
			return
		}
		z := append([]byte{0x78, 0x9c}, b[:len(b)-src.Len()]...)
		z = binary.BigEndian.AppendUint32(z, library.Checksum(want))
		for _, behind := range []int{0, 5, 40} { // near the end of the data and far from it
			memory := bytes.Repeat([]byte{0xa5}, len(want)+64)
			room := len(want) + int(size)%40
			got := memory[:len(want):room]
			if err := inf.Inflate(got, append(slices.Clone(z), make([]byte, behind)...), false); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes with %d behind: %v", len(want), behind, err)
			}
			if guard := memory[room:]; bytes.Count(guard, []byte{0xa5}) != len(guard) {
				t.Fatal("wrote behind its memory")
			}
			head := make([]byte, int(size)%(len(want)+1))
			if err := inf.Inflate(head, z, true); err != nil || !bytes.Equal(head, want[:len(head)]) {
				t.Fatalf("head of %d bytes of %d: %v", len(head), len(want), err)
			}
		}
	})
}

func BenchmarkInflate(b *testing.B) {
	src := zlibbed(b, []byte(strings.Repeat("func main() { println(1) }\nif err != nil { return fmt.Errorf(\"x\") }\n", 200)), 6)
	text := samples()["mixed"]
	for _, c := range []struct {
		name     string
		src, dst []byte
	}{{"text", src, make([]byte, 200*67)}, {"mixed", zlibbed(b, text, 6), make([]byte, len(text))}} {
		b.Run(c.name, func(b *testing.B) {
			var f Inflater
			b.SetBytes(int64(len(c.dst)))
			for b.Loop() {
				if err := f.Inflate(c.dst, c.src, false); err != nil && err != ErrTooShort && err != ErrTooLong {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestAdler: every length around the chunks, and bytes that make the sums as
// large as they get.
func TestAdler(t *testing.T) {
	b := bytes.Repeat([]byte{0xff}, 1<<20)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2 {
		for n := range 4 * adlerChunk {
			if got, want := adler32(b[:n]), library.Checksum(b[:n]); got != want {
				t.Fatalf("%d bytes: %x, not %x", n, got, want)
			}
		}
		if adler32(b) != library.Checksum(b) {
			t.Fatal("long")
		}
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
	}
}

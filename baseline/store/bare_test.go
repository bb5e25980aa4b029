package store

import (
	"bytes"
	"cmp"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// bareOf makes a document bare and reads it again.
func bareOf(t testing.TB, text []byte, toks []lang.Token, notice func([]byte) bool) (r *Reader, d Document, left []byte) {
	t.Helper()
	enc, err := encoder()
	if err != nil {
		t.Fatal(err)
	}
	index, lines, line := lang.Lines(text), make([]uint32, len(toks)), 1
	for i, tok := range toks {
		line = index.From(line, tok.Start)
		lines[i] = uint32(line)
	}
	e := enc.Bare(enc.Entry(Content{Hash: Sum(text), Language: "text", Text: text, Tokens: toks, Lines: index}), text, toks, lines, notice)
	r, d = alone(t, &e)
	if left, err = r.Text(d); err != nil {
		t.Fatal(err)
	}
	return r, d, left
}

func never([]byte) bool { return false }

// Comments are blank; everything else is at its old position, and notices are unchanged.
func TestBare(t *testing.T) {
	text := "// Copyright 2020 Ada\n\n// Package p.\npackage p // for all\n\n/* of\ntwo */ func f(a int)  { return `x\ny` + a }\r\n\t// no\n\n  var b = a; // so\n"
	toks, err := goTokens(text)
	if err != nil {
		t.Fatal(err)
	}
	want := "                     \n\n             \npackage p           \n\n     \n       func f(a int)  { return `x\ny` + a } \n      \n\n  var b = a;      \n"
	_, d, left := bareOf(t, []byte(text), toks, never)
	if got := lineUp(string(left)); got != lineUp(want) || len(left) != len(text) || !d.Bare {
		t.Errorf("left is\n%q, want\n%q", got, lineUp(want))
	}
	checkPlaces(t, []byte(text), left, toks)
	_, _, left = bareOf(t, []byte(text), toks, func(b []byte) bool { return bytes.Contains(b, []byte("Copyright")) })
	if head := "// Copyright 2020 Ada\n\n// Package p.\npackage p\n\n"; string(left[:len(head)]) != head {
		t.Errorf("with its notice it begins with %q", left[:len(head)])
	}
	checkPlaces(t, []byte(text), left, toks)
}

// lineUp removes blanks at the ends of lines and unifies their kinds.
func lineUp(s string) string {
	lines := bytes.Split([]byte(s), []byte{'\n'})
	for i, l := range lines {
		lines[i] = bytes.TrimRight(l, " ")
	}
	return string(bytes.Join(lines, []byte{'\n'}))
}

func goTokens(text string) ([]lang.Token, error) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(lang.ByName("go"), []byte(text))
	return slices.Clone(s.Tokens), err
}

// checkPlaces compares each token with the text that it is from: its content, its line and, if its line begins with it,
// its column in bytes.
func checkPlaces(t testing.TB, text, left []byte, toks []lang.Token) {
	t.Helper()
	if len(left) != len(text) || bytes.Count(left, []byte{'\n'}) != bytes.Count(text, []byte{'\n'}) {
		t.Fatalf("%d bytes, %d lines of %d, %d", len(left), bytes.Count(left, []byte{'\n'}), len(text), bytes.Count(text, []byte{'\n'}))
	}
	was, is := lang.Lines(text), lang.Lines(left)
	for i, tok := range toks {
		if !bytes.Equal(left[tok.Start:tok.End], text[tok.Start:tok.End]) || was.Line(tok.Start) != is.Line(tok.Start) {
			t.Fatalf("token %d is %q on line %d, want %q on %d", i, left[tok.Start:tok.End], is.Line(tok.Start), text[tok.Start:tok.End], was.Line(tok.Start))
		}
		if a, b := bytes.LastIndexByte(text[:tok.Start], '\n'), bytes.LastIndexByte(left[:tok.Start], '\n'); a != b {
			t.Fatalf("the line of token %d begins at %d, want %d", i, b+1, a+1)
		}
	}
}

// Even if tokens enclose others, each is at its old position.
func TestBareRandom(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		text := make([]byte, 600)
		for i := range text {
			text[i] = "ab \n\r\t\xff"[dice.IntN(7)]
		}
		toks := randomTokens(dice, len(text))
		slices.SortStableFunc(toks, func(a, b lang.Token) int { return cmp.Compare(a.Start, b.Start) })
		_, _, left := bareOf(t, text, toks, func([]byte) bool { return dice.IntN(3) == 0 })
		checkPlaces(t, text, left, toks)
	}
}

// A file with a bare document says so in its header, and is sound. Damage is noticed.
func TestBareFile(t *testing.T) {
	text := []byte("package p // all\n\nfunc f() int { return 1 }\n")
	toks, err := goTokens(string(text))
	if err != nil {
		t.Fatal(err)
	}
	r, d, left := bareOf(t, text, toks, never)
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	if n, err := r.Bare(); n != 1 || err != nil {
		t.Errorf("%d bare documents, %v", n, err)
	}
	b := read(t, r.path)
	if string(b[:8]) != magicBare {
		t.Errorf("it begins with %q", b[:8])
	}
	e, err := r.Entry(0)
	if err != nil {
		t.Fatal(err)
	}
	copied, again := alone(t, e)
	if got, err := copied.Text(again); err != nil || !bytes.Equal(got, left) || !again.Bare {
		t.Errorf("copied: %q, %v", got, err)
	}
	for at := d.textOff; at < d.textOff+uint64(d.textLen); at++ {
		c := bytes.Clone(b)
		c[at] ^= 1
		path := filepath.Join(t.TempDir(), "c.docs")
		if err := os.WriteFile(path, c, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := open(t, path).Text(d); err == nil && !bytes.Equal(got, left) {
			t.Fatalf("byte %d: %q", at, got)
		}
	}
	copy(b, magic) // a record that an earlier program would not have written
	reseal(b)
	path := filepath.Join(t.TempDir(), "d.docs")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	if _, err := open(t, path).Doc(0); !errors.As(err, &corrupt) {
		t.Errorf("a bare document in a file of version 5: %v", err)
	}
}

func FuzzBare(f *testing.F) {
	f.Add([]byte{2, 'a', 0, 1, 0, 5, 'x', 'y'}, uint64(1))
	f.Add([]byte{0, 0, 9, 3, 1, 200}, uint64(2))
	f.Fuzz(func(t *testing.T, blob []byte, seed uint64) {
		dice := rand.New(rand.NewPCG(seed, 7))
		const size = 300
		toks := randomTokens(dice, size)
		lines := make([]uint32, len(toks))
		for i := range lines {
			lines[i] = dice.Uint32N(40)
		}
		if text, err := fill(blob, toks, lines, size); err == nil && len(text) != size {
			t.Fatalf("%d bytes of %d", len(text), size)
		}
	})
}

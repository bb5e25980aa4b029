package lang

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/lang/internal/lex"
	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// fuzzed is the longest input that is tried: longer ones find nothing more and are slow.
const fuzzed = 768

// ordered says whether tokens are in order, none empty, all within n bytes.
func ordered(tokens []Token, n int) bool {
	at := uint32(0)
	for _, k := range tokens {
		if k.Start < at || k.End <= k.Start || int(k.End) > n {
			return false
		}
		at = k.End
	}
	return true
}

// samples are the documents of langtest by language.
func samples(t testing.TB) map[string][]byte {
	out := map[string][]byte{}
	paths, err := filepath.Glob(filepath.Join("langtest", "testdata", "*.*"))
	if err != nil || len(paths) < len(table) {
		t.Fatalf("samples: %q, %v", paths, err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if out[strings.TrimSuffix(name, filepath.Ext(name))], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// pieces cuts text into words, blanks and single signs.
func pieces(src []byte) [][]byte {
	class := func(c byte) int {
		switch {
		case c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z':
			return 1
		case c == ' ' || c == '\t':
			return 2
		}
		return 0
	}
	var out [][]byte
	for i := 0; i < len(src); {
		j := i + 1
		for j < len(src) && class(src[i]) > 0 && class(src[j]) == class(src[i]) {
			j++
		}
		out = append(out, src[i:j])
		i = j
	}
	return out
}

// openings begin and end what scanners and lexers look ahead for.
var openings = []string{
	"\"", "'", "`", "\"\"\"", "'''", "/*", "*/", "//", "#", "\\", "\\\n", "\n", "\r\n", "\n\n", "${", "#{", "{", "}", "(", ")", "[", "]", "<", ">", "<<", ">>", "&&", "?", "?.", ":", "::", ";", ",", ".", "..", "...",
	"=", "==", "=>", "->", "+", "++", "-", "!", "@", "$", "%", "~", "0", "0x", "1e", "1.", "_", "\u6f22", "<<A\n", "<<<A\n", "A\n", "r#\"", "\"#", "f\"", "$\"", "R\"(", ")\"", "b'", "u8\"", "<a>", "</a>", "<?php ", "?>", "/=/", "1'0", "{{", "}}", "#if A\n", "#endif\n", "@interface ", "in ", "as ",
}

// mutated is a part of a sample, changed as the program says: two bytes choose the
// lines, each three that follow an edit.
func mutated(sample, program []byte) []byte {
	if len(program) < 2 {
		return nil
	}
	lines := bytes.SplitAfter(sample, []byte("\n"))
	from := int(program[0]) % len(lines)
	all := pieces(sample)
	text := slices.Clone(pieces(bytes.Join(lines[from:min(len(lines), from+1+int(program[1])%24)], nil)))
	for p := program[2:]; len(p) >= 3 && len(text) > 0; p = p[3:] {
		at := (int(p[1]) | int(p[0]&0xf0)<<4) % len(text)
		switch p[0] & 0xf % 6 {
		case 0:
			text = slices.Delete(text, at, at+1)
		case 1:
			text = slices.Insert(text, at, text[int(p[2])%len(text)])
		case 2:
			other := int(p[2]) % len(text)
			text[at], text[other] = text[other], text[at]
		case 3:
			text[at] = all[(int(p[2])*7)%len(all)]
		case 4:
			text = slices.Insert(text, at, []byte(openings[int(p[2])%len(openings)]))
		case 5:
			text = text[:at]
		}
	}
	out := bytes.Join(text, nil)
	return out[:min(len(out), 2*fuzzed)]
}

func programs(f *testing.F) {
	for i := range table {
		for _, p := range [][]byte{{0, 23}, {20, 23, 4, 9, 0}, {40, 12, 0, 3, 0, 4, 7, 9, 2, 1, 9}, {10, 8, 3, 4, 5, 4, 20, 37}, {60, 23, 1, 1, 1}} {
			f.Add(uint8(i), p)
		}
	}
}

// A lexer neither panics nor leaves the text, and reads the same with a used buffer.
func FuzzLexers(f *testing.F) {
	var lexers []lex.Func
	for _, s := range table {
		if s.lexer != nil {
			lexers = append(lexers, s.lexer)
		}
	}
	for i, s := range []string{"", "a := 1 /* b", "\"", "'\\", "f\"{a!r:>{b}}\"", "`${`", "/[/]/g", "#define A \\\n b", "<a b={c}>d</a>", "R\"x(\")x\"", "0x", "\"\"\"a", "macro_rules! a{($($b:c),*)=>{'d}}", "r#\"/*\"#", "$\"{a:b}\"", "$$\"\"\"{{a}}\"\"\"", "#region a // b", "\"\"\"$a ${b}", "a@b ?: c !is d", "<?php \"$a[0] {$b}\" ?> c", "<<<A\n$b\nA;"} {
		f.Add(uint8(i), []byte(s))
	}
	var used []Token
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		if len(src) > fuzzed {
			return
		}
		read := lexers[int(which)%len(lexers)]
		tokens, ok := read(nil, src)
		if ok && !ordered(tokens, len(src)) {
			t.Fatalf("lexer %d: %v of %q", int(which)%len(lexers), tokens, src)
		}
		again, okAgain := read(used[:0], src)
		if used = again; ok != okAgain || ok && !slices.Equal(tokens, again) {
			t.Fatalf("lexer %d: %v, then %v of %q", int(which)%len(lexers), tokens, again, src)
		}
	})
}

// vocabulary is what a sample has to exchange without making it invalid: whole
// declarations, and words of one beginning for each other.
type vocabulary struct {
	parts [][]byte // each is code by itself
	words map[byte][][]byte
}

func vocabularyOf(t testing.TB, z *Tokenizer, l *Language, sample []byte) vocabulary {
	v := vocabulary{words: map[byte][][]byte{}}
	s, err := z.Tokenize(l, sample)
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]bool{} // what is a name there may be a type elsewhere
	for _, k := range s.Tokens {
		if k.Flags&FlagImport != 0 {
			imported[string(sample[k.Start:k.End])] = true
		}
	}
	for _, k := range s.Tokens {
		if text := sample[k.Start:k.End]; k.Class == Identifier && !imported[string(text)] {
			v.words[initial(text)] = append(v.words[initial(text)], bytes.Clone(text))
		}
	}
	whole := func(src []byte) bool {
		s, err := z.tokenizeCode(l, src)
		return err == nil && s.Errors == 0
	}
	last := 0
	for i := 1; i <= len(sample); i++ {
		starts := i == len(sample) || sample[i-1] == '\n' && sample[i] > ' ' && sample[i] != '}'
		if starts && whole(sample[last:i]) && whole(sample[i:]) {
			v.parts = append(v.parts, sample[last:i])
			last = i
		}
	}
	return v
}

// initial is the class of a word by its first byte: letters are alike.
func initial(word []byte) byte {
	if c := word[0]; c != '_' && ('a' > c|0x20 || c|0x20 > 'z') {
		return c
	}
	return 'a'
}

// varied is some parts of a sample with other words: as valid as the sample is.
func (v vocabulary) varied(program []byte) []byte {
	var out []byte
	for p := program; len(p) >= 3 && len(out) < fuzzed; p = p[3:] {
		for i, n := range pieces(v.parts[int(p[0])%len(v.parts)]) {
			other := v.words[initial(n)]
			same := func(w []byte) bool { return bytes.Equal(w, n) }
			if j := int(p[1]) + i*int(p[2]); p[1] > 0 && j%3 == 0 && slices.ContainsFunc(other, same) {
				n = other[j%len(other)]
			}
			out = append(out, n...)
		}
	}
	return out
}

// A lexer reads code without syntax errors like the grammar. The inputs are code with other words and lines: a grammar
// may accept text that is not code and read it in its own way.
func FuzzLexersAgree(f *testing.F) {
	grammars(f)
	all, limits := map[*Language]vocabulary{}, sitter.Limits{ArenaBytes: 16 << 20, Ops: 1 << 14, Tokens: 1 << 16, Timeout: time.Hour}
	z := NewTokenizer(Limits{})
	z.start()
	for name, sample := range samples(f) {
		if l := ByName(name); l.grammar != nil && l.spec.lexer != nil {
			all[l] = vocabularyOf(f, z, l, sample)
		}
	}
	programs(f)
	f.Fuzz(func(t *testing.T, which uint8, program []byte) {
		l := languages()[int(which)%len(table)]
		v, ok := all[l]
		if !ok || len(program) > 40 {
			return
		}
		src := v.varied(program)
		lexed, ok := l.spec.lexer(nil, src)
		if !ok {
			return
		}
		text, skip := z.withPrefix(l, src)
		parsed, broken, err := z.runner.Run(l.grammar(), text, skip, limits)
		if err != nil || broken > 0 {
			return
		}
		want := reread(parsed)
		if l.spec.reserved != nil {
			l.spec.reserved.Settle(want, src)
		}
		if why := difference(src, lexed, want); why != "" {
			t.Fatalf("%s: %q: %s", l.Name, src, why)
		}
	})
}

func reread(tokens []sitter.Token) []Token {
	out := make([]Token, len(tokens))
	for i, k := range tokens {
		out[i] = Token{Start: k.Start, End: k.End, Kind: k.Kind, Class: Class(k.Class), Flags: Flags(k.Flags)}
	}
	return out
}

// FuzzGrammars gives bytes to a grammar, with a budget that may end anywhere:
// tokens are in order and in the text, and a second run has the same outcome.
func FuzzGrammars(f *testing.F) {
	grammars(f)
	for i := range table {
		for j, s := range slices.Concat(everyones[:12], scanners[table[i].grammar]) {
			f.Add(uint8(i), uint16(20+13*j), s.of(150))
		}
	}
	r := sitter.NewRunner()
	f.Fuzz(func(t *testing.T, which uint8, ops uint16, src []byte) {
		if len(src) <= fuzzed {
			twice(t, r, languages()[int(which)%len(table)], src, ops)
		}
	})
}

// FuzzMutated does the same with changed code, which leads deeper into a grammar.
func FuzzMutated(f *testing.F) {
	grammars(f)
	all := samples(f)
	programs(f)
	r := sitter.NewRunner()
	f.Fuzz(func(t *testing.T, which uint8, program []byte) {
		l := languages()[int(which)%len(table)]
		if len(program) <= 40 {
			twice(t, r, l, mutated(all[l.Name], program), 1<<13)
		}
	})
}

func twice(t *testing.T, r *sitter.Runner, l *Language, src []byte, ops uint16) {
	if l.grammar == nil {
		return
	}
	limits := sitter.Limits{ArenaBytes: 8 << 20, Ops: uint64(ops), Tokens: 1 << 14, Timeout: time.Hour}
	tokens, broken, err := r.Run(l.grammar(), src, 0, limits)
	first := reread(tokens)
	if err == sitter.ErrTimeout || !ordered(first, len(src)) {
		t.Fatalf("%s: %v, %v of %q", l.Name, err, first, src)
	}
	tokens, again, errAgain := r.Run(l.grammar(), src, 0, limits)
	if err != errAgain || broken != again || !slices.Equal(first, reread(tokens)) {
		t.Fatalf("%s: two outcomes, %v and %v, for %q", l.Name, err, errAgain, src)
	}
}

// Every file has a front-end, whatever its name and content, and always the same one.
func FuzzDetect(f *testing.F) {
	for _, s := range []string{"", "#!/usr/bin/env python3\n", "// Code generated by x. DO NOT EDIT.\n", "\x00", "\xff\xfea", "#include <vector>\n", "<?xml ?>", "\ufeff", "/* eslint-disable */", "{\"a\":1}"} {
		f.Add("a/b.h", []byte(s))
		f.Add("x", []byte(s))
		f.Add("node_modules/a.min.js", []byte(s))
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		if len(src) > fuzzed || len(name) > 80 {
			return
		}
		d := Detect(name, src)
		if d.Language == nil || (d.Skip == Empty) != (len(src) == 0) || !reflect.DeepEqual(d, Detect(name, src)) {
			t.Fatalf("%q: %+v of %q", name, d, src)
		}
	})
}

// Words are in order, hold no blanks, and nothing that is no blank is left out.
func FuzzWords(f *testing.F) {
	f.Add([]byte("a b_1 \u00e9\u6f22 0.5e3 -- \xff\x00\u2028x"))
	z := NewTokenizer(Limits{})
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > fuzzed {
			return
		}
		s, err := z.Tokenize(Words(), src)
		if err != nil || !ordered(s.Tokens, len(src)) {
			t.Fatalf("%v, %v of %q", s.Tokens, err, src)
		}
		first := slices.Clone(s.Tokens)
		for _, k := range first {
			if bytes.ContainsAny(src[k.Start:k.End], " \t\r\n") {
				t.Fatalf("%q is a word of %q", src[k.Start:k.End], src)
			}
		}
		if s, err := z.Tokenize(Words(), src); err != nil || !slices.Equal(first, s.Tokens) {
			t.Fatalf("two outcomes for %q", src)
		}
	})
}

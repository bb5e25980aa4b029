package lang_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/lang/langtest"
)

// patient has no time limit that matters, so that a parse ends for the same reason on every machine.
var patient = lang.Limits{ArenaBytes: 64 << 20, Timeout: time.Hour}

// frontEnds are all languages and the words.
func frontEnds(t testing.TB) []*lang.Language {
	t.Helper()
	if !lang.HasGrammars {
		t.Skip("built without cgo: there are no grammars")
	}
	return append(lang.Languages(), lang.Words())
}

// outcome is the result for a document: kinds, or the reason why there are none.
type outcome struct {
	kinds  []uint32
	reason lang.Reason
}

// examine tokenizes src and fails on a stream or an error that may not be.
func examine(t testing.TB, z *lang.Tokenizer, l *lang.Language, src []byte) outcome {
	t.Helper()
	s, err := z.Tokenize(l, src)
	if err == nil {
		if err := langtest.Ordered(s.Tokens, src); err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
		return outcome{kinds: langtest.Kinds(s.Tokens)}
	}
	limit := (*lang.LimitError)(nil)
	if !errors.As(err, &limit) {
		t.Fatalf("%s: %v is no *LimitError", l.Name, err)
	}
	if !slices.Contains([]lang.Reason{lang.Budget, lang.Memory, lang.TooManyTokens}, limit.Reason) || len(s.Tokens) != 0 {
		t.Errorf("%s: %v with %d tokens", l.Name, err, len(s.Tokens))
	}
	return outcome{reason: limit.Reason}
}

func (o outcome) equal(p outcome) bool {
	return o.reason == p.reason && slices.Equal(o.kinds, p.kinds)
}

// Input made to hang or fill a parser ends, and ends the same way again, also
// in a tokenizer with a past.
func TestHostile(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 5_000
	}
	noise := make([]byte, n/3)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(noise)
	repeat := func(s string, n int) []byte { return bytes.Repeat([]byte(s), n) }
	for _, c := range []struct {
		name string
		src  []byte
	}{
		{"noise", noise},
		{"comments", repeat("/*", n/5)},
		{"brackets", repeat("[[", n/5)},
		{"quotes", repeat(`"`, n/10)},
		{"parentheses", repeat("(", n)},
		{"braces", repeat("{", n)},
		{"balanced", append(repeat("(", n/2), repeat(")", n/2)...)},
		{"type arguments", repeat("a<", n/5)},
		{"nested ifs", repeat("if (a) { ", n/20)},
		{"nested templates", repeat(`f"{`, n/50)},
		{"here-documents", repeat("<<A ", n/20)},
		{"escaped quotes behind an error", append([]byte("class A { fun b() { c !is ) } }\nd "), repeat("\\'", n/2)...)},
		{"one line", repeat("a = b + 1; ", n/11)},
	} {
		t.Run(c.name, func(t *testing.T) {
			used := lang.NewTokenizer(patient)
			defer used.Close()
			for _, l := range frontEnds(t) {
				fresh := lang.NewTokenizer(patient)
				first := examine(t, fresh, l, c.src)
				fresh.Close()
				if again := examine(t, used, l, c.src); !first.equal(again) {
					t.Errorf("%s: %d tokens %q, then %d tokens %q", l.Name, len(first.kinds), first.reason, len(again.kinds), again.reason)
				}
			}
		})
	}
}

// Five megabytes on one line end at the limit that is set.
func TestLimits(t *testing.T) {
	frontEnds(t)
	size := 5 << 20
	if testing.Short() {
		size = 1 << 20
	}
	src := bytes.Repeat([]byte("x = y + 1; "), size/11)
	for _, c := range []struct {
		limits    lang.Limits
		want      lang.Reason
		languages string
	}{
		{lang.Limits{ArenaBytes: 8 << 20, Timeout: time.Hour}, lang.Memory, "bash"}, // a lexer needs no arena
		{lang.Limits{Tokens: 1000, Timeout: time.Hour, ArenaBytes: 4 << 30}, lang.TooManyTokens, "ruby lua go python javascript"},
	} {
		z := lang.NewTokenizer(c.limits)
		defer z.Close()
		for _, l := range strings.Fields(c.languages) {
			src := src
			if c.want == lang.TooManyTokens {
				src = src[:1<<17]
			}
			if o := examine(t, z, lang.ByName(l), src); o.reason != c.want {
				t.Errorf("%s: %q with %d tokens, want %q", l, o.reason, len(o.kinds), c.want)
			}
		}
	}
	z := lang.NewTokenizer(lang.Limits{Tokens: 1000})
	defer z.Close()
	if o := examine(t, z, lang.Words(), src); o.reason != lang.TooManyTokens {
		t.Errorf("words: %q", o.reason)
	}
	if o := examine(t, z, lang.Words(), bytes.Repeat([]byte("a "), 1000)); len(o.kinds) != 1000 {
		t.Errorf("words: %d tokens %q at the limit", len(o.kinds), o.reason)
	}
}

// resident is the memory of the process in bytes, 0 where it is not known.
func resident() int {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(statm))[1])
	return pages * os.Getpagesize()
}

// A parse that is given up leaves nothing behind, in whatever scanner it was.
func TestGivingUpLeaksNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("parses hundreds of hostile texts")
	}
	if resident() == 0 {
		t.Skip("the system does not tell the memory in use")
	}
	z := lang.NewTokenizer(lang.Limits{ArenaBytes: 2 << 20, Timeout: time.Hour})
	defer z.Close()
	src := bytes.Repeat([]byte("a = `b` + \"c #{d}\"; "), 2000)
	gaveUp := func(l *lang.Language) bool { return examine(t, z, l, src).reason == lang.Memory }
	all := slices.DeleteFunc(frontEnds(t), func(l *lang.Language) bool { return !gaveUp(l) })
	if len(all) < 2 {
		t.Fatalf("only %d languages give up", len(all))
	}
	run := func(n int) {
		for i := range n {
			if l := all[i%len(all)]; !gaveUp(l) {
				t.Errorf("%s: not given up again", l.Name)
			}
		}
	}
	run(2 * len(all))
	before := resident()
	run(300)
	if grown := resident() - before; grown > 32<<20 {
		t.Errorf("%d bytes more after 300 parses", grown)
	}
}

// Bytes that are no part of the code do not change what it is.
func TestUnusualBytes(t *testing.T) {
	frontEnds(t)
	z := lang.NewTokenizer(patient)
	defer z.Close()
	for _, s := range langtest.Samples(t) {
		want := examine(t, z, s.Language, s.Source)
		for name, src := range map[string][]byte{
			"byte order mark":  append([]byte("\ufeff"), s.Source...),
			"carriage returns": bytes.ReplaceAll(s.Source, []byte("\n"), []byte("\r\n")),
			"no last line end": bytes.TrimRight(s.Source, "\n"),
		} {
			if have := examine(t, z, s.Language, src); !have.equal(want) {
				t.Errorf("%s: %s: %d tokens %q instead of %d%s", s.Language.Name, name, len(have.kinds), have.reason, len(want.kinds), difference(have.kinds, want.kinds))
			}
		}
		for _, bad := range []string{"\x00", "\xff\xfe", "\xe2\x82", "\xed\xa0\x80", "\u2028", "\r"} {
			middle := len(s.Source) / 2
			src := slices.Concat(s.Source[:middle], []byte(bad), s.Source[middle:])
			if examine(t, z, s.Language, src).kinds == nil {
				t.Errorf("%s: given up for %q", s.Language.Name, bad)
			}
			examine(t, z, s.Language, []byte(bad))
		}
		if o := examine(t, z, s.Language, nil); len(o.kinds) != 0 || o.reason != "" {
			t.Errorf("%s: %d tokens %q in nothing", s.Language.Name, len(o.kinds), o.reason)
		}
	}
}

func difference(a, b []uint32) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return ", from token " + strconv.Itoa(i)
}

func TestOnlyComments(t *testing.T) {
	frontEnds(t)
	z := lang.NewTokenizer(patient)
	defer z.Close()
	for marks, languages := range map[string]string{
		"// a \"b\n\n/* c\n'd */ // e\n": "c cpp csharp go java javascript jsx kotlin php rust scala swift tsx typescript",
		"# a \"b\n\n  # c 'd\n":          "bash php python ruby",
		"-- a \"b\n--[[ c\n'd ]] -- e\n": "lua",
	} {
		for l := range strings.FieldsSeq(languages) {
			if o := examine(t, z, lang.ByName(l), []byte(marks)); len(o.kinds) != 0 || o.reason != "" {
				t.Errorf("%s: %d tokens %q in comments", l, len(o.kinds), o.reason)
			}
		}
	}
}

// A string or comment that never ends takes the rest of a file. The stream then has
// the code behind it, or an error that the ledger lists.
func TestUnterminated(t *testing.T) {
	frontEnds(t)
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	body := "\nint f(int a) { return a + 1; }\nint g(int b) { return b * 2; }\n"
	for language, opens := range map[string][]string{
		"go": {"`", "/*"}, "c": {"/*"}, "cpp": {"/*", `R"(`}, "java": {"/*", `"""`}, "javascript": {"/*", "`"}, "typescript": {"/*", "`"},
		"tsx": {"/*", "`"}, "python": {`"""`, "'''"}, "rust": {`"`, "/*", `r#"`}, "csharp": {"/*", `"""`, `@"`}, "php": {"'", `"`, "/*"},
		"kotlin": {`"""`, "/*"},
	} {
		for _, open := range opens {
			src := "x = " + open + body
			if language == "php" {
				src = "<?php " + src
			}
			s, err := z.Tokenize(lang.ByName(language), []byte(src))
			if err != nil || len(s.Tokens) < 25 && s.Errors == 0 {
				t.Errorf("%s, %s: %d tokens, %d errors, %v", language, open, len(s.Tokens), s.Errors, err)
			}
		}
	}
}

// TestOpenScripts: a script of a page ends although its last string or comment does not.
func TestOpenScripts(t *testing.T) {
	z := lang.NewTokenizer(patient)
	defer z.Close()
	for _, l := range frontEnds(t) {
		if l.Name != "html" && l.Name != "vue" && l.Name != "svelte" {
			continue
		}
		for _, open := range []string{"/*", "/**", "a = `text", "a = `${b", "a = \"", "a = '", "a = /x", "<a", "<a b='", "<!--", "a = {", "//"} {
			for _, next := range []string{"", "*/ b()", "` + b", "b(c)", "/*"} {
				page := "<p>x</p>\n<script>f();" + open + "</script>\n<p class=\"y\">z</p><script>" + next + "</script><b>w</b>\n<script>" + open + "</script>"
				examine(t, z, l, []byte(page))
			}
		}
	}
}

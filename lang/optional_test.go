package lang

import (
	"fmt"
	"slices"
	"testing"
)

// Code is the same before and after a formatter went over it.
func TestOptional(t *testing.T) {
	grammars(t)
	z := NewTokenizer(Limits{})
	defer z.Close()
	for _, c := range []struct {
		lang, a, b string
		same       bool
	}{
		{"javascript", "let a = b;\nfor (let c = 0; c < d; c++) { e(); };\n", "let a = b\nfor (let c = 0; c < d; c++) { e() }\n", true},
		{"javascript", ";[a].b();\n;(c)();\n", "[a].b();\n(c)()\n", true},
		{"javascript", "a = [1, 2,]; b = { c, d, }; e(f, g,);\n", "a = [1, 2]; b = { c, d }; e(f, g);\n", true},
		{"javascript", "a = [1, , 2]; b = [,];\n", "a = [1, , 2]; b = [];\n", true},
		{"javascript", "a((b) => c, async (d) => { e })\n", "a(b => c, async d => { e })\n", true},
		{"javascript", "a((b, c) => d)\n", "a(b, c => d)\n", false},
		{"javascript", "a(({ b }) => c, (d = 1) => e)\n", "a({ b } => c, d = 1 => e)\n", false},
		{"jsx", "a = <b>c; d, (e)</b>;\n", "a = <b>c d, (e)</b>\n", true},
		{"typescript", "class A { b: C; d = (e) => f; }\n", "class A { b: C\n d = e => f }\n", true},
		{"typescript", "type A = (b: C) => D;\n", "type A = b: C => D;\n", false},
		{"tsx", "interface A { b: C; d(e: F,): G; }\n", "interface A { b: C\n d(e: F): G }\n", true},
		{"python", "a(\n    b,\n    *c,\n)\nd = [e, f,]\ng = {h: i,}\n", "a(b, *c)\nd = [e, f]\ng = {h: i}\n", true},
		{"python", "a = b; c = d\n", "a = b\nc = d\n", false},
		{"ruby", "a(:b => 1, :c? => [d, e,])\n", "a(b: 1, c?: [d, e])\n", true},
		{"ruby", "a = { 'b' => 1, :\"c d\" => 2, e => 3 }\n", "a = { b: 1, 'c d': 2, e: 3 }\n", false},
		{"kotlin", "val a = b(\n    c,\n    d,\n)\n", "val a = b(c, d)\n", true},
		{"swift", "func a() { self.b = self.c(self, [1, 2,]) }\n", "func a() { b = c(self, [1, 2]) }\n", true},
		{"swift", "let a = B.self.c(d); self?.e()\n", "let a = B.c(d); e()\n", false},
		{"php", "<?php $a = array(1, array($b => f(2)),); list($c, $d) = $a;\n", "<?php $a = [1, [$b => f(2)]]; [$c, $d] = $a;\n", true},
		{"php", "<?php function a(array $b, $c = array()) { return (array) d($b); }\n", "<?php function a(array $b, $c = []) { return (array) d($b); }\n", true},
		{"php", "<?php $a = new \\B(\\strlen($c), \\D\\E::F);\n", "<?php $a = new B(strlen($c), D\\E::F);\n", true},
		{"php", "<?php $a = new B\\C();\n", "<?php $a = new BC();\n", false},
	} {
		if slices.Equal(kindsOf(t, z, c.lang, c.a), kindsOf(t, z, c.lang, c.b)) != c.same {
			t.Errorf("%s: %q and %q: the same is not %v", c.lang, c.a, c.b, c.same)
		}
	}
}

// kindsOf are the kinds of a text, as its lexer has them; its grammar has to agree.
func kindsOf(t *testing.T, z *Tokenizer, name, src string) (out []uint32) {
	t.Helper()
	l := ByName(name)
	s, err := z.Tokenize(l, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	lexed := slices.Clone(s.Tokens)
	if s, err = z.tokenizeCode(l, []byte(src)); err != nil {
		t.Fatal(err)
	}
	if why := difference([]byte(src), lexed, l.spec.optional.leave(s.Tokens, []byte(src))); s.Errors == 0 && why != "" {
		t.Errorf("%s: %q %s", name, src, why)
	}
	for _, token := range lexed {
		out = append(out, token.Kind)
	}
	return out
}

// The remaining tokens keep their positions in the text, which show the semicolons.
func TestOptionalPlaces(t *testing.T) {
	grammars(t)
	z := NewTokenizer(Limits{})
	defer z.Close()
	src := []byte("a((b) => c, [d,]) ;\ne = f // ;\ng")
	s, err := z.Tokenize(ByName("javascript"), src)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for i, token := range s.Tokens {
		got += fmt.Sprintf("%s ", src[token.Start:token.End])
		if Ends(src, s.Tokens, i) {
			got += "; "
		}
	}
	if want := "a ( b => c , [ d ] ) ; e = f g "; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestKindsOfSigns(t *testing.T) {
	for sign, kind := range map[string]uint32{";": kindSemicolon, ",": kindComma, "(": kindOpenParen, ")": kindCloseParen, "]": kindCloseSquare, "}": kindCloseBrace, "=>": kindArrow} {
		if kindOf(sign) != kind {
			t.Errorf("%q has the kind %08x, not %08x", sign, kindOf(sign), kind)
		}
	}
}

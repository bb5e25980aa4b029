package imports_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// TestBoth: two texts have a name in common that they import from one place, in whatever form.
func TestBoth(t *testing.T) {
	for _, c := range []struct{ name, language, here, there, want string }{
		{"one path", "java", "import com.one.Two;", "import com.one.Two; import com.one.Three;", "Two"},
		{"other places", "java", "import com.one.Two;", "import com.four.Two;", ""},
		{"all of a package", "java", "import com.one.Two;", "import com.one.*;", "Two"},
		{"all of a package here", "java", "import com.one.*;", "import com.one.Two;", "Two"},
		{"a member and its type", "java", "import static com.one.Two.THREE;", "import com.one.Two;", "THREE"},
		{"members of other types", "java", "import static com.one.Two.THREE;", "import com.one.Four;", ""},
		{"a package and another", "java", "import com.one.Two;", "import com.one.five.*;", ""},
		{"the text's own", "java", "package com.one.two; import com.one.two.Three;", "import com.one.two.*;", ""},
		{"all of a package", "scala", "import one.two.Three", "import one.two._", "Three"},
		{"a crate in full paths", "rust", "use one::{Two, three::Four};", "fn f() { one::Five::new(); }", "Four Two one"},
		{"another crate in full paths", "rust", "use one::{Two, three::Four};", "fn f() { six::Two::new(); }", ""},
		{"its own module", "rust", "use crate::one::Two;", "use crate::one::*;", ""},
	} {
		l := lang.ByName(c.language)
		if !lang.HasGrammars && !l.Lexed() {
			continue
		}
		clauses := func(text string) imports.Clauses {
			return imports.ClausesOf(l, []byte(text), tokensOf(t, l, text))
		}
		got := strings.Join(slices.Sorted(maps.Keys(imports.Both(l, clauses(c.here), clauses(c.there)))), " ")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// tokensOf returns the tokens of a text.
func tokensOf(t *testing.T, l *lang.Language, text string) []lang.Token {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	out, err := z.Tokenize(l, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(out.Tokens)
}

// TestTheirs: names belong to an imported type if they are members of variables of it, or override its methods.
func TestTheirs(t *testing.T) {
	for _, c := range []struct{ name, language, text, want string }{
		{"variables", "java", "class A { Their<B, C[]> d; void e(Their f) { this.d.g(h); f.i().j(k); Their l = m(); l.n++; o.p(); q.d.r(); } }", "Their g i j n"},
		{"a value", "java", "void a() { var b = new Their(c); b.d(); b = e; }", "Their d"},
		{"no variables", "java", "class A { Other b = c; Their d() { b.e(); d().f(); } }", "Their"},
		{"overrides", "java", "class A extends Their { @Override public int b(C d, int e) { return f; } int g(int h) { return i; } class J { @Override void k() {} } @Override void l() {} }", "C Their b d e int l"},
		{"overrides of others", "java", "class A extends B { @Override int c(int d) { return new Their(); } }", "Their"},
		{"anonymous", "java", "void a() { b(new Their() { @Override public void c(int d) { e(); } }); }", "Their c d int"},
		{"variables and overrides", "kotlin", "class A(val b: Their) : Their(c) { override fun d(e: Int): Int { val f = Their(); f.g(); return b.h } fun i() = j.k }", "Int Their d e g h"},
		{"keywords", "kotlin", "val a = Their(b = Their(1), c = Their.D, e)\nval b = f(g = Their(2))\nval h = b.i", "D Their b c"},
		{"a trait", "rust", "fn a(b: &mut Their) { b.c(d); let e = Their::f(); e.g; }", "Their c f g"},
		{"what members return", "rust", "fn a() { let mut b = Their::new(); let c = &mut b.d(); c.e(); let f = c.g; f.h; let i = j.k(); i.l(); m = c.n(); m.o(); }", "Their d e g h n new"},
		{"overrides", "csharp", "class A : Their { public override int B(int c) { return d; } public int E() { return f; } }", "B Their c int"},
	} {
		l := lang.ByName(c.language)
		if !lang.HasGrammars && !l.Lexed() {
			continue
		}
		found := imports.Theirs([]byte(c.text), tokensOf(t, l, c.text), map[string]bool{"Their": true})
		if got := strings.Join(slices.Sorted(maps.Keys(found)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// TestClauses: each path of a clause is read in full, with the names that it binds.
func TestClauses(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"java", "package com.own.a;\nimport com.one.Two;\nimport static org.three.Four.five;\nimport org.six.*;\nclass Seven { com.eight.Nine n; }",
			"com.own.a; com.one.Two Two; org.three.Four.five five; org.six.*"},
		{"kotlin", "package com.own\nimport com.one.Two\nimport org.three.four as five\nclass Six", "com.own; com.one.Two Two; org.three.four four five"},
		{"scala", "package com.own\nimport com.one.{Two, Three => Four}\nimport cats.syntax._\nclass Six", "com.own; com.one.Two Two; com.one.Three Three Four; cats.syntax._"},
		{"rust", "use one::{two::{Three, Four}, five::{Six, seven::{Eight}, Nine}, Ten}; use eleven::Twelve;", "; one.two.Three Three; one.two.Four Four; one.five.Six Six; one.five.seven.Eight Eight; one.five.Nine Nine; one.Ten Ten; eleven.Twelve Twelve"},
		{"rust", "use one::{Two, three::{Four, five::*}, self};\nuse six::Seven as Eight;\nfn nine() {}", "; one.Two Two; one.three.Four Four; one.three.five.*; six.Seven Seven Eight"},
		{"rust", "#![warn(clippy::all)] use one::two;\nmod three;\nfn f(a: &four::Five) -> std::io::Result<()> { two::six(); three::seven(); four::Five::eight(); Nine::ten(); crate::eleven(); twelve::thirteen::<A>(a.b()) }",
			"; one.two two; four four; twelve twelve"},
		{"rust", "use crate::one::{self, two::{self as three, Four}}; use five::{self, Six}; enum seven { A }\nfn f() { one::a(); three::b(); five::c(); seven::A; u32::from_le_bytes(str::len(x)) }",
			"; crate.one.two.Four Four; five.Six Six; five five"},
		{"rust", "use one::*; fn f() { two::three() }", "; one.*"},
		{"csharp", "using One.Two;\nusing Three = Four.Five;\nnamespace Own.Six { class Seven {} }", "Own.Six; One.Two; Four.Five Five Three"},
		{"php", "<?php\nnamespace Own\\A;\nuse One\\Two;\nuse Three\\{Four, Five\\Six as Seven};\nclass Eight {}", "Own.A; One.Two Two; Three.Four Four; Three.Five.Six Six Seven"},
		{"php", "<?php\nnamespace Own;\nuse One\\Two;\nclass A extends \\Host\\Node\\Node { function f(\\Host\\Compiler $c) { new \\Host\\Node\\Node(\\count($c), Sub\\B::x()); } }", "Own; One.Two Two; Host.Node.Node Node; Host.Compiler Compiler"},
		{"go", "package own\n\nimport \"com/one\"\n", ""},
	} {
		if !lang.HasGrammars && !lang.ByName(c.language).Lexed() {
			continue
		}
		z := lang.NewTokenizer(lang.Limits{})
		defer z.Close()
		toks, err := z.Tokenize(lang.ByName(c.language), []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got := imports.ClausesOf(lang.ByName(c.language), []byte(c.text), toks.Tokens)
		out := strings.Join(got.Own, ".")
		for _, p := range got.Paths {
			out += strings.TrimRight(fmt.Sprintf("; %s %s", strings.Join(p.Path, "."), strings.Join(p.Names, " ")), " ")
		}
		if out != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.language, out, c.want)
		}
	}
}

// TestSameRoot: paths of one project begin alike, and those of a platform belong to nobody.
func TestSameRoot(t *testing.T) {
	for _, c := range []struct {
		language, a, b string
		want           bool
	}{
		{"java", "com.one.two.Three", "com.one.two.four", true},
		{"java", "com.one.two.Three", "com.one.five.Six", false},
		{"java", "org.junit.Test", "org.junit.runner", true},
		{"java", "org.one.Two", "org.three", false},
		{"java", "java.util.List", "java.util", false},
		{"java", "One", "One", false},
		{"kotlin", "okio.Buffer", "okio.internal", true},
		{"kotlin", "kotlinx.one.Two", "kotlinx.three", false},
		{"scala", "cats.effect.IO", "cats.data", true},
		{"csharp", "One", "One.Tests", true},
		{"csharp", "Vendor.One", "Vendor.Two.Three", false},
		{"csharp", "System.Text", "System.Text", false},
		{"php", "Vendor.One", "Vendor.Tests.Two", true},
		{"rust", "one.Two", "one", true},
		{"rust", "crate.one", "crate", false},
	} {
		l := lang.ByName(c.language)
		if got := imports.SameRoot(l, strings.Split(c.a, "."), strings.Split(c.b, ".")); got != c.want {
			t.Errorf("%s: %s and %s: %v", c.language, c.a, c.b, got)
		}
	}
	if imports.SameRoot(lang.ByName("java"), nil, []string{"com", "one"}) {
		t.Error("a text without a package has a root")
	}
}

package imports_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// clausesOf reads the clauses of a text, with its tokens; it skips the test if this build cannot read the language.
func clausesOf(t *testing.T, language, text string) (imports.Clauses, []lang.Token) {
	t.Helper()
	l := lang.ByName(language)
	if !lang.HasGrammars && !l.Lexed() {
		t.Skip("no grammar")
	}
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, err := z.Tokenize(l, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return imports.ClausesOf(l, []byte(text), s.Tokens), slices.Clone(s.Tokens)
}

func sorted(names map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(names)), " ") }

// TestSharedNames: names are shared that both texts import at one path, whose first name may differ.
func TestSharedNames(t *testing.T) {
	for _, c := range []struct{ language, here, there, want string }{
		{"rust", "use two::{layout::{Rect, Layout}, Frame};", "use one::{layout::{Layout, Rect}, Frame};", "Layout Rect"},
		{"rust", "use one::Frame;", "use one::Frame;", "Frame"},
		{"rust", "use two::layout::Rect;", "use crate::layout::Rect;", "Rect"},
		{"rust", "use crate::layout::Rect;", "use crate::layout::Rect;", ""},
		{"rust", "use two::layout::Rect as Area;", "use one::layout::Rect;", "Area Rect"},
		{"rust", "fn f() { one::Two::three() }", "fn g(a: one::Four) {}", "one"},
		{"rust", "mod one; fn f() { one::Two::three() }", "mod one; fn g(a: one::Four) {}", ""},
		{"rust", "use two::area::Rect;", "use one::layout::Rect;", ""},
		{"java", "package com.own.a;\nimport javax.servlet.http.Filter;\nimport com.own.a.Own;\nclass X {}", "package com.own.a;\nimport jakarta.servlet.http.Filter;\nimport com.own.a.Own;\nclass X {}", "Filter"},
		{"go", "package a\n\nimport \"io\"\n", "package a\n\nimport \"io\"\n", ""},
	} {
		here, _ := clausesOf(t, c.language, c.here)
		there, _ := clausesOf(t, c.language, c.there)
		if got := sorted(imports.SharedNames(lang.ByName(c.language), here, there)); got != c.want {
			t.Errorf("%s: %s and %s share %q, want %q", c.language, c.here, c.there, got, c.want)
		}
	}
}

// TestMembers: the members of a chain that begins at an imported name are those of a library, and so are its keywords and fields.
func TestMembers(t *testing.T) {
	for _, c := range []struct{ language, text, imported, want string }{
		{"rust", "fn f(a: Area) { let c = Layout::default().margin(own).split(a.size())?.first().await.last(); c.own2(); }", "Layout", "Layout default first last margin split"},
		{"rust", "fn f() { own(Style { fg: red, own2 }.bold()); own3.bold2(Style::new()).own4(); }", "Style", "Style bold fg new"},
		{"kotlin", "class A : Registry() {\n  override val own: Int = Vendor(label = \"a\", link = own2).id\n}", "Registry Vendor", "Registry Vendor id label link"},
		{"csharp", "class A { void F() { var x = new Client { Limit = own }; own2.Send(x); Client.Open(depth: 3).Own3; } }", "Client", "Client Limit Open Own3 depth"},
		{"php", "<?php\n$own = Route::get('/a', own2())->name('b')?->where($own3->own4);", "Route", "Route get name where"},
		{"rust", "fn f() { " + strings.Repeat("(", 1000) + "Style::new()" + strings.Repeat(")", 1000) + ".own() }", "Style", "Style new"},
	} {
		imported := map[string]bool{}
		for _, name := range strings.Fields(c.imported) {
			imported[name] = true
		}
		_, toks := clausesOf(t, c.language, c.text)
		if got := sorted(imports.Members([]byte(c.text), toks, imported)); got != c.want {
			t.Errorf("%s: %.200s\n%q, want %q", c.language, c.text, got, c.want)
		}
	}
}

// TestWithin: a file of Rust is in the module of a path, whatever its crate is called.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		language, path, file string
		want                 bool
	}{
		{"rust", "two::layout::Rect", "src/layout.rs", true},
		{"rust", "two::layout::Rect", "core/src/layout/rect.rs", true},
		{"rust", "two::layout::Rect", "layout/rect.rs", true},
		{"rust", "two::layout::Rect", "src/area.rs", false},
		{"rust", "two::Rect", "src/lib.rs", false},
		{"rust", "crate::layout::Rect", "src/layout.rs", false},
		{"java", "two::layout::Rect", "src/layout.rs", false},
	} {
		if got := imports.Within(lang.ByName(c.language), imports.Named{Path: strings.Split(c.path, "::")}, c.file); got != c.want {
			t.Errorf("%s in the module of %s: %v", c.file, c.path, got)
		}
	}
}

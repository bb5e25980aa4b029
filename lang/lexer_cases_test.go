package lang

import "testing"

// agree holds the lexer of a language to its grammar on one text, which the
// grammar has to read without syntax errors.
func agree(t *testing.T, language, src string) {
	t.Helper()
	l := ByName(language)
	z := NewTokenizer(Limits{})
	defer z.Close()
	lexed, ok := l.spec.lexer(nil, []byte(src))
	if !ok {
		t.Errorf("%s: %q is refused", language, src)
		return
	}
	want, err := z.tokenizeCode(l, []byte(src))
	if err != nil || want.Errors > 0 {
		t.Errorf("%s: %q: %v, %d syntax errors", language, src, err, want.Errors)
		return
	}
	if why := difference([]byte(src), lexed, want.Tokens); why != "" {
		t.Errorf("%s: %q: the lexer %s", language, src, why)
	}
}

// Text that a lexer could read wrongly and that is rare in real code.
func TestLexersAgreeOnCorners(t *testing.T) {
	grammars(t)
	for language, sources := range map[string][]string{"go": goCorners, "java": javaCorners, "python": pythonCorners} {
		for _, src := range sources {
			agree(t, language, src)
		}
	}
}

var goCorners = []string{
	"package a; import \"b\"; var c int\n",
	"package a\nimport (\n\t. \"b\"\n\t_ \"c\"; d \"e\"\n\t`f`\n)\nvar g = h.i\n",
	"package a\nimport . \"b\"\nimport ()\nvar c = .5\n",
	"package a\nvar a = []any{0, 00, 017, 0o17, 0B1_0, 0x_1F, 0X1p-2, 1_000, 1., 1.e5, .5e+3, 1i, 0x1p2i, 08.5, 1e5i}\n",
	"package a\nvar a = 0x1e+1\n",
	"package a\nvar a = \"\\\"\\\\\" + `\\` + \"// no /* comment\"\nvar b = []rune{'\\'', '\"', '`', '\\\\', 'é', '\\x00', '\\u1234'}\n",
	"package a\nfunc f() (a, b, map[int]any) { return }\n",
	"package a\nfunc f(a any) { switch a.(type) { case nil: case error, *int: } }\n",
	"package a\nconst true = 0 == 0\nvar nil int\ntype b struct{ false int }\n",
	"package a\nfunc f() { a.true.nil = new.make(make([]int, 1), new(int)) }\n",
	"package a\nfunc f() { a &^= b; a = b &^ c & ^d; a <<= 1; a <- <-b; a--; a = b - -c }\n",
	"package a\nfunc f[T ~[]E | any, E comparable](a ...T) chan<- int { return g[T](a...) }\n",
	"package a\nconst ( a = iota; b; _ )\n",
	"package a\nfunc f() { a: for { break a; goto a }; fallthrough; }\n",
	"a := b[1:2:3]\n",
	"package naïve\nvar _é1, ǅ_ = 1, 2 // «\n",
	"/* a */ package /* b */ a // c\nimport /* d */ \"e\" /* f\n*/\nvar b int\n",
	"package a\nvar a = `b\n\"c\n// d`\n",
	"\ufeffpackage a\r\nvar b = `\r\n`\r\n",
}

var javaCorners = []string{
	"@A @B(c = {\"d\"}, e = @F) package g.h;\nimport i.*; import static j.K.l;\nclass M {}",
	"class A { Map<B, List<C<D>>> e; int f = g >> 1 >>> 2; { h >>= 1; h >>>= 2; i = j < k >> l; } }",
	"class A<B extends C<? super D[]> & E> { <F> void g() { this.<F>h(); new I<>() {}; J::new; } }",
	"@interface A { int b() default 1; } class E { @interface F {} @ /* c */ H I i; }",
	"sealed interface A permits B, C {} non-sealed class B implements A {} public non-sealed abstract class C implements A {}",
	"class A { int b = non-sealed; int c = non - sealed; }",
	"record A(int b) { A { } } class C { int record = open.module + with; void yield() { record(1); } }",
	"class A { int b(Object c) { return switch (c) { case D(int e, var f) when e > 0 -> 1; case null, default -> { yield 2; } }; } }",
	"open module a.b { requires transitive c; requires static d; exports e to f, g; opens h; uses i; provides j with k; }",
	"class A { Object b = new Object[]{0, 017, 0b1_0, 0x1F_FFL, 1_000, 1.f, 1.e5, .5e-3D, 1e5, 0f, 0x1.8p1, 0x1p-3f, 08.5, 1d, 9L}; }",
	"class A { char b = '\\'', c = '\"', d = '\\u0027', e = '\\\\', f = '\\0'; String g = \"\\\"\\\\\" + \"\\\\{h}\" + \"// i\"; }",
	"class A { String b = \"\"\"\n  c \"d\" \"\" \\\"\"\" e\n  \"\"\"; String f = \"\"; }",
	"class A { String b = \"\"\"\n  \\\\{c} \\\n d\"\"\".e(); }",
	"class A { void b(C this, final D... e) throws F, G { i: for (;;) { break i; } try (H j = k; l) { } catch (M | N o) { } } }",
	"class A { int $b_1 = naïve$; int[] c[]; long d = e ? f : g; H h = i -> j; K k = (l, m) -> { }; N n = (O & P) q; R r = int.class.s(); }",
	"/** a */ package b; // c\nimport d./* e */f;\nclass G { } ;",
	"\ufeffclass A {\r\n}\r\n",
	"int a = b+++c; if (d instanceof final E f && !(g instanceof H<?> i)) assert j : k;",
	"class A { @B int c() @D [] { return null; } true_ e = true, nullable; strictfp void f() { synchronized (this) { super.g(); } } }",
}

var pythonCorners = []string{
	"import a, b.c as d; e = 1\nfrom . import (f,\n  g as h,)\nfrom ...i import *\nfrom .... import j\nfrom .k.l import m\n",
	"import a, \\\n  b\nc = 1\nfrom d \\\n import e\nf = 1\n",
	"if a: import b\nelse: from c import d; e = 1\ntry: import f\nexcept g: pass\n",
	"def a():\n  yield from b\n  raise c from d\n  (yield\n   from_)\n  x = yield \\\n from e\n",
	"from __future__ import print_function\na.__future__ = __future__\n",
	"print a, b\nprint >>c, d\nprint(e)\nprint\nprint = f\nexec 'g' in h\nexec(i)\ng.exec = k.print\n",
	"match a:\n  case b.c | _: d\n  case [1, *_]: e\n  case {'f': g, **h} if i: j\n  case K(l=-1+2j): m\nmatch = case + type\nmatch(n)\ncase(_)\n",
	"type A[B] = C[B]\ntype = type(type)\ntype.x = 1\n",
	"async def a():\n  await b\n  async with c as d, e: pass\n  async for f in g: pass\n  return [h async for h in i]\n",
	"a.async_ = 1\n",
	"try: pass\nexcept* a as b: pass\ntry: pass\nexcept *c: pass\n",
	"a = [0, 00, 017, 0o17, 0B1_0, 0xFFL, 1_000, 1., 1.e5, .5e-3, 1j, 1.j, 1e5J, 10L, 1if b else 2, 0xfor c]\n",
	"a = 1..real + 1e5.real\n",
	"a = b'c' Rb\"d\\\"\" u'e' + `f` + r'\\\\' + r'\\'' + '\\\\' 'g' \"\"\"h\"i\"\"\" + '''j\n'''\n",
	"a = ''\nb = \"\"\nc = ''''''\nd = '''e'f''g'''\nh = '''\\''''''\n",
	"a = 'b\\\nc' 'd\\\r\ne' f'g\\\nh{i}'\n",
	"a = f'b{c}d{e!r}g{h:>{i}.{j}}k{{l}}m{n=}o{p!s:q}'\n",
	"a = f'{b}' F\"{c['d']}\" fr'\\{e}\\\\' Rf'{f[1:2]}{g(h=1)}' f''\n",
	"a = f'''{b:%H:%M}{ {'c': 1}['c'] }{d if e else f}\n{\ng}'''\n",
	"a = f'\\N{DASH}{b}\\'{c}\\{d}' f'{e!=g}{h==i}'\n",
	"a = f'{b:{c:{d}}}' f'{e:}' f'{g: }' f'{h:#x}' f'{i,}' f'{*j,}'\n",
	"a = f'{f\"{b}\"}' f\"{c + 'd' + f'{e}'}\"\n",
	"a = f'{b.c:=5}' f'{d[0]:=5}' f'{e!r:=5}' f'{f=:=5}' f'{1:=5}'\n",
	"a = f'''{\nb\n:c}'''\n",
	"a = f'{(lambda b: c)}' f'{(d:=1)}' f'{[e for e in g]}'\n",
	"a = b if not c else d is not e not in f\ng <> h\nlambda: (yield)\ni @= j @ k\nl //= m ** n\n",
	"def a(b, /, c: d = 1, *, e, **f) -> g: ...\nh[..., 1:2, ::3]\n@i.j\nclass K(l, metaclass=m): pass\n",
	"a = (\n  b # c\n  \\\n  + d)\n# e\nimport g\n",
	"\ufeffa = 1\r\nimport b\r\nc = 2\r\n",
	"if a:\n\tb\n\f\n\n  # c\nd = naïve·1\n",
	"global a; nonlocal b; del c; assert d, e; return\n",
	"a = {True: None, 'b': False, **c}; d = True_, a.None_\n",
	"with (a as b, c): pass\nwith (d): pass\nfor e, in g: pass\nelse: pass\n",
}

// If a clause is cut off, or is not a clause, the tokens behind it are evidence as usual.
func TestClausesEnd(t *testing.T) {
	grammars(t)
	z := NewTokenizer(Limits{})
	defer z.Close()
	for _, c := range []struct {
		language, src string
		clause        int // tokens from the first on that are an import
	}{
		{"go", "import (\n\t\"a\"\n\tb \"c\"\n\nfunc f() {}", 5},
		{"go", "import a, and more of it", 2},
		{"go", "package is a word", 2},
		{"java", "import a.b\nclass C {}", 4},
		{"java", "package that, with care", 2},
		{"python", "from a import (b,\n  c\n\ndef d(): pass\n", 7},
		{"python", "import a = b", 2},
	} {
		s, err := z.Tokenize(ByName(c.language), []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		flagged := 0
		for i, k := range s.Tokens {
			if k.Flags&FlagImport == 0 {
				continue
			}
			if flagged != i {
				t.Errorf("%s: %q: token %d is an import, %d is not", c.language, c.src, i, flagged)
			}
			flagged++
		}
		if flagged != c.clause {
			t.Errorf("%s: %q: %d tokens of imports, not %d", c.language, c.src, flagged, c.clause)
		}
	}
}

// Text that only the grammar can read is left to it.
func TestLexersRefuse(t *testing.T) {
	grammars(t)
	for language, sources := range map[string][]string{
		"java":   {`String a = STR."b\{c}";`, "String a = STR.\"\"\"\n\\{b}\"\"\";"},
		"python": {"a = f'{b:=5}'\n", "a = f'{lambda b: c}'\n", "a = f'{\nb}'\n", "a = f'{b", "a = f'''{b\n"},
	} {
		for _, src := range sources {
			if _, ok := ByName(language).spec.lexer(nil, []byte(src)); ok {
				t.Errorf("%s: %q is not refused", language, src)
			}
		}
	}
}

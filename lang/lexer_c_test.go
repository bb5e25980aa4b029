package lang

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// TestLexerOfCOnEdges reads text that only a parse can classify, and text that the grammar reads in its own way. The lexer
// yields the same tokens and refuses none of it.
func TestLexerOfCOnEdges(t *testing.T) {
	sameAsGrammar(t, "c", []string{
		// Words are reserved wherever they stand.
		"#ifndef inline\n#define inline __inline\n#endif\n#define NULL ((void *)0)\n#define TRUE 1\n#ifdef true\n#endif\n",
		"int f(void) { return s.restrict + t->asm + MACRO(if, static, const) + offsetof(struct a, default); }\n",
		"int defined = 1;\n#if defined(A) && defined B || !NULL\n#endif\n",
		"int *__restrict p; int * __uptr q; unsigned long long x; bool b = TRUE; char *c = nullptr;\n",
		// Signs and numbers.
		"int x = -1, y = a -1, z = a - -1, u = (int)-1, v = (a)-1, w = +.5e-3f, k = x--, m = 1-1, n = -x;\n",
		"int x = 0x1e+5 + 0xe+1 + 1e+5 + 0x1e+y + 1'000'000 + 0b1010 + 0x1p-3 + 1.f + 1. + 0xffUL + 1.e5 + 017LL;\n",
		// Operators.
		"int x = a >> b; y >>= 2; z = a[b[0]]; w = p->q; e = a>b>>c; t = a ? : b; f = a<-1;\n",
		"[[nodiscard]] int f(void); [[gnu::packed, a(1)]] int g;\n",
		"int a[] = { [0 ... 5] = 1, [7] = 2, .b = 3 }; int f(int a, ...);\n",
		"void f(void) { asm volatile(\"nop\" ::: \"memory\"); asm(\"x\" : \"=r\"(a) :: \"cc\"); __asm__ goto (\"x\" : : \"r\"(x) : : l); }\n",
		"void *l[] = { &&a, &&b, (void *)&&c }; int f(void) { return a && b && (c) && d[1] && e() && f++ && 1; }\n",
		// Strings.
		"char *s = \"a\\\"b\" L\"c\" u8\"d\" PRIu64 U\"e\"; int c = '\\'' + '\"' + L'x' + u'\\u00e9' + 'ab' + ' ';\n",
		"char *s = \"a\\\nb\"; char *t = \"// no /* comment\"; char *u = \"\\n// no\"; char *v = \"\";\n",
		// Comments.
		"// a \\\n int b;\nint c; // d \\\\\nint e;\nint f; /**/ int g; /***/ int h; /*/ int i; /**/ int j; /* // */ int k;\n",
		"int a = b/*c*//d; int e = f//g\n/h;\n",
		// Directives.
		"#include <a/b.h>\n#include \"c.h\" // d\n#  include  <e>  /* f */\n# \t include G\n#include H(x, y)\nint i;\n",
		"#include <a\\>b>\n#include <c\\>\nint i;\n",
		"#include <x>  \n#include_next <y.h>\n#import <z>\n#pragma once\n#pragma  omp parallel // a\n#error don't \"do\n#line 3 \"x\"\n#undef A /* b */\n",
		"#define A\n#define B \n#define C 1\n#define D(a, b) a##b #a\n#define E() (-1)\n#define F(...) x\n#define G \\\n  1 + \\\n  2\n#define H /* a */ 1\n#define I 1 // a\n#define J // a\n#define K (x)\nint l;\n",
		"#define A 1 /* b */\n#define B(a, ...) f(a, __VA_ARGS__) /* c\n c */\n#define C \"x\" L'y' 0x1fUL 1.5e-3 >>= >> && ::: [[ ]] -> ... <<=\nint d;\n",
		"#define A a /// b\n#define B c ///\nint d;\nint e;\n",
		"#define G \"/*\"\n/* */\nint a;\n",
		"#define A(x) do { if (x) y(); } while (0)\n#define B #x #if #ifdef\n#define C NULL TRUE true inline __restrict\nint d;\n",
		"#if A > 1 && (B - 1 == -1) // c\nint x;\n#elif defined(C)\nint y;\n#else\nint z;\n#endif /* A */\n",
		"#ifdef A\r\nint b;\r\n#endif\r\n#define C 1 \\\r\n 2\r\n#include <d.h>\r\n#pragma e\r\n// f \\\r\n g\r\nint h;\r\n",
		"#else\nint a;\n#endif b - 1\n",
		"extern \"C\" {\n#include <a.h>\n}\nvoid f(void) {\n#include \"b.h\"\n  if (a) {\n#include \"c.h\"\n  }\n}\n",
		"#define A \n#define B\t\n#include <c>\n#define D  \r\nint e = 1;\n#undef F \n #  pragma g h\n#define I \\\n #x\n",
		"# 33 \"a.c\"\nint a;\n#33\n",
		// Other characters.
		"\xef\xbb\xbfint a$b, über, Ω1, \\u00e9t, a\\U000000e9;\n",
		"int a;\f\vint b;\n",
		"",
		"\n\n",
	})
}

// The lexer reads on at code where the grammar fails, or gives up on a line.
func TestLexersOfCReadBrokenCode(t *testing.T) {
	grammars(t)
	for _, c := range []struct{ lang, src, want string }{
		{"c", "#define G \"/*\"\nint a;\n", "#define G \"/*\" int a ;"},
		{"c", "#define F(x) a /* b */ c\nint d;", "#define F ( x ) a c int d ;"},
		{"c", "FOR_EACH(a, b) { return 'a; }\n} else {", "FOR_EACH ( a , b ) { return 'a; } } else {"},
		{"c", "b */ int c; /* d", "b * / int c ;"},
		{"cpp", "A(B) class C : D<E>> F { R\"x(", "A ( B ) class C : D < E > > F { R\"x("},
		{"cpp", "a ? b : @ `c` \\ \"d", "a ? b : @ ` c ` \\ \"d"},
	} {
		tokens, ok := ByName(c.lang).spec.lexer(nil, []byte(c.src))
		var got []string
		for _, k := range tokens {
			got = append(got, c.src[k.Start:k.End])
		}
		if !ok || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q: %v, %q", c.lang, c.src, ok, got)
		}
	}
}

// The lexer leaves ambiguous text to the grammar.
func TestLexerOfCRefuses(t *testing.T) {
	grammars(t)
	for _, src := range []string{
		"struct a {\n#include \"b.h\"\n};\n",
		"enum a { b,\n#include \"c.h\"\n};\n",
		"char *s = \"a\n\";\n",
	} {
		if _, ok := ByName("c").spec.lexer(nil, []byte(src)); ok {
			t.Errorf("%q: read", src)
		}
	}
}

// Every word and sign that is a literal of the grammar means to the lexer what
// it means to the grammar.
func TestLexersOfCKnowTheirLiterals(t *testing.T) {
	grammars(t)
	for _, name := range []string{"c", "cpp"} {
		l := ByName(name)
		if l.spec.lexer == nil {
			continue
		}
		rules := l.spec.rules()
		for _, s := range l.grammar().Symbols() {
			rule := rules.of(s)
			if s.Named || !s.Visible || rule.Action != sitter.Leaf || s.Name == "end" || strings.ContainsAny(s.Name, "\"'") {
				continue
			}
			got, ok := l.spec.lexer(nil, []byte("a "+s.Name))
			if !ok || len(got) != 2 || got[1].Kind != rule.Kind || int(got[1].End) != 2+len(s.Name) {
				t.Errorf("%s: %q is read as %v", name, s.Name, got)
			}
		}
	}
}

func sameAsGrammar(t *testing.T, name string, sources []string) {
	grammars(t)
	z := NewTokenizer(Limits{})
	defer z.Close()
	l := ByName(name)
	for _, src := range sources {
		got, ok := l.spec.lexer(nil, []byte(src))
		want, err := z.tokenizeCode(l, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			t.Errorf("%q: refused", src)
		} else if why := difference([]byte(src), got, want.Tokens); why != "" {
			t.Errorf("%q (%d errors): %s", src, want.Errors, why)
		} else if want.Errors > 0 {
			t.Logf("%q: the grammar has errors", src)
		}
	}
}

func TestLexerOfCppOnEdges(t *testing.T) {
	sameAsGrammar(t, "cpp", []string{
		"using namespace std;\nusing std::string;\nusing A = B<int>;\ntemplate <class T> using C = D<T>;\nstruct E : F { using F::F; using F::operator=; using G = H; };\nusing ::a;\n",
		"namespace a {\n#include \"b.h\"\nnamespace { int c; }\n}\nextern \"C\" {\n#include <d>\n}\nint e() {\n#include \"f.h\"\n}\n",
		"struct A { virtual int f() = 0; virtual int g() const = 0; int h = 0; A() = default; A(A const &) = delete; virtual ~A() = /* b */ 0; };\n",
		"struct A final : B { int f() override; int g() const final; int final; int override; auto h() -> int override; };\n",
		"int final = override + 1; void f() { this->final(); delete[] a; delete b; new (c) D[3]; auto d = [=, &e]() mutable { return e; }; }\n",
		"std::vector<std::vector<int>> a; A<B<C<1>>> b; int c = d >> 1; bool e = f<(1 >> 2)>(); e >>= 1; g = h >= i; auto j = k<=>l;\n",
		"struct A { A operator+(A); A operator()(int); A operator[](int); void *operator new(size_t); void operator delete[](void *); operator bool() const; bool operator<=>(A); A operator>>(int); A operator>>=(int); A operator->*(int); A *operator->(); A operator,(A); A operator&&(A); bool operator==(const A &) const; };\n",
		"int operator\"\"_a(char); int operator \"\" _b(char); auto c = 1_a + 2.5_b + \"d\"_e + 'f'_g + 10ms + 0x1fULL + 1'000'000_h + \"\"s + \"\";\n",
		"int a = -1, b = a -1, c = 0b101 + 0xFFu + 017 + 1'000 + 1ll + 1uLL + 5zu; double d = 1. + .5 + 1e5 + 1.5e-3f + 0x1.8p3 + 1.f + 2.L + 1e5L + 0x1p-3 + 1.0bf16 + 0;\n",
		"auto a = R\"(b)\" R\"c(d)\" ) \")c\" u8R\"(e\n\\)\" LR\"(f)\" \"g\" L\"h\" u8\"i\"; auto j = R\"\"\"(k)\"\"\";\n#define A R\"(x)\"\nint b;\n",
		"template <typename T, typename... Args> auto f(T &&t, Args &&...args) -> decltype(t) { return g(std::forward<Args>(args)...) && sizeof...(args); }\n",
		"template <class... T> auto f(T... t) { return (t + ...) && (... || t) && (0 >> ... >> t); }\n",
		"[[nodiscard]] int f(); int g [[maybe_unused]]; int h(a[b[0]]); auto i = [] { return [](int) {}; }();\n",
		"void f() { asm volatile(\"a\" ::: \"memory\"); asm(\"b\" : \"=r\"(c) :: \"cc\"); asm(\"d\" : : \"r\"(e::f)); g::h(); ::i(); }\n",
		"bool a = b and c or not d; int e = f bitand g xor compl h; i and_eq j;\n",
		"int f() try { throw; } catch (...) { } class A { public: A(); private: friend class B; explicit A(int); mutable int c; protected: static_assert(true, \"\"); };\n",
		"template <> struct A<int &&> {}; template <class T> requires B<T> && C<T> void f(); template <typename T> concept D = requires(T t) { t.e(); };\n",
		"enum class A : int { b, c }; auto [d, e] = f(); constexpr auto g = h.*i; void j() noexcept(false); int k = nullptr == NULL || TRUE;\n",
		"#define A(x) operator\"\"x() && [] :: ->* <=> >>= auto this final class template 10_km\nint b;\n",
		"void f() { co_await a; co_yield b; co_return c; if constexpr (d) { } for (auto &&e : f) { } typename A::template B<C>::D e; }\n",
	})
}

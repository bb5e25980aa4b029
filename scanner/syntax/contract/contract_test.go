package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/contract"
)

// signatures returns the fixed stretches of a text, and its tokens.
func signatures(t testing.TB, language, text string) ([]contract.Signature, []lang.Token) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, err := z.Tokenize(lang.ByName(language), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return contract.Find(lang.ByName(language), []byte(text), s.Tokens), s.Tokens
}

// find returns the fixed stretches of a text, joined.
func find(t testing.TB, language, text string) string {
	found, toks := signatures(t, language, text)
	var out []string
	last := 0
	for _, f := range found {
		if f.From < last || f.To <= f.From {
			t.Fatalf("stretch %v behind %d", f, last)
		}
		last = f.To
		one := []contract.Signature{f}
		if contract.At(one, f.From) == nil || contract.At(one, f.To) != nil {
			t.Fatalf("stretch %v does not hold its tokens", f)
		}
		of := strings.Join(f.Of, ",")
		if f.Declares {
			of += "!"
		}
		if f.Unmarked {
			of += "~"
		}
		out = append(out, of+": "+text[toks[f.From].Start:toks[f.To-1].End])
	}
	return strings.Join(out, " | ")
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, language, text, want string }{
		{"trait", "rust", "impl<'a, T: Sync> x::Iterator for Own<'a, T> where T: Clone { type Item = T; fn next(&mut self) -> Option<T> { self.inner.next() } }",
			"Iterator: impl<'a, T: Sync> x::Iterator | Iterator: where T: Clone | Iterator: type Item | Iterator,fn next: fn next(&mut self) -> Option<T> | Iterator,fn next: { self.inner.next() }"},
		{"forwards", "rust", "impl A for B { fn c(&mut self, d: &mut D) -> E { F::new(&mut *self.g.lock()).c(d) } fn h(&self) { self.i() } fn j(&self) { k(); self.l.j() } fn m(&self) { self.n.m(1) } fn o(&self) { self.p().q().r(s).o() } type T = fn(u8) -> u8; }",
			"A: impl A | A,fn c: fn c(&mut self, d: &mut D) -> E | A,fn c: { F::new(&mut *self.g.lock()).c(d) } | A: fn h(&self) | A: fn j(&self) | A: fn m(&self) | A: fn o(&self) | A: type T | A: fn(u8) -> u8"},
		{"attributes", "rust", "#![allow(a)] #[derive(B)] #[command(version, about = \"own\", c = 1)] struct D { #[arg(short, long)] pub e: F, #[doc = \"g\"] #[cfg(h)] i: J } #[k::main] async fn l() { #[serde]\nlet m = n[0]; }",
			": #[command(version, about = | : , c = | : )] | : #[arg(short, long)] | : #[k::main] | : #[serde]"},
		{"unsafe", "rust", "unsafe impl A for B { unsafe fn c(&self) { d() } }", "A: impl A | A: fn c(&self)"},
		{"commas in types", "rust", "impl A for B { type C<D, E> = F<D, E>; fn d<V>(self, v: V) -> Result<V::G, H<I, J>> where V: K<L = u8>, M: N { self.0.d(O(v)) } fn p(&self) -> Result<Q, R> { s } }",
			"A: impl A | A: type C<D, E> | A,fn d: fn d<V>(self, v: V) -> Result<V::G, H<I, J>> where V: K<L = u8>, M: N | A,fn d: { self.0.d(O(v)) } | A: fn p(&self) -> Result<Q, R>"},
		{"own methods", "rust", "impl<F> Own<F> where F: for<'a> Fn(&'a u8) { fn next(&mut self) -> u8 { 1 } }", ""},
		{"type", "rust", "fn a(x: impl Iterator) -> impl Fn() { for i in x { fn b() {} } }", ""},
		{"implementation in a method", "rust", "impl A for B { fn c() { struct V; impl D for V { fn e(self) { f(); } } fn g() {} } fn h() {} }",
			"A: impl A | A: fn c() | D: impl D | D: fn e(self) | A: fn h()"},
		{"parameters of the trait", "rust", "impl From<[u8; 4]> for B { fn c() {} } impl A<Item = Vec<Vec<u8>>> for B { fn d() {} }",
			"From: impl From<[u8; 4]> | From: fn c() | A: impl A<Item = Vec<Vec<u8>>> | A: fn d()"},
		{"array", "rust", "impl A for [u8; 4] { fn c(&self) -> [u8; 4] { d } }", "A: impl A | A: fn c(&self) -> [u8; 4]"},
		{"macro", "rust", "impl A for B { c! { d e } fn f() { g! { h } } }", "A: impl A | A: c! { d e } | A: fn f()"},
		{"declared", "rust", "pub trait A: B { fn c(&self); fn d(&self) { e() } }", "A!: fn c(&self) | A!: fn d(&self)"},
		{"without an end", "rust", "impl A for B { fn c(", "A: impl A"},
		{"brackets that only close", "rust", "impl A for B { fn c>>> { d() } }", "A: impl A"},
		{"method and property", "csharp", "class A : S { public override bool CanRead => s.CanRead; public override int Read(byte[] b) { return 1; } public int Own() { return 2; } }",
			": override bool CanRead | : override int Read(byte[] b)"},
		{"interfaces", "csharp", "class A<T>(int b) : Base, IColumn, System.IRow where T : IOwn { public string Id => c; int own(int d) { return d; } } class E : Base { public int Own() { return 1; } }",
			"IColumn,IRow: public string Id"},
		{"declared", "csharp", "interface IA { int B(int c); string D { get; } } class F { public int Own() { return 1; } }", "IA!: int B(int c) | IA!: string D"},
		{"a class without a body", "csharp", "record A(int B) : IColumn; class C { public int Own() { return 1; } }", ""},
		{"indexer", "csharp", "class A : IBase { public int this[int c] { get { return d[c]; } } void Own(int e) { f(g => { h(); }); } }", "IBase: public int this[int c]"},
		{"declared", "java", "@interface N { int n(); } interface A<T> extends B { Map<K, T> c(int d) throws E, F; default int g() { return h(); } }",
			"A!: Map<K, T> c(int d) throws E, F | A!: default int g()"},
		{"elements of an annotation", "java", "import a.b; @Target({C, D}) @E @Documented @F(g = H.class) @interface N { String i() default \"j\"; Class<?>[] k() default {}; } @Target(C) public @interface L { int m(); }",
			"F,E: String i() default \"j\" | F,E: Class<?>[] k() default"},
		{"implemented", "java", "class A extends S implements x.B<T>, C { public int d = 1; public Map<K, V> e(int f) throws G { return h; } int own() { return 1; } public static int i() { return 2; } }",
			"B,C: public int d | B,C: public Map<K, V> e(int f) throws G"},
		{"no body of its own", "java", "class A extends S { @Override public boolean b(int c) throws D { return false; } @Override @E protected void f() {} @Override public void g() { throw new H(\"i\"); } @Override public int j() { return k; } @Override public void l() { m(); } public int n() { return 0; } }",
			": @Override public boolean b(int c) throws D { return false; } | : @Override @E protected void f() {} | : @Override public void g() { throw new H(\"i\"); } | : @Override public int j() | : @Override public void l()"},
		{"no body of its own, in a class that implements", "java", "class A implements B { @Override public void f() { g(); } @Override public int c() { return -1; } @Override public int d() { return 1; } public int e() { return 2; } }",
			"B: @Override public void f() | : @Override public int c() { return -1; } | : @Override public int d() { return 1; } | B: public int e() { return 2; }"},
		{"anonymous", "java", "class A { A b() { return new x.C<T>(d(e)) { public int f() { return g(new H()); } int own() { return 1; } }; } public int i() { return new int[] { 1 }; } }",
			"C: public int f()"},
		{"overrides", "cpp", "class A final : public B { public: A(int c) : d(c) {} virtual int e(const F<G> &f, int h = 1) const override { return d; } bool i() override; int own() { return 2; } }; void A::j() { k(); }",
			": virtual int e(const F<G> &f, int h = 1) const override | : bool i() override"},
		{"types of stdint.h", "cpp", "typedef signed __int8 int8_t; typedef unsigned long long int uint64_t; typedef int own; typedef struct { int a; } uint32_t; struct B : C { void d() override; };",
			": typedef signed __int8 int8_t; | : typedef unsigned long long int uint64_t; | : void d() override"},
		{"types of stdint.h", "c", "typedef unsigned short uint16_t; typedef int (*own)(int32_t); struct override { int virtual; };", ": typedef unsigned short uint16_t;"},
		{"overrides without code of their own", "cpp", "struct A : B { bool c(D &e) override { return true; } void f() noexcept override {} int g() override final { return -1; } G *h() override { return nullptr; } int i() override { return j; } };",
			": bool c(D &e) override { return true; } | : void f() noexcept override {} | : int g() override final { return -1; } | : G *h() override { return nullptr; } | : int i() override"},
		{"what may be overridden", "cpp", "class A : virtual public B { virtual void c(int d) const = 0; virtual int e() { return 1; } void override(); int own() { return 2; } };",
			"!: void c(int d) const | !: int e()"},
		{"operators that compare", "cpp", "class A { friend bool operator==(const A &a, const A &b) { return a.c == b.c; } D operator-(const A &b) { return c - b.c; } bool operator<(A b) const { e(); return c < b.c; } public: bool operator!=(const A &b) const noexcept { return !(*this == b); } }; template <typename T> auto operator>=(F<T> a, F<T> b) -> bool { return g::h(a) >= b; } bool operator>(F a);",
			": friend bool operator==(const A &a, const A &b) { return a.c == b.c; } | : bool operator!=(const A &b) const noexcept { return !(*this == b); } | : template <typename T> auto operator>=(F<T> a, F<T> b) -> bool { return g::h(a) >= b; }"},
		{"overrides", "swift", "class A: B { override func c(_ d: E, f: G) -> H { return i }\n override var j: K { return l }\n func own() {} }", ": override func c(_ d: E, f: G) -> H | : override var j: K"},
		{"overrides", "scala", "class A extends B with C { override def d(e: F): G = h\n override val i: J = k\n private def own = 1 }; class L { def m(n: O) = p }", ": override def d(e: F): G | : override val i: J"},
		{"implemented without the word", "scala", "class A(val b: C)(implicit d: E[C]) extends F(b) { def g(h: C): I\n def j[K](l: K): M = { def own() = 1 }\n private[n] def own = 2\n protected def o: P = q }; case class R(s: T) extends U\n object V { def own = 3 }",
			"~: def g(h: C): I | ~: def j[K](l: K): M | ~: def o: P"},
		{"of a trait in the same file", "scala", "class A extends B { def c(d: E): F = g }; val h = new B { def c(d: E): F = i }; trait B", ""},
		{"of an anonymous class, a given and a trait", "scala", "object A { val b: C[D] = new x.C[D](e) with F { def g(h: D): I = j }; given K[D] with { def l(m: D): I = n }; trait O { def p(q: R): S }; val s = new T(u); def own(v: W) = { x } }",
			"~: def g(h: D): I | ~: def l(m: D): I | ~: def p(q: R): S"},
		{"dependencies", "scala", "libraryDependencies ++= Seq(\"a.b\" %% \"c\" % D.e % Test, \"f\" %%% \"g\" % \"1.2\"); addSbtPlugin(\"h\" % \"i\" % \"3\"); val own = j % 2",
			": \"a.b\" %% \"c\" % D.e % Test | : \"f\" %%% \"g\" % \"1.2\" | : \"h\" % \"i\" % \"3\""},
		{"elements of XML", "scala", "val a = <b><c>d</c>\n<e/>\n</b>\nval own = f <g && h> i; val j = k < l > m", ": <b>< | : c> | : </c> | : </b>"},
		{"indented bodies", "scala", "class A(val b: C) extends D:\n  def e(f: G): H =\n    def own(i: J) = i\n    own(f)\n  private def own = 1\n  val k: L = new M[N](o):\n    def p(q: R): S = t\n  def u(v: W): X = y\nend A\ndef own(z: A) = z\n",
			"~: def e(f: G): H | ~: val k: L | ~: def p(q: R): S | ~: def u(v: W): X"},
		{"indented bodies of a given, an enumeration and a trait", "scala", "object O:\n\tgiven a: B[C] with\n\t\tdef d(e: C): F = g\n\n\tgiven h: B[I] = j\n\tdef own(k: L) = m\nenum N(o: P) extends Q:\n\tcase R extends N(s)\n\tdef t: U = v\ntrait W:\n\tdef x(y: Z): A\n",
			"~: def d(e: C): F | ~: def t: U | ~: def x(y: Z): A"},
		{"braces and indented bodies", "scala", "class A extends B {\n  object C:\n    def own = 1\n  def d(e: F): G = { h\n}\n}\nclass I extends J:\n  def k(l: M): N = o match {\ncase p => q\n  }\n  def r(s: T): U = v\nenum.own { def w = 1 }\nobject X extends Y:\n\ndef own = 2\n",
			"~: def d(e: F): G | ~: def k(l: M): N | ~: def r(s: T): U"},
		{"not marked", "go", "func (a A) Read(b []byte) (int, error) { return 0, nil }", ""},
	} {
		if got := find(t, c.language, c.text); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestTypeOfTrait: a trait is the type of what overrides in it, so that a copy of it keeps its evidence.
func TestTypeOfTrait(t *testing.T) {
	for _, text := range []string{
		"trait Ledger extends Book { override def total: Sum = sum }",
		"trait Ledger extends Book:\n  override def total: Sum = sum\n",
		"enum Ledger extends Book:\n  case Open\n  override def total: Sum = sum\n",
	} {
		typeOfTrait(t, text)
	}
}

// TestTypeOfAttribute: the item below is the type of an attribute, so that a copy of the item keeps its evidence.
func TestTypeOfAttribute(t *testing.T) {
	for text, want := range map[string]string{
		"#[command(a)] #[derive(B)] pub struct Ledger(u8);": "Ledger",
		"enum Ledger { #[error(a)] B }":                     "Ledger",
		"#[serde(a)] b: u8, fn own() {}":                    "own",
	} {
		found, toks := signatures(t, "rust", text)
		if len(found) != 1 || found[0].Type < 0 {
			t.Errorf("%s: %+v, want one signature with a type", text, found)
			continue
		}
		if at := toks[found[0].Type]; text[at.Start:at.End] != want {
			t.Errorf("%s: the type is %s, want %s", text, text[at.Start:at.End], want)
		}
	}
}

func typeOfTrait(t *testing.T, text string) {
	found, _ := signatures(t, "scala", text)
	if len(found) != 1 || found[0].Type != 1 {
		t.Errorf("%+v, want one signature of the trait", found)
	}
}

func TestFixes(t *testing.T) {
	s := func(declares bool, of ...string) *contract.Signature {
		return &contract.Signature{Of: of, Declares: declares}
	}
	beside := func(declares bool, of ...string) *contract.Signature {
		return &contract.Signature{Of: of, Declares: declares, Beside: true}
	}
	override := func(of ...string) *contract.Signature {
		return &contract.Signature{Of: of, Beside: true, Override: true}
	}
	stub := &contract.Signature{Stub: true}
	unmarked := &contract.Signature{Unmarked: true}
	for _, c := range []struct {
		name string
		a, b *contract.Signature
		want bool
	}{
		{"one interface", s(false, "A", "B"), s(false, "B"), true},
		{"two", s(false, "A"), s(false, "B"), false},
		{"two, both methods forward to one of their name", s(false, "A", "fn c"), s(false, "B", "fn c"), true},
		{"one is not named", s(false), s(false, "B"), true},
		{"an interface and who implements it", s(true, "A"), s(false, "A"), true},
		{"a copy of an interface", s(true, "A"), s(true, "A"), false},
		{"an interface of Java and who implements it", beside(true, "A"), beside(false, "A", "B"), true},
		{"two that implement an interface of Java", beside(false, "A"), beside(false, "A"), false},
		{"two methods without code of their own", stub, stub, true},
		{"a method without code of its own and another", stub, override(), true},
		{"a method without code of its own and one of a class that implements", stub, override("A"), true},
		{"methods without code of two classes that implement", &contract.Signature{Of: []string{"A"}, Stub: true}, &contract.Signature{Of: []string{"A"}, Stub: true}, true},
		{"methods without code of two classes that implement different interfaces", &contract.Signature{Of: []string{"A"}, Stub: true}, override("B"), false},
		{"two methods of Scala, one without the word override", unmarked, s(false), true},
		{"a method of Scala without the word override and a stub", unmarked, stub, true},
		{"two methods of Scala without the word override", unmarked, unmarked, false},
		{"two methods with code", override(), override(), false},
		{"a method with code and one of a class that implements", override(), override("A"), false},
		{"two methods of classes that implement", override("A"), override("A"), false},
		{"an interface and a method with code that the class does not have from one", beside(true, "A"), override(), false},
		{"an interface and a method with code of who implements it", beside(true, "A"), override("A"), true},
	} {
		if contract.ShareInterface(c.a, c.b) != c.want || contract.ShareInterface(c.b, c.a) != c.want {
			t.Errorf("%s: want %t", c.name, c.want)
		}
	}
}

func ExampleFind() {
	text := []byte("impl Iterator for Own { fn next(&mut self) -> Option<u8> { self.0.next() } }")
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, err := z.Tokenize(lang.ByName("rust"), text)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range contract.Find(lang.ByName("rust"), text, s.Tokens) {
		fmt.Println(string(text[s.Tokens[f.From].Start:s.Tokens[f.To-1].End]))
	}
	// Output:
	// impl Iterator
	// fn next(&mut self) -> Option<u8>
	// { self.0.next() }
}

// TestOpenAttributes: attributes that do not end are not searched from each other.
func TestOpenAttributes(t *testing.T) {
	if got, _ := signatures(t, "rust", strings.Repeat("#[", 20000)); len(got) > 0 {
		t.Errorf("%d signatures", len(got))
	}
}

package lang

import "testing"

// TestLexerOfRustOnEdges: macros, lifetimes, ranges and numbers, which only their surroundings distinguish.
func TestLexerOfRustOnEdges(t *testing.T) {
	sameAsGrammar(t, "rust", []string{
		"macro_rules! a { ($b:expr, $($c:tt),* ; $d:ident) => { $b; $( f($c) )+ ; $($d)? }; () => {}; }\n",
		"macro_rules! a { ($($x:ident = $($y:ty)|+),+ $(,)?) => { $( let $x = 'b'; 'l: loop { break 'l } )* $crate::d!(); }; }\n",
		"macro_rules! a ( ($b:lifetime) => { fn f<$b>() { x.0.1 } } );\nfn g() { x.0.1; y.1 .2; }\n",
		"fn f() { a!(b.0.1, 'c', 'd, \"e\", r\"f\", else in move dyn ref extern try yield); a![$x $ (y)*]; b! { use c; } }\n",
		"fn f<'a, T: ?Sized + 'static>(x: &'a mut T, y: &&'a str) -> Vec<Vec<u8>> where for<'b> T: A<&'b u8> { 'l: for i in 0..=9 { continue 'l; } loop {} }\n",
		"fn f() { let a = || 1; let b = |x: u8| -> u8 { x }; let c = a || b && c; let d = &&e; f(move || g); let h = x >> 1 << 2; i >>= 1; j <<= 2; k >= l; }\n",
		"fn f() { let a = [1, 1_000, 0x1F_u8, 0b1_0, 0o17, 1u32, 1.0, 1., 1e5, 1.5e-3f64, 2.0f32, 1f32, 0xE+1, 1_f32, 1.max(2), 1..2, 0usize]; }\n",
		"fn f() { a[..]; a[1..]; a[..2]; a[..=2]; match b { 1..=2 => c, 'a'..='z' | '0'..='9' => d, e @ 3.. => f, _ => g } }\n",
		"const A: &str = \"b\\\"c\\\\\" ; const D: &[u8] = b\"e\\n\\\n  f\"; const G: char = '\\''; const H: u8 = b'\\\\'; const I: &CStr = c\"j\"; const K: char = 'é';\n",
		"const A: &str = r\"b\\\" ; const C: &str = r#\"d\"e\"#; const F: &[u8] = br##\"g\"#h\"##; const I: char = '\\u{1F600}'; const J: u8 = b'\\x7f'; const L: char = '\"';\n",
		"fn r#type(r#in: r#match) { let r = r#in; let b = br; let c = r; } fn g() { let x: &'r u8 = a; }\n",
		"/* a /* b */ c */ /** d */ /*! e */ /**/ /***/ /* f // */ struct G; // h /* i\n/// j\n//! k\n////l\nmod m;\n",
		"use a::{self, b as c, d::*, super::e}; pub(crate) use f; pub(in g::h) use i as _; extern crate j; pub extern crate k as l; use ::m; crate use n;\n",
		"#![a(b = \"c\", d('e))] #[f::g] #[derive(H, I)] #[j = \"k\"] struct L { #[m] n: o }\n#!\n[p] fn q() {}\n",
		"#!/usr/bin/env run\nfn main() {}\n",
		"impl !Send for A {} fn f() -> ! { if !(a) { return !(b) } c != d; e!(f); g::h![i]; union!(j) }\n",
		"union A { b: u8 } fn union(default: u8) { let gen = union + default; let raw = &raw const x; let (_, _a) = b; c(_); }\n",
		"fn f() { let A { ref b, mut c, .. } = d else { return }; e = async move { f.await? }; unsafe { *g = h as *const u8 } static mut I: u8 = 0; }\n",
		"type A = Box<dyn Fn(&'static str) -> Result<(), <<B as C>::D as E>::F> + Send>; fn f() { g::<<H as I>::J>(); Vec::<u8>::new(); }\n",
		"\ufefffn f() {\r\n}\r\n",
	})
	refuses(t, "rust", []string{"fn f() { ..=..=.. }", "fn f() { let ():::A = (); }", "fn f<'1>() {}"})
}

// refuses wants each text to be left to the grammar.
func refuses(t *testing.T, language string, sources []string) {
	t.Helper()
	for _, src := range sources {
		if _, ok := ByName(language).spec.lexer(nil, []byte(src)); ok {
			t.Errorf("%s: %q is not refused", language, src)
		}
	}
}

package lang

import "testing"

// Strings with code, directives, imports and words that mean something in places.
func TestLexerOfCSharpOnEdges(t *testing.T) {
	sameAsGrammar(t, "csharp", []string{
		"global using A.B; using static C; using D = E.F<G, H>; using unsafe I = J*; extern alias K; using global::L;\nnamespace M.N;\n",
		"class A { void B() { using (var c = d) { } using var e = f; using G h = i(); using (j) k(); await using var l = m; } }",
		"namespace A.B { using C; class D { } }",
		"class A { string B = $\"a{b}c{d:e}f{g,3:h i}\"; string C = $\"{{x}} {y}}}\"; string E = $\"{ f }\"; string G = $\"{h }\\\"{i}\"; }",
		"class A { string B = $@\"c\"\"d{e}\\\nf\"; string G = @$\"h{i:j}\"; string K = @\"l\"\"m\\\" + @\"\"; string N = $@\"{o}\"; }",
		"class A { string B = \"\"\"c \"d\" \"\" e\"\"\"; string F = \"\"\"\"\n  g\"\"\"h\n  \"\"\"\"; string I = $\"\"\"j{k}\"l\"\"\"; string M = $$\"\"\"{n}{{o}}{{p:q}}\"\"\"; }",
		"class A { string B = $\"{(c ? d : e)}{f ? g : h}{i?.j:k}{l[m ? n : o]:p}{$\"{q:r}\"}{s ?? t:u}{new { V = 1 }}{w(x: y)}\"; }",
		"class A { string B = $\"{c}}}d\"; string E = $\"{f\n}\"; string G = $\"{h(\"i\")}{'}'}{@\"j\"}\"; }",
		"#if A && !B || (C == true)\nclass D { }\n#elif E\n#else\n#endif\n#region some text, isn't \"it\" // yes\nclass F { }\n#endregion\n#  region\n#endregion  \n",
		"#pragma warning disable CS0168, 618 // a\n#nullable enable\n#line 3 \"b\"\n#line hidden\n#define C\n#undef D\n#error don't\n#warning e /f >= >>\nclass G { }\n",
		"class A { int b = 1_000, c = 0xFF_FFuL, d = 0b1_0, e = 1L + 2U + 3ul; double f = 1.5e-3 + .5f + 1e5 + 1d + 2m + 1.0M; string g = 1.ToString() + a[0..^1] + b[..2]; }",
		"class A { char b = '\\'', c = '\"', d = '\\u0027', e = '\\\\', f = '\\0'; string g = \"\\\"\\\\\" + \"// h\" + \"/*\" + \"i\"u8; }",
		"class A<T> : B<List<C<T>>> where T : class, new() { int d = e >> 1; int f = g >>> 2; bool h = i >= j; void K() { l >>= 1; m >>>= 2; n <<= 1; o ??= p ?? q; } }",
		"class A { bool B(object c) => c is D { E: > 0 and < 5 or not null } or (F, _) and [1, .., var g] || h is not i; int J => k switch { 1 when l => 2, _ => 3 }; }",
		"class A { void B() { var c = from d in e where f group g by h into i orderby j descending select k; yield return l; yield break; } }",
		"class A { int get, set; int value { get; set; } int record { get => field; init { } } event B c { add { } remove { } } [return: D] [field: E] int f; }",
		"class A { Func<int, int> b = x => x; Func<int> c = static async () => await d; Func<int> e = delegate { return 1; }; F g = async h => i; }",
		"static class A { static int B(this C d, ref E f, in G h, out I j, params K[] l, scoped ref M n) => 1; required int o; file class P { } partial void Q(); }",
		"unsafe class A { int* b; delegate*<int, void> c; delegate* unmanaged[Cdecl]<int> d; void E() { int* f = stackalloc int[3]; g->h = *i & j && (k) && l; fixed (int* m = n) { } } }",
		"class @class { int @int, _é1; object o = nameof(@class) + global::A.B; T d<T>() => default(T); int e = default; A? f; int? g = h ? i : j; }",
		"record A(int B, string C) : D(B); record struct E; record class F { } class G(int h) { } enum I : byte { J, K = 2, }\n",
		"class A { public static A operator +(A b) => b; public static bool operator true(A c) => true; public static implicit operator int(A d) => 0; ~A() { } int this[int e] => e; }",
		"// a\r/* b */ class /* c\n*/ D { } /// <e/>\n",
		"\ufeffusing A;\r\nclass B { }\r\n",
	})
	refuses(t, "csharp", []string{
		"class A { string B = $\"\"; }", "class A { };", "enum A { B };", "record A { int b; };", "class \\u0041 { }", "$\"{a", "class A { string B = $@\"{c}\"\"{d}\"; }", "class A { string B = $\"a\nb\"; }",
	})
}

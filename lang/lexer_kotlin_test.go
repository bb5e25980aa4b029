package lang

import "testing"

// Strings with code, labels, types, and words that mean something in places.
func TestLexerOfKotlinOnEdges(t *testing.T) {
	sameAsGrammar(t, "kotlin", []string{
		"@file:JvmName(\"A\")\n@file:Suppress(B::class, \"c\")\npackage d.internal.e;\nimport f.*\nimport g.h as i; import j.data.`in`\nval k = import\n",
		"#!/usr/bin/env kotlin\nimport a.b\nfun c() { import(d) }\n",
		"val a = \"b ${c} d ${e[\"f\"]} ${g { it }} $h i \\\" \\$ $\" + \"\" + \"${\"${j}\"}\" + \"k\n\"\n",
		"val a = \"\"\"b \"c\" \"\" $d ${e} $_f $1 \\\"\"\" + \"\"\"\"\"\" + \"\"\"g\"\"\"\"\nval h = 1\n",
		"val a = '\\'' + '\"' + '\\\\' + '\\u0041' + 'é' + '$'\n",
		"val a = 1 + 1_000 + 0xFF_FFuL + 0b1_0 + 1L + 2u + 1.5 + .5f + 1e5 + 1.5e-3F + 1f + 1.toInt() + 1..2 + 0..<n + 1_0.0_1\n",
		"/* a /* b */ c */ /** d */ /**/ /***/ /*/ e */ class F // g /* h\n",
		"fun a() { b@ for (c in d) { continue@b }; e.f g@{ return@g }; this@H.i; super@J.k(); super<L>.m(); break; return@n 1 }\n",
		"fun String?.a(b: (C?) -> D, vararg e: F) = b?.c!!.d ?: e!!; val g = !!h; val i = j >= k; val l: M<N<*>>? = o as? P\n",
		"fun a(b: Any) = if (b !in c && b !is D && b in e || !inner && !isF) g else h\n",
		"val a = when (b) { is C, !is D -> e; in f, !in g -> h; else -> { } }\nval i = when { j is K -> l; else -> m }\n",
		"enum class A(val b: Int) { C(1), D(2) { override fun e() = f };\n object E { const val G = null\n }\n}\n",
		"data class A<out B : C, in D>(val e: E = F(), private var g: H) : I(e), J by k where B : L { init { m() }\n constructor() : this(1) }\n",
		"inline fun <reified T> a(crossinline b: () -> T): T & Any where T : C = b() infix d\n",
		"var a: Int = 1\n    get() = field\n    private set(value) { field = value }\nval b by lazy { c }\nval d; val e\n",
		"interface A { val get: Int\n fun set(value: Int)\n fun open() }\nobject E { val value = true != false\n }\n",
		"val a = object : B(), C { override fun d() {} }\nval (e, _) = f\nval g = { h: I, (j, k) -> l }\nval m = N::o; val p = Q::class; val r = ::s\n",
		"@A(b = 1) @get:C @field:[D E] val f = @G h\nfun i(@J k: L<@M N>) {}\ntypealias O = suspend P.(Q) -> R\n",
		"try { a } catch (b: C) { d } finally { e }\ndo { f } while (g)\nwhile (h) i++\nj += k; l -= m; n *= o; p /= q; r %= s\nif (t) ; else u\n",
		"val a = b === c || d !== e && f == g || h != i || j <= k || l < m\nval naïve = --n + -o - +p\nval `q r` = `q r`\n",
		"\ufeffpackage a\r\n\r\nclass B\r\n",
	})
	refuses(t, "kotlin", []string{
		"val a = b !is C\n", "fun a() = b ?  .c\n", "val a: B? /* c */\n", "val a = B?::c\n", "val a = when { !include -> b }\n", "fun a() { return !inner }\n",
	})
}

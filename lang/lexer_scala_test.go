package lang

import "testing"

// Strings with code, operators of any length, names with signs, clauses, and words of one of both versions of the language.
func TestLexerOfScalaOnEdges(t *testing.T) {
	sameAsGrammar(t, "scala", []string{
		"#!/usr/bin/env scala\n//> using dep a::b:1\npackage c.d\npackage e\nimport f.{g, h => i, _}, j.k.*, l.m as n\nimport o.->\nexport p.q\nval r = s\n",
		"package a {\n  package b { import c._\n object D }\n}\npackage object e { val f = 1 }\n",
		"val a = s\"b $c d ${e + f\"${g}h\"} $$i $\"j\\n\" + raw\"\"\"k \"$l\" ${m(\"n\")}\"\"\"\" + \"$o\" + \"\"\"p $q \"\"r\"\"\"\n",
		"if (a) s\"b$c\" else d + s\"$e\" max f\nval g = h map i mkString s\"$j\"\nval k = (l) m s\"$n\"\nval o = p \"q$r\"\n",
		"val a = 'b' + '\\n' + '\\u0041' + '\\'' + 'c.d + '\"' + '漢'\n",
		"val a = 1 + 1_000L + 0xFFl + 1.5 + .5f + 1e5 + 1.5e-3D + 1f + -1 - -2.0 + 1.toInt + 2_3_4\n",
		"def unary_! = a_?; var b_= = c; def d_+(e: F*) = g(e: _*); `h i` = $j + k$l + __*\n",
		"val a = b :: c ::: d :+ e +: f ++ g /: h \\/ i ~> j <:< k l; m += 1; n ||= !o; p ~ -q\n",
		"class A[+B, -C <: D, E >: F : G, H[_], I <% J](val k: L = m, private[n] var o: => P) extends Q(r) with S { self: T => }\n",
		"def a: B[?, *] = c match { case d :: Nil if e => f; case g @ H(_, i: J) => k; case ::(l, m) => n; case _ | -1 => this }\n",
		"/* a /* b */ c */ val d = /**/ 1 // e /* f\n/* http://g */ val h = 2 /*** i\n **/\n",
		"enum A(val b: Int) derives C:\n  case D extends A(1)\n  case E, F\ngiven g: H[I] with\n  def j = ???\nend g\nextension (k: L) def m = n\n",
		"def a(using b: C): D =\n  if e then f else g\ninline def h(inline i: J) = ${k('i)}\nopaque type L = M\ntype N = [X] =>> O[X]\nval p = new Q { override def r = super.s }\n",
		"@a(b = 1) final case class C() ; lazy val d: E @f = null; for { g <- h; i = j if true } yield try k catch { case l: M => throw l } finally n\n",
		"abstract class A { type B; implicit def c(d: Int): E#F; do g while (h); return while (i) { j = false } }\n",
		"\ufeffobject A\r\n\r\nclass B\r\n",
	})
	refuses(t, "scala", []string{"val a = s\"b$ c\"\n", "val a = \"b\n\"", "val a = \"\"\"b\"\"", "val a = s\"b"})
}

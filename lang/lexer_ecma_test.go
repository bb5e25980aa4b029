package lang

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// scriptEdges is JavaScript that all four languages of the family read, TypeScript
// by the same rules. It has code that only a parse can classify, and code that the
// grammar reads in a way of its own.
var scriptEdges = []string{
	"",
	"\n\n",
	"#!/usr/bin/env node\n// a\r\n/* b */ c; /**/ /* d\n*/ e; // f\u2028g\n",
	"\ufeffa\u00a0=\u2003b\u200b;\n",
	// Words.
	"a.delete(b.if, c?.new, d.await).catch(e).undefined.null.true.this.function;\n",
	"a = { delete: 1, if() { return 1; }, get: 2, set: 3, get b() { return 1; }, set b(c) {}, async: 4, async d() {}, async *e() {}, *f() {}, static: 5, of: 6, from: 7, get() {}, set() {}, async() {}, get, set, async, static };\n",
	"class A extends B { static c = 1; static async d() {} static *e() {} get f() { return this.#g; } #g = 1; static { h(); } static get i() { return 1; } delete() {} get; set; 'j' = 1; [k] = 2; 3 = 4; async\nl() {} #m() { return #g in this; } static() {} }\n",
	"const get = 1; let set = 2; var of = 3, from = 4, as = 5, target = 6, meta = 7; async(get, set); of.from(as);\n",
	"for (const a of b) c(a); for (const a in b) c(a); async function f() { for await (const a of b) await a; } for (of of of) ;\n",
	"function F() { new.target; return import.meta.url; }\nimport('a').then(b);\nconst c = await import('d');\n",
	"function* f() { yield; yield a; yield* b; const c = yield d; }\nlabel: while (1) { continue label; break label; }\n",
	"switch (a) { case 'b': case c.d: e(); default: f(); }\ndo a(); while (b) debugger; with (a) b;\ntry { a(); } catch { b(); } finally { c(); }\n",
	"a = null; b = undefined; c = true; d = false; e = void 0; f = typeof g === 'undefined'; h = i instanceof j; k = super.l;\n",
	"ünïcode = π + \\u0061b + c\\u{64}e + _$1 + ℮\u200d;\n",
	// Numbers.
	"a = 0 + 1 + 1. + .5 + 1.5 + 1e3 + 1E-3 + 1.e5 + .5e+1 + 0x1F + 0XaB + 0b11 + 0o17 + 017 + 08 + 08.5 + 1_000.000_1 + 0xa_b + 10n + 0xfn + 0b1n + 1..toString() + 1.0.toFixed();\n",
	// Strings.
	"a = 'b\\'c' + \"d\\\"e\" + 'f\\\ng' + 'h\\\r\ni' + '\\u{1F600}\\x41\\101\\0' + '' + \"\" + '/* no */ // comment' + \"\u2028\";\n",
	// Regular expressions, and divisions.
	"a = /b/; c = /d/gi.test(e); f(/g\\/h/, /[/]/, /[\\]/]/y); i = [/j/, /=k/]; l = { m: /n/ }; o = p ? /q/ : /r/u; s = !/t/.test(u); v = w && /x/ || /y/;\n",
	"a = b / c / d; e = (f) / g / h; i = j[k] / l / m; n = 1 / 2 / 3; o = 'p' / q / r; s = `t` / u / v; w++ / x / y; z = this / a / b;\n",
	"if (a) /b/.test(c); while (a) /b/g.exec(c); for (;;) /a/.test(b); else_(a) / b / c; a.if(b) / c / d;\n",
	"function f() { return /a/g; } typeof /a/; throw /a/; do /a/.test(b); while (c)\n",
	"a = / b/; c = /\\d{1,2}[^/\\]]+(?:x|y)$/gimsuy; d = /#/; e = /'/; f = /`/; g = /\"/; h = a /= 2; i = /[[]/; j = /{/;\n",
	"a = b\n/c/d\n",
	// Operators.
	"a = b + c - d * e % f ** g & h | i ^ j << k >> l >>> m; n += 1; n -= 1; n *= 1; n /= 1; n %= 1; n **= 1; n &= 1; n |= 1; n ^= 1; n <<= 1; n >>= 1; n >>>= 1; n &&= 1; n ||= 1; n ??= 1;\n",
	"a = b == c != d === e !== f; g = h < i; j = k > l; m = n <= o; p = q >= r; s = !t; u = ~v; w = x ? y : z; a = b ?? c; d = -e; f = +g; h++; --i; j = k+ +l - -m; n = o+++p; q = r>=-s;\n",
	"a?.b; a?.[b]; a?.(b); a ? .5 : 1; f(...a); [...b]; ({ ...c }); (a, b) => c; a => ({}); async a => b; async (a) => b; ({ a = 1, b: { c } } = d);\n",
	"while (n-- > 0) n--;\nwhile (n-->0) ;\n",
	// Templates.
	"a = `b`; c = ``; d = `e${f}g${h}`; i = `${j}`; k = `l\\`m\\${n`; o = `$p$$ {q}`; r = s`t`; u = `v${`w${x}y`}z`; a = `${{ b: { c: 1 } }.b}${() => { return `}`; }}`;\n",
	"a = `b\n// no comment ${c /* d */ } 'e`; f = `/`; g = `${h / i / j}`; k = `${/}/.test(l)}`;\n",
	// Statements without semicolons.
	"let a = b\nlet c = d\n++e\nf()\n;[g].h()\nconst i = () => {}\nj\n",
	"@a class B { @c() d() {} @e.f g = 1; @h() static i() {} }\nexport @j class K {}\n",
	// Imports.
	"import 'a';\nimport b from 'c';\nimport * as d from \"e\"\nimport { f, g as h, default as i, 'j-k' as l, } from 'm';\nimport n, { o } from 'p';\nimport q, * as r from 's';\na = 1;\n",
	"import {\n  a, // b\n  /* c */ d,\n}\n  from\n  'e'\n;\nf();\n",
	"import from from 'a';\nimport as from 'b';\nimport { from } from 'c';\nimport { as as as } from 'd';\nimport async, { get } from 'e';\n",
	"import a from 'b' with { type: 'json' };\nimport c from 'd' with { e: 'f' }\ng();\n",
	"import('a');\nimport.meta.b;\na.import('b');\nc = { import: 1, export: 2, from: 'd' };\nimport 'e'\nf()\n",
	"export * from 'a';\nexport * as b from 'c';\nexport { d, e as f, default } from 'g'\nexport { h };\nexport { i as 'j' }\nexport * as 'k l' from 'm';\nexport { 'n' as o } from 'p';\nq();\n",
	"export default a;\nexport const b = 1;\nexport function c() {}\nexport class D {}\nexport default { from: 'e' };\nexport { from };\nexport { f }\nimport g from 'h'\n",
}

// elementEdges is what JavaScript and TSX read alike.
var elementEdges = []string{
	"a = <b/>; c = <d />; e = <f></f>; g = <></>; h = <i.j.k/>; l = <m:n o:p=\"q\"/>; r = <s-t u-v=\"w\" x='y' z />;\n",
	"a = <b c={d} {...e} f={`g${h}`} i=<j/> k=\"l &amp; m\n n\">o &lt; p's \"q\" // r {s} {/* t */} {u ? <v>w</v> : null}</b>;\n",
	"function f() { return <a>\n  don't 12 px, 3d — naïve &nbsp;&#160; /* x */\n  <b>{c}</b> {' '}\n</a>; }\n",
	"a = b < c; d = e ? <f/> : <g/>; h = i && <j>k</j>; l(<m/>, <n/>); o = [<p/>]; q = () => <r/>; s = (<t\n // u\n v /* w */ x={1}\n/>); y = <z/> / 2;\n",
	"a = <b c={() => { return d / e; }}>{f.map(g => <h key={g}>{/i/.test(g)}</h>)}</b>\n",
	"a = <default class=\"b\" for={c}>import d from 'e'; `f` ${g}</default>;\n",
}

// typeEdges is what TypeScript and TSX read alike.
var typeEdges = []string{
	"type A = string | number | boolean | any | unknown | never | object | symbol | void | null | undefined | bigint | this;\n",
	"type A<T> = { readonly [K in keyof T]?: T[K] }; type B<T> = { -readonly [K in keyof T]-?: T[K] }; type C<T> = { +readonly [K in keyof T as D<K>]+?: T[K] };\n",
	"type A<T> = T extends (infer U)[] ? U : never; type B = typeof a; type C = keyof typeof b; type D = `a${string}b`; type E = [a: string, b?: number, ...c: d[]]; type F = A['b'][number];\n",
	"let a: Array<Array<Map<string, Set<number>>>> = b; let c: A<B<C>>= d; let e = f as G<H<I>>; x = a >> b >>> c;\n",
	"interface A<T = {}> extends B, C<D> { (a: string): b; new (c: number): d; readonly e?: f; g<T>(h: T): i; [j: string]: k; get l(): m; set l(n: m); delete(o: p): void; import: string; from: 'q' }\n",
	"abstract class A<T extends B = C> extends D<T> implements E, F { private a?: string; public static readonly b: number = 1; protected c!: d; constructor(private readonly e: f, public g?: h) { super(); } abstract i(): void; override j(): k { return l!; } declare m: n; accessor o = 1; static p<T>(this: A, q: T): asserts q is r { } private abstract readonly s; }\n",
	"enum A { B = 1, C = 'd', 'e' = 2, import, from }\nconst enum F { G }\ndeclare enum H { I }\ndeclare module 'j' { export const k: l; }\ndeclare global { interface M {} }\nnamespace N.O { export type P = Q; }\ndeclare const r: unique symbol;\ndeclare function s(t: u): v;\n",
	"const type = 1, declare = 2, namespace = 3, module = 4, readonly_ = 5, is = 6, asserts_ = 7, global = 8, any = 9, number = 10, string = 11, object = 12; type.declare(namespace).module; a.readonly.abstract.keyof;\n",
	"function f(a: unknown): a is string { return typeof a === 'string'; } function g(this: Window, a?: number, ...b: string[]): asserts a {} function h(a): asserts a is b {}\n",
	"a = b as const; c = d as unknown as e; f = g satisfies h; i = j!; k = l!.m; n = o![p]; q = r! / s / t; u = v!; w = x! + y;\n",
	"f<a>(b); new A<b>(); f<a, b<c>>(d); const e = <T,>(a: T) => a; g = async <T,>(a: T) => a; a < b; c > d; a?.b<c>();\n",
	"import type { A } from 'b';\nimport type C from 'd';\nimport { type E, type F as G } from 'h';\nimport type, { I } from 'j';\nimport k = require('l');\nimport m = n.o;\nimport p from 'q' assert { type: 'json' };\nexport type { R } from 's';\nexport type { T };\nexport = u;\nexport as namespace V;\nexport import w = x.y;\n",
	"type A = (a: b) => c; type B = new (a: b) => c; type C = abstract new () => d; type D = (a: string) => a is e; type F = { a: b, c: d }; type G = | H | I; type J = K & L; type M = readonly n[]; type O = -1 | 2; type P = (Q)[];\n",
	"let a: { b: string }; let c = ({ d }: { d: e }) => f; function g({ h }: I = {}): J<K> | null {} let l: import('m').N; let o: typeof import('p');\n",
	"@A({ b: C }) export class D { constructor(@E() private f: G) {} @H() i: J; @K<L>() m() {} }\n",
	"type A = {||}; type B = {| a: b |};\n",
	"function f(a: string): void\nfunction f(a: number): void\nfunction f(a) {}\nlet b: number\nlet c = d\n(e)\n",
}

func TestLexersOfScriptsOnEdges(t *testing.T) {
	for _, name := range []string{"javascript", "jsx", "typescript", "tsx"} {
		t.Run(name, func(t *testing.T) {
			sources := scriptEdges
			if name != "typescript" {
				sources = append(sources[:len(sources):len(sources)], elementEdges...)
			}
			if strings.HasPrefix(name, "t") {
				sources = append(sources[:len(sources):len(sources)], typeEdges...)
			}
			sameAsGrammar(t, name, sources)
		})
	}
	sameAsGrammar(t, "typescript", []string{
		"a = <B>c; d = <E<F>>(g); h = <const>['i']; j = <T>(k: T) => k;\n",
	})
	sameAsGrammar(t, "tsx", []string{
		"a = <B<C> d={e}>f</B>; g = <H<I<J>, { k: L<M> }> n />; const o = <T extends P>(q: T) => <r/>; const s = <T = U,>(v: T) => v; const w = function <X>(y: X) {};\n",
	})
}

// The lexers leave ambiguous text to the grammar.
func TestLexersOfScriptsRefuse(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"javascript", "a = {} / 1"},
		{"javascript", "{}\n/a/.test(b)"},
		{"javascript", "<!-- a\nb"},
		{"javascript", "a\n--> b"},
		{"javascript", "class A { static get\nb() {} }"},
		{"javascript", "import 'a' // b\n;"},
		{"javascript", "a = 'b\nc'"},
		{"javascript", "a = /b\n/"},
		{"javascript", "function* f() { yield /a/g }"},
		{"javascript", "<a>"},
		{"javascript", "<a b></c"},
		{"javascript", "a = /* b /g"},
		{"tsx", "type A = <T>(a: T) => T"},
		{"tsx", "interface A { delete<T>(a: T): T }"},
		{"typescript", "a = b<c> / d"},
	} {
		if _, ok := ByName(c.name).spec.lexer(nil, []byte(c.src)); ok {
			t.Errorf("%s: %q: read", c.name, c.src)
		}
	}
}

// Broken text and fragments they read like any other.
func TestLexersOfScriptsReadFragments(t *testing.T) {
	for _, c := range []struct {
		src  string
		want int // tokens
	}{
		{"a ) ] } b", 5},
		{"} else { a(`b${", 7},
		{"a `b", 3},
		{"} /* a", 1},
		{"import a from b; import c, d", 9},
		{"a = @ # \\ b", 6},
		{"(function( { [ a", 6},
		{"export {", 2},
		{"class class 1x 'a'.", 6},
	} {
		for _, name := range []string{"javascript", "typescript", "tsx"} {
			if got, ok := ByName(name).spec.lexer(nil, []byte(c.src)); !ok || len(got) != c.want {
				t.Errorf("%s: %q gives %d tokens (%v), not %d", name, c.src, len(got), ok, c.want)
			}
		}
	}
}

// Every word and sign that is a literal of the grammars means to the lexers what
// it means to the grammars.
func TestLexersOfScriptsKnowTheirLiterals(t *testing.T) {
	for _, l := range grammars(t) {
		if l.Family != "js" {
			continue
		}
		rules := l.spec.rules()
		for _, s := range l.grammar().Symbols() {
			rule := rules.of(s)
			if s.Named || !s.Visible || rule.Action == sitter.Skip || s.Name == "end" || strings.Contains(s.Name, " ") {
				continue
			}
			want := fmt.Sprint(rule.Kind)
			if rule.Action == sitter.Apart {
				want = ""
				for _, c := range s.Name {
					want += fmt.Sprint(kindOf(string(c)))
				}
			}
			src := "a = b " + s.Name
			switch s.Name {
			case "${":
				src = "a=`a${" // as long as the others
			case "</", "/>":
				continue // there has to be an element
			}
			got, ok := l.spec.lexer(nil, []byte(src))
			have := ""
			for _, k := range got[min(3, len(got)):] {
				have += fmt.Sprint(k.Kind)
			}
			if !ok || have != want {
				t.Errorf("%s: %q is read as %v", l.Name, s.Name, got)
			}
		}
	}
}

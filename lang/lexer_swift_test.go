package lang

import "testing"

// Strings with code, versions, types and operators of several signs, labels, and words that mean something in places.
func TestLexerOfSwiftOnEdges(t *testing.T) {
	sameAsGrammar(t, "swift", []string{
		"#!/usr/bin/swift\n@testable import A\npublic import class B.C\n@_spi(D) import E\nlet f = g // h\n/* i /* j */ k */ let l = m\n",
		"let a = \"b \\(c + \"d\") e \\(f(g), h: 1) \\\"\" + \"\\(i)\" + \"\"\nlet j = \"\"\"\n k \\(l[\"m\"]) \"n\" \\\n o\n \"\"\"\n",
		"let a = #\"b \\(c) \\#(d + 1) \"e\"#, f = ##\"g\"#h\"##\n",
		"#if os(iOS)  &&  DEBUG // a\nlet b = 1\n#elseif canImport(C)\n#else // d\n#warning(\"e\") // f\n#endif\n",
		"@available(iOS 9.0, macOS 10.15, *) func a() { if #available(iOS 14.0.1, *), b {} }\n@available(*, deprecated: 1.5, message: \"c\") let d = 1.5\n",
		"let a: B<C>? = d, e: [F<G<H>>] = i >> 3, j: K?? = l ?? m\nlet n: O<P>= q\nif r >= s && t != u || v <= w, x === y, z !== a {}\n",
		"func a<T: B>(_ c: @escaping @Sendable () -> Void, d: @Sendable @escaping (inout E) -> Void = { _ in }) async throws -> some F where T.G == H {}\n",
		"let a = try? b(); let c = try! d as? E; f! += g!; h?.i!.j(); k = l as! M; n = !o; p(&q, -r); s = t is U\n",
		"outer: for _ in 0..<3 where a { continue outer }\nswitch b { case c: for d in e {}\ncase .f(let g, _), h: break\ndefault: if i { fallthrough } }\n",
		"func == (a: A, b: B) -> Bool { a <= b }\nprefix func - (c: C) -> C { -c }\nlet d = e.reduce(0, +), f = g.sorted(by: >), h = 0..., i = ...j, k = l[1...], m = n &+ o |> p\n",
		"{ [weak self, unowned a = b] (c: D) -> any E in guard let self = self else { return }; $0.get = self; super.init() }\n",
		"class A: B { lazy var c = D(); @objc dynamic private(set) var e: Int { get { f } set { g = newValue } }\n override func h() {}; static let `default` = .init(); deinit {} }\n",
		"let a = \\B.c?.d, e = #selector(f.g), h = [#file: #line], i = j.Type.self, k = l.default\ndo { try m() } catch let n as O { throw n }\n",
		"let a = 0x1F + 1_000 + 0b11 + 0o7 + 1.5e-3 + 1e5 + 1.max + 2...3\nlet naïve = a ? b : c\nrepeat { d() } while e\nactor F { nonisolated let open = 1 }\n",
		"\ufeffimport A\r\nlet b = \"c\"\r\n",
	})
	refuses(t, "swift", []string{
		"let a = /b+/\n", "let a = \"b", "let a = \"\"\"\nb\n", "let a = B<C?>(d)\n", "let a = b |>c\n", "let a = #\"\"\"\nb\n\"\"\"#\n", "a }\n",
		"unowned(safe) let a = b\n", "let a = #selector(getter: b.c)\n", "let a = ≈b\n",
	})
}

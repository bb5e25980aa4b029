package units

import (
	"html"
	"strings"
	"testing"
)

// pastes are short programs as students write them, by the suffix of their language.
var pastes = map[string]string{
	".java":  "public class Ping {\n    public static void main(String[] args) {\n        for (int i = 0; i < 3 && args.length > 1; i++) {\n            System.out.println(\"<b>\" + i);\n        }\n    }\n}\n",
	".py":    "import sys\n\ndef ping(n):\n    for i in range(n):\n        print(\"<b>\", i)\n    return None\n",
	".c":     "#include <stdio.h>\n\nint main(void) {\n    int i = 0;\n    if (i < 3 && i > 1)\n        printf(\"%d &amp;\\n\", i);\n    return 0;\n}\n",
	".cpp":   "#include <iostream>\nusing namespace std;\n\nint main() {\n    int x;\n    cin >> x;\n    cout << x << endl;\n}\n",
	".js":    "const fs = require('fs');\nfunction ping(n) {\n    return n === 0 ? [] : [n, ...ping(n - 1)];\n}\nconsole.log(ping(3));\n",
	".cs":    "using System;\nclass Ping {\n    static void Main(string[] args) {\n        foreach (var a in args)\n            Console.WriteLine(a);\n    }\n}\n",
	".swift": "import Foundation\n\nfunc ping(_ n: Int) -> [Int] {\n    guard n > 0 else { return [] }\n    let rest = ping(n - 1)\n    return [n] + rest\n}\nprint(ping(3))\n",
	".scala": "object Ping {\n  def ping(n: Int): List[Int] = {\n    if (n == 0) Nil else n :: ping(n - 1)\n  }\n  def main(args: Array[String]): Unit = {\n    println(ping(3))\n  }\n}\n",
	".sh":    "#!/bin/bash\nfor i in 1 2 3; do\n    if [ \"$1\" -gt \"$i\" ]; then\n        echo \"<b> $i\"\n    fi\ndone\n",
	".lua":   "local function ping(n)\n    if n == 0 then\n        return nil\n    end\n    print(\"n: \" .. n)\n    return ping(n - 1)\nend\n",
	".txt":   "My program counts to three & then it stops.\n\nI tested it with <args>, for each of them it works: see below.\n",
}

// TestTyped: a text comes back from the page that an editor made of it: paragraphs, breaks, preformatted text, elements in elements.
func TestTyped(t *testing.T) {
	const head, tail = `<!DOCTYPE html><html><head><meta charset="UTF-8"><title>x</title></head><body>`, "</body></html>"
	indented := func(l string) string {
		text := strings.TrimLeft(l, " ")
		return strings.Repeat("&nbsp;", len(l)-len(text)) + html.EscapeString(text)
	}
	joined := func(text string, line func(string) string) string {
		var b strings.Builder
		for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			b.WriteString(line(l))
		}
		return b.String()
	}
	for suffix, text := range pastes {
		for style, body := range map[string]string{
			"paragraphs": joined(strings.ReplaceAll(text, "\n\n", "\n"), func(l string) string { return `<p dir="ltr" style="text-align: left;">` + indented(l) + "</p>\n" }),
			"breaks":     "<p>" + joined(text, func(l string) string { return indented(l) + "<br />" }) + "</p>",
			"plain":      joined(text, func(l string) string { return indented(l) + "<br />\n" }),
			"pre":        "<pre><code>" + html.EscapeString(text) + "</code></pre>",
			"coloured":   "<style>p { x }</style><!-- <p>hidden</p> -->" + joined(strings.ReplaceAll(text, "\n\n", "\n"), func(l string) string { return "<div><span class=\"k\">" + indented(l) + "</span></div>" }),
		} {
			want := text
			if style == "paragraphs" || style == "coloured" {
				want = strings.ReplaceAll(text, "\n\n", "\n")
			}
			got := typed(head + body + tail)
			if got != want {
				t.Errorf("%s in %s: %q, want %q", suffix, style, got, want)
			}
			if s := codeSuffix(got); s != suffix {
				t.Errorf("%s in %s is read as %s", suffix, style, s)
			}
		}
	}
}

// TestRelatives: code that has more marks of a related language is not taken for it.
func TestRelatives(t *testing.T) {
	for text, want := range map[string]string{
		"class Sort {\n    static void sort(int v[]) {\n        int n = v.length;\n        int i = 0;\n        int t = v[0];\n        System.out.println(n);\n    }\n    public static void main(String[] args) {\n    }\n}\n": ".java",
		"class Sort {\n    static int n = 3;\n    static void Main() {\n        int i = 0;\n        int t = 7;\n        Console.WriteLine(i);\n    }\n}\n":                                                                     ".cs",
		"def gcd(a: Int, b: Int): Int =\n  b match {\n    case 0 => a\n    case _ => gcd(b, a % b)\n  }\n":                                                                                                                     ".scala",
		"#include <cs50.h>\n\nstring name;\nint votes;\nbool eliminated;\nbool vote(int voter, string name);\nbool print_winner(void);\nvoid tabulate(void);\n":                                                                ".c",
		"def gcd(a, b=1):\n    while b:\n        a, b = b, a % b\n    return a\n":                                                                                                                                              ".py",
	} {
		if got := codeSuffix(text); got != want {
			t.Errorf("%q is read as %s, want %s", text, got, want)
		}
	}
}

// TestTypedHostile: whatever is no page is text, and the time grows with the length only.
func TestTypedHostile(t *testing.T) {
	const n = 1 << 20
	for page, want := range map[string]string{
		"":                       "\n",
		"a < b > c <":            "a < b > c <\n",
		"<p":                     "<p\n",
		"<!-- x":                 "<!-- x\n",
		"<pre>\n a</pre></pre>b": "\n a\nb\n",
		"<script>alert(1)":       "\n",
	} {
		if got := typed(page); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
	for _, piece := range []string{"<", "<p", "<p>", "</", "<!--", "&lt", "<script>", "<pre>"} {
		if got := typed(strings.Repeat(piece, n)); len(got) > n*len(piece)+1 {
			t.Errorf("%q: %d bytes", piece, len(got))
		}
	}
	codeSuffix(strings.Repeat("public static ", n))
}

// TestMisnamed: code is read in its language though the name of its file hides it.
func TestMisnamed(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"Ping.java.txt", ".java", ".java"}, {"a/ping.py.BAK", ".py", ".py"}, {"ping.c~", ".c", ".c"}, {"ping.c (1)", ".c", ".c"},
		{"ping.cpp - Kopie", ".cpp", ".cpp"}, {"ping.py.txt.old", ".py", ".py"}, {"Main.java.txt", ".txt", ".java"},
		{"ping.txt", ".java", ".java"}, {"ping", ".py", ".py"}, {"ping.bak", ".c", ".c"}, {"ping (2).txt", ".cs", ".cs"},
		{"Ping.java", ".java", ""}, {"ping.csv", ".py", ""}, {"ping.md", ".py", ""}, {"ping.log", ".py", ""}, {"notes.txt", ".txt", ""},
	} {
		if got := misnamed(c.name, []byte(pastes[c.code])); got != c.want {
			t.Errorf("%s with code of %s is read as %q, want %q", c.name, c.code, got, c.want)
		}
	}
	for _, text := range []string{"", "1 2 3\n4 5 6\n", strings.Repeat("word (a) ", 1<<18), "\x00\x01\x02"} {
		if got := misnamed("notes.txt", []byte(text)); got != "" {
			t.Errorf("%.20q is read as %q", text, got)
		}
	}
}

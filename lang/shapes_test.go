package lang

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// shape is text made to hurt a parser: a head, a unit that is repeated, a tail.
type shape struct{ head, unit, tail string }

func (s shape) of(n int) []byte {
	count := max(1, (n-len(s.head)-len(s.tail))/max(1, len(s.unit)))
	return []byte(s.head + strings.Repeat(s.unit, count) + s.tail)
}

// everyone's shapes go to all grammars, whose scanners look for their own openings.
var everyones = []shape{
	{unit: "\u6f22"}, {unit: "\ufeff"}, {unit: "\u2014"}, {unit: "\u201c"}, {unit: "\U0001f600"}, {unit: "\u00e9"}, {unit: "\u3000"}, {unit: "\u2028"},
	{unit: "a\u6f22"}, {unit: "\u6f22 "}, {unit: "\u6f22\n"}, {unit: "\"\u6f22"}, {unit: "'\u6f22"}, {unit: "`\u6f22"}, {unit: "${\u6f22"}, {unit: "\n \u6f22"},
	{unit: "\x00"}, {unit: "\x80"}, {unit: "\xff"}, {unit: "\xe6\xbc"}, {unit: "\xf0\x9f\x98"}, {unit: "\xed\xa0\x80"}, {unit: "a\x00"}, {unit: "\n\x00"},
	{unit: "\r"}, {unit: "\n"}, {unit: " "}, {unit: "\t"}, {unit: "\n "}, {unit: "\\\n"}, {unit: "\v\f"},
	{unit: "a"}, {unit: "0"}, {unit: "_"}, {unit: "-"}, {unit: "+"}, {unit: "."}, {unit: ","}, {unit: ";"}, {unit: ":"}, {unit: "="}, {unit: "<"}, {unit: ">"},
	{unit: "("}, {unit: ")"}, {unit: "["}, {unit: "]"}, {unit: "{"}, {unit: "}"}, {unit: "([{"}, {unit: "a("}, {unit: "a["}, {unit: "a{"}, {unit: "a<"}, {unit: "a.b("},
	{unit: "\""}, {unit: "'"}, {unit: "`"}, {unit: "/"}, {unit: "/*"}, {unit: "//"}, {unit: "#"}, {unit: "--[["}, {unit: "$"}, {unit: "@"}, {unit: "\\"}, {unit: "%"}, {unit: "!"}, {unit: "?"}, {unit: "~"}, {unit: "&"}, {unit: "|"}, {unit: "^"},
	{head: "\"", unit: "a"}, {head: "'", unit: "\u6f22"}, {head: "\"", unit: "${"}, {head: "\"\"\"", unit: "\u6f22"}, {head: "`", unit: "${`"}, {head: "\"", unit: "\\"}, {head: "/*", unit: "\u6f22"},
	{head: "x = ", unit: "1 + "}, {unit: "if a "}, {unit: "if (a) {\n"}, {unit: "a = b\n"}, {unit: "else "}, {unit: "case a:\n"},
	{head: "", unit: "\"a\" + "}, {unit: "a ? b : "}, {unit: "x => "}, {unit: "return "}, {unit: "class A { "}, {unit: "() -> "},
}

// scanners has the shapes for each external scanner: what it counts, keeps or looks ahead for.
var scanners = map[string][]shape{
	"bash": {
		{unit: "<<A "}, {unit: "cat <<A\n"}, {unit: "cat <<\u6f22\n"}, {head: "cat <<", unit: "A"}, {head: "cat <<", unit: "A", tail: "\n\u6f22\n"}, {head: "cat <<'", unit: "a ", tail: "'\nb\n"},
		{head: "cat <<A <<B <<", unit: "C", tail: "\nA\nB\nC\n"}, {head: "a <<", unit: "abcdefg", tail: "\n$x\n"}, {unit: "$("}, {unit: "${a:-"}, {unit: "$(("}, {unit: "[[ a =~ "}, {unit: "\"$("},
		{unit: "a=("}, {unit: "case a in "}, {unit: "@("}, {unit: "${a//"}, {unit: "`"}, {unit: "$'\u6f22"}, {unit: "<("}, {unit: "{1.."}, {unit: "<<<a "}, {unit: "[[ -n \u6f22 "}, {head: "cat <<-A\n", unit: "\t\u6f22"},
		{head: "cat <<A\n", unit: "${"}, {unit: "cat <<A\n$(cat <<B\n"},
	},
	"cpp":    {{unit: "R\"("}, {head: "R\"", unit: "a"}, {head: "R\"\u6f22(", unit: ")\u6f22"}, {head: "R\"aaaaaaaaaaaaaaaa(", unit: ")aaaaaaaaaaaaaaaa"}, {unit: "#define A \\\n"}, {unit: "template<"}, {head: "R\"(", unit: ")\u6f22"}},
	"c":      {{unit: "#define A \\\n"}, {unit: "#if A\n"}, {unit: "#\n"}, {unit: "(*"}, {unit: "L'\u6f22"}, {head: "#define A ", unit: "\u6f22"}},
	"csharp": {{unit: "$\"{"}, {unit: "$@\"{"}, {unit: "$\"\"\"{"}, {head: "", unit: "$$$\"\"\"{{{"}, {unit: "\"\"\"\u6f22"}, {head: "$\"", unit: "{{"}, {head: "$", unit: "$"}, {head: "$\"\"\"", unit: "\"", tail: "\u6f22"}, {unit: "$\"\u6f22{"}, {unit: "#if a\n"}},
	"java":   {{unit: "\"\"\"\n\\{"}, {unit: "a<b<"}, {unit: "(a) -> "}, {unit: "@A("}},
	"javascript": {
		{unit: "`${"}, {unit: "<a>"}, {unit: "<a b={"}, {unit: "/["}, {unit: "a\n++"}, {unit: "<!--"}, {unit: "a\n/*\u6f22*/"}, {unit: "\n//\u6f22"}, {head: "`", unit: "\u6f22"}, {head: "<a>", unit: "\u6f22&"}, {unit: "a ?."},
	},
	"typescript": {{unit: "`${"}, {unit: "a<b"}, {unit: "a\n/*\u6f22*/"}, {unit: "function a()\n"}, {unit: "(a:"}, {unit: "<T>("}},
	"tsx":        {{unit: "`${"}, {unit: "<a>"}, {unit: "<a b={"}, {unit: "a\n/*\u6f22*/"}, {head: "<a>", unit: "\u6f22&"}},
	"kotlin":     {{unit: "\"${"}, {unit: "\"\"\"${"}, {head: "\"\"\"", unit: "\u6f22$"}, {unit: "/*"}, {unit: "a\n?."}, {unit: "a\n/*\u6f22*/"}, {unit: "import \u6f22\n"}, {unit: "a\n/*/"}, {unit: "get() "}},
	"lua":        {{unit: "--[==["}, {head: "--[", unit: "="}, {head: "[", unit: "=", tail: "[\u6f22"}, {unit: "[["}, {head: "[==[", unit: "]="}, {head: "--[[", unit: "\u6f22"}, {unit: "function() "}},
	"php": {
		{unit: "<?php <<<A\n"}, {head: "<?php <<<", unit: "A"}, {head: "<?php <<<", unit: "A", tail: "\n\u6f22\nA"}, {unit: "<?php \"{$a["}, {head: "<?php \"", unit: "$a["}, {unit: "?><?php "}, {unit: "<<<'A'\n\u6f22\n"},
		{head: "<?php ", unit: "<<<A\n${"}, {head: "<?php <<<A\n", unit: "\u6f22$"}, {head: "<?php `", unit: "{$"}, {head: "<?php <<<A\n", unit: "<<<B\n"}, {unit: "<<<\u6f22\n"},
	},
	"python": {
		{unit: "f\"{"}, {unit: "f'''{"}, {unit: "if a:\n "}, {unit: "\"\"\"\u6f22"}, {head: "f\"", unit: "{{"}, {unit: "f'{a!r:{"}, {unit: "rb'\u6f22"}, {unit: "\\\n"}, {unit: "try:\n\u6f22\nexcept"}, {unit: "#\u6f22\n"}, {unit: "f\"{f'{"}, {unit: "b'\\N{"}, {unit: "}\"'"},
	},
	"ruby": {
		{unit: "<<A "}, {unit: "<<~A\n"}, {head: "<<", unit: "A"}, {head: "<<", unit: "A", tail: "\n\u6f22\n"}, {head: "a(<<~'", unit: "ab ", tail: "')\n#{c}\n"}, {unit: "%w["}, {unit: "%q("}, {head: "%q(", unit: "("}, {unit: "\"#{"}, {unit: "%\u6f22"}, {unit: "/#{"}, {unit: "`#{"}, {unit: ":\"#{"},
		{unit: "?\u6f22"}, {unit: "=begin\n\u6f22\n"}, {unit: "a\n.b"}, {unit: "<<-\u6f22\n"}, {unit: "__END__\n"}, {unit: "a ? b : "}, {unit: "def a "}, {unit: "<<A\n#{<<B\n"}, {head: "%w(", unit: "\u6f22 "}, {head: "<<A, <<B, <<", unit: "C", tail: "\nA\nB\n"}, {unit: "%i["}, {unit: "a&.b "},
	},
	"rust":  {{unit: "r#\""}, {head: "r", unit: "#"}, {head: "r", unit: "#", tail: "\"\u6f22"}, {unit: "/*"}, {unit: "/*!\u6f22"}, {unit: "///\u6f22\n"}, {unit: "'\u6f22"}, {unit: "a!{"}, {unit: "1.\u6f22"}, {unit: "1e"}, {unit: "//!\n"}, {unit: "/**\u6f22*/"}},
	"scala": {{unit: "s\"${"}, {unit: "s\"\"\"${"}, {unit: "\"\"\"\u6f22"}, {unit: "if a then\n "}, {unit: "object A:\n  "}, {unit: "a\n/*\u6f22*/"}, {unit: "a match\n case b =>\n"}, {unit: "\n\u6f22\n\n"}, {head: "object A:\n", unit: "  def a =\n"}, {unit: "a\n .b"}},
	"swift": {
		{unit: "#\"\\#("}, {head: "", unit: "#"}, {head: "#", unit: "#", tail: "\"\u6f22\"#"}, {unit: "\"\\("}, {unit: "\"\"\"\u6f22"}, {unit: "/*"}, {unit: "a\n.b"}, {unit: "a\n&&"}, {unit: "a ?? "}, {unit: "\u6f22?\n"}, {unit: "#if a\n"}, {unit: "a\n/*\u6f22*/"}, {unit: "@a("}, {unit: "\\u0041 $\"{"}, {head: "#/", unit: "\u6f22/"}, {unit: "->\n"}, {unit: "a where "}, {unit: "\u2022"},
	},
	"go": {{unit: "func("}, {unit: "[]"}, {unit: "a{b:"}, {unit: "`\u6f22"}},
}

// stepwise puts a shape's head into indentation that grows: scanners keep it.
func stepwise(unit string, n int) []byte {
	var b bytes.Buffer
	for i := 1; b.Len() < n; i++ {
		b.WriteString(unit + "\n" + strings.Repeat(" ", i))
	}
	return b.Bytes()
}

// hostile lists inputs of about n bytes for a grammar.
func hostile(grammar string, n int) [][]byte {
	var out [][]byte
	for _, s := range slices.Concat(everyones, scanners[grammar]) {
		if grammar == "php" && !strings.HasPrefix(s.head, "<?php ") {
			s.head = "<?php " + s.head
		}
		src := s.of(n)
		out = append(out, src)
		if last := src[len(src)-1]; last >= 0x80 {
			out = append(out, src[:len(src)-1]) // ends within a character
		}
	}
	for _, unit := range []string{"if a:", "a =", "object A:", "a match", "x", "while a do"} {
		out = append(out, stepwise(unit, n))
	}
	return out
}

// thorough is set where sanitizers watch: it asks for more sizes, budgets and mutations.
var thorough = os.Getenv("THOROUGH") != ""

// No grammar and no scanner crashes, hangs or reads on where its work ends: the
// budget ends within characters, strings and scanners.
func TestGrammarsSurvive(t *testing.T) {
	grammars(t)
	sizes, budgets := []int{1200, 2300}, []uint64{1, 20, 35, 60, 1 << 12}
	if thorough {
		sizes, budgets = []int{60, 1200, 2300, 6900}, []uint64{1, 20, 40, 70, 100, 130, 200, 400, 1000, 3000, 1 << 14, 1 << 18}
	}
	for i := range table {
		if table[i].grammar == "" {
			continue
		}
		t.Run(table[i].name, func(t *testing.T) {
			t.Parallel()
			g, used := languages()[i].grammar(), sitter.NewRunner()
			defer used.Close()
			tried := 0
			for _, n := range sizes {
				for _, src := range hostile(table[i].grammar, n) {
					for _, ops := range budgets {
						tried++
						if why := survives(g, used, src, ops); why != "" {
							t.Errorf("%.40q, %d bytes, %d steps: %s", src, len(src), ops, why)
						}
					}
				}
			}
			t.Logf("%d inputs", tried)
		})
	}
}

func survives(g *sitter.Grammar, r *sitter.Runner, src []byte, ops uint64) string {
	tokens, _, err := r.Run(g, src, 0, sitter.Limits{ArenaBytes: 64 << 20, Ops: ops, Tokens: 1 << 20, Timeout: time.Hour})
	if errors.Is(err, sitter.ErrTimeout) {
		return err.Error()
	}
	at := uint32(0)
	for _, k := range tokens {
		if k.Start < at || k.End <= k.Start || int(k.End) > len(src) {
			return fmt.Sprintf("token %d-%d after %d", k.Start, k.End, at)
		}
		at = k.End
	}
	return ""
}

// TestGivenUpInScanners: a text that runs out of work within a character, overflows a scanner's state or fails one of its
// assertions is given up with a reason, and the tokenizer still works.
func TestGivenUpInScanners(t *testing.T) {
	grammars(t)
	z := NewTokenizer(Limits{})
	defer z.Close()
	long := strings.Repeat("A", 300)
	for _, c := range []struct {
		lang, src string
		reason    Reason
	}{
		{"scala", "s\"$ \"\n" + strings.Repeat("\u6f22", 2300), Budget},        // which its lexer refuses
		{"ruby", "A /b/\na = <<" + long + "\nb\n" + long + "\n", ParserFailed}, // which its lexer refuses; counts the word's length in a byte
		{"bash", strings.Repeat("cat <<A\n$(cat <<B\n", 400), ParserFailed},    // writes three bytes too many
	} {
		l := ByName(c.lang)
		_, err := z.Tokenize(l, []byte(c.src))
		if limit := (*LimitError)(nil); !errors.As(err, &limit) || limit.Reason != c.reason {
			t.Errorf("%s: %v", c.lang, err)
		}
		if s, as, limit, err := z.TokenizeOrWords(l, []byte(c.src)); err != nil || as != Words() || limit == nil || len(s.Tokens) == 0 {
			t.Errorf("%s: %d tokens as %s, %v, %v", c.lang, len(s.Tokens), as.Name, limit, err)
		}
		if s, err := z.Tokenize(l, []byte("a=1\n")); err != nil || len(s.Tokens) == 0 {
			t.Errorf("%s: afterwards: %d tokens, %v", c.lang, len(s.Tokens), err)
		}
	}
}

// Changed code leads deeper into a grammar than shapes do.
func TestMutations(t *testing.T) {
	grammars(t)
	each := 150
	if thorough {
		each = 4000
	}
	all := samples(t)
	for i := range table {
		if table[i].grammar == "" {
			continue
		}
		t.Run(table[i].name, func(t *testing.T) {
			g, used := languages()[i].grammar(), sitter.NewRunner()
			defer used.Close()
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for range each {
				program := make([]byte, 2+3*random.IntN(12))
				for j := range program {
					program[j] = byte(random.Uint32())
				}
				src := mutated(all[table[i].name], program)
				for _, ops := range []uint64{uint64(random.IntN(1 << 10)), 1 << 14} {
					if why := survives(g, used, src, ops); why != "" {
						t.Errorf("%q, %d steps: %s", src, ops, why)
					}
				}
			}
			t.Logf("%d inputs", 2*each)
		})
	}
}

package lex

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// TestLexersAreLinear reads text that makes a lexer look back or ahead again and again. Time that grows with the square of
// these lengths would be noticed.
func TestLexersAreLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("reads megabytes of every shape")
	}
	n := 1 << 20
	for lexer, sources := range map[string][]string{
		"Go":         {"package ", "import (", "`", "/*", "\"\\", "import . "},
		"Java":       {"package ", "@a package ", "\"\"\"\\", "import a.", "non-", "@ ", "'"},
		"Python":     {"import ", "from a import (", "f'{a:", "f'''{a:{", "f'''{a}\\N{", "'''\\", "f\"{b}", "except", "\\"},
		"CSharp":     {"using a.", "using ", "#region /", "$\"{", "$@\"{a}", "$$\"\"\"{{", "\"\"\" \"\"", "@\"\"", "f\"{", "namespace A.", "{", "$\"{a ? ", "$\"{ \n"},
		"Kotlin":     {"import a.", "import ", "\"${", "\"\"\"$a", "\"\"\"${a}", "a@", "?  ", "? ", "/*", "`a", "(}", "!in", "\"\"\"\"\""},
		"Lua":        {"[", "[=", "[[", "--[", "--", "--[=", "]]", "\"\\", ".", "goto ", "0x", "'"},
		"ObjectiveC": {"@", "@\"", "@class ", "@class a;", "@import ", "@interface ", "#import <", "@'", "@(", "^{"},
		"PHP":        {"use a\\", "use ", "\"$a[", "\"{$a", "\"${", "<<<A\n", "<<<A\n\n\n$a", "<<<'A'\nA", "?><?php ", "<?", "?> a ", "$\"\"", "#", "//?", "`$a->"},
		"Ruby":       {"<<A\n", "<<A", "<<'", "\"#{", "\"#{a}", "%w[a ", "%w[", "%(", "/", "a /", "?\\u{", "?\\x{", "%(\\u{", "\\u{", "\"\\u{", "=begin\n", "\n=begin", "<<A\nAA ", "<<AB\nA", "a ? ", "alias ", "{", "\n__END__"},
		"Rust":       {"use ", "pub(a::b) use ", "pub(a ", "macro_rules!{$()", "$()", "r#", "/*", "'\\u{a", "r\"", "#[a::", "!("},
		"Scala":      {"import ", "import a.", "import a.{b,", "package a.", "a s\"${", "s\"$a", "s\"\"\"${a}", "a \"", "\"\"\"\"\"", "/*", "/*/", "`a", "'\\u", "a_", "a_*", "=", "\u2192", "1_", "a b "},
		"Swift":      {"import ", "@a import ", "import a.", "a: ", "a:\n", "\"\\(", "\"\"\"", "#\"", "##", "#if ", "#if\n", "/*", "a*", "?>", "<", "@available(", "`a", "\"\\", "#\"\\#", "@", "@a("},
	} {
		f := map[string]Func{"Go": Go, "Java": Java, "Python": Python, "Rust": Rust, "CSharp": CSharp, "Kotlin": Kotlin, "Lua": Lua, "ObjectiveC": ObjectiveC, "PHP": PHP, "Ruby": Ruby, "Scala": Scala, "Swift": Swift}[lexer]
		for _, s := range sources {
			var tokens []token.Token
			if tokens, _ = f(nil, []byte("@a macro_rules! b {"+strings.Repeat(s, n/len(s)))); len(tokens) > 2*n {
				t.Errorf("%s: %d tokens of %q", lexer, len(tokens), s)
			}
		}
	}
}

// TestPagesAreLinear reads markup whose tags, quotes and comments do not end.
func TestPagesAreLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("reads megabytes of every shape")
	}
	n := 1 << 20
	for _, s := range []string{"<", "<a ", "<a b='", "<a b=\"' ", "<a b=\"'\"", "<!--", "<script>", "<script></script>", "<SCRIPT></script>", "<script/>", "</script>",
		"<style>", "<style></STYLE>", "<script type='text/x'>", "=", "=>", "<a =\"", "\xff", "{", "<?", "a", "1"} {
		src := []byte("<script>" + strings.Repeat(s, n/len(s)))
		for _, page := range [][]byte{src, src[8:]} {
			tokens, scripts := Markup(nil, page)
			if more := Scripts(page); len(tokens) > 2*n || len(scripts) > n || len(more) < len(scripts) && !strings.Contains(s, "<!--") {
				t.Errorf("%q: %d tokens, %d scripts, %d by their tags alone", s, len(tokens), len(scripts), len(more))
			}
		}
	}
}

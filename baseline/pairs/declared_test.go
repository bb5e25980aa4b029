package pairs

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// TestDeclaredNames: a function with a rare name makes a pair of the name with itself where it is declared, but not where it is called.
func TestDeclaredNames(t *testing.T) {
	rare := model.NameHash([]byte("zurbleRate"))
	for _, c := range []struct {
		language, text string
		want           bool
	}{
		{"go", "package a\nfunc zurbleRate(n int) error {\n\treturn nil\n}", true},
		{"go", "package a\nfunc (s *set) zurbleRate(n int) (int, error) {\n\treturn 0, nil\n}", true},
		{"go", "package a\nfunc main() {\n\tzurbleRate(3)\n}", false},
		{"go", "package a\nfunc main() {\n\tif zurbleRate(3) == 4 {\n\t}\n}", false},
		{"go", "package a\nvar zurbleRate = 3", false},
		{"go", "package a\nfunc main() {\n\tif zurbleRate(3) {\n\t}\n}", false},
		{"go", "package a\nfunc main() {\n\tzurbleRate(3)\n\tfor {\n\t}\n}", false},
		{"java", "class A {\n  void zurbleRate(int n) throws Exception {\n  }\n}", true},
		{"java", "class A {\n  void main() {\n    this.zurbleRate(3);\n  }\n}", false},
		{"java", "class A {\n  Object a = new zurbleRate(3) { };\n}", false},
		{"java", "interface A {\n  void zurbleRate(int n);\n  class B { }\n}", false},
		{"python", "def zurbleRate(n):\n    return n\n", true},
		{"python", "print(zurbleRate(3))\n", false},
		{"ruby", "def zurbleRate\n  3\nend\n", false}, // as a hook of a framework
		{"scala", "def zurbleRate = 3\n", true},
		{"rust", "fn zurbleRate<T>(n: T) -> u8 { 3 }", true},
		{"c", "static int zurbleRate(int n)\n{\n\treturn n;\n}", true},
		{"c", "int main(void)\n{\n\treturn zurbleRate(3);\n}", false},
		{"javascript", "class A { zurbleRate(n) { return n; } }", true},
		{"kotlin", "fun zurbleRate(n: Int) = n + 1", true},
	} {
		var r Reader
		itself := fingerprint.Pair(fingerprint.FamilySalt(lang.ByName(c.language).Family), rare, rare)
		if got := slices.Contains(pairsIn(t, &r, fingerprint.Key{}, c.language, c.text, false), itself); got != c.want {
			t.Errorf("%s: %q declares zurbleRate: %t, want %t", c.language, c.text, got, c.want)
		}
	}
}

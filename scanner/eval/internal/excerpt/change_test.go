package excerpt

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

var samples = map[string]string{
	"go":   "package p\n\nfunc f(a int) error {\n\tx := a // why\n\tfor i := 0; i < x; i++ {\n\t\tprint(i, \"one\", 12)\n\t\tcall(a)\n\t}\n\ty := []int{\n\t\t1,\n\t}\n\tuse(y)\n\treturn nil\n}\n",
	"java": "class A {\n  int f(int a) throws E {\n    int x = a; /* why */\n    for (int i = 0; i < x; i++) {\n      print(i, \"one\", 12);\n      call(a);\n    }\n    return x;\n  }\n}\n",
	"js":   "export function f(a) {\n  let x = a; // why\n  for (let i = 0; i < x; i++) {\n    print(i, 'one', 12);\n    call(a);\n  }\n  return { x: 1 };\n}\n",
	"ts":   "export function f(a: number): string[] {\n  let x = a; // why\n  for (let i = 0; i < x; i++) {\n    print(i, 'one', 12);\n    call(a);\n  }\n  return g(x);\n}\n",
	"py":   "def f(a):\n    x = a  # why\n    for i in range(x):\n        print(i, 'one', 12)\n        call(a)\n    return x\n",
	"c":    "#include <a.h>\n\nstatic int f(int a)\n{\n  int x = a; /* why */\n  for (i = 0; i < x; i++) {\n    print(i, \"one\", 12);\n    call(a);\n  }\n  return x;\n}\n",
	"cpp":  "namespace n {\nint A::f(int a) const {\n  int x = a; // why\n  for (int i = 0; i < x; i++) {\n    print(i, \"one\", 12);\n    call(a);\n  }\n  return x;\n}\n}\n",
}

func sample(t *testing.T, l string) *Code {
	t.Helper()
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	c := Read(tz, corpus.File{Lang: l, Path: "x." + l}, []byte(samples[l]))
	if c == nil || len(c.fns) != 1 {
		t.Fatalf("%s: the sample makes no sense: %+v", l, c)
	}
	return c
}

// shape is the stream of a text, names and values aside.
func shape(t *testing.T, l *lang.Language, src string) (kinds []uint32, texts []string) {
	t.Helper()
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(l, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range s.Tokens {
		kinds, texts = append(kinds, k.Kind), append(texts, src[k.Start:k.End])
	}
	return kinds, texts
}

// A change is what its name says: the same tokens but for layout, but for names
// one to one, but for values, or statements more or less.
func TestChanges(t *testing.T) {
	for _, l := range corpus.Languages {
		c := sample(t, l)
		f := c.fns[0]
		for _, k := range Kinds {
			before, was := shape(t, c.lang, string(c.Src[c.Toks[f.from].Start:c.Toks[f.to-1].End]))
			text := c.excerpt(f.from, f.to, change{kind: k, dice: corpus.NewDice(l, k.Name)})
			after, is := shape(t, c.lang, text)
			if strings.Contains(text, "why") {
				t.Errorf("%s %s keeps the comment:\n%s", l, k.Name, text)
			}
			if k.every > 0 {
				continue
			}
			if len(before) != len(after) {
				t.Errorf("%s %s: %d tokens became %d:\n%s", l, k.Name, len(before), len(after), text)
				continue
			}
			names, values := 0, 0
			to, from := map[string]string{}, map[string]string{}
			for i := range before {
				if before[i] != after[i] {
					t.Fatalf("%s %s: token %d, %q, became %q:\n%s", l, k.Name, i, was[i], is[i], text)
				}
				switch before[i] {
				case lang.Identifier.Kind():
					if was[i] != is[i] {
						names++
					}
					if k.stray == 0 && (to[was[i]] != "" && to[was[i]] != is[i] || from[is[i]] != "" && from[is[i]] != was[i]) {
						t.Errorf("%s %s: %q became %q and %q", l, k.Name, was[i], to[was[i]], is[i])
					}
					to[was[i]], from[is[i]] = is[i], was[i]
				case lang.String.Kind(), lang.Number.Kind():
					if was[i] != is[i] {
						values++
					}
				default:
					if was[i] != is[i] {
						t.Errorf("%s %s: %q became %q", l, k.Name, was[i], is[i])
					}
				}
			}
			if (names > 0) != k.rename || (values > 0) != k.literals {
				t.Errorf("%s %s: %d names and %d values changed:\n%s", l, k.Name, names, values, text)
			}
		}
	}
}

func TestStatements(t *testing.T) {
	for _, l := range corpus.Languages {
		c := sample(t, l)
		f := c.fns[0]
		text := c.excerpt(f.from, f.to, change{kind: kind{Name: "often", every: 8}, dice: corpus.NewDice(l)})
		_, was := shape(t, c.lang, string(c.Src[c.Toks[f.from].Start:c.Toks[f.to-1].End]))
		_, is := shape(t, c.lang, text)
		if strings.Join(was, " ") == strings.Join(is, " ") {
			t.Errorf("%s: nothing was inserted or deleted:\n%s", l, text)
		}
		if strings.Count(text, "{") != strings.Count(text, "}") {
			t.Errorf("%s: braces are lost:\n%s", l, text)
		}
	}
}

// Excerpts begin and end with statements and close what they open.
func TestCut(t *testing.T) {
	for _, l := range corpus.Languages {
		c := sample(t, l)
		n := 0
		for a, s := range c.start {
			if !s || a >= len(c.Toks) {
				continue
			}
			c.ends(a, 1000, func(b int) bool {
				n++
				text := string(c.Src[c.Toks[a].Start:c.Toks[b-1].End])
				for _, p := range []string{"{}", "()", "[]"} {
					if strings.Count(text, p[:1]) != strings.Count(text, p[1:]) {
						t.Errorf("%s: %q is open", l, text)
					}
				}
				if !c.first(a) || !c.first(b) {
					t.Errorf("%s: %q is not of whole lines", l, text)
				}
				return true
			})
		}
		if n < 5 {
			t.Errorf("%s: %d excerpts only", l, n)
		}
	}
}

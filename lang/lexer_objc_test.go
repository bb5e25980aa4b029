package lang

import (
	"strings"
	"testing"
)

// TestObjectiveCExtends: code that needs no extension has the tokens that it has in the language that is extended.
func TestObjectiveCExtends(t *testing.T) {
	grammars(t)
	all := samples(t)
	for extended, l := range map[string]string{"c": "objc", "cpp": "objcpp"} {
		src := all[extended]
		want, ok := ByName(extended).spec.lexer(nil, src)
		got, alike := ByName(l).spec.lexer(nil, src)
		if !ok || !alike {
			t.Fatalf("%s: %v, %s: %v", extended, ok, l, alike)
		}
		if why := difference(src, got, want); why != "" {
			t.Errorf("%s %s", l, why)
		}
	}
}

// TestObjectiveC: what the extensions are as tokens, by their text; "=" marks those of import clauses.
func TestObjectiveC(t *testing.T) {
	grammars(t)
	for _, c := range []struct{ src, want string }{
		{`#import <A/B.h>`, `=#import =<A/B.h>`},
		{"#import \"a.h\"\n@import A.B;\n@class C, D;\nint e;", `=#import ="a.h" =@import =A =. =B =; =@class =C =, =D =; int e ;`},
		{`@interface A : B <C> @end`, `@interface A : B < C > @end`},
		{`@"a\"b" @'c' @1 @YES @{@"d": @[e]}`, `@"a\"b" @ 'c' @ 1 @ YES @ { @"d" : @ [ e ] }`},
		{`[a b:c d:@selector(e:f:)]`, `[ a b : c d : @selector ( e : f : ) ]`},
		{`^(int a) { return a; }`, `^ ( int a ) { return a ; }`},
		{`@ a @b @`, `@ a @ b @`},
	} {
		for _, name := range []string{"objc", "objcpp"} {
			tokens, ok := ByName(name).spec.lexer(nil, []byte(c.src))
			var got []string
			for _, k := range tokens {
				text := c.src[k.Start:k.End]
				if k.Flags&FlagImport != 0 {
					text = "=" + text
				}
				got = append(got, text)
			}
			if !ok || strings.Join(got, " ") != c.want {
				t.Errorf("%s: %q is %q", name, c.src, got)
			}
		}
	}
	for word, class := range map[string]Class{"YES": Bool, "NO": Bool, "nil": Null, "Nil": Null, "NULL": Null, `@"a"`: String, "self": Identifier, "@end": Keyword} {
		if tokens, _ := ByName("objc").spec.lexer(nil, []byte(word)); len(tokens) != 1 || tokens[0].Class != class {
			t.Errorf("%s is %v", word, tokens)
		}
	}
}

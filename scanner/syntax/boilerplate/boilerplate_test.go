package boilerplate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/boilerplate"
)

// find lists the helpers of a text by their text.
func find(t testing.TB, language, text string) (out []string) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, err := z.Tokenize(lang.ByName(language), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range boilerplate.Find(language, []byte(text), s.Tokens) {
		out = append(out, h.Tool+": "+text[s.Tokens[h.From].Start:s.Tokens[h.To-1].End])
	}
	return out
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"function", "a(); function _typeof(o) { return { b: typeof o }; } c();", "Babel: function _typeof(o) { return { b: typeof o }; }"},
		{"with a bundler's number", "function _typeof$1(o) {}", "Babel: function _typeof$1(o) {}"},
		{"as SWC writes it", "function _class_call_check(a, b) {}", "Babel: function _class_call_check(a, b) {}"},
		{"variable", "var __rest = (this && this.__rest) || function (s, e) { var t = {}; return t; };\nb();", "TypeScript: var __rest = (this && this.__rest) || function (s, e) { var t = {}; return t; }"},
		{"variable without a semicolon", "var __rest =\n  (this && this.__rest) ||\n  function (s, e) {\n    var t = {}\n    return t\n  }\nvar __importDefault =\n  (this && this.__importDefault) ||\n  function (mod) {\n    return mod\n  }\nObject.defineProperty(exports, '__esModule', { value: true })\nconst a = __importDefault(require('a'))\nb()",
			"TypeScript: var __rest =\n  (this && this.__rest) ||\n  function (s, e) {\n    var t = {}\n    return t\n  }\nTypeScript: var __importDefault =\n  (this && this.__importDefault) ||\n  function (mod) {\n    return mod\n  }\na transpiler: Object.defineProperty(exports, '__esModule', { value: true })\nTypeScript: const a = __importDefault(require('a'))"},
		{"going on in the next line", "exports.__esModule = a\n  instanceof b\n  .c\nd()", "a transpiler: exports.__esModule = a\n  instanceof b\n  .c"},
		{"at the end of the text", "exports.__esModule = true", "a transpiler: exports.__esModule = true"},
		{"method", "_AsyncGenerator.prototype.next = function (a) { return 1; };", "Babel: _AsyncGenerator.prototype.next = function (a) { return 1; }"},
		{"class", "var A = function (_B) { inheritsLoose(A, _B); function A(a) {} }", "Babel: function (_B) { inheritsLoose(A, _B)"},
		{"class of Babel 6", "var A = function (_Base$1) { _inherits$2(A, _Base$1); a(); }", "Babel: function (_Base$1) { _inherits$2(A, _Base$1)"},
		{"own function that inherits", "var A = function (base) { inherits(A, base); }", ""},
		{"own function of another", "var A = function (_B) { inherits(A, _C); }", ""},
		{"constructor of the base", "var _this; _this = _B.call(this, a(1), b) || this; c();", "Babel: _this = _B.call(this, a(1), b) || this"},
		{"own call", "_this = base.call(this, a) || this; _this = _B.call(a);", ""},
		{"load", `var a = _interopRequireDefault(require("a")); a();`, `Babel: var a = _interopRequireDefault(require("a"))`},
		{"mark", `Object.defineProperty(exports, "__esModule", { value: true }); a();`, `a transpiler: Object.defineProperty(exports, "__esModule", { value: true })`},
		{"passed on", `Object.defineProperty(exports, "Cache", { enumerable: true, get: function () { return Cache_1.default; } }); a();`,
			`a transpiler: Object.defineProperty(exports, "Cache", { enumerable: true, get: function () { return Cache_1.default; } })`},
		{"for of, loose", "for (var _iterator2 = a, _isArray2 = Array.isArray(_iterator2), _i2 = 0, _iterator2 = _isArray2 ? _iterator2 : b(_iterator2);;) { var _ref2; if (_isArray2) { _ref2 = _iterator2[_i2++]; } else { _ref2 = _i2.value; } c(); }",
			"Babel: for (var _iterator2 = a, _isArray2 = Array.isArray(_iterator2), _i2 = 0, _iterator2 = _isArray2 ? _iterator2 : b(_iterator2);;) { var _ref2; if (_isArray2) { _ref2 = _iterator2[_i2++]; } else { _ref2 = _i2.value; }"},
		{"for of", "for (var _iterator = a[Symbol.iterator](), _step; !(ok = (_step = _iterator.next()).done); ok = true) { b(); }",
			"Babel: for (var _iterator = a[Symbol.iterator](), _step; !(ok = (_step = _iterator.next()).done); ok = true)"},
		{"for of, with a helper", "try { for (_iterator.s(); !(_step = _iterator.n()).done;) { var a = _step.value; b(a); } } catch (err) { _iterator.e(err); } finally { _iterator.f(); } c();",
			"Babel: for (_iterator.s(); !(_step = _iterator.n()).done;) { var a = _step.value\nBabel: catch (err) { _iterator.e(err); } finally { _iterator.f(); }"},
		{"somebody's helper", "for (iterator.s(); a;) { b(); } try { b(); } catch (err) { iterator.e(err); }", ""},
		{"somebody's iterator", "for (var _iterator = a.iterator(); _iterator.more();) { b(); }", ""},
		{"rest", "for (var _len = arguments.length, b = [], _key = 0; _key < _len; _key++) { b[_key] = arguments[_key]; } c();",
			"Babel: for (var _len = arguments.length, b = [], _key = 0; _key < _len; _key++) { b[_key] = arguments[_key]; }"},
		{"frame", "(function (g, f) { if (typeof define === 'function' && define.amd) define(f); else g.a = f(); })(this, function () { return 1; });",
			"a bundler: function (g, f) { if (typeof define === 'function' && define.amd) define(f); else g.a = f(); }"},
		{"loader", "__webpack_require__.d = function (a) { b(a); };", "webpack: __webpack_require__.d = function (a) { b(a); }"},
		{"Browserify's loader", `(function e(t, n) { if (!n) throw new Error("Cannot find module '" + t + "'"); })({});`,
			`Browserify: function e(t, n) { if (!n) throw new Error("Cannot find module '" + t + "'"); }`},
		{"as Babel 6 gave it to Rollup", "var toConsumableArray = function (arr) { return Array.isArray(arr) ? arr : Array.from(arr); };\na();",
			"Babel: var toConsumableArray = function (arr) { return Array.isArray(arr) ? arr : Array.from(arr); }"},
		{"own function of a common name", "var inherits = function (a, b) { a.super_ = b; };", ""},
		{"own function", "function typeOf(o) { return typeof o; }", ""},
		{"without an end", "function _typeof(o) { a(", ""},
		{"a call", "_typeof(o); var b = _typeof(c);", "Babel: var b = _typeof(c)"},
		{"a whole module behind define.amd", "(function (g) { " + strings.Repeat("a.b(c); ", 60) + "define.amd; })(this);", ""},
	} {
		if got := strings.Join(find(t, "javascript", c.text), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// The frame of a test that gotests writes is found; the cases, and loops over other tables, are the user's own.
func TestFindGotests(t *testing.T) {
	const text = `package x

func TestTreeID(t *testing.T) {
	type args struct {
		entryID string
	}
	tests := []struct {
		name    string
		args    args
		wantErr bool
	}{
		{name: "short", args: args{entryID: "a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := TreeID(tt.args.entryID); (err != nil) != tt.wantErr {
				t.Errorf("TreeID() error = %v, wantErr %v", err, tt.wantErr)
			}
		})
	}
}

func TestOther(t *testing.T) {
	tests := []struct{ in, want string }{{"a", "b"}}
	for _, tt := range tests {
		check(t, tt.in, tt.want)
	}
}
`
	got := find(t, "go", text)
	if len(got) != 2 || !strings.HasPrefix(got[0], "an IDE: type args struct {") || !strings.HasSuffix(got[0], "wantErr bool\n\t}") ||
		!strings.HasPrefix(got[1], "an IDE: for _, tt := range tests {") || !strings.HasSuffix(got[1], "wantErr)\n\t\t\t}\n\t\t})\n\t}") {
		t.Errorf("%q", got)
	}
}

// TestFindHeap: the methods of a heap as the manual gives them are found, in each of their usual forms; Less, and methods that do more, are
// the user's own.
func TestFindHeap(t *testing.T) {
	const text = `package x

type prices []*order

func (h prices) Len() int           { return len(h) }
func (h prices) Less(i, j int) bool { return h[i].price < h[j].price }
func (h prices) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

func (h *prices) Push(x interface{}) {
	// a comment
	*h = append(*h, x.(*pkg.order))
}

func (h *prices) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	old[n-1] = nil // avoid memory leak
	*h = old[0 : n-1]
	return x
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index = i
	q[j].index = j
}

func (q *queue) Push(x any) {
	q.mu.Lock()
	*q = append(*q, x.(*item))
}

func (q *queue) Len() int { return q.n }
`
	var got []string
	for _, s := range find(t, "go", text) {
		s, _, _ = strings.Cut(strings.TrimPrefix(s, "the manual of container/heap: "), " {")
		got = append(got, strings.TrimSpace(s))
	}
	want := []string{"func (h prices) Len() int", "func (h prices) Swap(i, j int)", "func (h *prices) Push(x interface{})", "func (h *prices) Pop() any", "func (q queue) Swap(i, j int)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What Angular's command writes into each test is found between the user's own lines.
func TestFindScaffold(t *testing.T) {
	const begin = "describe('CardComponent', () => {\n  let component: CardComponent;\n  let fixture: ComponentFixture<CardComponent>;\n  beforeEach(async () => {\n    await TestBed.configureTestingModule({"
	const end = "beforeEach(() => {\n    fixture = TestBed.createComponent(CardComponent);\n    component = fixture.componentInstance;\n    fixture.detectChanges();\n  });\n\n  it('should create', () => {\n    expect(component).toBeTruthy();\n  });\n});"
	own := "\n    schemas: [{ provide: B, useValue: {} }],\n  }).compileComponents(); });\n  const c = load();\n  "
	imports := "import { ComponentFixture, TestBed } from '@angular/core/testing';\n"
	got := find(t, "typescript", imports+begin+own+end)
	want := []string{begin, "],\n  }).compileComponents(); })", strings.TrimSuffix(end, ";")}
	for i, w := range want {
		want[i] = "Angular's command: " + w
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := find(t, "typescript", begin+own+end); len(got) > 0 {
		t.Errorf("without the import: %q", got)
	}
	if got := find(t, "typescript", imports+"it('adds', () => {\n  const service = TestBed.inject(Adder);\n  expect(service.add(1, 2)).toBe(3);\n});\n"); len(got) > 0 {
		t.Errorf("a test of one's own: %q", got)
	}
}

func TestFindJava(t *testing.T) {
	equals := "equals(final Object o) { return o instanceof A && ((A) o).b == b; }"
	hash := "hashCode() { final int prime = 31; return prime * b; }"
	got := find(t, "java", "class A { int b; @Override public boolean "+equals+" public int "+hash+" boolean equals(A a) { return a.b == b; } int c() { return hashCode(); } }")
	if want := []string{"an IDE: " + equals, "an IDE: " + hash}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestManyFields: an IDE writes a line or more for each field of a class.
func TestManyFields(t *testing.T) {
	hash := "hashCode() { long temp; int result = 1; " + strings.Repeat("temp = Double.doubleToLongBits(b); result = 31 * result + (int) (temp ^ (temp >>> 32)); ", 50) + "return result; }"
	if got, want := find(t, "java", "class A { double b; public int "+hash+" }"), []string{"an IDE: " + hash}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFitted: the tables that a generator makes for a grammar count if they are copied. The rest, which is the same for all grammars,
// does not.
func TestFitted(t *testing.T) {
	for _, c := range []struct {
		name, text string
		fitted     []bool
	}{
		{"Bison", "#define YYBISON 30802\n#line 1 \"a.y\"\nint own;\n#line 4 \"a.c\"\nint yydebug;\n#line 70 \"a.y\"\nint u;\n#line 8 \"a.c\"\n#define YYFINAL 5\nstatic const int yytable[] = { 1 };\n#line 20 \"a.y\"\nact();\n#line 12 \"a.c\"\nint yyskeleton;\n",
			[]bool{false, true, false}},
		{"flex", "#line 2 \"lex.yy.c\"\n#define FLEX_SCANNER\nint yyhead;\nstatic const flex_int16_t yy_accept[9] = { 1 };\n#line 1 \"a.l\"\nint own;\n#line 9 \"lex.yy.c\"\nint yyskeleton;\n",
			[]bool{true, false}},
		{"flex without lines", "#define FLEX_SCANNER\nint own(int a) { return a; }\nstatic const short yy_accept[9] = { 1 };\n", nil},
	} {
		z := lang.NewTokenizer(lang.Limits{})
		s, err := z.Tokenize(lang.ByName("c"), []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []bool
		for _, h := range boilerplate.Find("c", []byte(c.text), s.Tokens) {
			got = append(got, h.Fitted)
		}
		z.Close()
		if !slices.Equal(got, c.fitted) {
			t.Errorf("%s: fitted %v, want %v", c.name, got, c.fitted)
		}
	}
}

// TestWrittenEquals: a long comparison with loops was written by a person.
func TestWrittenEquals(t *testing.T) {
	text := "class A { public boolean equals(Object o) { " + strings.Repeat("for (int i = 0; i < n; i++) { if (b[i] != ((A) o).b[i]) { return false; } } ", 20) + "return true; } }"
	if got := find(t, "java", text); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// TestManuals: frames that the manuals of Java give are no code of their own.
func TestManuals(t *testing.T) {
	tell := "Object[] ls = this.list.getListenerList(); E e = null; for (int i = ls.length - 2; i >= 0; i -= 2) { if (ls[i] == L.class) { if (e == null) { e = new E(this); } ((L) ls[i + 1]).told(e); } }"
	own := " void d() { Object[] ls = list.getListenerList(); for (int i = ls.length - 2; i >= 0; i -= 2) { rank(ls[i]); if (ls[i] == L.class) { e(); } } } void a() { Object[] ls = list.getListenerList(); for (Object l : ls) { b(l); } } Object[] c() { return list.getListenerList(); }"
	got := find(t, "java", "class A { void fire() { "+tell+" own(); }"+own+" }")
	if want := []string{"the manual of EventListenerList: " + tell}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	made := "public ATest(String name) { super(name); }"
	suite := "public static Test suite() { return new TestSuite(ATest.class); }"
	run := "public static void main(String[] args) { junit.textui.TestRunner.run(suite()); }"
	body := "class ATest { " + made + " " + suite + " " + run + " public void testOwn() { assertEquals(1, 1); } }"
	want := []string{"the manual of JUnit: " + made, "the manual of JUnit: " + suite, "the manual of JUnit: " + run}
	if got := find(t, "java", "import junit.framework.Test; "+body); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := find(t, "java", body); len(got) > 0 {
		t.Errorf("%q in a text that imports no JUnit", got)
	}
}

func TestFindKotlin(t *testing.T) {
	equals := "equals(other: Any?): Boolean { if (this === other) return true; return other is A && other.b == b }"
	hash := "hashCode(): Int { return 31 * b }"
	got := find(t, "kotlin", "class A { val b = 1; override fun "+equals+"\n override fun "+hash+"\n fun equals(a: A): Boolean { return true } }")
	if want := []string{"an IDE: " + equals, "an IDE: " + hash}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFindCSharp(t *testing.T) {
	equals := "Equals(object? obj) { return obj is A a && a.b == b; }"
	hash := "GetHashCode() { return b; }"
	made := "AException(string message, Exception inner) : base(message, inner) { }"
	got := find(t, "csharp", "class A { public override bool "+equals+" public override int "+hash+" bool Equals(A a) { return true; } int GetHashCode(int n) { return n; } } class AException { public "+made+" public AException(string m) : base(m) { b = 1; } }")
	if want := []string{"an IDE: " + equals, "an IDE: " + hash, "an IDE: " + made}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFindBounded: the search stops after many helpers without end, and stretches are disjoint and ascending.
func TestFindForms(t *testing.T) {
	form := "InitializeComponent() { this.a = new Button(); }"
	disposal := "Dispose(bool disposing) { if (disposing && components != null) { components.Dispose(); } base.Dispose(disposing); }"
	got := find(t, "csharp", "class A { public A() { InitializeComponent(); } protected override void "+disposal+" private void "+form+" }")
	if want := []string{"an IDE: " + disposal, "an IDE: " + form}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	own := "class A { protected override void Dispose(bool disposing) { if (disposing) { stream.Dispose(); } } }"
	if got := find(t, "csharp", own); got != nil {
		t.Errorf("%q of a class that disposes something of its own", got)
	}
	swing := "initComponents() { a = new JButton(); }"
	if got := find(t, "java", "class A { A() { initComponents(); } private void "+swing+" }"); !slices.Equal(got, []string{"an IDE: " + swing}) {
		t.Errorf("%q, want %q", got, swing)
	}
}

func TestFindBounded(t *testing.T) {
	if got := find(t, "javascript", strings.Repeat("function _typeof(o) { ", 5000)); got != nil {
		t.Errorf("found %d", len(got))
	}
	if got := find(t, "javascript", "function _extends() { function _typeof() {} } function _inherits() {}"); len(got) != 2 {
		t.Errorf("a helper in a helper counts: %q", got)
	}
}

// TestPublished: the packages are recognised in every version, and no other package is.
func TestPublished(t *testing.T) {
	var got []string
	for _, p := range []string{"pkg:npm/tslib", "pkg:npm/%40babel/runtime", "pkg:npm/lodash"} {
		if boilerplate.IsPackage(p) {
			got = append(got, p)
		}
	}
	if want := []string{"pkg:npm/tslib", "pkg:npm/%40babel/runtime"}; !slices.Equal(got, want) {
		t.Error(got)
	}
}

func Example() {
	text := []byte("var __rest = function (s) { return s; }; export function area(r) { return r * r; }")
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, _ := z.Tokenize(lang.ByName("javascript"), text)
	for _, h := range boilerplate.Find("javascript", text, s.Tokens) {
		fmt.Printf("%s wrote %s\n", h.Tool, text[s.Tokens[h.From].Start:s.Tokens[h.To-1].End])
	}
	// Output: TypeScript wrote var __rest = function (s) { return s; }
}

// FuzzFind: for any text, stretches are inside it, ascending and disjoint.
func FuzzFind(f *testing.F) {
	f.Add([]byte("function _typeof(o) { return 1; } var __rest = (a || function () {});"))
	f.Add([]byte("for (var _len = arguments.length;;) { } function (a) { define.amd }"))
	f.Add([]byte("var p = {symbols_: {}, performAction: function (yystate) { switch (a) { } }, table: []}; ({EOF:1, upcomingInput: 1}); if (typeof require) { commonjsMain }"))
	f.Add([]byte("function (k,v,o,l) { } ({symbols_: 1}); function Parser() { this.yy } new Parser; class A extends ParserRuleContext { ruleIndex; class B { visitA?: (ctx: B) } }"))
	z := lang.NewTokenizer(lang.Limits{})
	f.Cleanup(z.Close)
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := z.Tokenize(lang.ByName("javascript"), text)
		if err != nil {
			t.Skip()
		}
		end := 0
		for _, h := range boilerplate.Find("javascript", text, s.Tokens) {
			if h.From < end || h.To <= h.From || h.To > len(s.Tokens) || h.Tool == "" {
				t.Fatalf("%+v behind %d of %d", h, end, len(s.Tokens))
			}
			end = h.To
		}
	})
}

// TestFramesOfFillers: characters in the order of their numbers, and Lorem ipsum, are frames; other bytes and other prose are not.
func TestFramesOfFillers(t *testing.T) {
	const text = `<p id="a">Own words. Lorem ipsum dolor sit amet,
consectetur adipiscing elit.</p> Own again.

"\x7f\x80\x81\x82\x83\x84\x85\x86\x87" "\x01\x02\x03\x04\x05\x06\x07" "\x10\x20\x30\x40\x50\x60\x70\x80\x90" "\xgg\x00\x01"
`
	var got []string
	for _, f := range boilerplate.InText([]byte(text)) {
		got = append(got, text[f.From:f.To])
	}
	want := []string{"Lorem ipsum dolor sit amet,\nconsectetur adipiscing elit.", `\x7f\x80\x81\x82\x83\x84\x85\x86\x87`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCharacterSets: a table of characters in order is a frame, read in either direction and with gaps; a table of another order, and a short
// one, are somebody's.
func TestCharacterSets(t *testing.T) {
	var up, down, mixed strings.Builder
	for i := 0x80; i < 0xc0; i += 3 {
		fmt.Fprintf(&up, "\t\"\\x%02X\" => \"\\xC2\\x%02X\",\n", i, i)
		fmt.Fprintf(&down, "'\\xe2\\x82\\x%02x': '\\x%02x', ", 0x140-i, i)
		fmt.Fprintf(&mixed, "\"\\x%02X\" => \"\\x%02X\",\n", 0x80+i*7%64, 0x80+i*11%64)
	}
	text := "$a = [\n" + up.String() + "];\nb = {" + down.String() + "}\n$c = [" + mixed.String() + "];\n$d = [\"\\x01\" => \"\\x02\", \"\\x03\" => \"\\x04\"];\n"
	var got []string
	for _, f := range boilerplate.CharacterSets([]byte(text)) {
		got = append(got, text[f.From:f.To])
	}
	want := []string{strings.TrimSuffix(strings.TrimSpace(up.String()), ","), strings.TrimSuffix(strings.TrimSpace(down.String()), ",")}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFindGenerated: around the code of a grammar, C between the marks of a parser generator is the generator's.
func TestFindGenerated(t *testing.T) {
	const text = `#line 1 "cli.rl"
int own(int a) { return a; }
#line 4 "cli.c"
int states = 4;
#line 73 "cli.rl"
more(own);
#line 1 "NONE"
goto st;
#line 9 "other.h"
int rest;
`
	want := []string{"a parser generator: int states = 4;", "a parser generator: goto st;"}
	if got := find(t, "c", text); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	const old = `#line 3 "calc.y"
int own(int a) { return a; }
#define	YYFINAL		4
static const short yytable[] = { 1, 2 };
#line 3 "/usr/share/bison.simple"
int yyparse;
#line 9 "calc.y"
more(own);
#define YYFINAL 5
#line 543 "/usr/share/bison.simple"
goto yynewstate;
#line 20 "calc.y"
int rest;
`
	want = []string{"a parser generator: static const short yytable[] = { 1, 2 };", "a parser generator: int yyparse;", "a parser generator: goto yynewstate;"}
	got := find(t, "c", old)
	for i := range got {
		got[i] = strings.Replace(got[i], "#define	YYFINAL		4\n", "", 1)
	}
	if !slices.Equal(got, want) {
		t.Errorf("old Bison: %q, want %q", got, want)
	}
	const scanner = `int own(int a) { return a; }
#define FLEX_SCANNER
static const short yy_accept[] = { 1, 2 };
#line 1 "scan.l"
int more;
#line 90 "lex.yy.c"
int yylex;
`
	got = find(t, "c", scanner)
	for i := range got {
		got[i] = strings.Replace(got[i], "#define FLEX_SCANNER\n", "", 1)
	}
	if want = []string{"a parser generator: static const short yy_accept[] = { 1, 2 };", "a parser generator: int yylex;"}; !slices.Equal(got, want) {
		t.Errorf("old flex: %q, want %q", got, want)
	}
	const hash = "/* ANSI-C code produced by gperf version 3.1 */\nint hash;\n#line 9 \"keywords.gperf\"\nint word;\n"
	if got := find(t, "c", hash); len(got) != 1 {
		t.Errorf("%q in a file of gperf", got)
	}
	if got := find(t, "c", "int line = 1; // a line \"of\" text\n"); len(got) > 0 {
		t.Errorf("%q in a file without marks", got)
	}
}

// TestMigrations: a migration of Laravel is boilerplate, with or without a name of its class. Other classes with such methods are not.
func TestMigrations(t *testing.T) {
	const body = "Migration { public function up() { Schema::create('a', function (Blueprint $t) { $t->timestamps(); }); } }"
	for _, c := range []struct{ text, want string }{
		{"<?php\nclass A extends " + body + "\n$own = 1;", "class A extends " + body},
		{"<?php\nreturn new class extends " + body + ";", "class extends " + body},
		{"<?php\nclass A extends Step { public function up() { } } // extends Migration", ""},
		{"<?php\nclass A extends Migration { public function up() {", ""},
		{"<?php\nclass A extends Migration { public function up() { Schema::table('a', function (Blueprint $t) { }); foreach ($rows as $r) { own($r); } } }", ""},
		{"<?php\nclass A extends Migration { public function up() { own('a'); } }", ""},
		{"<?php\nclass A extends Migration { public function up(Blueprint $t) { } private function own() { } }", ""},
	} {
		got := strings.TrimPrefix(strings.Join(find(t, "php", c.text), "; "), "Laravel's command: ")
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFramesOfCounters: Google's snippets that count visitors are frames. They are equal in every page, except for the number of
// the account.
func TestFramesOfCounters(t *testing.T) {
	for _, snippet := range []string{
		"(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){\n(i[r].q=i[r].q||[]).push(arguments)},i[r].l=1*new Date();a=s.createElement(o),\nm=s.getElementsByTagName(o)[0];a.async=1;a.src=g;m.parentNode.insertBefore(a,m)\n})(window,document,'script','https://www.google-analytics.com/analytics.js','ga');\nga('create', 'UA-1-1', 'auto');\nga('send', 'pageview');",
		"(function (i, s, o, g, r, a, m) {\n  i['GoogleAnalyticsObject'] = r; i[r] = i[r] || function () {\n    (i[r].q = i[r].q || []).push(arguments)\n  }, i[r].l = 1 * new Date(); a = s.createElement(o),\n    m = s.getElementsByTagName(o)[0]; a.async = 1; a.src = g; m.parentNode.insertBefore(a, m)\n})(window, document, 'script', '//www.google-analytics.com/analytics.js', 'ga');\n\nga('create', 'UA-1-1', 'auto');\nga('send', 'pageview');",
		"window.dataLayer = window.dataLayer || [];\nfunction gtag(){dataLayer.push(arguments);}\ngtag('js', new Date());\n\ngtag('config', 'G-1');",
	} {
		text := "own words\n<script>\n" + snippet + "\n</script> own words"
		if fs := boilerplate.InText([]byte(text)); len(fs) != 1 || text[fs[0].From:fs[0].To] != snippet {
			t.Errorf("%v of %q", fs, text)
		}
	}
}

// TestFramesOfAsked: what a page asks everybody to copy is a frame: the head of Keep a Changelog, the line that lists a Makefile's targets,
// terms of contributions, paragraphs of RFCs, how vcpkg installs.
func TestFramesOfAsked(t *testing.T) {
	for _, frame := range []string{
		"All notable changes to this project will be documented in this file.\n\nThe format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/),\nand this project adheres to [Semantic Versioning](https://semver.org/spec/v2.0.0.html)",
		"All notable changes to this chart will be documented in this file; the format is based on [Keep a Changelog](http://keepachangelog.com) and we follow https://semver.org/",
		"By making a contribution to this project, I certify that:\n\n- (a) It was created by me; or\n\n- (b) It is based on\n previous work; or\n\n- (d) It may be redistributed consistent with\n  this project or the open source license(s)\n  involved",
		"Unless you explicitly state otherwise, any contribution intentionally submitted\nfor inclusion in Tokio by you shall be licensed as MIT, without any additional\nterms or conditions",
		"he key words \"MUST\", \"SHOULD\", and \"MAY\" in this\n   document are to be interpreted as described in BCP 14, RFC 2119",
		"Status of this Memo\n\n   This document specifies a protocol.  Distribution of this\n   memo is unlimited",
		"# © 2023 Unicode®, Inc.\n# For terms of use, see https://www.unicode.org/terms_of_use.html",
		"/**\n * CSS files with the .module.css suffix will be treated as CSS modules\n * and scoped locally.\n */",
		"Copyright (C) The Internet Society (1998).  All Rights Reserved.\n\n   The limited permissions granted above are perpetual.\n\n   MERCHANTABILITY OR FITNESS FOR A PARTICULAR PURPOSE",
		"This document and translations of it may be copied and furnished to\n   others, provided that a reference to it is in all derivative works.\n\n   FITNESS FOR A PARTICULAR PURPOSE",
		"You can download and install libown using the [vcpkg](https://github.com/Microsoft/vcpkg/) dependency manager:\n\n    ./vcpkg install libown\n\nPlease [create an issue](https://github.com/Microsoft/vcpkg) on the vcpkg repository",
		"and thousands of other packages are working with Tidelift to deliver commercial support. [Learn more.](https://tidelift.com/)",
		"\t@awk 'BEGIN {FS = \":.*?## \"} /^[a-z]+:.*?## / {printf \"%-30s %s\\n\", $$1, $$2}' $(MAKEFILE_LIST)",
	} {
		text := "# Own words\n\n" + frame + "\n## Own again, since 1.0.0: see https://keepachangelog.com and MAKEFILE_LIST\n"
		if fs := boilerplate.InText([]byte(text)); len(fs) != 1 || text[fs[0].From:fs[0].To] != frame {
			t.Errorf("%v of %q", fs, text)
		}
	}
}

// TestFramesOfReact: the comments that create-react-app writes into the page of a project are frames; the page's own are not.
func TestFramesOfReact(t *testing.T) {
	const first = "<!--\n  Notice the use of %PUBLIC_URL% in the tags above.\n-->"
	const second = "<!--\n  This HTML file is a template.\n  To begin the development, run `npm start` or `yarn start`.\n-->"
	const script = "<noscript>You need to enable JavaScript to run this app.</noscript>"
	text := "<p>own</p>\n" + first + "\n<!-- own words -->\n" + script + "\n<p>more</p>\n" + second + "\n"
	var got []string
	for _, f := range boilerplate.InText([]byte(text)) {
		got = append(got, text[f.From:f.To])
	}
	if want := []string{first, script, second}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFramesOfTools: what tools write at the top of their users' files is a frame: the macros by which Docutils indents a manual page, the
// directives of a text template, the variables of Docusaurus' style sheet, and Google's script without an account.
func TestFramesOfTools(t *testing.T) {
	for _, frame := range []string{
		".nr rst2man-indent-level 0\n.\n.de1 rstReportMargin\n\\\\$1 \\\\n[an-margin]\nlevel \\\\n[rst2man-indent-level]\n-\n..\n.de UNINDENT\n. RE\n.nr rst2man-indent-level -1\n.in \\\\n[rst2man-indent\\\\n[rst2man-indent-level]]u\n..",
		"<#@ template debug=\"false\" language=\"C#\" #>\n<#@ assembly name=\"System.Core\" #>\n<#@ import namespace=\"System.Linq\" #>\n<#@ output extension=\".cs\" #>",
		"/**\n * Any CSS included here will be global. The classic template\n * bundles Infima by default.\n */",
		"  --ifm-color-primary-dark: #15a688;",
		".docusaurus-highlight-code-line {\n  background-color: rgb(72, 77, 91);\n  display: block;\n}",
		"(function() {\n    var ga = document.createElement('script'); ga.async = true;\n    ga.src = 'http://www.google-analytics.com/ga.js';\n    var s = document.getElementsByTagName('script')[0]; s.parentNode.insertBefore(ga, s);\n  })();",
	} {
		text := "Own words.\n" + frame + "\n.SH Own again {}\n"
		if fs := boilerplate.InText([]byte(text)); len(fs) != 1 || text[fs[0].From:fs[0].To] != frame {
			t.Errorf("%v of %q", fs, text)
		}
	}
}

// TestInMarkup: macros between comments of a script are no markup, and marks far apart have a text between them.
func TestInMarkup(t *testing.T) {
	const script = "/*\n.nr rst2man-indent-level 0\n*/ f(a); /*\n.in rst2man-indent\n..\n*/\n"
	if fs := boilerplate.InMarkup([]byte(script)); len(fs) > 0 {
		t.Errorf("script: %v", fs)
	}
	far := ".nr rst2man-indent-level 0\n" + strings.Repeat("Own words of a manual.\n", 60) + ".in \\n[rst2man-indent]u\n..\n"
	if fs := boilerplate.InText([]byte(far)); len(fs) > 0 {
		t.Errorf("far apart: %v", fs)
	}
}

// TestCommentsOfManuals: comments of a manual page are frames, its macros and words are not.
func TestCommentsOfManuals(t *testing.T) {
	const page = ".\\\" First parameter, NAME, should be all caps\n.TH PDFTK 1\n.\\\" another\nThe \\fIpage\\fP.\n"
	var got []string
	for _, f := range boilerplate.InText([]byte(page)) {
		got = append(got, page[f.From:f.To])
	}
	if want := []string{".\\\" First parameter, NAME, should be all caps", ".\\\" another"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFramesOfManuals: text that Pod::Man and DocBook write into each manual page is a frame; the page's own words are not.
func TestFramesOfManuals(t *testing.T) {
	const pod = `.\" Automatically generated by Pod::Man 2.28 (Pod::Simple 3.30)
.\"
.\" Standard preamble:
.de Sp \" Vertical space
..
.TH TOOL 1 "2016-10-26" "3.0" "Tool"
.\" For nroff, turn off justification.
.if n .ad l
.nh
.SH "NAME"
tool \- does its own work
`
	const docbook = `'\" t
.\" Generator: DocBook XSL Stylesheets v1.76.1 <http://docbook.sf.net/>
.TH "TOOL" "1"
.nh
.\" -----------------------------------------------------------------
.\" * MAIN CONTENT STARTS HERE *
.\" -----------------------------------------------------------------
.SH "NAME"
tool \- own words
.sp
.RS 4
.ie n \{\
\h'-04'\(bu\h'+03'\c
.\}
own item
.RE
`
	const byHand = `.TH TOOL 1
.SH NAME
.sp
.RS 4
tool \- own words
`
	for _, c := range []struct{ text, left string }{
		{pod, ".SH \"NAME\"\ntool \\- does its own work\n"},
		{docbook, "'\\\" t\n.SH \"NAME\"\ntool \\- own words\nown item\n"},
		{byHand, byHand},
	} {
		left, last := "", 0
		for _, f := range boilerplate.InText([]byte(c.text)) {
			if f.From > last {
				left += c.text[last:f.From]
			}
			last = max(last, f.To)
		}
		if left += c.text[last:]; strings.TrimPrefix(left, ".SH ") != strings.TrimPrefix(c.left, ".SH ") {
			t.Errorf("left %q, want %q", left, c.left)
		}
	}
}

// kinds lists the stretches of a parser generator by their first and last word and whether they are fitted to the user's grammar.
func kinds(t testing.TB, language, text string) (out []string) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, err := z.Tokenize(lang.ByName(language), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	word := func(i int) string { return text[s.Tokens[i].Start:s.Tokens[i].End] }
	for _, h := range boilerplate.Find(language, []byte(text), s.Tokens) {
		out = append(out, fmt.Sprint(word(h.From), " … ", word(h.To-1), " ", h.Fitted))
	}
	return out
}

// Jison writes its own functions around tables and actions that are the user's.
func TestJison(t *testing.T) {
	const text = `var before = 1; var calc = (function(){ var o=function(k,v,o,l){ for(o=o||{},l=k.length;l--;o[k[l]]=v); return o },$V0=[1,4],$V1=[5,7];
var parser = {trace: function trace() { }, yy: {}, symbols_: {"error":2,"sum":3}, terminals_: {2:"error"}, productions_: [0,[3,3]],
performAction: function anonymous(yytext, yyleng, yylineno, yy, yystate, $$, _$) { var $0 = $$.length - 1; switch (yystate) { case 1: this.$ = add($$[$0]); break; } },
table: [{3:1}], defaultActions: {}, parseError: function parseError(str, hash) { throw new Error(str); }, parse: function parse(input) { return input; }};
var lexer = ({EOF:1, setInput: function(input) { return this; }, upcomingInput: function () { return ""; }, options: {},
performAction: function anonymous(yy,yy_,$avoiding_name_collisions,YY_START) { switch($avoiding_name_collisions) { case 0: return 5; } }, rules: [/^a/], conditions: {}});
parser.lexer = lexer; function Parser () { this.yy = {}; } Parser.prototype = parser; parser.Parser = Parser; return new Parser; })();
if (typeof require !== 'undefined' && typeof exports !== 'undefined') { exports.main = function commonjsMain(args) { return args; }; }
function ours(a) { return a; }`
	want := []string{"function … } false", ", … = true", "trace … , false", "symbols_ … , true", "performAction … ) false", "{ … , true", "parseError … } false",
		"EOF … , false", "options … , true", "performAction … ) false", "{ … } true", "function … Parser false", "if … } false"}
	if got := kinds(t, "javascript", text); !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	if got := kinds(t, "javascript", `var table = {rules: [1], EOF: 2, symbols: {}}; function Parser() { return 1; }`); len(got) > 0 {
		t.Errorf("code that Jison did not write: %q", got)
	}
}

// ANTLR's classes keep no heading in bundles and in declarations.
func TestANTLR(t *testing.T) {
	const text = `import * as antlr from "antlr4ng";
export class SumParser extends antlr.Parser { static RULE_sum = 0; sum() { this.enterOuterAlt(c, 1); } }
export class SumContext extends antlr.ParserRuleContext { get ruleIndex() { return 0; } }
export class SumLexer extends antlr.Lexer { static channelNames = ["DEFAULT"]; }
export class Printer extends antlr.ParseTreeVisitor { visitSum(c) { return print(c); } }`
	if got, want := kinds(t, "javascript", text), []string{"class … } true", "class … } true", "class … } false"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	const declared = `import { ParseTreeListener } from "antlr4ts/tree/ParseTreeListener";
export interface SumListener extends ParseTreeListener { enterSum?: (ctx: SumContext) => void; }
export interface Options { visit?: (node: Node) => void; }`
	if got, want := kinds(t, "typescript", declared), []string{"interface … } true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Ragel writes a machine in Go as gotos between numbered states; linters want their names without underscores.
// TestGoyacc: the parser that goyacc writes is its own; the tables and the actions are the grammar's.
func TestGoyacc(t *testing.T) {
	const text = "// Code generated by goyacc. DO NOT EDIT.\npackage p\n\n//line yacctab:1\nvar yyExca = [...]int8{-1, 1}\n\n//line yaccpar:1\n" +
		"func yyParse() int {\n\tswitch n {\n\tcase 1:\n//line p.y:7\n\t\town()\n\t}\n\treturn 0\n}\n"
	want := []string{"a parser generator: func yyParse() int {\n\tswitch n {\n\tcase 1:"}
	if got := find(t, "go", text); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := find(t, "go", "package p\n\nvar mark = \"//line yaccpar:1\"\n"); len(got) > 0 {
		t.Errorf("%q in a string", got)
	}
	find(t, "go", "package p\n\n//line yaccpar:1\n")
}

func TestRagelGo(t *testing.T) {
	for _, style := range []string{"st_case_%d _test_eof%d", "stCase%d _testEof%d"} {
		label, end, _ := strings.Cut(style, " ")
		text := "package p\nfunc run(data []byte) int {\n\tp := 0\n"
		for i := range 9 {
			text += fmt.Sprintf("st%d:\n\tif p++; p == len(data) {\n\t\tgoto "+end+"\n\t}\n"+label+":\n\tgoto st%d\n"+end+":\n\tcs = %d\n", i, i, i, i, i, i)
		}
		if got, want := kinds(t, "go", text+"\treturn p\n}\n"), []string{"st0 … " + fmt.Sprintf(end, 8) + " true"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := kinds(t, "go", "package p\nfunc f() { goto _test_eof; _test_eof: return }\n"); len(got) > 0 {
		t.Errorf("a label alone: %q", got)
	}
}

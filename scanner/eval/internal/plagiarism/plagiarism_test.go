package plagiarism

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

const javaSource = `class Sum {
  // adds up
  static int total(int[] values, int limit) {
    int sum = 0;
    int other = 7;
    for (int i = 0; i < limit; i++) {
      sum += values[i] * 12;
    }
    if (sum > limit) {
      use(sum);
    } else {
      use(other);
    }
    { use(limit); }
    return sum;
  }
  static void use(int x) {
    System.out.println("number" + x);
  }
}
`

const pythonSource = `def total(values, limit):
    """Adds up."""
    count = 0
    other = 7
    for v in values:
        count += v * 12
    if count > limit:
        print(count)
    else:
        print("other", other)
    return count
`

func parsed(t *testing.T, name, src string) program {
	t.Helper()
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	p, ok := parse(tz, name, []byte(src))
	if !ok {
		t.Fatalf("%s cannot be read", name)
	}
	return p
}

// flat is a text without its white space.
func flat(src []byte) string { return string(bytes.Join(bytes.Fields(src), nil)) }

func TestTreeHoldsEveryWord(t *testing.T) {
	for name, src := range map[string]string{"Sum.java": strings.ReplaceAll(javaSource, "// adds up\n", ""), "total.py": pythonSource} {
		if got := flat(parsed(t, name, src).render(style{indent: "\t"})); got != flat([]byte(src)) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestLevelsGoFurther(t *testing.T) {
	java, python := parsed(t, "Sum.java", javaSource), parsed(t, "total.py", pythonSource)
	for level, want := range map[int][2]string{
		1: {"sum += values[i] * 12", "count += v * 12"}, // names stand
		2: {`System.out.println("number"`, "* 12"},      // names are gone, values stand
		5: {"while", "if not ("},
	} {
		for i, p := range []program{java, python} {
			got := string(disguise(p, p, level))
			if !strings.Contains(got, want[i]) {
				t.Errorf("level %d of %s lacks %q:\n%s", level, p.name, want[i], got)
			}
			if strings.Contains(got, "dds up") || level > 1 && strings.Contains(got, "limit") && strings.Contains(got, "total") {
				t.Errorf("level %d of %s keeps comments or names:\n%s", level, p.name, got)
			}
			if !bytes.Equal(disguise(p, p, level), []byte(got)) {
				t.Errorf("level %d of %s differs from one time to the next", level, p.name)
			}
		}
	}
	if got := java.render(style{}); !strings.Contains(string(got), "for") {
		t.Errorf("disguising changed the original:\n%s", got)
	}
}

func TestQuality(t *testing.T) {
	pairs := []Pair{{"a", "b", 1}, {"a", "c", 2}, {"a", "d", 0}, {"a", "e", 0}}
	got := Measure(pairs, map[[2]string]float64{{"a", "b"}: 0.9, {"a", "c"}: 0.2, {"a", "d"}: 0.2}, 0)
	want := map[int]Quality{0: {0.875, 0.5, 2}, 1: {1, 1, 1}, 2: {0.75, 0, 1}}
	for level, q := range want {
		if got[level] != q {
			t.Errorf("level %d: %+v, want %+v", level, got[level], q)
		}
	}
}

// TestCompare: a tool that ranks all copies right is better than one that ranks by chance, and as good as itself.
func TestCompare(t *testing.T) {
	s := Drawn{Exercises: []string{"a", "b", "c"}, Spared: 0.05}
	right, chance := make(map[[2]string]float64), make(map[[2]string]float64)
	for i := range 150 {
		e := s.Exercises[i%3]
		p := Pair{A: e + "-original", B: fmt.Sprintf("%s-%03d", e, i), Level: i % 2}
		if i%5 == 0 {
			p.A = fmt.Sprintf("%s-x%03d", e, i)
		}
		s.Pairs = append(s.Pairs, p)
		key := [2]string{min(p.A, p.B), max(p.A, p.B)}
		right[key], chance[key] = float64(2*p.Level)+float64(i%7), float64(i*37%11)
	}
	once := slices.Repeat([]float64{1}, len(s.Pairs))
	for _, scores := range []map[[2]string]float64{right, chance} {
		if got, want := rankingOf(s.Pairs, scores).quality(once, s.Spared), Measure(s.Pairs, scores, s.Spared)[0]; math.Abs(got.AUC-want.AUC) > 1e-12 || got.Recall != want.Recall {
			t.Errorf("%+v, measured %+v", got, want)
		}
	}
	if d := Compare(s, 0, right, right); d != (Difference{Sign: 1}) {
		t.Errorf("a tool differs from itself: %+v", d)
	}
	d, back := Compare(s, 1, right, chance), Compare(s, 1, chance, right)
	if d.AUC.Low <= 0 || d.AUC.Low > d.AUC.Value || d.AUC.Value > d.AUC.High || d.Only <= d.Other || d.Sign > 0.05 {
		t.Errorf("right against chance: %+v", d)
	}
	if back.AUC.Value != -d.AUC.Value || back.Only != d.Other || back.Sign != d.Sign {
		t.Errorf("%+v is not the reverse of %+v", back, d)
	}
	for _, c := range []struct {
		a, b int
		want float64
	}{{0, 0, 1}, {0, 5, 0.0625}, {3, 3, 1}, {6, 1, 0.125}} {
		if got := signTest(c.a, c.b); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d against %d: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

func TestSetsOfRepositories(t *testing.T) {
	parsed(t, "Sum.java", javaSource)
	dir := t.TempDir()
	long := strings.Replace(javaSource, "return sum;", strings.Repeat("use(sum);\n", 45)+"return sum;", 1)
	other := strings.NewReplacer("sum +=", "sum = sum +", "static", "public static", "use", "apply", "int other = 7;", "", "int i", "int k", "println", "print", "values", "them").Replace(long)
	for name, src := range map[string]string{"one/Adder.java": long, "two/adder.java": other, "three/Adder.java": long, "one/Short.java": javaSource, "two/Short.java": javaSource} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	repos := []string{filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "three")}
	if err := Main(context.Background(), append([]string{"make", filepath.Join(dir, "out")}, repos...), &b); err != nil {
		t.Fatal(err)
	}
	set := filepath.Join(dir, "out", strings.Fields(strings.ReplaceAll(b.String(), ":", ""))[0])
	pairs, err := ReadPairs(set)
	if err != nil {
		t.Fatal(err)
	}
	var levels []int
	for _, p := range pairs {
		if strings.HasSuffix(p.A, "-original") {
			levels = append(levels, p.Level)
		}
	}
	slices.Sort(levels)
	// of one and three, which are equal, one is the original or another's copy: never a negative of it
	if fmt.Sprint(levels) != "[0 1 2 3 4 5 6]" && fmt.Sprint(levels) != "[0 0 1 2 3 4 5 6]" {
		t.Errorf("levels %v in %s", levels, b.String())
	}
	scores := filepath.Join(dir, "scores.tsv")
	if err := os.WriteFile(scores, []byte(pairs[0].B+"\t"+pairs[0].A+"\t1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if err := Main(context.Background(), []string{"measure", set, "tool=" + scores}, &b); err != nil || !strings.Contains(b.String(), "| tool | 0.") {
		t.Errorf("%v: %s", err, b.String())
	}
	b.Reset()
	if err := Main(context.Background(), []string{"differ", set, "0", "tool=" + scores, "itself=" + scores}, &b); err != nil || !strings.Contains(b.String(), "| itself | +0.000 (+0.000 to +0.000) |") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func ExampleMeasure() {
	pairs := []Pair{{A: "original", B: "copy", Level: 3}, {A: "original", B: "other", Level: 0}}
	q := Measure(pairs, map[[2]string]float64{{"copy", "original"}: 0.8, {"original", "other"}: 0.3}, 0)
	fmt.Printf("AUC %.3f, recall above every negative %.3f\n", q[3].AUC, q[3].Recall)
	// Output: AUC 1.000, recall above every negative 1.000
}

// files writes files below a new directory.
func files(t *testing.T, text map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, s := range text {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSetsOfAClass(t *testing.T) {
	text := map[string]string{"sum-c/idle.c": "int given_to_everybody(int x);\nint main(void) { return 0; }\n"}
	for i := range originals + 2 {
		var own strings.Builder
		for j := range ownLines + 1 {
			fmt.Fprintf(&own, "  int value_%d_%d = %d;\n", i/2, j, i) // two neighbours have the same lines but for the number
		}
		text[fmt.Sprintf("sum-c/s%02d.c", i)] = "int given_to_everybody(int x);\nint main(void) {\n" + own.String() + "  return 0;\n}\n"
	}
	out := t.TempDir()
	var b bytes.Buffer
	if err := Main(context.Background(), []string{"class", out, files(t, text)}, &b); err != nil {
		t.Fatal(err)
	}
	// 20 solutions and 18 copies; who has no line of their own is no student
	if want := fmt.Sprintf("class-c-a: %d files, ", 2*originals+2); !strings.HasPrefix(b.String(), want) {
		t.Errorf("%s, want %s", b.String(), want)
	}
	pairs, err := ReadPairs(filepath.Join(out, "class-c-a"))
	if err != nil {
		t.Fatal(err)
	}
	levels := make(map[int]int)
	for _, p := range pairs {
		levels[p.Level]++
	}
	if levels[1] != 3 || levels[6] != 3 {
		t.Errorf("copies by level: %v", levels)
	}
	for _, name := range []string{"exercises", "partial"} {
		if _, err := os.Stat(filepath.Join(out, "class-c-a", name)); err != nil {
			t.Error(err)
		}
	}
}

func TestGivenLinesAreNobodysOwn(t *testing.T) {
	const everybodys = "int given_to_everybody(int x);\n"
	mine := everybodys + "int my_own_variable_is_long = 1;\nint another_variable_is_long = 2;\n"
	texts := []string{mine, everybodys + "int my_own_variable_is_long = 1;\nint a_third_variable_is_long = 3;\n", everybodys, everybodys, everybodys, everybodys, everybodys}
	var ss []student
	for _, src := range texts {
		ss = append(ss, student{solution: solution{src: []byte(src)}})
	}
	given := givenLines(ss)
	own := func(i int) []byte { return without(ss[i].src, given) }
	if got := string(own(0)); got != strings.TrimPrefix(mine, everybodys) {
		t.Errorf("own lines: %q", got)
	}
	if got := alike(own(0), own(1)); got != 0.5 {
		t.Errorf("alike: %v", got)
	}
}

func TestContestsAreRead(t *testing.T) {
	dir := files(t, map[string]string{"labels.csv": "sub1,sub2,problem,veredict\nx,y,7,1\nx,z,7,0\nv,w,8,1\n",
		"version_1/x_y/x.java": "x", "version_1/x_y/y.java": "y", "version_1/x_z/x.java": "x", "version_1/x_z/z.java": "z"})
	s, ok, err := Public(dir, []string{"7"})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if want := []Pair{{"7-x", "7-y", 1}, {"7-x", "7-z", 0}}; !slices.Equal(s.Pairs, want) || !slices.Equal(s.Exercises, []string{"7"}) || s.Partial {
		t.Errorf("%+v", s)
	}
	if len(s.Files) != 3 || string(s.Files["7-z/main.java"]) != "z" {
		t.Errorf("%q", s.Files)
	}
}

func TestReusedProgramsAreRead(t *testing.T) {
	s, ok, err := Public(files(t, map[string]string{"SOCO14-java.qrel": "0.java 1.java\n", "SOCO14-c.qrel": "2.c 1.c",
		"java/0.java": "x", "java/1.java": "y", "c/0.c": "x", "c/1.c": "y", "c/2.c": "z"}), []string{"c"})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if want := []Pair{{"0.c", "1.c", 0}, {"0.c", "2.c", 0}, {"1.c", "2.c", 1}}; !slices.Equal(s.Pairs, want) || !s.Partial || string(s.Files["2.c/main.c"]) != "z" {
		t.Errorf("%+v", s)
	}
}

func TestHiddenCopiesAreRead(t *testing.T) {
	s, ok, err := Public(files(t, map[string]string{"human/x/A.java": "x", "human/y/B.java": "y", "human/y/B.csv": "", "insert/plag-x/A.java": "xx",
		"gptobf/gpt0-y/B.java": "z"}), nil)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	want := []Pair{{"x", "y", 0}, {"x", "insert-plag-x", 1}, {"y", "insert-plag-x", 0}, {"x", "gptobf-gpt0-y", 0}, {"y", "gptobf-gpt0-y", 3}}
	if !slices.Equal(s.Pairs, want) || !s.Partial || s.Exercises != nil || len(s.Files) != 4 || string(s.Files["insert-plag-x/A.java"]) != "xx" {
		t.Errorf("%+v", s)
	}
}

func TestStudentsAreRead(t *testing.T) {
	text := map[string]string{"ground-truth-static-anon.txt": "- C/Z1/Z1\nstudent1,student2\n- C/Z1/Z2\nstudent1,student3\n"}
	for i := range 3 + honest + 5 {
		text[fmt.Sprintf("src/C/Z1/Z1/student%d.c", i)] = "int x;"
	}
	out := t.TempDir()
	s, _, err := Public(files(t, text), []string{"C/Z1/Z1"})
	if err == nil {
		err = s.Write(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	copies := 0
	for _, p := range s.Pairs {
		copies += p.Level
	}
	if n := 2 + honest; len(s.Files) != n || len(s.Pairs) != n*(n-1)/2 || copies != 1 {
		t.Errorf("%d files, %d pairs, %d copies", len(s.Files), len(s.Pairs), copies)
	}
	if _, err := os.Stat(filepath.Join(out, "partial")); err != nil {
		t.Error(err)
	}
	if b, _ := os.ReadFile(filepath.Join(out, "exercises")); string(b) != "C.Z1.Z1\n" {
		t.Errorf("exercises: %q", b)
	}
}

func TestRecallSparesPairs(t *testing.T) {
	none := make([]float64, 200)
	none[198], none[199] = 1, 1
	if q := quality([]float64{0.5, 0.5}, none, 0.01); q.Recall != 1 {
		t.Errorf("%+v", q)
	}
	if q := quality([]float64{0.5, 0.5}, []float64{0, 0.9}, 0); q.Recall != 0 {
		t.Errorf("%+v", q)
	}
}

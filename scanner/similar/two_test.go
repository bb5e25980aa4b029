package similar

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every run that two units share is listed with its lines; a file boundary ends a run.
func TestMaximalRunsNameTheirLines(t *testing.T) {
	o := options(1)
	o.Two, o.Maximal = true, true
	r := compared(t, o, folder("a", map[string]string{"x.go": shared, "y.go": shared + "// end\n"}), folder("b", map[string]string{"z.go": shared + "\nvar last = 7\n"}))
	m := r.Maximal
	if len(m.Matches) != 2 || !m.Whole || m.Matches[0].Tokens != m.Matches[1].Tokens {
		t.Fatalf("%+v", m)
	}
	if one := m.Matches[0]; one.A.Path != "x.go" || one.B.Path != "z.go" || one.A.StartLine != 3 || one.B.StartLine != 3 || one.A.EndLine != one.B.EndLine {
		t.Errorf("%+v", one)
	}
	if m.SharedA != 2*m.Matches[0].Tokens || m.SharedB != m.Matches[0].Tokens {
		t.Errorf("%d and %d tokens are shared in runs of %d", m.SharedA, m.SharedB, m.Matches[0].Tokens)
	}
}

// Base code is in no maximal run and in no parameterized match, wherever a run crosses it.
func TestBaseCodeIsInNoExactMatch(t *testing.T) {
	skeleton := filepath.Join(t.TempDir(), "skeleton.go")
	if err := os.WriteFile(skeleton, []byte("package p\n\n"+function(1)+function(2)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options(1)
	o.Two, o.Maximal, o.Parameterized = true, true, true
	text := "package p\n\n" + function(3) + function(1) + function(2) + function(4)
	a, b := folder("a", map[string]string{"x.go": text}), folder("b", map[string]string{"y.go": strings.ReplaceAll(text, "x = x", "y = y")})
	all := compared(t, o, a, b)
	o.BaseCode = []string{skeleton}
	rest := compared(t, o, a, b)
	if len(all.Maximal.Matches) != 1 || len(all.Parameterized.Matches) == 0 {
		t.Fatalf("without base code %d runs, %d matches", len(all.Maximal.Matches), len(all.Parameterized.Matches))
	}
	if m := rest.Maximal; len(m.Matches) != 2 || m.SharedA != rest.Units[0].Tokens || m.SharedA >= all.Maximal.SharedA {
		t.Errorf("%d runs, %d tokens of %d", len(m.Matches), m.SharedA, rest.Units[0].Tokens)
	}
	if rest.Sets.A >= all.Sets.A || rest.Sets.Resemblance != 1 {
		t.Errorf("%+v, with base code %+v", rest.Sets, all.Sets)
	}
	masked := 3 + strings.Count(function(3), "\n") // the first line of base code
	for _, m := range rest.Parameterized.Matches {
		if m.A.StartLine <= masked && m.A.EndLine >= masked {
			t.Errorf("lines %d-%d go over base code at %d", m.A.StartLine, m.A.EndLine, masked)
		}
	}
}

// Two things that are compared stay two, whatever is in them: the same file twice, and one
// that is left out.
func TestTwoUnitsStayTwo(t *testing.T) {
	each := func(files map[string]string) Part {
		p := folder("dir", files)
		p.Each = true
		return p
	}
	o := options(1)
	o.Two = true
	text := map[string]string{"x.go": shared}
	if r := compared(t, o, each(text), each(text)); len(r.Units) != 2 || len(r.Pairs) != 1 || !r.Pairs[0].Equal || r.Sets.Resemblance != 1 {
		t.Errorf("a file and itself: %+v, %+v", r.Pairs, r.Sets)
	}
	if r := compared(t, o, each(map[string]string{"x.go": "\x00\x01"}), each(text)); len(r.Units) != 2 || len(r.Pairs) != 0 || r.Sets.A != 0 || r.Sets.B == 0 {
		t.Errorf("a file that is left out: %+v, %+v", r.Units, r.Sets)
	}
}

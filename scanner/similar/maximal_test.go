package similar

import "testing"

// Every run that two units share is listed with its lines; a file boundary ends a run.
func TestMaximalRunsNameTheirLines(t *testing.T) {
	o := options(1)
	o.Two, o.Maximal = true, true
	r := compared(t, o, folder("a", map[string]string{"x.go": shared, "y.go": shared + "// end\n"}), folder("b", map[string]string{"z.go": shared + "\nvar last = 7\n"}))
	m := r.Maximal
	if len(m.Matches) != 2 || !m.Whole || m.Matches[0].Tokens != m.Matches[1].Tokens {
		t.Fatalf("%+v", m)
	}
	if one := m.Matches[0]; one.A.Path != "x.go" || one.B.Path != "z.go" || one.A.StartLine != 1 || one.B.StartLine != 1 || one.A.EndLine != one.B.EndLine {
		t.Errorf("%+v", one)
	}
	if m.SharedA != 2*m.Matches[0].Tokens || m.SharedB != m.Matches[0].Tokens {
		t.Errorf("%d and %d tokens are shared in runs of %d", m.SharedA, m.SharedB, m.Matches[0].Tokens)
	}
}

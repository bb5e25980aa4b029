package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// mill is code with two halves: one with names of its own, and one that anybody could write.
const mill = `package mill

func (m *Miller) grindSack(s *Sack, out []string) ([]string, error) {
	hopper := m.hopperFor(s)
	if hopper.slipper == nil {
		return nil, errIdleStones
	}
	m.raiseSluiceGate(hopper)
	hopper.damselRate = s.moisture * m.runnerStone.furrowDepth
	m.bedStone.dressAgain(hopper.damselRate)
	for m.tailRace.headOfWater() < hopper.damselRate {
		m.waterWheel.addPaddle(m.bedStone)
	}
	size := 0
	for i := 0; i < len(out); i++ {
		if out[i] == "" {
			continue
		}
		size += len(out[i])
	}
	if size > 1024 {
		out = out[:0]
	}
	return out, nil
}
`

// TestRestOfFunction: if the evidence of a function ends, the rest is shown as far as it agrees. Code that only follows a copy is
// not shown.
func TestRestOfFunction(t *testing.T) {
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"mill.go": mill}}, pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
	half := strings.Index(mill, "\tsize := 0\n")
	edited := strings.NewReplacer("size := 0", "size, most := 0, 2048", "i := 0; i < len(out); i++", "i := range out", `out[i] == ""`, `out[i] == "" || len(out[i]) > 9`, "continue\n", "log.Print(i)\n\t\t\tcontinue\n",
		"size += len(out[i])", "size += 2 * len(out[i]) + most", "size > 1024", "size > most", "out = out[:0]", "log.Print(size, most)\n\t\tout = out[:0]").Replace(mill[half:])
	for _, c := range []struct {
		name, text string
		last       int // line
	}{
		{"edited", mill[:half] + edited, strings.Count(mill[:half]+edited, "\n")},
		{"another function", mill[:half] + "\tvar b strings.Builder\n\tb.WriteByte('x')\n\tswitch b.Cap() {\n\tcase 1:\n\t\tpanic(b.String())\n\tdefault:\n\t\tgo b.Grow(3)\n\t}\n\treturn nil, nil\n}\n", strings.Count(mill[:half], "\n")},
	} {
		r := tree(t, scan(t, scanner.Options{}, b), files{"mill.go": c.text}.dir(t))
		if len(r.Findings) != 1 {
			t.Fatalf("%s: %d findings, want 1", c.name, len(r.Findings))
		}
		f := r.Findings[0]
		if f.StartLine > 4 || f.EndLine != c.last {
			t.Errorf("%s: lines %d-%d, want up to %d", c.name, f.StartLine, f.EndLine, c.last)
		}
		said := strings.Contains(strings.Join(f.Reasons, "\n"), "more agree in the rest of the same function")
		if want := c.name == "edited"; said != want || (f.CloneType == 3) != want {
			t.Errorf("%s: type %d, reasons %q", c.name, f.CloneType, f.Reasons)
		}
	}
}

// TestShortFunction: if a short function was changed in its middle, neither end is long enough for a finding. Both together are, if
// they are half of the function on both sides.
func TestShortFunction(t *testing.T) {
	const head = "package mill\n\nfunc (m *Miller) grindSack(s *Sack) error {\n\thopper := m.hopperFor(s)\n"
	const tail = "\tout[0], out[1] = 0, 1\n\treturn nil\n}\n"
	was := head + "\tfor k, v := range s.sums {\n\t\tif v > 9 || !ok {\n\t\t\tdelete(s.sums, k)\n\t\t}\n\t}\n" + tail
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"mill.go": was}}, pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
	for _, c := range []struct {
		name, middle string
		want         int
	}{
		{"short", "\tswitch {\n\tcase s == nil:\n\t\tpanic(1)\n\tdefault:\n\t\tgo wait(<-c)\n\t}\n", 1},
		{"long", strings.Repeat("\tswitch {\n\tcase s == nil:\n\t\tpanic(1)\n\tdefault:\n\t\tgo wait(<-c)\n\t}\n", 4), 0},
	} {
		r := tree(t, scan(t, scanner.Options{}, b), files{"mill.go": head + c.middle + tail}.dir(t))
		if len(r.Findings) != c.want {
			t.Errorf("%s: %d findings, want %d", c.name, len(r.Findings), c.want)
		}
		for _, f := range r.Findings {
			if f.StartLine > 3 || f.EndLine < strings.Count(head+c.middle+tail, "\n")-1 {
				t.Errorf("%s: lines %d-%d, want both ends of the function", c.name, f.StartLine, f.EndLine)
			}
		}
	}
}

package scanner_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// stdPackages returns the source files of packages of the Go distribution.
func stdPackages(t *testing.T, dirs ...string) files {
	t.Helper()
	root, err := goroot()
	if err != nil {
		t.Skipf("no Go distribution: %v", err)
	}
	var names []string
	for _, dir := range dirs {
		found, err := filepath.Glob(filepath.Join(root, "src", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			names = append(names, dir+"/"+filepath.Base(name))
		}
	}
	return stdFiles(t, names...)
}

// TestThresholdsOnlyCut: a finding with a larger minimum is also one with a smaller, with the same tokens, lines and evidence. A
// finding at a higher score is also found at a lower one.
func TestThresholdsOnlyCut(t *testing.T) {
	b := based(t, pack{"pkg:generic/known@1", "BSD-3-Clause", "2020-01-01", stdPackages(t, "sort", "strings", "encoding/hex", "go/scanner")})
	target := stdPackages(t, "slices", "bytes", "encoding/base64", "text/scanner").dir(t)
	found := func(tokens int, score float64) map[string]finding.Finding {
		o := scanner.Options{Options: examine.Options{MinTokens: tokens, MinScore: score}}
		out := make(map[string]finding.Finding)
		for _, f := range tree(t, scan(t, o, b), target).Findings {
			out[f.ID] = f
		}
		return out
	}
	for _, least := range []float64{0.01, examine.DefaultMinScore} {
		loose := found(31, least)
		for _, tokens := range []int{40, 55, 80, 200} {
			strict := found(tokens, least)
			if len(strict) == 0 || len(strict) == len(loose) {
				t.Errorf("%d findings of %d tokens and more, %d of 31 and more: the setting cuts nothing", len(strict), tokens, len(loose))
			}
			for id, f := range strict {
				if g, ok := loose[id]; !ok || g.Tokens != f.Tokens || g.StartLine != f.StartLine || g.EndLine != f.EndLine || g.Bits != f.Bits {
					t.Errorf("%s:%d-%d of %d tokens and %v bits is found from %d tokens on; from 31 on it is %+v", f.Path, f.StartLine, f.EndLine, f.Tokens, f.Bits, tokens, g)
				}
			}
			loose = strict
		}
	}
	loose := lines(found(31, 0.01))
	for _, least := range []float64{examine.DefaultMinScore, 0.5, 0.95} {
		strict := lines(found(31, least))
		if len(strict) == 0 || len(strict) == len(loose) {
			t.Errorf("%d lines of score %v and more, %d of the score before: the setting cuts nothing", len(strict), least, len(loose))
		}
		for l := range strict {
			if !loose[l] {
				t.Errorf("%s:%d is found at %v but not at the score before", l.path, l.line, least)
			}
		}
		loose = strict
	}
}

// TestShortCodeKeepsItsComment: a comment beside code that --min-tokens cuts is no finding, as it is none beside code that is shown.
func TestShortCodeKeepsItsComment(t *testing.T) {
	code := told + "func (r *Ring) LatestReading(station *WeatherStation) float64 {\n\treturn r.readings[(r.next+len(r.readings)-1)%len(r.readings)] * station.Altitude\n}\n"
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": "package known\n\n" + code + ring, "other.go": std(t, "sort/sort.go")}})
	target := files{"light.go": "package light\n\n" + code + "\n" + beacon}.dir(t)
	found := func(tokens int) []finding.Finding {
		return tree(t, scan(t, scanner.Options{Options: examine.Options{MinTokens: tokens}}, b), target).Findings
	}
	loose, words := found(31), len(strings.Fields(told))-3
	if len(loose) != 1 || loose[0].Documentation || loose[0].Tokens >= words {
		t.Fatalf("no finding of code that is shorter than the %d words of its comment: %+v", words, loose)
	}
	if strict := found(loose[0].Tokens + 1); len(strict) > 0 {
		t.Errorf("%s:%d-%d is found from %d tokens on, and not from 31 on", strict[0].Path, strict[0].StartLine, strict[0].EndLine, loose[0].Tokens+1)
	}
}

// TestDoubtfulIsCut: two clients of one service name the fields of its answers alike. Such a match has the bits that it needs, but
// hardly an order, and is no finding, unless the target says that it copied the code.
func TestDoubtfulIsCut(t *testing.T) {
	client := func(typ, tag string, fields ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "package client\n\n// %s is what the service answers.\ntype %s struct {\n", typ, typ)
		for _, f := range fields {
			fmt.Fprintf(&b, "\t%s string `json:\"%s%s\"`\n", f, tag, strings.ToLower(f))
		}
		return b.String() + "}\n"
	}
	theirs := []string{"Bandwidth", "Vcpus", "Alias", "FirewallGroup", "Rack", "Hypervisor", "Tint", "KernelImage", "Owner", "BillingCycle", "RescueMode"}
	ours := []string{"Bandwidth", "Vcpus", "Nickname", "FirewallGroup", "Cage", "Hypervisor", "Shade", "KernelImage", "Tenant", "Period", "RescueMode"}
	b := based(t, pack{"pkg:github/them/known@1", "MIT", "2020-01-01", files{"client.go": client("Machine", "", theirs...)}})
	target := files{"server.go": client("Instance", "x_", ours...)}.dir(t)
	found := func(least float64) []finding.Finding {
		return tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: least}}, b), target).Findings
	}
	all := found(score.Enough - 0.001)
	if len(all) != 1 || all[0].ScoredBy.Above < 0 || !score.Doubted(all[0].Score, all[0].ScoredBy.Unchanged) {
		t.Fatalf("no match is doubted: %+v", all)
	}
	if fs := found(examine.DefaultMinScore); len(fs) > 0 {
		t.Errorf("score %v: %s:%d", fs[0].Score, fs[0].Path, fs[0].StartLine)
	}
	for said, want := range map[string]int{"Copied from": 1, "See": 0} {
		stated := client("Instance", "x_", ours...)
		stated = strings.Replace(stated, "//", "// "+said+" https://github.com/them/known/blob/main/client.go\n//", 1)
		target := files{"server.go": stated}.dir(t)
		if fs := tree(t, scan(t, scanner.Options{}, b), target).Findings; len(fs) != want {
			t.Errorf("%q: %d findings, want %d", said, len(fs), want)
		}
	}
}

// TestNamesakeIsKept: such a match is a finding if it is half of one function on both sides that has a name of its own, even if
// no file of the package declares the other names.
func TestNamesakeIsKept(t *testing.T) {
	client := func(name, tag string, fields ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "package client\n\nfunc %s() {\n", name)
		for _, f := range fields {
			fmt.Fprintf(&b, "\tset(%s, \"%s%s\")\n", f, tag, strings.ToLower(f))
		}
		return b.String() + "}\n"
	}
	theirs := []string{"Bandwidth", "Vcpus", "Alias", "FirewallGroup", "Rack", "Hypervisor", "Tint", "KernelImage", "Owner", "BillingCycle", "RescueMode"}
	ours := []string{"Bandwidth", "Vcpus", "Nickname", "GateGroup", "Cage", "Hypervisor", "Shade", "CoreImage", "Tenant", "Period", "RescueMode"}
	fields := "package client\n\nvar (\n\t" + strings.Join(theirs, " int\n\t") + " int\n)\n"
	for _, c := range []struct {
		function, beside string // beside: the rest of the package, which declares the fields or not
		want             int
	}{{"fillBerthRow", fields, 1}, {"fillBerthRow", "package client\n", 1}, {"load", fields, 0}, {"load", "package client\n", 0}} {
		b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"client.go": client(c.function, "", theirs...), "fields.go": c.beside}})
		target := files{"server.go": client(c.function, "x_", ours...)}.dir(t)
		all := tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: score.Enough - 0.001}}, b), target).Findings
		if len(all) != 1 || all[0].ScoredBy.Above < 0 || !score.Doubted(all[0].Score, all[0].ScoredBy.Unchanged) {
			t.Fatalf("%s: no match is doubted: %+v", c.function, all)
		}
		if fs := tree(t, scan(t, scanner.Options{}, b), target).Findings; len(fs) != c.want {
			t.Errorf("%s beside %q: %d findings, want %d", c.function, c.beside, len(fs), c.want)
		}
	}
}

// TestScoreOnlyCuts: above the default, a higher score removes findings and changes none.
func TestScoreOnlyCuts(t *testing.T) {
	b := based(t, pack{"pkg:generic/known@1", "BSD-3-Clause", "2020-01-01", stdPackages(t, "sort", "strings", "encoding/hex", "go/scanner")})
	target := stdPackages(t, "slices", "bytes", "encoding/base64", "text/scanner").dir(t)
	all := tree(t, scan(t, scanner.Options{}, b), target).Findings
	for _, score := range []float64{0.5, 0.95, 1} {
		var want []finding.Finding
		for _, f := range all {
			if f.Score >= score {
				want = append(want, f)
			}
		}
		r := tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: score}}, b), target)
		if len(want) == len(all) || !reflect.DeepEqual(r.Findings, want) && len(r.Findings)+len(want) > 0 {
			t.Errorf("%d findings at %v, want %d of %d", len(r.Findings), score, len(want), len(all))
		}
	}
}

// line is a line that comes from a file of an origin.
type line struct {
	path, origin string
	line         int
}

// lines returns all lines of findings. A lower score can join two regions of one file, so findings of a higher score are not the
// same ones.
func lines(fs map[string]finding.Finding) map[line]bool {
	out := make(map[line]bool)
	for _, f := range fs {
		for n := f.StartLine; n <= f.EndLine; n++ {
			out[line{f.Path, f.Origins[0].Path, n}] = true
		}
	}
	return out
}

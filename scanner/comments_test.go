package scanner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// told is the comment of a ring buffer, with more than forty words.
const told = `// Ring keeps the readings of a weather station until the lorry that empties it has
// come by. When the ring is full the oldest reading makes room, so that a station cut
// off by snow tells of its last week and not of its first, which nobody asks for.
`

// ring is the code beside it; beacon is unrelated code.
const (
	ring = `type Ring struct {
	readings []float64
	next     int
}

func (r *Ring) Push(v float64) {
	if len(r.readings) < cap(r.readings) {
		r.readings = append(r.readings, v)
		return
	}
	r.readings[r.next] = v
	r.next = (r.next + 1) % len(r.readings)
}
`
	beacon = `func Lighthouse(colours map[string]chan<- bool, tower string) (found bool) {
	for name, signal := range colours {
		switch name {
		case tower, "harbour":
			signal <- true
			found = true
		default:
			close(signal)
		}
	}
	return found
}
`
)

// TestDocumentationCopied: the words of a long comment are a finding, with any code below it and any line breaks.
func TestDocumentationCopied(t *testing.T) {
	known := pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": "package known\n\nimport \"fmt\"\n\n" + told + ring, "other.go": std(t, "sort/sort.go")}}
	s := scan(t, scanner.Options{}, based(t, known))
	broken := "/*\n " + strings.Join(strings.Fields(strings.ReplaceAll(told, "//", "")), "\n ") + "\n*/\n"
	for _, comment := range []string{told, broken, strings.ToUpper(told)} {
		f := one(t, tree(t, s, files{"light.go": "package light\n\n" + comment + beacon}.dir(t)))
		if !f.Documentation || f.Language != "go" || f.StartLine < 3 || f.EndLine > 3+strings.Count(comment, "\n") || f.Origins[0].Path != "ring.go" || f.Origins[0].StartLine != 5 || f.Origins[0].EndLine != 7 || f.Tokens != len(strings.Fields(told))-3 {
			t.Errorf("%+v is not the comment", f)
		}
		if !strings.Contains(f.Reasons[1], "documentation copied: 49 words of one comment agree") {
			t.Errorf("reasons %q", f.Reasons)
		}
	}
	none(t, tree(t, s, files{"light.go": "package light\n\n" + cut(told, 30) + beacon}.dir(t))) // too few words
	none(t, tree(t, s, files{"light.go": "package light\n\n" + strings.Replace(told, "readings", "licensed readings", 1) + beacon}.dir(t)))

	// below it is code of the same package: one finding, of the code
	r := tree(t, s, files{"copy.go": "package light\n\n" + told + std(t, "sort/sort.go")[strings.Index(std(t, "sort/sort.go"), "\nfunc insertionSort")+1:]}.dir(t))
	for _, f := range r.Findings {
		if f.Documentation {
			t.Errorf("%+v is told beside code of the same package", f)
		}
	}
}

// TestTablesInComments: numbers in a comment are no documentation.
func TestTablesInComments(t *testing.T) {
	var identity, numbers strings.Builder
	for i := range 12 {
		fmt.Fprintf(&identity, "//  [%s1%s]\n", strings.Repeat("0, ", i), strings.Repeat(", 0", 11-i))
		fmt.Fprintf(&numbers, "//  0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x,\n", 6*i, 6*i+1, 6*i+2, 6*i+3, 6*i+4, 6*i+5)
	}
	known := pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": "package known\n\n" + identity.String() + ring + "\n" + numbers.String() + "\nvar a int\n"}}
	s := scan(t, scanner.Options{}, based(t, known))
	for _, table := range []string{identity.String(), numbers.String()} {
		none(t, tree(t, s, files{"light.go": "package light\n\n" + table + beacon}.dir(t)))
	}
}

// cut keeps the first words of a comment.
func cut(comment string, words int) string {
	return "// " + strings.Join(strings.Fields(strings.ReplaceAll(comment, "//", ""))[:words], " ") + "\n"
}

// TestDocumentationOfMany: a comment that three owners have belongs to nobody.
func TestDocumentationOfMany(t *testing.T) {
	var packs []pack
	for _, owner := range []string{"anne", "bert", "cleo"} {
		packs = append(packs, pack{"pkg:github/" + owner + "/ring@1", "MIT", "2020-01-01", files{"ring.go": "package " + owner + "\n\n" + told + ring}})
	}
	target := files{"light.go": "package light\n\n" + told + beacon}.dir(t)
	one(t, tree(t, scan(t, scanner.Options{}, based(t, packs[:2]...)), target))
	none(t, tree(t, scan(t, scanner.Options{}, based(t, packs...)), target))
}

// TestDocstring: docstrings are compared like comments.
func TestDocstring(t *testing.T) {
	words := strings.ReplaceAll(told, "// ", "    ")
	known := pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.py": "class Ring:\n    \"\"\"\n" + words + "    \"\"\"\n\n    def push(self, v):\n        self.readings.append(v)\n        self.readings.sort()\n        return len(self.readings)\n"}}
	s := scan(t, scanner.Options{}, based(t, known))
	f := one(t, tree(t, s, files{"light.py": "def lighthouse(colours, tower):\n    '''Keeps a light.\n\n" + words + "    '''\n    for name in colours:\n        colours[name] = name == tower\n    print(sum(1 for c in colours if c))\n"}.dir(t)))
	if !f.Documentation || f.StartLine != 4 || f.EndLine != 6 || f.Origins[0].StartLine != 3 {
		t.Errorf("%+v is not the string", f)
	}
}

// TestCommentSupports: derived code with too little information is found by the comment above it.
func TestCommentSupports(t *testing.T) {
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": "package known\n\nimport \"fmt\"\n\n" + told + ring}}, pack{"pkg:generic/other@1", "MIT", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")}))
	code := strings.NewReplacer("%", "&", "[r.next] = v", "[r.next].push(v, true, 0)", "\treturn", "\tbreak", "float64", "int", "Ring", "Wheel", "readings", "values", "cap(", "size(", "next", "at").Replace(ring[strings.Index(ring, "func"):])
	none(t, tree(t, s, files{"wheel.go": "package wheel\n\n" + code}.dir(t)))
	f := one(t, tree(t, s, files{"wheel.go": "package wheel\n\n" + cut(told, 30) + code}.dir(t)))
	if f.Documentation || !strings.Contains(strings.Join(f.Reasons, "\n"), "bits: the comment at line 3 agrees with lines 5-6 of the origin in 30 words") {
		t.Errorf("%+v", f)
	}
}

// TestDocumentationInChange: a copied comment that a change adds is reported. One that existed before or was moved is not.
func TestDocumentationInChange(t *testing.T) {
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": "package known\n\nimport \"fmt\"\n\n" + told + ring}}))
	r := newRepository(t)
	r.commit(files{"light.go": "package light\n\n" + beacon, "old.go": "package light\n\nvar old = 1\n"})
	r.commit(files{"light.go": "package light\n\n" + told + beacon})
	if f := one(t, r.diff(s, "HEAD~1..HEAD")); !f.Documentation || len(f.Changed) != 1 {
		t.Errorf("%+v", f)
	}
	r.commit(files{"light.go": "package light\n\n" + beacon, "old.go": "package light\n\n" + told + "var old = 1\n"})
	none(t, r.diff(s, "HEAD~1..HEAD"))
	if h := r.history(s, "HEAD"); len(h.Findings) == 0 || !h.Findings[0].Documentation {
		t.Errorf("history: %s", list(h))
	}
}

// TestDocumentationOfLittleCode: a file may be a comment with hardly a token. A baseline has no such files.
func TestDocumentationOfLittleCode(t *testing.T) {
	scanned := func(known, text string) *finding.Report {
		b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": known, "other.go": std(t, "sort/sort.go")}})
		return tree(t, scan(t, scanner.Options{}, b), files{"doc.go": text}.dir(t))
	}
	if f := one(t, scanned("package known\n\n"+told+ring, told+"package light\n")); !f.Documentation || f.Origins[0].Path != "ring.go" {
		t.Errorf("%+v is not the comment", f)
	}
	none(t, scanned("package known\n\n"+told+ring, "package light\n"))
	none(t, scanned(told+"package known\n", "package light\n\n"+told+beacon))
}

// TestCrowdedComments: the ledger lists a comment that occurs in more documents than are compared.
func TestCrowdedComments(t *testing.T) {
	for n, want := range map[int]bool{8: false, 70: true} {
		known := files{}
		for i := range n {
			known[fmt.Sprintf("%d.go", i)] = fmt.Sprintf("package known\n\n%sfunc F%d() int { return %d }\n\n%s", told, i, 7*i, std(t, "sort/search.go"))
		}
		rep := tree(t, scan(t, scanner.Options{}, based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", known})), files{"x.go": "package x\n\n" + told + beacon}.dir(t))
		if got := reason(rep, "x.go"); slices.Contains(got, finding.ReasonCrowded) != want {
			t.Errorf("%d documents: %v", n, got)
		}
	}
}

// TestDocumentationInPart: a package with part of a comment is no further origin of it, and its licence does not count.
func TestDocumentationInPart(t *testing.T) {
	whole := told + `// The lorry comes by on the first Monday of a month if the pass is open, and its driver
// copies the ring to a tape that three people have to sign before it goes to the valley.
`
	known := pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": "package known\n\n" + whole + ring}}
	target := files{"light.go": "package light\n\n" + whole + beacon}.dir(t)
	for words, origins := range map[int]int{55: 1, 75: 2} {
		other := pack{"pkg:generic/other@1", "GPL-3.0-only", "2019-01-01", files{"wheel.go": "package other\n\n" + cut(whole, words) + ring}}
		f := one(t, tree(t, scan(t, scanner.Options{}, based(t, known, other)), target))
		if f.Origins[0].Path != "ring.go" || f.OriginCount != origins || f.PackageCount != origins || len(f.Licenses) != origins || f.PartOriginCount != 2-origins {
			t.Fatalf("%d words: origins %v, parts %v, licences %v", words, names(f.Origins), partNames(f.PartOrigins), f.Licenses)
		}
		if origins == 1 && (f.PartOrigins[0].Why != finding.PartSmall || f.PartOrigins[0].OriginStartLine != 3 || f.PartOrigins[0].EndLine >= f.EndLine) {
			t.Errorf("%d words: %+v", words, f.PartOrigins[0])
		}
	}
}

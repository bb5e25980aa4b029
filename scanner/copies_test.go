package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// copied lists functions of the shared baseline for a target.
var copied = []struct{ file, head string }{
	{"strings/replace.go", "func (t *trieNode) add("},
	{"compress/flate/inflate.go", "func (h *huffmanDecoder) init("},
	{"compress/flate/huffman_bit_writer.go", "func (w *huffmanBitWriter) generateCodegen("},
	{"encoding/base64/base64.go", "func (enc *Encoding) decodeQuantum("},
}

const head = "package x\n\n"

// TestCopies finds a copied function in four states of disguise, with the lines of both sides.
func TestCopies(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	for _, c := range copied {
		fn := function(t, std(t, c.file), c.head)
		n := len(tokens(t, head+fn.text)) - 2
		whole := func(t *testing.T, src string, typ int) finding.Finding {
			t.Helper()
			f := one(t, tree(t, s, files{"a/x.go": src}.dir(t)))
			o := f.Origins[0]
			if f.Path != "a/x.go" || f.Language != "go" || f.StartLine != 3 || f.EndLine != strings.Count(strings.TrimRight(src, "\n"), "\n")+1 ||
				o.Path != c.file || o.StartLine != fn.first || o.EndLine != fn.last {
				t.Errorf("found%s, want %s:%d-%d", list(&finding.Report{Findings: []finding.Finding{f}}), c.file, fn.first, fn.last)
			}
			if f.Tokens != n || f.CloneType != typ {
				t.Errorf("%d tokens of type %d, want %d of type %d", f.Tokens, f.CloneType, n, typ)
			}
			if o.PURL != stdPURL || o.License != "BSD-3-Clause" || o.Similarity != 1 || f.OriginCount != 1 || f.PackageCount != 1 ||
				o.Released == nil || !o.Released.Equal(date("2023-02-01")) || len(o.SHA256) != 64 {
				t.Errorf("origin %+v", o)
			}
			if f.Score < 0.9 || f.Verdict != "undeclared" || f.Level != "warning" || f.Direction != "unknown" || f.Introduced != nil {
				t.Errorf("%+v", f)
			}
			return f
		}
		t.Run(c.head+"unchanged", func(t *testing.T) {
			f := whole(t, head+fn.text, 1)
			if len(f.Renames) != 0 || f.Identifiers.Unchanged != f.Identifiers.Total || f.Literals.Equal != f.Literals.Total {
				t.Errorf("%v, %+v, %+v", f.Renames, f.Identifiers, f.Literals)
			}
		})
		t.Run(c.head+"reformatted", func(t *testing.T) {
			f := whole(t, reformatted(t, head+fn.text), 1)
			if len(f.Renames) != 0 || f.Identifiers.Unchanged != f.Identifiers.Total {
				t.Errorf("%v, %+v", f.Renames, f.Identifiers)
			}
		})
		t.Run(c.head+"renamed", func(t *testing.T) {
			text, names := renamed(t, head+fn.text)
			f := whole(t, text, 2)
			if len(f.Renames) != names || f.Identifiers.Renamed != f.Identifiers.Total || f.Literals.Equal != f.Literals.Total {
				t.Errorf("%d renames of %d names, %+v, %+v", len(f.Renames), names, f.Identifiers, f.Literals)
			}
			sum := 0
			for _, r := range f.Renames {
				sum += r.Count
				if !strings.Contains(fn.text, r.Origin) || !strings.Contains(text, r.Target) {
					t.Errorf("rename %+v", r)
				}
			}
			if sum != f.Identifiers.Total {
				t.Errorf("the renames account for %d of %d identifiers", sum, f.Identifiers.Total)
			}
		})
	}
}

// edit replaces the only occurrence of a line.
func edit(t testing.TB, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q occurs %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, new, 1)
}

// TestEditedCopy shows the gaps of a copy in which lines were added, and of one in which lines were removed.
func TestEditedCopy(t *testing.T) {
	fn := function(t, std(t, "strings/replace.go"), "func (t *trieNode) add(")
	const (
		taken = "\t\tvar n int // length of the longest common prefix\n"
		put   = "\t\t// Insert into existing table.\n"
	)
	cut := strings.Count(fn.text[:strings.Index(fn.text, taken)], "\n")
	at := strings.Count(fn.text[:strings.Index(fn.text, put)], "\n")
	text := edit(t, fn.text, taken, "")
	text = edit(t, text, put, "\t\tdefer unlock(&mutex, 17)\n\t\tlog.Println(\"entering\", <-ticks)\n")
	f := one(t, tree(t, scan(t, scanner.Options{}, stdBaseline(t)), files{"x.go": head + text}.dir(t)))
	if f.CloneType != 3 || f.StartLine != 3 || f.EndLine != 3+fn.lines()-1 || f.Origins[0].StartLine != fn.first || f.Origins[0].EndLine != fn.last {
		t.Errorf("found%s, want 3-%d = %d-%d", list(&finding.Report{Findings: []finding.Finding{f}}), 3+fn.lines()-1, fn.first, fn.last)
	}
	// a comment is before the removed line; two lines replace one
	want := []struct{ from, to, ofrom, oto int }{
		{3, 3 + cut - 2, fn.first, fn.first + cut - 2},
		{3 + cut, 3 + at - 2, fn.first + cut + 1, fn.first + at - 1},
		{3 + at + 1, f.EndLine, fn.first + at + 1, fn.last},
	}
	if len(f.Runs) != len(want) {
		t.Fatalf("runs %+v, want %v", f.Runs, want)
	}
	for i, w := range want {
		if r := f.Runs[i]; r.StartLine != w.from || r.EndLine != w.to || r.OriginStartLine != w.ofrom || r.OriginEndLine != w.oto {
			t.Errorf("run %d is %+v, want %v", i, r, w)
		}
	}
	if f.Identifiers.Unchanged != f.Identifiers.Total || f.Literals.Equal != f.Literals.Total {
		t.Errorf("%+v, %+v", f.Identifiers, f.Literals)
	}
}

// TestSilence: code that is unrelated to the baseline has no finding.
func TestSilence(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	names := []string{"encoding/csv/reader.go", "net/url/url.go", "text/tabwriter/tabwriter.go", "archive/tar/reader.go", "math/big/nat.go",
		"regexp/syntax/parse.go", "bufio/scan.go", "container/ring/ring.go", "mime/multipart/multipart.go", "go/scanner/scanner.go"}
	r := tree(t, s, stdFiles(t, names...).dir(t))
	none(t, r)
	if r.Summary.Files != len(names) || r.Summary.Tokens < 20000 {
		t.Errorf("%+v", r.Summary)
	}
}

// TestSnippet scans text without a file.
func TestSnippet(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	fn := function(t, std(t, copied[0].file), copied[0].head)
	r, err := s.Snippet(t.Context(), []byte(fn.text), "go")
	if err != nil {
		t.Fatal(err)
	}
	check(t, r)
	if f := one(t, r); f.Path != "-" || f.StartLine != 1 || f.EndLine != fn.lines() || r.Target.Kind != "snippet" {
		t.Error(list(r))
	}
	if _, err := s.Snippet(t.Context(), []byte(fn.text), "klingon"); err == nil {
		t.Error("a language nobody knows was accepted")
	}
}

package units

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// files lists what a package holds and what is skipped in it.
func walked(t *testing.T, p *source.Package) (out []string) {
	t.Helper()
	err := p.Walk(t.Context(), source.DefaultLimits(), func(name string, data []byte) error {
		out = append(out, name+"="+string(data))
		return nil
	}, func(name, reason, _ string) { out = append(out, name+" "+reason) })
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// contents lists what each unit holds, by the last part of its name.
func contents(t *testing.T, parts []similar.Part) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for _, p := range parts {
		out[path.Base(p.Name)] = strings.Join(walked(t, p.Package), ", ")
	}
	return out
}

func TestSubmissionsOfAnArchive(t *testing.T) {
	inner := zipped(t, map[string]string{"src/A.java": "a", "deep.zip": zipped(t, map[string]string{"B.java": "b"})})
	far := "leaf"
	for range maxNested + 1 {
		far = zipped(t, map[string]string{"n.zip": far})
	}
	all := filepath.Join(t.TempDir(), "all.zip")
	text := zipped(t, map[string]string{
		"Ann_1_assignsubmission_file_/work.zip":              inner,
		"Bob_2_assignsubmission_file_/C.java":                "c",
		"Bob_2_assignsubmission_file_/bad.zip":               "no archive",
		"cyd_31_41_x.java":                                   "x",
		"cyd_31_42_y.java":                                   "y",
		"Dan_4_assignsubmission_file_/n.zip":                 far,
		"Fay_6_assignsubmission_onlinetext_/onlinetext.html": "<html><body><p>import sys<br>def f(n):<br>&nbsp; &nbsp; print(n)</p></body></html>",
		"gus_71_text.html":                                   "<html><body><p>I am done.</p></body></html>",
		"gus_71_81_my_text.html":                             "<html><body><p>Mine.</p></body></html>",
		"Eve_5_assignsubmission_file_hw.RAR":                 "Rar!",
	})
	if err := os.WriteFile(all, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &Opener{}
	ps, err := s.submissions(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	got := contents(t, ps)
	for who, want := range map[string]string{
		"Ann_1":  "work.zip/deep.zip/B.java=b, work.zip/src/A.java=a",
		"Bob_2":  "C.java=c, bad.zip unreadable",
		"cyd_31": "x.java=x, y.java=y",
		"Dan_4":  "n.zip/n.zip/n.zip/n.zip too-deep",
		"Fay_6":  "onlinetext.html/text.py=import sys\ndef f(n):\n    print(n)\n",
		"gus_71": "my_text.html=<html><body><p>Mine.</p></body></html>, text.html/text.txt=I am done.\n",
	} {
		if got[who] != want {
			t.Errorf("%s: %s, want %s", who, got[who], want)
		}
	}
	left := slices.Clone(s.closers)
	err = s.Close()
	for _, c := range left {
		if dir, ok := c.(remover); ok {
			if _, serr := os.Stat(string(dir)); !errors.Is(serr, os.ErrNotExist) {
				t.Errorf("%s stays: %v", dir, serr)
			}
		}
	}
	if err != nil || len(left) == 0 {
		t.Errorf("closing %d: %v", len(left), err)
	}
}

// TestArchivesAmongFiles: where each file is a unit, an archive is listed with what unpacks it. A text with its name is a text.
func TestArchivesAmongFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.zip": zipped(t, map[string]string{"A.java": "a"}), "b.zip": "words", "c.java": "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := &Opener{}
	defer s.Close()
	ps, err := s.Units(t.Context(), []string{dir}, false)
	if err != nil || len(ps) != 1 {
		t.Fatal(ps, err)
	}
	if got := strings.Join(walked(t, ps[0].Package), ", "); got != "a.zip binary, b.zip=words, c.java=c" {
		t.Error(got)
	}
	ledger := []finding.Entry{{Path: "a.zip", Reason: lang.Binary, Detail: stillPacked}, {Path: "b.png", Reason: lang.Binary}}
	if n := Packed(ledger); n != 1 {
		t.Errorf("%d archives", n)
	}
}

func TestPseudonymsStay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	names := []string{"ann", "bob\t\n", "ann"}
	var first []string
	for round := range 2 {
		p, err := readPseudonyms(file)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range names {
			got = append(got, p.of(n))
		}
		if got[0] != got[2] || got[0] == got[1] || round > 0 && !slices.Equal(got, first) {
			t.Errorf("round %d: %q, before %q", round, got, first)
		}
		first = got
		if err := p.write(file); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "\n") != 3 || !strings.Contains(string(text), first[0]+"\t\"ann\"\n") {
		t.Errorf("%v: %s", err, text)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	if err := os.WriteFile(file, []byte("key 12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readPseudonyms(file); err == nil {
		t.Error("a short key is taken")
	}
}

// One submission that cannot be read does not stop the comparison: the ledger lists it.
func TestSubmissionsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a", "broken.zip": "PK\003\004broken", "c/b.go": "package b"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("c", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	class := zipped(t, map[string]string{"Ann/a.go": "package a", "Bob.zip": "PK\003\004broken"})
	if err := os.WriteFile(filepath.Join(dir, "class.zip"), []byte(class), 0o644); err != nil {
		t.Fatal(err)
	}
	of := func(dir string) (out []string) {
		s := new(Opener)
		defer s.Close()
		parts, err := s.Units(t.Context(), []string{dir}, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range s.Ledger {
			out = append(out, filepath.Base(e.Path)+": "+string(e.Reason))
		}
		for _, p := range parts {
			err := p.Package.Walk(t.Context(), source.DefaultLimits(), func(name string, _ []byte) error {
				out = append(out, path.Join(path.Base(p.Name), name))
				return nil
			}, func(name, reason, detail string) {
				out = append(out, path.Join(path.Base(p.Name), name)+": "+reason)
				if strings.Contains(detail, "git-provenance-submissions") {
					t.Errorf("a temporary name is told: %s", detail)
				}
			})
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
		return out
	}
	if got, want := of(filepath.Join(dir, "class.zip")), []string{"Ann/a.go", "Bob.zip: unreadable"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err := os.Remove(filepath.Join(dir, "class.zip")); err != nil {
		t.Fatal(err)
	}
	if got, want := of(dir), []string{"link: symlink", "a.go/a.go", "broken.zip: unreadable", "c/b.go"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Files that an operating system or a version control system leaves among submissions are no submission.
func TestLitterIsNoSubmission(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Ann/a.go", "__MACOSX/Ann/._a.go", ".DS_Store", "._Ann", "Thumbs.db", ".git/config", ".bob/b.go"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte("package a"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got, ledger := unitsOf(t, dir)
	if want := []string{".bob", "Ann"}; !slices.Equal(got, want) {
		t.Errorf("units %q, want %q", got, want)
	}
	if want := []string{".DS_Store: tool-written", "._Ann: tool-written", ".git: version-control", "Thumbs.db: tool-written", "__MACOSX: tool-written"}; !slices.Equal(ledger, want) {
		t.Errorf("ledger %q, want %q", ledger, want)
	}
}

// An entry whose name the file system does not take is listed, and the others are compared.
func TestNamesThatCannotBeWritten(t *testing.T) {
	class := filepath.Join(t.TempDir(), "class.zip")
	long := "Bob/" + strings.Repeat("n", 300) + ".go"
	for _, files := range []map[string]string{{"Ann": "package a", "Ann/a.go": "package a", "Carl/c.go": "package c"}, {long: "package a", "Bob/b.go": "package b", "Carl/c.go": "package c"}} {
		if err := os.WriteFile(class, []byte(zipped(t, files)), 0o644); err != nil {
			t.Fatal(err)
		}
		got, ledger := unitsOf(t, class)
		if len(got) != 2 || got[1] != "Carl" || len(ledger) != 1 || !strings.HasSuffix(ledger[0], ": unsafe-name") {
			t.Errorf("units %q, ledger %q", got, ledger)
		}
	}
}

// TestNamesThatLeadOut has archives, one in another, with names that lead out of them. The ledger shows where they were met.
func TestNamesThatLeadOut(t *testing.T) {
	inner := zipped(t, map[string]string{"../../evil.go": "package p", "in.go": "package p"})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ann.zip"), []byte(zipped(t, map[string]string{"../evil.go": "package p", "inner.zip": inner})), 0o600); err != nil {
		t.Fatal(err)
	}
	s := new(Opener)
	defer s.Close()
	parts, err := s.Units(t.Context(), []string{dir}, true)
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	want := []string{"../evil.go unsafe-path", "inner.zip/../../evil.go unsafe-path", "inner.zip/in.go=package p"}
	if got := walked(t, parts[0].Package); !slices.Equal(got, want) {
		t.Errorf("the unit has %q, want %q", got, want)
	}
	var ledger []string
	set, err := similar.Compare(t.Context(), t.TempDir(), parts, similar.Options{Params: fingerprint.Params{K: 20, W: 12}})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	for _, e := range set.Ledger {
		ledger = append(ledger, strings.TrimPrefix(e.Path, filepath.ToSlash(dir)))
	}
	if want := []string{"/ann.zip/../evil.go", "/ann.zip/inner.zip/../../evil.go", "/ann.zip/inner.zip/in.go"}; !slices.Equal(ledger, want) {
		t.Errorf("the ledger has %q, want %q", ledger, want)
	}
}

// unitsOf returns the units of a directory or archive, and what belongs to none.
func unitsOf(t *testing.T, dir string) (units, ledger []string) {
	t.Helper()
	s := new(Opener)
	defer s.Close()
	parts, err := s.Units(t.Context(), []string{dir}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.Ledger {
		ledger = append(ledger, filepath.Base(e.Path)+": "+string(e.Reason))
	}
	for _, p := range parts {
		units = append(units, path.Base(p.Name))
	}
	return units, ledger
}

// An archive in a submission that unpacks to too much is listed. The other files of the submission, and the other submissions, are compared.
func TestBombInASubmission(t *testing.T) {
	var bomb bytes.Buffer
	z := zip.NewWriter(&bomb)
	for i := range 8 {
		w, err := z.Create(string(rune('a'+i)) + ".go")
		if err == nil {
			_, err = w.Write(make([]byte, 15<<20))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	class := filepath.Join(t.TempDir(), "class.zip")
	text := zipped(t, map[string]string{
		"Ann_1_assignsubmission_file_/bomb.zip": bomb.String(), "Ann_1_assignsubmission_file_/z.go": "z",
		"Bob_2_assignsubmission_file_/b.go": "b", "Cyd_3_assignsubmission_file_/c.zip": "Rar!\x1a\a\x01\x00 under another name",
	})
	if err := os.WriteFile(class, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s := new(Opener)
	defer s.Close()
	parts, err := s.Units(t.Context(), []string{class}, true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range parts {
		err := p.Package.Walk(t.Context(), source.DefaultLimits(), func(name string, data []byte) error {
			if len(data) < 10 {
				got = append(got, path.Join(path.Base(p.Name), name))
			}
			return nil
		}, func(name, reason, detail string) {
			got = append(got, path.Join(path.Base(p.Name), name)+": "+reason+": "+detail)
			if strings.Contains(detail, "git-provenance-submissions") {
				t.Errorf("a temporary name is told: %s", detail)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	want := []string{
		"Ann_1/bomb.zip: unreadable: read \"bomb.zip\": more than 200 times its size when unpacked", "Ann_1/z.go",
		"Bob_2/b.go", "Cyd_3/c.zip: unreadable: RAR and 7z archives are not read: unpack it",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSuffixOfNamedFiles: --all a.go b.md, as a shell makes it of *, takes files by their suffixes. A file that one side of a comparison is
// takes part by its name. A file among submissions that was not asked for is no submission, unless a platform says whose it is.
func TestSuffixOfNamedFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a", "b.md": "words", "class/Ann/a.go": "package a", "class/Ann/b.md": "words", "class/grades.csv": "Ann,1", "class/cyd.rar": "Rar!",
		"class/bob.zip": zipped(t, map[string]string{"b.md": "words"}), "class/Eve_5_assignsubmission_file_e.pdf": "%PDF", "class/Fay_6_assignsubmission_file_f.go": "package f", "class/gus.go": "package g"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	s := &Opener{Suffixes: []string{".go"}, Repository: func(context.Context) (*git.Repo, error) { return nil, nil }}
	defer s.Close()
	parts, err := s.Units(t.Context(), []string{filepath.Join(dir, "a.go"), filepath.Join(dir, "b.md")}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, parts), (map[string]string{"a.go": "a.go=package a", "b.md": "b.md suffix"}); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, name := range []string{"b.md", "class/Ann/b.md", "class/Eve_5/e.pdf"} {
		if part, err := s.Open(t.Context(), filepath.Join(dir, name), false); err != nil || !part.File || strings.Contains(strings.Join(walked(t, part.Package), ""), "suffix") {
			t.Errorf("%s: %+v, %v", name, part, err)
		}
	}
	if parts, err = s.Units(t.Context(), []string{filepath.Join(dir, "class")}, true); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, parts), (map[string]string{"Ann": "a.go=package a, b.md suffix", "Eve_5": "e.pdf suffix", "Fay_6": "f.go=package f", "bob.zip": "b.md suffix",
		"cyd.rar": "cyd.rar unreadable", "gus.go": "gus.go=package g"}); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(s.Ledger) != 1 || s.Ledger[0].Path != filepath.ToSlash(dir)+"/class/grades.csv" || s.Ledger[0].Reason != similar.ReasonSuffix {
		t.Errorf("%+v", s.Ledger)
	}
}

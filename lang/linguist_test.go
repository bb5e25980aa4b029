package lang

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	enry "github.com/go-enry/go-enry/v2"
	"github.com/go-enry/go-enry/v2/data"
)

// writtenData are formats that Linguist counts as data, but people write and copy them.
var writtenData = []string{"SQL", "Protocol Buffer", "GraphQL", "Diff"}

// meant is what names.txt has for languages of Linguist.
func meant(languages []string) []string {
	var out []string
	for _, l := range languages {
		switch {
		case frontEnd(l, "") != words:
			out = append(out, l)
		case enry.GetLanguageType(l) == enry.Data && !slices.Contains(writtenData, l), l == "Gettext Catalog": // prose to Linguist
			out = append(out, isDataFile)
		case enry.GetLanguageType(l) == enry.Programming || slices.Contains(writtenData, l) && l != "Diff":
			out = append(out, isCode)
		default:
			out = append(out, isProse)
		}
	}
	return out
}

// TestNames: names.txt is what Linguist's tables say; UPDATE_GOLDEN=1 writes it.
func TestNames(t *testing.T) {
	var lines []string
	for table, of := range map[string]map[string][]string{byExtensions: data.LanguagesByExtension, byFilenames: data.LanguagesByFilename, byInterpreters: data.LanguagesByInterpreter} {
		for name, languages := range of {
			if strings.ContainsAny(name, "\t\n") || len(languages) == 0 {
				t.Fatalf("%q: %v", name, languages)
			}
			lines = append(lines, table+name+"\t"+strings.Join(meant(languages), "|")+"\n")
		}
	}
	slices.Sort(lines)
	want := strings.Join(lines, "")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile("names.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		names = want
	}
	if names != want {
		t.Error("names.txt is not what go-enry says; UPDATE_GOLDEN=1 writes it")
	}
}

// TestLinguist: our reading of go-enry's tables is go-enry's own.
func TestLinguist(t *testing.T) {
	names := []string{"a.png", "A.JPEG", "Makefile", "x/Makefile", ".bashrc", "a", "", "a.", ".", "a.b.c", "a.d.ts", "x.tar.gz", "a.H", "b.1in", "dir.m/file"}
	for ext := range data.LanguagesByExtension {
		names = append(names, "a"+ext, "a.b"+ext)
	}
	for name := range data.LanguagesByFilename {
		names = append(names, name)
	}
	for _, n := range names {
		if isImage(n) != enry.IsImage(n) || n != "" && !slices.Equal(byFilename(n), meant(enry.GetLanguagesByFilename(n, nil, nil))) ||
			!slices.Equal(byExtension(n), meant(enry.GetLanguagesByExtension(n, nil, nil))) {
			t.Errorf("%q: %v %v %v", n, isImage(n), byFilename(n), byExtension(n))
		}
	}
	heads := []string{"", "#!", "#! ", "#!/bin/sh", "#!/bin/bash -e\nx", "#!/usr/bin/env", "#!/usr/bin/env python3\n", "#!/usr/bin/env -S A=1 node --x\n",
		"#!/usr/bin/python2.7\n", "#!/usr/bin/pythonX\n", "#!/bin/sh\n# -*- tcl -*-\nexec tclsh \"$0\" \"$@\"\n", "#!/bin/sh\n\n\n\n\nexec tclsh \"$0\" \"$@\"\n",
		"#!/usr/bin/osascript -l JavaScript\n", "#!/usr/bin/osascript\n", "#!ruby\r\n", "# x"}
	for name := range data.LanguagesByInterpreter {
		heads = append(heads, "#!/usr/local/bin/"+name+"\n")
		if !strings.Contains(name, "-") { // go-enry takes ts-node for an option
			heads = append(heads, "#!/usr/bin/env "+name+" -x\n")
		}
	}
	for _, h := range heads {
		if got, want := byShebang([]byte(h)), meant(enry.GetLanguagesByShebang("", []byte(h), nil)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", h, got, want)
		}
	}
}

// TestIsCode: what counts is the name, then the interpreter. If a name has several meanings, most of them count.
func TestIsCode(t *testing.T) {
	for name, want := range map[string]bool{"a.pl": true, "a.pm": true, "lib/a.hs": true, "Makefile": true, "x.m4": true, "a.proto": true, "a.go": true, "a.sol": true, "a.cue": true,
		"setup.py.in": true, "main.go.tmpl": true, "conf/x.c.j2": true, "README.md.in": false, "values.yaml.j2": false, "page.html.tmpl": false, "config.in": false,
		"README": false, "a.md": false, "a.txt": false, "a.html": false, "a.svg": false, "a.css": false, "a.html.erb": false, "a.toml": false, "a.unheardof": false} {
		if got := IsCode(name, []byte("text\n")); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !IsCode("run", []byte("#!/usr/bin/env perl\n")) || IsCode("run.txt", []byte("#!/usr/bin/env perl\n")) {
		t.Error("the interpreter does not count where the name says nothing, or counts where it does")
	}
}

// contents are of the languages that an extension can stand for.
var contents = map[string][]string{
	".es": {"", "x", "%% an Erlang script\nmain(_) -> ok.\n", "#!/usr/bin/env escript\nmain(Args) ->\n  ok.\n", "// a class\nclass A {}\n", "/* one\ntwo */ a", "'use strict'\na()",
		"export  default a", "a = 1 %% 2\n", "a()\n  %% // b"},
	".inc": {"", "<?php\necho 1;\n", "<?\necho 1;\n", "\n<?php", "x <?php", "int a;\n", "{$mode objfpc}\nend.\n", "#declare A = 1;\n", "inherit a b\n", "  mov ax, bx\n"},
	".re": {"", "open Belt;\n", "let a: int = 3;\n", "let module A = {\n", "module type S = {}", "#include <a.h>\n", "  #ifdef A\n", "#include \"a.h\"\n", "template <class A>\n",
		"#define A\nopen B;\n", "# define A\n"},
	".rpy": {"", "import a\n", "define e = Character('a')\n", "label start:\n  pass\nclass A:\n", " import a\n", "from a import b"},
	".sc":  {"", "import scala.a\n", "import a.b\nclass A\n", "~a =. 1\n", "A { ^this.b }\nclass A", "A { ^Super.b }\n", "object A\n", "  import java.util\n", "classy"},
	".cl":  {"", "(defun a ())\n", "(IN-PACKAGE :a)\n/* */\n", "class A {\n};\n// b\n", "__kernel void a() {\n}\n", "// b\n", "a /* b */", "/*b*/"},
	".fs":  {"", ": a b ;\n", "new-device\n", "module A\nuniform\n", "  open System\n", "#version 120\n", "uniform vec3 a;\n", "void main() {}\n", "#include \"a.rsh\"\n"},
	".m":   {"", "@interface A : B\n@end\n", "#import <A/B.h>\n", "#import \"a.h\"\nint a;\n", ":- module a.\n", ": a b\n", "; a\n", "(* a *)\n", "% a\n", "a: module {\n", "  @property int a;\n", "function a\n"},
	".gs":  {"", "function a() {}\n", "#version 120\n", "[indent=4]\n", "uses java.a\n"},
	".cgi": {"", "use strict;\n", "import a\n"},
}

// TestByContent: expressions of our own tell what Linguist's rules tell, of languages that have a front-end.
func TestByContent(t *testing.T) {
	check := func(path string, b []byte) {
		want := words
		if of := enry.GetLanguagesByContent(path, b, nil); len(of) == 1 {
			want = frontEnd(of[0], filepath.Ext(path))
		}
		if got := frontEnd(byContent(path, b), filepath.Ext(path)); got != want && anyServed(byExtension(path), filepath.Ext(path)) {
			t.Errorf("%s %.80q: %v, want %v", path, b, got.Name, want.Name)
		}
	}
	handled := []string{".h", ".ts", ".tsx", ".rs", ".cs", ".mm", ".php", ".hh", ".html"} // by choose
	for ext := range data.LanguagesByExtension {
		if c := byExtension("a" + ext); len(c) > 1 && anyServed(c, ext) && !slices.Contains(handled, ext) && data.ContentHeuristics[ext] != nil && contents[ext] == nil {
			t.Errorf("no contents of %s", ext)
		}
	}
	for ext, texts := range contents {
		for _, text := range texts {
			check("a"+ext, []byte(text))
		}
	}
	root := os.Getenv("CORPUS")
	if root == "" {
		return
	}
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || contents[filepath.Ext(path)] == nil {
			return err
		}
		b, err := os.ReadFile(path)
		check(path, b[:min(len(b), markerHead)])
		n++
		return err
	})
	t.Logf("%d files: %v", n, err)
}

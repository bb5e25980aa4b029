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
		if isImage(n) != enry.IsImage(n) || n != "" && !slices.Equal(byFilename(n), enry.GetLanguagesByFilename(n, nil, nil)) ||
			!slices.Equal(byExtension(n), enry.GetLanguagesByExtension(n, nil, nil)) {
			t.Errorf("%q: %v %v %v", n, isImage(n), byFilename(n), byExtension(n))
		}
	}
	for l := range data.LanguagesType {
		if (data.LanguagesType[l] == int(data.TypeData)) != (enry.GetLanguageType(l) == enry.Data) {
			t.Errorf("type of %q", l)
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
		if got, want := byShebang([]byte(h)), enry.GetLanguagesByShebang("", []byte(h), nil); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", h, got, want)
		}
	}
	contents := 0
	err := filepath.WalkDir(goroot(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || len(byExtension(path)) < 2 || contents > 2000 {
			return err
		}
		b, err := os.ReadFile(path)
		if got, want := byContent(path, b), enry.GetLanguagesByContent(path, b, nil); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
		contents++
		return err
	})
	if err != nil || contents < 50 {
		t.Errorf("%d contents: %v", contents, err)
	}
}

package imports_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// TestBrought: the last name of a path is brought, unless the path begins in the text's own package.
func TestBrought(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"java", "package com.own.a;\nimport com.one.Two;\nimport static org.three.Four.five;\nimport org.six.*;\nclass Seven { com.eight.Nine n; }", "Two=com five=org"},
		{"kotlin", "package com.own\nimport com.one.Two\nimport org.three.four as five\nclass Six", "Two=com five=org four=org"},
		{"scala", "package com.own\nimport com.one.{Two, Three}\nclass Six", "Three=com Two=com"},
		{"rust", "use std::one::{Two, three::Four};\nuse crate::five::Six;\nuse super::Seven;\nfn eight() {}", "Four=std Two=std"},
		{"go", "package own\n\nimport \"com/one\"\n", ""},
	} {
		if !lang.HasGrammars && !lang.ByName(c.language).Lexed() {
			continue
		}
		z := lang.NewTokenizer(lang.Limits{})
		defer z.Close()
		toks, err := z.Tokenize(lang.ByName(c.language), []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got := imports.ImportedNames(lang.ByName(c.language), []byte(c.text), toks.Tokens)
		var all []string
		for _, name := range slices.Sorted(maps.Keys(got)) {
			all = append(all, name+"="+got[name])
		}
		if s := strings.Join(all, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.language, s, c.want)
		}
	}
}

package attribution_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/attribution"
)

// show returns a statement as a line of a table.
func show(s attribution.Statement) string {
	out := fmt.Sprintf("%d %s", s.Line, s.Kind)
	if s.Head {
		out += " head"
	}
	for _, v := range []struct{ k, v string }{{"holder", s.Holder}, {"spdx", s.SPDX}, {"source", s.Source}} {
		if v.v != "" {
			out += fmt.Sprintf(" %s=%q", v.k, v.v)
		}
	}
	if s.Kind == attribution.Snippet {
		out += fmt.Sprintf(" %d-%d", s.From, s.To)
	}
	return out
}

func TestScan(t *testing.T) {
	for _, c := range []struct {
		name, text string
		prose      bool
		want       []string
	}{
		{"a header", "// Copyright 2009-2012, 2015 The Go Authors. All rights reserved.\n// SPDX-License-Identifier: BSD-3-Clause\n\npackage x\n", false,
			[]string{`1 copyright head holder="The Go Authors"`, `2 spdx-license head spdx="BSD-3-Clause"`}},
		{"a byte order mark", "\uFEFF// Copyright 2020 Ada\n\nusing System;\n\n// Ported from https://github.com/a/b\nclass C {}\n", false,
			[]string{`1 copyright head holder="Ada"`, `5 copied-from head source="https://github.com/a/b"`}},
		{"a clause of a licence", "/*\n * to endorse or promote products derived from this software without\n * specific prior written permission.\n */\n", false, nil},
		{"an entry of a table", "{'C', 'o', 0xa9}, // © Vim 5.x compatible\nx() // © 2020 Ada\n", false, []string{`2 copyright holder="Ada"`}},
		{"a block", "/*\n * Copyright (C) 1995-2017 Jean-loup Gailly <a@b.c>\n * For conditions of distribution, see copyright notice in zlib.h\n */\nint x;\n", false,
			[]string{`2 copyright head holder="Jean-loup Gailly"`}},
		{"a long bracket of Lua", "--[==[\n\nCopyright (C) 2010 Ada Lovelace\n\n--]==]\nx()\n", false, []string{`3 copyright head holder="Ada Lovelace"`}},
		{"attributes of Rust", "#![doc(html_root_url = \"https://docs.rs/a/0.2.6\")]\n#[cfg(test)]\n// Copyright 2020 Ada Lovelace\n\nfn x() {}\n", false, []string{`3 copyright head holder="Ada Lovelace"`}},
		{"signs", "# (c) 2020 Ada & Co\n# © Grace Hopper\n# Portions copyright 2001 X\n", false,
			[]string{`1 copyright head holder="Ada & Co"`, `2 copyright head holder="Grace Hopper"`, `3 copyright head holder="X"`}},
		{"behind a name", "// CodeMirror, copyright (c) by Marijn Haverbeke and others\n// Lua, copyright © Lua.org\n// Copyright (c) by Ada\nx()\n", false,
			[]string{`1 copyright head holder="Marijn Haverbeke and others"`, `2 copyright head holder="Lua.org"`, `3 copyright head holder="Ada"`}},
		{"behind a sentence", "// Here, as in all the files, (c) Ada marks a copyright\n// See below, copyright by Ada\n// See f(c, copyright (c) Ada\nx()\n", false, nil},
		{"sentences about copyright", "// The above copyright notice and this permission notice\n// neither the copyright holders nor\n// Copyright law applies.\n// f(c) is called\nx()\n", false, nil},
		{"copy", "x := 1\n// the bytes to copy from src\n// Copy from https://example.org/a.js\nf()\n", false, []string{`3 copied-from source="https://example.org/a.js"`}},
		{"copied", "x := 1\n// copied from compress/flate.\nfunc f() {}\n", false, []string{`2 copied-from source="compress/flate."`}},
		{"goes on", "x := 1\n// This was adapted from\n// https://github.com/golang/snappy\nfunc f() {}\n", false,
			[]string{`2 copied-from source="https://github.com/golang/snappy"`, `3 copied-from source="https://github.com/golang/snappy"`}},
		{"behind code", "x = 1 # taken from zlib\ny = '# taken from zlib'\n", false, []string{`1 copied-from source="zlib"`}},
		{"in a string", "fmt.Println(\"copied from zlib\")\nx := \"// SPDX-License-Identifier: MIT\"\n", false, nil},
		{"a link", "// see https://gitlab.com/a/b/-/blob/main/x.c\nf();\n// https://github.com/golang/go/issues/123\n", false,
			[]string{`1 copied-from head source="see https://gitlab.com/a/b/-/blob/main/x.c"`}},
		{"a snippet", "int a;\n// SPDX-SnippetBegin\n// SPDX-License-Identifier: MIT\n// SPDX-SnippetCopyrightText: 2019 Ada\n// SPDX-SnippetComment: copied from zlib\nint b;\n// SPDX-SnippetEnd\nint c;\n", false,
			[]string{`3 spdx-snippet spdx="MIT" 2-7`, `4 spdx-snippet holder="Ada" 2-7`, `5 spdx-snippet source="copied from zlib" 2-7`}},
		{"a snippet that is never closed", "// SPDX-SnippetBegin\n// SPDX-License-Identifier: MIT\nx\n", false, []string{`2 spdx-snippet spdx="MIT" 1-3`}},
		{"js tags", "/**\n * @license MIT\n * @author Ada Lovelace <ada@x.org>\n */\n", false,
			[]string{`2 spdx-license head spdx="MIT"`, `3 copyright head holder="Ada Lovelace"`}},
		{"minified", "/*! lib v1 | (c) 2019 Lib Foundation | lib.org/license */" + strings.Repeat("x=1;", 1000), false,
			[]string{`1 copyright holder="Lib Foundation | lib.org/license"`}},
		{"a title", "/*!\n * jQuery JavaScript Library v1.9.1\n * http://jquery.com/\n */\nx()\n// other v1.2\n", false, []string{`2 title head source="jQuery"`}},
		{"a title and a holder", "/*! jQuery v3.4.1 | (c) 2019 JS Foundation */\nx()\n", false, []string{`1 title head source="jQuery"`, `1 copyright head holder="JS Foundation"`}},
		{"a batch file", "@REM Copyright 2020 Ada\n@echo off\n", false, []string{`1 copyright head holder="Ada"`}},
		{"a title of many words", "/*! jQuery UI Effects Blind 1.13.3 */\nx()\n", false, []string{`1 title head source="jQuery UI Effects Blind"`}},
		{"a title in a minified file", "/*! jQuery v3.4.1 */x()\n", false, []string{`1 title source="jQuery"`}},
		{"a title below another comment", "/* eslint-disable */\n/*!\n * Ada\n *\n *\n *\n */\n/*!\n * jQuery v3.4.1\n */\nx()\n", false, []string{`9 title head source="jQuery"`}},
		{"titles of parts", "x()\n/*! jQuery v3.4.1 */\nx()\n/* other v1.2.1 */\nx()\n", false, []string{`2 title source="jQuery"`}},
		{"sentences in comments of Doxygen", "x()\n/*! Sample rate 12.5 Hz */\nx()\n/*! Rates up to 50.0Mcps. */\nx()\n", false, nil},
		{"a year", "/* Copyright (c) 2012. */\nx()\n", false, nil},
		{"no titles", "// since 2015 it has been so\n// this needs at least a version such as 1.2.3\n// 1.2.3\nx()\n", false, nil},
		{"prose", "This chapter is based on The Art.\n", true, []string{`1 copied-from head source="The Art."`}},
		{"python", "\"\"\"Sorting.\n\nPorted from the timsort package.\n\"\"\"\n", false, []string{`3 copied-from head source="the timsort package."`}},
	} {
		var got []string
		for _, s := range attribution.Scan([]byte(c.text), c.prose) {
			got = append(got, show(s))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	snappy := attribution.Origin{Type: "golang", Name: "github.com/golang/snappy", Path: "decode.go"}
	std := attribution.Origin{Type: "golang", Name: "std", Path: "compress/flate/inflate.go"}
	zlib := attribution.Origin{Type: "generic", Name: "zlib", Path: "inflate.c"}
	v2 := attribution.Origin{Type: "golang", Name: "k8s.io/utils/v2", Path: "a.go"}
	sys := attribution.Origin{Type: "golang", Name: "golang.org/x/sys", Path: "windows/syscall_windows.go"}
	scoped := attribution.Origin{Type: "npm", Name: "@babel/parser", Path: "index.js"}
	editor := attribution.Origin{Type: "npm", Name: "codemirror", Path: "addon/lint/javascript-lint.js"}
	forked := snappy
	forked.Target = []string{"github.com/someone/snappy"}
	for _, c := range []struct {
		text string
		of   attribution.Origin
		want bool
	}{
		{"// copied from github.com/golang/snappy@v0.0.4/decode.go", snappy, true},
		{"// This file copy from golang/snappy/decode.go", snappy, true},
		{"// the number of bytes to copy from the input", snappy, false},
		{"// copied from https://github.com/golang/snappy/blob/master/decode.go#L12", snappy, true},
		{"// Adapted from golang/snappy.", snappy, true},
		{"// Adapted from the Snappy decoder.", snappy, true},
		{"// Adapted from go-snappy-fast.", snappy, true}, // the name is a separate word there
		{"// copied from pkg:golang/github.com/golang/snappy@v0.0.1", snappy, true},
		{"// https://pkg.go.dev/github.com/golang/snappy#Decode", snappy, true},
		{"// a fork: https://github.com/someone/snappy", snappy, true},
		{"// our home: https://github.com/someone/snappy", forked, false},
		{"// a fork: https://github.com/another/snappy", forked, true},
		{"// copied from github.com/golang/snappy", forked, true},
		{"// copied from github.com/golang/lz4", snappy, false},
		{"// copied from somewhere snappyish", snappy, false},
		{"// makes it snappy", snappy, false},
		{"// see https://github.com/golang/snappy/issues/4", snappy, false},
		{"// copied from the Go standard library", std, true},
		{"// Copied from Go.", std, true},
		{"// copied from go to whoa", std, false},
		{"// copied from compress/flate", std, true},
		{"// from https://go.dev/src/compress/flate/inflate.go", std, true},
		{"// See golang.org/issue/1234.", std, false},
		{"// https://golang.org/ref/spec#Iota", std, false},
		{"// https://golang.org/src/compress/flate/inflate.go", std, true},
		{"// https://github.com/golang/go/blob/go1.20/src/sort/sort.go", std, true},
		{"// Package x is a fork of go's standard library reflection package.", std, true},
		{"// This test is an adapted version of compress/flate.TestReader.", std, true},
		{"// Mostly copied, with small changes, from compress/flate", std, true},
		{"// Copied almost verbatim from compress/flate", std, true},
		{"// Copied and adjusted from compress/flate", std, true},
		{"// copied bytes that were read from compress/flate", std, false},
		{"// copied from compress/lzw", std, false},
		{"// Copied from: https://cs.opensource.google/go/go/+/refs/tags/go1.23.6:src/compress/flate/inflate.go;l=256-276", std, true},
		{"// https://cs.opensource.google/go/x/sys/+/master:windows/types.go", std, false},
		{"// https://cs.opensource.google/go/x/sys/+/master:windows/types.go", sys, true},
		{"// copied from https://github.com/golang/sys/blob/master/windows/types.go", sys, true},
		{"// copied from https://github.com/golang/text/blob/master/language/parse.go", sys, false},
		{"// This code copied from syscall_windows.go in the go source and then", sys, true},
		{"// This code copied from my_syscall_windows.go and then", sys, false},
		{"// Copied from inflate.c.", zlib, false}, // a short name: many packages have such a file
		{"/* derived from zlib 1.2.11 */", zlib, true},
		{"/* derived from zlibng */", zlib, false},
		{"// copied from k8s.io/utils", v2, true},
		{"// copied from utils", v2, false}, // an ordinary word names no package
		{"// from https://www.npmjs.com/package/@babel/parser", scoped, true},
		{"// copied from @babel/parser", scoped, true},
		{"// copied from parser", scoped, false},
		{"// https://github.com/codemirror/codemirror5/blob/master/LICENSE", editor, true}, // the account has the package's name
	} {
		got := slices.ContainsFunc(attribution.Scan([]byte("x()\n"+c.text+"\n"), false), func(s attribution.Statement) bool { return s.Names(c.of) })
		if got != c.want {
			t.Errorf("%q names %s: %v", c.text, c.of.Name, got)
		}
	}
}

// TestNamesRelease: a source that is a program with its version is named, as are an address and a package.
func TestNamesRelease(t *testing.T) {
	for text, want := range map[string]bool{
		"# Vendored copy of distutils/version.py from CPython 3.9.5": true,
		"// Copied from Linux 2.6.34":                                true,
		"// Adapted from the Boost 1.33.1 library.":                  true,
		"// Ported from Eclipse Collections 11.0.":                   true,
		"// Taken from Android 4.1's TreeMap class.":                 true,
		"// Copied from Lua v5.1.4":                                  true,
		"// Adapted from Section 4.1 of the manual.":                 false,
		"// Taken from Figure 3.2":                                   false,
		"// Copied from version 1.2":                                 false,
		"// Copied from the old decoder, 1.5 times faster":           false,
		"// Copied from Version 1.2":                                 false,
		"// Adapted from Theorem 3.1":                                false,
		"// Taken from Recipe 4.1 of the cookbook":                   false,
		"// Adapted from Knuth Section 4.1":                          false,
		"// Derived from Apache License 2.0":                         false,
		"// Copied from Decoder":                                     false,
	} {
		got := slices.ContainsFunc(attribution.Scan([]byte(text+"\nx\n"), false), func(s attribution.Statement) bool { return s.Strong && s.NamesRelease() })
		if got != want {
			t.Errorf("%q names a release: %v", text, got)
		}
	}
}

// TestModule: a sentence on copying can name a module or a class by its dotted path. Files, hosts and variables have dots too.
func TestModule(t *testing.T) {
	for text, want := range map[string]string{
		"# Copied from transformers.models.bart.modeling_bart.BartAttention with Bart->Llama": "transformers models bart modeling_bart BartAttention",
		"// Adapted from java.util.concurrent.ConcurrentHashMap.":                             "java util concurrent ConcurrentHashMap",
		"# Taken from `sklearn.utils.fixes`":                                                  "sklearn utils fixes",
		"// Copied from www.example.com":                                                      "",
		"// Copied from jquery.ui.widget.js":                                                  "",
		"# Copied from self.config.width":                                                     "",
		"// Extracted from event.target.value":                                                "",
		"# Copied from config.py":                                                             "",
		"// Adapted from D.E.Knuth, volume 3":                                                 "",
		"// Taken from J.R.R. Tolkien":                                                        "",
		"# Inspired by torch.nn.functional":                                                   "",
	} {
		var got []string
		for _, s := range attribution.Scan([]byte(text+"\nx\n"), false) {
			got = append(got, s.Module()...)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q names the module %q, want %q", text, got, want)
		}
	}
}

// TestBaseForms: "modify from" states copying only before a path or an address.
func TestBaseForms(t *testing.T) {
	for text, want := range map[string]bool{
		"// modify from https://github.com/ada/engine/blob/main/f.cpp": true,
		"// adapt from ada/engine":                                     true,
		"// Fields that users modify from outside of the process":      false,
		"// Rates adapt from one frame to the next":                    false,
	} {
		ss := attribution.Scan([]byte(text+"\nx\n"), false)
		if got := slices.ContainsFunc(ss, func(s attribution.Statement) bool { return s.Strong }); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestCites: the name of a repository counts where the source begins, an address anywhere.
func TestCites(t *testing.T) {
	for text, want := range map[string]bool{
		"// Adapted from acme/solver.":                         true,
		"// Adapted from the Solver project":                   true,
		"// Copied from https://github.com/acme/solver/x.go":   true,
		"// Adapted from a solver by Ada":                      false,
		"// Adapted from solvers":                              false,
		"// Copied from https://github.com/acme/solver-2/x.go": false,
	} {
		ss := attribution.Scan([]byte(text+"\nx\n"), false)
		if len(ss) != 1 || ss[0].Cites("github.com/acme/solver") != want {
			t.Errorf("%q: %+v", text, ss)
		}
	}
}

// TestDocstring: a docstring with a prefix is a comment.
func TestDocstring(t *testing.T) {
	ss := attribution.Scan([]byte("def f():\n    r\"\"\"Modified from https://github.com/ada/engine/blob/main/f.py\n    \"\"\"\n"), false)
	if len(ss) != 1 || !ss[0].Strong {
		t.Errorf("read %+v", ss)
	}
}

// TestPhrases: of several phrases in a line the first one that says that code was copied tells the source.
func TestPhrases(t *testing.T) {
	replace := attribution.Origin{Type: "github", Name: "ada/replace"}
	for text, strong := range map[string]bool{
		"// This is a port of https://github.com/ada/replace, a simplified version of grep":  true,
		"// Original source: https://github.com/ada/replace, a trimmed version of it":        true,
		"// Vendored copy of https://github.com/ada/replace, based on grep":                  true,
		"// A simplified copy of https://github.com/ada/replace, which is based on grep too": false,
	} {
		ss := attribution.Scan([]byte(text+"\nx\n"), false)
		if len(ss) != 1 || !ss[0].Names(replace) || ss[0].Strong != strong {
			t.Errorf("%q says %+v", text, ss)
		}
	}
}

// TestReadme: a README names a package in a sentence that says that code was copied from it, not beside one.
func TestReadme(t *testing.T) {
	replace := attribution.Origin{Type: "github", Name: "ada/replace"}
	for text, want := range map[string]bool{
		"# Own\n\nThis is a fork of\n[replace](https://github.com/ada/replace).":                              true,
		"This is a port of J. Doe's https://github.com/ada/replace.":                                          true,
		"Ported from https://github.com/ada/replace! Thanks.":                                                 true,
		"- Own is a fork of https://github.com/ada/replace\n- It is fast":                                     true,
		"This is a fork of https://github.com/ada/other. Install https://github.com/ada/replace beside it.":   false,
		"- grip, a port of grep\n- https://github.com/ada/replace, which we need":                             false,
		"1. grip, a port of grep\n2. https://github.com/ada/replace, which we need":                           false,
		"Install it\nfrom https://github.com/ada/replace":                                                     false,
		"Source: https://github.com/ada/replace":                                                              false,
		"via https://github.com/ada/replace\na port of grep":                                                  false,
		"This is not a fork of https://github.com/ada/replace":                                                false,
		"It isn't derived from https://github.com/ada/replace":                                                false,
		"It reads files as https://github.com/ada/replace does.":                                              false,
		"## Acknowledgements\n\n* [replace](https://github.com/ada/replace)\n":                                true,
		"# Credits and thanks\n\nOur loop is Ada's: <a href=\"https://github.com/ada/replace\">replace</a>\n": true,
		"## Acknowledgements\n\nEverybody\n\n## Use\n\nhttps://github.com/ada/replace\n":                      false,
		"## Acknowledgements\n\n### Code\n\n* https://github.com/ada/replace\n":                               true,
		"## Attribution\n\n* https://github.com/ada/replace\n":                                                true,
		"## Feature attribution methods\n\n* https://github.com/ada/replace\n":                                false,
		"## Links\n\n* https://github.com/ada/replace\n":                                                      false,
		"## Acknowledgements\n\n* https://github.com/ada/replacement\n":                                       false,
		"## Acknowledgements\n\n* https://github.com/grace/replace-all\n":                                     false,
		"## Acknowledgements\n\n* https://github.com/replace/grip\n":                                          false,
	} {
		named := false
		if x := attribution.NewReadme([]byte(text), true); x != nil {
			_, named = x.Names(replace)
		}
		if named != want {
			t.Errorf("%q names the package: %v", text, named)
		}
	}
}

// TestReadmeOfMany: the sentences of a README are bounded, since each is compared with each origin.
func TestReadmeOfMany(t *testing.T) {
	const sentence = "This is a fork of https://github.com/ada/replace.\n\n"
	for n, want := range map[int]int{3: 3, 15000: 200} {
		if got := len(attribution.NewReadme([]byte(strings.Repeat(sentence, n)), true).Sources()); got != want {
			t.Errorf("of %d sentences %d are read", n, got)
		}
	}
}

// TestTitles: a library in one file begins with its name and version.
func TestTitles(t *testing.T) {
	for _, c := range []struct {
		head, of string
		want     bool
	}{
		{"/*!\n * jQuery JavaScript Library v1.9.1\n */", "jquery", true},
		{"/*jshint forin: false */\n\n/*!\n * jQuery JavaScript Library v1.7\n */", "jquery", true},
		{"/*!\n * Lo-Dash v0.6.1 <http://lodash.com>\n */", "lodash", true},
		{"//     Underscore.js 1.3.3", "underscore", true},
		{"//     Backbone.js 0.9.2\n\n//     (c) 2010-2012 Jeremy Ashkenas", "backbone", true},
		{"/*  Prototype JavaScript framework, version 1.7\n *  (c) 2005-2010 Sam Stephenson */", "prototype", true},
		{"/*!\n *  Font Awesome 4.7.0 by @davegandy */", "font-awesome", true},
		{"/*! jQuery UI - v1.13.2 */", "jquery", false},
		{"/*! Foo plugin for jQuery v1.0 */", "jquery", false},
		{"/* util v1.0 */", "util", false}, // an ordinary word names no package
		{"/* jquery */", "jquery", false},
		{"x()\n/* jQuery v1.9.1 */", "jquery", false}, // not at the head of the file
		{"/*\n * This\n * has\n * lines\n * jQuery 1.9.1\n */", "jquery", false},
	} {
		o := attribution.Origin{Type: "npm", Name: c.of}
		got := slices.ContainsFunc(attribution.Scan([]byte(c.head+"\nx()\n"), false), func(s attribution.Statement) bool { return s.Names(o) })
		if got != c.want {
			t.Errorf("%q names %s: %v", c.head, c.of, got)
		}
	}
}

func TestHoldersBehindYears(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"years of two digits", "/* Copyright (C) 1986, 87, 89, 92-96, 1997 Free Software Foundation, Inc. */", "Free Software Foundation, Inc"},
		{"the name on the next line", "/*\n * Copyright (c) 1991, 1993\n *\tThe Regents of the University of California.  All rights reserved.\n */", "The Regents of the University of California"},
		{"years on two lines", "/* Copyright (C) 1998,\n   1999, 2000 Some Body */", "Some Body"},
		{"a list that breaks in the years", "# Copyright 1994, 95,\n# 96 Some Body", "Some Body"},
		{"a number in the name", "// Copyright 2012 42 Lines, Inc.", "42 Lines, Inc"},
		{"a digit with letters", "// Copyright 2011, 10gen", "10gen"},
		{"a licensor", "/*\n * Licensed to the Apache Software Foundation (ASF) under one or more\n * contributor license agreements.\n */", "Apache Software Foundation"},
		{"a licensor of few words", "// Licensed to the .NET Foundation under one or more agreements.", ".NET Foundation"},
		{"everybody", "// Licensed to you under one or more agreements", ""},
		{"a name that grows in lower case", "// Licensed to " + strings.Repeat("Ⱥ", 50) + " under one or more agreements", ""},
		{"no licensor", "// Licensed to you under the Apache License", ""},
		{"a licence below years", "/* Copyright (c) 2004\n * Permission is hereby granted, free of charge */", ""},
		{"no name", "/* Copyright (c) 2004 */\nint x;", ""},
		{"an empty line", "/* Copyright (c) 2004\n\n Some Body */", ""},
	} {
		got := strings.Join(attribution.Holders(attribution.Scan([]byte(c.head), false)), ", ")
		if got != c.want {
			t.Errorf("%s: got holders %q, want %q", c.name, got, c.want)
		}
	}
}

// TestAllHolders: a line can name several holders, and the lines below it more.
func TestAllHolders(t *testing.T) {
	for head, want := range map[string]string{
		"// Copyright 2009 Ada Byron <a@a.org>, 2010 Bob Coe <b@b.org> & Eve Dow <e@e.org>":     "Ada Byron, Bob Coe, Eve Dow",
		"// Copyright 2009 Ada Byron <a@a.org> and other contributors":                          "Ada Byron, other contributors",
		"/* Copyright 2009 Ada Byron\n *           2010, 2011 Bob Coe\n *\n * 2012 is over. */": "Ada Byron, Bob Coe",
		"/* Copyright (C) 1998,\n   1999, 2000 Ada Byron */":                                    "Ada Byron",
		"// Copyright 2009 Ada Byron <a@a.org>, All rights reserved.":                           "Ada Byron",
		"// Copyright 2009 Ada Byron <a@a.org> Read the licence, please.":                       "Ada Byron",
		"// Copyright 2009 Ada Byron <a@a.org>\n// 2010 Permission is granted to all":           "Ada Byron",
		"// Copyright 2009 Ada Byron <a@a.org>\nint x = 2010;":                                  "Ada Byron",
	} {
		if got := strings.Join(attribution.AllHolders(attribution.Scan([]byte(head), false)), ", "); got != want {
			t.Errorf("%q: %s, want %s", head, got, want)
		}
	}
}

// TestManyHolders: each name of a head is read once, not once for each other name. A head may have one in each of its lines.
func TestManyHolders(t *testing.T) {
	var ss []attribution.Statement
	for i := range 240 {
		ss = append(ss, attribution.Statement{Kind: attribution.Copyright, Head: true, Holder: fmt.Sprintf("Ada Lovelace the %dth, Inc.", i)})
	}
	ss = append(ss, attribution.Statement{Kind: attribution.Copyright, Head: true, Holder: "ADA LOVELACE the 7th"})
	hs := attribution.Holders(ss)
	if common := attribution.CommonHolders(append(hs, "The Authors", "Eve"), append(hs[7:9:9], "Authors")); len(hs) != 240 || !slices.Equal(common, hs[7:9]) {
		t.Errorf("%d holders, common %q", len(hs), common)
	}
	if n := testing.AllocsPerRun(1, func() { attribution.CommonHolders(attribution.Holders(ss), hs) }); n > 10000 {
		t.Errorf("%.0f allocations", n)
	}
}

// checkHolders compares the holders of texts of code.
func checkHolders(t *testing.T, texts map[string]string) {
	t.Helper()
	for text, want := range texts {
		if got := strings.Join(attribution.Holders(attribution.Scan([]byte(text), false)), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestFoot: a holder or a licence behind all code is that of the file, as at its head. A source there is not.
func TestFoot(t *testing.T) {
	const code = "int f(void) { return 1; }\n\n"
	checkHolders(t, map[string]string{
		code + "/* Copyright 2017 Ada Lovelace\n   Permission is hereby granted */\n":   "Ada Lovelace",
		code + "// SPDX-FileCopyrightText: 2017 Ada Lovelace\n":                         "Ada Lovelace",
		"/* Copyright 2017 Ada Lovelace */\n" + code + "/* Copyright 1999 B. Hopper */": "Ada Lovelace B. Hopper",
		code + "/* Copyright 2017 Ada Lovelace */\n" + code:                             "",
		"int x; // Copyright 2017 Ada Lovelace\n":                                       "",
	})
	for _, s := range attribution.Scan([]byte(code+"// copied from github.com/a/b\n"), false) {
		if s.Head {
			t.Errorf("%+v is of the whole file", s)
		}
	}
}

// TestRefers: a head that names the file with the copyright notice of its library names the holder by it, unless a holder is named before.
func TestRefers(t *testing.T) {
	checkHolders(t, map[string]string{
		"/*\n** $Id: lapi.c $\n** Lua API\n** See Copyright Notice in lua.h\n*/\nint x;\n":                                       "the notice in lua.h",
		"/* Copyright 1995 Mark Adler\n * For conditions of distribution and use, see copyright notice in zlib.h\n */\nint x;\n": "Mark Adler",
		"// See the copyright notice in \"own.go\".\npackage x\n":                                                                "the notice in own.go",
		"// See copyright notice in LICENSE.\npackage x\n":                                                                       "",
		"// See copyright notice in ../other/a.h.\nint x;\n":                                                                     "",
		"int x; /* see copyright notice in lua.h */\nint y;\n":                                                                   "",
		"int x;\n/* See Copyright Notice in lua.h */\nint y;\n":                                                                  "",
	})
}

func TestSameHolder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"The Go Authors", "Go Authors", true},
		{"Google Inc.", "Google LLC", true},
		{"Klaus Post", "klaus post", true},
		{"The Authors", "Authors", false},
		{"Facebook, Inc. and its affiliates", "Facebook", true},
		{"Ada", "Grace", false},
		{"", "", false},
		{"The HuggingFace Team", "HuggingFace Inc.", true},
		{"EleutherAI and the HuggingFace Inc. team", "The HuggingFace Team", true},
		{"Mesh TensorFlow authors, T5 Authors and HuggingFace Inc. team", "The T5 Authors", true},
		{"Ada Byron and contributors", "Grace Hopper and contributors", false},
		{"Byron, Ada", "Ada", false},
		{"The team", "Team and others", false},
		{"National Institute of Standards and Technology", "Hong Kong University of Science and Technology", false},
		{"Regents of the University of Ada, Harbour and Google", "Harbour Ltd.", false},
		{"Ada Byron of Acme and Grace Hopper", "Grace Hopper", true},
	} {
		if attribution.SameHolder(c.a, c.b) != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, !c.want)
		}
	}
}

func TestNear(t *testing.T) {
	text := "// Copyright 2020 Ada\n" + strings.Repeat("x()\n", 30) + // 1, 2-31
		"// copied from far\n" + strings.Repeat("x()\n", 3) + // 32
		"// copied from near\nfunc f() {\n\t// copied from within\n}\n// copied from below\n" // 36-40
	ss := attribution.Scan([]byte(text), false)
	lines := func(from, to, function int) (out []int) {
		for _, s := range attribution.Near(ss, from, to, function) {
			out = append(out, s.Line)
		}
		return out
	}
	for _, c := range []struct{ from, to, function int }{{37, 39, 0}, {38, 39, 37}} {
		if got := lines(c.from, c.to, c.function); !slices.Equal(got, []int{38, 36, 32, 1}) {
			t.Errorf("%v: %v", c, got)
		}
	}
	for _, s := range ss {
		if want := s.Line == 36 || s.Line == 38; s.Direct(37, 39, 0) != want {
			t.Errorf("line %d direct: %v", s.Line, !want)
		}
	}
}

// TestHeadBelowImports: a list of imports is no code, so a comment that stands alone below it is about the file. A comment right above
// code is about that code.
func TestHeadBelowImports(t *testing.T) {
	const said = "// This is a copy of the reader from github.com/someone/else.\n"
	for text, want := range map[string]bool{
		"package a\n\nimport (\n\t\"fmt\"\n\t\"io\" // for EOF\n)\n\n" + said + "\nfunc f() {}\n":           true,
		"package a\n\nimport \"io\"\n\n" + said + "\nfunc f() {}\n":                                         true,
		"package a\n\nimport (\n\t\"fmt\"\n)\n\n" + said + "func f() {}\n":                                  false,
		"package a\n\nimport (\n\t\"fmt\"\n)\n\nfunc f() {}\n\n" + said + "\nfunc g() {}\n":                 false,
		"import {\n  a,\n  b,\n} from 'c';\n\n" + said + "\nexport const d = a(b);\n":                       true,
		"import {\n  a,\n  b\n} from 'c';\n" + said + "export const d = a(b);\n":                            false,
		"import (\n" + strings.Repeat("\t\"fmt\"\n", 300) + ")\n\n" + said + "\nfunc f() {}\n":              false, // too long for a head
		"import (\n" + said + "\t\"fmt\"\n":                                                                 false, // the list does not end
		"use std::{\n    fs,\n};\n\n" + said + "\nfn f() {}\n":                                              true,
		"namespace a {\n\nint f() { return 1; }\n\n" + said + "int g() {\n  return 2;\n}\n}\n":              false, // a namespace is no list
		"package a\n\nimport (\n\t\"fmt\"\n)\n\n/*\n" + said + "*/\n\ntype t struct{}\n\nfunc (t) g() {}\n": true,
	} {
		if ss := attribution.Scan([]byte(text), false); len(ss) != 1 || ss[0].Head != want {
			t.Errorf("%q: %+v, want head %t", text[:min(len(text), 120)], ss, want)
		}
	}
}

// TestNearRest: a sentence on everything below it applies to the end of the file, and to nothing above it.
func TestNearRest(t *testing.T) {
	const gap = 60
	for text, want := range map[string]bool{
		"// Functions below this line are borrowed or adapted from encoding/csv/reader.go": true,
		"// The rest of this file is copied from net/http.":                                true,
		"// The next function is copied from net/http.":                                    false,
		"// The rest of this file implements net/http.":                                    false,
	} {
		src := "package a\n" + strings.Repeat("var a = 1\n", gap) + text + "\n\n" + strings.Repeat("var a = 1\n", gap)
		ss := attribution.Scan([]byte(src), false)
		if got := len(attribution.Near(ss, 2*gap, 2*gap+3, 0)) > 0; got != want {
			t.Errorf("%s: below %t, want %t", text, got, want)
		}
		if len(attribution.Near(ss, 5, 8, 0)) > 0 {
			t.Errorf("%s: applies above", text)
		}
	}
}

// TestNearLicence: in a bundle the holder is in the first line of a licence, far above the code.
func TestNearLicence(t *testing.T) {
	licence := "// Copyright 2009 Ada\n" + strings.Repeat("// permission is granted\n", 25)
	for _, c := range []struct {
		between string
		want    int
	}{{"\n// this is why\n", 1}, {strings.Repeat("y()\n", 20), 0}} {
		ss := attribution.Scan([]byte("x()\n"+licence+c.between+"f()\n"), false)
		line := 28 + strings.Count(c.between, "\n")
		if got := attribution.Near(ss, line, line, 0); len(got) != c.want {
			t.Errorf("behind %q: %v", c.between, got)
		}
	}
}

func TestIsNotice(t *testing.T) {
	for name, want := range map[string]bool{
		"NOTICE": true, "NOTICE.txt": true, "Third-Party-Notices.md": true, "third_party_licenses": true, "THIRDPARTY": true, "3rdparty.txt": true,
		"CREDITS": true, "LICENSE": true, "LICENSE-MIT": true, "license.md": true, "COPYING.LESSER": true, "ACKNOWLEDGEMENTS.md": true, "REUSE.toml": true,
		"license.go": false, "notice.js": false, "README.md": false, "main.c": false, "": false,
	} {
		if attribution.IsNotice(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestIndexOfLicence: the copyright line in the GPL's text applies to that text, not to the code below it.
func TestIndexOfLicence(t *testing.T) {
	fsf := attribution.Origin{Name: "tools", Holders: []string{"Free Software Foundation, Inc."}}
	gpl := "                    GNU GENERAL PUBLIC LICENSE\n                       Version 2, June 1991\n\n Copyright (C) 1989, 1991 Free Software Foundation, Inc.\n" +
		" 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA\n Everyone is permitted to copy and distribute verbatim copies\n"
	if s, ok := attribution.NewIndex([]byte(gpl)).Owner(fsf); ok {
		t.Errorf("the licence's text names %q as the owner", s.Text)
	}
	if _, ok := attribution.NewIndex([]byte("getopt.c\nCopyright (C) 1989, 1991 Free Software Foundation, Inc.\n")).Owner(fsf); !ok {
		t.Error("a list of owners does not name one")
	}
}

func TestIndex(t *testing.T) {
	x := attribution.NewIndex([]byte("This product has parts of others.\n\nsnappy (BSD)\nCopyright (c) 2011 The Snappy-Go Authors\n\n- https://github.com/madler/zlib/tree/v1.2.11\n\nit speaks of lz4 in the middle of a long sentence only\n"))
	for _, c := range []struct {
		of           attribution.Origin
		names, owner int
	}{
		{attribution.Origin{Type: "golang", Name: "github.com/golang/snappy", Holders: []string{"The Snappy-Go Authors"}}, 3, 4},
		{attribution.Origin{Type: "generic", Name: "zlib", Holders: []string{"Jean-loup Gailly"}}, 6, 0},
		{attribution.Origin{Type: "golang", Name: "github.com/pierrec/lz4/v4"}, 0, 0},
		{attribution.Origin{Type: "golang", Name: "github.com/golang/snappy", Target: []string{"github.com/someone/snappy"}}, 0, 0},
	} {
		n, _ := x.Names(c.of)
		o, _ := x.Owner(c.of)
		if n.Line != c.names || o.Line != c.owner {
			t.Errorf("%s: named on %d, owner on %d", c.of.Name, n.Line, o.Line)
		}
	}
}

func TestAllows(t *testing.T) {
	text := `package x

// git-provenance:allow reason="ours, published" origin="pkg:golang/x*" expires=2030-01-31
func f() {}

// git-provenance:allow
func g() {} // git-provenance:allow reason="why"

# git-provenance:allow-begin reason="a stretch"
x
# git-provenance:allow-end
// git-provenance:allow reason="x" until=2030
// git-provenance:allow reason="x" expires=2030-02-31
// write "git-provenance:allow" or git-provenance:allowed or ` + "`git-provenance:allow reason`" + `
s := "// git-provenance:allow reason=1"
// git-provenance:allow-end
// git-provenance:allow-begin reason="open"
`
	var got []string
	for _, a := range attribution.Allows([]byte(text), false, nil) {
		got = append(got, fmt.Sprintf("%d %d-%d %q %q %q %v", a.Line, a.From, a.To, a.Reason, a.Origin, a.Expires, a.Err))
	}
	want := []string{
		`3 3-3 "ours, published" "pkg:golang/x*" "2030-01-31" <nil>`,
		`6 6-6 "" "" "" it gives no reason="…"`,
		`7 7-7 "why" "" "" <nil>`,
		`9 9-11 "a stretch" "" "" <nil>`,
		`12 12-14 "x" "" "" unknown key "until"`,
		`13 13-14 "x" "" "2030-02-31" expires is no date such as 2027-01-31: "2030-02-31"`,
		`16 16-17 "" "" "" allow-end without allow-begin`,
		`17 17-17 "open" "" "" allow-begin without allow-end`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCovers(t *testing.T) {
	on := attribution.Allow{Line: 12, From: 12, To: 12}
	above := attribution.Allow{Line: 8, From: 8, To: 10}
	stretch := attribution.Allow{Line: 9, From: 9, To: 21, Stretch: true}
	for _, c := range []struct {
		a                  attribution.Allow
		from, to, function int
		want               bool
	}{
		{on, 10, 20, 0, true}, {on, 13, 20, 0, true}, {on, 15, 20, 0, false}, {on, 1, 11, 0, false},
		{above, 10, 20, 0, true}, {above, 11, 20, 0, true}, {above, 12, 20, 0, false}, {above, 15, 20, 10, true},
		{stretch, 10, 20, 0, true}, {stretch, 8, 20, 0, false}, {stretch, 10, 22, 0, false},
	} {
		if c.a.Covers(c.from, c.to, c.function) != c.want {
			t.Errorf("%+v covers %d-%d of %d: %v", c.a, c.from, c.to, c.function, !c.want)
		}
	}
}

// FuzzScan: reading ends, lines are in the text and in order, and the same text gives the same statements.
func FuzzScan(f *testing.F) {
	f.Add([]byte("/* Copyright 2020 X\n SPDX-SnippetBegin */\ncopied from github.com/a/b\n"), false)
	f.Add([]byte("© © (c) copyright\xff\n'''\nİ SPDX-License-Identifier: İ"), true)
	f.Add([]byte("// git-provenance:allow-begin reason=\"\n// git-provenance:allow-end"), false)
	f.Fuzz(func(t *testing.T, text []byte, prose bool) {
		n := strings.Count(string(text), "\n") + 1
		ss := attribution.Scan(text, prose)
		last := 0
		o := attribution.Origin{Type: "golang", Name: "github.com/a/b", Path: "x/y.go", Holders: attribution.Holders(ss)}
		for _, s := range ss {
			if s.Line < last || s.Line > n || s.From < 1 || s.To > n || s.From > s.Line || s.To < s.Line || len(s.Text) > 300 {
				t.Fatalf("%+v of %d lines, after %d", s, n, last)
			}
			last = s.Line
			s.Names(o)
			s.Owns(o)
		}
		if !reflect.DeepEqual(ss, attribution.Scan(text, prose)) {
			t.Fatal("differs")
		}
		for _, a := range attribution.Allows(text, prose, nil) {
			if a.Line < 1 || a.Line > n || a.Err == nil && a.Reason == "" || a.To < a.From {
				t.Fatalf("%+v", a)
			}
		}
		x := attribution.NewIndex(text)
		x.Names(o)
		x.Owner(o)
	})
}

func TestFolder(t *testing.T) {
	for _, c := range []struct {
		name, dir   string
		whole, part bool
	}{
		{"lua5.1", "lua", true, false},
		{"lua5.1", "lua-5.4", true, false},
		{"lua5.1", "lua5.1", true, false},
		{"@a/Pad", "pad-v1.2", true, true},
		{"github.com/a/pad/v2", "pad_2", true, true},
		{"pad", "pad", true, true},
		{"pad", "fork-pad", false, true},
		{"pad", "padding", false, false},
		{"fs-extra", "fsExtra", true, false},
		{"fs.realpath", "fs_realpath", true, false},
		{"fsExtra", "fs-extra", true, false},
		{"fs-extra", "fsextras", false, false},
		{"pad", "forkPad", false, true},
		{"lz4", "lz-4", false, false},
		{"x264", "x265", false, false},
		{"github.com/a/utils", "utils", false, false},
	} {
		whole, part := attribution.Origin{Name: c.name}.Folder(c.dir)
		if whole != c.whole || part != c.part {
			t.Errorf("%s in %s: %v, %v", c.name, c.dir, whole, part)
		}
	}
}

// TestWords: words end at what no identifier has; text beyond ASCII belongs to them.
func TestWords(t *testing.T) {
	got := slices.Sorted(maps.Keys(attribution.Words([]byte("a.b_1(Größe)\xff-\n 7 a"))))
	if want := []string{"7", "Größe", "a", "b_1", "\xff"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

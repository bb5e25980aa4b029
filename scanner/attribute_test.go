package scanner_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// headless returns a file without the text before its package clause.
func headless(src string) string { return src[strings.Index(src, "\npackage ")+1:] }

// TestVerdict checks the verdicts on one copy in files with different statements.
func TestVerdict(t *testing.T) {
	src := std(t, "strings/replace.go") // "Copyright 2011 The Go Authors", "BSD-style license"
	body := headless(src)
	fn := function(t, src, "func makeGenericReplacer")
	within := func(before, after string) string { return "package x\n\n" + before + fn.text + after + own("rest") }
	link := "// see https://github.com/golang/go/blob/master/doc/x.html\n"
	whole := pack{"pkg:golang/std@1.20", "BSD-3-Clause", "2023-02-01", files{"strings/replace.go": src}}
	gpl := pack{"pkg:generic/greplace@1.0", "GPL-2.0-only", "2023-02-01", files{"replace.go": body}}
	mit := pack{"pkg:golang/example.org/mit/replace@v1.0.0", "MIT", "2023-02-01", files{"replace.go": "// SPDX-License-Identifier: MIT\n\n" + body}}
	held := pack{"pkg:generic/held@1.0", "GPL-3.0-or-later", "2023-02-01", files{"replace.go": "// Copyright 2011 Ada Lovelace\n// SPDX-License-Identifier: GPL-3.0-or-later\n\n" + body}}
	const asfHead = "/*\n * Licensed to the Apache Software Foundation (ASF) under one or more\n * contributor license agreements. The ASF licenses this file to You under the Apache License, Version 2.0.\n */\n\n"
	asf := pack{"pkg:generic/foundation@1.0", "Apache-2.0", "2023-02-01", files{"replace.go": asfHead + body}}
	const refersTo = "// See Copyright Notice in api.go\n\n"
	refers := pack{"pkg:generic/parts@1.0", "MIT", "2023-02-01", files{"replace.go": refersTo + body}}
	taken := pack{"pkg:generic/taken@1.0", "GPL-3.0-or-later", "2023-02-01", files{"replace.go": "// Copyright 2011 Ada Lovelace\n// SPDX-License-Identifier: GPL-3.0-or-later\n\n" +
		strings.Replace(body, "\n"+fn.text, "\n// Copyright 2004 Grace Hopper <grace@example.org>\n\n"+fn.text, 1)}}
	elsewhere := pack{"pkg:generic/taken@1.0", "GPL-3.0-or-later", "2023-02-01", files{"replace.go": "// Copyright 2011 Ada Lovelace\n// SPDX-License-Identifier: GPL-3.0-or-later\n\n" +
		body + "\n// Copyright 2004 Grace Hopper <grace@example.org>\n\nfunc last() {}\n"}}
	title := func(version, holder string) string {
		return "/*!\n * Rounder Text Replacer Core " + version + "\n * Copyright " + holder + " Foundation\n */\n"
	}
	titled := pack{"pkg:generic/titled@1.0", "MIT", "2023-02-01", files{"replace.go": "/* lint-disable */\n" + title("1.2.0", "Grace") + "\n" + body}}
	for _, c := range []struct {
		name string
		of   pack
		text string
		want finding.Verdict
		says string // kind and names of the first statement
	}{
		{"nothing is said", whole, within("", ""), finding.Undeclared, ""},
		{"own header, permissive origin", whole, "// Copyright 2024 Ada\n// SPDX-License-Identifier: Apache-2.0\n\n" + within("", ""), finding.Undeclared, "spdx-license other"},
		{"above the function", whole, within("// Copied from the Go standard library.\n", ""), finding.Attributed, "copied-from package"},
		{"link to the file", whole, within("// https://cs.opensource.google/go/+/x\n// see https://github.com/golang/go/blob/master/src/strings/replace.go\n", ""), finding.Attributed, "copied-from package"},
		{"link to talk about it", whole, within("// see https://github.com/golang/go/issues/1\n", ""), finding.Undeclared, ""},
		{"a link that came along", pack{"pkg:golang/std@1.20", "BSD-3-Clause", "", files{"strings/replace.go": body[:strings.Index(body, fn.text)] + link + fn.text}}, within(link, ""), finding.Undeclared, "copied-from other"},
		{"the header is kept", whole, src, finding.Attributed, "copyright holder"},
		{"the header is gone", whole, body, finding.LicenceStripped, ""},
		{"under the terms of the package", gpl, within("// License: the same terms as greplace itself.\n", ""), finding.Attributed, "copied-from package"},
		{"under the terms of another", gpl, within("// License: the same terms as Perl itself.\n", ""), finding.Undeclared, ""},
		{"the header is at the end", whole, body + "\n// Copyright 2011 The Go Authors. All rights reserved.\n", finding.Attributed, "copyright holder"},
		{"the file that has the notice is named", refers, refersTo + body, finding.Attributed, "copyright holder"},
		{"the file that has the notice is not named", refers, body, finding.LicenceStripped, ""},
		{"another file has the notice", refers, "// See Copyright Notice in own.go\n\n" + body, finding.LicenceStripped, "copyright other"},
		{"the header is another one", whole, "// Copyright 2024 Ada. All rights reserved.\n\n" + body, finding.LicenceStripped, "copyright other"},
		{"a tag alone is gone", mit, body, finding.LicenceStripped, ""},
		{"a tag alone is kept", mit, "// SPDX-License-Identifier: MIT\n\n" + body, finding.Undeclared, "spdx-license license"},
		{"no header to be kept", gpl, body, finding.Undeclared, ""},
		{"another licence at the head", gpl, "// SPDX-License-Identifier: Apache-2.0\n\n" + within("", ""), finding.AttributionWrong, "spdx-license other"},
		{"another licence and its name", gpl, "// SPDX-License-Identifier: Apache-2.0\n\n" + within("// copied from greplace\n", ""), finding.AttributionWrong, "copied-from package"},
		{"another licence at the head, and a source", gpl, "// SPDX-License-Identifier: Apache-2.0\n\n" + within("// Copied from github.com/golang/unknown.\n", ""), finding.AttributedElsewhere, "copied-from other"},
		{"the head of a foundation is kept", asf, asfHead + body, finding.Attributed, "copyright holder"},
		{"its holder, who gives another licence", held, "// Copyright 2009 Ada Lovelace\n// SPDX-License-Identifier: LGPL-2.1-or-later\n\n" + within("", ""), finding.Attributed, "spdx-license other"},
		{"another holder and licence", held, "// Copyright 2024 Charles Babbage\n// SPDX-License-Identifier: MIT\n\n" + within("", ""), finding.AttributionWrong, "spdx-license other"},
		{"a holder of another part of the origin's file", elsewhere, "// Copyright 2004-2017 Grace Hopper\n// SPDX-License-Identifier: LGPL-2.1-only\n\n" + within("", ""), finding.AttributionWrong, "spdx-license other"},
		{"the holder from whom its origin has it", taken, "// Copyright 2004-2017 Grace Hopper\n// SPDX-License-Identifier: LGPL-2.1-only\n\n" + within("", ""), finding.Attributed, "spdx-license other"},
		{"holder and licence where the origin has none", gpl, "// Copyright 1996 Charles Babbage\n// SPDX-License-Identifier: ISC\n\n" + within("", ""), finding.Undeclared, "spdx-license other"},
		{"a program and its version at the head", gpl, "// Vendored copy of replace.go from Rounder 3.9.5\n\n" + within("", ""), finding.AttributedElsewhere, "copied-from other"},
		{"a section of a manual at the head", gpl, "// Adapted from Section 3.9 of the manual.\n\n" + within("", ""), finding.Undeclared, "copied-from nothing"},
		{"its licence at the head", gpl, "// SPDX-License-Identifier: GPL-2.0-only\n\n" + within("", ""), finding.Undeclared, "spdx-license license"},
		{"a later version of it", gpl, "// SPDX-License-Identifier: GPL-3.0-or-later\n\n" + within("", ""), finding.Undeclared, "spdx-license other"},
		{"a snippet under its licence", gpl, "// SPDX-License-Identifier: Apache-2.0\n\n" +
			within("// SPDX-SnippetBegin\n// SPDX-License-Identifier: GPL-2.0-only\n// SPDX-SnippetComment: taken from greplace\n", "// SPDX-SnippetEnd\n"), finding.Attributed, "spdx-snippet license"},
		{"a snippet under another licence", mit, within("// SPDX-SnippetBegin\n// SPDX-License-Identifier: BSD-3-Clause\n", "// SPDX-SnippetEnd\n"), finding.AttributionWrong, "spdx-snippet other"},
		{"a package that has it not", mit, within("// Copied from github.com/golang/snappy.\n", ""), finding.AttributionWrong, "copied-from other"},
		{"a package nobody knows", mit, within("// Copied from github.com/golang/unknown.\n", ""), finding.AttributedElsewhere, "copied-from other"},
		{"a package nobody knows, at the head of the file", mit, "// Ported from github.com/golang/unknown.\n\n" + within("", ""), finding.AttributedElsewhere, "copied-from other"},
		{"a module", mit, within("// Copied from rounder.models.bart.Attention.\n", ""), finding.AttributedElsewhere, "copied-from other"},
		{"from a link", mit, within("// From https://stackoverflow.com/a/41433698\n", ""), finding.AttributedElsewhere, "copied-from other"},
		{"source and a link", mit, within("// Source: https://stackoverflow.com/a/41433698\n", ""), finding.AttributedElsewhere, "copied-from other"},
		{"a sentence that goes on with a link", mit, within("// Reads the answers that are read,\n// from https://stackoverflow.com/a/41433698\n", ""), finding.Undeclared, "copied-from other"},
		{"a link below a sentence", mit, within("// Replaces strings.\n// from https://stackoverflow.com/a/41433698\n", ""), finding.AttributedElsewhere, "copied-from other"},
		{"a link below a title", mit, within("// A generic string replacer\n// from https://stackoverflow.com/a/41433698\n", ""), finding.AttributedElsewhere, "copied-from other"},
		{"a link below a line that does not end", mit, within("// Replaces the strings that are given\n// From https://stackoverflow.com/a/41433698\n", ""), finding.AttributedElsewhere, "copied-from other"},
		{"from a link, behind a line", mit, within("", "var replacers = 1 // from https://stackoverflow.com/a/41433698\n"), finding.Undeclared, ""},
		{"a sentence with a link", mit, within("// Reads the answers from https://stackoverflow.com/a/41433698\n", ""), finding.Undeclared, "copied-from other"},
		{"a link to such a package", mit, within("// see https://github.com/golang/unknown/blob/master/x.go\n", ""), finding.Undeclared, "copied-from other"},
		{"a package nobody knows, under a header that is gone", whole, "// Ported from github.com/other/unknown.\n\n" + body, finding.AttributedElsewhere, "copied-from other"},
		{"the title of its library, of another version and holder", titled, title("2.0.1", "Ada") + body, finding.Attributed, "copyright other"},
		{"the title of a part of its library", titled, strings.Replace(title("2.0.1", "Ada"), " Core", "", 1) + body, finding.LicenceStripped, "copyright other"},
		{"the title of its library in a bundle", titled, within("\n"+title("2.0.1", "Ada"), ""), finding.Attributed, "copyright other"},
		{"the title of its library above another function", titled, strings.Replace(within("", ""), "\n\n", "\n\n"+title("2.0.1", "Ada")+own("less")+"\n", 1), finding.Undeclared, "copyright other"},
		{"above another function", mit, own("less") + "\n// Copied from github.com/golang/unknown.\n" + own("more") + within("", ""), finding.Undeclared, ""},
		{"below the imports, on the whole file", whole, "package x\n\nimport (\n\t\"fmt\"\n)\n\n// This is a copy of the replacer from the Go standard library.\n\n" +
			strings.Repeat(own("more"), 8) + fn.text, finding.Attributed, "copied-from package"},
		{"above the first of many functions", whole, "package x\n\nimport (\n\t\"fmt\"\n)\n\n// This is a copy of the replacer from the Go standard library.\n" +
			strings.TrimSpace(strings.Repeat(own("more"), 8)) + "\n" + fn.text, finding.Undeclared, ""},
		{"far away from the function", mit, within("", own("more")+"// Copied from github.com/golang/snappy.\n"), finding.Undeclared, ""},
	} {
		b := based(t, c.of, pack{"pkg:golang/github.com/golang/snappy@v0.0.4", "BSD-3-Clause", "", files{"d.go": std(t, "bufio/scan.go")}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": c.text}.dir(t)))
		says := ""
		if len(f.Attributions) > 0 {
			says = f.Attributions[0].Kind + " " + f.Attributions[0].Names
		}
		if f.Verdict != c.want || says != c.says {
			t.Errorf("%s: %s, want %s; %q, want %q\n%+v", c.name, f.Verdict, c.want, says, c.says, f.Attributions)
		}
	}
}

// TestDocumentationNamesNoLibrary: a comment that was copied with its code is no title of a library for its number.
func TestDocumentationNamesNoLibrary(t *testing.T) {
	fn := function(t, std(t, "strings/replace.go"), "func makeGenericReplacer").text
	for comment, want := range map[string]finding.Verdict{
		"/*!\n    \\since 4.6.1\n\n    Returns the answer.\n*/\n": finding.Undeclared,
		"/*! Added in version 1.2.3 */\n":                         finding.Undeclared,
		"/**\n * @version 1.2.3\n */\n":                           finding.Undeclared,
		"/*! @license Swap Sort 1.2.3 */\n":                       finding.Attributed,
	} {
		body := comment + "package x\n\n" + comment + fn
		b := based(t, pack{"pkg:generic/greplace@1.0", "GPL-2.0-only", "2023-02-01", files{"replace.go": body}})
		if f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": body + own("rest")}.dir(t))); f.Verdict != want {
			t.Errorf("%q: %s, want %s; %+v", comment, f.Verdict, want, f.Attributions)
		}
	}
}

// TestVerdictOfLibraries: a file that begins with the name, version and holder of a library, beside the licence of that library, says where
// it is from, if the origin's file names nobody. So does a file that begins with the same name as the origin's.
func TestVerdictOfLibraries(t *testing.T) {
	fn := function(t, std(t, "strings/replace.go"), "func makeGenericReplacer").text
	body := "package x\n\n" + fn
	library := "// Swap Sort v1.4.2 <https://swap.example.org>\n// Copyright 1996 Charles Babbage\n// SPDX-License-Identifier: MIT\n\n" + body + own("rest")
	for _, c := range []struct {
		name, origin string
		target       files
		want         finding.Verdict
	}{
		{"without its licence", body, files{"LICENSE": mitOf("Ada"), "lib/x.go": library}, finding.Undeclared},
		{"in a folder with a licence, and none above", body, files{"lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": library}, finding.Undeclared},
		{"of the holder of both licences", body, files{"LICENSE": mitOf("Charles Babbage"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": library}, finding.Undeclared},
		{"for a date", body, files{"LICENSE": mitOf("Ada"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": strings.Replace(library, "Swap Sort v1.4.2", "Date: 12.03.2019", 1)}, finding.Undeclared},
		{"for what it requires", body, files{"LICENSE": mitOf("Ada"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": strings.Replace(library, "Swap Sort v1.4.2", "Requires Python 3.10", 1)}, finding.Undeclared},
		{"with its own licence beside it", body, files{"LICENSE": mitOf("Ada"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": library}, finding.AttributedElsewhere},
		{"in a list of all files", body, files{"LICENSE": mitOf("Ada"), "debian/copyright": listOf("Ada", "Charles Babbage"), "lib/x.go": library}, finding.Undeclared},
		{"with its own licence, below a list of all files", body, files{".reuse/dep5": listOf("Ada"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": library}, finding.AttributedElsewhere},
		{"with its own licence, in a list of all files", body, files{"LICENSE": mitOf("Ada"), "debian/copyright": listOf("Ada", "Charles Babbage"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": library}, finding.AttributedElsewhere},
		{"that the origin has in another version", "// Swap Sort v0.9.0\n// Copyright 1990 Ada Lovelace\n\n" + body, files{"LICENSE": mitOf("Ada"), "lib/x.go": strings.Replace(library, "SPDX-License-Identifier: MIT", "All rights reserved", 1)}, finding.Attributed},
		{"of the target's holder", body, files{"LICENSE": mitOf("Charles Babbage"), "lib/x.go": library}, finding.Undeclared},
		{"without a version", body, files{"LICENSE": mitOf("Ada"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": strings.Replace(library, " v1.4.2", "", 1)}, finding.Undeclared},
		{"without a holder", body, files{"LICENSE": mitOf("Ada"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": strings.Replace(library, "// Copyright 1996 Charles Babbage\n", "", 1)}, finding.AttributionWrong},
		{"under an origin with a head", "// Copyright 2011 Ada Lovelace\n\n" + body, files{"LICENSE": mitOf("Ada"), "lib/LICENSE": mitOf("Charles Babbage"), "lib/x.go": library}, finding.AttributionWrong},
		{"that names the same tool as the origin", "// PHP version 5.4\n// Copyright 1990 Ada Lovelace\n\n" + body, files{"LICENSE": mitOf("Ada"), "lib/x.go": "// PHP version 7.2\n// Copyright 2024 Charles Babbage\n\n" + body + own("rest")}, finding.LicenceStripped},
	} {
		b := based(t, pack{"pkg:generic/greplace@1.0", "GPL-2.0-only", "2023-02-01", files{"replace.go": c.origin}})
		if f := one(t, tree(t, scan(t, scanner.Options{}, b), c.target.dir(t))); f.Verdict != c.want {
			t.Errorf("%s: %s, want %s; %+v", c.name, f.Verdict, c.want, f.Attributions)
		}
	}
}

// apacheList is a licence file with the list of Apache-2.0. The "(c)" in it is no sign of copyright.
const apacheList = "SPDX-License-Identifier: Apache-2.0\n\n   (a) You must give any other recipients a copy of this License; and\n\n" +
	"   (b) You must cause any modified files to carry prominent notices\n\n   (c) You must retain, in the Source form of any Derivative Works\n       that You distribute, all notices\n"

// TestVerdictOfHolders: a file with the licence of a holder in full, whom no licence of the target names, says whose it is, if the origin's
// file names nobody. So does a head with another holder and another licence than the target's. A copyright line alone does not, nor does
// a licence above other code.
func TestVerdictOfHolders(t *testing.T) {
	fn := function(t, std(t, "strings/replace.go"), "func makeGenericReplacer").text
	const imports = "package x\n\nimport (\n\t\"fmt\"\n)\n\n"
	babbage := "/* " + strings.TrimSpace(mitOf("Charles Babbage")) + "\n */\n\n"
	bsd := "// Copyright (c) 1996, Charles Babbage\n// All rights reserved.\n//\n// Redistribution and use in source and binary forms, with or without\n" +
		"// modification, are permitted provided that the following conditions are met:\n// 1. Redistributions of source code must retain the\n//    above copyright notice.\n\n"
	rest, more := strings.Repeat(own("rest"), 6), function(t, std(t, "bufio/scan.go"), "func (s *Scanner) Scan").text
	for _, c := range []struct {
		name, origin, licence, target string
		want                          finding.Verdict
	}{
		{"below the imports", fn, mitOf("Ada"), imports + babbage + fn + rest, finding.AttributedElsewhere},
		{"at the head, marks between its words", fn, mitOf("Ada"), bsd + imports + fn + rest, finding.AttributedElsewhere},
		{"right above the function", fn, mitOf("Ada"), imports + rest + babbage[:len(babbage)-1] + fn, finding.AttributedElsewhere},
		{"above another function", fn, mitOf("Ada"), imports + own("first") + babbage + rest + fn, finding.Undeclared},
		{"of the target's holder", fn, mitOf("Charles Babbage"), imports + babbage + fn + rest, finding.Undeclared},
		{"in a target without a licence", fn, "", imports + babbage + fn + rest, finding.Undeclared},
		{"a copyright line and another licence", fn, mitOf("Ada"), "// Copyright 1996 Charles Babbage\n// SPDX-License-Identifier: Apache-2.0\n\n" + imports + fn + rest, finding.AttributedElsewhere},
		{"a copyright line and the same licence", fn, mitOf("Ada"), "// Copyright 1996 Charles Babbage\n// SPDX-License-Identifier: MIT\n\n" + imports + fn + rest, finding.Undeclared},
		{"another licence of the target's holder", fn, mitOf("Charles Babbage"), "// Copyright 1996 Charles Babbage\n// SPDX-License-Identifier: Apache-2.0\n\n" + imports + fn + rest, finding.Undeclared},
		{"another licence where the licence file names nobody", fn, "SPDX-License-Identifier: MIT\n", "// Copyright 1996 Charles Babbage\n// SPDX-License-Identifier: Apache-2.0\n\n" + imports + fn + rest, finding.Undeclared},
		{"another licence where the licence file has a list", fn, apacheList, "// Copyright 1996 Charles Babbage\n// SPDX-License-Identifier: MIT\n\n" + imports + fn + rest, finding.Undeclared},
		{"a copyright line alone", fn, mitOf("Ada"), "// Copyright 1996 Charles Babbage. All rights reserved.\n// Use is governed by the license in the LICENSE file.\n\n" + imports + fn + rest, finding.Undeclared},
		{"under an origin with a head", "// Copyright 2011 Ada Lovelace\n\n" + fn, mitOf("Ada"), imports + babbage + fn + rest, finding.LicenceStripped},
	} {
		b := based(t, pack{"pkg:generic/greplace@1.0", "BSD-3-Clause", "2023-02-01", files{"replace.go": strings.Replace(c.origin, fn, imports+fn+more, 1)}})
		target := files{"lib/x.go": c.target}
		if c.licence != "" {
			target["LICENSE"], target["lib/COPYING"] = c.licence, "SPDX-License-Identifier: Apache-2.0\n" // which names nobody
		}
		if f := one(t, tree(t, scan(t, scanner.Options{}, b), target.dir(t))); f.Verdict != c.want {
			t.Errorf("%s: %s, want %s; %+v", c.name, f.Verdict, c.want, f.Attributions)
		}
	}
}

// TestVerdictOfKeptPackages: a package that is kept in a directory for code of others, with its licence, says whose its files are, if the
// origin's file names nobody. A licence beside the directory of a project's own code does not.
func TestVerdictOfKeptPackages(t *testing.T) {
	fn := function(t, std(t, "strings/replace.go"), "func makeGenericReplacer").text
	body := "package x\n\n" + fn
	for _, c := range []struct {
		name, origin string
		target       files
		want         finding.Verdict
	}{
		{"with its licence", body, files{"deps/swap/LICENSE": mitOf("Charles Babbage"), "deps/swap/src/x.go": body}, finding.AttributedElsewhere},
		{"in another such directory", body, files{"src/third_party/swap/COPYING": mitOf("Charles Babbage"), "src/third_party/swap/x.go": body}, finding.AttributedElsewhere},
		{"with a licence that names nobody, as the target's", body, files{"LICENSE": apacheList, "deps/swap/LICENSE": apacheList, "deps/swap/x.go": body}, finding.AttributedElsewhere},
		{"of the target's holder", body, files{"LICENSE": mitOf("Ada"), "deps/swap/LICENSE": mitOf("Ada"), "deps/swap/x.go": body}, finding.Undeclared},
		{"without its licence", body, files{"LICENSE": mitOf("Ada"), "deps/swap/x.go": body}, finding.Undeclared},
		{"with the licence of another", body, files{"deps/sort/LICENSE": mitOf("Charles Babbage"), "deps/swap/x.go": body}, finding.Undeclared},
		{"in no directory of its own", body, files{"deps/LICENSE": mitOf("Charles Babbage"), "deps/x.go": body}, finding.Undeclared},
		{"in a directory of the project", body, files{"core/swap/LICENSE": mitOf("Charles Babbage"), "core/swap/x.go": body}, finding.Undeclared},
		{"under an origin with a head", "// Copyright 2011 Ada Lovelace\n\n" + body, files{"deps/swap/LICENSE": mitOf("Charles Babbage"), "deps/swap/x.go": body}, finding.LicenceStripped},
		{"named as the origin", body, files{"deps/greplace/LICENSE": mitOf("Charles Babbage"), "deps/greplace/replace.go": body}, finding.Attributed},
	} {
		b := based(t, pack{"pkg:generic/greplace@1.0", "NOASSERTION", "2023-02-01", files{"replace.go": c.origin}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), c.target.dir(t)))
		if f.Verdict != c.want {
			t.Errorf("%s: %s, want %s; %+v", c.name, f.Verdict, c.want, f.Attributions)
		}
		if f.Verdict == finding.AttributedElsewhere && (len(f.Attributions) != 1 || f.Attributions[0].Path == "") {
			t.Errorf("%s: %+v", c.name, f.Attributions)
		}
	}
}

// listOf returns a file that states holders and licences of a whole repository: of all files the first, of lib the last.
func listOf(holders ...string) string {
	return "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nCopyright: 2019 " + holders[0] +
		"\nLicense: MIT\n\nFiles: lib/*\nCopyright: 1996 " + holders[len(holders)-1] + "\nLicense: MIT\n"
}

// TestVerdictOfStyleSheets: a style sheet has no grammar here, but its comments are read as those of code are.
func TestVerdictOfStyleSheets(t *testing.T) {
	var rules strings.Builder
	for i := range 30 {
		fmt.Fprintf(&rules, ".icon-%d:before { content: 'glyph%d'; left: %dpx; width: %dem }\n", i, i*7, i*13, i*29)
	}
	b := based(t, pack{"pkg:npm/photos@1.0.0", "AGPL-3.0-or-later", "", files{"lib/icons.scss": rules.String()}})
	// Perl has its author in a part for readers, which is no comment.
	pod := "\n=head1 COPYRIGHT\n\nCopyright 2010 Grace Hopper\n\n=cut\n\n"
	perl := based(t, pack{"pkg:generic/glyphs@1.0", "GPL-3.0-only", "", files{"lib/Glyphs.pm": "# Copyright 2010 Grace Hopper\n" + rules.String()}})
	if f := one(t, tree(t, scan(t, scanner.Options{}, perl), files{"Glyphs.pm": rules.String() + pod}.dir(t))); f.Verdict != finding.Attributed {
		t.Errorf("Perl: %s: %+v", f.Verdict, f.Attributions)
	}
	head := "/*!\n * Icons Free 6.7.2 by @icons - https://icons.example.org\n * License - https://icons.example.org/free (Fonts: SIL OFL 1.1, Code: MIT License)\n * Copyright 2024 Icons, Inc.\n */\n"
	if f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"LICENSE": mitOf("Ada"), "css/LICENSE.txt": mitOf("Icons, Inc."), "css/icons.css": head + rules.String()}.dir(t))); f.Verdict != finding.AttributedElsewhere {
		t.Errorf("%s: %+v", f.Verdict, f.Attributions)
	}
}

// TestVerdictOfParts: the head of a module speaks for all of its parts, a statement above a function for that function.
func TestVerdictOfParts(t *testing.T) {
	src := std(t, "strings/replace.go")
	first, second := function(t, src, "func makeGenericReplacer").text, function(t, src, "func (r *genericReplacer) WriteString").text
	b := based(t, pack{"pkg:golang/std@1.20", "BSD-3-Clause", "2023-02-01", files{"strings/replace.go": src}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "go/scanner/scanner.go", "bufio/scan.go")})
	head := "// Copyright 2011 The Go Authors. All rights reserved.\n// Use of this source code is governed by a BSD-style license.\n\n"
	rest := "\n" + own("more")
	filler := strings.Repeat(rest, 8)
	for _, c := range []struct {
		name, text string
		want       finding.Verdict
	}{
		{"the head stands above the first part", filler + head + first + rest + second, finding.Attributed},
		{"another module begins between", filler + head + first + "\n// Copyright 2020 Ada Lovelace\n" + rest + second, finding.Undeclared},
		{"far away", filler + head + first + filler + filler + second, finding.Undeclared},
		{"the other way round", filler + head + second + rest + first, finding.Undeclared},
		{"said of the function", filler + "// Copied from the Go standard library.\n" + first + rest + second, finding.Undeclared},
	} {
		fs := tree(t, scan(t, scanner.Options{}, b), files{"x.go": "package x\n\n" + c.text}.dir(t)).Findings
		if len(fs) != 2 || fs[0].Verdict != finding.Attributed || fs[1].Verdict != c.want {
			for _, f := range fs {
				t.Logf("%d-%d %s %+v", f.StartLine, f.EndLine, f.Verdict, f.Attributions)
			}
			t.Errorf("%s: want attributed and %s", c.name, c.want)
		}
	}
}

// TestVerdictOfOneFile: a head that was left out above most of a file is missing above its other parts too.
func TestVerdictOfOneFile(t *testing.T) {
	src := std(t, "strings/replace.go")
	body, last := headless(src), function(t, src, "func (r *byteStringReplacer) WriteString").text
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:golang/std@1.20", "BSD-3-Clause", "2023-02-01", files{"strings/replace.go": src}}))
	x := files{"x.go": strings.Replace(body, last, "", 1) + strings.Repeat("\n"+own("more"), 8) + last}
	fs := tree(t, s, x.dir(t)).Findings
	if len(fs) < 2 {
		t.Fatalf("%d findings", len(fs))
	}
	for _, f := range fs {
		if f.Verdict != finding.LicenceStripped {
			t.Errorf("%d-%d: %s", f.StartLine, f.EndLine, f.Verdict)
		}
	}
}

// TestVerdictOfReadme: the licence section of a README is no header that must be copied along.
func TestVerdictOfReadme(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "The %dth transport sends record%d to a stream%d and closes it at level%d.\n", i, i*7, i*13, i*29)
	}
	base := based(t, pack{"pkg:npm/winning@1.0.0", "MIT", "", files{"README.md": "# winning\n\n" + b.String() + "\n##### LICENSE: MIT\n"}})
	if f := one(t, tree(t, scan(t, scanner.Options{}, base), files{"README.md": "# logger\n\n" + b.String()}.dir(t))); f.Verdict != finding.Undeclared {
		t.Errorf("%s", f.Verdict)
	}
}

// TestVerdictOfForks checks the rules on real forks of the standard library, which name their origin.
func TestVerdictOfForks(t *testing.T) {
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:golang/std@1.26", "BSD-3-Clause", "",
		stdFiles(t, "reflect/deepequal.go", "compress/flate/deflate.go", "compress/flate/inflate.go", "compress/flate/huffman_code.go")}))
	for _, dir := range []string{"k8s.io/apimachinery@v0.29.0/third_party/forked/golang/reflect", "github.com/klauspost/compress@v1.17.0/flate"} {
		r := tree(t, s, moduleDir(t, dir))
		if len(r.Findings) == 0 {
			t.Errorf("%s: no finding", dir)
		}
		for _, f := range r.Findings {
			if f.Verdict != finding.Attributed && !strings.Contains(f.Path, "testdata") {
				t.Errorf("%s %s:%d: %s %+v", dir, f.Path, f.StartLine, f.Verdict, f.Attributions)
			}
		}
	}
}

// TestVerdictOfOwnLinks: a fork that links to itself only does not name whom it is from.
func TestVerdictOfOwnLinks(t *testing.T) {
	src := headless(std(t, "strings/replace.go"))
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:golang/github.com/first/replacer@v1.0.0", "MIT", "", files{"replace.go": src}}))
	for owner, want := range map[string]finding.Verdict{"own": finding.Undeclared, "other": finding.Attributed} {
		dir := files{"go.mod": "module github.com/own/replacer\n", "README.md": "# Replacer\n\nSee https://github.com/" + owner + "/replacer\n",
			"x.go": "// Docs: https://github.com/" + owner + "/replacer\n\n" + src}.dir(t)
		if f := one(t, tree(t, s, dir)); f.Verdict != want {
			t.Errorf("a link to %s: %s, want %s; %+v", owner, f.Verdict, want, f.Attributions)
		}
	}
}

// TestVerdictOfOwnSource: a file that names its own repository as its source does not name another place.
func TestVerdictOfOwnSource(t *testing.T) {
	src := headless(std(t, "strings/replace.go"))
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:golang/github.com/first/replacer@v1.0.0", "MIT", "", files{"replace.go": src}}))
	for link, want := range map[string]finding.Verdict{
		"github.com/own/swap/blob/main/x.go":           finding.Undeclared,
		"github.com/other/swap/blob/main/x.go":         finding.AttributedElsewhere,
		"raw.githubusercontent.com/own/swap/main/x.go": finding.Undeclared,
		"gitlab.com/own/swap/-/blob/main/x.go":         finding.Undeclared, // a mirror
		"gitlab.com/own/swapper/-/blob/main/swap/x.go": finding.AttributedElsewhere,
	} {
		dir := files{"go.mod": "module github.com/own/swap\n", "x.go": "// Source: https://" + link + "\n\n" + src}.dir(t)
		if f := one(t, tree(t, s, dir)); f.Verdict != want {
			t.Errorf("a link to %s: %s, want %s; %+v", link, f.Verdict, want, f.Attributions)
		}
	}
}

// TestVerdictOfOwnModules: a sentence on a module of the target itself does not name another place.
func TestVerdictOfOwnModules(t *testing.T) {
	src := headless(std(t, "strings/replace.go"))
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:golang/github.com/first/replacer@v1.0.0", "MIT", "", files{"replace.go": src}}))
	for module, want := range map[string]finding.Verdict{
		"swap_text.models.Pair":   finding.Undeclared, // the name of the repository
		"engine.models.Pair":      finding.Undeclared, // a directory above the file
		"com.own.text.Pair":       finding.Undeclared,
		"com.other.text.Pair":     finding.AttributedElsewhere,
		"transformers.models.Sum": finding.AttributedElsewhere,
	} {
		dir := files{"go.mod": "module github.com/own/swap-text\n", "engine/com/own/x.go": "// Copied from " + module + "\n\n" + src}.dir(t)
		if f := one(t, tree(t, s, dir)); f.Verdict != want {
			t.Errorf("%s: %s, want %s; %+v", module, f.Verdict, want, f.Attributions)
		}
	}
}

// TestLicenceKept: a directory that is laid out as a package and has its licence file says whose it is.
func TestLicenceKept(t *testing.T) {
	src := std(t, "strings/replace.go")
	fn := function(t, src, "func makeGenericReplacer").text
	mit := mitOf("Ada")
	for _, c := range []struct {
		name, licence, file, origin, owned string
		want                               finding.Verdict
	}{
		{"below a directory of its name", "patched/swap/LICENSE", "patched/swap/in/r.go", "src/swap/in/r.go", "MIT", finding.Attributed},
		{"as the package of its name", "patched/replace/LICENSE", "patched/replace/r.go", "r.go", "MIT", finding.Attributed},
		{"another licence", "patched/swap/LICENSE", "patched/swap/in/r.go", "src/swap/in/r.go", "BSD-3-Clause", finding.Undeclared},
		{"at another place", "patched/swap/LICENSE", "patched/swap/r.go", "src/swap/in/r.go", "MIT", finding.Undeclared},
		{"below a directory of the package's name, at another place", "packages/replace-1.2/LICENSE", "packages/replace-1.2/src/r.go", "dist/all.go", "MIT", finding.Attributed},
		{"a fork, where the package has it", "fork-replace/LICENSE", "fork-replace/lib/r.go", "lib/r.go", "MIT", finding.Attributed},
		{"a part of the name, at another place", "fork-replace/LICENSE", "fork-replace/lib/r.go", "dist/r.go", "MIT", finding.Undeclared},
		{"the licence of the target", "LICENSE", "swap/in/r.go", "src/swap/in/r.go", "MIT", finding.Undeclared},
	} {
		b := based(t, pack{"pkg:generic/replace@1.0", c.owned, "2023-02-01", files{c.origin: "package x\n\n" + fn}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{c.licence: mit, c.file: "package x\n\n" + fn + own("rest")}.dir(t)))
		if f.Verdict != c.want {
			t.Errorf("%s: %s, want %s; %+v", c.name, f.Verdict, c.want, f.Attributions)
		}
	}
}

// TestLicenceOfTheTarget: a directory with the name of a package keeps its licence only if the licence names another holder than the
// target's. The digits of a name are no version.
func TestLicenceOfTheTarget(t *testing.T) {
	fn := function(t, std(t, "strings/replace.go"), "func makeGenericReplacer").text
	for _, c := range []struct {
		origin, dir, holder string
		want                finding.Verdict
	}{
		{"pkg:npm/router@1.0", "packages/router/", "Ursula Usher", finding.Undeclared},
		{"pkg:npm/router@1.0", "packages/router/", "Theo Mann", finding.Attributed},
		{"pkg:deb/debian/lua5.1@5.1.5", "lib/lua/", "Theo Mann", finding.Attributed},
		{"pkg:npm/sha256@1.0", "sha512/", "Theo Mann", finding.Undeclared},
		{"pkg:npm/utf8@1.0", "utf16/", "Theo Mann", finding.Undeclared},
		{"pkg:npm/html5@1.0", "html/", "Theo Mann", finding.Undeclared},
	} {
		b := based(t, pack{c.origin, "MIT", "2023-02-01", files{"dist/all.go": "package x\n\n" + fn}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"LICENSE": mitOf("Ursula Usher"), c.dir + "LICENSE": mitOf(c.holder), c.dir + "src/r.go": "package x\n\n" + fn + own("rest")}.dir(t)))
		if f.Verdict != c.want {
			t.Errorf("%s in %s, of %s: %s, want %s; %+v", c.origin, c.dir, c.holder, f.Verdict, c.want, f.Attributions)
		}
	}
}

// mitOf is the MIT licence of a holder.
func mitOf(holder string) string {
	return "MIT License\n\nCopyright (c) 2020 " + holder + "\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:\n\nThe above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.\n\nTHE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.\n"
}

// TestNotices: a notice file applies to the files beside and below it. It is read from the same place as the code: the work tree,
// the index, the commit.
func TestNotices(t *testing.T) {
	src := std(t, "strings/replace.go")
	fn := function(t, src, "func makeGenericReplacer").text
	b := based(t, pack{"pkg:golang/github.com/golang/snappy@v0.0.4", "BSD-3-Clause", "", files{"replace.go": src}})
	s := scan(t, scanner.Options{}, b)
	r := newRepository(t)
	notice := "Parts of others:\n\n- github.com/golang/snappy, BSD-3-Clause\n"
	verdicts := func(rep *finding.Report) (out []string) {
		for _, f := range rep.Findings {
			for _, n := range append(f.Attributions, finding.Notice{}) {
				out = append(out, fmt.Sprintf("%s %s %s:%d", f.Path, f.Verdict, n.Path, n.Line))
				break
			}
		}
		return out
	}
	r.commit(files{"README": "x"})
	r.commit(files{"sub/a.go": head + fn, "b.go": head + fn, "sub/THIRD_PARTY.md": notice})
	want := []string{"b.go undeclared :0", "sub/a.go attributed sub/THIRD_PARTY.md:3"}
	for name, rep := range map[string]*finding.Report{"tree": r.tree(s), "diff": r.diff(s, "HEAD~..HEAD")} {
		if got := verdicts(rep); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := verdicts(r.history(s, "", "sub")); !slices.Equal(got, want[1:]) {
		t.Errorf("history: %q", got)
	}
	r.put(files{"c.go": head + fn, "NOTICE": notice})
	r.git("add", "c.go")
	if got := verdicts(r.staged(s)); !slices.Equal(got, []string{"c.go undeclared :0"}) {
		t.Errorf("the notice is not staged: %q", got)
	}
	r.git("add", "NOTICE")
	if got := verdicts(r.staged(s)); !slices.Equal(got, []string{"c.go attributed NOTICE:3"}) {
		t.Errorf("staged: %q", got)
	}
}

// TestNoticeInReadme: the README of a folder is a notice as far as it names holders, or says that it is a copy. Its licence counts if it is the only one and the
// folder has the package's layout. The README of the root is the target's own.
func TestNoticeInReadme(t *testing.T) {
	src := std(t, "strings/replace.go")
	fn := function(t, src, "func makeGenericReplacer").text
	b := based(t, pack{"pkg:generic/replace@1.0", "Zlib", "2023-02-01", files{"replace.go": "// Copyright (C) 1995-2022 Jean Gailly\n\npackage x\n\n" + fn}})
	const held = "Copyright (C) 2020 Ada Lovelace\n\n" + zlibText
	for _, c := range []struct {
		dir, readme, text string
		want              finding.Verdict
	}{
		{"lib", "lib/README", "A library.\n\nCopyright (C) 1995-2022 Jean Gailly\n", finding.Attributed},
		{"lib", "lib/README.md", "See replace, https://example.org/replace\n", finding.LicenceStripped},
		{"lib", "lib/README.md", "# lib\n\nThis library is a fork of the great library\n[greplace](https://github.com/ada/replace/). We use a part.\n", finding.Attributed},
		{"lib", "README.md", "This is a fork of greplace, https://github.com/ada/replace.\n", finding.Attributed},
		{"lib", "README.md", "This is a fork of https://github.com/ada/other.\n", finding.LicenceStripped},
		{"lib", "README.md", "It reads files as https://github.com/ada/replace does.\n", finding.LicenceStripped},
		{"lib", "lib/README", "Copyright (C) 2020 Somebody Else\n", finding.LicenceStripped},
		{"lib", "README", "Copyright (C) 1995-2022 Jean Gailly\n", finding.LicenceStripped},
		{"lib", "lib/README", zlibText, finding.LicenceStripped},
		{"replace", "replace/README", zlibText, finding.Attributed},
		{"replace", "replace/README", zlibText + "\n" + mitText, finding.LicenceStripped},
		{"replace", "replace/README", "This uses zlib, which is under the zlib licence.\n", finding.LicenceStripped},
		{"replace", "README", zlibText, finding.LicenceStripped},
	} {
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{c.readme: c.text, c.dir + "/replace.go": head + fn}.dir(t)))
		if f.Verdict != c.want {
			t.Errorf("%s %q: %s, want %s; %+v", c.readme, c.text, f.Verdict, c.want, f.Attributions)
		}
	}
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"lib/replace/LICENSE": held, "lib/README.md": held, "lib/replace/replace.go": head + fn}.dir(t)))
	if f.Verdict != finding.Attributed {
		t.Errorf("a licence file and a README above it: %s; %+v", f.Verdict, f.Attributions)
	}
}

const zlibText = `This software is provided 'as-is', without any express or implied warranty. In no event will the authors be held liable for any
damages arising from the use of this software.

Permission is granted to anyone to use this software for any purpose, including commercial applications, and to alter it and
redistribute it freely, subject to the following restrictions:

1. The origin of this software must not be misrepresented; you must not claim that you wrote the original software. If you use this
   software in a product, an acknowledgment in the product documentation would be appreciated but is not required.
2. Altered source versions must be plainly marked as such, and must not be misrepresented as being the original software.
3. This notice may not be removed or altered from any source distribution.
`

// TestInlineAllow: marks cover the region on their line, below or around them. In a change, the report says which marks were added.
func TestInlineAllow(t *testing.T) {
	src := std(t, "strings/replace.go")
	fn := function(t, src, "func makeGenericReplacer").text
	b := based(t, pack{"pkg:golang/github.com/golang/snappy@v0.0.4", "BSD-3-Clause", "", files{"replace.go": src}})
	s := scan(t, scanner.Options{Config: ".git-provenance.yml"}, b)
	above := "// git-provenance:allow reason=\"why\"\n"
	for _, c := range []struct {
		name, text string
		covered    bool
		covers     []int
	}{
		{"above", head + above + fn, true, []int{1}},
		{"above, of this origin", head + "// git-provenance:allow reason=\"why\" origin=\"pkg:golang/github.com/golang/*\"\n" + fn, true, []int{1}},
		{"above, of another origin", head + "// git-provenance:allow reason=\"why\" origin=\"pkg:npm/*\"\n" + fn, false, []int{0}},
		{"without a reason", head + "// git-provenance:allow\n" + fn, true, []int{1}}, // the policy refuses it
		{"around", head + "// git-provenance:allow-begin reason=\"why\"\n" + fn + "\n// git-provenance:allow-end\n" + own("a"), true, []int{1}},
		{"elsewhere", head + above + own("a") + "\n" + fn, false, []int{0}},
		{"in a file of nothing else", head + above, false, []int{0}},
	} {
		r := tree(t, s, files{"x.go": c.text}.dir(t))
		var covers []int
		for _, m := range r.Inline {
			covers = append(covers, m.Covers)
		}
		covered := len(r.Findings) > 0 && r.Findings[0].Inline != nil
		if covered != c.covered || !slices.Equal(covers, c.covers) {
			t.Errorf("%s: covered %v, %v", c.name, covered, covers)
		}
	}
	r := newRepository(t)
	r.commit(files{"a.go": head + above + fn, "b.go": head})
	r.commit(files{"a.go": head + above + fn + own("a"), "b.go": head + above + fn, ".git-provenance.yml": "{}"})
	rep := r.diff(s, "HEAD~..HEAD")
	var got []string
	for _, m := range rep.Inline {
		got = append(got, fmt.Sprintf("%s %d %v", m.Path, m.Covers, m.Added))
	}
	if !slices.Equal(got, []string{"a.go 1 false", "b.go 1 true"}) {
		t.Errorf("%q", got)
	}
	if len(rep.Suppressions) != 1 || rep.Suppressions[0].State != finding.Changed {
		t.Errorf("the change to the policy is not told: %+v", rep.Suppressions)
	}
}

// moduleDir returns the directory of a module in the module cache.
func moduleDir(t *testing.T, name string) string {
	t.Helper()
	module, dir, _ := strings.Cut(name, "@")
	version, dir, _ := strings.Cut(dir, "/")
	c := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	c.Dir = t.TempDir()
	out, err := c.Output()
	if err != nil {
		t.Skipf("needs %s: %v", module, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(m.Dir, filepath.FromSlash(dir))
}

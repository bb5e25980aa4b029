package license

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	mitBegin = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sub\nlicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:\n\n" +
		"The above copyright notice and this permission notice (including the next paragraph) shall be included in all copies or substantial portions of the Software.\n\n"
	mitOwner  = "THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND. IN NO EVENT SHALL A, CONTRIBUTORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM.\n"
	nameOfA   = "\nExcept as contained in this notice, the name of A shall not be used in advertising or otherwise to promote the sale, use or other dealings in this Software without prior written authorization from A.\n"
	unlimited = "Copyright A\nThis file is free software; as a special exception the author gives\nunlimited permission to copy and/or distribute it, with or without\nmodifications, as long as this notice is preserved.\n"
	royalty   = "Copying and distribution of this file, with or without modification, are\npermitted in any medium without royalty provided the copyright notice\nand this notice are preserved.\n"
	eclipse   = "All rights reserved. This program and the accompanying materials are\nmade available under the terms of the Eclipse Public License"
	conveying = "\nIf you modify this program, or any covered work, by linking or combining it with the B library, A\ngrants you additional permission to convey the resulting work.\n"
	nuclear   = "\nYou acknowledge that Software is not designed,licensed or intended for use in\nthe design, construction, operation or maintenance of any nuclear facility.\n"
	openSSL   = "\nIn addition, as a special exception, the copyright holders give permission to link the code of portions of this\nprogram with the OpenSSL library.\n"
)

// Heads in words that owners change, of which no scanner knows all forms.
func TestWordings(t *testing.T) {
	gpl3 := gnuOf + "General Public License" + fsf + "3" + orMore
	for name, c := range map[string]struct{ text, want string }{
		"MIT":                     {mitBegin + mitOwner, "MIT"},
		"X11":                     {mitBegin + mitOwner + nameOfA, "X11"},
		"X11, as scanned":         {mitText + nameOfA, "X11"},
		"RSA":                     {"Copyright (C) 1990, RSA Data Security, Inc. All rights reserved.\n\nLicense to copy and use this software is granted provided that\nit is identified as the \"RSA Data Security, Inc. MD5 Message-\nDigest Algorithm\" in all material mentioning it.\n", "RSA-MD"},
		"nuclear":                 {"Copyright A\n" + bsd3Text + nuclear, "BSD-3-Clause-No-Nuclear-License"},
		"nuclear, 2014":           {"Copyright A\n" + bsd3Text + strings.Replace(nuclear, "that Software", "that this software", 1), "BSD-3-Clause-No-Nuclear-License-2014"},
		"of OCaml":                {gnuOf + "Lesser General Public License as published by the Free Software\nFoundation, with linking exceptions; either version 2.1 of the License, or (at your option) any later version.\n", "LGPL-2.1-or-later WITH OCaml-LGPL-linking-exception"},
		"GPL, another exception":  {gnuOf + "General Public License" + fsf + "2" + orMore + "It is used with a linking exception.\n", "GPL-2.0-or-later"},
		"as a README specifies":   {"You may distribute under the terms of either the GNU General Public\nLicense or the Artistic License, as specified in the README file.\n", ""},
		"a date":                  {gnuOf + "General Public License as published by the Free Software Foundation; version 2 dated June, 1991, or any later version.\n", "GPL-2.0-or-later"},
		"a publisher":             {gnuOf + "General Public License version 2 as published\nby the Free Software Foundation, or (at your option) any later version.\n", "GPL-2.0-or-later"},
		"a publisher alone":       {gnuOf + "General Public License version 2 as published\nby the Free Software Foundation.\n", "GPL-2.0-only"},
		"a further condition":     {mitBegin + "The Software shall be used for Good.\n" + mitOwner, ""},
		"ISC":                     {"Permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.\n\nTHE SOFTWARE IS PROVIDED \"AS IS\". A IS NOT LIABLE FOR LOSS OF MIND, USE, DATA OR PROFITS.\n", "ISC"},
		"FSFAP":                   {royalty + "This file is offered as-is, without any warranty.\n", "FSFAP"},
		"FSFAP, older":            {royalty, "FSFAP-no-warranty-disclaimer"},
		"FSFULLR":                 {unlimited, "FSFULLR"},
		"FSFULLRWD":               {unlimited + "\nThis program is distributed in the hope that it will be useful, but\nWITHOUT ANY WARRANTY, to the extent permitted by law.\n", "FSFULLRWD"},
		"FSFULLRSD":               {unlimited + "This file is offered as-is, without any warranty.\n", "FSFULLRSD"},
		"no conditions":           {"This software is Copyright (c) 2011, A, and it is hereby released to the general public under the following terms:\nRedistribution and use in source and binary forms, with or without\nmodification, are permitted.\n", "LicenseRef-BSD-no-conditions"},
		"no conditions, a remark": {"Copyright A\nRedistribution and use in source and binary forms, with or without modification, are permitted.\nThere's ABSOLUTELY NO WARRANTY, express or implied.\n", "LicenseRef-BSD-no-conditions"},
		"a purpose before it":     {"Copyright A\nFor non-commercial purposes only. Redistribution and use in source and binary forms, with or without modification, are permitted.\n", ""},
		"within a sentence":       {"Copyright A\nTo members of A, redistribution and use in source and binary forms, with or without modification, are permitted.\n", ""},
		"a purpose behind it":     {"Copyright A\nRedistribution and use in source and binary forms, with or without modification, are permitted. Commercial use requires a licence of A.\n", ""},
		"a condition far behind":  {"Copyright A\nRedistribution and use in source and binary forms, with or without modification, are permitted.\n" + strings.Repeat("A IS NOT LIABLE FOR ANY LOSS. ", 20) + "Redistributions of source code have to retain this notice.\n", ""},
		"a condition behind it":   {"Copyright A\nRedistribution and use in source and binary forms, with or without modification, are permitted. You must keep this notice.\n", ""},
		"of the state":            {"Copyright: this software is not subject to copyright protection and is in the public domain.\n", "LicenseRef-public-domain"},
		"of NIST":                 {"Copyright: developed at the National Institute of Standards and Technology, this software is not subject to copyright protection and is in the public domain.\n", "NIST-PD"},
		"zlib":                    {"Copyright (C) 1995-2003 A\nFor conditions of distribution and use, see copyright notice in zlib.h\n", "Zlib"},
		"Lua":                     {"See Copyright Notice in lua.h\n", "MIT"},
		"EPL":                     {eclipse + " v2.0 which\naccompanies this distribution\n", "EPL-2.0"},
		"EPL, no version":         {eclipse + " (EPL).\n", ""},
		"CPL":                     {"Copyright A\nYou can redistribute it and/or modify it under the terms of the Common Public License as published by B;\neither version 1 of the License, or any later.\n", "CPL-1.0"},
		"no word licence":         {"A\n(C) 2015 B\nReleased under the GNU GPLv2+, see the COPYING file\nin the source distribution for its full text.\n", "GPL-2.0-or-later"},
		"linking":                 {gpl3 + conveying, "GPL-3.0-or-later WITH GPL-3.0-linking-exception"},
		"linking, with source":    {gpl3 + conveying + "Corresponding Source for a non-source form of such a combination shall include B.\n", "GPL-3.0-or-later WITH GPL-3.0-linking-source-exception"},
		"OpenSSL":                 {gpl3 + openSSL, "GPL-3.0-or-later WITH cryptsetup-OpenSSL-exception"},
		"SANE":                    {gpl3 + "\nAs a special exception, if you link a SANE library with other files to produce an executable, this does not cover it.\n", "GPL-3.0-or-later WITH SANE-exception"},
		"wxWindows":               {"Copyright A\nIt may be redistributed under the terms of the wxWindows Library License, Version 3.\n", "LGPL-2.0-or-later WITH WxWindows-exception-3.1"},
		"own terms or GPL":        {"Copyright A\nRedistribution and use of A are permitted if you smile.\n\nALTERNATIVELY, this product may be distributed under the terms of\nthe GNU General Public License version 2 or later, in which case the\nprovisions of the GPL are required INSTEAD OF the above restrictions.\n", ""},
		"later by consent":        {gnuOf + "General Public License as published by the Free Software Foundation; either version 2 of the License, or (at your\noption) any later version approved by A.\n", "GPL-2.0-only"},
		"no either":               {gnuOf + "General Public License as published by the Free Software Foundation; version 3 of the\nLicense, or (at your option) any later version.\n", "GPL-3.0-or-later"},
		"Lesser, version 2":       {gnuOf + "Lesser General Public License" + fsf + "2" + orMore, "LGPL-2.0-or-later"},
		"Lesser, version 2.1":     {gnuOf + "Lesser General Public License" + fsf + "2.1" + orMore, "LGPL-2.1-or-later"},
		"side of a box":           {prefixed("| ", gnuOf+"General Public License"+fsf+"2"+orMore), "GPL-2.0-or-later"},
		"of module-starter":       {"This program is free software; you can redistribute it and/or modify it\nunder the terms of either: the GNU General Public License as published\nby the Free Software Foundation; or the Artistic License.\n", perl},
		"EPL and EDL":             {eclipse + " v1.0\nand Eclipse Distribution License v. 1.0 which accompanies this distribution.\n", "EPL-1.0 AND BSD-3-Clause"},
		"EPL or EDL":              {eclipse + " v1.0\nor Eclipse Distribution License v. 1.0, at your option.\n", "EPL-1.0 OR BSD-3-Clause"},
		"macros":                  {gpl3 + "As a special exception, you may use this file as part of a free software\nlibrary without restriction. Specifically, if other files instantiate\ntemplates or use macros or inline functions from this file, it is not covered.\n", "GPL-3.0-or-later WITH mif-exception"},
		"libtiff":                 {"Copyright A\n\nPermission to use, copy, modify, distribute, and sell this software and\nits documentation for any purpose is hereby granted without fee, provided\nthat (i) the above copyright notices and this permission notice appear in\nall copies of the software and related documentation, and (ii) the names of\nA and B may not be used in any advertising or\npublicity relating to the software without the specific, prior written\npermission of A and B.\n", "libtiff"},
		"100% public":             {"A\nNO COPYRIGHT. IN THE PUBLIC DOMAIN\n", "LicenseRef-public-domain"},
		"on the terms":            {"Copyright (c) A\nLicensed on the terms of The Artistic License 2.0\n", "Artistic-2.0"},
		"unencumbered":            {"This is free and unencumbered software released into the public domain.\nSee LICENSE.md for more information.\n", "Unlicense"},
		"a link of one's own":     {"Copyright A\n\n@license http://www.a.org/licenses/lgpl21 LGPL\n", ""},
		"the same, in words":      {"Copyright A. Licensed under the LGPL: http://www.a.org/licenses/lgpl-2.1\n", ""},
		"terms and conditions":    {"This file is subject to the terms and conditions of the MIT license.\nSee the file LICENSE for more details.\n", "MIT"},
		"a link":                  {"A is released under\nthe terms of the `MIT License <https://a.org/MIT>`_.\n", "MIT"},
		"either of":               {"Copyright A\nDual-licensed under either of Apache 2.0 or MIT terms.\n", "Apache-2.0 OR MIT"},
		"adapted":                 {"Adapted from the B repository file /a under the\nApache 2 license\n", "Apache-2.0"},
		"no such version":         {"Copyright A\nThis code may be used under the terms of the GNU General Public License\n(Version 2.1 or later) as published by the Free Software Foundation.\n", ""},
		"one of two":              {"Copyright A\nThis code may be used under the terms of the GNU General Public License\n(Version 2 or later) as published by the Free Software Foundation.\nAlternatively, use is granted for research purposes only.\nIt is your choice of which of these two licenses you are operating under.\n", ""},
		"a name after a licence":  {"Copyright A\nMIT license.\n", "MIT"},
	} {
		if got := Header([]byte(prefixed("# ", c.text))); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A head that names a licence which no rule knows is not under one that the rules know by name.
func TestForeignTerms(t *testing.T) {
	named := Head([]byte("# Copyright A\n# Distributed under the terms of the Example.com Public License Agreement\n"))
	unversioned := Head([]byte(prefixed("# ", eclipse+" (EPL).\n")))
	own := Head([]byte("/* Copyright licences:\n * A grants to the user of the source code a worldwide, royalty free right to modify it.\n * - Redistributions of Source Code must retain the above. */"))
	for name, c := range map[string]struct {
		head           Stated
		declared, want string
	}{
		"foreign":            {named, "MIT", NoAssertion},
		"of the original":    {Head([]byte("/*\n * By A (a.org)\n * Original code by B, Mozilla Public License\n */\n")), "MIT", NoAssertion},
		"EPL in MIT":         {unversioned, "MIT", NoAssertion},
		"EPL in EPL":         {unversioned, "EPL-1.0", "EPL-1.0"},
		"terms of an author": {own, "MIT", NoAssertion},
	} {
		if got, from := Of("a.c", c.head, c.declared, nil); got != c.want {
			t.Errorf("%s: %s (%+v), want %s", name, got, from, c.want)
		}
		if got := c.head.Named(); got != "" {
			t.Errorf("%s: named %q", name, got)
		}
	}
}

// A licence file may have a notice in place of the text; a file of CMake is no document.
func TestNoticeFiles(t *testing.T) {
	notice := "Copyrights\n==========\n\nThis software is distributed under the terms of the GNU General Public\nLicense as published by the Free Software Foundation; either version 2\nof the License, or (at your option) any later version.\n"
	if got := grants([]byte(notice)); len(got) != 1 || got[0].License != "GPL-2.0-or-later" {
		t.Errorf("grants: %+v", got)
	}
	if got := Package([]File{{Path: "LICENSE.note", Data: []byte(notice)}}); got != "GPL-2.0-or-later" {
		t.Errorf("package: %s", got)
	}
	choice := []byte("Redistribution and use of A are permitted if you smile.\n\nALTERNATIVELY, this product may be distributed under the terms of the GNU General\nPublic License version 2 or later, in which case the provisions of the GPL are\nrequired INSTEAD OF the above restrictions.\n")
	if got := grants(choice); len(got) > 0 {
		t.Errorf("a choice: %+v", got)
	}
	if got := Package([]File{{Path: "COPYING", Data: choice}}); got != NoAssertion {
		t.Errorf("a choice: %s", got)
	}
	links := []byte("This library is dual-licensed under either of Apache 2.0 or MIT terms:\n\n- Apache-2.0: https://www.apache.org/licenses/LICENSE-2.0\n")
	if got := grants(links); len(got) != 1 || got[0].License != "Apache-2.0 OR MIT" {
		t.Errorf("a choice with a link: %+v", got)
	}
	if got := grants([]byte("`SPDX-License-Identifier: Apache-2.0 OR MIT`\n")); len(got) != 1 || got[0].License != "Apache-2.0 OR MIT" {
		t.Errorf("a tag in Markdown: %+v", got)
	}
	if got := grants([]byte("A may be used under the terms of the GNU General Public License version 2.1 or later.\n")); len(got) > 0 {
		t.Errorf("no such version: %+v", got)
	}
	files := []Statement{{Path: "COPYING", Grants: []Grant{{License: "GPL-2.0-only"}}}, {Path: "COPYING.DOC", Grants: []Grant{{License: "GFDL-1.2-only"}}}}
	for file, want := range map[string]string{"CMakeLists.txt": "GPL-2.0-only", "README.txt": "GFDL-1.2-only"} {
		if got, _ := Of(file, Stated{}, NoAssertion, files); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// The statements of few comments are remembered; those that were forgotten are read the same again.
func TestRemembered(t *testing.T) {
	var heads Heads
	for range 2 {
		for i := range maxBlocks + 10 {
			if got := heads.Read(fmt.Appendf(nil, "// File %d\n// Released under the MIT license.\n", i)).Named(); got != "MIT" {
				t.Fatalf("%d: %q", i, got)
			}
		}
	}
	if n := len(heads.said); n == 0 || n > maxBlocks {
		t.Errorf("%d comments are remembered", n)
	}
}

// The words that select patterns are those of wordsOf, whatever the text.
func TestWordsIn(t *testing.T) {
	n := few()
	for _, text := range []string{"", "Redistribution, and USE", "copyRIGHT/notice\nsoftware9", "\u212Anow so\u017Ftware \xff warranty", "-licen\u00e7e disclaimer"} {
		want := make([]bool, len(n.words))
		for _, w := range wordsOf(text) {
			if i, known := n.words[w]; known {
				want[i] = true
			}
		}
		if got := n.wordsIn([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: other words", text)
		}
	}
}

// A licence file may call the terms of Perl those of the language.
func TestTermsOfPerl(t *testing.T) {
	for _, text := range []string{"Terms of Perl itself\n", "Terms of the Perl programming language system itself\n", "This is under the same terms as the Perl 5 programming language system itself.\n"} {
		s, ok := Read(File{"LICENSE", []byte(text + "\na) the GNU General Public License, or\nb) the Artistic License\n")})
		if !ok || len(s.Grants) != 1 || s.Grants[0].License != perl {
			t.Errorf("%q: %+v %t", text, s, ok)
		}
	}
}

// TestMayBind: terms in own words may bind a whole work, if they say so or leave it to another text.
func TestMayBind(t *testing.T) {
	for text, want := range map[string]bool{
		"// if the whole\n// work is passed on under them": true,
		" * See\n * COPYING.GPL.":                          true,
		"under the GNU General Public License":             true,
		"you may use, modify and sell it, with the above copyright notice in all copies or substantial portions": false,
		"products derived from this software": false,
	} {
		if got := MayBind(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestRefersToFile: also where a line ends between the words.
func TestRefersToFile(t *testing.T) {
	for text, want := range map[string]bool{
		"/* This file is part of One. See\n * COPYING for details. */":                   true,
		"// Use of this file is governed by the LICENSE file.":                           false,
		"// It is in the LICENSE file.":                                                  true,
		"// See the License for the specific language governing permissions.":            false,
		strings.Repeat("// nothing is said here\n", longestHead/8) + "// See COPYING.\n": false,
	} {
		if got := RefersToFile([]byte(text)); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
}

// TestKeepsNotice: a licence in full asks to keep its notice; a reference to a licence does not.
func TestKeepsNotice(t *testing.T) {
	for text, want := range map[string]bool{
		"// The above copyright notice and this\n// permission notice shall be included in all copies":                       true,
		" * Redistributions of source code must retain the\n *   above copyright notice":                                     true,
		"3. This notice may not be removed or altered from any source distribution.":                                         true,
		"Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.":                  false,
		"Licensed under the Apache License, Version 2.0; you may not use this file except in compliance with the License.\n": false,
	} {
		if got := KeepsNotice(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

package license

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

const (
	gnuOf  = "This program is free software; you can redistribute it and/or modify\nit under the terms of the GNU "
	fsf    = " as published by\nthe Free Software Foundation; either version "
	orMore = " of the License, or\n(at your option) any later version.\n"
)

const bsd3Text = `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
`

// Heads whose licence follows from more than the text or the name of one licence.
func TestHeadNotices(t *testing.T) {
	gpl2 := gnuOf + "General Public License" + fsf + "2" + orMore
	bsd2 := "Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:\n" +
		"1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.\n"
	for name, c := range map[string]struct{ src, want string }{
		"interrupted":     {"/*-\n * Copyright (c) 2001 Atsushi Onoe\n * Copyright (c) 2002-2005 Sam Leffler, Errno Consulting\n * All rights reserved.\n *\n * Redistribution and use in source and binary forms, with or without\n * modification, are permitted provided that the following conditions\n * are met:\n * 1. Redistributions of source code must retain the above copyright\n *    notice, this list of conditions and the following disclaimer.\n * 2. Redistributions in binary form must reproduce the above copyright\n *    notice, this list of conditions and the following disclaimer in the\n *    documentation and/or other materials provided with the distribution.\n * 3. The name of the author may not be used to endorse or promote products\n *    derived from this software without specific prior written permission.\n *\n * Alternatively, this software may be distributed under the terms of the\n * GNU General Public License (\"GPL\") version 2 as published by the Free\n * Software Foundation.\n *\n * THIS SOFTWARE IS PROVIDED BY THE AUTHOR ``AS IS'' AND ANY EXPRESS OR\n * IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES\n * OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED.\n * IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY DIRECT, INDIRECT,\n * INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT\n * NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,\n * DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY\n * THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT\n * (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF\n * THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.\n *\n * $FreeBSD: src/sys/net80211/ieee80211.h,v 1.10 2005/07/22 16:55:27 sam Exp $\n */\n", "BSD-3-Clause OR GPL-2.0-only"},
		"not interrupted": {"/*\n * Copyright A\n *\n * Alternatively, this software may be distributed under the terms of the\n * GNU General Public License version 2 as published by the Free Software\n * Foundation.\n *\n * This paragraph is about the code.\n */\n", "GPL-2.0-only"},
		"classpath":       {prefixed(" * ", "/*\n"+gpl2+"\nA designates this particular file as subject to the \"Classpath\" exception.\n*/"), "GPL-2.0-or-later WITH Classpath-exception-2.0"},
		"libtool":         {prefixed("# ", "Copyright A\n"+gpl2+"\nAs a special exception, if you distribute this file as part of a program\nor library that is built using GNU Libtool, you may include it.\n"), "GPL-2.0-or-later WITH Libtool-exception"},
		"no exception":    {prefixed("# ", "Copyright A\n"+gpl2), "GPL-2.0-or-later"},
		"in a box":        {"/****\\\n*  Copyright A.  All Rights Reserved.              *\n*  This code is distributed under the terms of the  *\n*  GNU General Public License, version 3. See COPYING *\n\\****/", "GPL-3.0-only"},
		"directives":      {"/* This file is placed in the Public Domain. */\n\n#if defined(A)\n#define B 1\n#endif\n" + strings.Repeat("#define C 1\n", 200), "LicenseRef-public-domain"},
		"tri-licence":     {"/* Version: MPL 1.1/GPL 2.0/LGPL 2.1\n * The contents of this file are subject to the Mozilla Public License Version\n * 1.1 (the \"License\"); you may not use this file except in compliance with\n * the License. You may obtain a copy of the License at\n * http://www.mozilla.org/MPL/\n *\n * Software distributed under the License is distributed on an \"AS IS\" basis,\n * WITHOUT WARRANTY OF ANY KIND, either express or implied. See the License\n * for the specific language governing rights and limitations under the\n * License.\n *\n * Alternatively, the contents of this file may be used under the terms of\n * either the GNU General Public License Version 2 or later (the \"GPL\"), or\n * the GNU Lesser General Public License Version 2.1 or later (the \"LGPL\").\n */", "MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later"},
		"cddl":            {"/*\n * The contents of this file are subject to the terms of either the GNU\n * General Public License Version 2 only (\"GPL\") or the Common Development\n * and Distribution License(\"CDDL\") (collectively, the \"License\").\n * http://glassfish.java.net/public/CDDL+GPL_1_1.html\n *\n * GPL Classpath Exception:\n * A designates this particular file as subject to the \"Classpath\"\n * exception.\n */", "GPL-2.0-only WITH Classpath-exception-2.0 OR CDDL-1.1"},
		"either licence":  {"/*\n  This file is provided under a dual BSD/GPLv2 license.  When using or\n  redistributing this file, you may do so under either license.\n\n  GPL LICENSE SUMMARY\n\n  Copyright(c) 2017 A.\n\n  It is under the terms of version 2 of the GNU General Public License as\n  published by the Free Software Foundation.\n\n  BSD LICENSE\n\n  Copyright(c) 2017 A.\n\n" + bsd3Text + "*/\n", "BSD-3-Clause OR GPL-2.0-only"},
		"version first":   {"/* Copyright A\n * This library is free software; you can redistribute it and/or\n * modify it under the terms of version 2.1 of the GNU Lesser General Public\n * License as published by the Free Software Foundation.\n */", "LGPL-2.1-only"},
		"version, later":  {"/* Copyright A\n * modify it under the terms of version 2 or later of the GNU General Public\n * License as published by A.\n */", "GPL-2.0-or-later"},
		"list":            {"/*\n * Copyright 2010 A\n *\n * You can redistribute it and/or modify it\n * under the terms of either or both of the following licenses:\n *\n * 1) the GNU Lesser General Public License version 3, as published by the\n * Free Software Foundation; and/or\n * 2) the GNU Lesser General Public License version 2.1, as published by\n * the Free Software Foundation.\n *\n * This program is permitted in the hope that the GNU General Public License helps.\n */", "LGPL-3.0-only OR LGPL-2.1-only"},
		"dual gnu":        {"/* Copyright A.\n   It is dual-licensed under \"the GNU LGPLv3+ or the GNU GPLv2+\".  */", "LGPL-3.0-or-later OR GPL-2.0-or-later"},
		"your choice":     {"/*\n * You may use/distribute this freely, under the terms of either\n * (your choice) the GNU General Public License version 2,\n * or a BSD style license.\n * Copyright (c) A\n */", "GPL-2.0-only OR LicenseRef-BSD-style"},
		"approved":        {"/* Copyright A\n * This file may be used under the terms of the GNU\n * General Public License version 3 or (at your option) any later version\n * approved by the K Foundation.\n */", "GPL-3.0-only"},
		"address":         {"/* Copyright A\n * modify it under the terms of the GNU General Public License as published by\n * the Free Software Foundation, Inc., 53 Temple Place; either version 2 of\n * the License, or (at your option) any later version */", "GPL-2.0-or-later"},
		"v.":              {"/* Copyright 2009, A, and licensed under GPL v.2. */", "GPL-2.0-only"},
		"lesser":          {"// Licensed under the GNU Lesser General Public License\n", "LGPL-2.1-or-later"},
		"linked":          {"# Licensed under the LGPL: https://www.gnu.org/licenses/old-licenses/lgpl-2.1.en.html\n", "LGPL-2.1-or-later"},
		"boost":           {"/* Copyright A\n *  Distributed under the Boost Software License, Version 1.0. (See accompanying\n *  file LICENSE_1_0.txt) */", "BSL-1.0"},
		"boost, older":    {"// Copyright A 2009. Use, modification and distribution is\n// subject to the Boost Software License, Version 1.0. (See accompanying\n// file LICENSE_1_0.txt or copy at http://www.boost.org/LICENSE_1_0.txt)\n", "BSL-1.0"},
		"subject to none": {"// Copyright A\n// Programs that use this file are not subject to the GPL.\n", ""},
		"crates":          {"// Copyright 2017 A\n//\n// Licensed under the Apache License, Version 2.0 <LICENSE-APACHE or\n// http://www.apache.org/licenses/LICENSE-2.0> or the MIT license\n// <LICENSE-MIT or http://opensource.org/licenses/MIT>, at your\n// option. This file may not be copied, modified, or distributed\n// except according to those terms.\n", "Apache-2.0 OR MIT"},
		"perl":            {"# Copyright A. You may redistribute it under the same terms as Perl itself.\n", perl},
		"perl in c":       {"/* Copyright A\n *  You may distribute this under the terms of either the GNU General Public\n *  License or the Artistic License, as specified in the Perl README file.\n */", "GPL-1.0-or-later OR Artistic-1.0-Perl"},
		"pod, author":     {"package A;\n1;\n__END__\n\n=head1 AUTHOR\n\nCopyright 1999 B\n\nReleased under the same terms as Perl itself.\n\n=cut\n", perl},
		"pod, small":      {"package A;\n1;\n__END__\n\n=head2 Copyright and licence\n\nThis is free software under the same terms as Perl itself.\n\n=cut\n", perl},
		"pod, no terms":   {"package A;\n1;\n__END__\n\n=head1 AUTHORS\n\nB, who wrote about the MIT license.\n\n=cut\n", ""},
		"pod":             {"package A;\n1;\n__END__\n\n=head1 NAME\n\nA\n\n=head1 COPYRIGHT AND LICENSE\n\nThis is free software under the same terms as Perl itself.\n\n=cut\n", perl},
		"annotation":      {"<?php\n/**\n * @license http://creativecommons.org/licenses/publicdomain/ Public Domain\n */", "LicenseRef-public-domain"},
		"parentheses":     {"/* Use this example in any way\n   you see fit (Public Domain) */", "LicenseRef-public-domain"},
		"first person":    {"/**\n * I am placing this code in the Public Domain. Do with it as you will.\n */", "LicenseRef-public-domain"},
		"end of a file":   {"/* x - v1.16 */\n" + strings.Repeat("int a;\n", 1000) + "/*\n" + mitText + "*/\n", "MIT"},
		"own words":       {"/* Copyright A\n   Redistribution and use in source and binary forms are permitted if you smile. */", ""},
		"another file":    {"/*\n** See Copyright Notice in moon.h\n*/\n", ""},
		"conditions":      {"/* Copyright A\n" + bsd2 + "*/", ""},
	} {
		if got := Header([]byte(c.src)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Two notices apply together, unless a sentence about licences offers a choice.
func TestChoiceOfNotices(t *testing.T) {
	notices := gnuOf + "General Public License" + fsf + "3" + orMore + "\nBased on another program:\n\n" + gnuOf + "Library General Public License" + fsf + "2" + orMore
	prose := strings.Repeat("The structure holds the state of the projection.\n", 8)
	for said, want := range map[string]string{
		prose + "The flag is zero if any of the following members is set.\n": "GPL-3.0-or-later AND LGPL-2.0-or-later",
		prose + "Alternatively, call f. There is a choice of your own.\n":    "GPL-3.0-or-later AND LGPL-2.0-or-later",
		"You may use it under either of these licenses.\n" + prose:           "GPL-3.0-or-later OR LGPL-2.0-or-later",
	} {
		if got := Header([]byte("/*\n * Copyright A\n" + notices + "\n" + said + "*/\n")); got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
}

// A head with terms of its own is not under the licence of the package.
func TestOwnTerms(t *testing.T) {
	files := []Statement{statement(t, "LICENSE", "Copyright A\n\n"+mitText), statement(t, "COPYING.LIB", "Copyright B\n\n"+iscText)}
	for src, want := range map[string]string{
		"/* Copyright C\n   This file may be copied by anyone, as long as this notice is kept. */":    NoAssertion,
		"/* See md5.c for explanation and copyright information. */":                                  NoAssertion,
		"/* Copyright A\n   See the file COPYING.LIB for the license. */":                             "ISC",
		"/* Copyright A\n   See the LICENSE file. */":                                                 "MIT",
		"; See GNU copyright details in a.asm\n":                                                      NoAssertion,
		"# Author: B\n# License: Same as B itself\n":                                                  NoAssertion,
		"# Author: B\n# License: Same as Vim itself\n":                                                "Vim",
		"/* " + gnuOf + "General Public License, version 2;\nnewer versions will do as well. */":      NoAssertion,
		"/* " + gnuOf + "General Public License version 2\nor later, but no later version than 3. */": NoAssertion,
		"/* Copyright A */": "MIT",
		"/* Copyright A\n   GPL version 2 or later (see http://www.gnu.org/copyleft/gpl.html) */":              NoAssertion,
		"/* Licenced as X11: http://a.org/license.html */":                                                     NoAssertion,
		"/* Created by employees of the government and therefore in the public domain. */":                     NoAssertion,
		"/* @license A a.org/license */":                                                                       "MIT",
		"/* License: http://github.com/a/a */":                                                                 "MIT",
		"/* Copyright A */\nint a;\n/* It copies b.c, which is licensed under terms of its own and is GPL. */": "MIT",
		"/** @license [ISC]{@link https://github.com/a/a/blob/master/LICENSE} */":                              "ISC",
		"{-\n Copyright: A\n License: BSD3\n-}":                                                                "BSD-3-Clause",
	} {
		if got, from := Of("a.c", Head([]byte(src)), "MIT", files); got != want {
			t.Errorf("%.60q: %s (%+v), want %s", src, got, from, want)
		}
	}
}

// The text of a GNU licence does not say whether later versions may be used: heads and notices do.
func TestVersions(t *testing.T) {
	later, only := prefixed("// ", "Copyright A\n"+gnuOf+"General Public License"+fsf+"2"+orMore), "// Licensed under the GPL version 2\n// General Public\n"
	none := "// This file has no notice.\n"
	text := Statement{Path: "COPYING", Grants: []Grant{{License: "GPL-2.0-only", Text: true}}}
	for name, c := range map[string]struct {
		heads []string
		want  string
	}{
		"later":   {[]string{later, later, later}, "GPL-2.0-or-later"},
		"of GNU":  {[]string{later, "missing", later, "getopt.c", later, "aclocal.m4", later, "a.c", none, none, none}, "GPL-2.0-only"},
		"tests":   {[]string{later, "t/a.c", later, later, later, "a.c", none, none, none}, "GPL-2.0-only"},
		"too few": {[]string{later, later, none, none, none, none, none}, "GPL-2.0-only"},
		"a third": {[]string{later, later, none, none}, "GPL-2.0-or-later"},
		"both":    {[]string{later, later, later, only}, "GPL-2.0-only"},
		"only":    {[]string{only, only, only}, "GPL-2.0-only"},
		"none":    {nil, "GPL-2.0-only"},
	} {
		var v Versions
		file := "a.c"
		for _, h := range c.heads {
			if len(h) < len("configure") {
				file = h // of the heads that follow
				continue
			}
			v.Read("src/"+file, []byte(h))
		}
		got, whole := v.Settle([]Statement{text}, "GPL-2.0-only AND MIT")
		if got[0].Grants[0].License != c.want || whole != c.want+" AND MIT" {
			t.Errorf("%s: %s, %s, want %s", name, got[0].Grants[0].License, whole, c.want)
		}
	}
	if text.Grants[0].License != "GPL-2.0-only" {
		t.Error("an argument was changed")
	}
}

// An exception beside the text of a GNU licence stays, and "or above" is "or any later version".
func TestVersionsExcepted(t *testing.T) {
	text := Statement{Path: "COPYING", Grants: []Grant{{License: "GPL-2.0-only WITH Classpath-exception-2.0", Text: true}}}
	var v Versions
	v.Read("README", []byte("You may redistribute copies of it under the terms of the GNU General Public License version 2 or above.\n<http://www.gnu.org/licenses/gpl2.html>\n"))
	if got, _ := v.Settle([]Statement{text}, ""); got[0].Grants[0].License != "GPL-2.0-or-later WITH Classpath-exception-2.0" {
		t.Errorf("%+v", got)
	}
}

// A licence file may begin with the licence of the package, and go on with those of its libraries.
func TestProvided(t *testing.T) {
	const first = "This package is provided to you under the terms of the GNU General Public License\nversion 2 or any later version.\n\n"
	for name, c := range map[string]struct{ text, want string }{
		"libraries below": {first + "Included below are the licenses of externally maintained\nlibraries. B is licensed for use as follows:\n\n" + mitText, "GPL-2.0-or-later"},
		"nothing of them": {first + mitText, ""},
		"MIT alone":       {"B is licensed for use as follows:\n\n" + mitText, "MIT"},
	} {
		s, ok := Read(File{"LICENSE", []byte(c.text)})
		if !ok {
			t.Fatal(name)
		}
		if e, _ := general([]Statement{s}, false); e != c.want && (c.want != "" || e == "GPL-2.0-or-later") {
			t.Errorf("%s: %s, want %s (%+v)", name, e, c.want, s.Grants)
		}
	}
}

// Heads and the README may give an earlier version than that of the text.
func TestVersionsEarlier(t *testing.T) {
	text := Statement{Path: "COPYING", Grants: []Grant{{License: "GPL-3.0-only", Text: true}}}
	notice := func(version string) string { return gnuOf + "General Public License" + fsf + version + orMore }
	two, three, none := prefixed("// ", notice("2")), prefixed("// ", notice("3")), "// No notice.\n"
	for name, c := range map[string]struct {
		readme string
		heads  []string
		want   string
	}{
		"heads":                {"", []string{two, two, two, none}, "GPL-2.0-or-later"},
		"few of the files":     {"", []string{two, two, none, none, none, none, none, none}, "GPL-3.0-only"},
		"both versions":        {"", []string{two, two, two, three}, "GPL-3.0-only"},
		"README":               {notice("2"), []string{none, none}, "GPL-2.0-or-later"},
		"README against heads": {notice("2"), []string{three}, "GPL-3.0-only"},
		"README says 3":        {notice("3"), []string{two, two, two}, "GPL-3.0-or-later"},
		"another licence":      {gnuOf + "Lesser General Public License" + fsf + "2.1" + orMore, []string{none}, "GPL-3.0-only"},
	} {
		var v Versions
		if c.readme != "" {
			v.Read("README", []byte(c.readme))
		}
		for i, h := range c.heads {
			v.Read("src/"+strings.Repeat("a", i+1)+".c", []byte(h))
		}
		if got, _ := v.Settle([]Statement{text}, ""); got[0].Grants[0].License != c.want {
			t.Errorf("%s: %s, want %s", name, got[0].Grants[0].License, c.want)
		}
	}
}

// The notice that a program shows tells which versions are meant, if no head tells another one.
func TestVersionsShown(t *testing.T) {
	text := Statement{Path: "COPYING", Grants: []Grant{{License: "GPL-3.0-only", Text: true}}}
	notice := gnuOf + "General Public License" + fsf + "3" + orMore
	inC := "static const char *about =\n" + prefixed("\t\"", strings.ReplaceAll(strings.TrimSpace(notice), "\n", "\\n\"\n")) + "\\n\";\n"
	inPython := "import gtk\n\nlicense = \"\"\"" + notice + "\"\"\"\n"
	none := strings.Repeat("// No notice.\n", 3)
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"C":        {[]string{"a.c", inC, "b.c", none, "c.c", none, "d.c", none}, "GPL-3.0-or-later"},
		"Python":   {[]string{"a.py", inPython, "b.py", none, "c.py", none, "d.py", none}, "GPL-3.0-or-later"},
		"a manual": {[]string{"a.html", inPython, "b.py", none}, "GPL-3.0-only"},
		"a head says 2": {[]string{"a.py", inPython, "b.c", prefixed("// ", gnuOf+"General Public License"+fsf+"2"+orMore), "c.c", none, "d.c", none,
			"e.c", none, "f.c", none}, "GPL-3.0-only"},
	} {
		var v Versions
		for i := 0; i < len(c.files); i += 2 {
			v.Read(c.files[i], []byte(c.files[i+1]))
		}
		if got, _ := v.Settle([]Statement{text}, ""); got[0].Grants[0].License != c.want {
			t.Errorf("%s: %s, want %s", name, got[0].Grants[0].License, c.want)
		}
	}
}

// A README or a file that describes a package tells which versions of a GNU licence are meant, if no head and nothing beside it says else.
func TestVersionsDescribed(t *testing.T) {
	text := Statement{Path: "COPYING", Grants: []Grant{{License: "GPL-2.0-only", Text: true}}}
	only := "// Licensed under the GPL version 2\n// General Public\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"setup.py":           {map[string]string{"setup.py": "setup(\n    name='a',\n    license='GPLv2+',\n)\n"}, "GPL-2.0-or-later"},
		"classifier":         {map[string]string{"setup.cfg": "License :: OSI Approved :: GNU General Public License v2 or later (GPLv2+)\n"}, "GPL-2.0-or-later"},
		"notice in a README": {map[string]string{"README.md": "# A\n\n" + gnuOf + "General Public License" + fsf + "2" + orMore}, "GPL-2.0-or-later"},
		"name of a file":     {map[string]string{"README.md": "A is under the GNU General Public License Version 2 or later (see gpl-2.0.txt,\nhttps://a.org/gpl-2.0.html).\n"}, "GPL-2.0-or-later"},
		"another version":    {map[string]string{"README": "A is under the GPL version 3 or later.\n"}, "GPL-2.0-only"},
		"a README says only": {map[string]string{"README": "A is under the GPL version 2.\n", "setup.py": "license='GPLv2+'\n"}, "GPL-2.0-only"},
		"a head says only":   {map[string]string{"setup.py": "license='GPLv2+'\n", "a.c": only, "b.c": only}, "GPL-2.0-only"},
		"of a folder":        {map[string]string{"sub/README": "A is under the GPL version 2 or later.\n"}, "GPL-2.0-only"},
		"other file":         {map[string]string{"notes.txt": "B is under the GPL version 2 or later.\n"}, "GPL-2.0-only"},
	} {
		var v Versions
		for path, src := range c.files {
			v.Read(path, []byte(src))
		}
		if got, _ := v.Settle([]Statement{text}, ""); got[0].Grants[0].License != c.want {
			t.Errorf("%s: %s, want %s", name, got[0].Grants[0].License, c.want)
		}
	}
}

// A README tells the licence of a package if it has one GNU notice.
func TestReadme(t *testing.T) {
	notice := gnuOf + "General Public License" + fsf + "2" + orMore
	lesser := gnuOf + "Lesser General Public License" + fsf + "2.1" + orMore
	for name, c := range map[string]struct{ file, text, want string }{
		"notice":      {"README", "A\n\n" + notice, "GPL-2.0-or-later"},
		"markdown":    {"README.md", "# A\n\n" + notice, "GPL-2.0-or-later"},
		"two notices": {"README", "The library:\n" + lesser + "\nThe program:\n" + notice, ""},
		"a name":      {"README", "A is distributed under the GNU General Public License.\n", ""},
		"Perl":        {"README", "A\n\nCOPYRIGHT AND LICENCE\n\nCopyright (C) 2006 A\n\nThis module is free software; you can redistribute it\nand/or modify it under the same terms as Perl itself.\n", "Artistic-1.0-Perl OR GPL-1.0-or-later"},
		"no heading":  {"README", "A\n\nThis is free software and you may distribute it under the same terms\nas perl itself.\n", "Artistic-1.0-Perl OR GPL-1.0-or-later"},
		"GPL too":     {"README", "A\n\nThis is free software; you may distribute it under the same terms as perl itself (the GNU\nGeneral Public License, version 2 or later, or the Artistic License).\n", ""},
		"underlined":  {"README.md", "A\n=\n\nCopyright and License\n=====================\n\nCopyright A\n\n" + mitText + "\nSee Also\n========\nThe B under the GPL.\n", "MIT"},
		"sentence":    {"README.md", "# A\n\n## License\n\nReleased under the MIT license.\n\n## Credits\n", "MIT"},
		"at the end":  {"README.md", "# A\n\n" + strings.Repeat("How to use it.\n", 4000) + "\n## License\n\nReleased under the MIT license.\n", "MIT"},
		"BSD":         {"README.md", "# A\n\n## License\n\nReleased under the BSD license.\n", ""},
		"also others": {"README.md", "# A\n\n## License\n\nReleased under the MIT license. Contains code derived from B.\n", ""},
		"no section":  {"README.md", "# A\n\n## Usage\n\nThe output is released under the MIT license.\n", ""},
		"two of them": {"README.md", "# A\n\n## License\n\nReleased under the MIT license.\n\n# B\n\n## License\n\nReleased under the ISC license.\n", ""},
		"a folder's":  {"sub/README", notice, ""},
		"other file":  {"NEWS", notice, ""},
	} {
		var v Versions
		v.Read(c.file, []byte(c.text))
		s, ok := v.Readme()
		if ok != (c.want != "") || ok && (s.Path != c.file || s.Grants[0].License != c.want) {
			t.Errorf("%s: %+v %t, want %q", name, s, ok, c.want)
		}
	}
}

// Two READMEs at the root whose notices differ tell nothing, in whichever order they are read.
func TestReadmesDisagree(t *testing.T) {
	general, lesser := gnuOf+"General Public License"+fsf+"2"+orMore, gnuOf+"Lesser General Public License"+fsf+"2.1"+orMore
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"same":            {[]string{general, general}, "GPL-2.0-or-later"},
		"differ":          {[]string{general, lesser}, ""},
		"the other order": {[]string{lesser, general}, ""},
		"a third agrees":  {[]string{general, lesser, lesser}, ""},
		"one has none":    {[]string{general, "A program.\n"}, "GPL-2.0-or-later"},
	} {
		var v Versions
		for i, text := range c.texts {
			v.Read([]string{"README", "README.md", "README.rst"}[i], []byte(text))
		}
		s, ok := v.Readme()
		if ok != (c.want != "") || ok && s.Grants[0].License != c.want {
			t.Errorf("%s: %+v %t, want %q", name, s, ok, c.want)
		}
	}
}

// A head may have the text or notice of one licence and name that of the code it was made from.
func TestOriginalLicence(t *testing.T) {
	apache := prefixed("// ", apacheNotice)
	goOf := "// Copyright 2018 The Go Authors. All rights reserved.\n// Use of this source code is governed by a BSD-style\n// license that can be found in the LICENSE file.\n"
	both := "/*\n * Copyright A\n * This source code is licensed under both the BSD-style license (found in the\n * LICENSE file) and the GPLv2. You may select, at your option, one of the above-listed licenses.\n */\n"
	for name, c := range map[string]struct{ src, want string }{
		"below, in one comment":   {apache + "//\n// --- ORIGINAL LICENSE ---\n//\n" + goOf + "\npackage a\n", "Apache-2.0 AND BSD-3-Clause"},
		"below, apart":            {apache + "\n// Taken from b.\n" + goOf + "\npackage a\n", "Apache-2.0 AND BSD-3-Clause"},
		"the same":                {"// Copyright A\n// Licensed under the MIT license.\n\n" + prefixed("// ", mitText), "MIT"},
		"a choice, then its text": {"// Copyright A. Dual licensed under the MIT and GPL v2 licenses.\n\n" + prefixed("// ", mitText), "MIT OR GPL-2.0-only"},
		"of a part":               {"#ifndef A\n" + both + "\n#include <b.h>\n" + prefixed(" * ", "/*\n"+mitText+"*/\n"), "MIT AND (LicenseRef-BSD-style OR GPL-2.0-only)"},
		"the original's own":      {apache + "\n// Original License Text:\n/* You can redistribute it and/or modify it under the terms of the Do What The\n * Fuck You Want To Public License, Version 2, as published by B. */\n", "Apache-2.0 AND WTFPL"},
		"Pixar's":                 {strings.Replace(apache, "(the \"License\");", "(the \"License\") with the following modification;", 1) + "// Section 6. Trademarks. is deleted and replaced with:\n// 6. Trademarks. This License does not grant permission.\npackage a\n", "Pixar"},
		"changed":                 {apache + "// The license applies with the following modification: you may sing.\npackage a\n", ""},
		"an algorithm, changed":   {apache + "// The algorithm of B, with the following modifications: none.\npackage a\n", "Apache-2.0"},
		"after code":              {prefixed("// ", mitText) + "\nint a;\n\n// Copyright B\n// Licensed under the GPL version 2.\n", "MIT"},
		"of nobody":               {apache + "\n// Package a finds files licensed under the MIT license.\npackage a\n", "Apache-2.0"},
		"public domain":           {apache + "\n// Copyright B, released into the public domain.\npackage a\n", "Apache-2.0"},
	} {
		if got := Header([]byte(c.src)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A comment that a file begins with is read to its end, also if it is long; what stands in code is not.
func TestLongHead(t *testing.T) {
	authors := strings.Repeat("// An author of this file, with an address\n", 200)
	for name, c := range map[string]struct{ src, want string }{
		"one comment":   {authors + "//\n" + prefixed("// ", mitText) + "package a\n", "MIT"},
		"after code":    {"package a\n" + authors + "//\n" + prefixed("// ", mitText), ""},
		"far too long":  {strings.Repeat(authors, 4) + prefixed("// ", mitText), ""},
		"a block":       {"/*\n" + strings.Repeat(" History of changes\n", 300) + mitText + "*/\nint a;\n" + strings.Repeat("int b;\n", 9999), "MIT"},
		"a script":      {"#!/bin/sh\n" + strings.ReplaceAll(authors, "//", "#") + prefixed("# ", mitText) + "true\n", "MIT"},
		"short comment": {prefixed("// ", mitText) + strings.Repeat("int b;\n", 9999), "MIT"},
	} {
		if got := Header([]byte(c.src)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestGrantsOfGNU(t *testing.T) {
	if got := grants([]byte("This is free software; you can redistribute it and/or modify it under\nthe same terms as the Perl 5 programming language system itself.\n\n" + mitText)); !reflect.DeepEqual(got, []Grant{{License: perl}}) {
		t.Errorf("perl: %+v", got)
	}
	gs := withoutCopies([]Grant{{License: "AGPL-3.0-or-later"}, {License: "AGPL-3.0-only", Text: true}, {License: "GPL-2.0-only", Text: true}})
	if want := []Grant{{License: "AGPL-3.0-or-later"}, {License: "GPL-2.0-only", Text: true}}; !reflect.DeepEqual(gs, want) {
		t.Errorf("a text beside its notice: %+v", gs)
	}
	preface := "This Software is distributed under the terms of the GNU Lesser\nGeneral Public License version 2.1 (included below), or (at your\noption) any later version.\n\n"
	if got := prefaced(licensecheck.Match{ID: "LGPL-2.1"}, preface); got != "LGPL-2.1-or-later" {
		t.Errorf("said before the text: %q", got)
	}
	if got := prefaced(licensecheck.Match{ID: "LGPL-3.0"}, preface); got != "" {
		t.Errorf("said before another text: %q", got)
	}
	linked := grants([]byte("The documentation (everything in the docs/ directory) is under the licence at http://www.apache.org/licenses/LICENSE-2.0\n\nFor the rest:\n\n" + mitText))
	if len(linked) != 2 || !reflect.DeepEqual(linked[0].Files, []string{"docs/"}) || linked[1].License != "MIT" || len(linked[1].Files) > 0 {
		t.Errorf("a link: %+v", linked)
	}
	if got := fileNames("exceptions apply to files in the distribution.\n"); len(got) > 0 {
		t.Errorf("an article: %q", got)
	}
}

// TestEndOfNoComment: a long file can end with the mark of a comment that begins nowhere.
func TestEndOfNoComment(t *testing.T) {
	if got := Head([]byte(strings.Repeat("int x; ", 20000) + "*/\n")); got.License != "" {
		t.Errorf("got licence %q", got.License)
	}
}

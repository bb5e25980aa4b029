package license

import "testing"

// Comments from real files that name a licence in a few words.
func TestHeadNames(t *testing.T) {
	for src, want := range map[string]Stated{
		"/*! jQuery v3.6.0 | (c) OpenJS Foundation and other contributors | jquery.org/license */":                              {},
		"/**\n * @license React\n *\n * This source code is licensed under the MIT license found in the\n * LICENSE file.\n */": {"MIT", false, 4},
		"\"use strict\";\n/*!\n * Released under the MIT license\n */":                                                          {"MIT", false, 3},
		"/*!\n * Licensed under MIT (https://github.com/twbs/bootstrap/blob/main/LICENSE)\n */":                                 {"MIT", false, 2},
		"/*\n * @license MIT\n */": {"MIT", false, 2},
		"# This software is Copyright (c) 2015 by A.\n#\n# This is free software, licensed under:\n#\n#   The GNU Lesser General Public License, Version 2.1, February 1999\n#\npackage A;\n": {"LGPL-2.1-only", false, 5},
		"# This is free software, licensed under:\n#\n#   The (three-clause) BSD License\n":                                                                                                   {"BSD-3-Clause", false, 3},
		"# This is free software, licensed under:\n#\n#   The MIT (X11) License\n":                                                                                                            {"MIT", false, 3},
		"# Files are licensed under: see the table below.\n":                                                                                                                                  {foreignTerms, false, 1},
		"/*! pako 2.1.0 https://github.com/nodeca/pako @license (MIT AND Zlib) */":                                                                                                            {"MIT AND Zlib", false, 1},
		"/*\n * License: X11/MIT\n */": {"MIT", false, 2},
		"/*\n * This source code is licensed under both the BSD-style license (found in the\n * LICENSE file in the root directory of this source tree) and the GPLv2 (found\n * in the COPYING file).\n * You may select, at your option, one of the above-listed licenses.\n */": {"LicenseRef-BSD-style OR GPL-2.0-only", false, 2},
		"// (C) 1995-2013 J and M\n//\n// This software is provided 'as-is', without any express or implied\n// warranty. In no event will the authors be held liable for any damages\n// arising from the use of this software.\n//\n" +
			"// Permission is granted to anyone to use this software for any purpose,\n// including commercial applications, and to alter it and redistribute it\n// freely, subject to the following restrictions:\n//\n" +
			"// 1. The origin of this software must not be misrepresented; you must not\n//   claim that you wrote the original software. If you use this software\n//   in a product, an acknowledgment in the product documentation would be\n//   appreciated but is not required.\n" +
			"// 2. Altered source versions must be plainly marked as such, and must not be\n//   misrepresented as being the original software.\n// 3. This notice may not be removed or altered from any source distribution.\n": {"Zlib", false, 1},
		"/*! ieee754. BSD-3-Clause License. F A <https://a.b> */": {"BSD-3-Clause", false, 1},
		"/*\n * Name........: A\n * License.....: MIT\n */":       {"MIT", false, 3},
		"# License: MIT\n":                        {"MIT", false, 1},
		"# License: BSD 3 clause\n":               {"BSD-3-Clause", false, 1},
		"# Licensed under the GPLv2 or later\n":   {"GPL-2.0-or-later", false, 1},
		"# Licensed under the LGPL version 2.1\n": {"LGPL-2.1-only", false, 1},
		"/*!\n * Font Awesome Free 5.11.2 by @fontawesome - https://fontawesome.com\n * License - https://fontawesome.com/license/free (Icons: CC BY 4.0, Fonts: SIL OFL 1.1, Code: MIT License)\n */\n@font-face{}": {"MIT", false, 3},
		"/*!\n *  License - http://fontawesome.io/license (Font: SIL OFL 1.1, CSS: MIT License)\n */\n":                                                                                                              {"MIT", false, 2},
		"# Released under the GNU General Public License\n":                                                                                                           {"GPL-1.0-or-later", false, 1},
		"/* Dual licensed under the MIT or GPL Version 2 licenses. */":                                                                                                {"MIT OR GPL-2.0-only", false, 1},
		"/* Dual licensed under the MIT and GPL licenses. */":                                                                                                         {"MIT OR GPL-1.0-or-later", false, 1},
		"/*!\n * vary\n * Copyright(c) 2014-2017 Douglas Christopher Wilson\n * MIT Licensed\n */":                                                                    {"MIT", false, 4},
		"// Copyright 2010 A. B. Some rights reserved, MIT license.\n":                                                                                                {"MIT", false, 1},
		"// This software is released under the ISC license\n":                                                                                                        {"ISC", false, 1},
		"// Copyright (C) 2014-2015 Docker Inc & Go Authors. All rights reserved.\n// Use of this source code is governed by a BSD-style\n// license that ...":        {goBSDStyle, false, 2},
		"// Copyright 2009 The Go Authors. All rights reserved.\n// Use of this source code is governed by a BSD-style\n// license that ...":                          {goBSDStyle, false, 2},
		"// Copyright 2013 Others. All rights reserved.\n// Use of this source code is governed by a BSD-style\n// license that can be found":                         {bsdStyle, false, 2},
		"/* This file is placed in the public domain. */":                                                                                                             {"LicenseRef-public-domain", false, 1},
		"/*\n    json\n    2010-03-20\n\n    Public Domain.\n\n    NO WARRANTY\n*/":                                                                                   {"LicenseRef-public-domain", false, 5},
		"// A hash by A <a@b.c>\n// 100% Public Domain\n":                                                                                                             {"LicenseRef-public-domain", false, 2},
		"/* This code is in the public domain; do with it what you wish. */":                                                                                          {"LicenseRef-public-domain", false, 1},
		"/* This project is public domain and free for all purposes. */":                                                                                              {"LicenseRef-public-domain", false, 1},
		"# This file has been put into the public domain.\n":                                                                                                          {"LicenseRef-public-domain", false, 1},
		"/*\n** 2001-09-15\n**\n** The author disclaims copyright to this source code.  In place of\n** a legal notice, here is a blessing:\n*/\n":                    {"blessing", false, 4},
		"/* alloca.c -- allocate automatically reclaimed memory\n   (Mostly) portable public-domain implementation -- D A Gwyn\n\n   The defaults should be okay. */": {"LicenseRef-public-domain", false, 2},
		"/*\n * getopt - A public domain version of getopt(3)\n */":                                                                                                   {"LicenseRef-public-domain", false, 2},
		"/* Public-domain implementation of an ISO C library routine. */":                                                                                             {"LicenseRef-public-domain", false, 1},
		"/*\n  100% free public domain implementation of the SHA-1 algorithm\n*/":                                                                                     {"LicenseRef-public-domain", false, 2},
		"// A public domain implementation can be found at https://a.b/c\n":                                                                                           {},
		"/* Based on a public-domain implementation by A */":                                                                                                          {},
		"/* Inspired by discussions,\n   a public-domain version is also available. */":                                                                               {},
		"// A wrapper of\n// public-domain code from A\n":                                                                                                             {},
		"/* This file is not in the public domain. */":                                                                                                                {},
		"/* Based on code that is in the public domain */":                                                                                                            {},
		"// A list of works in the\n// public domain and others\n":                                                                                                    {},
		"\n\n# SPDX-License-Identifier: MIT\n":                                                                                                                        {"MIT", true, 3},
		"// Detect finds the MIT licence in a text.\n":                                                                                                                {},
		"// license returns the declared licence\nfunc license() {}\n":                                                                                                {},
		"// A mit B, licensed by nobody\n":                                                                                                                            {},
	} {
		if got := Head([]byte(src)); got != want {
			t.Errorf("%.70q: %+v, want %+v", src, got, want)
		}
	}
}

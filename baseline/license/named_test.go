package license

import "testing"

// Comments that name a licence in a few words, as real files have them.
func TestHeadNames(t *testing.T) {
	for src, want := range map[string]Stated{
		"/*! jQuery v3.6.0 | (c) OpenJS Foundation and other contributors | jquery.org/license */":                              {},
		"/**\n * @license React\n *\n * This source code is licensed under the MIT license found in the\n * LICENSE file.\n */": {"MIT", false, 4},
		"\"use strict\";\n/*!\n * Released under the MIT license\n */":                                                          {"MIT", false, 3},
		"/*!\n * Licensed under MIT (https://github.com/twbs/bootstrap/blob/main/LICENSE)\n */":                                 {"MIT", false, 2},
		"/*\n * @license MIT\n */":                                                                 {"MIT", false, 2},
		"# License: MIT\n":                                                                         {"MIT", false, 1},
		"# License: BSD 3 clause\n":                                                                {"BSD-3-Clause", false, 1},
		"# Licensed under the GPLv2 or later\n":                                                    {"GPL-2.0-or-later", false, 1},
		"# Licensed under the LGPL version 2.1\n":                                                  {"LGPL-2.1-only", false, 1},
		"# Released under the GNU General Public License\n":                                        {"GPL-1.0-or-later", false, 1},
		"/* Dual licensed under the MIT or GPL Version 2 licenses. */":                             {"MIT OR GPL-2.0-only", false, 1},
		"/* Dual licensed under the MIT and GPL licenses. */":                                      {"MIT OR GPL-1.0-or-later", false, 1},
		"/*!\n * vary\n * Copyright(c) 2014-2017 Douglas Christopher Wilson\n * MIT Licensed\n */": {"MIT", false, 4},
		"// Copyright 2010 A. B. Some rights reserved, MIT license.\n":                             {"MIT", false, 1},
		"// This software is released under the ISC license\n":                                     {"ISC", false, 1},
		"// Copyright 2009 The Go Authors. All rights reserved.\n// Use of this source code is governed by a BSD-style\n// license that ...":  {goBSDStyle, false, 2},
		"// Copyright 2013 Others. All rights reserved.\n// Use of this source code is governed by a BSD-style\n// license that can be found": {bsdStyle, false, 2},
		"/* This file is placed in the public domain. */":              {"LicenseRef-public-domain", false, 1},
		"\n\n# SPDX-License-Identifier: MIT\n":                         {"MIT", true, 3},
		"// Detect finds the MIT licence in a text.\n":                 {},
		"// license returns the declared licence\nfunc license() {}\n": {},
		"// A mit B, licensed by nobody\n":                             {},
	} {
		if got := Head([]byte(src)); got != want {
			t.Errorf("%.70q: %+v, want %+v", src, got, want)
		}
	}
}

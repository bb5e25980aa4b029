package attribution_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/attribution"
)

func ExampleScan() {
	text := "// Copyright 2011 The Snappy-Go Authors. All rights reserved.\n// SPDX-License-Identifier: BSD-3-Clause\npackage a\n"
	for _, s := range attribution.Scan([]byte(text), false) {
		fmt.Printf("line %d: %s %q\n", s.Line, s.Kind, s.Holder+s.SPDX)
	}
	// Output:
	// line 1: copyright "The Snappy-Go Authors"
	// line 2: spdx-license "BSD-3-Clause"
}

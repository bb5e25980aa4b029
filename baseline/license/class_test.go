package license

import (
	"slices"
	"strings"
	"testing"
)

func TestClassOf(t *testing.T) {
	for expr, want := range map[string]Class{
		"MIT":                                  Permissive,
		"BSD-3-Clause":                         Permissive,
		"Apache-2.0 WITH LLVM-exception":       Permissive,
		"CC0-1.0":                              PublicDomain,
		"0BSD OR GPL-3.0-only":                 PublicDomain,
		"LGPL-2.1-or-later":                    WeakCopyleft,
		"MPL-2.0":                              WeakCopyleft,
		"GPL-2.0-only":                         Copyleft,
		"GPL-2.0+":                             Copyleft,
		"GPL-2.0-only WITH Linux-syscall-note": Copyleft,
		"GPL-2.0-only WITH Classpath-exception-2.0": WeakCopyleft,
		"AGPL-3.0-or-later":                         NetworkCopyleft,
		"SSPL-1.0":                                  NetworkCopyleft,
		"CC-BY-SA-4.0":                              Copyleft,
		"CC-BY-4.0":                                 Permissive,
		"CC-BY-NC-4.0":                              Proprietary,
		"BUSL-1.1":                                  Proprietary,
		"MIT OR GPL-2.0-only":                       Permissive,
		"MIT AND GPL-2.0-only":                      Copyleft,
		"(MIT OR GPL-2.0-only) AND MPL-2.0":         WeakCopyleft,
		"MIT AND LicenseRef-own":                    Unknown,
		"NOASSERTION":                               Unknown,
		"":                                          Unknown,
		"(((":                                       Unknown,
	} {
		if got := ClassOf(expr); got != want {
			t.Errorf("%q is %s, want %s", expr, got, want)
		}
	}
}

// TestClassTable compares the table with the SPDX list: no misspelt identifier, no unknown class.
func TestClassTable(t *testing.T) {
	met := make(map[string]bool)
	for _, c := range classTable() {
		if !slices.Contains(Classes, c.class) {
			t.Errorf("%s: class %q", c.pattern, c.class)
		}
		if met[c.pattern] {
			t.Errorf("%s is there twice", c.pattern)
		}
		met[c.pattern] = true
		start, open := strings.CutSuffix(c.pattern, "*")
		found := strings.HasPrefix(c.pattern, "LicenseRef-")
		for _, id := range lists().licenses {
			found = found || id == c.pattern || open && strings.HasPrefix(id, start)
		}
		if !found {
			t.Errorf("%s is no SPDX identifier", c.pattern)
		}
	}
	known := 0
	for _, id := range lists().licenses {
		if classOf(id) != Unknown {
			known++
		}
	}
	if share := float64(known) / float64(len(lists().licenses)); share < 0.75 {
		t.Errorf("only %.0f%% of the SPDX list has a class", 100*share)
	}
}

func TestBinds(t *testing.T) {
	gpl := func(term string) bool { return strings.HasPrefix(term, "GPL-") }
	for expr, want := range map[string]bool{
		"GPL-2.0-only":                        true,
		"GPL-2.0-only OR MIT":                 false,
		"GPL-2.0-only OR GPL-3.0-only":        true,
		"GPL-2.0-only AND MIT":                true,
		"(GPL-2.0-only OR MIT) AND ISC":       false,
		"NOASSERTION":                         false,
		"GPL-2.0-only WITH GCC-exception-2.0": true,
	} {
		if got := Binds(expr, gpl); got != want {
			t.Errorf("%q: %v", expr, got)
		}
	}
}

func TestDenies(t *testing.T) {
	for _, c := range []struct {
		claim, actual string
		exact, want   bool
	}{
		{"Apache-2.0", "GPL-2.0-only", false, true},
		{"Apache-2.0", "MIT", false, false}, // MIT code in a file with another licence
		{"Apache-2.0", "MIT", true, true},   // but this piece itself is not under Apache
		{"MIT", "MIT", true, false},
		{"GPL-3.0-or-later", "GPL-2.0-only", false, false}, // versions are uncertain
		{"GPL-2.0-only", "LGPL-2.1-only", false, false},
		{"LGPL-2.1-only", "GPL-2.0-only", false, true},
		{"AGPL-3.0-only", "GPL-3.0-only", false, false},
		{"MIT", "MPL-2.0", false, true},
		{"Apache-2.0", "GPL-2.0-only OR MIT", false, false},
		{"Apache-2.0", "GPL-2.0-only AND MIT", false, false}, // it is unknown which of both the file has
		{"Apache-2.0 AND GPL-2.0-only", "GPL-2.0-only", false, false},
		{"LicenseRef-ours", "GPL-2.0-only", false, false},
		{"NOASSERTION", "GPL-2.0-only", false, false},
		{"Apache-2.0", "NOASSERTION", true, false},
		{"Apache-2.0", "CC0-1.0", true, false},
		{"Apache-2.0", "BUSL-1.1", false, true},
	} {
		if got := Denies(c.claim, c.actual, c.exact); got != c.want {
			t.Errorf("%q of %q, exact %v: %v", c.claim, c.actual, c.exact, got)
		}
	}
}

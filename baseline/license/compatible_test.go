package license

import (
	"slices"
	"strings"
	"testing"
)

func TestCompatible(t *testing.T) {
	for _, c := range []struct {
		origin, file string
		want         Answer // "" if there is no answer
	}{
		{"MIT", "Apache-2.0", Fits},
		{"MIT", "GPL-2.0-only", Fits},
		{"CC0-1.0", "LicenseRef-Proprietary", Fits},
		{"Apache-2.0", "GPL-2.0-only", FitsNot},
		{"Apache-2.0", "GPL-2.0-or-later", Fits},
		{"Apache-2.0", "GPL-3.0-only", Fits},
		{"Apache-2.0", "MIT", Fits},
		{"BSD-4-Clause", "GPL-3.0-or-later", FitsNot},
		{"BSD-4-Clause", "MIT", Fits},
		{"GPL-2.0-only", "GPL-2.0-only", Fits},
		{"GPL-2.0-only", "GPL-3.0-only", FitsNot},
		{"GPL-2.0-or-later", "GPL-3.0-only", Fits},
		{"GPL-3.0-only", "GPL-2.0-only", FitsNot},
		{"GPL-3.0-only", "AGPL-3.0-only", Fits},
		{"AGPL-3.0-only", "GPL-3.0-only", Ask},
		{"GPL-3.0-or-later", "MIT", FitsNot},
		{"AGPL-3.0-only", "Apache-2.0", FitsNot},
		{"LGPL-2.1-only", "GPL-3.0-only", Fits},
		{"LGPL-2.1-only", "MIT", Ask},
		{"LGPL-3.0-only", "GPL-2.0-only", FitsNot},
		{"MPL-2.0", "GPL-3.0-only", Fits},
		{"MPL-2.0", "MIT", Ask},
		{"CDDL-1.0", "GPL-2.0-only", FitsNot},
		{"EPL-2.0", "GPL-2.0-or-later", Ask},
		{"BUSL-1.1", "MIT", Ask},
		{"MIT OR GPL-3.0-only", "Apache-2.0", Fits},
		{"MIT AND GPL-3.0-only", "Apache-2.0", FitsNot},
		{"Apache-2.0", "MIT OR GPL-2.0-only", FitsNot}, // not possible for a user who takes the file under the GPL
		{"GPL-3.0-only", "Apache-2.0 AND GPL-3.0-only", Fits},
		{"GPL-3.0-only", "GPL-3.0-only AND Apache-2.0", Fits},
		{"GPL-2.0-only", "Apache-2.0 AND GPL-2.0-only", FitsNot}, // the file itself cannot be passed on
		{"GPL-3.0-only", "MIT AND Apache-2.0", FitsNot},
		{"GPL-3.0-only", "GPL-3.0-only OR MIT", FitsNot},
		{"GPL-2.0-only WITH Classpath-exception-2.0", "MIT", Ask},
		{"Apache-2.0 WITH LLVM-exception", "GPL-2.0-only", Fits},
		{"MIT OR LicenseRef-x", "MIT", Fits},
		{"MIT AND LicenseRef-x", "MIT", ""},
		{"LicenseRef-x", "MIT", ""},
		{"MIT", "LicenseRef-x", ""},
		{"NOASSERTION", "MIT", ""},
		{"MIT", "", ""},
	} {
		got, words, ok := Compatible(c.origin, c.file)
		if got != c.want || ok != (c.want != "") || ok != (words != "") {
			t.Errorf("%s into %s: %q (%s), want %q", c.origin, c.file, got, words, c.want)
		}
	}
}

// TestCompatibleTable compares the table with the SPDX list. Every line of the table must be the first that fits for
// some pair of licences.
func TestCompatibleTable(t *testing.T) {
	var ids []string
	classes := make(map[Class]int)
	for _, id := range lists().licenses {
		named := func(r fitRule) bool { return anyOf(r.copied, id, "") || anyOf(r.into[:len(r.into)-1], id, "") }
		if classes[classOf(id)]++; classes[classOf(id)] < 4 || slices.ContainsFunc(fitRules(), named) {
			ids = append(ids, id)
		}
	}
	used := make(map[string]bool)
	for _, a := range ids {
		for _, b := range ids {
			if v, ok := fit(a, b); ok {
				used[v.words+string(v.answer)] = true
			}
		}
	}
	for _, r := range fitRules() {
		if !slices.Contains(answers, r.answer) || len(r.copied) == 0 || len(r.into) == 0 || !used[r.words+string(r.answer)] {
			t.Errorf("nothing comes to %+v", r)
		}
		for _, p := range slices.Concat(r.copied, r.into) {
			start, open := strings.CutSuffix(p, "*")
			found := slices.Contains(Classes, Class(p))
			for _, id := range lists().licenses {
				found = found || id == p || open && strings.HasPrefix(id, start)
			}
			if !found {
				t.Errorf("%s is no SPDX identifier", p)
			}
		}
	}
}

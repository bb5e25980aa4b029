package scanner_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// walker is a function long enough to be a finding with any names.
const walker = `function NAME(source, visitor) {
  var queue = [source], depth = 0, visited = new Map();
  while (queue.length > 0) {
    var current = queue.shift(), siblings = current.children || [];
    if (visited.has(current.identity)) throw new RangeError("visited twice: " + current.identity);
    visited.set(current.identity, ++depth);
    if (visitor.enter(current, depth) === false) continue;
    for (var index = siblings.length - 1; index >= 0; index--) queue.unshift(siblings[index]);
    visitor.leave && visitor.leave(current, depth, visited.size);
  }
  return visited;
}
`

// TestHelpers: code that a tool writes into everybody's output is no copy, and the ledger lists it. Code that only has a helper's
// name is still a copy.
func TestHelpers(t *testing.T) {
	named := func(name string) string { return strings.ReplaceAll(walker, "NAME", name) }
	for _, c := range []struct {
		name, origin, target string
		copies               bool
	}{
		{"a helper on both sides", named("_slicedToArray"), named("_slicedToArray$1"), false},
		{"a copy named like a helper", named("walk"), named("_slicedToArray"), true},
		{"a helper that was given a name", named("_slicedToArray"), named("walk"), true},
	} {
		b := based(t, pack{"pkg:npm/walk@1.0.0", "MIT", "2020-01-01", files{"index.js": "'use strict';\n" + c.origin}})
		r := tree(t, scan(t, scanner.Options{}, b), files{"lib.js": "let limit = 3;\n" + c.target}.dir(t))
		if (len(r.Findings) > 0) != c.copies {
			t.Errorf("%s: %d findings", c.name, len(r.Findings))
		}
		told := slices.ContainsFunc(r.Ledger, func(e finding.Entry) bool {
			return e.Path == "lib.js" && e.Reason == finding.ReasonToolWritten && strings.Contains(e.Detail, "Babel writes") && strings.HasSuffix(e.Detail, "line 2")
		})
		if told == c.copies {
			t.Errorf("%s: ledger %v", c.name, r.Ledger)
		}
	}
}

package evidence

import "testing"

// TestShowsUse: code of a package may lie in a directory whose name is that of tests elsewhere.
func TestShowsUse(t *testing.T) {
	for _, c := range []struct {
		syntax, path string
		want         bool
	}{
		{"go", "table_test.go", true},
		{"go", "_examples/server/main.go", true},
		{"go", "tests/table_test.go", true},
		{"go", "test/e2e/framework/pods.go", false},
		{"go", "pkg/validation/spec/schema.go", false},
		{"go", "test_helpers.go", false},
		{"go", "testing/table.go", false},
		{"python", "tests/helpers.py", true},
		{"python", "test/test_table.py", true},
		{"python", "django/test/client.py", false},
		{"python", "examples/plot.py", true},
		{"javascript", "test/table.js", true},
		{"javascript", "src/table.spec.js", true},
		{"typescript", "src/__tests__/table.ts", true},
		{"javascript", "lib/sample.js", false},
	} {
		if got := showsUse(c.syntax, c.path); got != c.want {
			t.Errorf("%s %q: %t, want %t", c.syntax, c.path, got, c.want)
		}
	}
}

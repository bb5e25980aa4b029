package installed

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestPythonParser: the parser in Python's own library is in many programs, so it is compared too.
func TestPythonParser(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lib", "python3.11")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "os.py"), []byte("import abc\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	found, ok := pythonStd(dir)
	if !ok || found.PURL != "pkg:generic/cpython@3.11" {
		t.Fatalf("%v %v", found, ok)
	}
	if slices.Contains(found.Without, "lib2to3") || !slices.Contains(found.Without, "test") {
		t.Errorf("left out: %q", found.Without)
	}
}

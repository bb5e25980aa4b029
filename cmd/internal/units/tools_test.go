package units

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFilledBy(t *testing.T) {
	for name, want := range map[string]string{
		"hw/main.c":          "",
		"CMakeFiles":         "", // a file of that name
		"hw/build/main.c":    "",
		"hw/cmake_build/a.c": "",
		"hw/build/CMakeFiles/3.22.1/CompilerIdC/CMakeCCompilerId.c": "hw/build/CMakeFiles tool-written",
		"cmake-build-debug/CMakeFiles/a.c":                          "cmake-build-debug tool-written",
		"hw.zip/__MACOSX/hw/._main.c":                               "hw.zip/__MACOSX tool-written",
		"a/venv/lib/python3.11/site-packages/x/y.py":                "a/venv vendored",
		"a/node_modules/x/.vscode/settings.json":                    "a/node_modules vendored",
		"target/classes/a.properties":                               "target/classes tool-written",
		"hw/target/generated-sources/annotations/Gen.java":          "hw/target/generated-sources tool-written",
		"hw/target/Main.java":                                       "",
		"hw/target/x/classes/Main.java":                             "",
		"target/classes":                                            "",
		".idea/venv/x.py":                                           ".idea tool-written",
	} {
		dir, reason := filledBy(name)
		if got := strings.TrimSpace(dir + " " + reason); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Files of tools, which students do not write, take no part, whether they lie in a directory or in an archive.
func TestSubmissionsWithoutFilesOfTools(t *testing.T) {
	dir := t.TempDir()
	loose := map[string]string{"ann/main.py": "m", "ann/.venv/lib/x.py": "x", "ann/.venv/lib/y.py": "y", "ann/__pycache__/z.py": "z"}
	for name, text := range loose {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	packed := zipped(t, map[string]string{"main.c": "c", "build/CMakeFiles/id.c": "i", "build/CMakeFiles/j.c": "j", "node_modules/a/a.js": "a"})
	if err := os.WriteFile(filepath.Join(dir, "bob.zip"), []byte(packed), 0o666); err != nil {
		t.Fatal(err)
	}
	o := new(Opener)
	t.Cleanup(func() { o.Close() })
	parts, err := o.Units(t.Context(), []string{dir}, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{".venv vendored", "__pycache__ tool-written", "main.py=m"}, {"build/CMakeFiles tool-written", "main.c=c", "node_modules vendored"}} {
		got := walked(t, parts[i].Package)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", parts[i].Name, got, want)
		}
	}
}

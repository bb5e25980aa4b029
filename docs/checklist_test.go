package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// TestLanguageChecklist follows the list of ARCHITECTURE.md for every language that
// is there: so whoever follows it for a new one misses no file.
func TestLanguageChecklist(t *testing.T) {
	architecture := text(t, "ARCHITECTURE.md")
	_, list, ok := strings.Cut(architecture, "### Adding a language")
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]+ \\| (?:`([^`]+)` )?\\|$").FindAllStringSubmatch(list, -1)
	if !ok || len(rows) < 6 {
		t.Fatalf("ARCHITECTURE.md lists %d files", len(rows))
	}
	table := text(t, "../lang/table.go")
	languages := lang.Languages()
	if len(languages) < 18 {
		t.Skip("built without grammars")
	}
	for _, l := range languages {
		entry := regexp.MustCompile(`name: "` + l.Name + `".* grammar: "(\w+)"`).FindStringSubmatch(table)
		if entry == nil {
			t.Errorf("%s has no entry in lang/table.go", l.Name)
			continue
		}
		put := strings.NewReplacer("NAME", l.Name, "GRAMMAR", entry[1])
		for _, row := range rows {
			paths, err := filepath.Glob("../" + put.Replace(row[1]))
			if err != nil || len(paths) != 1 {
				t.Errorf("%s: %d files are %s", l.Name, len(paths), put.Replace(row[1]))
				continue
			}
			if want := put.Replace(row[2]); !strings.Contains(text(t, paths[0]), want) {
				t.Errorf("%s: %s has no %s", l.Name, row[1], want)
			}
		}
		if !strings.Contains(text(t, "../README.md"), shown(l.Name)) {
			t.Errorf("README.md does not name %s", shown(l.Name))
		}
	}
}

// shown is the name people give a language.
func shown(name string) string {
	switch name {
	case "cpp":
		return "C++"
	case "csharp":
		return "C#"
	case "javascript", "typescript":
		return strings.ToUpper(name[:1]) + name[1:4] + "Script"
	case "jsx", "tsx", "php":
		return strings.ToUpper(name)
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

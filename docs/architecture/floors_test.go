// Package architecture holds the tests of what docs/ARCHITECTURE.md says: its
// floors, the sizes of packages and functions, the paths it names.
package architecture

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/git-provenance/git-provenance/"

// floors returns the packages of ARCHITECTURE's list from the ground up. A
// package may import those above its own line in this order, and of outside
// modules what guards allow.
func floors(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Floors\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var out []string
	for i, block := range strings.Split(section, "```") {
		if i%2 == 0 {
			continue
		}
		for line := range strings.Lines(strings.TrimLeft(block, "\n")) {
			out = append(out, strings.Fields(line)[0])
		}
	}
	slices.Reverse(out)
	return out
}

// guards names outside modules that only the listed packages may import.
var guards = map[string][]string{
	"C":                                {"lang/internal/sitter"},
	"github.com/smacker/":              {"lang/internal/sitter"},
	"github.com/tree-sitter/":          {"lang/internal/sitter"},
	"github.com/tree-sitter-grammars/": {"lang/internal/sitter"},
	"github.com/go-git/":               {"scanner/git", "scanner/git/internal/object"},
	"github.com/spf13/":                {"cmd", "cmd/internal/config", "cmd/internal/manual"},
	"gopkg.in/yaml.v3":                 {"cmd/internal/config", "cmd/internal/places", "baseline/bounded", "baseline/lockfile", "scanner/self"},
	"github.com/google/go-github/":     {"action"},
	"github.com/modelcontextprotocol/": {"cmd/internal/assistant"},
	"github.com/BurntSushi/":           {"baseline/license", "baseline/lockfile", "cmd/internal/places"},
	"github.com/getkin/":               {"action/internal/ghmock"},
	"github.com/CycloneDX/":            {"scanner/report/internal/inventory"},
	"github.com/spdx/":                 {"scanner/report/internal/inventory"},
	"html/template":                    {"scanner/report/internal/html"},
	"net/http":                         {"baseline/baselinetest/s3test", "baseline/source", "baseline/source/web", "action", "action/internal/ghmock", "cmd/internal/clone"},
	"github.com/minio/":                {"baseline/shared/s3"},
	"github.com/johannesboyne/":        {"baseline/baselinetest/s3test"},
	"github.com/apache/":               {}, // of baseline/beam, which is a module of its own
	"github.com/jackc/":                {"baseline/shared/postgres", "baseline/baselinetest/pgtest"},
	"os/exec":                          {"baseline/baselinetest/pgtest", "scanner/git/gittest", "cmd/internal/conformance", "cmd", "cmd/internal/clone", "cmd/internal/places", "scanner/git"},
}

// alone lists packages that import no other package of the project, except
// baseline/disk, lang/marks and the packages below themselves.
var alone = []string{"baseline/disk", "baseline/shared", "baseline/fingerprint", "baseline/segment", "baseline/license", "baseline/purl", "scanner/git", "scanner/attribution", "scanner/report/escape"}

type pkg struct {
	ImportPath, Dir                   string
	GoFiles, CgoFiles, IgnoredGoFiles []string
	TestGoFiles, XTestGoFiles         []string
	Imports                           []string
}

func load(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var ps []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return ps
		} else if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
}

func TestFloors(t *testing.T) {
	level := make(map[string]int)
	for i, f := range floors(t) {
		if _, err := os.Stat("../../" + f); err != nil || level[f] > 0 {
			t.Errorf("docs/ARCHITECTURE.md lists %s, which is no package, or lists it twice", f)
		}
		level[f] = i
	}
	ps := load(t)
	if len(ps) < 10 {
		t.Fatalf("go list found %d packages only", len(ps))
	}
	for _, p := range ps {
		name := strings.TrimPrefix(p.ImportPath, module)
		own, ok := level[name]
		if !ok {
			t.Errorf("package %s has no floor: give it one in docs/ARCHITECTURE.md", name)
			continue
		}
		for _, imp := range p.Imports {
			low, ours := strings.CutPrefix(imp, module)
			if ours && level[low] >= own {
				t.Errorf("%s imports %s, which is not below it", name, low)
			}
			if ours && slices.Contains(alone, name) && low != "baseline/disk" && low != "lang/marks" && !strings.HasPrefix(low, name+"/") {
				t.Errorf("%s imports %s; it is to know nothing of ours", name, low)
			}
			guard(t, name, imp)
		}
	}
}

func guard(t *testing.T, name, imp string) {
	for prefix, allowed := range guards {
		if (imp == prefix || strings.HasSuffix(prefix, "/") && strings.HasPrefix(imp, prefix)) && !slices.Contains(allowed, name) {
			t.Errorf("%s imports %s, which belongs to %v", name, imp, allowed)
		}
	}
}

// Package architecture holds the test of the floors; docs/ARCHITECTURE.md draws them.
package architecture

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/git-provenance/git-provenance/"

// floors lists the packages from the ground up. A package may import those
// above its own line in this list, and of outside modules what guards allow.
var floors = []string{
	"lang/internal/token",
	"lang/internal/sitter",
	"lang/internal/lex",
	"lang/internal/notebook",
	"lang/internal/notcode",
	"lang",
	"lang/langtest",
	"baseline/disk",
	"baseline/fingerprint",
	"baseline/segment",
	"baseline/license",
	"baseline/purl",
	"baseline/model",
	"baseline/comments",
	"baseline/pairs",
	"baseline/tables",
	"baseline/lockfile",
	"baseline/source/manifest",
	"baseline/source/files",
	"baseline/source/installed",
	"baseline/source/remote",
	"baseline/source/web",
	"baseline/source",
	"baseline/store",
	"baseline/internal/blame",
	"baseline/internal/generation",
	"baseline/internal/transport",
	"baseline/internal/learning",
	"baseline/internal/survey",
	"baseline/internal/maker",
	"baseline/shared",
	"baseline/shared/postgres",
	"baseline/shared/s3",
	"baseline/baselinetest/s3test",
	"baseline/baselinetest/pgtest",
	"baseline/baselinetest",
	"baseline",
	"scanner/algorithms/hashes",
	"scanner/algorithms/match",
	"scanner/git/internal/inflate",
	"scanner/git/internal/object",
	"scanner/git/ignore",
	"scanner/score/internal/pairing",
	"scanner/score",
	"scanner/algorithms/derived",
	"scanner/git",
	"scanner/basecode",
	"scanner/self",
	"scanner/attribution",
	"scanner/syntax/helpers",
	"scanner/syntax/contract",
	"scanner/syntax/functions",
	"scanner/syntax/declared",
	"scanner/syntax/imports",
	"scanner/finding",
	"scanner/vendored",
	"scanner/syntax/trace",
	"scanner/versions",
	"scanner/verdict",
	"scanner/examine/internal/changed",
	"scanner/examine/internal/lookup",
	"scanner/examine/internal/filter",
	"scanner/examine/internal/library",
	"scanner/examine/internal/text",
	"scanner/examine/internal/evidence",
	"scanner/examine/internal/prove",
	"scanner/examine/internal/region",
	"scanner/examine/internal/remarks",
	"scanner/examine/internal/edited",
	"scanner/examine/internal/origins",
	"scanner/examine/internal/describe",
	"scanner/examine",
	"scanner/pool",
	"scanner/similar/collection",
	"scanner/past",
	"scanner/history",
	"scanner/algorithms/parameterized",
	"scanner/algorithms/sketch",
	"scanner/similar/likeness",
	"scanner/algorithms/suffix",
	"scanner",
	"scanner/dating",
	"scanner/eval/internal/corpus",
	"scanner/eval/internal/excerpt",
	"scanner/eval/internal/measure",
	"scanner/eval/internal/licences",
	"scanner/eval/internal/refit",
	"scanner/eval/internal/calibrate",
	"scanner/eval/internal/evolution",
	"scanner/eval/internal/papers",
	"scanner/eval/internal/plagiarism",
	"scanner/eval",
	"scanner/similar",
	"scanner/policy",
	"scanner/report/escape",
	"scanner/report/order",
	"scanner/report/words",
	"scanner/report/jsonform",
	"scanner/report/internal/sides",
	"scanner/report/text",
	"scanner/report/workflow",
	"scanner/report/markdown",
	"scanner/report/sarif",
	"scanner/report/internal/inventory",
	"scanner/report/internal/html",
	"scanner/report",
	"scanner/report/internal/reporttest",
	"action/internal/ghmock",
	"action",
	"cmd/internal/consoletest",
	"cmd/internal/console",
	"cmd/internal/holdings",
	"cmd/internal/indexing",
	"cmd/internal/places",
	"cmd/internal/repos",
	"cmd/internal/value",
	"cmd/internal/config",
	"cmd/internal/clone",
	"cmd/internal/units",
	"cmd/internal/target",
	"cmd/internal/advice",
	"cmd/internal/manual",
	"cmd",
	"cmd/git-provenance",
	"baseline/baselinetest/conformance",
	"docs/architecture",
	"docs",
}

// guards names outside modules that only the listed packages may import.
var guards = map[string][]string{
	"C":                                {"lang/internal/sitter"},
	"github.com/smacker/":              {"lang/internal/sitter"},
	"github.com/tree-sitter/":          {"lang/internal/sitter"},
	"github.com/tree-sitter-grammars/": {"lang/internal/sitter"},
	"github.com/go-git/":               {"scanner/git", "scanner/git/internal/object"},
	"github.com/spf13/":                {"cmd", "cmd/internal/config", "cmd/internal/manual"},
	"gopkg.in/yaml.v3":                 {"cmd/internal/config", "cmd/internal/places", "baseline/lockfile", "baseline/source/manifest", "scanner/self"},
	"github.com/google/go-github/":     {"action"},
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
	"os/exec":                          {"baseline/baselinetest/pgtest", "baseline/baselinetest/conformance", "cmd", "cmd/internal/clone", "cmd/internal/places", "scanner/git"},
}

// alone lists packages that import no other package of the project, except
// baseline/disk and the packages below themselves.
var alone = []string{"baseline/disk", "baseline/shared", "baseline/fingerprint", "baseline/segment", "baseline/license", "baseline/purl", "scanner/git", "scanner/attribution", "scanner/report/escape"}

type pkg struct {
	ImportPath, Dir           string
	GoFiles, IgnoredGoFiles   []string
	TestGoFiles, XTestGoFiles []string
	Imports                   []string
}

func load(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Imports", module+"...").Output()
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
	for i, f := range floors {
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
			t.Errorf("package %s has no floor: give it one here and in docs/ARCHITECTURE.md", name)
			continue
		}
		for _, imp := range p.Imports {
			low, ours := strings.CutPrefix(imp, module)
			if ours && level[low] >= own {
				t.Errorf("%s imports %s, which is not below it", name, low)
			}
			if ours && slices.Contains(alone, name) && low != "baseline/disk" && !strings.HasPrefix(low, name+"/") {
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

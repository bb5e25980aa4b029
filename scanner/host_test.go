package scanner_test

import (
	"fmt"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// TestNamesOfAHost: two extensions of one host call it in the order that it fixes. That is no finding, unless another file of the origin's
// package declares what is called: then the target has code of that package.
func TestNamesOfAHost(t *testing.T) {
	calls := "\tplugin_std_init(it, of);\n\tplugin_properties_init(it, PLUGIN_DEFAULT_FLAGS);\n\tif (plugin_handlers_copy(it, of) == PLUGIN_FAILURE)\n\t\tplugin_abort(PLUGIN_EMPTY);\n" +
		"\tit->handlers = &plugin_default_handlers;\n\tplugin_register(it);\n"
	extension := func(before, after string) string { return before + calls + after }
	header := "#define PLUGIN_EMPTY 0\n#define PLUGIN_FAILURE -1\n#define PLUGIN_DEFAULT_FLAGS 1\ntypedef struct PluginClass PluginClass;\nextern struct handlers plugin_default_handlers;\n"
	for _, c := range []string{"std_init", "properties_init", "handlers_copy", "abort", "register"} {
		header += fmt.Sprintf("int plugin_%s(void *it, ...);\n", c)
	}
	target := files{"shape.c": extension("void shape_create(PluginClass *of, int sides)\n{\n\tobject *it = make(sides + 4);\n", "\tfor (int i = 0; i < sides; i++) add(it, i);\n}\n")}.dir(t)
	found := func(least float64, known files) []finding.Finding {
		b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", known}, pack{"pkg:golang/std@1", "BSD-3-Clause", "2020-01-01", stdPackages(t, "sort", "go/scanner")})
		return tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: least}}, b), target).Findings
	}
	calling := files{"geo.c": extension("static int geo_open(PluginClass *of, char *name)\n{\n\tobject *it;\n\twhile (*name) name++;\n\tit = find(name);\n", "\treturn name[-1] != 0 ? it->id : -1;\n}\n")}
	all := found(score.Enough-0.001, calling)
	if len(all) != 1 || all[0].ScoredBy.Above < 0 || score.Doubted(all[0].Score, all[0].ScoredBy.Unchanged) || all[0].Score >= score.Credible {
		t.Fatalf("no match that only the names of the host can make doubtful: %+v", all)
	}
	if fs := found(examine.DefaultMinScore, calling); len(fs) > 0 {
		t.Errorf("score %v: %s:%d", fs[0].Score, fs[0].Path, fs[0].StartLine)
	}
	calling["include/plugin.h"] = header
	if fs := found(examine.DefaultMinScore, calling); len(fs) != 1 {
		t.Errorf("%d findings if a header of the package declares the names", len(fs))
	}
}

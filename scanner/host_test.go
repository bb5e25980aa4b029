package scanner_test

import (
	"fmt"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// besideStd scans a target with a baseline of known code and two packages of the standard library.
func besideStd(t *testing.T, known files, target string, least float64) []finding.Finding {
	t.Helper()
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", known}, pack{"pkg:golang/std@1", "BSD-3-Clause", "2020-01-01", stdPackages(t, "sort", "go/scanner")})
	return tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: least}}, b), target).Findings
}

// onlyDoubted fails unless there is one match, which has the bits and the score of a finding, and is no finding since its names are
// those of others. Below the default of --min-score such matches are listed.
func onlyDoubted(t *testing.T, found func(least float64) []finding.Finding) {
	t.Helper()
	all := found(score.Enough - 0.001)
	if len(all) != 1 || all[0].ScoredBy.Above < 0 || score.Doubted(all[0].Score, all[0].ScoredBy.Unchanged) || all[0].Score >= score.Credible {
		t.Fatalf("no match that only the names of others can make doubtful: %+v", all)
	}
	if fs := found(examine.DefaultMinScore); len(fs) > 0 {
		t.Errorf("score %v: %s:%d", fs[0].Score, fs[0].Path, fs[0].StartLine)
	}
}

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
	found := func(least float64, known files) []finding.Finding { return besideStd(t, known, target, least) }
	calling := files{"geo.c": extension("static int geo_open(PluginClass *of, char *name)\n{\n\tobject *it;\n\twhile (*name) name++;\n\tit = find(name);\n", "\treturn name[-1] != 0 ? it->id : -1;\n}\n")}
	onlyDoubted(t, func(least float64) []finding.Finding { return found(least, calling) })
	calling["include/plugin.h"] = header
	if fs := found(examine.DefaultMinScore, calling); len(fs) != 1 {
		t.Errorf("%d findings if a header of the package declares the names", len(fs))
	}
}

// TestOverridesOfAHost: two classes that override the methods of one library's class declare none of their names. That is no finding,
// unless the package of the origin has that class.
func TestOverridesOfAHost(t *testing.T) {
	insns := []string{"Operand", "Variable", "Field", "Jump", "Switch", "Increment"}
	class := func(name, body string) string {
		out := "package own." + name + ";\n\npublic class " + name + " extends InsnReader {\n"
		for i, insn := range insns {
			out += fmt.Sprintf("\t@Override\n\tpublic void read%sInsn(int insnOpcode, Tag %sOperand) {\n\t\t"+body+"\n\t}\n", insn, insn, i)
		}
		return out + "}\n"
	}
	host := "package host;\n\npublic abstract class InsnReader {\n"
	for _, insn := range insns {
		host += fmt.Sprintf("\tpublic void read%sInsn(int insnOpcode, Tag %sOperand) {\n\t}\n", insn, insn)
	}
	target := files{"Counter.java": class("Counter", "total[%d]++;")}.dir(t)
	found := func(least float64, known files) []finding.Finding { return besideStd(t, known, target, least) }
	calling := files{"Printer.java": class("Printer", "if (loud) out.add(names, %d);")}
	onlyDoubted(t, func(least float64) []finding.Finding { return found(least, calling) })
	calling["host/InsnReader.java"] = host
	if fs := found(examine.DefaultMinScore, calling); len(fs) == 0 {
		t.Error("no finding if the package has the class")
	}
}

// TestNamesBothImport: what both sides import from one place is nobody's evidence, even if the package of the origin has it. A target
// that has it in a package of its own may be a copy.
func TestNamesBothImport(t *testing.T) {
	card := func(imports, name, rest string) string {
		return "package own\n\n" + imports + "\n@CardView(autoLayout = CardView.Layout.MATCH_CARD_HEIGHT)\n@CardStyle(CardColors.DARK_ON_LIGHT, CardSizes.WIDE_ROW)\nclass " + name +
			" : CardFrame(CardContext.currentFrame(), CardAttributes.noneOfThem()) {\n\t" + rest + "\n}\n"
	}
	lib, own := "", ""
	host := "package com.cards\n\nval autoLayout = 1\nval MATCH_CARD_HEIGHT = 2\nval DARK_ON_LIGHT = 3\nval WIDE_ROW = 4\nfun currentFrame() = 5\nfun noneOfThem() = 6\n"
	for _, name := range []string{"CardView", "CardStyle", "CardColors", "CardSizes", "CardContext", "CardAttributes", "CardFrame"} {
		lib += "import com.cards." + name + "\n"
		own += "import org.mine." + name + "\n"
		host += "open class " + name + "\n"
	}
	known := files{"Sample.kt": card(lib, "RowSample", "fun load(n: Int) = n + 2"), "Cards.kt": host}
	found := func(least float64, imports string) []finding.Finding {
		return besideStd(t, known, files{"Price.kt": card(imports, "PriceTag", "val cents by lazy { 3 }")}.dir(t), least)
	}
	onlyDoubted(t, func(least float64) []finding.Finding { return found(least, lib) })
	if fs := found(examine.DefaultMinScore, own); len(fs) != 1 {
		t.Errorf("%d findings if the target imports other classes", len(fs))
	}
}

// TestMembersBothImport: calls on variables whose type both sides import are nobody's evidence, even if the package of the origin has the
// type. A target that has it in a package of its own may be a copy.
func TestMembersBothImport(t *testing.T) {
	calls := []string{"emitHeader", "emitVariable", "emitInvocation", "emitFieldOf", "emitLabel", "emitJump", "emitTableSwitch", "emitReturn", "emitTrailer"}
	text := func(from, name, before, after string) string {
		out := "package own." + name + ";\n\nimport " + from + ".CodeEmitter;\n\nclass " + name + " {\n" + before
		for _, call := range calls {
			out += "\t\tsink." + call + "(n);\n"
		}
		return out + after + "}\n"
	}
	host := "package com.code;\n\npublic class CodeEmitter {\n"
	for _, call := range calls {
		host += "\tpublic void " + call + "(int n) {}\n"
	}
	known := files{"own/Adder.java": text("com.code", "Adder", "\tbyte[] add(CodeEmitter sink, int n) {\n", "\t\treturn sink.bytes();\n\t}\n"), "com/code/CodeEmitter.java": host + "}\n"}
	found := func(least float64, from string) []finding.Finding {
		return besideStd(t, known, files{"Probe.java": text(from, "Probe", "\tvoid probe(int n, CodeEmitter sink) {\n\t\tif (n > 9) throw new Error();\n", "\t\tcount += n;\n\t}\n")}.dir(t), least)
	}
	onlyDoubted(t, func(least float64) []finding.Finding { return found(least, "com.code") })
	if fs := found(examine.DefaultMinScore, "org.mine"); len(fs) != 1 {
		t.Errorf("%d findings if the target imports another type", len(fs))
	}
}

package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// piping implements a trait for a type. The template of the method bodies decides what the code does.
func piping(typ, body string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "use conduit::{Conduit, Parcelled, Spillway};\n\npub struct %s<R> {\n    own: R,\n}\n\nimpl<R: Parcelled + Unpin> Conduit for %s<R> {\n    type Parcel = R::Item;\n", typ, typ)
	for _, name := range strings.Fields("pull_parcel push_parcel drain_spillway seal_conduit rewind_parcel splice_spillway") {
		fmt.Fprintf(&out, "\n    fn %s(self: Pin<&mut Self>, ctx: &mut Context<'_>, spill: &mut Spillway<'_>) -> Poll<Result<usize, ConduitError>> {\n%s\n    }\n",
			name, strings.ReplaceAll(body, "NAME", name))
	}
	return out.String() + "}\n"
}

// TestContract: two types that implement one trait are not copies by its signatures, but can be by their bodies.
func TestContract(t *testing.T) {
	const does = `        let window = self.own.lookahead_window(ctx)?;
        if window.pending_frames() > self.own.high_watermark() {
            ctx.waker().wake_by_ref();
            return Poll::Pending;
        }
        spill.extend_from(window.NAME());`
	known := piping("Gzipped", does)
	b := based(t, pack{"pkg:cargo/gzipped@1.2.0", "MIT", "2020-01-01", files{"lib.rs": known}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"another implementation", piping("Metered", "        self.get_mut().own.NAME(ctx)"), false},
		{"a copy of what the methods do", piping("Metered", does), true},
		{"a copy", known, true},
	} {
		report := tree(t, scan(t, scanner.Options{}, b), files{"own.rs": c.text}.dir(t))
		for _, f := range report.Findings {
			t.Logf("%s: %d-%d %q", c.name, f.StartLine, f.EndLine, f.Reasons)
		}
		if found := len(report.Findings) > 0; found != c.want {
			t.Errorf("%s is found: %v, want %v", c.name, found, c.want)
		}
	}
}

// TestContractOfItsName: an implementation is no copy of the trait, also if its type has the name of the trait.
func TestContractOfItsName(t *testing.T) {
	methods := func(end string) string {
		var out strings.Builder
		for _, name := range strings.Fields("pull_parcel push_parcel drain_spillway seal_conduit rewind_parcel splice_spillway weigh_parcel tunnel_parcel") {
			fmt.Fprintf(&out, "\n    fn %s<W>(self, warden: W) -> Result<W::Parcel, Self::Fault>\n    where\n        W: Warden<'cd>%s\n", name, strings.ReplaceAll(end, "NAME", name))
		}
		return out.String() + "}\n"
	}
	trait := "pub trait Conduit<'cd>: Sized {\n    type Fault: Fault;\n" + methods(";")
	b := based(t, pack{"pkg:cargo/conduit@1.2.0", "MIT", "2020-01-01", files{"lib.rs": trait}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	body := ",\n    {\n        Err(Fault::new(\"NAME is not here\"))\n    }"
	for _, typ := range []string{"Conduit", "Tin"} {
		text := "pub struct " + typ + "<'a> {\n    own: &'a [u8],\n}\n\nimpl<'cd> conduit::Conduit<'cd> for &mut " + typ + "<'cd> {\n    type Fault = Fault;\n" + methods(body)
		if fs := tree(t, scan(t, scanner.Options{}, b), files{"own.rs": text}.dir(t)).Findings; len(fs) > 0 {
			t.Errorf("%s is accused: %d-%d %q", typ, fs[0].StartLine, fs[0].EndLine, fs[0].Reasons)
		}
	}
	if fs := tree(t, scan(t, scanner.Options{}, b), files{"own.rs": "use std::fmt;\n\n" + trait}.dir(t)).Findings; len(fs) == 0 {
		t.Error("a copy of the trait is not found")
	}
}

// TestContractOfJava: a class is no copy of the interface that it implements. Its bodies can be copies of other bodies.
func TestContractOfJava(t *testing.T) {
	var declared, implemented, copied strings.Builder
	declared.WriteString("package conduit;\n\npublic interface PooledConduit extends Conduit {\n")
	implemented.WriteString("package own;\n\nclass Test {\n    PooledConduit wrap(PooledConduit inner) {\n        return new PooledConduit() {\n")
	for _, name := range strings.Fields("openTowards tunnelTarget tunnelProxy layerProtocol markReusable unmarkReusable sealSpillway") {
		head := fmt.Sprintf("boolean %s(SpillwayRoute route, ConduitContext context, Map<String, Parcel> parcels) throws ConduitException, SpillwayException", name)
		fmt.Fprintf(&declared, "\n    %s;\n", head)
		fmt.Fprintf(&implemented, "\n            @Override\n            public %s {\n                return inner.%s(route, context, parcels);\n            }\n", head, name)
		fmt.Fprintf(&copied, "\n    %s;\n", head)
	}
	declared.WriteString("}\n")
	implemented.WriteString("        };\n    }\n}\n")
	b := based(t, pack{"pkg:maven/org.conduit/conduit@1.2.0", "MIT", "2020-01-01", files{"PooledConduit.java": declared.String()}},
		pack{"pkg:maven/org.other/other@1.2.0", "MIT", "2020-01-01", files{"Other.java": implemented.String()}})
	for _, c := range []struct {
		name, text string
		origin     string
	}{
		{"a copy of the interface", "package own;\n\npublic interface Mine {\n" + copied.String() + "}\n", "pkg:maven/org.conduit/conduit@1.2.0"},
		{"another implementation", strings.ReplaceAll(implemented.String(), "inner", "wrapped"), "pkg:maven/org.other/other@1.2.0"},
	} {
		report := tree(t, scan(t, scanner.Options{}, b), files{"Own.java": c.text}.dir(t))
		for _, f := range report.Findings {
			if f.Origins[0].PURL != c.origin {
				t.Errorf("%s: %s", c.name, f.Origins[0].PURL)
			}
		}
		if len(report.Findings) == 0 {
			t.Errorf("%s is not found", c.name)
		}
	}
	only := based(t, pack{"pkg:maven/org.conduit/conduit@1.2.0", "MIT", "2020-01-01", files{"PooledConduit.java": declared.String()}})
	if fs := tree(t, scan(t, scanner.Options{}, only), files{"Own.java": implemented.String()}.dir(t)).Findings; len(fs) > 0 {
		t.Errorf("an implementation is accused of its interface: %d-%d %q", fs[0].StartLine, fs[0].EndLine, fs[0].Reasons)
	}
}

// TestSphinxSettings: in a conf.py of sphinx-quickstart, only the functions and classes that people added are examined.
func TestSphinxSettings(t *testing.T) {
	settings := "# Configuration file for the Sphinx documentation builder.\n\nproject = 'Conduit'\n\n# -- General configuration ---\n\nextensions = ['sphinx.ext.autodoc', 'sphinx.ext.linkcode', 'conduit_theme.pages']\n" +
		"templates_path = ['_templates', '_conduit']\nexclude_patterns = ['_build', 'spillway', 'parcels']\nconduit_theme_options = {'spillway_width': 1200, 'parcel_depth': 7, 'sealed': True}\nhtml_theme = 'conduit_theme'\nhtml_static_path = ['_static']\n\n\n"
	added := "def conduit_resolve(spillway_app, domain_parcel):\n    sealed_module = spillway_app.registry.sealed_module_of(domain_parcel['module'])\n" +
		"    if sealed_module is None or domain_parcel['domain'] != 'conduit-py':\n        return spillway_app.fallback_link(domain_parcel, depth=3)\n" +
		"    first_line, lines_below = spillway_app.span_of(sealed_module, domain_parcel['fullname'])\n    for step_name in domain_parcel['fullname'].split('.'):\n        sealed_module = spillway_app.descend(sealed_module, step_name)\n" +
		"    return 'https://conduit.example/%s#L%d-L%d' % (sealed_module.spill_path, first_line, first_line + lines_below)\n"
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:pypi/conduit@1.0", "MIT", "2020-01-01", files{"docs/conf.py": settings + added}}))
	f := one(t, tree(t, s, files{"doc/conf.py": settings + "\n" + added}.dir(t), "doc/conf.py"))
	if want := strings.Count(settings, "\n") + 2; f.StartLine < want {
		t.Errorf("lines %d-%d, want from %d on", f.StartLine, f.EndLine, want)
	}
	none := strings.ReplaceAll("def own(app):\n    app.first()\n    app.second(1, app.third)\n", "own", "setup")
	if fs := tree(t, s, files{"doc/conf.py": settings + none}.dir(t), "doc/conf.py").Findings; len(fs) > 0 {
		t.Errorf("settings are accused: %d-%d", fs[0].StartLine, fs[0].EndLine)
	}
}

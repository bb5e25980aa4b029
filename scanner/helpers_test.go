package scanner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
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
	minified := strings.NewReplacer("NAME", "w", "source", "e", "visitor", "t", "queue", "n", "depth", "r", "visited.", "o.", "visited =", "o =", "current", "i", "siblings", "a", "index", "s").Replace(walker)
	for _, c := range []struct {
		name, origin, target string
		copies               bool
	}{
		{"a helper on both sides", named("_slicedToArray"), named("_slicedToArray$1"), false},
		{"a copy named like a helper", named("walk"), named("_slicedToArray"), true},
		{"a helper that was given a name", named("_slicedToArray"), named("walk"), true},
		{"a helper that was minified", minified, named("_slicedToArray"), false},
		{"a copy of minified code", minified, named("walk"), true},
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

// TestCommentedTemplate: the comments of a template, whose language is not read, are documentation. Its settings are not.
func TestCommentedTemplate(t *testing.T) {
	var comment, settings strings.Builder
	for i := range 30 {
		fmt.Fprintf(&comment, "  # The %d. value of part%d is read as duration%d, with a fraction like scale%d and a unit.\n", i, i*i%31, i*7%13, i*7919%613)
		fmt.Fprintf(&settings, "  part%d: scale%d / duration%d {{ weight%d }}\n", i*i%31, i*7919%613, i*7%13, i%5)
	}
	b := based(t, pack{"pkg:generic/times@1.0.0", "MIT", "2020-01-01", files{"times.md": comment.String(), "times.yml.jinja": settings.String()}})
	for text, want := range map[string]bool{comment.String(): true, settings.String(): false} {
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"own.yml.jinja": "own: {{ value }}\n" + text + "last: {{ end }}\n"}.dir(t)))
		if f.Documentation != want {
			t.Errorf("%.60s: documentation %t", text, f.Documentation)
		}
	}
}

// TestScaffold: the tests that Angular's command writes for each component are no copies of each other; tests that are one's own are.
func TestScaffold(t *testing.T) {
	scaffold := func(name, own string) string {
		return strings.NewReplacer("NAME", name, "OWN", own).Replace("import { ComponentFixture, TestBed } from '@angular/core/testing';\nimport { NAME } from './x';\n\ndescribe('NAME', () => {\n" +
			"  let component: NAME;\n  let fixture: ComponentFixture<NAME>;\n\n  beforeEach(async () => {\n    await TestBed.configureTestingModule({\n      declarations: [ NAME ]\n    })\n    .compileComponents();\n  });\n\n" +
			"  beforeEach(() => {\n    fixture = TestBed.createComponent(NAME);\n    component = fixture.componentInstance;\n    fixture.detectChanges();\n  });\n\n  it('should create', () => {\n    expect(component).toBeTruthy();\n  });\nOWN});\n")
	}
	own := "\n  it('visits', () => {\n" + strings.ReplaceAll(walker, "NAME", "walk") + "\n  });\n"
	b := based(t, pack{"pkg:npm/cards@1.0.0", "MIT", "2020-01-01", files{"card.spec.ts": scaffold("CardComponent", own)}})
	for _, c := range []struct {
		name, target string
		copies       bool
	}{
		{"a scaffold", scaffold("QuotaComponent", "  const quota = load(3);\n"), false},
		{"a copied test", scaffold("QuotaComponent", own), true},
	} {
		r := tree(t, scan(t, scanner.Options{}, b), files{"quota.spec.ts": c.target}.dir(t))
		if (len(r.Findings) > 0) != c.copies {
			t.Errorf("%s: %d findings", c.name, len(r.Findings))
		}
	}
}

// machine returns the output of a parser generator for a grammar, whose states have the given numbers.
func machine(name string, by int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#line 1 \"%s.rl\"\nint %s_own(int a) { return a * %d; }\n", name, name, by)
	fmt.Fprintf(&b, "\n#line 5 \"%s.c\"\nint %s_run(struct %s_reader *in, const char *p, const char *pe) {\n", name, name, name)
	for i := range 40 {
		fmt.Fprintf(&b, "st%d:\n\tif ( ++p == pe )\n\t\tgoto %s_out%d;\ncase %d:\n\tif ( (*p) > %d && in->%s_depth < %d ) goto %s_st%d;\n", i*i, name, i*by, i*by, i*by%90, name, i*by%7, name, i*by%40)
	}
	fmt.Fprintf(&b, "}\n#line 90 \"%s.rl\"\nint %s_rest;\n", name, name)
	return b.String()
}

// TestGeneratedParsers: two grammars have the same frame from one generator. A parser that was copied has the same names and numbers
// as well.
func TestGeneratedParsers(t *testing.T) {
	b := based(t, pack{"pkg:generic/http@1.0.0", "MIT", "2020-01-01", files{"http.c": machine("http", 3)}})
	unmarked := strings.NewReplacer("#line", "// line").Replace(machine("cli", 5))
	for _, c := range []struct {
		name, target string
		copies       bool
	}{
		{"another grammar", machine("cli", 5), false},
		{"the same frame, with nothing that says who wrote it", unmarked, true},
		{"a copied parser", strings.Replace(machine("http", 3), "http_own", "own", 1), true},
	} {
		r := tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: score.Enough - 0.001}}, b), files{"x.c": c.target}.dir(t))
		if (len(r.Findings) > 0) != c.copies {
			t.Errorf("%s: %d findings", c.name, len(r.Findings))
		}
	}
}

// TestTable: a finding in a table of numbers or a list of named ones says so, because two people who write down a character set, or the
// constants of a standard, write the same numbers. Code with numbers is no table.
func TestTable(t *testing.T) {
	var table, code, list, steps, counted, fields strings.Builder
	for i := range 24 {
		fmt.Fprintf(&list, "\tDW_FORM_part%d Form = 0x%02x // class %d\n", i*i%31, i*7919%613, i)
		fmt.Fprintf(&counted, "\tDW_CFA_part%d // class %d\n", i*7919%613, i)
		fmt.Fprintf(&fields, "\tpart%d scale%d\n", i*7919%613, i%7)
		fmt.Fprintf(&steps, "\tpart%d := scale%d(0x%02x, weight%d)\n", i*i%31, i%7, i*7919%613, i%5)
	}
	for i := range 120 {
		fmt.Fprintf(&table, "  0x%04x, 0x%04x,\n", 0x2500+i*i%977, 0x400+i*7919%613)
		fmt.Fprintf(&code, "  total%d = scale%d(0x%04x, weight%d) + 0x%04x;\n", i, i%7, 0x2500+i*i%977, i%5, 0x400+i*7919%613)
	}
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"table.c": {"static const unsigned short chars[] = {\n" + table.String() + "};\n", true},
		"code.c":  {"void sum(void) {\n" + code.String() + "}\n", false},
		"list.go": {"package forms\n\nconst (\n" + list.String() + ")\n", true},
		"list.c":  {"enum forms {\n" + strings.NewReplacer(" Form", "", " // class", ", // class").Replace(list.String()) + "};\n", true},
		"iota.go": {"package forms\n\nconst (\n\tDW_CFA_first = iota\n" + counted.String() + ")\n", true},
		"type.go": {"package forms\n\ntype form struct {\n" + fields.String() + "}\n", false},
		"step.go": {"package forms\n\nfunc sum() {\n" + steps.String() + "}\n", false},
	} {
		b := based(t, pack{"pkg:generic/chars@1.0.0", "MIT", "2020-01-01", files{name: c.text}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{name: c.text}.dir(t)))
		if f.Table != c.want {
			t.Errorf("%s: table %v", name, f.Table)
		}
	}
}

// TestFields: equals is part of a copied class if both sides have the same fields. With other fields, a tool wrote both.
func TestFields(t *testing.T) {
	const equals = `class Voucher {
  @Override
  public boolean equals(Object candidate) {
    if (!(candidate instanceof Voucher)) {
      return false;
    }
    Voucher voucher = (Voucher) candidate;
    return redemptionCode.equals(voucher.redemptionCode)
        && discountTier.equals(voucher.discountTier)
        && issuingBranch.equals(voucher.issuingBranch);
  }
}
`
	b := based(t, pack{"pkg:maven/org.example/voucher@1.0.0", "MIT", "2020-01-01", files{"Voucher.java": equals}})
	other := strings.NewReplacer("Voucher", "Berth", "voucher", "berth", "redemptionCode", "harbourMaster", "discountTier", "keelDepth", "issuingBranch", "mooringLine").Replace(equals)
	for _, c := range []struct {
		name, target string
		copies       bool
	}{{"the same fields", equals, true}, {"other fields", other, false}} {
		r := tree(t, scan(t, scanner.Options{}, b), files{"Lib.java": "interface Other { int limit(); }\n" + c.target}.dir(t))
		if (len(r.Findings) > 0) != c.copies {
			t.Errorf("%s: %d findings", c.name, len(r.Findings))
		}
	}
}

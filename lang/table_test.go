package lang

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// lists returns the symbol names of a spec by the name of their list.
func lists(s *spec) map[string][]string {
	out := map[string][]string{}
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch name {
		case "name", "family", "grammar", "version", "opening":
			continue
		}
		if v.Field(i).Kind() != reflect.String {
			continue
		}
		for _, symbol := range strings.Fields(v.Field(i).String()) {
			if name == "renames" {
				symbol, _, _ = strings.Cut(symbol, "=")
			}
			out[name] = append(out[name], symbol)
		}
	}
	return out
}

// The table names what the grammar has, each once, and leaves out no leaf: a
// grammar that changes its names fails here.
func TestTableFitsGrammars(t *testing.T) {
	for _, l := range grammars(t) {
		have, literal := map[string]sitter.Symbol{}, map[string]bool{}
		for _, s := range l.grammar().Symbols() {
			if s.Named && s.Visible {
				have[s.Name] = s
			}
			literal[s.Name] = literal[s.Name] || !s.Named
		}
		listed := map[string]string{}
		for list, names := range lists(l.spec) {
			for _, name := range names {
				_, ok := have[name]
				if list == "names" || list == "apart" || list == "layout" {
					ok, name = literal[name], "literal "+name
				}
				if !ok {
					t.Errorf("%s: the grammar has no %q (%s)", l.Name, name, list)
				}
				if before, ok := listed[name]; ok {
					t.Errorf("%s: %q is in %s and %s", l.Name, name, before, list)
				}
				listed[name] = list
			}
		}
		for name, s := range have {
			if s.Terminal && listed[name] == "" && name != "ERROR" {
				t.Errorf("%s: leaf %q is in no list", l.Name, name)
			}
		}
	}
}

// A kind is the hash of a name; two names with one hash would be one token.
func TestKindsDoNotCollide(t *testing.T) {
	names := map[uint32]string{}
	add := func(name string) {
		if before, ok := names[kindOf(name)]; ok && before != name {
			t.Errorf("%q and %q have the same kind", before, name)
		}
		names[kindOf(name)] = name
	}
	for _, l := range grammars(t) {
		for _, s := range l.grammar().Symbols() {
			add(s.Name)
		}
	}
	for _, name := range []string{"identifier", "number", "string", "boolean", "null"} {
		add(name)
	}
	if len(names) < 2000 {
		t.Errorf("only %d names: the grammars are not all here", len(names))
	}
}

func grammars(t testing.TB) []*Language {
	t.Helper()
	if !HasGrammars {
		t.Skip("built without cgo: there are no grammars")
	}
	if len(Languages()) != len(table) {
		t.Fatalf("%d languages for %d in the table", len(Languages()), len(table))
	}
	var out []*Language
	for _, l := range Languages() {
		if l.grammar == nil {
			continue
		}
		if l.grammar() == nil {
			t.Fatalf("%s: no grammar", l.Name)
		}
		out = append(out, l)
	}
	return out
}

package lang

import (
	"strings"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// rules maps the symbols of a grammar to actions. A name can be a rule of the grammar, a literal spelling, or both
// ("string" in TypeScript).
type rules struct{ named, literal map[string]sitter.Rule }

// layout are literals that are invisible in code, or quote a string.
var layout = []string{"\n", "\r\n", "\"", "'", "`", "\"\"\"", "'''", "\"\"", "<<<"}

// spelledOut are literals that correspond to rules of other grammars.
var spelledOut = []struct {
	text  string
	class Class
}{
	{"true", Bool}, {"false", Bool},
	{"null", Null}, {"nil", Null}, {"NULL", Null}, {"nullptr", Null},
	// Names of types. Otherwise they would be read as the classes of that name.
	{"unique symbol", Identifier}, {"string", Identifier}, {"number", Identifier}, {"boolean", Identifier}, {"identifier", Identifier},
}

func (s *spec) rules() rules {
	r := rules{map[string]sitter.Rule{}, map[string]sitter.Rule{}}
	for _, part := range []struct {
		names string
		rule  sitter.Rule
	}{
		{s.identifiers, merged(Identifier, sitter.Atom)},
		{s.numbers, merged(Number, sitter.Atom)},
		{s.signed, merged(Number, sitter.Signed)},
		{s.strings, merged(String, sitter.Atom)},
		{s.templates, merged(String, sitter.Open)},
		{s.bools, merged(Bool, sitter.Atom)},
		{s.nulls, merged(Null, sitter.Atom)},
		{s.texts, sitter.Rule{Action: sitter.Text, Class: uint8(Keyword)}},
		{s.commands, sitter.Rule{Action: sitter.Text, Class: uint8(Word)}},
		{s.skip, sitter.Rule{Action: sitter.Skip}},
		{s.inner, sitter.Rule{Action: sitter.Skip}},
		{s.relex, sitter.Rule{Action: sitter.Relex}},
		{s.prose, sitter.Rule{Action: sitter.Words}},
	} {
		for _, name := range strings.Fields(part.names) {
			r.named[name] = part.rule
		}
	}
	r.setRenames(s.renames)
	r.mark(s.imports, sitter.ImportClause)
	r.mark(s.exports, sitter.MaybeImport)
	r.setLiterals()
	r.setPlaces(s)
	if s.exports != "" {
		from := r.literal["from"]
		from.Marks = sitter.ImportChild
		r.literal["from"] = from
	}
	return r
}

func (r rules) setLiterals() {
	for _, text := range layout {
		r.literal[text] = sitter.Rule{Action: sitter.Skip}
	}
	for _, l := range spelledOut {
		r.literal[l.text] = merged(l.class, sitter.Atom)
	}
}

// setPlaces removes from literals the meaning that they have only in some places.
func (r rules) setPlaces(s *spec) {
	for _, text := range strings.Fields(s.names) {
		r.literal[text] = merged(Identifier, sitter.Atom)
	}
	for _, text := range strings.Fields(s.layout) {
		r.literal[text] = sitter.Rule{Action: sitter.Skip}
	}
	for _, text := range strings.Fields(s.apart) {
		r.literal[text] = sitter.Rule{Action: sitter.Apart}
	}
}

func (r rules) setRenames(pairs string) {
	for _, pair := range strings.Fields(pairs) {
		name, as, _ := strings.Cut(pair, "=")
		r.named[name] = sitter.Rule{Kind: kindOf(as)}
	}
}

func (r rules) mark(names string, m sitter.Mark) {
	for _, name := range strings.Fields(names) {
		rule := r.of(sitter.Symbol{Name: name, Named: true})
		rule.Marks = m
		r.named[name] = rule
	}
}

// of returns the rule of a symbol.
func (r rules) of(s sitter.Symbol) sitter.Rule {
	known := r.literal
	if s.Named {
		known = r.named
	}
	if rule, ok := known[s.Name]; ok {
		return rule
	}
	return sitter.Rule{Kind: kindOf(s.Name), Class: uint8(Keyword)}
}

// spellings returns the named leaves that are always spelled like their name, for text that is lexed again.
func (s *spec) spellings(r rules) []sitter.Spelling {
	var out []sitter.Spelling
	for _, text := range strings.Fields(s.bools + " " + s.keywords) {
		rule := r.of(sitter.Symbol{Name: text, Named: true})
		out = append(out, sitter.Spelling{Text: text, Kind: rule.Kind, Class: rule.Class})
	}
	return out
}

// merged returns the rule for tokens that share one kind with their class.
func merged(c Class, a sitter.Action) sitter.Rule {
	return sitter.Rule{Kind: c.Kind(), Action: a, Class: uint8(c)}
}

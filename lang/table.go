package lang

import (
	"strings"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// spec is what is known of a language: data only. Lists hold symbol names of
// the grammar, separated by blanks.
type spec struct {
	name, family string
	grammar      string // of the sitter package
	version      string // of its module

	identifiers string // all one kind
	numbers     string
	strings     string // one token, then those of the code embedded in it
	bools       string
	nulls       string
	skip        string // comments, quotes and the literal text of strings
	relex       string // text the grammar leaves alone though it is code
	prose       string // text around the code
	commands    string // nodes whose plain text is their identity
	imports     string // clauses that are no evidence
	exports     string // clauses that are imports if they have a child "from"

	opening     string // put before a fragment without the mark
	openingMark string
}

const (
	commonIdentifiers = `identifier type_identifier field_identifier property_identifier package_identifier namespace_identifier
 statement_identifier label_name shorthand_property_identifier shorthand_property_identifier_pattern private_property_identifier
 blank_identifier simple_identifier interpolated_identifier constant instance_variable class_variable global_variable
 name variable_name special_variable_name metavariable shorthand_field_identifier discard hash_key_symbol
 jsx_identifier word predefined_type primitive_type integral_type floating_point_type boolean_type void_type lifetime`
	commonNumbers = `int_literal float_literal imaginary_literal integer float number number_literal decimal_integer_literal hex_integer_literal
 octal_integer_literal binary_integer_literal decimal_floating_point_literal hex_floating_point_literal integer_literal long_literal unsigned_literal
 floating_point_literal hex_literal bin_literal oct_literal real_literal complex rational file_descriptor`
	commonStrings = `string string_literal interpreted_string_literal raw_string_literal template_string encapsed_string heredoc nowdoc heredoc_body
 interpolated_string_expression interpolated_string line_string_literal multi_line_string_literal raw_string ansi_c_string
 char_literal rune_literal character_literal regex regex_literal verbatim_string_literal system_lib_string character chained_string
 simple_symbol delimited_symbol bare_string string_array symbol_array translated_string symbol_literal`
	commonSkip = `comment line_comment block_comment multiline_comment doc_comment html_comment hash_bang_line shebang shebang_line line_continuation
 string_fragment multiline_string_fragment string_content string_literal_content raw_string_content escape_sequence string_start string_end
 escape_interpolation line_str_text multi_line_str_text str_escaped_char raw_str_part raw_str_end_part heredoc_content heredoc_beginning heredoc_start heredoc_end
 interpreted_string_literal_content raw_string_literal_content regex_pattern regex_flags raw_string_start raw_string_end interpolation_quote character_content php_tag nowdoc_string`
)

// common fills the lists most grammars share the names of.
func common(s spec) spec {
	s.identifiers += " " + commonIdentifiers
	s.numbers += " " + commonNumbers
	s.strings += " " + commonStrings
	s.bools += " true false boolean boolean_literal"
	s.nulls += " nil null none undefined null_literal"
	s.skip += " " + commonSkip
	return s
}

var table = []spec{
	common(spec{name: "bash", family: "bash", grammar: "bash", version: "0.23.3", commands: "command_name"}),
	common(spec{name: "c", family: "c", grammar: "c", version: "0.23.4", relex: "preproc_arg", imports: "preproc_include"}),
	common(spec{name: "cpp", family: "c", grammar: "cpp", version: "0.23.4", relex: "preproc_arg", imports: "preproc_include using_declaration"}),
	common(spec{name: "csharp", family: "csharp", grammar: "csharp", version: "0.23.1", imports: "using_directive extern_alias_directive"}),
	common(spec{name: "go", family: "go", grammar: "go", version: "0.23.4", imports: "package_clause import_declaration"}),
	common(spec{name: "java", family: "java", grammar: "java", version: "0.23.5", imports: "package_declaration import_declaration"}),
	common(spec{name: "javascript", family: "js", grammar: "javascript", version: "0.23.1", imports: "import_statement", exports: "export_statement"}),
	common(spec{name: "jsx", family: "js", grammar: "javascript", version: "0.23.1", imports: "import_statement", exports: "export_statement"}),
	common(spec{name: "kotlin", family: "kotlin", grammar: "kotlin", version: "1.1.0", imports: "package_header import import_list import_header"}),
	common(spec{name: "lua", family: "lua", grammar: "lua", version: "0.3.0"}),
	common(spec{name: "php", family: "php", grammar: "php", version: "0.23.11", imports: "namespace_use_declaration", prose: "text", opening: "<?php ", openingMark: "<?"}),
	common(spec{name: "python", family: "python", grammar: "python", version: "0.23.6", imports: "import_statement import_from_statement future_import_statement"}),
	common(spec{name: "ruby", family: "ruby", grammar: "ruby", version: "0.23.1"}),
	common(spec{name: "rust", family: "rust", grammar: "rust", version: "0.23.2", imports: "use_declaration extern_crate_declaration"}),
	common(spec{name: "scala", family: "scala", grammar: "scala", version: "0.23.4", imports: "import_declaration"}),
	common(spec{name: "swift", family: "swift", grammar: "swift", version: "0.0.0-20240827094217-dd81d9e9be82", imports: "import_declaration"}),
	common(spec{name: "tsx", family: "js", grammar: "tsx", version: "0.23.2", imports: "import_statement", exports: "export_statement"}),
	common(spec{name: "typescript", family: "js", grammar: "typescript", version: "0.23.2", imports: "import_statement", exports: "export_statement"}),
}

// literalSkips are spellings that are layout or the quotes of a string.
const literalSkips = "\n\x00\r\n\x00\"\x00'\x00`\x00\"\"\"\x00'''\x00\"\""

// rules maps the symbols of a grammar to what becomes of them.
type rules struct {
	named   map[string]sitter.Rule
	literal map[string]sitter.Rule
}

func (s *spec) rules() rules {
	r := rules{map[string]sitter.Rule{}, map[string]sitter.Rule{}}
	for _, part := range []struct {
		names string
		rule  sitter.Rule
	}{
		{s.identifiers, mergedRule(Identifier)},
		{s.numbers, mergedRule(Number)},
		{s.strings, mergedRule(String)},
		{s.bools, mergedRule(Bool)},
		{s.nulls, mergedRule(Null)},
		{s.skip, sitter.Rule{Action: sitter.Skip}},
		{s.relex, sitter.Rule{Action: sitter.Relex}},
		{s.prose, sitter.Rule{Action: sitter.Words}},
		{s.commands, sitter.Rule{Action: sitter.Command}},
	} {
		for _, name := range strings.Fields(part.names) {
			r.named[name] = part.rule
		}
	}
	r.mark(s.imports, sitter.ImportClause)
	r.mark(s.exports, sitter.MaybeImport)
	for _, text := range strings.Split(literalSkips, "\x00") {
		r.literal[text] = sitter.Rule{Action: sitter.Skip}
	}
	// Where a grammar spells a type name, null or the like as a literal, it is
	// still what other grammars have a rule for.
	for _, text := range []string{"string", "number", "boolean", "identifier"} {
		r.literal[text] = mergedRule(Identifier)
	}
	for _, text := range []string{"null", "nil", "NULL", "nullptr"} {
		r.literal[text] = mergedRule(Null)
	}
	if s.exports != "" {
		r.literal["from"] = sitter.Rule{Kind: kindOf("from"), Marks: sitter.ImportChild}
	}
	return r
}

func (r rules) mark(names string, m sitter.Mark) {
	for _, name := range strings.Fields(names) {
		rule, ok := r.named[name]
		if !ok {
			rule.Kind = kindOf(name)
		}
		rule.Marks = m
		r.named[name] = rule
	}
}

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

// spellings are the words that are not literals of the grammar but have a kind
// of their own where text is lexed again.
func (r rules) spellings() []sitter.Spelling {
	var out []sitter.Spelling
	for _, text := range []string{"true", "false", "this", "NULL", "nullptr"} {
		rule := r.of(sitter.Symbol{Name: text, Named: text[0] != 'N' && text != "nullptr"})
		out = append(out, sitter.Spelling{Text: text, Kind: rule.Kind, Class: rule.Class})
	}
	return out
}

func mergedRule(c Class) sitter.Rule {
	name, action := identifierName, sitter.Atom
	switch c {
	case Number:
		name = numberName
	case String:
		name, action = stringName, sitter.Open
	case Bool:
		name = boolName
	case Null:
		name = nullName
	}
	return sitter.Rule{Kind: kindOf(name), Action: action, Class: uint8(c)}
}

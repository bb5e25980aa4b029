package lang

import "github.com/git-provenance/git-provenance/lang/internal/lex"

// spec describes a language: data, and for some a lexer. Each list has names of symbols of the grammar, separated by
// blanks. A symbol in no list is a keyword, an operator or a construct, and its name is its identity.
type spec struct {
	name, family string
	grammar      string // name in the sitter package
	version      string // of the grammar's module
	revision     int    // raised when this entry or its lexer gives other tokens than before

	identifiers string // one kind, whatever they name
	numbers     string
	signed      string // numbers that include a sign: the sign becomes a token of its own, since only a parse distinguishes it from an operator
	strings     string // strings without code in them
	templates   string // strings with code in them: a token for the string, then those of the code
	bools       string
	nulls       string
	keywords    string // leaves that are keywords but not literals of the grammar
	texts       string // leaves whose text is their identity: operators, directives
	commands    string // nodes that name the called command, a word of its own
	renames     string // a=b: the symbol has the name of another grammar of the family
	skip        string // comments, and the literal text within templates
	inner       string // leaves that only occur within a subtree that is one token
	relex       string // code that the grammar does not parse
	prose       string // text around the code, read as words
	imports     string // clauses that are no evidence
	exports     string // such clauses, if they have a child "from"

	names string // literals that are keywords only in some places: names everywhere
	apart string // literals of several signs, each an operator elsewhere: always split

	layout string // literals that mean only a line end

	comment byte // how comments begin: see sitter.Spec

	optional optional // tokens that formatters add and remove

	opening string // prefix for a fragment that does not open the language itself

	page bool   // markup with scripts in other languages: see page.go
	like string // an extension of that language, whose grammar reads what the lexer refuses

	lexer    lex.Func   // asked first; returns the grammar's tokens, or refuses
	reserved *lex.Words // words that mean the same everywhere, however the grammar reads them
}

// In JavaScript and its relatives words like "get" are keywords only in places that only a parser recognises: they are
// identifiers everywhere. Types split some operators in two: a list of type arguments may end with ">>".
const (
	ecmaNames = "as from get meta of set target"
	typeNames = " accessor any assert asserts global is module namespace never object override require symbol type unknown using"
	ecmaApart = "<< <<= >= >> >>= >>> >>>="
	typeApart = " ?: -?: +?: {| |}"
	jsxApart  = " </ />"
)

// table lists every language by name. A grammar not written by the tree-sitter
// organisations has the version of the module that bundles it.
var table = []spec{
	{
		name: "bash", family: "bash", grammar: "bash", version: "0.23.3", revision: 1,
		comment:     '#',
		identifiers: "word variable_name special_variable_name extglob_pattern", // "start)" and "re-start)" are patterns, but only one is a word
		numbers:     "number file_descriptor",
		strings:     "raw_string ansi_c_string regex",
		templates:   "string heredoc_body",
		texts:       "test_operator",
		commands:    "command_name",
		skip:        "comment string_content heredoc_start heredoc_content heredoc_end",
	},
	{
		name: "c", family: "c", grammar: "c", version: "0.23.4",
		comment:     '/',
		identifiers: "identifier type_identifier field_identifier statement_identifier primitive_type",
		signed:      "number_literal",
		strings:     "string_literal char_literal system_lib_string",
		bools:       "true false",
		nulls:       "null",
		renames:     "ms_restrict_modifier=__restrict ms_unsigned_ptr_modifier=__uptr ms_signed_ptr_modifier=__sptr",
		texts:       "preproc_directive",
		skip:        "comment",
		inner:       "string_content escape_sequence character",
		relex:       "preproc_arg",
		apart:       "&& >> [[ ]]",
		imports:     "preproc_include",
		lexer:       lex.C,
		reserved:    lex.CWords,
	},
	{
		name: "cpp", family: "c", grammar: "cpp", version: "0.23.4",
		comment:     '/',
		identifiers: "identifier type_identifier field_identifier statement_identifier primitive_type namespace_identifier literal_suffix",
		signed:      "number_literal",
		strings:     "string_literal char_literal system_lib_string raw_string_literal",
		bools:       "true false",
		nulls:       "null",
		keywords:    "auto this",
		renames:     "ms_restrict_modifier=__restrict ms_unsigned_ptr_modifier=__uptr ms_signed_ptr_modifier=__sptr",
		texts:       "preproc_directive",
		skip:        "comment",
		inner:       "string_content escape_sequence character raw_string_content raw_string_delimiter",
		relex:       "preproc_arg pure_virtual_clause", // the grammar hides the 0 of "= 0"
		names:       "final override",
		apart:       "&& >> [[ ]] () []",
		imports:     "preproc_include using_declaration",
		lexer:       lex.Cpp,
		reserved:    lex.CppWords,
	},
	{
		name: "csharp", family: "csharp", grammar: "csharp", version: "0.23.1",
		comment:     '/',
		identifiers: "identifier predefined_type discard implicit_parameter modifier",
		numbers:     "integer_literal real_literal",
		strings:     "string_literal character_literal verbatim_string_literal raw_string_literal interpolation_format_clause",
		templates:   "interpolated_string_expression",
		bools:       "boolean_literal",
		nulls:       "null_literal",
		texts:       "interpolation_brace",
		skip:        "comment string_content escape_sequence interpolation_start interpolation_quote shebang_directive",
		inner:       "raw_string_start raw_string_end raw_string_content character_literal_content string_literal_encoding",
		relex:       "preproc_arg",
		imports:     "using_directive extern_alias_directive file_scoped_namespace_declaration",
		names: "alias ascending by descending equals file from global group into join let notnull on orderby scoped select unmanaged var " +
			"required record get set add remove init managed Cdecl Stdcall Thiscall Fastcall field method param property type assembly " +
			"module and or not with hidden warning disable restore checksum enable annotations warnings",
		apart:    "&& >> >>> >= >>= >>>=", // or addresses, the end of type arguments
		lexer:    lex.CSharp,
		reserved: lex.CSharpWords,
	},
	{
		name: "go", family: "go", grammar: "go", version: "0.23.4",
		comment:     '/',
		identifiers: "identifier type_identifier field_identifier package_identifier label_name blank_identifier iota dot",
		numbers:     "int_literal float_literal imaginary_literal",
		strings:     "interpreted_string_literal raw_string_literal rune_literal",
		bools:       "true false",
		nulls:       "nil",
		skip:        "comment",
		inner:       "raw_string_literal_content interpreted_string_literal_content escape_sequence",
		imports:     "package_clause import_declaration",
		lexer:       lex.Go,
		reserved:    lex.GoWords,
	},
	{name: "html", family: "js", page: true},
	{
		name: "java", family: "java", grammar: "java", version: "0.23.5",
		comment:     '/',
		identifiers: "identifier type_identifier integral_type floating_point_type boolean_type void_type underscore_pattern",
		numbers:     "decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal decimal_floating_point_literal hex_floating_point_literal",
		strings:     "character_literal",
		templates:   "string_literal",
		bools:       "true false",
		nulls:       "null_literal",
		keywords:    "this super",
		skip:        "line_comment block_comment string_fragment multiline_string_fragment escape_sequence",
		imports:     "package_declaration import_declaration",
		names:       "open module record with sealed yield permits when to requires transitive exports opens uses provides",
		apart:       ">> >>>", // or the end of type arguments
		lexer:       lex.Java,
		reserved:    lex.JavaWords,
	},
	{
		name: "javascript", family: "js", grammar: "javascript", version: "0.23.1", revision: 1,
		comment:     '/',
		identifiers: "identifier property_identifier private_property_identifier shorthand_property_identifier shorthand_property_identifier_pattern statement_identifier",
		numbers:     "number",
		strings:     "string regex",
		templates:   "template_string",
		bools:       "true false",
		nulls:       "null undefined",
		keywords:    "this super",
		renames:     "optional_chain=?.",
		skip:        "comment html_comment hash_bang_line string_fragment escape_sequence",
		inner:       "regex_pattern regex_flags",
		prose:       "jsx_text html_character_reference",
		imports:     "import_statement",
		exports:     "export_statement",
		names:       ecmaNames,
		apart:       ecmaApart + jsxApart,
		optional:    semicolons | commas | parameters,
		lexer:       lex.JavaScript,
		reserved:    lex.ScriptWords,
	},
	{
		name: "jsx", family: "js", grammar: "javascript", version: "0.23.1", revision: 1,
		comment:     '/',
		identifiers: "identifier property_identifier private_property_identifier shorthand_property_identifier shorthand_property_identifier_pattern statement_identifier",
		numbers:     "number",
		strings:     "string regex",
		templates:   "template_string",
		bools:       "true false",
		nulls:       "null undefined",
		keywords:    "this super",
		renames:     "optional_chain=?.",
		skip:        "comment html_comment hash_bang_line string_fragment escape_sequence",
		inner:       "regex_pattern regex_flags",
		prose:       "jsx_text html_character_reference",
		imports:     "import_statement",
		exports:     "export_statement",
		names:       ecmaNames,
		apart:       ecmaApart + jsxApart,
		optional:    semicolons | commas | parameters,
		lexer:       lex.JavaScript,
		reserved:    lex.ScriptWords,
	},
	{
		name: "kotlin", family: "kotlin", grammar: "kotlin", version: "1.1.0", revision: 1,
		comment:     '/',
		identifiers: "identifier label",
		numbers:     "number_literal float_literal",
		strings:     "character_literal",
		templates:   "string_literal multiline_string_literal",
		keywords:    "reification_modifier",
		skip:        "line_comment block_comment shebang string_content escape_sequence",
		imports:     "package_header import",
		names: "file property get set receiver param setparam delegate field value data inner expect actual annotation operator dynamic " +
			"init out open",
		apart:    "!! >= ?.", // or negations, the ends of types
		layout:   ";",
		lexer:    lex.Kotlin,
		reserved: lex.KotlinWords,
		optional: commas,
	},
	{
		name: "lua", family: "lua", grammar: "lua", version: "0.3.0",
		comment:     '-',
		identifiers: "identifier",
		numbers:     "number",
		strings:     "string",
		bools:       "true false",
		nulls:       "nil",
		keywords:    "break_statement vararg_expression",
		skip:        "comment hash_bang_line",
		inner:       "comment_content escape_sequence string_content",
		lexer:       lex.Lua,
	},
	{name: "objc", family: "c", like: "c", lexer: lex.ObjectiveC},
	{name: "objcpp", family: "c", like: "cpp", lexer: lex.ObjectiveCpp},
	{
		name: "php", family: "php", grammar: "php", version: "0.23.11", revision: 1,
		comment:     '/',
		identifiers: "name variable_name primitive_type bottom_type cast_type",
		numbers:     "integer float",
		strings:     "string nowdoc",
		templates:   "encapsed_string heredoc shell_command_expression",
		bools:       "boolean",
		nulls:       "null",
		keywords:    "var_modifier sentinel_error",
		texts:       "operation",
		skip:        "comment php_tag string_content escape_sequence heredoc_start heredoc_end",
		inner:       "nowdoc_string",
		prose:       "text",
		imports:     "namespace_use_declaration",
		names:       "enum readonly from ticks encoding strict_types",
		lexer:       lex.PHP,
		reserved:    lex.PHPWords,
		opening:     "<?php ",
		optional:    commas | arrays | roots,
	},
	{
		name: "python", family: "python", grammar: "python", version: "0.23.6", revision: 1,
		comment:     '#',
		identifiers: "identifier",
		numbers:     "integer float",
		templates:   "string format_specifier",
		bools:       "true false",
		nulls:       "none",
		keywords:    "ellipsis",
		texts:       "type_conversion",
		skip:        "comment line_continuation string_start string_content string_end escape_sequence escape_interpolation",
		imports:     "import_statement import_from_statement future_import_statement",
		names:       "print exec type match case _ __future__",
		optional:    commas,
		lexer:       lex.Python,
		reserved:    lex.PythonWords,
	},
	{
		name: "ruby", family: "ruby", grammar: "ruby", version: "0.23.1", revision: 1,
		comment:     '#',
		identifiers: "identifier constant instance_variable class_variable global_variable hash_key_symbol",
		numbers:     "integer float rational complex",
		strings:     "character simple_symbol heredoc_beginning",
		templates:   "string bare_string bare_symbol delimited_symbol regex subshell",
		bools:       "true false",
		nulls:       "nil",
		keywords:    "self super line file encoding",
		skip:        "comment string_content escape_sequence heredoc_content heredoc_end",
		prose:       "uninterpreted",
		optional:    commas | rockets,
		lexer:       lex.Ruby,
	},
	{
		name: "rust", family: "rust", grammar: "rust", version: "0.23.2",
		comment:     '/',
		identifiers: "identifier type_identifier field_identifier shorthand_field_identifier primitive_type metavariable lifetime label",
		numbers:     "integer_literal float_literal",
		strings:     "string_literal raw_string_literal char_literal",
		bools:       "boolean_literal",
		keywords:    "self super crate mutable_specifier",
		skip:        "line_comment block_comment shebang",
		inner:       "escape_sequence string_content doc_comment outer_doc_comment_marker inner_doc_comment_marker",
		imports:     "use_declaration extern_crate_declaration",
		names:       "_ default union gen raw block expr ident item lifetime literal meta pat path stmt tt ty vis",
		apart:       "&& || << >> >= >>=", // or references, closures, the end of type arguments
		lexer:       lex.Rust,
		reserved:    lex.RustWords,
	},
	{
		name: "scala", family: "scala", grammar: "scala", version: "0.23.4", revision: 2,
		comment:     '/',
		identifiers: "identifier type_identifier",
		signed:      "integer_literal floating_point_literal",
		strings:     "string character_literal",
		templates:   "interpolated_string",
		bools:       "boolean_literal",
		nulls:       "null_literal",
		texts:       "operator_identifier",
		skip:        "comment block_comment using_directive",
		inner:       "using_directive_key using_directive_value",
		imports:     "import_declaration package_identifier",
		names:       "as derives end extension infix inline opaque open this transparent using _end_ident",
		lexer:       lex.Scala,
		reserved:    lex.ScalaWords,
	},
	{name: "svelte", family: "js", page: true},
	{
		name: "swift", family: "swift", grammar: "swift", version: "0.0.0-20240827094217-dd81d9e9be82", revision: 2,
		comment:     '/',
		identifiers: "simple_identifier type_identifier statement_label wildcard_pattern",
		numbers:     "integer_literal real_literal hex_literal oct_literal bin_literal",
		strings:     "regex_literal diagnostic",
		templates:   "line_string_literal multi_line_string_literal raw_string_literal",
		bools:       "boolean_literal",
		keywords:    "throw_keyword catch_keyword default_keyword where_keyword else",
		texts:       "directive custom_operator",
		skip:        "comment multiline_comment shebang_line line_str_text multi_line_str_text str_escaped_char raw_str_part raw_str_end_part raw_str_interpolation_start raw_str_continuing_indicator",
		renames:     "bang=!",
		imports:     "import_declaration",
		names: "Type Protocol actor each lazy package get set _modify open dynamic optional indirect macro precedencegroup prefix infix " +
			"postfix operator nonisolated consuming borrowing distributed didSet willSet unowned yield property receiver param setparam delegate",
		apart:    ">>", // or the end of type arguments
		lexer:    lex.Swift,
		reserved: lex.SwiftWords,
		optional: commas | receivers,
	},
	{
		name: "tsx", family: "js", grammar: "tsx", version: "0.23.2", revision: 1,
		comment:     '/',
		identifiers: "identifier property_identifier private_property_identifier shorthand_property_identifier shorthand_property_identifier_pattern statement_identifier type_identifier",
		numbers:     "number",
		strings:     "string regex",
		templates:   "template_string template_literal_type",
		bools:       "true false",
		nulls:       "null undefined",
		keywords:    "this super",
		renames:     "optional_chain=?. this_type=this",
		skip:        "comment html_comment hash_bang_line string_fragment escape_sequence",
		inner:       "regex_pattern regex_flags",
		prose:       "jsx_text html_character_reference",
		imports:     "import_statement",
		exports:     "export_statement",
		names:       ecmaNames + typeNames,
		apart:       ecmaApart + typeApart + jsxApart,
		optional:    semicolons | commas | parameters,
		lexer:       lex.TSX,
		reserved:    lex.TypeWords,
	},
	{
		name: "typescript", family: "js", grammar: "typescript", version: "0.23.2", revision: 1,
		comment:     '/',
		identifiers: "identifier property_identifier private_property_identifier shorthand_property_identifier shorthand_property_identifier_pattern statement_identifier type_identifier",
		numbers:     "number",
		strings:     "string regex",
		templates:   "template_string template_literal_type",
		bools:       "true false",
		nulls:       "null undefined",
		keywords:    "this super",
		renames:     "optional_chain=?. this_type=this",
		skip:        "comment html_comment hash_bang_line string_fragment escape_sequence",
		inner:       "regex_pattern regex_flags",
		prose:       "jsx_text",
		imports:     "import_statement",
		exports:     "export_statement",
		names:       ecmaNames + typeNames,
		apart:       ecmaApart + typeApart,
		optional:    semicolons | commas | parameters,
		lexer:       lex.TypeScript,
		reserved:    lex.TypeWords,
	},
	{name: "vue", family: "js", page: true},
}

package imports

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
)

// Clauses has what the package and import clauses of a text say, in languages whose import paths are names. In PHP a path that the code
// writes in full is an import too, and in Rust the crate of such a path.
type Clauses struct {
	Own   []string // path of the text's own package; nil if no clause names it
	Paths []Named
}

// Named is a path that a text imports.
type Named struct {
	Path  []string
	Names []string // names that it binds; none if it imports all names of a package
}

// dotted has the languages whose import paths are names, without Python, whose imports Find reads.
var dotted = map[string]bool{"java": true, "kotlin": true, "scala": true, "rust": true, "csharp": true, "php": true}

// ClausesOf reads the package and import clauses of a text.
func ClausesOf(l *lang.Language, text []byte, tokens []lang.Token) (out Clauses) {
	if l == nil || !dotted[l.Syntax()] {
		return out
	}
	r := clauseReader{syntax: l.Syntax()}
	heading := false // a clause that names the text's own package, and that the tokens do not mark
	for _, t := range tokens {
		word, name := string(text[t.Start:t.End]), t.Class == lang.Identifier
		switch {
		case t.Flags&lang.FlagImport != 0:
			heading = false
			r.read(word, name)
		case !name && (word == "package" || word == "namespace"):
			heading = true
			r.begin(true)
		case heading && (name || word == "." || word == "\\"):
			r.read(word, name)
		default:
			heading = false
			r.end()
		}
	}
	r.end()
	switch r.syntax {
	case "php":
		r.Paths = append(r.Paths, qualified(text, tokens)...)
	case "rust":
		r.Paths = append(r.Paths, crates(text, tokens, r.Paths, r.modules)...)
	}
	return r.Clauses
}

// qualified lists the paths that code of PHP writes in full, such as \Twig\Compiler. They need no import clause. Each is listed once, in the
// order of the text. The first backslash is no token.
func qualified(text []byte, tokens []lang.Token) (out []Named) {
	seen := map[string]bool{}
	word := func(i int) string { return string(text[tokens[i].Start:tokens[i].End]) }
	for i, t := range tokens {
		if t.Class != lang.Identifier || t.Flags&lang.FlagImport != 0 || t.Start == 0 || text[t.Start-1] != '\\' || i > 0 && word(i-1) == "\\" {
			continue
		}
		path, last := []string{word(i)}, i
		for ; last+2 < len(tokens) && word(last+1) == "\\" && tokens[last+2].Class == lang.Identifier && len(path) < longestClause; last += 2 {
			path = append(path, word(last+2))
		}
		if whole := string(text[t.Start:tokens[last].End]); len(path) > 1 && !seen[whole] {
			seen[whole] = true
			out = append(out, Named{path, path[len(path)-1:]})
		}
	}
	return out
}

// declaring has the keywords of Rust before a name that a path may begin with.
var declaring = map[string]bool{"mod": true, "enum": true, "struct": true, "union": true, "trait": true, "type": true}

// primitive reports whether a name is that of a type of Rust itself, as in u32::from_le_bytes.
func primitive(name string) bool {
	switch name {
	case "bool", "char", "str", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize":
		return true
	}
	return false
}

// crates lists the crates that code of Rust uses without an import clause, by full paths such as wgpu::Buffer. The first name of a
// path is a crate if no import binds it, it is not in modules, and neither the text nor the language declares it. If a text imports
// all names of a package, none is listed: the first name may be a module of that package. Each crate is listed once, in the order
// of the text.
func crates(text []byte, tokens []lang.Token, imported []Named, modules []string) (out []Named) {
	word := func(i int) string {
		if i < 0 || i >= len(tokens) {
			return ""
		}
		return string(text[tokens[i].Start:tokens[i].End])
	}
	known := map[string]bool{"clippy": true, "rustdoc": true, "rustfmt": true} // no crates, or listed
	for _, c := range imported {
		if c.Path[len(c.Path)-1] == "*" { // one of the imported names may be a module
			return nil
		}
		for _, name := range c.Names {
			known[name] = true
		}
	}
	for _, name := range modules {
		known[name] = true
	}
	for i := range tokens {
		if declaring[word(i)] {
			known[word(i+1)] = true
		}
	}
	for i, t := range tokens {
		if t.Class != lang.Identifier || t.Flags&lang.FlagImport != 0 || word(i+1) != "::" || word(i-1) == "::" {
			continue
		}
		if name := word(i); !known[name] && !platforms[name] && !primitive(name) && unicode.IsLower(rune(name[0])) {
			known[name] = true
			out = append(out, Named{[]string{name}, []string{name}})
		}
	}
	return out
}

// clauseReader collects clauses word by word.
type clauseReader struct {
	Clauses
	syntax  string
	own     bool     // the clause names the text's own package
	path    []string // as far as it was read
	alias   string
	renamed bool     // an alias follows
	open    []int    // lengths of the paths before the open braces
	self    bool     // the element is the self of Rust in braces: the module before them
	modules []string // names that such elements bind
}

// longestClause bounds the names of a path.
const longestClause = 32

func (r *clauseReader) begin(own bool) {
	r.end()
	r.own = own
}

// end ends a clause.
func (r *clauseReader) end() {
	r.element()
	r.own, r.path, r.open = false, nil, nil
}

// read reads a word of a clause.
func (r *clauseReader) read(word string, name bool) {
	switch {
	case word == "package" || word == "namespace":
		r.begin(true)
	case word == "import" || word == "use" || word == "using" || word == ";":
		r.begin(false)
	case word == "as" || word == "=>":
		r.renamed = true
	case word == "=" && r.syntax == "csharp" && len(r.path) == 1: // using NAME = PATH
		r.alias, r.path = r.path[0], nil
	case word == "{":
		r.open = append(r.open, len(r.path))
	case word == ",":
		r.element()
	case word == "}":
		r.element()
		r.close()
	case name && r.renamed:
		r.alias, r.renamed = word, false
	case word == "self" && r.syntax == "rust" && len(r.open) > 0 && len(r.path) == r.open[len(r.open)-1]:
		r.self = true
	case len(r.path) < longestClause && (name || word == "crate" || word == "super" || word == "*" || word == "_"):
		r.path = append(r.path, word)
	}
}

// close ends a brace. The paths that follow begin as the brace did.
func (r *clauseReader) close() {
	if len(r.open) == 0 {
		return
	}
	r.open = r.open[:len(r.open)-1]
	base := 0
	if n := len(r.open); n > 0 {
		base = r.open[n-1]
	}
	r.path = r.path[:min(base, len(r.path))]
}

// element ends a path of a clause.
func (r *clauseReader) element() {
	base := 0
	if n := len(r.open); n > 0 {
		base = r.open[n-1]
	}
	if len(r.path) > base {
		path := slices.Clone(r.path)
		switch {
		case r.own:
			if r.Own == nil {
				r.Own = path
			}
		default:
			r.Paths = append(r.Paths, r.named(path))
		}
	}
	switch {
	case r.self && r.alias != "":
		r.modules = append(r.modules, r.alias)
	case r.self && base > 1 && base <= len(r.path): // use one::{self} binds a crate
		r.modules = append(r.modules, r.path[base-1])
	}
	r.path, r.alias, r.renamed, r.self = r.path[:min(base, len(r.path))], "", false, false
}

// named returns what a path binds. In C# it binds the names of a namespace, which the text does not list.
func (r *clauseReader) named(path []string) Named {
	last := path[len(path)-1]
	var names []string
	switch {
	case r.alias != "":
		names = []string{last, r.alias}
	case last != "*" && last != "_" && r.syntax != "csharp":
		names = []string{last}
	}
	return Named{path, names}
}

// platforms has the first names of two kinds of paths: of packages that come with a language, and in Rust of the text's own crate.
var platforms = map[string]bool{"java": true, "javax": true, "kotlin": true, "scala": true, "System": true, "std": true, "core": true, "alloc": true,
	"crate": true, "self": true, "super": true}

// SameRoot reports whether two paths of packages begin alike, as the packages of one project do: by its vendor in PHP, by two names in C#,
// and in Java, Kotlin and Scala by a domain and a name below it. Packages that come with the language have no root.
func SameRoot(l *lang.Language, a, b []string) bool {
	if len(a) == 0 || len(b) == 0 || platforms[a[0]] || a[0] != b[0] {
		return false
	}
	n := 1
	switch l.Syntax() {
	case "csharp":
		n = 2
	case "java", "kotlin", "scala":
		a, b = packageOf(a), packageOf(b)
		if len(a) == 0 || len(b) == 0 {
			return false
		}
		n = rootDepth(a[0])
	}
	n = min(n, len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

// packageOf returns a path up to its first name in upper case, which is one of a type.
func packageOf(path []string) []string {
	for i, name := range path {
		if r, _ := utf8.DecodeRuneInString(name); !unicode.IsLower(r) {
			return path[:i]
		}
	}
	return path
}

// rootDepth returns how many names begin the packages of one project. Most begin with a domain.
func rootDepth(first string) int {
	const domain = 3 // letters of com, org, net, io, de
	switch {
	case len(first) <= domain:
		return 3
	case first == "androidx" || first == "kotlinx" || first == "jakarta":
		return 2
	}
	return 1
}

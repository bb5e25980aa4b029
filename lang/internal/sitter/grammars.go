//go:build cgo

package sitter

import (
	"unsafe"

	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	// The runtime of every grammar, and the one grammar without an official module.
	_ "github.com/smacker/go-tree-sitter"
	_ "github.com/smacker/go-tree-sitter/swift"
)

// grammar returns the parse tables of a grammar by name, nil if there is none. Each grammar has one copy in the
// process: two copies would define the same C symbols.
func grammar(name string) unsafe.Pointer {
	switch name {
	case "bash":
		return bash.Language()
	case "c":
		return c.Language()
	case "cpp":
		return cpp.Language()
	case "csharp":
		return csharp.Language()
	case "go":
		return golang.Language()
	case "java":
		return java.Language()
	case "javascript":
		return javascript.Language()
	case "kotlin":
		return kotlin.Language()
	case "lua":
		return lua.Language()
	case "php":
		return php.LanguagePHP()
	case "python":
		return python.Language()
	case "ruby":
		return ruby.Language()
	case "rust":
		return rust.Language()
	case "scala":
		return scala.Language()
	case "swift":
		return swift()
	case "tsx":
		return typescript.LanguageTSX()
	case "typescript":
		return typescript.LanguageTypescript()
	}
	return nil
}

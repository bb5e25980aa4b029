package model

import (
	"bytes"
	"slices"
	"strings"
)

// Further keys of platforms: the others are families and languages.
const (
	android    = "android"    // Java that imports Android's SDK
	foundation = "foundation" // Swift that imports none of Apple's other frameworks
)

var ofAndroid = []byte("\nimport android") // or androidx

// PlatformsOf returns the model of API for a text in a language of a family. Many names of Android and of Apple's frameworks are
// also names that other code declares itself. So names of Android count only in Java that imports Android, and names of Apple's
// other frameworks do not count in Swift that imports Foundation only.
func PlatformsOf(language, family string, text []byte) *Family {
	switch {
	case language == "java" && bytes.Contains(text, ofAndroid):
		return API().Of(android)
	case language == "swift" && onlyFoundation(text):
		return API().Of(foundation)
	}
	if f := API().Of(language); f != nil {
		return f
	}
	return API().Of(family)
}

// modules are the modules whose names are in foundation, and modules of C.
var modules = []string{"Darwin", "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "XCTest"}

// onlyFoundation reports whether Swift imports no module but these. Any other module may export a framework.
func onlyFoundation(text []byte) bool {
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, importWord) {
			continue
		}
		if module := imported(line); module != "" && !slices.Contains(modules, module) {
			return false
		}
	}
	return true
}

// imported returns the module that a line of Swift imports, or "". Attributes, levels of access and comments may stand before the import.
func imported(line []byte) string {
	behind, comment := false, false
	for w := range bytes.FieldsSeq(line) {
		word := string(w[:min(len(w), longestModule)])
		switch {
		case comment || strings.HasPrefix(word, "/*"):
			comment = !bytes.HasSuffix(w, []byte("*/"))
		case behind && slices.Contains(importKinds, word):
		case behind:
			module, _, _ := strings.Cut(strings.TrimRight(word, ";"), ".")
			return module
		case word == "import":
			behind = true
		case word[0] != '@' && !slices.Contains(access, word):
			return ""
		}
	}
	return ""
}

// longestModule bounds the words that are read, in bytes.
const longestModule = 128

var importWord = []byte("import")

// access are the levels of access that an import may have.
var access = []string{"fileprivate", "internal", "open", "package", "private", "public"}

// importKinds are what a single name may be that Swift imports: import class Foundation.URLSession.
var importKinds = []string{"class", "enum", "func", "let", "protocol", "struct", "typealias", "var"}

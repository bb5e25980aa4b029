package model

import (
	"bytes"
	"slices"
)

// Keys of platforms, beside families and languages.
const (
	android    = "android"    // Java that imports Android's SDK
	foundation = "foundation" // Swift that imports none of Apple's other frameworks
)

var ofAndroid = []byte("\nimport android") // or androidx

// PlatformsOf returns the model of API for a text in a language of a family. Texts that import neither Android nor a framework of Apple have
// many of their names as names of their own. So these count only in Java that imports Android, and not in Swift that imports no
// more than Foundation.
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

// modules are those whose names are in foundation, and modules of C.
var modules = []string{"Darwin", "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "XCTest"}

// onlyFoundation reports whether Swift imports no module but these. Any other module may export a framework.
func onlyFoundation(text []byte) bool {
	for at := 0; ; {
		i := bytes.Index(text[at:], importWord)
		if i < 0 {
			return true
		}
		before := bytes.TrimSpace(text[bytes.LastIndexByte(text[:at+i], '\n')+1 : at+i])
		at += i + len(importWord)
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		words := bytes.Fields(line)
		if len(words) == 0 || len(before) > 0 && before[0] != '@' { // @testable import
			continue
		}
		path := words[0]
		if len(words) > 1 && slices.Contains(importKinds, string(path)) {
			path = words[1]
		}
		module, _, _ := bytes.Cut(path, []byte("."))
		if !slices.Contains(modules, string(module)) {
			return false
		}
	}
}

var importWord = []byte("import ")

// importKinds are what a single name may be that Swift imports: import class Foundation.URLSession.
var importKinds = []string{"class", "enum", "func", "let", "protocol", "struct", "typealias", "var"}

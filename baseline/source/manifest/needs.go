package manifest

import (
	"bytes"
	"encoding/json"
	"strings"
)

// none has a function for each manifest that can show whether it names a package that a package manager would fetch.
var none = map[string]func(data []byte) bool{
	"package.json": func(data []byte) bool {
		return noneOf(data, nil, "dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "bundleDependencies", "workspaces")
	},
	"composer.json": func(data []byte) bool { return noneOf(data, ofPlatform, "require", "require-dev") },
	"Cargo.toml": func(data []byte) bool {
		says := func(word string) bool { return bytes.Contains(data, []byte(word)) }
		return says("[package]") && !says("dependencies") && !says("workspace") // members of a workspace may name some
	},
}

// Tells reports whether NeedsNone knows manifests of this name. Others need not be read.
func Tells(name string) bool { return none[name] != nil }

// NeedsNone reports whether a manifest certainly names no package that a package manager would fetch. name is the file's name. It
// returns false for a name that it does not know and for text that it cannot read.
func NeedsNone(name string, data []byte) bool { return Tells(name) && none[name](data) }

// noneOf reports whether JSON is an object whose keys hold nothing but names for which besides is true.
func noneOf(data []byte, besides func(name string) bool, keys ...string) bool {
	var all map[string]json.RawMessage
	if json.Unmarshal(data, &all) != nil {
		return false
	}
	for _, key := range keys {
		value, ok := all[key]
		if !ok || bytes.Equal(value, []byte("[]")) {
			continue
		}
		var named map[string]json.RawMessage
		if json.Unmarshal(value, &named) != nil {
			return false
		}
		for name := range named {
			if besides == nil || !besides(name) {
				return false
			}
		}
	}
	return true
}

// ofPlatform reports whether Composer means PHP itself, one of its extensions or a library of the machine by a name.
func ofPlatform(name string) bool { return !strings.Contains(name, "/") }

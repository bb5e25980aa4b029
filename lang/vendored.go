package lang

import "strings"

// managed are the directories that package managers fill. go-enry's IsVendor also includes third_party, external, deps
// and a few hundred well-known script names. But code that was put there by hand has no record of a package manager,
// and is exactly what people want scanned.
var managed = []string{
	"vendor", "node_modules", "bower_components", "jspm_packages", "Pods", "Carthage/Checkouts", "Carthage/Build",
	"Godeps/_workspace", "site-packages", "dist-packages", ".venv", "venv", ".tox", "__pypackages__", ".eggs",
	".cargo/registry", ".cargo/git", ".yarn/cache", ".yarn/unplugged", ".pnpm-store", ".gradle", ".m2/repository",
	".bundle", "elm-stuff", ".pub-cache", ".dart_tool", ".build/checkouts",
}

// Vendored reports whether a slash-separated path is in a directory that a package manager fills.
func Vendored(path string) bool {
	path = "/" + path
	for _, dir := range managed {
		if strings.Contains(path, "/"+dir+"/") {
			return true
		}
	}
	return false
}

// VendoredIn returns the directory of a package manager that contains a path. It returns "" if there is none, or if
// named has a vendored path that contains the path.
func VendoredIn(path string, named []string) string {
	if !Vendored(path) {
		return ""
	}
	for _, p := range named {
		if (path == p || strings.HasPrefix(path, p+"/")) && Vendored(p+"/x") {
			return ""
		}
	}
	for i, c := range path {
		if c == '/' && Vendored(path[:i]+"/x") {
			return path[:i]
		}
	}
	return path
}

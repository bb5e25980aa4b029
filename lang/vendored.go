package lang

import (
	"slices"
	"strings"
)

// Four tables have names of directories with other people's code. They differ, because a wrong name costs each decision something
// else:
//
//	managerDirs     here                               a scan does not examine them: only those that package managers fill
//	uncoveredDirs   baseline/license                   the package's licence does not cover them: only names that nobody uses otherwise
//	copyDirs        scanner/examine/internal/region    an origin in them comes after others: any usual name
//	handFilled      scanner/vendored                   a package in them is listed, if a manifest or a licence shows it: any name

// managerDirs are the directories that package managers fill: a scan does not examine them. go-enry's IsVendor also includes
// third_party, external, deps and a few hundred well-known script names. But code that was put there by hand has no record of a
// package manager, and is exactly what people want scanned.
var managerDirs = []string{
	"vendor", "node_modules", "bower_components", "jspm_packages", "Pods", "Carthage/Checkouts", "Carthage/Build",
	"Godeps/_workspace", "site-packages", "dist-packages", ".venv", "venv", ".tox", "__pypackages__", ".eggs",
	".cargo/registry", ".cargo/git", ".yarn/cache", ".yarn/unplugged", ".yarn/releases", ".yarn/plugins", ".yarn/sdks", ".pnpm-store", ".gradle", ".m2/repository",
	".bundle", "elm-stuff", ".pub-cache", ".dart_tool", ".build/checkouts",
}

// PlugAndPlay lists the files that Yarn 2 and later writes beside package.json, with its own code in them. Yarn fixes their names.
var PlugAndPlay = []string{".pnp.cjs", ".pnp.js", ".pnp.loader.mjs", ".pnp.data.json"}

// Vendored reports whether a slash-separated path is in a directory that a package manager fills, or is a file that a package
// manager writes.
func Vendored(path string) bool {
	if slices.Contains(PlugAndPlay, path[strings.LastIndexByte(path, '/')+1:]) {
		return true
	}
	path = "/" + path
	for _, dir := range managerDirs {
		if in := "/" + dir + "/"; strings.Contains(path, in) && (dir != "vendor" || unpublished(path, in)) {
			return true
		}
	}
	return false
}

// published are the directories in which Laravel lets a project have its own versions of a package's views and texts. The project
// changes them: they are its code.
var published = []string{"/resources/views", "/resources/lang"}

// Published reports whether a slash-separated directory holds a project's own versions of views and texts of packages.
func Published(dir string) bool {
	up, ok := strings.CutSuffix("/"+dir, "/vendor")
	return ok && slices.ContainsFunc(published, func(p string) bool { return strings.HasSuffix(up, p) })
}

// unpublished reports whether a path has a directory vendor that is not Published.
func unpublished(path, vendor string) bool {
	for at := 0; ; {
		n := strings.Index(path[at:], vendor)
		if n < 0 {
			return false
		}
		if at += n; !Published(path[1 : at+len(vendor)-1]) {
			return true
		}
		at++
	}
}

// VendoredIn returns the directory of a package manager that contains a path, or the path itself if a package manager writes that
// file. It returns "" if there is neither, or if named has the path or a vendored directory that contains it.
func VendoredIn(path string, named []string) string {
	if !Vendored(path) {
		return ""
	}
	for _, p := range named {
		if path == p || strings.HasPrefix(path, p+"/") && Vendored(p+"/x") {
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

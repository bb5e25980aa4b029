package cmd

import "runtime/debug"

// version returns what the build knows about itself: the module's version, which
// for a build in a work tree names the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

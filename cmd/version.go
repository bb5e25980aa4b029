package cmd

import (
	"runtime/debug"

	"github.com/git-provenance/git-provenance/lang"
)

// version returns what the build knows about itself: the module's version, which
// for a build in a work tree names the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// sayWithoutGrammars tells of a build that cannot parse.
func (p *program) sayWithoutGrammars() {
	if !lang.HasGrammars {
		p.say("this build has no grammars, for want of cgo: all code is read as words, and renamed copies are not found")
	}
}

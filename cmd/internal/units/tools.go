package units

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/lang"
)

// toolDirs are directories that a build tool, an interpreter, an editor or an operating system fills. Two students who use one tool have
// the same files there.
var toolDirs = []string{"CMakeFiles", "__pycache__", ".pytest_cache", ".ipynb_checkpoints", ".idea", ".vscode", ".vs", ".settings", ".metadata", "nbproject",
	"xcuserdata", "__MACOSX"}

// buildDirs are directories that build tools fill, each with its parent directory: students use the last name alone for other
// things.
var buildDirs = []string{"target/classes", "target/test-classes", "target/generated-sources", "target/generated-test-sources", "target/debug", "target/release",
	"build/classes", "build/generated", "build/intermediates", "build/tmp", "out/production", "out/test", "bin/Debug", "bin/Release", "obj/Debug", "obj/Release"}

// cmakeBuild begins the names of the directories in which CLion builds.
const cmakeBuild = "cmake-build-"

// own omits from a submission the directories that package managers and other tools fill. The ledger lists each directory once.
func own(p *source.Package) *source.Package {
	return source.New(p.From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		listed := make(map[string]bool)
		return p.Walk(ctx, lim, func(name string, data []byte) error {
			dir, reason := filledBy(name)
			if reason == "" {
				return file(name, data)
			}
			if !listed[dir] {
				listed[dir] = true
				skipped(dir, reason, "")
			}
			return nil
		}, skipped)
	})
}

// filledBy returns the outermost directory around a file that a tool fills, and the ledger's reason. It returns "" if there is none.
func filledBy(name string) (dir, reason string) {
	from, around := 0, 0
	for i, c := range name {
		if c != '/' {
			continue
		}
		if n := name[from:i]; slices.Contains(toolDirs, n) || strings.HasPrefix(n, cmakeBuild) || slices.Contains(buildDirs, name[around:i]) {
			dir = name[:i]
			break
		}
		from, around = i+1, from
	}
	if in := lang.VendoredIn(name, nil); in != "" && (dir == "" || len(in) < len(dir)) {
		return in, files.ReasonVendored
	}
	if dir != "" {
		return dir, string(lang.ToolWritten)
	}
	return "", ""
}

// noSubmission returns why an entry among submissions is no submission: an operating system put it there, or it belongs to a version
// control system. It returns "" if the entry may be a submission.
func noSubmission(e os.DirEntry) string {
	name := e.Name()
	switch {
	case name == "__MACOSX", name == ".DS_Store", strings.HasPrefix(name, "._"), strings.EqualFold(name, "Thumbs.db"), strings.EqualFold(name, "desktop.ini"):
		return string(lang.ToolWritten)
	case e.IsDir() && files.SkippedDir(name) == files.ReasonVCS:
		return files.ReasonVCS
	}
	return ""
}

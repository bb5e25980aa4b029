// Package gittest runs git for tests. It keeps out the configuration of the person who runs the tests, and the variables of a hook
// that runs them: a test that starts git without this package gets both.
package gittest

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Environ returns the environment for git in a test: an author of its own and no configuration from outside of the repository.
func Environ() []string {
	own := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "XDG_CONFIG_HOME=") })
	return append(own, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+os.DevNull, "LC_ALL=C",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
}

// Run runs git in a directory and returns its output without white space at its ends. variables are added to the environment.
func Run(t testing.TB, dir string, variables []string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	c := exec.Command("git", args...)
	c.Dir, c.Env = dir, append(Environ(), variables...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

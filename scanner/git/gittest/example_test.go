package gittest_test

import (
	"fmt"
	"os/exec"

	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

func ExampleEnviron() {
	c := exec.Command("git", "var", "GIT_AUTHOR_IDENT")
	c.Env = append(gittest.Environ(), "GIT_AUTHOR_DATE=1700000000 +0000")
	out, err := c.Output()
	fmt.Print(string(out), err)
	// Output:
	// Ada <ada@example.org> 1700000000 +0000
	// <nil>
}

package targetdates_test

import (
	"fmt"
	"time"

	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// A commit in the form of a finding.
func ExampleCommitOf() {
	c := targetdates.CommitOf(&git.Commit{Name: "c0ffee", AuthorName: "Ada", AuthorEmail: "ada@example.com", AuthorTime: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)})
	fmt.Println(c.Commit, c.Author, c.Time.Year())
	// Output:
	// c0ffee Ada <ada@example.com> 2026
}

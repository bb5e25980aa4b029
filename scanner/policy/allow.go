package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Allow accepts the findings that match it: by id, by origin, or by the content of the origin's file, in some paths or
// in all.
type Allow struct {
	Finding string // id
	Origin  string // package URL with * and ?
	Content string // SHA-256 of the origin's file, or at least its first twelve digits
	Path    []string
	Reason  string
	Expires string // YYYY-MM-DD, the last day on which it applies; "" is never
	Line    int    // its line in the configuration

	inPath func(string) bool
	used   int
}

// shortestContent is the number of digits that identify a file.
const shortestContent = 12

// Check returns an error if an allowance is invalid.
func (a *Allow) Check() error {
	switch {
	case a.Finding == "" && a.Origin == "" && a.Content == "":
		return fmt.Errorf("an allowance needs a finding, an origin or a content")
	case a.Content != "" && len(strings.TrimPrefix(a.Content, "sha256:")) < shortestContent:
		return fmt.Errorf("content %q: needs %d digits at least", a.Content, shortestContent)
	}
	if a.Origin != "" {
		if err := checkPackage(a.Origin); err != nil {
			return err
		}
	}
	if _, err := time.Parse(time.DateOnly, a.Expires); a.Expires != "" && err != nil {
		return fmt.Errorf("expires %q: must be a date such as 2027-01-31", a.Expires)
	}
	return nil
}

func (a *Allow) fits(f *finding.Finding) bool {
	origin := func(o finding.Origin) bool {
		return (a.Origin == "" || purl.Match(a.Origin, o.PURL)) && strings.HasPrefix(o.SHA256, strings.TrimPrefix(a.Content, "sha256:"))
	}
	return (a.Finding == "" || a.Finding == f.ID || a.Finding == f.ContentID() || slices.Contains(f.FormerIDs, a.Finding)) && slices.ContainsFunc(f.Origins, origin) && a.inPath(f.Path)
}

package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
)

// Check returns an error if a rule is invalid.
func (r *Rule) Check() error {
	if r.Level == "" {
		return fmt.Errorf("a rule needs a level: %s", strings.Join(Levels, ", "))
	}
	for _, c := range []struct {
		what    string
		have    []string
		allowed []string
	}{{"level", []string{r.Level}, Levels}, {"verdict", r.Verdict, Verdicts}, {"direction", r.Direction, Directions}, {"owner", r.Owner, Owners}, {"kind", r.Kind, Kinds}, {"named-in", r.NamedIn, Places}, {"history", r.History, Histories}, {"compatibility", r.Compatibility, Compatibilities}} {
		for _, v := range c.have {
			if !slices.Contains(c.allowed, v) {
				return fmt.Errorf("%s %q: must be %s", c.what, v, strings.Join(c.allowed, ", "))
			}
		}
	}
	for _, p := range r.Package {
		if err := checkPackage(p); err != nil {
			return err
		}
	}
	for _, l := range r.License {
		if err := checkLicense(l); err != nil {
			return err
		}
	}
	return nil
}

func checkPackage(p string) error {
	if p != "*" && !purl.Is(p) {
		return fmt.Errorf("package %q: must be a package URL such as pkg:golang/golang.org/x/*", p)
	}
	return nil
}

// checkLicense finds misspelt classes and identifiers. They would silently match nothing.
func checkLicense(l string) error {
	switch {
	case slices.Contains(license.Classes, license.Class(l)):
		return nil
	case strings.ContainsAny(l, "*?["):
		if _, err := path.Match(l, ""); err != nil {
			return fmt.Errorf("license %q: %w", l, err)
		}
		return nil
	}
	terms := license.Terms(l)
	if len(terms) == 0 && l != license.NoAssertion || slices.ContainsFunc(terms, func(t string) bool { return strings.HasPrefix(t, "LicenseRef-") && !strings.Contains(l, t) }) {
		return fmt.Errorf("license %q: is neither a class (%s) nor an SPDX licence", l, classes())
	}
	return nil
}

func classes() string {
	var out []string
	for _, c := range license.Classes {
		out = append(out, string(c))
	}
	return strings.Join(out, ", ")
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

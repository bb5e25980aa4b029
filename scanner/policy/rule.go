package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git/ignore"
)

// Rule gives a level to the findings that match it. An empty list matches every finding. In any other list at least one
// entry has to match.
type Rule struct {
	Name          string
	License       []string // classes, SPDX identifiers with * and ?, or whole expressions
	Package       []string // package URLs with * and ?
	Path          []string // of the target, in .gitignore's syntax
	Verdict       []string
	Direction     []string
	Owner         []string // same, other: whether the origin's package has the same publisher as the target
	Kind          []string // code, prose, documentation, table
	NamedIn       []string // file, folder, root: the nearest place that names the origin
	History       []string // shared, other: whether the region came by a commit that the origin's repository has too
	Compatibility []string // compatible, compatible-root, ask, not-compatible, unknown: the origin's licence and the target's
	MinTokens     int
	MinLines      int
	BelowScore    float64 // 0 matches all
	Level         string

	inPath func(string) bool
}

// The values that the conditions of a rule can have, as a configuration file spells them. Places are those of notices.
var (
	verdicts        = []string{string(finding.Attributed), string(finding.AttributionWrong), string(finding.LicenceStripped), string(finding.AttributedElsewhere), string(finding.Undeclared), string(finding.CommonCode)}
	directions      = []string{finding.DirectionFrom, finding.DirectionTo, finding.DirectionUnknown}
	owners          = []string{ownerSame, ownerHolder, ownerOther}
	kinds           = []string{kindCode, kindProse, kindDocumentation, kindTable}
	places          = []string{inFile, inFolder, inRoot}
	histories       = []string{historyShared, "other"}
	compatibilities = []string{string(license.Fits), fitsRoot, string(license.Ask), string(license.FitsNot), compatibilityUnknown}
)

// The kinds of text a region can be: code, a document for people, a comment, or a table of numbers or named numbers.
const (
	kindCode          = "code"
	kindProse         = "prose"
	kindDocumentation = "documentation"
	kindTable         = "table"
)

// The places where the target can name an origin, the nearest first: in the file itself, in a notice or licence file of a folder above
// it, or only in a notice file at the root. The last speaks of the whole target: it says that the package is used somewhere.
const (
	inFile   = "file"
	inFolder = "folder"
	inRoot   = "root"
)

// namedIn returns the nearest place that names the origin or its holder, or "".
func namedIn(f *finding.Finding) string {
	place := ""
	for _, n := range f.Attributions {
		switch {
		case !n.NamesOrigin():
		case n.Path == "":
			return inFile
		case license.Folder(n.Path) != ".":
			place = inFolder
		case place == "":
			place = inRoot
		}
	}
	return place
}

func kindOf(f *finding.Finding) string {
	switch {
	case f.Documentation:
		return kindDocumentation
	case f.IsProse():
		return kindProse
	case f.Table:
		return kindTable
	}
	return kindCode
}

const (
	// ownerSame is the owner of a package with the same publisher as the target.
	ownerSame = "same"
	// ownerHolder is an origin with a holder who brought the region into the target: Finding.Holder.
	ownerHolder = "holder"
	ownerOther  = "other"
	// historyShared is the history of a region that came by a commit that the origin's repository has too, as in a fork.
	historyShared = "shared"
	// compatibilityUnknown is the answer of licences that are not both known.
	compatibilityUnknown = "unknown"
	// fitsRoot is the answer compatible if it is that of a licence file at the target's root too. The head of a file and the licence file of
	// a directory may differ from the rest of the repository, which a copyleft licence binds too.
	fitsRoot = "compatible-root"
)

// hasCompatibility reports whether an answer is that of the origin's licence and the target's.
func hasCompatibility(answer string, f *finding.Finding) bool {
	c := f.Compatibility
	switch {
	case c == nil:
		return answer == compatibilityUnknown
	case answer == fitsRoot:
		return c.Answer == license.Fits && (c.Root == license.Fits || c.LicenseFrom.AtRoot())
	}
	return answer == string(c.Answer)
}

// Check returns an error if a rule is invalid.
func (r *Rule) Check() error {
	if r.Level == "" {
		return fmt.Errorf("a rule needs a level, one of %s", strings.Join(Levels, ", "))
	}
	for _, c := range []struct {
		what    string
		have    []string
		allowed []string
	}{
		{"level", []string{r.Level}, Levels},
		{"verdict", r.Verdict, verdicts},
		{"direction", r.Direction, directions},
		{"owner", r.Owner, owners},
		{"kind", r.Kind, kinds},
		{"named-in", r.NamedIn, places},
		{"history", r.History, histories},
		{"compatibility", r.Compatibility, compatibilities},
	} {
		for _, v := range c.have {
			if !slices.Contains(c.allowed, v) {
				return fmt.Errorf("%s %q: must be one of %s", c.what, v, strings.Join(c.allowed, ", "))
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

// fits reports whether a rule matches a finding.
func (r *Rule) fits(f *finding.Finding) bool {
	o := &f.Origins[0]
	return f.Tokens >= r.MinTokens && f.EndLine-f.StartLine+1 >= r.MinLines && (r.BelowScore == 0 || f.Score < r.BelowScore) &&
		holds(r.Verdict, func(v string) bool { return v == string(f.Verdict) }) &&
		holds(r.Direction, func(d string) bool { return d == f.Direction }) &&
		holds(r.Owner, func(w string) bool { return owns(w, f) }) &&
		holds(r.Kind, func(k string) bool { return k == kindOf(f) }) &&
		holds(r.NamedIn, func(p string) bool { return p == namedIn(f) }) &&
		holds(r.History, func(h string) bool { return (h == historyShared) == f.SharedHistory() }) &&
		holds(r.Compatibility, func(a string) bool { return hasCompatibility(a, f) }) &&
		holds(r.License, func(l string) bool { return licensed(l, o.License) }) &&
		holds(r.Package, func(p string) bool { return purl.Match(p, o.PURL) }) &&
		r.inPath(f.Path)
}

// owns reports whether the owner of the origin is related to the target in this way. A holder's origin has another owner too.
func owns(way string, f *finding.Finding) bool {
	switch way {
	case ownerSame:
		return f.Origins[0].SameOwner
	case ownerHolder:
		return f.Holder() != ""
	}
	return !f.Origins[0].SameOwner
}

// holds reports whether a condition of a rule holds: it is empty, or one of its entries fits.
func holds(list []string, fits func(string) bool) bool {
	return len(list) == 0 || slices.ContainsFunc(list, fits)
}

// licensed reports whether a licence pattern matches an expression. A class matches the class of the expression. An
// identifier matches if it binds under every choice. An expression matches an equal one.
func licensed(pattern, expr string) bool {
	if slices.Contains(license.Classes, license.Class(pattern)) {
		return license.ClassOf(expr) == license.Class(pattern)
	}
	if pattern == license.NoAssertion {
		return license.Expression(expr) == license.NoAssertion
	}
	if !strings.ContainsAny(pattern, "*?[") {
		if pattern = license.Expression(pattern); pattern == license.Expression(expr) {
			return true
		}
	}
	return license.Binds(expr, func(term string) bool {
		id, _, _ := strings.Cut(term, " WITH ")
		whole, _ := path.Match(pattern, term)
		bare, _ := path.Match(pattern, id)
		return whole || bare
	})
}

// pathMatcher returns a function that reports whether a path matches patterns in .gitignore's syntax. If there are none, every path does.
func pathMatcher(patterns []string) func(string) bool {
	if len(patterns) == 0 {
		return func(string) bool { return true }
	}
	fits := ignore.Lines(patterns).Match
	return func(path string) bool { return fits(finding.UnescapeName(path)) }
}

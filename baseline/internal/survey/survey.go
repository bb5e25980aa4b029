// Package survey reads a package: its licences, its metadata, and its files, which it passes on. It makes no document of them.
package survey

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/license/declared"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// longBefore is the least time between the date of an archive's files and its release for both to be recorded. A registry that
// copies others dates the copies.
const longBefore = 30 * 24 * time.Hour

// Surveyor reads packages: their licences, their metadata and their files. It parses a licence file of one content once, however many
// packages have it. Not safe for concurrent use.
type Surveyor struct {
	Limits source.Limits
	File   func(path string, data []byte) error                 // called for each file, in order
	Skip   func(path string, reason lang.Reason, detail string) // called for each file, or part of the package, that is not read
	told   map[store.Hash]license.Statement                     // licence files read, without their paths
}

// TooManyLicences is the reason for files that state a licence, beyond the limit for a package.
const TooManyLicences lang.Reason = "too-many-licences"

// Read reads a package. It fills the fields of its record that do not depend on the documents.
func (s *Surveyor) Read(ctx context.Context, p *source.Package) (store.Package, error) {
	pkg := store.Package{PURL: p.PURL, License: license.Expression(p.License), Asked: p.Asked, From: p.From, Skipped: make(map[string]int)}
	unread := 0                        // files that state a licence
	var licences, texts []license.File // licence files at the root; texts in the folder of REUSE
	var heads license.Versions
	var manifests declared.Reader
	err := p.Walk(ctx, s.Limits, func(path string, data []byte) error {
		switch f := (license.File{Path: path, Data: data}); {
		case !license.IsFile(path) || license.Beside(f):
		case strings.Contains(path, "/"):
			texts = append(texts, f)
		default:
			licences = append(licences, f)
			pkg.Licenses = append(pkg.Licenses, path)
		}
		switch {
		case !license.States(path):
		case len(pkg.Statements) < MaxStatements:
			pkg.Statements = s.state(pkg.Statements, license.File{Path: path, Data: data})
		default:
			unread++
		}
		heads.Read(path, data)
		manifests.Read(path, data)
		return s.File(path, data)
	}, func(path, reason, detail string) {
		s.Skip(path, lang.Reason(reason), detail)
	})
	if err != nil {
		return pkg, err
	}
	if unread > 0 {
		s.Skip("", TooManyLicences, fmt.Sprintf("%d files beyond the first %d that state a licence are not read for it", unread, MaxStatements))
	}
	pkg.Repository, pkg.Released = p.Published(), p.Released // the metadata of a download may have set them
	if t := p.Packed(); p.Released.Sub(t) > longBefore {
		pkg.Packed = t
	}
	if pkg.License == license.NoAssertion {
		pkg.License = packageLicense(licences, texts, pkg.Statements)
		settle(&pkg, &heads, manifests.License(), licences)
	} else {
		pkg.Statements, _ = heads.Settle(pkg.Statements, "")
	}
	if p.Asked {
		pkg.Statements = slices.DeleteFunc(pkg.Statements, func(s license.Statement) bool { return s.OfRoot() })
	}
	slices.SortFunc(pkg.Statements, func(x, y license.Statement) int { return cmp.Compare(x.Path, y.Path) })
	return pkg, nil
}

// settle completes the licence of a package by its README, if it has no licence file, and by its manifests. The text of a licence is more
// exact than the name in a manifest, unless the manifest offers it as one of several. A licence file without a known text counts against
// the manifest, unless it names the same licence.
func settle(pkg *store.Package, heads *license.Versions, declared string, files []license.File) {
	readme, says := heads.Readme()
	switch {
	case pkg.License != license.NoAssertion:
		if offers(declared, pkg.License) {
			pkg.License = declared
		}
	case len(files) > 0:
		if all(files, func(f license.File) bool { return speaksOf(f.Data, declared) }) {
			pkg.License = cmp.Or(declared, license.NoAssertion)
		}
	case says && (declared == "" || within(readme.Grants[0].License, declared)):
		pkg.Statements, pkg.License = append(pkg.Statements, readme), readme.Grants[0].License
	case !says:
		pkg.License = cmp.Or(declared, license.NoAssertion)
	}
	pkg.Statements, pkg.License = heads.Settle(pkg.Statements, pkg.License)
}

// stub is the size in bytes up to which a licence file may have a year and a holder alone, as those of R packages.
const stub = 200

// speaksOf reports whether a licence file may be the one that a manifest declares.
func speaksOf(text []byte, declared string) bool {
	names := license.Names(text)
	if len(names) == 0 {
		return len(text) < stub
	}
	have := license.Terms(declared)
	return all(names, func(n string) bool {
		return slices.ContainsFunc(have, func(h string) bool { return license.Means(n, h) })
	})
}

// offers reports whether choice is a choice of licences, and expr has only licences of choice. The text of a GNU licence may belong
// to another version.
func offers(choice, expr string) bool {
	if !strings.Contains(choice, " OR ") {
		return false
	}
	have := license.Terms(choice)
	return all(license.Terms(expr), func(t string) bool {
		return slices.ContainsFunc(have, func(h string) bool {
			return h == t || strings.HasPrefix(t, "GPL-") && strings.HasPrefix(h, "GPL-") && strings.HasSuffix(h, "-or-later")
		})
	})
}

// within reports whether an expression has only licences of another one.
func within(expr, of string) bool {
	have := license.Terms(of)
	return all(license.Terms(expr), func(t string) bool { return slices.Contains(have, t) })
}

func all[T any](list []T, fits func(T) bool) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return !fits(v) })
}

// packageLicense returns the licence of a package: of the licence files at the root, else of the texts in the folder of REUSE, else
// the licence that a list gives to all files.
func packageLicense(licences, texts []license.File, statements []license.Statement) string {
	for _, files := range [][]license.File{licences, texts} {
		if e := license.Package(files); e != license.NoAssertion {
			return e
		}
	}
	return cmp.Or(license.Whole(statements), license.NoAssertion)
}

// MaxStatements bounds the licence files of one package. Bundles of a thousand packages have two of each.
const MaxStatements = 4096

// state adds the licence statement of a file. Each content is parsed once, since a bundle has the same text a hundred times.
func (s *Surveyor) state(list []license.Statement, f license.File) []license.Statement {
	h := store.Sum(append(fmt.Appendf(nil, "%s %t\n", path.Base(f.Path), license.IsList(f.Path)), f.Data...))
	said, known := s.told[h]
	if !known {
		var says bool
		if said, says = license.Read(f); !says {
			said.Path = ""
		}
		if s.told == nil {
			s.told = make(map[store.Hash]license.Statement)
		}
		s.told[h] = said
	}
	if said.Path == "" {
		return list
	}
	said.Path = f.Path
	return append(list, said)
}

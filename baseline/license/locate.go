package license

import (
	"path"
	"slices"
	"strings"
)

// From says where the licence of a file was found.
type From struct {
	Kind    string `json:"kind"`              // one of the constants below
	Path    string `json:"path,omitempty"`    // path in the package of the file that states it
	Line    int    `json:"line,omitempty"`    // line where a tag or header begins
	Package string `json:"package,omitempty"` // licence of the whole package, if the file's own cannot be determined
}

// Kinds of sources of a licence, the strongest first.
const (
	FromTag     = "spdx-tag" // an SPDX-License-Identifier of the file
	FromHeader  = "header"   // a text, notice or sentence at the head of the file
	FromModule  = "module"   // a notice at the head of a module, in a bundle
	FromList    = "list"     // a list that names the file
	FromFile    = "file"     // the nearest licence file above it
	FromPackage = "package"  // what the package declares
	FromUnknown = "unknown"  // undecided which of the package's licences it is, or the head of the file states one that is not known
	FromBundle  = "bundle"   // a module without a notice, in a bundle of modules of several packages: unknown too
)

// AtRoot reports whether a licence file at the root states it.
func (f From) AtRoot() bool { return f.Kind == FromFile && !strings.Contains(f.Path, "/") }

// Of returns the licence of one file of a package and where it was found. The sources are, in this order: the file
// itself, a list that names it, the nearest statement above it, the package. If several licences remain and none is
// said to be the file's, it returns NoAssertion.
func Of(file string, head Stated, declared string, statements []Statement) (string, From) {
	for _, kind := range []string{listBeside, listOverride} {
		if e, from, _, ok := listed(file, statements, kind); ok {
			return e, from
		}
	}
	if !head.Tag && strings.Contains(head.License, " AND ") && sameTerms(head.License, declared) {
		head.License = declared // "under the Apache license and the MPL" is often a choice, as metadata shows
	}
	if !head.Tag && head.License == unversioned["GPL"] && settles(declared, head.License) {
		head.License = declared // "under the GNU GPL", of a version that the package says; heads with version 2 of the LGPL are too many
	}
	if !hint(head.License) && strings.Contains(head.License, bsdStyle) {
		if near := onlyBSD(file, declared, statements); near != "" {
			head.License = strings.Replace(head.License, bsdStyle, near, 1)
		}
	}
	switch name, points := strings.CutPrefix(head.License, pointing); {
	case head.License == ownTerms:
		return NoAssertion, From{Kind: FromUnknown, Path: file, Line: head.Line, Package: known(declared)}
	case points:
		if e, from, ok := pointed(file, name, statements); ok {
			return e, from
		}
		if qualifier(name) != "" { // a licence file that the package lacks, not that of the package
			return NoAssertion, From{Kind: FromUnknown, Path: file, Line: head.Line, Package: known(declared)}
		}
	case head.License != "" && head.License != foreignTerms && !hint(head.License):
		return head.License, stated(file, head)
	}
	e, from := nearest(file, declared, statements)
	if head.License == foreignTerms && slices.ContainsFunc(Terms(e), knownByName) {
		return NoAssertion, From{Kind: FromUnknown, Path: file, Line: head.Line, Package: known(declared)}
	}
	if !hint(head.License) || family(e) == "BSD" {
		return e, from
	}
	if near := onlyBSD(file, declared, statements); near != "" {
		return near, stated(file, head)
	}
	if head.License == goBSDStyle {
		return "BSD-3-Clause", stated(file, head)
	}
	return bsdStyle, stated(file, head)
}

// settles reports whether a package's licence says which version the unversioned name of a GNU licence means: some version or any
// later one.
func settles(declared, unversioned string) bool {
	name, _, _ := strings.Cut(unversioned, "-")
	return strings.HasPrefix(declared, name+"-") && strings.HasSuffix(declared, "-or-later") && len(Terms(declared)) == 1
}

// knownByName reports whether the name of a licence in a comment is recognised. A head with an unrecognised name states another
// licence.
func knownByName(term string) bool {
	return isGNU(term) || startsWith(term, "MIT", "ISC", "BSD-", "Apache-", "MPL-", "Artistic-", "CDDL-", "BSL-", "Zlib", "CC0-", "WTFPL", "Unlicense", "LicenseRef-public-domain", "Ruby", "X11", "Python-", "PSF-")
}

// pointed returns the licence in the nearest licence file with a given name above a file.
func pointed(file, name string, statements []Statement) (string, From, bool) {
	depth, expr, at := -1, "", ""
	for _, s := range statements {
		dir := path.Dir(s.Path)
		if s.List != "" || !strings.EqualFold(path.Base(s.Path), name) || dir != "." && !strings.HasPrefix(file, dir+"/") {
			continue
		}
		if deep := strings.Count(s.Path, "/"); deep > depth {
			depth = deep
			expr, at = general([]Statement{s}, isProse(file))
		}
	}
	return expr, From{Kind: FromFile, Path: at}, expr != ""
}

// sameTerms reports whether two expressions have the same licences, at least two.
func sameTerms(a, b string) bool {
	x, y := Terms(a), Terms(b)
	slices.Sort(x)
	slices.Sort(y)
	return len(x) > 1 && slices.Equal(x, y)
}

func stated(file string, head Stated) From {
	kind := FromHeader
	if head.Tag {
		kind = FromTag
	}
	return From{Kind: kind, Path: file, Line: head.Line}
}

// onlyBSD returns the only BSD licence in the statements above a file, which "a BSD-style license" then means. It
// returns "" if there is none or more than one.
func onlyBSD(file, declared string, statements []Statement) string {
	terms := Terms(declared)
	for _, s := range statements {
		if dir := path.Dir(s.Path); dir != "." && !strings.HasPrefix(file, dir+"/") {
			continue
		}
		for _, g := range s.Grants {
			terms = append(terms, Terms(g.License)...)
		}
	}
	slices.Sort(terms)
	terms = slices.DeleteFunc(slices.Compact(terms), func(t string) bool { return family(t) != "BSD" || hint(t) })
	if len(terms) != 1 {
		return ""
	}
	return terms[0]
}

// uncoveredDirs are names of folders that only ever hold code of other people: the licence of the surrounding package does not cover
// it. Names that some projects give to code of their own, such as contrib and external, are not among them, since a licence would be
// lost. lang/vendored.go lists the tables of such folders, with what each decides.
var uncoveredDirs = []string{"third_party", "third-party", "thirdparty", "3rdparty", "vendor", "_vendor", "vendored", "node_modules", "bower_components"}

// ThirdParty reports whether the folders of a file say that other people wrote it.
func ThirdParty(file string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(dir string) bool { return slices.Contains(uncoveredDirs, dir) })
}

func nearest(file, declared string, statements []Statement) (string, From) {
	list, by, whole, ok := listed(file, statements, listFiles)
	if ok && !whole {
		return list, by
	}
	if isList := func(s Statement) bool { return s.List != "" }; slices.ContainsFunc(statements, isList) {
		statements = slices.DeleteFunc(slices.Clone(statements), isList)
	}
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if e, from, ok := within(dir, file, statements); ok {
			return e, from
		}
	}
	if ok {
		return list, by
	}
	if ThirdParty(file) {
		return NoAssertion, From{Kind: FromUnknown, Package: known(declared)}
	}
	own := in(".", statements)
	if i := slices.IndexFunc(own, isMetadata); i >= 0 && known(declared) == "" {
		declared = own[i].Grants[0].License
	}
	return decide(slices.DeleteFunc(own, isMetadata), file, declared, "")
}

func isMetadata(s Statement) bool { return path.Base(s.Path) == metadata }

// within decides by the statements of one folder; ok is false if there are none.
func within(dir, file string, statements []Statement) (string, From, bool) {
	here := in(dir, statements)
	here = slices.DeleteFunc(here, func(s Statement) bool { return s.onlyOf(strings.TrimPrefix(file, dir+"/")) })
	if len(here) == 0 {
		return "", From{}, false
	}
	declared, by := NoAssertion, ""
	if i := slices.IndexFunc(here, isMetadata); i >= 0 {
		declared, by = here[i].Grants[0].License, here[i].Path
	}
	e, from := decide(slices.DeleteFunc(here, isMetadata), strings.TrimPrefix(file, dir+"/"), declared, by)
	return e, from, true
}

// onlyOf reports whether a statement covers only files that it names, and file is not among them.
func (s Statement) onlyOf(file string) bool {
	return len(s.Grants) > 0 && !slices.ContainsFunc(s.Grants, func(g Grant) bool { return len(g.Files) == 0 || g.names(file) })
}

func in(dir string, statements []Statement) []Statement {
	var out []Statement
	for _, s := range statements {
		if path.Dir(s.Path) == dir {
			out = append(out, s)
		}
	}
	return out
}

// decide returns the licence of a file from the statements of one folder and the declared licence. by is the path of
// the metadata that declares it, or "" for the package's own.
func decide(here []Statement, file, declared, by string) (string, From) {
	all, prose := here, isProse(file)
	here = fitting(here, file)
	var named []string
	at := ""
	for _, s := range all {
		for _, g := range s.Grants {
			if g.names(file) {
				named, at = append(named, g.License), s.Path
			}
		}
	}
	if len(named) > 0 {
		return And(named...), From{Kind: FromFile, Path: at}
	}
	text, at := general(here, prose)
	if own := slices.IndexFunc(here, inOwn); own >= 0 && text != "" { // a choice, or beside the other
		return NoAssertion, From{Kind: FromUnknown, Path: here[own].Path, Package: known(declared)}
	}
	said := narrow(declared, prose)
	switch {
	case text != "" && (said == "" || text == said || strings.HasPrefix(text, said+" WITH ") || apartFrom(text, said) && (prose || !onlyData(text) || onlyData(said))):
		return text, From{Kind: FromFile, Path: at}
	case said != "":
		return said, From{Kind: FromPackage, Path: by}
	}
	return NoAssertion, From{Kind: FromUnknown, Path: at, Package: known(declared)}
}

func known(expr string) string {
	if expr == NoAssertion {
		return ""
	}
	return expr
}

// apartFrom reports whether two expressions are unrelated. Then the metadata is outdated, or a template's.
func apartFrom(a, b string) bool {
	for _, x := range Terms(a) {
		if slices.ContainsFunc(Terms(b), func(y string) bool { return covers(x, y) || covers(y, x) }) {
			return false
		}
	}
	return true
}

// fitting leaves out statements whose name excludes a file. LICENSE.docs does not cover code. If there is a LICENSE,
// then LICENSE-fonts and LICENSE.thirdparty cover something else.
func fitting(here []Statement, file string) []Statement {
	var plain, docs, others []Statement
	for _, s := range here {
		switch q := qualifier(path.Base(s.Path)); {
		case q == "":
			plain = append(plain, s)
		case strings.HasPrefix(q, "DOC"):
			docs = append(docs, s)
		default:
			others = append(others, s)
		}
	}
	switch {
	case len(docs) > 0 && isProse(file):
		return docs
	case len(plain) > 0:
		return plain
	}
	return others
}

// qualifier returns the part of a licence file's name that limits it: "DOCS" of LICENSE.docs, "MIT" of LICENSE-MIT, ""
// of LICENSE.md.
func qualifier(base string) string {
	base = strings.ToUpper(base)
	for _, ext := range []string{".MD", ".TXT", ".RST", ".HTML", ".HTM", ".MARKDOWN", ".ADOC"} {
		base = strings.TrimSuffix(base, ext)
	}
	for _, s := range stems {
		if rest, ok := strings.CutPrefix(base, s); ok && rest != "" && strings.IndexByte(".-_", rest[0]) >= 0 {
			switch rest = rest[1:]; rest {
			case "LESSER", "LIB", "CODE": // beside COPYING, or of the code
				return ""
			}
			return rest
		}
	}
	return ""
}

// general returns the licence that statements give to files they do not name, and the path of the first such statement.
// expr is "" if there are several licences or none.
func general(here []Statement, prose bool) (expr, at string) {
	var ids, noticed []string
	for _, s := range here {
		for _, g := range s.Grants {
			if !g.Text {
				noticed = append(noticed, g.License)
			}
			if len(g.Files) > 0 || g.Part || g.License == ownTerms || slices.Contains(ids, g.License) {
				continue
			}
			if ids = append(ids, g.License); at == "" {
				at = s.Path
			}
		}
		if at == "" {
			at = s.Path
		}
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { // the text of what a notice grants in a version or later
		base, only := strings.CutSuffix(id, "-only")
		return only && slices.Contains(ids, base+"-or-later") && !slices.Contains(noticed, id)
	})
	slices.Sort(ids)
	if ids = dropIncorporated(ids); slices.Equal(ids, []string{"Apache-2.0", "MIT"}) && len(here) == 2 && !slices.ContainsFunc(here, isPlain) {
		return "MIT OR Apache-2.0", at // by custom, LICENSE-MIT beside LICENSE-APACHE is a choice
	}
	return narrow(And(ids...), prose), at
}

// inOwn reports whether a statement grants something in words that no rule knows.
func inOwn(s Statement) bool {
	return slices.ContainsFunc(s.Grants, func(g Grant) bool { return g.License == ownTerms })
}

func isPlain(s Statement) bool { return qualifier(path.Base(s.Path)) == "" }

// narrow reduces the expression of a whole package to the licence of a code file in it. Licences of fonts and data are
// left out. It returns "" if several remain or nothing is known.
func narrow(expr string, prose bool) string {
	n := parse(expr)
	switch {
	case n == nil:
		return ""
	case n.op != "AND":
		return n.String()
	}
	var code, data []*node
	for _, c := range n.of {
		switch {
		case c.all(isFont):
		case c.all(isData):
			data = append(data, c)
		default:
			code = append(code, c)
		}
	}
	if prose {
		code = append(code, data...)
	}
	if len(code) != 1 {
		return ""
	}
	return code[0].String()
}

func (n *node) all(is func(string) bool) bool {
	return !slices.ContainsFunc(n.terms(nil), func(t string) bool { return !is(t) })
}

// isFont reports whether a licence is one for fonts; isData, one for texts, pictures and data.
func isFont(term string) bool { return startsWith(term, "OFL-", "Bitstream-", "UFL-", "Arphic-") }

func isData(term string) bool {
	return startsWith(term, "CC-BY", "GFDL-", "ODbL-", "ODC-", "PDDL-", "CDLA-", "O-UDA-", "C-UDA-", "OGL-UK-")
}

// onlyData reports whether an expression has only licences for texts, pictures and data. A licence file that links to such a
// licence speaks of the package's texts and pictures, if the metadata names another licence for the code.
func onlyData(expr string) bool { return parse(expr).all(isData) }

// isGNU reports whether a term is a licence of the GNU project for programs.
func isGNU(term string) bool { return startsWith(term, "GPL-", "LGPL-", "AGPL-") }

func startsWith(s string, starts ...string) bool {
	return slices.ContainsFunc(starts, func(p string) bool { return strings.HasPrefix(s, p) })
}

// isProse reports whether a file is a document, by its extension. The files of CMake have that of a text.
func isProse(file string) bool {
	if strings.EqualFold(path.Base(file), "CMakeLists.txt") {
		return false
	}
	return slices.Contains([]string{".md", ".markdown", ".rst", ".txt", ".adoc", ".html", ".htm", ".tex", ".texi"}, strings.ToLower(path.Ext(file)))
}

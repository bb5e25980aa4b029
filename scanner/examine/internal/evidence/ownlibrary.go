package evidence

import (
	"bytes"
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// In Java, Kotlin, Scala, Rust, C# and PHP few names of a library stand right after the name that an import binds: most are members of
// values. The library's tests and its users write these names in the same order. A copy has names of its own, which it declares.

// calledNames returns the names of a match that belong to the origin's own library, if the target imports that library: the names
// that the import binds, and the names that neither side declares. used reports whether the target imports the library.
func (j *Judge) calledNames(p Proof, occs []baseline.Occurrence) (names map[string]bool, used bool) {
	clauses := j.text.Clauses()
	if len(clauses.Paths) == 0 {
		return nil, false
	}
	names = make(map[string]bool)
	for _, origin := range j.pathsOf(p, occs) {
		for _, c := range clauses.Paths {
			if imports.SameRoot(j.text.Language, c.Path, origin) && agree(c.Path, origin) > agree(c.Path, clauses.Own) && !j.ownCrate(c.Path[0]) {
				used = true
				for _, name := range c.Names {
					names[name] = true
				}
			}
		}
	}
	if !used {
		return nil, false
	}
	maps.Copy(names, j.reachedNames(p))
	return names, true
}

// showsUse reports whether a document at a path shows how its package is used: a test, or an example. In Go and Python other files in a
// directory of tests may be code of the package, as those of django/test are. In Go only names that end in _test.go are tests.
func showsUse(syntax, at string) bool {
	dir, file := path.Split(strings.ToLower(at))
	for d := range strings.SplitSeq(dir, "/") {
		switch strings.Trim(d, "_") {
		case "example", "examples", "demo", "demos", "sample", "samples":
			return true
		case "tests":
			if syntax != "go" {
				return true
			}
		case "test", "spec", "specs", "e2e":
			if syntax != "go" && syntax != "python" {
				return true
			}
		}
	}
	stem := strings.TrimSuffix(file, path.Ext(file))
	return strings.HasSuffix(stem, "_test") || syntax != "go" && strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec")
}

// reachedNames returns the names of a match that neither side declares: if the target uses the origin's package, they are members of what
// it imports.
func (j *Judge) reachedNames(p Proof) map[string]bool {
	here, there, names := j.text.Declared(), p.Doc.Declared(), map[string]bool{}
	for _, r := range p.Runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			if name := string(j.text.TextAt(i)); j.text.Tokens[i].Class == lang.Identifier && !here[name] && !there[name] {
				names[name] = true
			}
		}
	}
	return names
}

// InUse returns the names of a match that belong to a library which both sides only use: the target imports the origin's package,
// and the document is a test or an example in each package of this kind. These are the names that neither side declares; in Go,
// those of them that are exported. In C and its relatives no import tells what it binds; usedInC says what counts there.
func (j *Judge) InUse(p Proof) (map[string]bool, error) {
	syntax := j.text.Language.Syntax()
	if len(j.text.Imports()) == 0 && !ofC(syntax) {
		return nil, nil
	}
	occs, err := p.Doc.Occurrences()
	if err != nil {
		return nil, err
	}
	if ofC(syntax) {
		return j.usedInC(p, occs), nil
	}
	used := false
	for i, o := range occs {
		if len(j.boundBy(occs[i:i+1])) == 0 {
			continue
		}
		if !showsUse(syntax, o.Path) {
			return nil, nil
		}
		used = true
	}
	if !used {
		return nil, nil
	}
	names := j.reachedNames(p)
	maps.DeleteFunc(names, func(name string, _ bool) bool { return syntax == "go" && !ast.IsExported(name) })
	return names, nil
}

// ofC reports whether a language has the syntax of C or C++.
func ofC(syntax string) bool { return syntax == "c" || syntax == "cpp" }

// usedInC returns the names of a match in C or a relative of it that belong to what both sides use. If the document is a test or an
// example in each package, and the target's file is neither and uses the same library beside the match, these are all names that neither
// side declares. Else they are those that repeat a type which neither side declares (VkSubmitInfo submitInfo), if both sides declare them
// with it.
func (j *Judge) usedInC(p Proof, occs []baseline.Occurrence) map[string]bool {
	syntax, names := j.text.Language.Syntax(), make(map[string]bool)
	if !showsUse(syntax, j.text.Path) && !slices.ContainsFunc(occs, func(o baseline.Occurrence) bool { return !showsUse(syntax, o.Path) }) && j.usesBeside(p) {
		names = j.reachedNames(p)
	}
	here, there, types := j.text.Declared(), p.Doc.Declared(), p.Doc.Echoes()
	for name, is := range j.text.Echoes() {
		if slices.ContainsFunc(is, func(typ string) bool { return !here[typ] && !there[typ] && slices.Contains(types[name], typ) }) {
			names[name] = true
		}
	}
	return names
}

// mostHeaders is the number of a document's headers that the target's names are compared with.
const mostHeaders = 64

// usesBeside reports whether the target's file shows beside a match that it uses what the document uses. Both include one header, or the
// file has a name elsewhere that neither side declares: an unchanged name of the match, or one that begins like a library header of the
// document (curl_slist with <curl/curl.h>). Code pasted into another program brings its names along. Names with no more bits than those of
// a platform show nothing.
func (j *Judge) usesBeside(p Proof) bool {
	if imports.Share(j.text.Imports(), p.Doc.Imports()) {
		return true
	}
	headers := imports.Headers(j.text.Language, p.Doc.Imports())
	headers = headers[:min(len(headers), mostHeaders)]
	here, there, unchanged, within := j.text.Declared(), p.Doc.Declared(), j.unchanged(p), j.timesWithin(p)
	for name, use := range j.text.Uses() {
		if use.Times <= within[name] || here[name] || there[name] {
			continue
		}
		if !unchanged[name] && !slices.ContainsFunc(headers, func(h string) bool { return imports.Declares(h, name) }) {
			continue
		}
		if _, bits := j.text.Costs().Name(use.First); bits > j.text.Rules.Weights.Platform {
			return true
		}
	}
	return false
}

// unchanged returns the names that are equal on both sides of a match.
func (j *Judge) unchanged(p Proof) map[string]bool {
	out := make(map[string]bool)
	for _, r := range p.Runs {
		for k := range r.Len {
			if name := j.text.TextAt(r.Target + k); j.text.Tokens[r.Target+k].Class == lang.Identifier && bytes.Equal(name, p.Doc.TextAt(r.Origin+k)) {
				out[string(name)] = true
			}
		}
	}
	return out
}

// timesWithin returns how often each name is between the first and the last token of a match.
func (j *Judge) timesWithin(p Proof) map[string]int {
	out := make(map[string]int)
	for i := p.From; i < p.To; i++ {
		if j.text.Tokens[i].Class == lang.Identifier {
			out[string(j.text.TextAt(i))]++
		}
	}
	return out
}

// agree returns with how many equal names two paths begin. A path that agrees longer with the target's own package is the target's.
func agree(a, b []string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// pathsOf lists paths of the document's library. A document of Java, Kotlin, Scala, C# and PHP names its package. Tests and examples in
// PHP may name none; then what they import counts. In Rust no document names its package. So the name of the origin's package counts, and
// the directories of the document, because one repository has several crates.
func (j *Judge) pathsOf(p Proof, occs []baseline.Occurrence) (out [][]string) {
	if j.text.Language.Syntax() == "rust" {
		for _, o := range occs {
			if u, err := purl.Parse(o.PURL); err == nil {
				for _, name := range crates(u.Name) {
					out = append(out, []string{name})
				}
			}
			dirs := strings.Split(o.Path, "/")
			for _, dir := range dirs[:len(dirs)-1] {
				out = append(out, []string{crate(dir)})
			}
		}
		return out
	}
	clauses := p.Doc.Clauses()
	switch {
	case clauses.Own != nil:
		out = append(out, clauses.Own)
	case j.text.Language.Syntax() == "php":
		for _, c := range clauses.Paths {
			out = append(out, c.Path)
		}
	}
	return out
}

// crate returns the name by which Rust imports a package.
func crate(name string) string { return strings.ReplaceAll(name, "-", "_") }

// crates returns the names by which Rust may import a package or the repository of one. Repositories are often called tui-rs for a crate
// tui, and Debian's sources rust-tui.
func crates(name string) []string {
	bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "rust-"), "-rs"), ".rs")
	if bare == "" || bare == name {
		return []string{crate(name)}
	}
	return []string{crate(name), crate(bare)}
}

// ownCrate reports whether a crate is the target's own: its manifest names it, or a directory of the file is called so. Tests of a crate
// import it by its name.
func (j *Judge) ownCrate(name string) bool {
	if j.text.Language.Syntax() != "rust" {
		return false
	}
	for _, published := range []string{name, strings.ReplaceAll(name, "_", "-")} {
		if j.text.Rules.Self.Declaration(purl.Make("cargo", published, ""), "") != "" {
			return true
		}
	}
	dirs := strings.Split(j.text.Path, "/")
	return slices.ContainsFunc(dirs[:len(dirs)-1], func(dir string) bool { return crate(dir) == name })
}

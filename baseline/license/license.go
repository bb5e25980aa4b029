// Package license finds the licence of external code while a baseline is built:
// of a package from its licence files, of one file from its head, and of what
// metadata declares. Texts and tags come in; SPDX licence expressions go out, to
// be stored with each document. Nothing here reads files.
//
// Every expression is valid SPDX: listed identifiers in their listed spelling,
// joined by AND, OR and WITH. Besides that:
//
//   - a licence with a name that is not on the SPDX list becomes
//     "LicenseRef-<name>", because somebody did declare it;
//   - what cannot be read as an expression becomes "NOASSERTION";
//   - the identifiers SPDX deprecated for GNU licences are written in full
//     ("GPL-2.0" is "GPL-2.0-only", "GPL-2.0+" is "GPL-2.0-or-later"), as SPDX
//     defines them. The text of a GNU licence alone does not tell the two apart
//     and counts as "only", the stricter of the two;
//   - licences found side by side are joined by AND. Licence texts do not say
//     that one may choose, only metadata and tags do.
package license

import (
	"path"
	"slices"
	"strings"
)

// NoAssertion is the expression for a licence that is not known.
const NoAssertion = "NOASSERTION"

// maxText bounds the scan of one licence file: the scanner does about 65 MB/s,
// and 512 KiB is ten times the longest licence on the SPDX list.
const maxText = 512 << 10

// Match is a licence found in a text.
type Match struct {
	ID      string  // SPDX expression, in most cases one identifier
	Percent float64 // share of the text's bytes that match
	URL     bool    // known from a link to the licence alone
}

// File is a licence file of a package.
type File struct {
	Path string // slash path relative to the package's root
	Data []byte
}

// stems are the names of licence files, in capitals, without extension. NOTICE
// and PATENTS are not among them: they repeat other people's licences, or add to one.
var stems = []string{"LICENSE", "LICENCE", "LICENSES", "COPYING", "COPYRIGHT", "UNLICENSE", "UNLICENCE", "MIT-LICENSE", "COPYLEFT"}

// codeExts are extensions that make a name that starts like a licence file's a
// program: license.go, copying.py.
var codeExts = []string{".go", ".c", ".h", ".cc", ".cpp", ".cs", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".py", ".rb", ".rs", ".java",
	".kt", ".php", ".pl", ".lua", ".swift", ".scala", ".sh", ".json", ".yml", ".yaml", ".toml", ".xml", ".css", ".tmpl", ".lre"}

// IsFile reports whether the file at a slash path holds the licence of the
// package: LICENSE, COPYING and their like at its root, whatever their case and
// extension, and every file of the LICENSES folder that REUSE prescribes.
func IsFile(name string) bool {
	dir, base := path.Split(name)
	if slices.Contains(codeExts, strings.ToLower(path.Ext(base))) {
		return false
	}
	if dir == "LICENSES/" {
		return base != ""
	}
	if dir != "" {
		return false
	}
	base = strings.ToUpper(base)
	for _, s := range stems {
		if rest, ok := strings.CutPrefix(base, s); ok && (rest == "" || strings.IndexByte(".-_", rest[0]) >= 0) {
			return true
		}
	}
	return strings.HasSuffix(base, "-LICENSE") || strings.HasSuffix(base, ".LICENSE")
}

// Detect returns the licences a text contains or links to, each once, in order
// of appearance.
func Detect(text []byte) []Match {
	text = text[:min(len(text), maxText)]
	var found []Match
	for _, m := range scan(text, enough).Match {
		id := fromScanner(m.ID)
		if id == "" {
			continue
		}
		share := 100 * float64(m.End-m.Start) / float64(len(text))
		if i := slices.IndexFunc(found, func(f Match) bool { return f.ID == id }); i >= 0 {
			found[i].Percent += share
			found[i].URL = found[i].URL && m.IsURL
			continue
		}
		found = append(found, Match{ID: id, Percent: share, URL: m.IsURL})
	}
	return found
}

// Span is a half-open stretch of bytes.
type Span struct{ From, To int }

// Spans returns where text is the wording of a common licence, or a sentence of one, in ascending order.
func Spans(text []byte) []Span {
	text = text[:min(len(text), maxText)]
	var out []Span
	for _, m := range scan(text, always).Match {
		out = append(out, Span{m.Start, m.End})
	}
	return withPieces(text, out)
}

// Package returns the licence of a package from the files IsFile picks at its
// root, NoAssertion when they do not tell. The order of files is irrelevant.
func Package(files []File) string {
	var ids []string
	for _, f := range files {
		ids = append(ids, fileIDs(f)...)
	}
	slices.Sort(ids)
	ids = dropIncorporated(slices.Compact(ids))
	return And(ids...)
}

// fileIDs returns the licences of one licence file. REUSE names the files of
// LICENSES by identifier; elsewhere links count only when no text was found,
// since licence texts link to other licences.
func fileIDs(f File) []string {
	if dir, base := path.Split(f.Path); dir == "LICENSES/" {
		name := strings.TrimSuffix(base, path.Ext(base))
		if id := Expression(name); isKnown(id) {
			return []string{id}
		}
		if _, ok := lists().exceptions[strings.ToLower(name)]; ok {
			return nil
		}
	}
	matches := Detect(f.Data)
	texts := slices.DeleteFunc(slices.Clone(matches), func(m Match) bool { return m.URL })
	if len(texts) > 0 {
		matches = texts
	}
	return ids(matches)
}

func ids(matches []Match) []string {
	var out []string
	for _, m := range matches {
		out = append(out, m.ID)
	}
	return out
}

// isKnown reports whether an expression is a single identifier known to be one.
func isKnown(id string) bool {
	_, listed := lists().licenses[strings.ToLower(id)]
	return listed
}

// dropIncorporated removes the GPL texts an LGPL package carries because its own
// licence is written as additions to them (COPYING beside COPYING.LESSER).
func dropIncorporated(ids []string) []string {
	if !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, "LGPL-3.0") }) {
		return ids
	}
	return slices.DeleteFunc(ids, func(id string) bool { return id == "GPL-3.0-only" })
}

// fromScanner maps an identifier of the scanner to an SPDX expression, "" for
// texts that add to a licence without being one.
func fromScanner(id string) string {
	switch id {
	case "GooglePatentClause", "GooglePatentsFile":
		return ""
	case "GPL-2.0-or-3.0":
		return "GPL-2.0-only OR GPL-3.0-only"
	case "LGPL-2.0-or-3.0":
		return "LGPL-2.0-only OR LGPL-3.0-only"
	}
	return Expression(id)
}

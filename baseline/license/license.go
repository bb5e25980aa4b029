// Package license finds the licence of external code while a baseline is built. It reads a package's licence files, the
// head of a file, and declarations in metadata. It returns SPDX licence expressions, which are stored with each
// document. It reads no files itself.
//
//	grants.go      what a licence file grants; listed.go: files that list others' licences; pieces.go: shortened and cut texts
//	header.go      the licence in the head of a file: notices.go, named.go, worded.go read a comment; gnu.go: versions of GNU licences
//	module.go      modules in a bundle, each with its licence
//	scan.go        the licence texts in a text
//	locate.go      which of all these is the licence of a file
//	expression.go  SPDX expressions
//	class.go, compatible.go  what a licence asks for; which licences go together
//	license.go     files, matches, statements
//
// Every expression is valid SPDX: listed identifiers in their listed spelling, joined by AND, OR and WITH. In addition:
//
//   - a declared name that is not on the SPDX list becomes "LicenseRef-<name>";
//   - text that is not a valid expression becomes "NOASSERTION";
//   - deprecated identifiers of GNU licences are written in full ("GPL-2.0" is "GPL-2.0-only", "GPL-2.0+" is
//     "GPL-2.0-or-later"), as SPDX defines them. The text of a GNU licence is the same for both and counts as "only",
//     the stricter of the two;
//   - licences found side by side are joined by AND. Only metadata and tags offer a choice; licence texts do not.
package license

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/marks"
)

// NoAssertion is the expression for an unknown licence.
const NoAssertion = "NOASSERTION"

// maxText bounds the scan of one licence file, in bytes. The scanner reads about 65 MB/s, and 512 KiB is ten times the
// longest licence on the SPDX list.
const maxText = 512 << 10

// Match is a licence found in a text.
type Match struct {
	ID      string  // SPDX expression, in most cases one identifier
	Percent float64 // share of the text's bytes that match
	URL     bool    // found only through a link to the licence
}

// File is a licence file of a package.
type File struct {
	Path string // slash path relative to the package's root
	Data []byte
}

// Statement is a file of a package that states the licence of files beside and below it: LICENSE and similar files,
// lists of licences, or metadata in a subfolder.
type Statement struct {
	Path   string  `json:"path"`
	Grants []Grant `json:"grants,omitempty"` // empty if its text is no known licence
	List   string  `json:"list,omitempty"`   // kind of list; "" if it is not a list
}

// rawStatement is the JSON form of a statement. JSON cannot hold a path that is not UTF-8.
type rawStatement struct {
	Path   string  `json:"path"`
	Bytes  []byte  `json:"pathBytes,omitempty"` // the path if it is not UTF-8
	Grants []Grant `json:"grants,omitempty"`
	List   string  `json:"list,omitempty"`
}

// MarshalJSON keeps each byte of the path.
func (s Statement) MarshalJSON() ([]byte, error) {
	raw := rawStatement{Path: s.Path, Grants: s.Grants, List: s.List}
	if !utf8.ValidString(s.Path) {
		raw.Bytes = []byte(s.Path)
	}
	return json.Marshal(raw)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Statement) UnmarshalJSON(b []byte) error {
	var raw rawStatement
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*s = Statement{raw.Path, raw.Grants, raw.List}
	if len(raw.Bytes) > 0 {
		s.Path = string(raw.Bytes)
	}
	return nil
}

// Grant is one licence that a statement gives.
type Grant struct {
	License string   `json:"license"`
	Files   []string `json:"files,omitempty"` // names or patterns of its files; empty for all files that no grant names
	Part    bool     `json:"part,omitempty"`  // for a part of the package that has no name
	Text    bool     `json:"text,omitempty"`  // the text of a GNU licence, which does not say whether later versions may be used
	Globs   []string `json:"globs,omitempty"` // in a list: patterns of its paths
}

// Equal reports whether two statements say the same.
func (s Statement) Equal(o Statement) bool {
	return s.Path == o.Path && s.List == o.List && slices.EqualFunc(s.Grants, o.Grants, func(a, b Grant) bool {
		return a.License == b.License && a.Part == b.Part && a.Text == b.Text && slices.Equal(a.Files, b.Files) && slices.Equal(a.Globs, b.Globs)
	})
}

// stems are the names of licence files, in capitals, without extension. NOTICE and PATENTS are excluded: they repeat
// licences of others, or add to one.
var stems = []string{"LICENSE", "LICENCE", "LICENSES", "COPYING", "COPYRIGHT", "UNLICENSE", "UNLICENCE", "MIT-LICENSE", "COPYLEFT"}

// codeExts are extensions of programs. A file with one is not a licence file, whatever its name: license.go,
// copying.py.
var codeExts = []string{".go", ".c", ".h", ".cc", ".cpp", ".cs", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".py", ".rb", ".rs", ".java",
	".kt", ".php", ".pl", ".lua", ".swift", ".scala", ".sh", ".json", ".yml", ".yaml", ".toml", ".xml", ".css", ".tmpl", ".lre"}

// IsFile reports whether the file at a slash path has the licence of the package. It accepts LICENSE, COPYING and
// similar names at the root, in any case and with most extensions, names of licences such as Artistic and GPL-2, and every file of the
// LICENSES folder that REUSE prescribes.
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
	return strings.HasSuffix(base, "-LICENSE") || strings.HasSuffix(base, ".LICENSE") || isTitle(base)
}

// isTitle reports whether a file's name, in capitals, is that of a licence: a package whose terms are a choice often has one file for each.
func isTitle(base string) bool {
	for _, title := range []string{"ARTISTIC", "GPL", "LGPL", "AGPL", "BSD", "MIT"} {
		if rest, ok := strings.CutPrefix(strings.TrimSuffix(base, ".TXT"), title); ok && strings.Trim(rest, ".-_V0123") == "" {
			return true
		}
	}
	return false
}

// Detect returns the licences that a text contains or links to, each once, in order of appearance.
func Detect(text []byte) []Match {
	text = text[:min(len(text), maxText)]
	var found []Match
	matches := withoutAppendix(text, scan(text, enough).Match)
	words := besideTexts(text, matches)
	for _, m := range matches {
		id := excepted(idOf(text, m), words)
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

// Span is a half-open range of bytes.
type Span struct{ From, To int }

// longestHeadNotice is the size in bytes of a comment that is a notice as a whole. Longer ones have other text too.
const longestHeadNotice = 600

// HeadNotice returns the comment at the start of a style sheet or a page, if it is short and says whose the text is, or under which
// licence.
func HeadNotice(text []byte) []Span {
	start := bytes.TrimLeft(bytes.TrimPrefix(text, byteOrderMark), " \t\r\n")
	if charset, rest, ok := bytes.Cut(start, []byte(";")); ok && bytes.HasPrefix(charset, []byte("@charset")) {
		start = bytes.TrimLeft(rest, " \t\r\n")
	}
	for _, c := range []marks.Block{marks.CStyle, marks.HTML} {
		if !bytes.HasPrefix(start, []byte(c.Open)) {
			continue
		}
		head := start[:min(len(start), longestHeadNotice)]
		if end := bytes.Index(head, []byte(c.Close)); end > 0 && (bytes.Contains(head[:end], copyrighted) || mentionsLicence(head[:end])) {
			from := len(text) - len(start)
			return []Span{{from, from + end + len(c.Close)}}
		}
	}
	return nil
}

// Spans returns the parts of text that are the wording of a common licence, or a sentence of one, in ascending order.
func Spans(text []byte) []Span {
	text = remarked(text[:min(len(text), maxText)])
	var out []Span
	for _, m := range scan(text, always).Match {
		out = append(out, Span{m.Start, m.End})
	}
	return withPieces(text, out)
}

// Package returns the licence of a package from the files at its root that IsFile accepts. It returns NoAssertion if
// they do not state one. The order of files does not matter.
func Package(files []File) string {
	var ids []string
	for _, f := range files {
		ids = append(ids, fileIDs(f)...)
	}
	slices.Sort(ids)
	ids = dropIncorporated(slices.Compact(ids))
	return And(ids...)
}

// fileIDs returns the licences of one licence file. REUSE names the files of LICENSES by identifier. In other files,
// links count only if no text was found, since licence texts link to other licences.
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
	if e := titled(f.Data[:min(len(f.Data), maxText)]); e != "" {
		return []string{e}
	}
	matches := Detect(f.Data)
	texts := slices.DeleteFunc(slices.Clone(matches), func(m Match) bool { return m.URL })
	if len(texts) > 0 {
		matches = texts
	} else if e := noticed(f.Data); e != "" {
		return []string{e}
	}
	if found := ids(matches); !otherTerms(f.Data, found) {
		return found
	}
	return nil
}

func ids(matches []Match) []string {
	var out []string
	for _, m := range matches {
		out = append(out, m.ID)
	}
	return out
}

// isKnown reports whether an expression is a single listed identifier.
func isKnown(id string) bool {
	_, listed := lists().licenses[strings.ToLower(id)]
	return listed
}

// dropIncorporated removes the GPL from the licences of an LGPL package. The LGPL is written as additions to the GPL,
// so such packages carry both texts (COPYING beside COPYING.LESSER).
func dropIncorporated(ids []string) []string {
	if !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, "LGPL-3.0") }) {
		return ids
	}
	return slices.DeleteFunc(ids, func(id string) bool { return id == "GPL-3.0-only" })
}

// fromScanner maps an identifier of the scanner to an SPDX expression. It returns "" for texts that only add to a
// licence.
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

package lang

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reason says why a document was not examined, or only in part.
type Reason string

// The reasons this package gives.
const (
	Binary        Reason = "binary"
	Data          Reason = "data"
	Empty         Reason = "empty"
	Minified      Reason = "minified"
	LicenceText   Reason = "licence-text"
	ToolWritten   Reason = "tool-written"
	Notebook      Reason = "notebook"
	InvalidUTF8   Reason = "invalid-utf8"
	NULBytes      Reason = "nul-bytes"
	TooLarge      Reason = "too-large"
	TooManyTokens Reason = "too-many-tokens"
	Budget        Reason = "budget"
	Memory        Reason = "memory"
	Timeout       Reason = "timeout"
	ParserFailed  Reason = "parser-failed"
)

// Detection is what is known of a document before it is tokenized.
type Detection struct {
	Text      []byte    // what is read: the content, or what it says if it is stored in UTF-16 or in a notebook
	Language  *Language // never nil
	Skip      Reason    // why it is not tokenized unless asked for
	Note      Reason    // why the document is read less exactly than its language allows
	Generated bool      // a generator's mark is at its top, or the document is minified

	detail string // of the note
}

// Reading says in words how Note affects the stream.
func (d Detection) Reading() string {
	switch d.Note {
	case Notebook:
		return d.detail
	case NULBytes:
		return "read as words"
	case InvalidUTF8:
		return "each byte that is not UTF-8 is read as a letter"
	}
	return ""
}

const (
	// git looks for a NUL byte here to call a file binary.
	binaryHead = 8000
	// Generators and interpreters name themselves at the top.
	markerHead = 4 << 10
	// A header's licence and includes come first, classes later.
	headerHead = 16 << 10
	// A printed line has 80 to 120 bytes; minifiers write some hundreds to all on one.
	minifiedLine = 200
	// Below this size one long line does not make a file minified.
	minifiedSize = 1 << 10
)

// Detect determines what a document is from its slash-separated path and content. Names decide if they are clear. If not, it reads
// the start of the content, so that detection costs a small part of a parse. A document without a known grammar gets the word
// front-end.
func Detect(name string, content []byte) Detection {
	if len(content) == 0 {
		return Detection{Language: words, Skip: Empty}
	}
	var script script
	content, script = read(name, content)
	if isBinary(name, content) {
		return Detection{Text: content, Language: words, Skip: Binary}
	}
	candidates := candidatesOf(name, content)
	d := Detection{Text: content, Language: cmp.Or(script.language, choose(name, content, candidates))}
	switch {
	case script.empty:
		d.Skip = Notebook
	case d.Language == words && (isLicence(name) || isCovenant(name, content)):
		d.Skip = LicenceText
	case d.Language == words && isData(name, content, candidates):
		d.Skip = Data
	case isSettings(name):
		d.Skip = Data
	case isToolWritten(name, content):
		d.Skip = ToolWritten
	case isMinified(name, content):
		d.Skip, d.Generated = Minified, true
	case SaysGenerated(content):
		d.Generated = true
	}
	switch {
	case d.Language == words:
	case bytes.IndexByte(content, 0) >= 0:
		d.Language, d.Note = words, NULBytes
	case !utf8.Valid(content):
		d.Note = InvalidUTF8
	}
	if script.detail != "" && d.Note == "" {
		d.Note, d.detail = Notebook, script.detail
	}
	return d
}

// binaryStarts begin formats that may have no NUL byte near the start.
var binaryStarts = []string{"%PDF-", "\x89PNG", "\xff\xd8\xff", "GIF8", "PK\x03\x04", "\x1f\x8b", "BZh9", "\xfd7zXZ", "!<arch>\n"}

func isBinary(name string, content []byte) bool {
	start := content[:min(len(content), binaryHead)]
	if bytes.IndexByte(start, 0) >= 0 || isImage(name) {
		return true
	}
	for _, magic := range binaryStarts {
		if bytes.HasPrefix(start, []byte(magic)) {
			return true
		}
	}
	controls := 0
	for _, c := range start[:min(len(start), 512)] {
		if c < ' ' && (c < '\b' || c > '\r') && c != 0x1b {
			controls++
		}
	}
	return controls*10 > min(len(start), 512) // a tenth: text has almost none
}

// candidatesOf lists the languages that Linguist knows for the name.
func candidatesOf(name string, content []byte) []string {
	if names := byFilename(name); len(names) > 0 {
		return names
	}
	if names := byExtension(name); len(names) > 0 {
		return names
	}
	if bytes.HasPrefix(content, []byte("#!")) {
		return byShebang(content[:min(len(content), markerHead)])
	}
	return nil
}

// choose selects the front-end: by name if that is clear, by a few typical words for the most frequent extensions, by expressions
// for the rest.
func choose(name string, content []byte, candidates []string) *Language {
	if len(candidates) == 0 {
		return words
	}
	ext := strings.ToLower(path.Ext(name))
	if len(candidates) == 1 {
		return frontEnd(candidates[0], ext)
	}
	start := content[:min(len(content), markerHead)]
	switch ext {
	case ".h":
		return header(content[:min(len(content), headerHead)])
	case ".ts", ".tsx", ".rs", ".cs":
		if bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n\ufeff"), []byte("<")) {
			return words // translations of Qt, XML
		}
		return frontEnd(map[string]string{".ts": "TypeScript", ".tsx": "TSX", ".rs": "Rust", ".cs": "C#"}[ext], ext)
	case ".php", ".hh":
		if bytes.Contains(start, []byte("<?hh")) {
			return words // Hack
		}
		return frontEnd(map[string]string{".php": "PHP", ".hh": "C++"}[ext], ext)
	}
	if !anyServed(candidates, ext) {
		return words
	}
	return frontEnd(byContent(name, start), ext)
}

func anyServed(candidates []string, ext string) bool {
	for _, c := range candidates {
		if frontEnd(c, ext) != words {
			return true
		}
	}
	return false
}

// frontEnd returns our language for Linguist's name of it.
func frontEnd(linguist, ext string) *Language {
	name := strings.ToLower(linguist)
	switch linguist {
	case "Shell":
		name = "bash"
	case "C++":
		name = "cpp"
	case "C#":
		name = "csharp"
	case "JavaScript":
		if ext == ".jsx" {
			name = "jsx"
		}
	}
	if l := ByName(name); l != nil {
		return l
	}
	return words
}

var (
	objectiveC = []string{"@interface", "@protocol", "@class", "#import "}
	cPlusPlus  = []string{"namespace ", "template<", "template <", "std::", "public:", "private:", "protected:",
		"\nclass ", "constexpr", "nullptr", "using ", "#include <string>", "#include <vector>", "#include <memory>"}
)

// header distinguishes C from C++. Both have the same kinds for the same code; the grammar only has to fit well.
func header(start []byte) *Language {
	switch {
	case containsAny(start, objectiveC):
		return words
	case containsAny(start, cPlusPlus):
		return frontEnd("C++", ".h")
	}
	return frontEnd("C", ".h")
}

func containsAny(b []byte, texts []string) bool {
	for _, t := range texts {
		if bytes.Contains(b, []byte(t)) {
			return true
		}
	}
	return false
}

// licenceNames are the stems of files that contain only licence texts, or the names of their holders.
var licenceNames = []string{"LICENSE", "LICENCE", "LICENSES", "LICENCES", "UNLICENSE", "COPYING", "COPYRIGHT", "NOTICE", "NOTICES", "PATENTS",
	"CREDITS", "ATTRIBUTION", "ATTRIBUTIONS", "ACKNOWLEDGEMENTS", "ACKNOWLEDGMENTS"}

// manualLicences are the stems of licences in Texinfo, which manuals include: fdl-1.3.texi.
var manualLicences = []string{"FDL", "GPL", "LGPL", "AGPL"}

// isLicence reports by its name whether a text contains only licences: LICENSE, GPL-LICENSE-2.0, fdl-1.3.texi, files in
// LICENSES/, and files in license/ with no extension other than .txt.
func isLicence(name string) bool {
	dir, base := path.Split(strings.ToUpper(name))
	ext := path.Ext(base)
	plain := ext == "" || ext == ".TXT" || strings.Trim(ext, ".0123456789") == "" // v2.0 does not count as an extension
	switch dir = path.Base(dir); {
	case templates[ext]:
		return false
	case dir == "LICENSES", plain && (dir == "LICENSE" || dir == "LICENCE" || dir == "LICENCES"):
		return true
	case (plain || ext == ".MD" || ext == ".HTML") && slices.ContainsFunc(strings.FieldsFunc(base, func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool { return w == "LICENSE" || w == "LICENCE" }):
		return true
	}
	stem, _, _ := strings.Cut(base, ".")
	if joined := strings.NewReplacer("-", "", "_", "", " ", "").Replace(stem); strings.HasPrefix(joined, "THIRDPARTY") || strings.HasPrefix(joined, "3RDPARTY") || strings.Contains(joined, "THIRDPARTYLICEN") {
		return true
	}
	stem, _, _ = strings.Cut(stem, "-")
	stem, _, _ = strings.Cut(stem, "_")
	return slices.Contains(licenceNames, stem) || strings.HasPrefix(ext, ".TEXI") && slices.Contains(manualLicences, stem)
}

// templates are extensions of pages with placeholders: notice.tmpl shows notices of a program.
var templates = map[string]bool{".TMPL": true, ".TPL": true, ".HBS": true, ".EJS": true, ".J2": true, ".ERB": true, ".MUSTACHE": true, ".TWIG": true, ".LIQUID": true}

// settings are files that are filled in like a form. Every project with that tool has one, and the tool chose nearly every name.
var settings = map[string]bool{"Package.swift": true, "AssemblyInfo.cs": true, "AssemblyInfo.vb": true, "Podfile": true, "CTestConfig.cmake": true,
	"WORKSPACE": true, "WORKSPACE.bazel": true, "WORKSPACE.bzlmod": true, "MODULE.bazel": true}

// rcTools read their settings from .NAMErc.js, and in later versions from NAME.config.js.
var rcTools = map[string]bool{"eslint": true, "prettier": true, "stylelint": true, "commitlint": true, "lint-staged": true, "babel": true, "postcss": true}

// isSettings reports whether a script only sets options of a tool, such as .eslintrc.cjs or eslint.config.js.
func isSettings(name string) bool {
	base := path.Base(name)
	if ext := path.Ext(base); settings[base] || ext == ".gemspec" || ext == ".podspec" {
		return true
	}
	stem, ext, _ := strings.Cut(strings.TrimPrefix(base, "."), ".")
	ext, config := strings.CutPrefix(ext, "config.")
	switch ext {
	case "js", "cjs", "mjs", "ts", "cts", "mts":
		return config && rcTools[stem] || !config && base[0] == '.' && strings.HasSuffix(stem, "rc")
	}
	return false
}

// isCovenant reports whether a text is the code of conduct of most projects: the Contributor Covenant, which asks to be copied.
func isCovenant(name string, content []byte) bool {
	return strings.HasPrefix(strings.ToUpper(path.Base(name)), "CODE_OF_CONDUCT") && containsAny(content, []string{"ontributor Covenant", "ontributor-covenant.org"})
}

// dataStarts begin formats that tools write under many names: XML, and the property lists of Xcode's projects.
var dataStarts = []string{"<?xml", "// !$*UTF8*$!"}

func isData(name string, content []byte, candidates []string) bool {
	if strings.HasSuffix(name, ".lock") || isSourceMap(name, content) || isDrawing(content) || isArmoured(name, content) || isFiller(content) {
		return true
	}
	if start := bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")); len(candidates) == 0 {
		return slices.ContainsFunc(dataStarts, func(s string) bool { return bytes.HasPrefix(start, []byte(s)) })
	}
	for _, c := range candidates {
		if c != isDataFile {
			return false
		}
	}
	return len(candidates) > 0
}

// isFiller reports whether a text is filler text for pages and tests, which everybody copies.
func isFiller(content []byte) bool {
	const begins = "Lorem ipsum dolor sit amet"
	start := bytes.TrimLeft(content[:min(len(content), markerHead)], " \t\r\n\"'`#*>\ufeff")
	return len(start) >= len(begins) && bytes.EqualFold(start[:len(begins)], []byte(begins))
}

// isSourceMap reports whether a text is a source map, which bundlers write beside minified code.
func isSourceMap(name string, content []byte) bool {
	return strings.HasSuffix(name, ".map") && bytes.HasPrefix(bytes.TrimLeft(content, " \t\r\n\ufeff)]}'"), []byte("{"))
}

// isDrawing reports whether a text is PostScript written by a program: a page or a figure. It begins with procedures and glyph
// tables that all figures of that program share.
func isDrawing(content []byte) bool {
	return bytes.HasPrefix(content, []byte("%!PS-Adobe")) && bytes.Contains(content[:min(len(content), markerHead)], []byte("%%Creator:"))
}

// armoured are extensions of certificates, keys and their parameters.
var armoured = map[string]bool{".pem": true, ".crt": true, ".cer": true, ".cert": true, ".csr": true, ".crl": true, ".key": true, ".pub": true, ".asc": true}

// isArmoured reports whether a text is mostly base64 between lines such as -----BEGIN CERTIFICATE-----: a certificate is the same
// wherever it is trusted. A signed message counts as prose.
func isArmoured(name string, content []byte) bool {
	begin, end := []byte("-----BEGIN "), []byte("-----END ")
	from := bytes.Index(content, begin)
	if from < 0 || bytes.HasPrefix(content[from+len(begin):], []byte("PGP SIGNED MESSAGE")) {
		return false
	}
	if armoured[strings.ToLower(path.Ext(name))] {
		return true
	}
	within := 0
	for rest := content; from >= 0; from = bytes.Index(rest, begin) {
		n := bytes.Index(rest[from:], end)
		if n < 0 {
			break
		}
		within += n
		rest = rest[from+n:]
	}
	return within*2 > len(content)
}

func isMinified(name string, content []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".js", ".mjs", ".cjs", ".css":
	default:
		return false
	}
	if len(content) < minifiedSize {
		return false
	}
	return len(content)/(bytes.Count(content, []byte{'\n'})+1) > minifiedLine
}

// generatedStarts begin comments that call a file generated.
var generatedStarts = []string{"generated by ", "generated from ", "autogenerated", "auto-generated", "automatically generated",
	"this file was generated", "this file is generated", "this file was automatically generated", "this file is automatically generated",
	"this file was auto", "this file is auto", "this file is @generated", "this file has been generated", "this file has been auto", "this file has been automatically generated",
	"this is a generated file", "this is an auto-generated file", "this is an autogenerated file", "this is an automatically generated file", "automatically @generated",
	"this code was generated", "this code is generated", "the following code was generated",
	"a lexical scanner generated by ", "a bison parser, made by "}

// codeBeforeMark is how many lines of code may precede the generator's mark: a package clause, imports, a comment block without
// margins. Further down a comment describes the code below it, as in Go's sort.go.
const codeBeforeMark = 16

// SaysGenerated looks for a generator's mark in the comments at the top. A mere sentence about generating must not hide a file. So
// the mark begins its comment, is "@generated", or is next to "do not edit".
func SaysGenerated(content []byte) bool {
	start := content[:min(len(content), markerHead)]
	if !bytes.Contains(start, []byte("enerated")) && !bytes.Contains(start, []byte("ENERATED")) && !bytes.Contains(start, []byte("Bison")) {
		return false
	}
	lines := strings.Split(strings.ToLower(string(start)), "\n")
	code := 0
	for i, line := range lines {
		text := strings.TrimLeft(line, " \t/*#;-<!%'\"(\ufeff")
		if len(text) == len(strings.TrimLeft(line, " \t")) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			if code++; code > codeBeforeMark {
				return false
			}
			continue // not a comment
		}
		if !strings.Contains(text, "generated") && !strings.Contains(text, "bison") {
			continue
		}
		if strings.HasPrefix(text, "@generated") || hasPrefix(text, generatedStarts) {
			return true
		}
		if strings.Contains(text, "generated") && forbidsEdits(lines[i:min(i+3, len(lines))]) {
			return true
		}
	}
	return false
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func forbidsEdits(lines []string) bool {
	for _, l := range lines {
		if strings.Contains(l, "do not edit") || strings.Contains(l, "do not modify") || strings.Contains(l, "don't edit") {
			return true
		}
	}
	return false
}

package lang

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/notcode"
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
	Scripts       Reason = "scripts"
	InvalidUTF8   Reason = "invalid-utf8"
	NULBytes      Reason = "nul-bytes"
	TooLarge      Reason = "too-large"
	TooManyTokens Reason = "too-many-tokens"
	Budget        Reason = "budget"
	Memory        Reason = "memory"
	Timeout       Reason = "timeout"
	ParserFailed  Reason = "parser-failed"
	NoGrammar     Reason = "no-grammar"
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
	case Scripts:
		return "its scripts are read as words"
	case InvalidUTF8:
		return "each byte that is not UTF-8 is read as a letter"
	}
	return ""
}

// headerHead is how many bytes of a header are read: its licence and includes come first, classes later.
const headerHead = 16 << 10

// ShortName shortens a path to what Detect reads of it: the file's name, with the directories that count. A content is read in the
// same way at all paths with one short name.
func ShortName(name string) string {
	dir, base := path.Split(name)
	if parent := path.Base(dir); notcode.HoldsLicences(parent) {
		base = parent + "/" + base
	}
	if inCache(dir) {
		base = autoconfCache + "/" + base
	}
	if inIssueTemplates(dir) {
		base = issueTemplates + "/" + base
	}
	return base
}

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
	if d.Language.spec != nil && d.Language.spec.page {
		d.Language, d.Note = asWritten(d.Language, content)
	}
	switch {
	case script.empty:
		d.Skip = Notebook
	case d.Language == words && (notcode.IsLicence(name) || notcode.IsCovenant(name, content) || notcode.IsLicenceText(content)):
		d.Skip = LicenceText
	case d.Language == words && isData(name, content, candidates):
		d.Skip = Data
	case notcode.IsSettings(name):
		d.Skip = Data
	case isToolWritten(name, content):
		d.Skip = ToolWritten
	case notcode.IsMinified(name, content):
		d.Skip, d.Generated = Minified, true
	case notcode.SaysGenerated(content):
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
	case ".ts", ".tsx", ".rs", ".cs", ".mm":
		if bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n\ufeff"), []byte("<")) {
			return words // translations of Qt, XML
		}
		return frontEnd(map[string]string{".ts": "TypeScript", ".tsx": "TSX", ".rs": "Rust", ".cs": "C#", ".mm": "Objective-C++"}[ext], ext)
	case ".html":
		return frontEnd("HTML", ext)
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
	case "C++", "Cuda", "Metal":
		name = "cpp"
	case "OpenCL", "GLSL", "HLSL":
		name = "c"
	case "Objective-C":
		name = "objc"
	case "Objective-C++":
		name = "objcpp"
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

// header distinguishes C, C++ and Objective-C. All have the same kinds for the same code; the grammar only has to fit well.
func header(start []byte) *Language {
	objective, plus := containsAny(start, objectiveC), containsAny(start, cPlusPlus)
	switch {
	case objective && plus: // or C++ with "@class" in comments
		return frontEnd("Objective-C++", ".h")
	case objective:
		return frontEnd("Objective-C", ".h")
	case plus:
		return frontEnd("C++", ".h")
	}
	return frontEnd("C", ".h")
}

// dataStarts begin formats that tools write under many names: XML, drawings of diagrams.net, and the property lists of Xcode's projects.
var dataStarts = []string{"<?xml", "<mxfile", "// !$*UTF8*$!"}

// isJSON reports whether a content is an object or a list in JSON, as drawings and caches are. A string of many lines may be code, as in
// notebooks of some tools.
func isJSON(content []byte) bool {
	start := bytes.TrimSpace(content)
	return len(start) > 0 && (start[0] == '{' || start[0] == '[') && json.Valid(start) && !hasLines(start)
}

// mostLines is the most lines of a string in data.
const mostLines = 8

// hasLines reports whether a string of JSON has many lines.
func hasLines(text []byte) bool {
	lines := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			lines = 0
		case '\\':
			if i++; i < len(text) && text[i] == 'n' {
				lines++
			}
			if lines >= mostLines {
				return true
			}
		}
	}
	return false
}

func isData(name string, content []byte, candidates []string) bool {
	if strings.HasSuffix(name, ".lock") || notcode.IsSourceMap(name, content) || notcode.IsDrawing(content) || notcode.IsTranslation(name, content) || notcode.IsArmoured(name, content) || notcode.IsFiller(content) {
		return true
	}
	if start := bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")); len(candidates) == 0 {
		return slices.ContainsFunc(dataStarts, func(s string) bool { return bytes.HasPrefix(start, []byte(s)) }) || isJSON(start)
	}
	for _, c := range candidates {
		if c != isDataFile {
			return false
		}
	}
	return len(candidates) > 0
}

// SaysGenerated reports whether the comments at the top say that a program wrote the text.
func SaysGenerated(content []byte) bool { return notcode.SaysGenerated(content) }

// GeneratedFrom returns the path of the file that generated text says it was made from, as protoc does, or "".
func GeneratedFrom(content []byte) string { return notcode.GeneratedFrom(content) }

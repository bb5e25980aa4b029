package lang

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"

	enry "github.com/go-enry/go-enry/v2"
)

// Reason says why something was not, or not wholly, examined.
type Reason string

// The reasons this package gives.
const (
	Binary        Reason = "binary"
	Data          Reason = "data"
	Empty         Reason = "empty"
	Generated     Reason = "generated"
	LicenceText   Reason = "licence-text"
	InvalidUTF8   Reason = "invalid-utf8"
	TooLarge      Reason = "too-large"
	TooManyTokens Reason = "too-many-tokens"
	Budget        Reason = "budget"
	Memory        Reason = "memory"
	Timeout       Reason = "timeout"
	ParserFailed  Reason = "parser-failed"
)

// Detection is what is known of a document before it is tokenized.
type Detection struct {
	Language  *Language
	Skip      Reason // not to be tokenized, unless asked for
	Note      Reason // tokenized, but not as well as its name promises
	Generated bool
}

// head is how much of a document detection looks at.
const head = 4 << 10

// Detect tells what a document is from its path and content.
func Detect(name string, content []byte) Detection {
	if len(content) == 0 {
		return Detection{Language: words, Skip: Empty}
	}
	start := content[:min(len(content), head)]
	if bytes.IndexByte(content, 0) >= 0 || enry.IsImage(name) && path.Ext(name) != ".svg" {
		return Detection{Language: words, Skip: Binary}
	}
	d := Detection{Language: languageOf(name, start)}
	if !utf8.Valid(content) {
		d.Language, d.Note = words, InvalidUTF8
	}
	switch {
	case isLicence(name):
		d.Skip = LicenceText
	case isData(name, start):
		d.Skip = Data
	}
	return d
}

func languageOf(name string, start []byte) *Language {
	for _, names := range [][]string{
		enry.GetLanguagesByFilename(name, start, nil),
		enry.GetLanguagesByShebang(name, start, nil),
		enry.GetLanguagesByExtension(name, start, nil),
	} {
		for _, n := range names {
			if l := ByName(ours(n)); l != nil {
				return l
			}
		}
	}
	return words
}

func ours(enryName string) string {
	switch enryName {
	case "Shell":
		return "bash"
	case "C++":
		return "cpp"
	case "C#":
		return "csharp"
	}
	return strings.ToLower(enryName)
}

func isLicence(name string) bool {
	base := strings.ToUpper(path.Base(name))
	for _, p := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE"} {
		if strings.HasPrefix(base, p) {
			return true
		}
	}
	return false
}

func isData(name string, start []byte) bool {
	for _, n := range enry.GetLanguagesByExtension(name, start, nil) {
		if enry.GetLanguageType(n) == enry.Data {
			return true
		}
	}
	return false
}

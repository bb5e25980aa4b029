package reporttest

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
)

// Hostile are texts that try to break out of each context that they can be written to.
var Hostile = []string{
	"`", "``", "` @all `", " ``` ", "a`b``c```d", "@org/team", "#1", "org/repo#1", "GH-1", "deadbeefdeadbeef", "www.evil.example", "http://evil.example",
	"a@b.example", "<img src=x onerror=alert(1)>", "</details>", "<!--", "](http://evil)", "![x](y)", "*a*", "_b_", "~~c~~", "|", "\\", "\\`", ":smile:", "$x$",
	"a\nb", "\r\n\r\n# h", "::error::x", "##[error]x", "%0A::error::", "a,b:c", "\x1b[2J", "\u202eabc", "\xff\xfe", "", " ", "- x", "1. x", "&lt;", "&#64;all",
	"javascript:alert(1)", "https://ok.example/)> @all <b>", "https://user:pw@evil.example/", "\t", strings.Repeat("`", 300), strings.Repeat("@a ", 300), "NOASSERTION",
	"../../etc/passwd", "/abs", "C:\\x", "a b.go", "ü/日本.go", "a%2Fb", "a#b?c",
}

// infect replaces all texts of a report by different hostile texts.
func infect(rnd *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(Hostile[rnd.IntN(len(Hostile))])
	case reflect.Pointer:
		if !v.IsNil() {
			infect(rnd, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			infect(rnd, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				infect(rnd, v.Field(i))
			}
		}
	}
}

// Rounds is how many infected reports each format is tested with.
func Rounds() int {
	if testing.Short() {
		return 30
	}
	return 300
}

// Infected returns reports full of hostile texts. They share no memory.
func Infected(t *testing.T, n int) []*finding.Report {
	rnd := rand.New(rand.NewPCG(3, 4))
	var out []*finding.Report
	for range n {
		r, err := jsonform.Read(bytes.NewReader(Encode(t, Review())))
		if err != nil {
			t.Fatal(err)
		}
		infect(rnd, reflect.ValueOf(r).Elem())
		out = append(out, r)
	}
	return out
}

// MaxFuzzed is the longest text that is fuzzed. Longer texts find nothing more and are slow.
const MaxFuzzed = 1000

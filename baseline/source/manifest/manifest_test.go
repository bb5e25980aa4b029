package manifest

import (
	"strings"
	"testing"
)

func TestNPM(t *testing.T) {
	for in, want := range map[string]Meta{
		`{"name":"a","version":"1","license":"MIT"}`:                       {PURL: "pkg:npm/a@1", License: "MIT"},
		`{"name":"@s/a","version":"1","license":{"type":"ISC","url":"x"}}`: {PURL: "pkg:npm/%40s/a@1", License: "ISC"},
		`{"name":"a","licenses":[{"type":"MIT"},{"type":"Apache-2.0"}]}`:   {PURL: "pkg:npm/a", License: "(MIT OR Apache-2.0)"},
		`{"name":"a","licenses":["MIT"]}`:                                  {PURL: "pkg:npm/a", License: "MIT"},
		`{"name":"a","license":null,"licenses":"MIT"}`:                     {PURL: "pkg:npm/a", License: "MIT"},
		`{"name":"a","license":[[["MIT"]]]}`:                               {PURL: "pkg:npm/a"},
		`{"name":"a","license":17}`:                                        {PURL: "pkg:npm/a"},
		`{"name":"JSONStream","version":"1"}`:                              {PURL: "pkg:npm/JSONStream@1"},
		`{"name":"../a"}`:                                                  {},
		`{"name":"@a"}`:                                                    {},
		`{"name":"@a/b/c"}`:                                                {},
		`{"name":""}`:                                                      {},
		`{"name":17}`:                                                      {},
		``:                                                                 {},
		strings.Repeat("[", 100000):                                        {},
		`{"name":"a","license":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`: {PURL: "pkg:npm/a"},
	} {
		if got := NPM([]byte(in)); got != want {
			t.Errorf("%.60s: got %v, want %v", in, got, want)
		}
	}
}

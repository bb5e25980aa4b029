package jsonform

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzIndent: valid JSON is indented as json.Indent does it.
func FuzzIndent(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `null`, `{"a":[],"b":{},"c":[1,-2.5e+3,true,null]}`, `[[[]],{"a":{"b":[{}]}}]`, `"x"`,
		`{"a\\":"\\\"","b":"\\\\","c":"{[,:]}","d\"":"\u0041"}`, `["",{"":""}]`, `[[[[[[[[[[[[[[[[[[1,2]]]]]]]]]]]]]]]]]]`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var compact, want bytes.Buffer
		if json.Compact(&compact, []byte(s)) != nil {
			t.Skip()
		}
		if err := json.Indent(&want, compact.Bytes(), "", "  "); err != nil {
			t.Fatal(err)
		}
		if got := indent(nil, compact.Bytes()); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s is indented as\n%s\nnot as\n%s", s, got, want.Bytes())
		}
	})
}

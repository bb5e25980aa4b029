package bounded

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// Texts of many empty values and of deep nesting are refused before they are decoded. Large texts of few values are not.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"objects": {"[" + strings.Repeat("{},", 1<<20) + "{}]", false}, "words": {strings.Repeat("a,", 1<<22), false}, "lines": {strings.Repeat("a\n", 1<<22), false},
		"elements": {strings.Repeat("<a>", 1<<22), false}, "attributes": {"<a " + strings.Repeat(`b="" `, 1<<22), false},
		"deep": {strings.Repeat("[", maxDepth+1), false}, "flat": {strings.Repeat("[]", maxDepth), true}, "long": {strings.Repeat("a", 32<<20), true},
		"half": {"[" + strings.Repeat("{},", 1<<19) + "{}]", true},
	} {
		if err := Check([]byte(c.text)); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrTooMany) {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := []byte("[" + strings.Repeat("{},", 1<<20) + "{}]")
	for name, decode := range map[string]func([]byte, any) error{"JSON": JSON, "YAML": YAML} {
		var into any
		if err := decode(many, &into); !errors.Is(err, ErrTooMany) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An error names no type of Go.
func TestPlainWords(t *testing.T) {
	var into struct{ Files []struct{ Name string } }
	for in, want := range map[string]string{"[]": "unexpected array at byte 1", `{"files":[{"name":[1]}]}`: "unexpected array at byte 19", "<": "invalid character '<' looking for beginning of value"} {
		if err := JSON([]byte(in), &into); err == nil || err.Error() != want {
			t.Errorf("%s: %v", in, err)
		}
	}
}

const object = ` { "a" : "x\"}\\" ,"b":[{"]":"}"},[]], "c":-1.5e3,"d":{"e":{},"f":null } , "g":"" } rest`

// An object is read as the decoder of the library reads it, and a cut one is an error.
func TestObject(t *testing.T) {
	read := func(text string) (string, error) {
		o, err := NewObject(strings.NewReader(text))
		out := ""
		for err == nil {
			key, more, e := o.Next()
			if err = e; err != nil || !more {
				return out, err
			}
			var raw []byte
			if raw, err = o.Value(100); err == nil {
				var v any
				err = json.Unmarshal(raw, &v)
				out += fmt.Sprintf("%s=%v;", key, v)
			}
		}
		return out, err
	}
	want := `a=x"}\;b=[map[]:}] []];c=-1500;d=map[e:map[] f:<nil>];g=;`
	if got, err := read(object); err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	end := strings.Index(object, " rest")
	for n := range end {
		if got, err := read(object[:n]); err == nil {
			t.Errorf("cut at %d: %s", n, got)
		}
	}
	for _, in := range []string{"[]", "null", `{"a" 1}`, `{"a":1 "b":2}`, `{a:1}`, `{"a":}`} {
		if got, err := read(in); err == nil {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// A value beyond its limit is refused; a member that nobody asks for may have any size.
func TestObjectBounds(t *testing.T) {
	endless := func() io.Reader {
		return io.MultiReader(strings.NewReader(`{"a":"`), io.LimitReader(repeat('x'), 64<<20), strings.NewReader(`","b":{"c":1}}`))
	}
	o, err := NewObject(endless())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Value(1 << 20); !errors.Is(err, ErrTooMany) {
		t.Errorf("got %v", err)
	}
	if o, err = NewObject(endless()); err != nil {
		t.Fatal(err)
	}
	allocated := testing.AllocsPerRun(1, func() {
		if _, _, err := o.Next(); err != nil && err != io.ErrUnexpectedEOF {
			t.Fatal(err)
		}
		_ = o.Skip()
	})
	if allocated > 100 {
		t.Errorf("%v allocations for a member that is passed over", allocated)
	}
}

type repeat byte

func (b repeat) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte{byte(b)}, len(p)))
	return len(p), nil
}

// FuzzObject reads any text: no panic, and what the library takes for an object has the same members.
func FuzzObject(f *testing.F) {
	f.Add(object)
	f.Fuzz(func(t *testing.T, text string) {
		o, err := NewObject(strings.NewReader(text))
		got := map[string]json.RawMessage{}
		for err == nil {
			key, more, e := o.Next()
			if err = e; err != nil || !more {
				break
			}
			got[key], err = o.Value(1 << 20)
		}
		var want map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &want) != nil || want == nil {
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: %v, %v", text, got, err)
		}
		for k, v := range want {
			if string(bytes.TrimSpace(got[k])) != string(v) {
				t.Fatalf("%q: %q is %q, not %q", text, k, got[k], v)
			}
		}
	})
}

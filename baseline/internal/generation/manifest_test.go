package generation

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// FuzzManifest reads any input as a manifest. An accepted input equals the output of Encode, byte for byte. Other valid
// JSON is refused, or passes through Encode and Decode unchanged.
func FuzzManifest(f *testing.F) {
	name := strings.Repeat("0a", 16)
	good := Manifest{Format: Format, Generation: 3, Scheme: "s", Params: fingerprint.Params{K: 20, W: 12}, Model: name,
		Segments: []Segment{{Name: name, Removed: []int{1, 4}, Postings: 9, Docs: 2}}}
	b, err := good.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(bytes.Replace(b, []byte("segments"), []byte("regments"), 1))
	f.Add([]byte(`{"format":3,"segments":[{"name":"x"}]}`))
	f.Add([]byte(`{"format":3,"Segments":[],"segments":null} {}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := Decode(b); err == nil {
			if again, err := m.Encode(); err != nil || !bytes.Equal(again, b) {
				t.Fatalf("%q is accepted and written as %q, %v", b, again, err)
			}
		}
		var m Manifest
		if json.Unmarshal(b, &m) != nil {
			return
		}
		written, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(written)
		if err != nil {
			return // invalid numbers or names
		}
		m.Sum = ""
		if m.Format != Format || m.Check() != nil || !reflect.DeepEqual(shape(m), shape(*back)) {
			t.Fatalf("%+v comes back as %+v", m, *back)
		}
	})
}

// shape removes the difference between no list and an empty one.
func shape(m Manifest) Manifest {
	m = m.Clone()
	if len(m.Segments) == 0 {
		m.Segments = nil
	}
	for i := range m.Segments {
		if len(m.Segments[i].Removed) == 0 {
			m.Segments[i].Removed = nil
		}
	}
	return m
}

package jsonform

import (
	"bytes"
	"testing"
)

// TestEncodeLists: a document with lists that are written item by item is the one that Encode writes.
func TestEncodeLists(t *testing.T) {
	type item struct {
		Name string   `json:"name"`
		In   []string `json:"in"`
	}
	type doc struct {
		Head string `json:"head"`
		A    []item `json:"a"`
		B    []int  `json:"b"`
		Tail []int  `json:"tail"`
	}
	whole := doc{"\n  \"b\": []", []item{{"\x1b<x>", []string{}}, {"y", []string{"1", "2"}}}, []int{1, 2, 3}, nil}
	var want, got bytes.Buffer
	if err := Encode(&want, whole); err != nil {
		t.Fatal(err)
	}
	rest := whole
	rest.A, rest.B = []item{}, []int{}
	if err := EncodeLists(&got, rest, ListOf("a", whole.A), ListOf("b", whole.B)); err != nil || got.String() != want.String() {
		t.Errorf("%v: %s, want %s", err, &got, &want)
	}
	if err := EncodeLists(&got, rest, ListOf("tail", []int{1})); err == nil {
		t.Error("a list that the document lacks is no error")
	}
	got.Reset()
	want.Reset()
	if err := Encode(&want, rest); err != nil {
		t.Fatal(err)
	}
	if err := EncodeLists(&got, rest, ListOf("a", []item{}), ListOf("b", []int{})); err != nil || got.String() != want.String() {
		t.Errorf("empty: %v: %s, want %s", err, &got, &want)
	}
}

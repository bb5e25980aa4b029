package annotations_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/syntax/annotations"
)

// A parameter and a result have types in TypeScript.
func ExampleAdded() {
	fmt.Println(annotations.Added(strings.Fields("( path : string , base ? : Map < string , Path [ ] > ) : void {"), strings.Fields("( path , base ) {")))
	fmt.Println(annotations.Added(strings.Fields("( path , base ) : void {"), strings.Fields("( path ) {")))
	// Output:
	// true
	// false
}

// TestAdded: annotations of TypeScript and Python are known, and nothing else is taken for one.
func TestAdded(t *testing.T) {
	for _, c := range []struct {
		target, origin string
		want           bool
	}{
		{"x : any", "x", true},
		{"x : Patch [", "x", true}, // what follows is equal again
		{"x :", "x", true},
		{": A . B < C < D >> , y", ", y", true},
		{"key as any , 1", "key , 1", true},
		{"f < T > ( a : T )", "f ( a )", true},
		{"this . x ! . y", "this . x . y", true},
		{"f ( x ) ! . y", "f ( x ) . y", true},
		{"if ( ! x )", "if ( x )", false},
		{"return ! x", "return x", false},
		{"! x", "x", false},
		{"private readonly a : ( b : number ) => void", "a", true},
		{"x : | 'a' | 'b' | 3 = 3", "x = 3", true},
		{"v : v is string {", "v {", true},
		{"x : { a : number , b ? : string } , y", "x , y", true},
		{"( self , n : int = 3 ) -> list [ int ] :", "( self , n = 3 ) :", true},
		{"x", "x", false},
		{"", "", false},
		{"x : any", "y", false},
		{"x : any", "x , y", false},
		{"x , y", "x", false},
		{"a < b", "a", false},
		{"x : ) y", "x y", false},
		{"x : ( a ] , y", "x , y", false},
		{"x = 1", "x", false},
		{"x ? y : z", "x", false},
		{"if ( x ) return", "return", false},
	} {
		if got := annotations.Added(strings.Fields(c.target), strings.Fields(c.origin)); got != c.want {
			t.Errorf("%q of %q: %v", c.target, c.origin, got)
		}
	}
}

// TestHostile: deep brackets and long unions take linear time and end.
func TestHostile(t *testing.T) {
	for _, s := range []string{"(", "<", ")", ": |", ": a |", ": a <", ": a . ", "as", ">"} {
		long := strings.Fields(strings.Repeat(s+" ", 100_000))
		annotations.Added(long, long[1:])
		annotations.Added(long, nil)
	}
}

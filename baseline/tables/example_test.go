package tables_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/lang"
)

func ExampleReader() {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	read := func(text string) (prints []fingerprint.Fingerprint) {
		s, _ := z.Tokenize(lang.ByName("go"), []byte(text))
		var r tables.Reader
		r.Read(lang.ByName("go"), []byte(text), s.Tokens)
		return r.Prints(nil, fingerprint.Key{}, "go")
	}
	weights := "7919, 104729, 1299, 15485, 3571, 27644, 4099, 611953, 8675, 31337, 2718, 57721, 16180, 4669, 92016"
	other := "7_919, 104_729, 0x513, 15485, 0xdf3, 27644, 4099, 611953, 8675, 31337, 2718, 57721, 16180, 4669, 92016"
	here, there := read("package a\n\nvar w = []int{"+weights+"}\n"), read("package b\n\nvar Bias = [15]uint32{"+other+"}\n")
	fmt.Println(len(here) > 0, len(here) == len(there) && here[0].Hash == there[0].Hash)
	fmt.Println(len(read("package c\n\nvar primes = []int{257, 263, 269, 271, 277, 281, 283, 293, 307, 311, 313, 317, 331, 337, 347, 349}\n")))
	// Output:
	// true true
	// 0
}

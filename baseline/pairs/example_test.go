package pairs_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/pairs"
	"github.com/git-provenance/git-provenance/lang"
)

func ExampleReader() {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	l := lang.ByName("go")
	var r pairs.Reader
	read := func(text string) []fingerprint.Fingerprint {
		s, _ := z.Tokenize(l, []byte(text))
		return r.Prints(nil, fingerprint.Key{}, pairs.Text{Language: l, Content: []byte(text), Tokens: s.Tokens})
	}
	before := read("package a\n\nvar zurbleRate = wimpleCount + 1\n")
	after := read("package a\n\nfunc f() float64 {\n\twimpleCount()\n\treturn 2 * zurbleRate(nil)\n}\n")
	fmt.Println(len(before), len(after), before[0].Hash == after[0].Hash)
	fmt.Println(len(read("package a\n\nvar err = name\n")), "pairs of common names")
	// Output:
	// 1 1 true
	// 0 pairs of common names
}

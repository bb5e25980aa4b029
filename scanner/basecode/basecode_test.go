package basecode_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// A teacher hands out the first line; a student writes the second.
func Example() {
	dir, err := os.MkdirTemp("", "base")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	given := "read the next line of the file and print it"
	if err := os.WriteFile(filepath.Join(dir, "given.txt"), []byte(given), 0o666); err != nil {
		log.Fatal(err)
	}
	p := fingerprint.Params{K: 5, W: 2}
	base, err := basecode.Read(context.Background(), []string{dir}, p)
	if err != nil {
		log.Fatal(err)
	}
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	toks, err := z.Tokenize(lang.Words(), []byte(given+"\ncount words and vowels in each"))
	if err != nil {
		log.Fatal(err)
	}
	masked := base.Masked(lang.Words(), toks.Tokens, p.K)
	fmt.Printf("%d of %d tokens are base code\n", match.Count(masked), len(toks.Tokens))
	// Output:
	// 10 of 16 tokens are base code
}

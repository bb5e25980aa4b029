package basecode_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/basecode"
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

// TestArchives: a skeleton is often handed out as an archive.
func TestArchives(t *testing.T) {
	pack := func(files map[string]string) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for name, text := range files {
			f, err := w.Create(name)
			if err == nil {
				_, err = f.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	dir, p := t.TempDir(), fingerprint.Params{K: 5, W: 2}
	write := func(name string, data []byte) string {
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return at
	}
	given := "read the next line of the file and print it"
	plain, err := basecode.Read(t.Context(), []string{write("given.txt", []byte(given))}, p)
	if err != nil || len(plain) == 0 {
		t.Fatal(plain, err)
	}
	zipped := pack(map[string]string{"skeleton/given.txt": given})
	packed, err := basecode.Read(t.Context(), []string{write("skeleton.zip", zipped)}, p)
	if err != nil || !slices.Equal(packed, plain) {
		t.Errorf("packed %d k-grams, plain %d; %v", len(packed), len(plain), err)
	}
	for name, data := range map[string][]byte{"broken.zip": zipped[:len(zipped)/2], "twice.zip": pack(map[string]string{"skeleton.zip": string(zipped)})} {
		if _, err := basecode.Read(t.Context(), []string{write(name, data)}, p); err == nil {
			t.Errorf("%s masks nothing, and no error says so", name)
		}
	}
}

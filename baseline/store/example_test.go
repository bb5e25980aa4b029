package store_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

func Example() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.docs")
	if err := write(path, []byte("one two two\n")); err != nil {
		fmt.Println(err)
		return
	}
	r, err := store.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	d, err := r.Doc(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := r.Text(d)
	fmt.Printf("%d tokens of %s: %q, %v\n", d.Tokens, d.Language, text, err)
	// Output:
	// 3 tokens of text: "one two two\n", <nil>
}

// write makes a file of one document that one package has.
func write(path string, text []byte) error {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(lang.Words(), text)
	if err != nil {
		return err
	}
	enc, err := store.NewEncoder()
	if err != nil {
		return err
	}
	w, err := store.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	e := enc.Entry(store.Content{Hash: store.Sum(text), Language: "text", License: "MIT", Text: text, Tokens: s.Tokens, Lines: lang.Lines(text)})
	w.Add(&e)
	return w.Close([]store.Package{{PURL: "pkg:generic/a@1", Files: 1}}, []store.Occurrence{{Hash: e.Hash, Path: "a.txt"}})
}

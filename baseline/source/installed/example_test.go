package installed_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/source/installed"
)

func Example() {
	home, err := os.MkdirTemp("", "cargo")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(home)
	crate := filepath.Join(home, "registry", "src", "index.crates.io-1", "itoa-1.0.9")
	if err := os.MkdirAll(crate, 0o755); err != nil {
		fmt.Println(err)
		return
	}
	if err := os.WriteFile(filepath.Join(crate, "Cargo.toml"), []byte("[package]\nname = \"itoa\"\nversion = \"1.0.9\"\nlicense = \"MIT\"\n"), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	x := installed.New(func(string) installed.Places { return installed.Places{Cargo: []string{home}} })
	f, ok := x.Find("pkg:cargo/itoa@1.0.9")
	fmt.Println(f.PURL, f.License, ok)
	_, ok = x.Find("pkg:cargo/itoa@2.0.0")
	fmt.Println(ok)
	// Output:
	// pkg:cargo/itoa@1.0.9 MIT true
	// false
}

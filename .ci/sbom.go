// Command sbom lists the modules a built program consists of, as a CycloneDX document,
// and refuses a licence that .ci/licences.txt does not allow. It needs no network: the
// modules are in the module cache, as the program was built from them.
//
//	go run .ci/sbom.go PROGRAM >PROGRAM.cdx.json
package main

import (
	"bufio"
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/git-provenance/git-provenance/baseline/license"
	"golang.org/x/mod/module"
)

// allowList is data: one SPDX identifier a line, or a module and its expression
// where its files do not tell.
const allowList = ".ci/licences.txt"

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: sbom PROGRAM")
	}
	info, err := buildinfo.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	rules, err := readRules(allowList)
	if err != nil {
		log.Fatal(err)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{BOMRef: "main", Type: cdx.ComponentTypeApplication, Name: info.Main.Path, Version: info.Main.Version,
		PackageURL: "pkg:golang/" + info.Main.Path + "@" + info.Main.Version, Licenses: &cdx.Licenses{{Expression: "Apache-2.0"}}}}
	components := []cdx.Component{{BOMRef: "std", Type: cdx.ComponentTypeLibrary, Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"),
		PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"), Licenses: &cdx.Licenses{{Expression: "BSD-3-Clause"}}}}
	failed := false
	for _, m := range info.Deps {
		if m.Replace != nil && strings.HasPrefix(m.Replace.Path, ".") {
			continue // a directory of this repository: what it requires is listed
		}
		if m.Replace != nil {
			m = m.Replace
		}
		expr, err := rules.licence(m.Path, m.Version)
		if err != nil {
			log.Print(err)
			failed = true
		}
		components = append(components, cdx.Component{BOMRef: m.Path, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version,
			PackageURL: "pkg:golang/" + m.Path + "@" + m.Version, Licenses: &cdx.Licenses{{Expression: expr}}})
	}
	bom.Components = &components
	if failed {
		os.Exit(1)
	}
	if err := cdx.NewBOMEncoder(os.Stdout, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		log.Fatal(err)
	}
}

// rules are the licences that are allowed, and those of modules whose files do not
// tell.
type rules struct {
	allowed map[string]bool
	said    map[string]string
}

func readRules(name string) (*rules, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r := &rules{map[string]bool{}, map[string]string{}}
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		line, _, _ := strings.Cut(sc.Text(), "#")
		switch f := strings.Fields(line); len(f) {
		case 0:
		case 1:
			r.allowed[f[0]] = true
		case 2:
			r.said[f[0]] = f[1]
		default:
			return nil, fmt.Errorf("%s: %q: a licence, or a module and its licence", name, line)
		}
	}
	return r, nil
}

// licence returns the licence of a module, which must be allowed with every part.
func (r *rules) licence(path, version string) (string, error) {
	expr, ok := r.said[path]
	if !ok {
		var err error
		if expr, err = read(path, version); err != nil {
			return "", err
		}
	}
	for _, term := range license.Terms(expr) {
		if !r.allowed[term] {
			return "", fmt.Errorf("%s@%s: licence %q is not allowed by %s", path, version, expr, allowList)
		}
	}
	return expr, nil
}

// read tells a module's licence by the files at its root.
func read(path, version string) (string, error) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return "", err
	}
	escaped, err1 := module.EscapePath(path)
	escapedVersion, err2 := module.EscapeVersion(version)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(escaped)+"@"+escapedVersion)
	es, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var files []license.File
	for _, e := range es {
		if !license.IsFile(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		files = append(files, license.File{Path: e.Name(), Data: text})
	}
	return license.Package(files), nil
}

package manifest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// This file reads the records of package managers, which list the contents of a directory with many packages.

// Module is a line of the Go command's modules.txt: the path of the files and the module they are from.
type Module struct {
	Dir     string
	Version module.Version // without version if a directory replaces the module
}

// Modules reads the lines "# path version" and "# path version => path version" of
// modules.txt.
func Modules(data []byte) []Module {
	var out []Module
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] != "#" || f[2] == "=>" {
			continue
		}
		m := Module{Dir: f[1], Version: module.Version{Path: f[1], Version: f[2]}}
		if module.CheckImportPath(m.Dir) != nil {
			continue
		}
		if len(f) >= 5 && f[3] == "=>" {
			m.Version = module.Version{Path: f[4]}
			if len(f) > 5 {
				m.Version.Version = f[5]
			}
		}
		out = append(out, m)
	}
	return out
}

// Installed is a package that Composer installed.
type Installed struct {
	Meta
	Dir  string // relative to the directory of installed.json, with slashes
	Link bool   // it is a directory of the project
}

// Composer reads an installed.json; ok reports whether data is one.
func Composer(data []byte) (out []Installed, ok bool) {
	type entry struct {
		Name, Version string
		License       []string
		Time          string
		InstallPath   string `json:"install-path"`
		Dist          struct{ Type string }
	}
	var lists struct{ Packages []entry }
	if json.Unmarshal(data, &lists) != nil && json.Unmarshal(data, &lists.Packages) != nil { // Composer 1 writes a list
		return nil, false
	}
	for _, p := range lists.Packages {
		m := Meta{PURL: purl.Make("composer", p.Name, p.Version), License: strings.Join(p.License, " OR ")}.Valid()
		if m.PURL == "" {
			continue
		}
		if released, err := time.Parse(time.RFC3339, p.Time); err == nil {
			m.Released = released.UTC()
		}
		dir := p.InstallPath
		if dir == "" {
			dir = "../" + p.Name
		}
		out = append(out, Installed{Meta: m, Dir: dir, Link: p.Dist.Type == "path"})
	}
	return out, true
}

// Record lists the files of an installed Python package from its RECORD. The paths are relative to the directory of its
// modules.
func Record(data []byte) (paths []string) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, true
	for {
		row, err := r.Read()
		if err != nil {
			return paths
		}
		paths = append(paths, row[0])
	}
}

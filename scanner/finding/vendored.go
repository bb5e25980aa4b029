package finding

import (
	"cmp"
	"slices"
)

// Vendored is a package of others in the target, in vendor, node_modules, third_party and similar directories.
type Vendored struct {
	Path    string `json:"path"` // its directory, or its file
	PURL    string `json:"purl,omitempty"`
	Name    string `json:"name"` // that of its directory if no record names it
	Version string `json:"version,omitempty"`
	License string `json:"license"` // SPDX expression: declared by its manifest, else read from its licence files
	Files   int    `json:"files"`
	Record  string `json:"record,omitempty"` // the file that names it
	Scanned bool   `json:"scanned"`          // its files were examined like all others
}

// AddVendored adds vendored packages to a report.
func (r *Report) AddVendored(vs []Vendored) {
	for _, v := range vs {
		v.Path, v.Record, v.Name, v.Version = EscapeName(v.Path), EscapeName(v.Record), EscapeName(v.Name), EscapeName(v.Version)
		r.Vendored = append(r.Vendored, v)
	}
	slices.SortFunc(r.Vendored, func(a, b Vendored) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Record, b.Record)) })
}

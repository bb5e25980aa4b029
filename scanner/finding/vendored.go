package finding

import (
	"cmp"
	"slices"
)

// Vendored is a package of others that the target carries with it, in vendor,
// node_modules, third_party and their like.
type Vendored struct {
	Path    string `json:"path"` // its directory, or its file
	PURL    string `json:"purl,omitempty"`
	Name    string `json:"name"` // that of its directory if nothing names it
	Version string `json:"version,omitempty"`
	License string `json:"license"` // SPDX expression: what its manifest declares, else what its licence files say
	Files   int    `json:"files"`
	Record  string `json:"record,omitempty"` // the file that names it
	Scanned bool   `json:"scanned"`          // its files were examined like all others
}

// Carries adds packages that the target carries to a report.
func (r *Report) Carries(vs []Vendored) {
	for _, v := range vs {
		v.Path, v.Record, v.Name, v.Version = EscapeName(v.Path), EscapeName(v.Record), EscapeName(v.Name), EscapeName(v.Version)
		r.Vendored = append(r.Vendored, v)
	}
	slices.SortFunc(r.Vendored, func(a, b Vendored) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Record, b.Record)) })
}

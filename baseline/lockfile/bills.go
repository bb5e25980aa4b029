package lockfile

import (
	"encoding/json"
	"errors"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// bill adds a package URL from a bill of material.
func (l *list) bill(name, url string, p Pin) {
	if url == "" {
		l.leave(name, ReasonName, "no package URL")
		return
	}
	u, err := purl.Parse(url)
	if err != nil {
		l.leave(name, ReasonName, url)
		return
	}
	l.pin(u.Type, purl.FullName(u), u.Version, p)
}

func readSPDX(l *list, data []byte) error {
	var doc struct {
		Packages []struct {
			Name, VersionInfo string
			ExternalRefs      []struct{ ReferenceType, ReferenceLocator string }
		}
		Version string     `json:"spdxVersion"`
		Graph   []struct { // since version 3
			Type, Name string
			PURL       string `json:"software_packageUrl"`
		} `json:"@graph"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	if doc.Version == "" && doc.Graph == nil {
		return errors.New("not an SPDX document")
	}
	for _, e := range doc.Graph {
		if e.Type == "software_Package" {
			l.bill(e.Name, e.PURL, Pin{})
		}
	}
	for _, p := range doc.Packages {
		named := false
		for _, r := range p.ExternalRefs {
			if r.ReferenceType == "purl" {
				l.bill(p.Name, r.ReferenceLocator, Pin{})
				named = true
			}
		}
		if !named {
			l.leave(p.Name, ReasonName, "no package URL")
		}
	}
	return nil
}

// component is a component of a CycloneDX document; components can be nested.
type component struct {
	Name, PURL string
	Components []component
}

func readCycloneDX(l *list, data []byte) error {
	var doc struct {
		BOMFormat  string
		Components []component
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	switch {
	case doc.BOMFormat == "CycloneDX":
		l.components(doc.Components)
	case doc.BOMFormat != "" || doc.Components != nil: // another program's bom.json has neither
		return errors.New("not a CycloneDX document")
	}
	return nil
}

func (l *list) components(cs []component) {
	for _, c := range cs {
		l.bill(c.Name, c.PURL, Pin{})
		l.components(c.Components)
	}
}

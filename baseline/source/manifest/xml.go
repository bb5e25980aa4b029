package manifest

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/purl"
)

// decodeXML decodes a document in any encoding: names and versions are ASCII.
func decodeXML(data []byte, into any) error {
	if err := bounded.Check(data); err != nil {
		return err
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d.Decode(into)
}

// POM reads a pom.xml. Missing coordinates are taken from its parent element. The licence is returned even without
// coordinates.
func POM(data []byte) Meta {
	var p struct {
		GroupID    string `xml:"groupId"`
		ArtifactID string `xml:"artifactId"`
		Version    string `xml:"version"`
		Parent     struct {
			GroupID string `xml:"groupId"`
			Version string `xml:"version"`
		} `xml:"parent"`
		Licenses []string `xml:"licenses>license>name"`
	}
	if decodeXML(data, &p) != nil {
		return Meta{}
	}
	m := Meta{License: strings.Join(trimmed(p.Licenses), " OR ")}
	group, version := p.GroupID, p.Version
	if group == "" {
		group = p.Parent.GroupID
	}
	if version == "" {
		version = p.Parent.Version
	}
	if group != "" && p.ArtifactID != "" && version != "" && !strings.Contains(group+p.ArtifactID+version, "$") {
		m.PURL = purl.Make("maven", strings.TrimSpace(group)+"/"+strings.TrimSpace(p.ArtifactID), strings.TrimSpace(version))
	}
	return m
}

func trimmed(list []string) []string {
	var out []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" && len(out) < 16 {
			out = append(out, s)
		}
	}
	return out
}

// Nuspec reads the .nuspec of a NuGet package.
func Nuspec(data []byte) Meta {
	var p struct {
		Metadata struct {
			ID      string `xml:"id"`
			Version string `xml:"version"`
			License struct {
				Type string `xml:"type,attr"`
				Text string `xml:",chardata"`
			} `xml:"license"`
		} `xml:"metadata"`
	}
	if decodeXML(data, &p) != nil || p.Metadata.ID == "" || p.Metadata.Version == "" {
		return Meta{}
	}
	m := Meta{PURL: purl.Make("nuget", strings.TrimSpace(p.Metadata.ID), strings.TrimSpace(p.Metadata.Version))}
	if p.Metadata.License.Type == "expression" {
		m.License = strings.TrimSpace(p.Metadata.License.Text)
	}
	return m
}

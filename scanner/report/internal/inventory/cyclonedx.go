package inventory

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// CycloneDX writes a report as a CycloneDX 1.6 document. It has a component for each origin package, with licences,
// locations in the target, and confidence. The same report gives the same document: its serial number is a hash of the
// report, and its date is that of created.
func CycloneDX(w io.Writer, r *finding.Report, asked time.Time) error {
	at := created(r, asked)
	id, err := contentID(r, at)
	if err != nil {
		return err
	}
	bom := cdx.NewBOM()
	bom.SerialNumber = "urn:uuid:" + uuid(id)
	bom.Metadata = &cdx.Metadata{
		Timestamp: at.Format(time.RFC3339),
		Tools: &cdx.ToolsChoice{Components: &[]cdx.Component{{
			Type: cdx.ComponentTypeApplication, BOMRef: toolRef, Name: "git-provenance", Version: r.Tool.Version,
			ExternalReferences: &[]cdx.ExternalReference{{Type: cdx.ERTypeWebsite, URL: words.Homepage}},
		}}},
		Properties: &[]cdx.Property{
			{Name: "git-provenance:baseline", Value: r.Baseline.Digest},
			{Name: "git-provenance:target", Value: r.Target.Kind},
		},
	}
	for _, s := range r.Unseen {
		*bom.Metadata.Properties = append(*bom.Metadata.Properties, cdx.Property{Name: "git-provenance:unseen", Value: escape.Line(s)})
	}
	components := []cdx.Component{}
	count := make(map[string]int)
	for _, p := range inventory(r) {
		components = append(components, cdxComponent(p, count))
	}
	for i := range r.Vendored {
		components = append(components, cdxVendored(&r.Vendored[i]))
	}
	bom.Components = &components
	var b bytes.Buffer
	enc := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	if err := enc.EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	if _, err := w.Write(escape.JSON(b.Bytes())); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

const toolRef = "git-provenance"

// uuid makes a UUID of version 8, whose bits are application-defined, from a hash.
func uuid(hash []byte) string {
	var b [16]byte
	copy(b[:], hash)
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func cdxComponent(p *originPackage, count map[string]int) cdx.Component {
	c := cdx.Component{
		Type: cdx.ComponentTypeLibrary, BOMRef: "package-" + shortID(p.purl), Name: p.name, Version: p.version, PackageURL: p.purl,
		Description: "The target has code that this package has, too.",
		Licenses:    cdxLicenses(p.licences),
		Evidence:    cdxEvidence(p, count),
	}
	if p.url != "" {
		c.ExternalReferences = &[]cdx.ExternalReference{{Type: cdx.ERTypeWebsite, URL: p.url}}
	}
	return c
}

// cdxVendored returns the component of a vendored package.
func cdxVendored(v *finding.Vendored) cdx.Component {
	c := cdx.Component{
		Type: cdx.ComponentTypeLibrary, BOMRef: "vendored-" + shortID(v.Path, v.Record), Name: v.Name, Version: v.Version, PackageURL: v.PURL,
		Description: fmt.Sprintf("The target carries this package: %s.", words.Plural(v.Files, "file")),
		Evidence:    &cdx.Evidence{Occurrences: &[]cdx.EvidenceOccurrence{{Location: orDefault(v.Path, "-")}}},
	}
	if l := license.Expression(v.License); l != license.NoAssertion {
		c.Licenses = cdxLicenses([]string{l})
	}
	return c
}

// cdxLicenses returns one expression, or several licences by name: the format takes no list of expressions.
func cdxLicenses(exprs []string) *cdx.Licenses {
	switch len(exprs) {
	case 0:
		return nil
	case 1:
		return &cdx.Licenses{{Expression: exprs[0]}}
	}
	var out cdx.Licenses
	for _, e := range exprs {
		out = append(out, cdx.LicenseChoice{License: &cdx.License{Name: e}})
	}
	return &out
}

// cdxEvidence says how the package is known, by its best finding, and at which locations it occurs.
func cdxEvidence(p *originPackage, count map[string]int) *cdx.Evidence {
	best := 0.0
	var places []cdx.EvidenceOccurrence
	var lines []cdx.Copyright
	seen := make(map[string]bool)
	for _, f := range p.findings {
		best = max(best, confidence(f.Score))
		places = append(places, cdxOccurrence(f, count))
		for _, c := range copyrights(f) {
			if !seen[c] {
				seen[c] = true
				lines = append(lines, cdx.Copyright{Text: c})
			}
		}
	}
	sure := float32(best)
	e := &cdx.Evidence{
		Identity: &cdx.EvidenceIdentityChoice{Identities: &[]cdx.EvidenceIdentity{{
			Field: cdx.EvidenceIdentityFieldTypePURL, Confidence: &sure, ConcludedValue: p.purl,
			Methods: &[]cdx.EvidenceIdentityMethod{{
				Technique: cdx.EvidenceIdentityTechniqueSourceCodeAnalysis, Confidence: &sure,
				Value: equal(p.findings),
			}},
			Tools: &[]cdx.BOMReference{toolRef},
		}}},
		Occurrences: &places,
	}
	if len(lines) > 0 {
		e.Copyright = &lines
	}
	return e
}

// equal says how much of the code and of the comments is equal.
func equal(fs []*finding.Finding) string {
	var n, regions [2]int // of code, of comments
	for _, f := range fs {
		i := 0
		if f.Documentation {
			i = 1
		}
		n[i], regions[i] = n[i]+f.Tokens, regions[i]+1
	}
	var parts []string
	if regions[0] > 0 {
		parts = append(parts, fmt.Sprintf("%s equal in %s, verified token for token", words.Plural(n[0], "token"), words.Plural(regions[0], "region")))
	}
	if regions[1] > 0 {
		parts = append(parts, fmt.Sprintf("%s equal in %s, verified word for word", words.Plural(n[1], "word"), words.Plural(regions[1], "comment")))
	}
	return strings.Join(parts, "; ")
}

func cdxOccurrence(f *finding.Finding, count map[string]int) cdx.EvidenceOccurrence {
	id := shortID(f.ContentID(), f.Path, f.FileSHA1)
	count[id]++
	line, offset := max(1, f.StartLine), max(0, f.StartByte)
	o := cdx.EvidenceOccurrence{
		BOMRef: fmt.Sprintf("finding-%s-%d", id, count[id]), Location: orDefault(f.Path, "-"), Line: &line, Offset: &offset,
		AdditionalContext: fmt.Sprintf("Finding %s, %s: %s", escape.Line(f.ID), escape.Line(string(f.Verdict)), words.Message(f)),
	}
	if f.Function != nil {
		o.Symbol = f.Function.Name
	}
	return o
}

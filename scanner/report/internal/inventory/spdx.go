package inventory

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/report/words"
	element "github.com/spdx/tools-golang/spdx/v2/common"
	spdx "github.com/spdx/tools-golang/spdx/v2/v2_3"
)

// FileHashError says that a report lacks a file's hash, which an SPDX document requires.
type FileHashError struct{ Finding, Path string }

func (e *FileHashError) Error() string {
	return fmt.Sprintf("render spdx: finding %q: no SHA-1 of file %q in the report", e.Finding, e.Path)
}

// unseen says what was not examined as a whole.
func unseen(r *finding.Report) string {
	out := ""
	for _, s := range r.Unseen {
		out += escape.Line(s) + " "
	}
	return out
}

// SPDX writes a report as an SPDX 2.3 document. It has a package for each origin, the target's files with findings, and
// a snippet for each finding, with bytes, lines, the licence concluded and the evidence. The same report gives the same
// document: its namespace is a hash of the report, and its date is that of created.
func SPDX(w io.Writer, r *finding.Report, asked time.Time) error {
	at := created(r, asked)
	id, err := contentID(r, at)
	if err != nil {
		return err
	}
	d := &spdxDocument{doc: spdx.Document{
		SPDXVersion: spdx.Version, DataLicense: spdx.DataLicense, SPDXIdentifier: "DOCUMENT",
		DocumentName:      "git-provenance",
		DocumentNamespace: fmt.Sprintf("https://spdx.org/spdxdocs/git-provenance-%x", id[:16]),
		DocumentComment: unseen(r) + "Code of the files that stands, token for token, in known packages; for each such snippet the best origin. " +
			"What was not examined is in the ledger of the JSON report this was made from.",
		CreationInfo: &spdx.CreationInfo{
			Creators: []element.Creator{{CreatorType: "Tool", Creator: "git-provenance-" + words.NumericVersion(r.Tool.Version)}},
			Created:  at.Format(time.RFC3339),
			CreatorComment: "The date is SOURCE_DATE_EPOCH if that was set, else the newest date of a release or commit in the report, " +
				"so that the same scan gives the same document.",
		},
	}, files: make(map[string]element.ElementID), refs: make(map[string]bool), count: make(map[string]int)}
	for _, p := range inventory(r) {
		if err := d.pkg(p); err != nil {
			return err
		}
	}
	for i := range r.Vendored {
		d.vendored(&r.Vendored[i])
	}
	return jsonform.Encode(w, &d.doc)
}

type spdxDocument struct {
	doc   spdx.Document
	files map[string]element.ElementID // by path and content
	refs  map[string]bool              // LicenseRefs that are already defined
	count map[string]int               // number of snippets with one id
}

const purlType = "purl" // of external references

func (d *spdxDocument) pkg(p *originPackage) error {
	id := element.ElementID("Package-" + shortID(p.purl))
	pkg := &spdx.Package{
		PackageName: p.name, PackageSPDXIdentifier: id, PackageVersion: p.version,
		PackageDownloadLocation: license.NoAssertion, PackageHomePage: p.url,
		PackageLicenseConcluded: d.licence(license.And(p.licences...)), PackageLicenseDeclared: license.NoAssertion,
		PackageCopyrightText: license.NoAssertion, PrimaryPackagePurpose: "SOURCE",
		PackageLicenseComments: "Concluded from those files of the package only in which code was found.",
		PackageExternalReferences: []*spdx.PackageExternalReference{{
			Category: element.CategoryPackageManager, RefType: purlType, Locator: p.purl}},
	}
	if p.released != nil {
		pkg.ReleaseDate = p.released.UTC().Truncate(time.Second).Format(time.RFC3339)
	}
	d.doc.Packages = append(d.doc.Packages, pkg)
	for _, f := range p.findings {
		if err := d.snippet(f, id); err != nil {
			return err
		}
	}
	return nil
}

// vendored adds a vendored package of the target.
func (d *spdxDocument) vendored(v *finding.Vendored) {
	id := element.ElementID("Vendored-" + shortID(v.Path, v.Record))
	pkg := &spdx.Package{
		PackageName: v.Name, PackageSPDXIdentifier: id, PackageVersion: v.Version, PackageFileName: spdxPath(v.Path),
		PackageDownloadLocation: license.NoAssertion, PackageLicenseConcluded: license.NoAssertion, PackageLicenseDeclared: d.licence(v.License),
		PackageCopyrightText: license.NoAssertion, PrimaryPackagePurpose: "SOURCE",
		PackageComment: fmt.Sprintf("The target carries this package: %s.", words.Plural(v.Files, "file")),
	}
	if v.PURL != "" {
		pkg.PackageExternalReferences = []*spdx.PackageExternalReference{{Category: element.CategoryPackageManager, RefType: purlType, Locator: v.PURL}}
	}
	d.doc.Packages = append(d.doc.Packages, pkg)
	d.relate("DOCUMENT", element.TypeRelationshipDescribe, id, "")
}

// licence returns an expression in the syntax of SPDX. It defines the licences that are not on SPDX's list.
func (d *spdxDocument) licence(s string) string {
	expr := license.Expression(s)
	if strings.Contains(expr, "DocumentRef-") { // refers to a document that is not available
		return license.NoAssertion
	}
	for _, term := range license.Terms(expr) {
		if !strings.HasPrefix(term, "LicenseRef-") || d.refs[term] {
			continue
		}
		d.refs[term] = true
		d.doc.OtherLicenses = append(d.doc.OtherLicenses, &spdx.OtherLicense{LicenseIdentifier: term, LicenseName: term,
			ExtractedText: "The text was not kept; see the package it was found in."})
	}
	return expr
}

var sha1Hex = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}$`) })

// file returns the element of a finding's file.
func (d *spdxDocument) file(f *finding.Finding) (element.ElementID, error) {
	if !sha1Hex().MatchString(f.FileSHA1) {
		return "", &FileHashError{f.ID, f.Path}
	}
	key := f.FileSHA1 + f.Path
	if id, ok := d.files[key]; ok {
		return id, nil
	}
	id := element.ElementID("File-" + shortID(f.Path, f.FileSHA1))
	d.files[key] = id
	d.doc.Files = append(d.doc.Files, &spdx.File{
		FileName: spdxPath(f.Path), FileSPDXIdentifier: id, FileTypes: []string{"SOURCE"},
		Checksums:        []element.Checksum{{Algorithm: element.SHA1, Value: f.FileSHA1}},
		LicenseConcluded: license.NoAssertion, LicenseInfoInFiles: []string{license.NoAssertion}, FileCopyrightText: license.NoAssertion,
	})
	d.relate("DOCUMENT", element.TypeRelationshipDescribe, id, "")
	return id, nil
}

// spdxPath prefixes relative paths with ./, which SPDX requires.
func spdxPath(path string) string {
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, "../") {
		return path
	}
	return "./" + path
}

func (d *spdxDocument) relate(a element.ElementID, kind string, b element.ElementID, comment string) {
	d.doc.Relationships = append(d.doc.Relationships, &spdx.Relationship{
		RefA: element.MakeDocElementID("", string(a)), RefB: element.MakeDocElementID("", string(b)), Relationship: kind, RelationshipComment: comment})
}

// snippet adds a finding. Its bytes and lines count from 1 and include the last.
func (d *spdxDocument) snippet(f *finding.Finding, pkg element.ElementID) error {
	file, err := d.file(f)
	if err != nil {
		return err
	}
	key := shortID(f.ContentID(), f.Path, f.FileSHA1)
	d.count[key]++
	id := element.ElementID(fmt.Sprintf("Snippet-%s-%d", key, d.count[key]))
	byteAt := func(n int) element.SnippetRangePointer {
		return element.SnippetRangePointer{Offset: max(1, n), FileSPDXIdentifier: file}
	}
	lineAt := func(n int) element.SnippetRangePointer {
		return element.SnippetRangePointer{LineNumber: max(1, n), FileSPDXIdentifier: file}
	}
	concluded, kind := d.concluded(f), lineage(f.Direction)
	d.doc.Snippets = append(d.doc.Snippets, spdx.Snippet{
		SnippetSPDXIdentifier: id, SnippetFromFileSPDXIdentifier: file, SnippetName: "finding " + f.ID,
		Ranges: []element.SnippetRange{
			{StartPointer: byteAt(f.StartByte + 1), EndPointer: byteAt(f.EndByte)},
			{StartPointer: lineAt(f.StartLine), EndPointer: lineAt(f.EndLine)},
		},
		SnippetLicenseConcluded: concluded, LicenseInfoInSnippet: d.declared(f), SnippetLicenseComments: verdictComment(f),
		SnippetCopyrightText: orDefault(strings.Join(copyrights(f), "\n"), license.NoAssertion),
		SnippetComment:       words.Message(f),
	})
	o := f.Origins[0]
	comment := fmt.Sprintf("%s %s of the package", escape.Line(o.Path), words.Lines(o.StartLine, o.EndLine))
	if b := words.Bounds(f); b != "" {
		comment += ". " + words.UpperFirst(b)
	}
	d.relate(id, kind, pkg, comment)
	return nil
}

func orDefault(s, none string) string {
	if s == "" {
		return none
	}
	return s
}

// lineage returns the relationship of a snippet to a package that dates prove.
func lineage(direction string) string {
	switch direction {
	case "from":
		return element.TypeRelationshipDescendantOf
	case "to":
		return element.TypeRelationshipAncestorOf
	}
	return element.TypeRelationshipVariantOf
}

// concluded returns the licence of the origin if the code is from there: dates prove it, or the target names the origin. Otherwise it
// concludes nothing; the comment on the licence has that of the origin.
func (d *spdxDocument) concluded(f *finding.Finding) string {
	named := f.Verdict == finding.Attributed || f.Verdict == finding.AttributionWrong && slices.ContainsFunc(f.Attributions, finding.Notice.NamesOrigin)
	if f.Direction == finding.DirectionFrom && f.Verdict != finding.AttributedElsewhere || f.Direction != finding.DirectionTo && named {
		return d.licence(f.Origins[0].License)
	}
	return license.NoAssertion
}

// declared lists the licences that the target's notices name at the region, NONE if there are no notices.
func (d *spdxDocument) declared(f *finding.Finding) []string {
	if len(f.Attributions) == 0 {
		return []string{"NONE"}
	}
	var out []string
	for _, n := range f.Attributions {
		_, tag, ok := strings.Cut(n.Text, "License-Identifier:")
		if !ok && n.Kind != "spdx-license" {
			continue
		}
		if !ok {
			tag = n.Text
		}
		out = append(out, license.Terms(d.licence(strings.TrimSpace(tag)))...)
	}
	if len(out) == 0 {
		return []string{license.NoAssertion}
	}
	return out
}

// verdictComment states the licence, the verdict, and who accepted the finding.
func verdictComment(f *finding.Finding) string {
	s := "Licence: " + words.LicenceOf(f, words.Full).String() + "."
	if a := f.Allowed; a != nil {
		s += " Accepted by " + words.Accepted(a).String()
	}
	return s
}

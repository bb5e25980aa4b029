package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// SARIFLimit is how many results GitHub keeps of a run; it refuses a file with
// more than five times as many.
const SARIFLimit = 5000

// homepage is where documents say that this program is from.
const homepage = "https://github.com/git-provenance/git-provenance"

const srcRoot = "%SRCROOT%"

// SARIF writes a report in SARIF 2.1.0, as GitHub's code scanning and others
// take it. There is one rule for each verdict. Findings that were allowed or that
// the policy ignores are left out: GitHub shows suppressed results as open
// alerts. A region is clipped to the lines that a change added, as GitHub shows
// a result on a pull request only if all its lines are new there.
//
// Two fingerprints stay as they are while code moves: gitProvenance/v1 is the
// finding's id, a hash of matched content and origin; primaryLocationLineHash,
// the one GitHub reads, is the id and the how-manieth it is in its file.
func SARIF(w io.Writer, r *finding.Report) error {
	doc, err := byName(sarifDocument{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRunNode{sarifRun(r)}})
	if err != nil {
		return err
	}
	return writeJSON(w, doc)
}

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// byName orders the keys of all objects by their name, those of a finding in the
// properties too.
func byName(doc any) (any, error) {
	js, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(js))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return tree, nil
}

func sarifRun(r *finding.Report) sarifRunNode {
	loud, quiet := split(Ranked(r.Findings))
	left := max(0, len(loud)-SARIFLimit)
	nth := occurrences(r.Findings)
	results := make([]sarifResult, 0, len(loud)-left)
	for _, f := range loud[:len(loud)-left] {
		results = append(results, resultOf(f, nth[f]))
	}
	return sarifRunNode{
		Tool:               sarifTool{driver(r.Tool.Version)},
		AutomationDetails:  sarifID{"git-provenance/"},
		ColumnKind:         "unicodeCodePoints",
		DefaultEncoding:    "utf-8",
		Language:           "en-US",
		NewlineSequences:   []string{"\r\n", "\n"},
		OriginalURIBaseIDs: map[string]sarifArtifact{srcRoot: {Description: &sarifMessage{Text: "The root of the repository that was scanned."}}},
		Invocations:        []sarifInvocation{invocation(r, left)},
		Results:            results,
		Properties: sarifProperties{"baseline": r.Baseline, "parameters": r.Parameters, "target": r.Target, "summary": r.Summary,
			"allowedOrIgnored": len(quiet), "leftOut": left},
	}
}

func driver(version string) sarifDriver {
	d := sarifDriver{
		Name: "git-provenance", FullName: "git-provenance: finds code copied from elsewhere", InformationURI: homepage,
		Version: numericVersion(version), Language: "en-US", Contents: []string{"localizedData", "nonLocalizedData"},
	}
	if m := semver.FindStringSubmatch(version); m != nil {
		d.SemanticVersion = m[1]
	}
	for _, rule := range sarifRules() {
		d.Rules = append(d.Rules, rule.descriptor())
	}
	return d
}

var semver = regexp.MustCompile(`^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$`)

// numericVersion begins with a digit, as programs that compare versions need it;
// a build from a work tree has none and is older than all.
func numericVersion(v string) string {
	v = clip(Escape(strings.TrimPrefix(v, "v")), maxInline)
	if v == "" || v[0] < '0' || v[0] > '9' {
		v = "0 " + v
	}
	return v
}

// occurrences counts equal ids within a file, in the order of lines: what is
// copied twice into one file is two findings of one id.
func occurrences(fs []finding.Finding) map[*finding.Finding]int {
	byLine := make([]*finding.Finding, len(fs))
	for i := range fs {
		byLine[i] = &fs[i]
	}
	slices.SortStableFunc(byLine, func(a, b *finding.Finding) int { return a.StartLine - b.StartLine })
	type key struct{ path, id string }
	count, nth := make(map[key]int), make(map[*finding.Finding]int)
	for _, f := range byLine {
		k := key{f.Path, f.ContentID()}
		count[k]++
		nth[f] = count[k]
	}
	return nth
}

// sarifRule is what a verdict is in SARIF.
type sarifRule struct {
	verdict  finding.Verdict
	name     string // as viewers show it
	level    string // unless the policy says otherwise of a finding
	severity string // GitHub's problem.severity
	advice   string
}

// sarifRules lists a rule for each verdict. The last one takes verdicts of later
// releases. None has a security-severity: these are no vulnerabilities.
func sarifRules() []sarifRule {
	return []sarifRule{
		{finding.Undeclared, "UndeclaredCopy", "warning", "warning", "Name origin and licence next to the code, replace it by a dependency, or remove it."},
		{finding.LicenceStripped, "LicenceStripped", "error", "error", "Put the header of the origin back: its licence requires that it stays."},
		{finding.AttributionWrong, "AttributionWrong", "warning", "warning", "Correct what the code says of its origin or licence."},
		{finding.Attributed, "AttributedCopy", "note", "recommendation", "Check that the licence named is one you may use."},
		{finding.CommonCode, "CommonCode", "note", "recommendation", "Usually nothing is to be done."},
		{otherVerdict, "OtherCopy", "warning", "warning", "Look at the finding's properties; a newer release tells more."},
	}
}

const otherVerdict = finding.Verdict("other")

// ruleIndex finds the rule of a verdict.
func ruleIndex(v finding.Verdict) int {
	rules := sarifRules()
	if i := slices.IndexFunc(rules, func(r sarifRule) bool { return r.verdict == v }); i >= 0 {
		return i
	}
	return len(rules) - 1
}

func (r sarifRule) id() string { return string(r.verdict) }

func (r sarifRule) descriptor() sarifDescriptor {
	meaning := upperFirst(verdictWords(r.verdict)) + "."
	if r.verdict == otherVerdict {
		meaning = "Code was copied, with a verdict this release does not know."
	}
	help := "The lines stand, token for token, in code known from elsewhere; the message names the place, its licence and what speaks for it. " +
		meaning + " " + r.advice + " A finding can be allowed with a reason, in the code or in .git-provenance.yml."
	return sarifDescriptor{
		ID: r.id(), Name: r.name,
		ShortDescription:     sarifMessage{Text: "Code that a known package has, too: " + verdictWords(r.verdict)},
		FullDescription:      sarifMessage{Text: "The code also stands in a known package. " + meaning},
		Help:                 sarifMessage{help, help + "\n\nMore: [" + homepage + "](" + homepage + ")"},
		HelpURI:              homepage + "/blob/main/docs/REPORTS.md",
		DefaultConfiguration: sarifConfig{Enabled: true, Level: r.level},
		Properties:           sarifProperties{"precision": "very-high", "problem.severity": r.severity, "tags": []string{"provenance", "license"}},
	}
}

func resultOf(f *finding.Finding, nth int) sarifResult {
	i := ruleIndex(f.Verdict)
	id := clip(Escape(f.ContentID()), 64)
	return sarifResult{
		RuleID: sarifRules()[i].id(), RuleIndex: i, Kind: "fail", Level: sarifLevel(f.Level),
		Message:             sarifMessage{sarifText(AnnotationMessage(f)), braces(sarifMarkdown(f))},
		Locations:           []sarifLocation{locationOf(f)},
		PartialFingerprints: map[string]string{"gitProvenance/v1": id, "primaryLocationLineHash": fmt.Sprintf("%s:%d", id, nth)},
		Rank:                100 * min(1, max(0, f.Score)),
		Properties:          propertiesOf(f),
	}
}

// sarifText is a plain text with what SARIF reads in messages escaped: links in
// brackets and places for arguments in braces.
func sarifText(s string) string {
	return braces(linkEscapes.Replace(s))
}

func braces(s string) string { return braceEscapes.Replace(s) }

var (
	linkEscapes  = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
	braceEscapes = strings.NewReplacer("{", "{{", "}", "}}")
)

func sarifMarkdown(f *finding.Finding) string {
	return "- " + strings.Join(MarkdownPoints(f), "\n- ")
}

func sarifLevel(level string) string {
	return [...]string{"error", "warning", "note", "none"}[levelRank(level)]
}

// propertiesOf keeps the evidence for programs: the finding but for its
// source text, which would make the file larger than GitHub takes.
func propertiesOf(f *finding.Finding) sarifProperties {
	p := sarifProperties{
		"score": f.Score, "bits": f.Bits, "support": f.Support, "tokens": f.Tokens, "fileShare": f.FileShare,
		"cloneType": f.CloneType, "verdict": f.Verdict, "direction": f.Direction, "directionReason": f.DirectionReason,
		"renames": orEmpty(f.Renames), "identifiers": f.Identifiers, "literals": f.Literals,
		"origins": orEmpty(f.Origins), "originCount": f.OriginCount, "packageCount": f.PackageCount, "licenses": orEmpty(f.Licenses),
		"attributions": orEmpty(f.Attributions), "reasons": orEmpty(f.Reasons),
		"startLine": f.StartLine, "endLine": f.EndLine,
	}
	if f.PartOriginCount > 0 {
		p["partOrigins"], p["partOriginCount"], p["unjudgedCount"] = orEmpty(f.PartOrigins), f.PartOriginCount, f.UnjudgedCount
	}
	if f.Rule != "" {
		p["rule"] = f.Rule
	}
	if f.Introduced != nil {
		p["introduced"] = f.Introduced
	}
	if f.Compatibility != nil {
		p["compatibility"] = f.Compatibility
	}
	if f.Here != nil {
		p["here"] = f.Here
	}
	return p
}

func locationOf(f *finding.Finding) sarifLocation {
	loc := sarifLocation{PhysicalLocation: sarifPhysical{artifactOf(f.Path), regionOf(f)}}
	if fn := f.Function; fn != nil && fn.Name != "" {
		loc.LogicalLocations = []sarifLogical{{Escape(fn.Name), "function"}}
	}
	return loc
}

// artifactOf names a file. What is below the root of the repository is
// relative to it; what was named from outside stands for itself.
func artifactOf(path string) sarifArtifact {
	enc := percentEncode(finding.UnescapeName(path), "/-._~")
	switch {
	case path == "":
		return sarifArtifact{URI: "-"}
	case path[0] == '/':
		return sarifArtifact{URI: "file:///" + strings.TrimLeft(enc, "/")}
	case path == ".." || strings.HasPrefix(path, "../"):
		return sarifArtifact{URI: enc}
	}
	return sarifArtifact{URI: enc, URIBaseID: srcRoot}
}

// regionOf is the part of a finding to look at. Columns are known where the
// match begins and where it ends.
func regionOf(f *finding.Finding) sarifRegion {
	at := Focus(f)
	r := sarifRegion{StartLine: at.StartLine, EndLine: at.EndLine, SourceLanguage: Escape(f.Language)}
	if len(f.Runs) == 0 {
		return r
	}
	first, last := f.Runs[0], f.Runs[len(f.Runs)-1]
	start, end := 1, 0
	if first.StartLine == at.StartLine && first.StartColumn > 1 {
		start = first.StartColumn
		r.StartColumn = start
	}
	if last.EndLine == at.EndLine {
		end = last.EndColumn
	}
	if end > 1 && (at.StartLine < at.EndLine || end > start) {
		r.EndColumn = end
	}
	return r
}

func invocation(r *finding.Report, left int) sarifInvocation {
	inv := sarifInvocation{ExecutionSuccessful: true}
	note := func(level, format string, args ...any) {
		inv.Notifications = append(inv.Notifications, sarifNotification{level, sarifMessage{Text: sarifText(fmt.Sprintf(format, args...))}})
	}
	if left > 0 {
		note("warning", "%s left out: a run may hold %s. Those kept weigh most; the JSON report has all.", plural(left, "finding"), plural(SARIFLimit, "result"))
	}
	for i, c := range countReasons(r.Ledger) {
		if i == maxNotifications {
			note("note", "Not or only partly examined for other reasons: see the ledger of the JSON report.")
			break
		}
		note("note", "Not or only partly examined: %s %s.", group(c.n), Escape(string(c.reason)))
	}
	return inv
}

// maxNotifications bounds the reasons of the ledger shown; there are about thirty.
const maxNotifications = 50

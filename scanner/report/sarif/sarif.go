// Package sarif writes a report in SARIF 2.1.0, for code scanning. Write (sarif.go) makes a result of each finding; types.go has the
// part of the format that is used.
package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// Limit is how many results GitHub keeps of a run. It refuses a file with more than five times as many.
const Limit = 5000

const srcRoot = "%SRCROOT%"

// Write writes a report in SARIF 2.1.0 for GitHub's code scanning and other readers. There is one rule for each
// verdict. Findings that were allowed or that the policy ignores are left out, since GitHub shows suppressed results as
// open alerts. A region is clipped to the lines that a change added: GitHub shows a result on a pull request only if
// all its lines are new.
//
// Two fingerprints do not change when code moves. gitProvenance/v1 is the finding's id, a hash of matched content and
// origin. primaryLocationLineHash, the one that GitHub reads, is the id and its number among equal ids of the file.
func Write(w io.Writer, r *finding.Report) error {
	doc, err := byName(document{Schema: schema, Version: "2.1.0", Runs: []run{runOf(r)}})
	if err != nil {
		return err
	}
	return jsonform.Encode(w, doc)
}

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// byName sorts the keys of all objects, including a finding's properties.
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

func runOf(r *finding.Report) run {
	loud, quiet := order.Split(order.Ranked(r.Findings))
	left := max(0, len(loud)-Limit)
	nth := occurrences(r.Findings)
	results := make([]result, 0, len(loud)-left)
	for _, f := range loud[:len(loud)-left] {
		results = append(results, resultOf(f, nth[f]))
	}
	return run{
		Tool:               tool{driverOf(r.Tool.Version)},
		AutomationDetails:  identity{"git-provenance/"},
		ColumnKind:         "unicodeCodePoints",
		DefaultEncoding:    "utf-8",
		Language:           "en-US",
		NewlineSequences:   []string{"\r\n", "\n"},
		OriginalURIBaseIDs: map[string]artifact{srcRoot: {Description: &message{Text: "The root of the repository that was scanned."}}},
		Invocations:        []invocation{invocationOf(r, left)},
		Results:            results,
		Properties: properties{"baseline": r.Baseline, "parameters": r.Parameters, "target": r.Target, "summary": r.Summary,
			"allowedOrIgnored": len(quiet), "leftOut": left},
	}
}

func driverOf(version string) driver {
	d := driver{
		Name: "git-provenance", FullName: "git-provenance: finds code copied from elsewhere", InformationURI: words.Homepage,
		Version: words.NumericVersion(version), Language: "en-US", Contents: []string{"localizedData", "nonLocalizedData"},
	}
	if m := semver().FindStringSubmatch(version); m != nil {
		d.SemanticVersion = m[1]
	}
	for _, rule := range rules() {
		d.Rules = append(d.Rules, rule.descriptor())
	}
	return d
}

var semver = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$`)
})

// occurrences numbers equal ids within a file, in the order of lines: code that is copied twice into one file gives two
// findings with one id.
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

// rule is the SARIF rule of a verdict.
type rule struct {
	verdict  finding.Verdict
	name     string // shown by viewers
	level    string // unless the policy sets another level for a finding
	severity string // GitHub's problem.severity
	advice   string
}

// rules lists a rule for each verdict. The last one is for verdicts of later releases. No rule has a security-severity,
// since findings are not vulnerabilities.
func rules() []rule {
	return []rule{
		{finding.Undeclared, "UndeclaredCopy", "warning", "warning", "Name origin and licence next to the code, replace it by a dependency, or remove it."},
		{finding.LicenceStripped, "LicenceStripped", "error", "error", "Put the header of the origin back: its licence requires that it stays."},
		{finding.AttributionWrong, "AttributionWrong", "warning", "warning", "Correct what the code says of its origin or licence."},
		{finding.AttributedElsewhere, "AttributedElsewhere", "note", "recommendation", "Check that the place that the code names has it, and under which licence."},
		{finding.Attributed, "AttributedCopy", "note", "recommendation", "Check that the licence named is one you may use."},
		{finding.CommonCode, "CommonCode", "note", "recommendation", "Usually nothing is to be done."},
		{documentation, "DocumentationCopied", "note", "recommendation", "Name the origin and its licence, or say it in words of your own."},
		{otherVerdict, "OtherCopy", "warning", "warning", "Look at the finding's properties; a newer release tells more."},
	}
}

// Rules other than those of the verdicts: for copied comments, whatever their verdict, and for verdicts of later releases.
const (
	documentation = finding.Verdict("documentation")
	otherVerdict  = finding.Verdict("other")
)

// ruleIndex returns the index of a finding's rule.
func ruleIndex(f *finding.Finding) int {
	rules, v := rules(), f.Verdict
	if f.Documentation {
		v = documentation
	}
	if i := slices.IndexFunc(rules, func(r rule) bool { return r.verdict == v }); i >= 0 {
		return i
	}
	return len(rules) - 1
}

func (r rule) id() string { return string(r.verdict) }

func (r rule) descriptor() descriptor {
	meaning := words.UpperFirst(words.VerdictMeaning(r.verdict)) + "."
	if r.verdict == otherVerdict {
		meaning = "Code was copied, with a verdict this release does not know."
	}
	short := "Code that a known package has, too: " + words.VerdictMeaning(r.verdict)
	if r.verdict == documentation {
		short = "Documentation that a known package has, too"
		meaning = "The words of a comment are those of a comment of a known package; the code beside it is not."
	}
	help := "The lines stand, token for token, in code known from elsewhere; the message names the place, its licence and what speaks for it. " +
		meaning + " " + r.advice + " A finding can be allowed with a reason, in the code or in .git-provenance.yml."
	return descriptor{
		ID: r.id(), Name: r.name,
		ShortDescription:     message{Text: short},
		FullDescription:      message{Text: "The code also stands in a known package. " + meaning},
		Help:                 message{help, help + "\n\nMore: [" + words.Homepage + "](" + words.Homepage + ")"},
		HelpURI:              words.Homepage + "/blob/main/docs/REPORTS.md",
		DefaultConfiguration: config{Enabled: true, Level: r.level},
		Properties:           properties{"precision": "very-high", "problem.severity": r.severity, "tags": []string{"provenance", "license"}},
	}
}

func resultOf(f *finding.Finding, nth int) result {
	i := ruleIndex(f)
	id := escape.Clip(escape.Line(f.ContentID()), 64)
	return result{
		RuleID: rules()[i].id(), RuleIndex: i, Kind: "fail", Level: levelOf(f.Level),
		Message:             message{plainText(words.Message(f)), braces(markdownText(f))},
		Locations:           []location{locationOf(f)},
		PartialFingerprints: map[string]string{"gitProvenance/v1": id, "primaryLocationLineHash": fmt.Sprintf("%s:%d", id, nth)},
		Rank:                100 * min(1, max(0, f.Score)),
		Properties:          propertiesOf(f),
	}
}

// plainText escapes the syntax of SARIF messages in a plain text: links in brackets and placeholders in braces.
func plainText(s string) string {
	return braces(linkEscapes.Replace(s))
}

func braces(s string) string { return braceEscapes.Replace(s) }

var (
	linkEscapes  = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
	braceEscapes = strings.NewReplacer("{", "{{", "}", "}}")
)

func markdownText(f *finding.Finding) string {
	return "- " + strings.Join(markdown.Points(f), "\n- ")
}

func levelOf(level string) string {
	return [...]string{"error", "warning", "note", "none"}[order.LevelRank(level)]
}

// propertiesOf returns the evidence for programs: the finding without its source text, which would make the file too
// large for GitHub.
func propertiesOf(f *finding.Finding) properties {
	p := properties{
		"score": f.Score, "bits": f.Bits, "support": f.Support, "tokens": f.Tokens, "fileShare": f.FileShare,
		"cloneType": f.CloneType, "verdict": f.Verdict, "direction": f.Direction, "directionReason": f.DirectionReason,
		"renames": jsonform.OrEmpty(f.Renames), "identifiers": f.Identifiers, "literals": f.Literals,
		"origins": jsonform.OrEmpty(f.Origins), "originCount": f.OriginCount, "packageCount": f.PackageCount, "licenses": jsonform.OrEmpty(f.Licenses),
		"attributions": jsonform.OrEmpty(f.Attributions), "reasons": jsonform.OrEmpty(f.Reasons),
		"startLine": f.StartLine, "endLine": f.EndLine,
	}
	if f.Derived {
		p["derived"] = true
	}
	if f.Documentation {
		p["documentation"] = true
	}
	if len(f.Functions) > 0 {
		p["functions"] = f.Functions
	}
	if f.PartOriginCount > 0 {
		p["partOrigins"], p["partOriginCount"], p["unjudgedCount"] = jsonform.OrEmpty(f.PartOrigins), f.PartOriginCount, f.UnjudgedCount
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

func locationOf(f *finding.Finding) location {
	loc := location{PhysicalLocation: physical{artifactOf(f.Path), regionOf(f)}}
	if fn := f.Function; fn != nil && fn.Name != "" {
		loc.LogicalLocations = []logical{{escape.Line(fn.Name), "function"}}
	}
	return loc
}

// artifactOf names a file. Paths below the root of the repository are relative to it; other paths stay as given.
func artifactOf(path string) artifact {
	enc := escape.Percent(finding.UnescapeName(path), "/-._~")
	switch {
	case path == "":
		return artifact{URI: "-"}
	case path[0] == '/':
		return artifact{URI: "file:///" + strings.TrimLeft(enc, "/")}
	case path == ".." || strings.HasPrefix(path, "../"):
		return artifact{URI: enc}
	}
	return artifact{URI: enc, URIBaseID: srcRoot}
}

// regionOf returns the region of a finding to show. Columns are known only where the match begins and ends.
func regionOf(f *finding.Finding) region {
	at := order.Focus(f)
	r := region{StartLine: at.StartLine, EndLine: at.EndLine, SourceLanguage: escape.Line(f.Language)}
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

func invocationOf(r *finding.Report, left int) invocation {
	inv := invocation{ExecutionSuccessful: true}
	note := func(level, format string, args ...any) {
		inv.Notifications = append(inv.Notifications, notification{level, message{Text: plainText(fmt.Sprintf(format, args...))}})
	}
	if left > 0 {
		note("warning", "%s left out: a run may hold %s. Those kept weigh most; the JSON report has all.", words.Plural(left, "finding"), words.Plural(Limit, "result"))
	}
	for _, s := range r.Unseen[:min(len(r.Unseen), maxNotifications)] {
		note("warning", "%s", escape.Line(s))
	}
	for i, c := range words.CountReasons(r.Ledger) {
		if i == maxNotifications {
			note("note", "Not or only partly examined for other reasons: see the ledger of the JSON report.")
			break
		}
		note("note", "Not or only partly examined: %s %s.", words.Number(c.N), escape.Line(string(c.Reason)))
	}
	return inv
}

// maxNotifications bounds the reasons of the ledger shown; there are about thirty.
const maxNotifications = 50

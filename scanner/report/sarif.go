package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// SARIFLimit is how many results GitHub keeps of a run; it refuses a file with
// more than five times as many.
const SARIFLimit = 5000

const (
	homepage = "https://github.com/git-provenance/git-provenance"
	srcRoot  = "%SRCROOT%"
)

// SARIF writes a report in SARIF 2.1.0, as GitHub's code scanning and others
// take it. There is one rule for each verdict. Findings that were allowed or that
// the policy ignores are left out: GitHub shows suppressed results as open
// alerts. A region is clipped to the lines that a change added, as GitHub shows
// a result on a pull request only if all its lines are new there.
//
// Two fingerprints stay as they are while code moves: gitProvenance/v1 is the
// finding's id, a hash of matched content and origin; primaryLocationLineHash,
// the one GitHub reads, is the id and the how-manieth it is in its file.
func SARIF(w io.Writer, r *scanner.Report) error {
	doc := sarif.NewReport()
	doc.Schema = sarifSchema
	doc.AddRun(sarifRun(r))
	slim, err := withoutDefaults(doc)
	if err != nil {
		return err
	}
	return writeJSON(w, slim)
}

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// withoutDefaults takes out of a document what the library writes though it says
// nothing: empty lists, which a run may have dozens of for each result, and -1
// for numbers that are not set. It halves the file, of which GitHub takes 10 MB.
// Properties are ours and stay, and so does the list of results, which means
// that the tool ran.
func withoutDefaults(doc *sarif.Report) (any, error) {
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
	prune(tree)
	return tree, nil
}

func prune(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			prune(e)
		}
	case map[string]any:
		for k, e := range v {
			list, isList := e.([]any)
			switch {
			case k == "properties" && len(e.(map[string]any)) > 0:
			case k == "properties", k != "results" && isList && len(list) == 0, e == json.Number("-1"):
				delete(v, k)
			default:
				prune(e)
			}
		}
	}
}

func sarifRun(r *scanner.Report) *sarif.Run {
	run := sarif.NewRunWithInformationURI("git-provenance", homepage)
	driver := run.Tool.Driver
	driver.WithFullName("git-provenance: finds code copied from elsewhere").WithVersion(numericVersion(r.Tool.Version))
	if m := semver.FindStringSubmatch(r.Tool.Version); m != nil {
		driver.WithSemanticVersion(m[1])
	}
	for _, rule := range sarifRules() {
		driver.Rules = append(driver.Rules, rule.descriptor())
	}
	run.WithColumnKind("unicodeCodePoints").WithDefaultEncoding("utf-8")
	run.WithAutomationDetails(sarif.NewRunAutomationDetails().WithID("git-provenance/"))
	run.WithOriginalUriBaseIds(map[string]sarif.ArtifactLocation{srcRoot: *sarif.NewArtifactLocation().
		WithDescription(sarif.NewTextMessage("The root of the repository that was scanned."))})
	loud, quiet := split(Ranked(r.Findings))
	left := max(0, len(loud)-SARIFLimit)
	kept := loud[:len(loud)-left]
	nth := occurrences(r.Findings)
	for _, f := range kept {
		run.AddResult(sarifResult(f, nth[f]))
	}
	run.AddInvocation(sarifInvocation(r, left))
	run.WithProperties(sarif.NewPropertyBag().
		Add("baseline", r.Baseline).Add("parameters", r.Parameters).Add("target", r.Target).Add("summary", r.Summary).
		Add("allowedOrIgnored", len(quiet)).Add("leftOut", left))
	return run
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
func occurrences(fs []scanner.Finding) map[*scanner.Finding]int {
	byLine := make([]*scanner.Finding, len(fs))
	for i := range fs {
		byLine[i] = &fs[i]
	}
	slices.SortStableFunc(byLine, func(a, b *scanner.Finding) int { return a.StartLine - b.StartLine })
	type key struct{ path, id string }
	count, nth := make(map[key]int), make(map[*scanner.Finding]int)
	for _, f := range byLine {
		k := key{f.Path, f.ContentID()}
		count[k]++
		nth[f] = count[k]
	}
	return nth
}

// sarifRule is what a verdict is in SARIF.
type sarifRule struct {
	verdict  scanner.Verdict
	name     string // as viewers show it
	level    string // unless the policy says otherwise of a finding
	severity string // GitHub's problem.severity
	advice   string
}

// sarifRules lists a rule for each verdict. The last one takes verdicts of later
// releases. None has a security-severity: these are no vulnerabilities.
func sarifRules() []sarifRule {
	return []sarifRule{
		{scanner.Undeclared, "UndeclaredCopy", "warning", "warning", "Name origin and licence next to the code, replace it by a dependency, or remove it."},
		{scanner.LicenceStripped, "LicenceStripped", "error", "error", "Put the header of the origin back: its licence requires that it stays."},
		{scanner.AttributionWrong, "AttributionWrong", "warning", "warning", "Correct what the code says of its origin or licence."},
		{scanner.Attributed, "AttributedCopy", "note", "recommendation", "Check that the licence named is one you may use."},
		{scanner.CommonCode, "CommonCode", "note", "recommendation", "Usually nothing is to be done."},
		{otherVerdict, "OtherCopy", "warning", "warning", "Look at the finding's properties; a newer release tells more."},
	}
}

const otherVerdict = scanner.Verdict("other")

// ruleIndex finds the rule of a verdict.
func ruleIndex(v scanner.Verdict) int {
	rules := sarifRules()
	if i := slices.IndexFunc(rules, func(r sarifRule) bool { return r.verdict == v }); i >= 0 {
		return i
	}
	return len(rules) - 1
}

func (r sarifRule) id() string { return string(r.verdict) }

func (r sarifRule) descriptor() *sarif.ReportingDescriptor {
	meaning := upperFirst(verdictWords(r.verdict)) + "."
	if r.verdict == otherVerdict {
		meaning = "Code was copied, with a verdict this release does not know."
	}
	help := "The lines stand, token for token, in code known from elsewhere; the message names the place, its licence and what speaks for it. " +
		meaning + " " + r.advice + " A finding can be allowed with a reason, in the code or in .git-provenance.yml."
	return sarif.NewRule(r.id()).WithName(r.name).
		WithShortDescription(multiformat("Code that a known package has, too: "+verdictWords(r.verdict), "")).
		WithFullDescription(multiformat("The code also stands in a known package. "+meaning, "")).
		WithHelp(multiformat(help, help+"\n\nMore: ["+homepage+"]("+homepage+")")).
		WithHelpURI(homepage + "/blob/main/docs/REPORTS.md").
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(r.level)).
		WithProperties(sarif.NewPropertyBag().Add("precision", "very-high").Add("problem.severity", r.severity).
			WithTags([]string{"provenance", "license"}))
}

func multiformat(text, markdown string) *sarif.MultiformatMessageString {
	m := sarif.NewMultiformatMessageString().WithText(text)
	if markdown != "" {
		m.WithMarkdown(markdown)
	}
	return m
}

func sarifResult(f *scanner.Finding, nth int) *sarif.Result {
	i := ruleIndex(f.Verdict)
	message := sarif.NewMessage().WithText(sarifText(AnnotationMessage(f))).WithMarkdown(braces(sarifMarkdown(f)))
	id := clip(Escape(f.ContentID()), 64)
	res := sarif.NewRuleResult(sarifRules()[i].id()).WithRuleIndex(i).WithLevel(sarifLevel(f.Level)).WithMessage(message).
		WithRank(100 * min(1, max(0, f.Score))).
		WithPartialFingerprints(map[string]string{"gitProvenance/v1": id, "primaryLocationLineHash": fmt.Sprintf("%s:%d", id, nth)}).
		WithProperties(sarifProperties(f))
	return res.AddLocation(sarifLocation(f))
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

func sarifMarkdown(f *scanner.Finding) string {
	m := new(markdown)
	return "- " + strings.Join(m.points(f), "\n- ")
}

func sarifLevel(level string) string {
	return [...]string{"error", "warning", "note", "none"}[levelRank(level)]
}

// sarifProperties keeps the evidence for programs: the finding but for its
// source text, which would make the file larger than GitHub takes.
func sarifProperties(f *scanner.Finding) *sarif.PropertyBag {
	p := sarif.NewPropertyBag().
		Add("score", f.Score).Add("bits", f.Bits).Add("support", f.Support).Add("tokens", f.Tokens).Add("fileShare", f.FileShare).
		Add("cloneType", f.CloneType).Add("verdict", f.Verdict).Add("direction", f.Direction).
		Add("directionReason", f.DirectionReason).
		Add("renames", orEmpty(f.Renames)).Add("identifiers", f.Identifiers).Add("literals", f.Literals).
		Add("origins", orEmpty(f.Origins)).Add("originCount", f.OriginCount).Add("packageCount", f.PackageCount).Add("licenses", orEmpty(f.Licenses)).
		Add("attributions", orEmpty(f.Attributions)).Add("reasons", orEmpty(f.Reasons)).
		Add("startLine", f.StartLine).Add("endLine", f.EndLine)
	if f.PartOriginCount > 0 {
		p.Add("partOrigins", orEmpty(f.PartOrigins)).Add("partOriginCount", f.PartOriginCount).Add("unjudgedCount", f.UnjudgedCount)
	}
	if f.Rule != "" {
		p.Add("rule", f.Rule)
	}
	if f.Introduced != nil {
		p.Add("introduced", f.Introduced)
	}
	if f.Compatibility != nil {
		p.Add("compatibility", f.Compatibility)
	}
	if f.Here != nil {
		p.Add("here", f.Here)
	}
	return p
}

func sarifLocation(f *scanner.Finding) *sarif.Location {
	at := sarif.NewPhysicalLocation().WithArtifactLocation(sarifArtifact(f.Path)).WithRegion(sarifRegion(f))
	loc := sarif.NewLocationWithPhysicalLocation(at)
	if fn := f.Function; fn != nil && fn.Name != "" {
		loc.WithLogicalLocations([]*sarif.LogicalLocation{sarif.NewLogicalLocation().WithName(Escape(fn.Name)).WithKind("function")})
	}
	return loc
}

// sarifArtifact names a file. What is below the root of the repository is
// relative to it; what was named from outside stands for itself.
func sarifArtifact(path string) *sarif.ArtifactLocation {
	a := sarif.NewArtifactLocation()
	enc := percentEncode(scanner.UnescapeName(path), "/-._~")
	switch {
	case path == "":
		return a.WithURI("-")
	case path[0] == '/':
		return a.WithURI("file:///" + strings.TrimLeft(enc, "/"))
	case path == ".." || strings.HasPrefix(path, "../"):
		return a.WithURI(enc)
	}
	return a.WithURI(enc).WithURIBaseID(srcRoot)
}

// sarifRegion is the part of a finding to look at. Columns are known where the
// match begins and where it ends.
func sarifRegion(f *scanner.Finding) *sarif.Region {
	at := Focus(f)
	r := sarif.NewSimpleRegion(at.StartLine, at.EndLine)
	if f.Language != "" {
		r.WithSourceLanguage(Escape(f.Language))
	}
	if len(f.Runs) == 0 {
		return r
	}
	first, last := f.Runs[0], f.Runs[len(f.Runs)-1]
	start, end := 1, 0
	if first.StartLine == at.StartLine && first.StartColumn > 1 {
		start = first.StartColumn
		r.WithStartColumn(start)
	}
	if last.EndLine == at.EndLine {
		end = last.EndColumn
	}
	if end > 1 && (at.StartLine < at.EndLine || end > start) {
		r.WithEndColumn(end)
	}
	return r
}

func sarifInvocation(r *scanner.Report, left int) *sarif.Invocation {
	inv := sarif.NewInvocation().WithExecutionSuccessful(true)
	note := func(level, format string, args ...any) {
		inv.AddToolExecutionNotification(sarif.NewNotification().WithLevel(level).WithMessage(sarif.NewTextMessage(sarifText(fmt.Sprintf(format, args...)))))
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

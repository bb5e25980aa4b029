package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/policy"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/spf13/cobra"
)

// outputHelp describes --output of the commands that have a --format.
const outputHelp = "write to `FILE`, on success only, - for standard output; without --format its end, such as .html, decides the format"

// maxReport bounds a saved report. One finding has at most 130 KB of source on both sides together, so thousands fit.
const maxReport = 512 << 20

// formatted are the flags of commands that render a report.
type formatted struct {
	format  string
	output  string
	verbose bool
	entire  bool // no finding is shown in short, since each fails the run
}

func (f *formatted) flags(c *cobra.Command) {
	fs := c.Flags()
	names := report.FormatNames()
	fs.Var(value.OneOf(&f.format, "text", names...), "format", "output `FORMAT`: "+value.Alternatives(names))
	fs.StringVarP(&f.output, "output", "o", "", outputHelp)
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "text: show notes in full, list every rename, every origin and everything not examined")
	config.Mark(fs, config.NotInFile, "output")
	complete(c, "format", formatHelp())
}

// reportTo fails if the output of a report cannot be written: work that takes minutes comes first. If no format is given, the name of the
// output chooses it, such as report.html.
func reportTo(c *cobra.Command) error {
	output, format := c.Flags().Lookup("output"), c.Flags().Lookup("format")
	if output == nil || format == nil {
		return nil
	}
	file := output.Value.String()
	if err := console.Reachable(file); err != nil || format.Changed {
		return err
	}
	f, ok := report.ByFile(file)
	if strings.HasSuffix(strings.ToLower(file), ".csv") {
		f.Name, ok = "csv", true
	}
	if !ok {
		return nil
	}
	if err := format.Value.Set(f.Name); err != nil {
		return usage(c, "--output %q: this command has no format %s: --format %w", file, f.Name, err)
	}
	return nil
}

// formatHelp lists the formats with descriptions, for shell completion.
func formatHelp() []cobra.Completion {
	var out []cobra.Completion
	for _, f := range report.Formats() {
		out = append(out, cobra.CompletionWithDesc(f.Name, f.Summary))
	}
	return out
}

func complete(c *cobra.Command, flag string, words []cobra.Completion) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // no such flag, or registered twice
	}
}

// formatTable describes the formats in a help text.
func formatTable() string {
	var b strings.Builder
	for _, f := range report.Formats() {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.Summary)
	}
	return b.String()
}

func (p *program) reportCommand() *cobra.Command {
	f := new(formatted)
	c := &cobra.Command{
		Use:   "report REPORT",
		Short: "Render a saved report in another format",
		Long: `Render a report that "git-provenance scan --format json" wrote; - reads it from
standard input. Neither target nor baseline is needed. The formats:

` + formatTable() + `
The exit code is 0 for every report, with findings or without; 2 if it could not be rendered.`,
		Example: `  git-provenance scan --format json --output report.json
  git-provenance report report.json --format markdown --output report.md`,
		Args: oneArg("REPORT"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := p.settle(c, ""); err != nil {
				return err
			}
			rep, err := p.readReport(c.Context(), args[0])
			if err != nil {
				return err
			}
			return p.render(rep, f)
		},
	}
	c.Flags().SortFlags = false
	f.flags(c)
	return c
}

// readReport reads a saved report, which may come from anybody.
func (p *program) readReport(ctx context.Context, name string) (*finding.Report, error) {
	js, err := p.readArgument(ctx, "report", name)
	if err != nil {
		return nil, err
	}
	rep, err := jsonform.Read(bytes.NewReader(js))
	if err != nil {
		return nil, fmt.Errorf("read report %q: %w", name, err)
	}
	return rep, nil
}

// readArgument reads what a command calls a report or a result.
func (p *program) readArgument(ctx context.Context, what, name string) (js []byte, err error) {
	if name == "-" {
		return p.readInput(ctx, maxReport)
	}
	js, err = interruptible(ctx, func() (js []byte, err error) {
		f, err := os.Open(name) // waits for the other end of a pipe
		if err != nil {
			return nil, err
		}
		defer closeAll(&err, []*os.File{f})
		return console.ReadLimited(f, maxReport)
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if err != nil {
		return nil, fmt.Errorf("read %s %q: %w", what, name, err)
	}
	return js, nil
}

// render writes a report to its destination.
func (p *program) render(rep *finding.Report, f *formatted) error {
	format, ok := report.ByName(f.format)
	if !ok {
		return fmt.Errorf("render report: unknown format %q", f.format)
	}
	o := report.Options{Text: text.Options{Verbose: f.verbose}}
	if console.Standard(f.output) {
		o.Text = p.textOptions(f.verbose)
	}
	o.Text.All = f.entire
	var err error
	if o.Created, err = p.created(); err != nil {
		return err
	}
	return p.write(f.output, func(w io.Writer) error { return format.Render(w, rep, o) })
}

// textOptions returns the options for standard output.
func (p *program) textOptions(verbose bool) text.Options {
	o := text.Options{Verbose: verbose}
	if width, ok := console.Terminal(p.out); ok {
		o.Width, o.Color = width, p.colored()
	}
	return o
}

// created returns the date for documents, if the environment sets one: see
// reproducible-builds.org/specs/source-date-epoch.
func (p *program) created() (time.Time, error) {
	v := p.getenv("SOURCE_DATE_EPOCH")
	if v == "" {
		return time.Time{}, nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 || n > maxEpoch {
		return time.Time{}, fmt.Errorf("environment variable SOURCE_DATE_EPOCH: %q: must be seconds since 1970, up to the year 9999", v)
	}
	return time.Unix(n, 0).UTC(), nil
}

// maxEpoch is the last second of the year 9999.
const maxEpoch = 253402300799

// knownReports reads the earlier reports that --known names.
func (p *program) knownReports(ctx context.Context, names []string) (known []policy.Known, err error) {
	for _, name := range names {
		r, err := p.readReport(ctx, name)
		if err != nil {
			return nil, err
		}
		known = append(known, policy.Known{Name: filepath.Base(name), Report: r})
	}
	return known, nil
}

// decide sets the level of every finding, by the rules and allowances of the configuration and by earlier reports.
func (p *program) decide(rep *finding.Report, known []policy.Known) error {
	today, err := p.created()
	if err != nil {
		return err
	}
	if today.IsZero() {
		today = time.Now()
	}
	policy.New(p.file.Rules, p.file.Allows, config.Name, known, today).Apply(rep)
	return nil
}

// configPath returns the path of the configuration in the target, in the form of the target's paths.
func configPath(root string) string {
	if root == "" {
		return ""
	}
	return config.Name
}

// countFrom counts the findings at or above a level, except those that the policy ignores. An unknown level counts, so
// that no finding is missed.
func countFrom(fs []finding.Finding, level string) int {
	if level == config.Never {
		return 0
	}
	n, low := 0, slices.Index(policy.Levels, level)
	for _, f := range fs {
		if at := slices.Index(policy.Levels, f.Level); f.Level != policy.Ignore && (at < 0 || at >= low) {
			n++
		}
	}
	return n
}

func (p *program) explainCommand() *cobra.Command {
	f := new(scanFlags)
	var from string
	c := &cobra.Command{
		Use:   "explain FINDING",
		Short: "Show the evidence of one finding, both sides next to each other",
		Long: `Show all evidence of one finding, the sum behind its score, and the lines of both
sides next to each other. A bar marks the lines of matched runs.

FINDING is an id, the beginning of an id, or PATH:LINE. It is looked up in the report
of --report. Without a report, the target is scanned again: give the flags of the scan
that found it, such as --staged or --baseline. After "scan --date", "--date --offline"
shows the dates without asking registries again.`,
		Example: `  git-provenance explain zstd/snappy.go:125
  git-provenance scan --format json --output report.json
  git-provenance explain --report report.json 4c1f
  git-provenance explain --date --offline 4c1f`,
		Args: oneFinding,
		RunE: func(c *cobra.Command, args []string) error { return p.explain(c, args[0], from, f) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&from, "report", "", "look the finding up in the JSON report `FILE`; - reads standard input")
	f.targetFlags(fs)
	f.datingFlags(fs)
	f.howFlags(fs)
	config.Mark(fs, config.NotInFile, "report", "staged", "diff", "history", "all", "since", "no-cache")
	return c
}

// oneFinding refuses a report in front of the finding: "report" and "date" take it there, "explain" does not.
func oneFinding(c *cobra.Command, args []string) error {
	if len(args) == 2 && strings.HasSuffix(args[0], ".json") {
		return usage(c, "unexpected argument %q: name the report with --report %q", args[1], args[0])
	}
	return oneArg("FINDING")(c, args)
}

func (p *program) explain(c *cobra.Command, name, from string, f *scanFlags) error {
	if from != "" && (f.dated || f.clone || f.mirror != "" || len(f.repos) > 0) {
		return usage(c, "--report shows the dates of the report: \"git-provenance date %s --output FILE.json\" adds them", from)
	}
	rep, err := p.reportFor(c, name, from, f)
	if err != nil {
		return err
	}
	found, err := lookUp(rep, name)
	if err != nil {
		return explainError(err, from)
	}
	return text.Explain(p.out, rep, found, p.textOptions(false))
}

// explainError marks a FindingError of a new scan, which may find less than the scan whose report the user saw.
func explainError(err error, from string) error {
	if e, ok := errors.AsType[*FindingError](err); ok && from == "" {
		e.Scanned = true
	}
	return err
}

// reportFor reads a report, or makes one.
func (p *program) reportFor(c *cobra.Command, name, from string, f *scanFlags) (*finding.Report, error) {
	if from != "" {
		return p.readReport(c.Context(), from)
	}
	var args []string
	if path, _, ok := place(name); ok && len(f.asked(nil)) == 0 {
		args = []string{path}
	}
	f.NoSource = false // the command shows the source
	rep, _, err := p.scanTarget(c, args, f)
	return rep, err
}

// place splits PATH:LINE.
func place(name string) (path string, line int, ok bool) {
	i := strings.LastIndexByte(name, ':')
	if i <= 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(name[i+1:])
	return name[:i], line, err == nil && line > 0
}

// FindingError says that a name matches no finding, or several.
type FindingError struct {
	Name    string
	IDs     []string // of the findings that match
	Scanned bool     // for it, and not read from a report
}

// Remedy says why a scan may lack a finding that another has.
func (e *FindingError) Remedy() string {
	if !e.Scanned || len(e.IDs) > 0 {
		return ""
	}
	return "explain scans again: give it the flags of the scan that had the finding, such as --baseline, --base or --max-file-size; or that scan's JSON report with --report FILE"
}

func (e *FindingError) Error() string {
	if len(e.IDs) == 0 {
		return fmt.Sprintf("no finding %q in the report", e.Name)
	}
	return fmt.Sprintf("finding %q is not the only one: %s", e.Name, strings.Join(e.IDs, ", "))
}

// lookUp finds a finding by the beginning of its id, or by a line that it contains. If several contain the line, it
// takes the shortest.
func lookUp(r *finding.Report, name string) (*finding.Finding, error) {
	var hits []*finding.Finding
	path, line, isPlace := place(name)
	path = "/" + strings.TrimLeft(filepath.ToSlash(filepath.Clean(path)), "./") // the working directory may be below the root
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.ID == name {
			return f, nil
		}
		held := isPlace && (strings.HasSuffix("/"+f.Path, path) || strings.HasSuffix("/"+finding.UnescapeName(f.Path), path)) && f.StartLine <= line && line <= f.EndLine
		if held || name != "" && strings.HasPrefix(f.ID, name) {
			hits = append(hits, f)
		}
	}
	if isPlace && len(hits) > 0 {
		return slices.MinFunc(hits, func(a, b *finding.Finding) int { return (a.EndLine - a.StartLine) - (b.EndLine - b.StartLine) }), nil
	}
	var ids []string
	for _, h := range hits {
		ids = append(ids, h.ContentID())
	}
	slices.Sort(ids)
	ids = slices.Compact(ids) // findings with the same content have the same explanation
	if len(ids) == 1 {
		return hits[0], nil
	}
	return nil, &FindingError{Name: name, IDs: ids}
}

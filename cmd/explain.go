package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/spf13/cobra"
)

func (p *program) explainCommand() *cobra.Command {
	f := new(scanFlags)
	var from string
	c := &cobra.Command{
		Use:   "explain FINDING",
		Short: "Show the evidence of one finding, both sides next to each other",
		Long: `Show everything known of one finding: its evidence, why it has its score, and the
lines of both sides next to each other. A bar marks the lines of matched runs.

FINDING is an id, the beginning of one, or PATH:LINE. It is looked up in the
report of --report; without one the work tree is scanned, or what --staged,
--diff or --history ask for, with the flags of scan.`,
		Example: `  git-provenance explain zstd/snappy.go:123
  git-provenance scan --format json --output report.json
  git-provenance explain --report report.json 4c1f`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.explain(c, args[0], from, f) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&from, "report", "", "look it up in the JSON report `FILE`; - reads standard input")
	f.targetFlags(fs)
	f.howFlags(fs)
	config.Mark(fs, config.NotInFile, "report", "staged", "diff", "history", "all", "since", "no-cache")
	return c
}

func (p *program) explain(c *cobra.Command, name, from string, f *scanFlags) error {
	rep, err := p.reportFor(c, name, from, f)
	if err != nil {
		return err
	}
	found, err := lookUp(rep, name)
	if err != nil {
		return err
	}
	return text.Explain(p.out, rep, found, p.textOptions(false))
}

// reportFor reads the report, or makes it.
func (p *program) reportFor(c *cobra.Command, name, from string, f *scanFlags) (*finding.Report, error) {
	if from != "" {
		return p.readReport(c.Context(), from)
	}
	var args []string
	if path, _, ok := place(name); ok && len(f.asked(nil)) == 0 {
		args = []string{path}
	}
	f.NoSource = false // it is what is to be shown
	rep, _, err := p.scanTarget(c, args, f)
	return rep, err
}

// place takes PATH:LINE apart.
func place(name string) (path string, line int, ok bool) {
	i := strings.LastIndexByte(name, ':')
	if i <= 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(name[i+1:])
	return name[:i], line, err == nil && line > 0
}

// FindingError says that a name stands for no finding, or for several.
type FindingError struct {
	Name string
	IDs  []string // that it could stand for
}

func (e *FindingError) Error() string {
	if len(e.IDs) == 0 {
		return fmt.Sprintf("no finding %q in the report", e.Name)
	}
	return fmt.Sprintf("finding %q is not the only one: %s", e.Name, strings.Join(e.IDs, ", "))
}

// lookUp finds a finding by the beginning of its id or a line it holds; of
// several that hold the line, the shortest.
func lookUp(r *finding.Report, name string) (*finding.Finding, error) {
	var hits []*finding.Finding
	path, line, isPlace := place(name)
	path = "/" + strings.TrimLeft(filepath.ToSlash(filepath.Clean(path)), "./") // the working directory may lie below the root
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
	ids = slices.Compact(ids) // the same code at two places explains itself alike
	if len(ids) == 1 {
		return hits[0], nil
	}
	return nil, &FindingError{name, ids}
}

package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/git-provenance/git-provenance/action"
	"github.com/git-provenance/git-provenance/cmd/internal/assistant"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/target"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/spf13/cobra"
)

// actionCommand is the command that action.yml runs. It is hidden since it has no use elsewhere; docs/ACTION.md
// describes it.
func (p *program) actionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:    "action",
		Short:  "Scan and report within a GitHub workflow",
		Hidden: true,
		Long: `Scan what the event of a GitHub workflow changes, or every file if the event names no
change. Report the findings as check run, comment, step summary and annotations. The
inputs are the variables INPUT_… and GITHUB_… that action.yml sets; docs/ACTION.md tells
what they mean.

Exit code: 0 nothing at or above the threshold, 1 findings, 2 could not complete.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			failing, err := action.Run(c.Context(), p.actionHost())
			if failing {
				p.found = 1
			}
			return err
		},
	}
	c.AddCommand(&cobra.Command{
		Use:   "plan",
		Short: "Print what the cache of the workflow should keep",
		Long: `Write the outputs cache, path, key and restore-keys: the directory of the baseline, and
the key of the cache. The key changes if a source or the format of the baseline changes.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return action.WritePlan(p.actionHost()) },
	})
	return c
}

func (p *program) actionHost() action.Host {
	return action.Host{Env: action.Env(p.env), Log: p.out, Git: onPath("git"),
		Run: func(ctx context.Context, env action.Env, args []string, stdout, stderr io.Writer) int {
			return Main(ctx, args, Env(env), Streams{In: p.in, Out: stdout, Err: stderr})
		}}
}

// mcpCommand is the command that coding assistants start.
func (p *program) mcpCommand() *cobra.Command {
	f := new(scanFlags)
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Let coding assistants check code, over the Model Context Protocol",
		Long: `Serve a coding assistant on standard input and output, until it closes the input or reads
no more. The assistant gets three tools:

  check_snippet    find copied code in a piece of code
  check_files      find copied code in files of the work tree
  explain_finding  show the evidence of a finding, both sides next to each other

The tools read the repository of the working directory, and change nothing. Flags and
configuration are those of scan; the configuration is read once, at the start.`,
		Example: `  git-provenance mcp
  git-provenance mcp --baseline /srv/baselines/oss`,
		Args: noArgs,
		RunE: p.settled(func(c *cobra.Command, _ []string) error { return p.serveAssistant(c.Context(), f) }),
	}
	c.Flags().SortFlags = false
	f.howFlags(c.Flags())
	return c
}

// serveAssistant serves until the client closes the input, or does not read any more.
func (p *program) serveAssistant(ctx context.Context, f *scanFlags) error {
	ctx, stop := console.WhileRead(ctx, p.out)
	defer stop()
	return assistant.Serve(ctx, p.in, p.out, version(), assistant.Scans{
		Snippet: func(ctx context.Context, s assistant.Snippet) (*finding.Report, error) {
			return p.checkedSnippet(ctx, *f, s)
		},
		Files: func(ctx context.Context, paths []string) (*finding.Report, error) {
			return p.checked(ctx, *f, &target.Target{Kind: "tree", Args: paths})
		},
		Find: lookUp,
	})
}

// checkedSnippet scans what an assistant sends.
func (p *program) checkedSnippet(ctx context.Context, f scanFlags, s assistant.Snippet) (*finding.Report, error) {
	switch {
	case int64(len(s.Code)) > f.MaxFileSize:
		return nil, fmt.Errorf("check snippet: larger than %d bytes", f.MaxFileSize)
	case s.Language != "":
		f.language = s.Language
	case s.File != "":
		f.language = lang.Detect(s.File, []byte(s.Code)).Language.Name
	default:
		return nil, errors.New("check snippet: the language is missing: give language, or the name of a file")
	}
	if lang.ByName(f.language) == nil {
		return nil, fmt.Errorf("check snippet: unknown language %q (known: %s)", f.language, languageNames())
	}
	read := func(context.Context) ([]byte, error) { return []byte(s.Code), nil }
	return p.checked(ctx, f, &target.Target{Kind: "snippet", Source: read})
}

// checked scans a target in the current state of the repository around the working directory.
func (p *program) checked(ctx context.Context, f scanFlags, t *target.Target) (rep *finding.Report, err error) {
	if t.Repo, err = p.openRepo(ctx, "."); err != nil {
		return nil, err
	}
	t.Root = target.RootOf(t.Repo)
	if t.Repo != nil {
		defer closeAll(&err, []io.Closer{t.Repo})
	}
	if t.Kind == "tree" {
		if err := t.Locate(); err != nil {
			return nil, err
		}
	}
	if rep, err = p.reportOf(ctx, &f, t); err != nil {
		return nil, err
	}
	return rep, errors.Join(t.Unreadable(rep), lacking(rep))
}

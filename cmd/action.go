package cmd

import (
	"context"
	"io"

	"github.com/git-provenance/git-provenance/action"
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

// Package cmd is the command line, the top floor. It passes arguments, environment and configuration to the floors
// below as options. It writes reports and advice and returns an exit code. The floors below read no flags, environment
// or configuration, and know no exit codes.
//
// Start with main.go and with the file of the command. Each builds its cobra command from flags, and runs it with a method of program:
//
//	main.go      Main: arguments → exit code; the commands help, version and man
//	program.go   program: streams, environment, messages and hints; mistakes in a command line
//	scan.go      scan: flags → a target and options → a report
//	zero.go      the baselines of a scan; without any, one of the target's dependencies
//	report.go    report and explain; every command that renders a report
//	date.go      date, and --date of other commands
//	hook.go      hook
//	serve.go     mcp, and the command of the Action
//	store.go     keys and baselines: where they are, how they are opened
//	baseline.go  baseline with info, list, verify, compact, refresh, remove, drift
//	add.go       baseline add; make.go: baseline make; transfer.go: baseline export and import
//	similar.go   similar and compare; cluster.go: cluster
package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/shared"
	_ "github.com/git-provenance/git-provenance/baseline/shared/postgres" // baselines at postgres://
	_ "github.com/git-provenance/git-provenance/baseline/shared/s3"       // baselines at s3://
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/manual"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes.
const (
	exitClean    = 0 // nothing at or above the threshold
	exitFindings = 1
	exitFailed   = 2 // could not complete
)

// Main runs the program with the arguments after its name, and returns its exit
// code.
func Main(ctx context.Context, args []string, env Env, std Streams) int {
	p := &program{env: env, in: std.In, out: std.Out, err: std.Err}
	if err := console.EnoughFiles(); err != nil {
		p.complain(ctx, err)
		return exitFailed
	}
	root := p.rootCommand()
	root.SetArgs(append([]string{}, args...)) // nil would mean the arguments of the process
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	err := errors.Join(root.ExecuteContext(p.withCache(ctx)), p.unknown)
	p.complain(ctx, err)
	return exitCode(p.found, err)
}

// withCache sets the directory for parts of shared baselines.
func (p *program) withCache(ctx context.Context) context.Context {
	dir, err := p.userDir("XDG_CACHE_HOME", ".cache")
	if err != nil { // without a home, in the default directory of package shared
		return ctx
	}
	return shared.WithCache(ctx, shared.Cache{Dir: filepath.Join(dir, "shared")})
}

// exitCode maps the outcome of a run to the exit code.
func exitCode(found int, err error) int {
	switch {
	case err != nil:
		return exitFailed
	case found > 0:
		return exitFindings
	}
	return exitClean
}

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "git-provenance",
		Short: "Find code that matches known packages",
		Long: `git-provenance finds the regions of your code that match known packages. For each
region it shows the lines of both sides, the source, the licence, and which side had
the code first, as far as dates tell. Nothing is sent from this machine; packages
and dates that you ask for are downloaded.

A baseline is an index of known packages. Without one, "git-provenance scan" compares
a repository with its own dependencies. "git-provenance explain FINDING" shows both
sides of a finding next to each other.

A flag such as --min-tokens takes its value from the command line, else from the
environment (GIT_PROVENANCE_MIN_TOKENS; commas or line breaks between several
values), else from .git-provenance.yml at the root of the repository
(min-tokens: 80; lists as YAML lists, paths relative to the file).`,
		Example: `  git-provenance scan
  git-provenance scan --diff main...HEAD
  git-provenance baseline add zlib-1.3.1.tar.gz --purl pkg:generic/zlib@1.3.1`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("git-provenance {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(p.scanCommand(), p.compareCommand(), p.similarCommand(), p.clusterCommand(), p.explainCommand(), p.reportCommand(), p.dateCommand(), p.baselineCommand(), p.versionCommand(), p.manCommand(), p.hookCommand(), p.actionCommand(), p.mcpCommand())
	group(root)
	p.helpOn(root)
	return root
}

// flagError is the error for a flag that does not exist or does not take its value.
func flagError(c *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok && e.GetFlag().Value.Type() == "bool" { // pflag names a function of Go
		return usage(c, "invalid argument %q for \"--%s\" flag: must be true or false", e.GetValue(), e.GetFlag().Name)
	}
	wrong := usage(c, "%w", err)
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, f.Name)
			}
		})
		if near := value.Nearest(e.GetSpecifiedName(), known); near != "" {
			wrong.near = "--" + near
		}
	}
	return wrong
}

// helpOn makes help fail for unknown commands.
func (p *program) helpOn(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if rest := c.Flags().Args(); c.HasSubCommands() && len(rest) > 0 {
			p.unknown = unknownCommand(c, rest[0])
			return
		}
		help(c, args)
	})
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err == nil && c.HasSubCommands() && len(rest) > 0 {
				return unknownCommand(c, rest[0])
			}
			if err != nil {
				return err
			}
			return c.Help()
		},
	})
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.out, "git-provenance "+version())
			return err
		},
	}
}

// manCommand writes the manual pages, for packagers. "git provenance --help" shows git-provenance.1.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory",
		Hidden: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(c, "one DIR is needed")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("write manual: %w", err)
			}
			return manual.Write(args[0], c.Root())
		},
	}
}

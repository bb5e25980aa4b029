// Package cmd is the command line, the top floor. It passes arguments, environment and configuration to the floors
// below as options. It writes reports and advice and returns an exit code. The floors below read no flags, environment
// or configuration, and know no exit codes.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/shared"
	_ "github.com/git-provenance/git-provenance/baseline/shared/postgres" // baselines at postgres://
	_ "github.com/git-provenance/git-provenance/baseline/shared/s3"       // baselines at s3://
	"github.com/git-provenance/git-provenance/cmd/internal/advice"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/manual"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/spf13/cobra"
)

// Env looks up an environment variable, as os.LookupEnv does.
type Env func(name string) (string, bool)

// The exit codes.
const (
	exitClean    = 0 // nothing at or above the threshold
	exitFindings = 1
	exitFailed   = 2 // could not complete
)

// Streams are the standard streams of the program. Reports go to Out, everything else that is written to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

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

// program is one run.
type program struct {
	env   Env
	in    io.Reader
	out   io.Writer
	err   io.Writer
	found int          // findings at or above the threshold
	file  *config.File // the configuration, once settled
	// unknown is the error of a command line that asks for help with an unknown command; cobra's help cannot fail.
	unknown error
}

// getenv returns a variable, "" if it is not set.
func (p *program) getenv(name string) string {
	v, _ := p.env(name)
	return v
}

// say writes a progress line to stderr.
func (p *program) say(format string, args ...any) {
	fmt.Fprintln(p.err, "git-provenance: "+escape.Line(fmt.Sprintf(format, args...)))
}

// complain writes an error, each of several on its own line, and then advice.
func (p *program) complain(ctx context.Context, err error) {
	if err == nil {
		return
	}
	if _, changed := errors.AsType[*baseline.CompactError](err); ctx.Err() != nil && !changed {
		p.say("interrupted; nothing was written")
		return
	}
	for _, e := range unjoin(err) {
		p.say("%v", e)
	}
	for _, hint := range advice.For(err) {
		fmt.Fprintln(p.err, "hint: "+escape.Line(hint))
	}
}

func unjoin(err error) []error {
	j, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var out []error
	for _, e := range j.Unwrap() {
		out = append(out, unjoin(e)...)
	}
	return out
}

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "git-provenance",
		Short: "Find out which code was copied from elsewhere",
		Long: `git-provenance finds the regions of your code that match known external code. For
each region it shows the lines of both sides, the source, the licence, and which side had
the code first, as far as dates tell. Nothing is sent from this machine; packages
and dates that you ask for are downloaded.

Without a baseline, "git-provenance scan" compares a repository with its own
dependencies.

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
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage(c, "%w", err) })
	root.AddCommand(p.scanCommand(), p.compareCommand(), p.similarCommand(), p.clusterCommand(), p.explainCommand(), p.reportCommand(), p.dateCommand(), p.baselineCommand(), p.versionCommand(), p.manCommand(), p.hookCommand(), p.actionCommand(), p.mcpCommand())
	group(root)
	p.helpOn(root)
	return root
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

// group makes a command with subcommands fail if it runs by itself: a script that lost its arguments must not count as
// a clean scan.
func group(c *cobra.Command) {
	c.Args = cobra.ArbitraryArgs
	c.SuggestionsMinimumDistance = 2 // like cobra's own
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage(c, "no command given")
		}
		return unknownCommand(c, args[0])
	}
}

func unknownCommand(c *cobra.Command, name string) error {
	err := usage(c, "unknown command %q", name)
	if near := c.SuggestionsFor(name); len(near) > 0 {
		err.near = near[0]
	}
	return err
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

// usageError is a mistake in a command line.
type usageError struct {
	command string // the command's path, for advice
	near    string // a similar command that exists
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// Remedy names a similar command, or the help.
func (e *usageError) Remedy() string {
	if e.near != "" {
		return fmt.Sprintf("did you mean \"%s %s\"?", e.command, e.near)
	}
	return fmt.Sprintf("\"%s --help\" tells how it is used", e.command)
}

func usage(c *cobra.Command, format string, args ...any) *usageError {
	return &usageError{command: c.CommandPath(), err: fmt.Errorf(format, args...)}
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(c, "unexpected argument %q", args[0])
	}
	return nil
}

func oneArg(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return usage(c, "no %s given", what)
		case 1:
			return nil
		}
		return usage(c, "unexpected argument %q", args[1])
	}
}

func someArgs(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage(c, "no %s given", what)
		}
		return nil
	}
}

// colored reports whether a terminal gets colours: see no-color.org.
func (p *program) colored() bool {
	return p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"
}

// writes returns a function that writes b.
func writes(b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}
}

// settle sets the flags of a command: see package config.
func (p *program) settle(c *cobra.Command, root string) error {
	file, err := config.Settle(c, root, p.getenv)
	p.file = file
	var errs []error
	for _, err := range unjoin(err) {
		if v, ok := errors.AsType[*config.VariableError](err); ok {
			err = usage(c, "%w", v)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// closeAll closes everything and joins the errors, the current one first.
func closeAll[C io.Closer](err *error, cs []C) {
	for _, c := range cs {
		*err = errors.Join(*err, c.Close())
	}
}

// version returns the module version of the build. For a build in a work tree it names the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// sayWithoutGrammars warns of a build that cannot parse.
func (p *program) sayWithoutGrammars() {
	if !lang.HasGrammars {
		p.say("this build has no grammars, for want of cgo: all code is read as words, and renamed copies are not found")
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

package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/installed"
	"github.com/git-provenance/git-provenance/cmd/internal/advice"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/places"
	"github.com/git-provenance/git-provenance/cmd/internal/repos"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/report/escape"

	"github.com/spf13/cobra"
)

// Env looks up an environment variable, as os.LookupEnv does.
type Env func(name string) (string, bool)

// Streams are the standard streams of the program. Reports go to Out, everything else that is written to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
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
		if !unread(e) {
			p.say("%s", advice.Message(e))
		}
	}
	for _, hint := range advice.For(err) {
		fmt.Fprintln(p.err, "hint: "+escape.Line(hint))
	}
}

// unread reports whether an error says that nobody reads the output any more, for example because head has enough lines. Such an
// error needs no message.
func unread(err error) bool {
	p, ok := errors.AsType[*fs.PathError](err)
	return ok && p.Path == os.Stdout.Name() && errors.Is(p.Err, syscall.EPIPE)
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

// usageError is a mistake in a command line.
type usageError struct {
	command string // the command's path, for advice
	near    string // a similar command or flag that exists
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }

func (e *usageError) Unwrap() error { return e.err }

// Remedy names a similar command or flag, or the help.
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
		switch {
		case len(args) == 0 || args[0] == "": // "" if a script lost its variable
			return usage(c, "no %s given", what)
		case len(args) == 1:
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
	return errors.Join(append(errs, reportTo(c))...)
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

// openRepo opens the repository that contains start, nil if there is none. Like git, it prefers the repository named in
// the environment.
func (p *program) openRepo(ctx context.Context, start string) (*git.Repo, error) {
	o, err := p.gitOptions()
	if err != nil {
		return nil, err
	}
	if o.GitDir != "" {
		start = "."
	}
	repo, err := git.Open(ctx, start, o)
	if _, none := errors.AsType[*git.NotRepositoryError](err); none && o.GitDir == "" {
		return nil, nil
	}
	return repo, err
}

// gitOptions reads the variables that git sets for its hooks. Their paths are relative to the working directory.
func (p *program) gitOptions() (git.Options, error) {
	o := git.Options{Home: p.home(), ConfigHome: p.getenv("XDG_CONFIG_HOME"), Git: onPath("git")}
	o.Alternates = filepath.SplitList(p.getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"))
	for _, v := range []struct {
		name string
		to   *string
	}{{"GIT_DIR", &o.GitDir}, {"GIT_WORK_TREE", &o.WorkTree}, {"GIT_OBJECT_DIRECTORY", &o.ObjectDir}, {"GIT_INDEX_FILE", &o.IndexFile}} {
		name := p.getenv(v.name)
		if name == "" {
			continue
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			return o, fmt.Errorf("read environment variable %s: %w", v.name, err)
		}
		*v.to = abs
	}
	return o, nil
}

// onPath finds a program on the PATH, "" if there is none. Relative directories of the PATH are ignored, since the
// working directory may be a stranger's.
func onPath(name string) string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path
		}
	}
	return ""
}

func (p *program) home() string { return cmp.Or(p.getenv("HOME"), p.getenv("USERPROFILE")) }

// noHomeError says that the environment names no place for the user's files.
type noHomeError struct{ variable string }

func (e *noHomeError) Error() string {
	return fmt.Sprintf("neither %s nor HOME is set", e.variable)
}

// Remedy names the flag that works without a home.
func (e *noHomeError) Remedy() string { return "name the baseline with --baseline PATH" }

// userDir returns a directory of the XDG specification, by which relative values of variables are ignored.
func (p *program) userDir(variable, below string) (string, error) {
	if dir := p.getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "git-provenance"), nil
	}
	home := p.home()
	if home == "" {
		return "", &noHomeError{variable}
	}
	return filepath.Join(home, below, "git-provenance"), nil
}

// defaultBaseline returns the path of the baseline used when none is named.
func (p *program) defaultBaseline() (string, error) {
	dir, err := p.userDir("XDG_DATA_HOME", filepath.Join(".local", "share"))
	return filepath.Join(dir, "baseline"), err
}

// exists reports whether an argument names something in the file system.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// sourceOptions tells the sources where the tools of ecosystems keep and fetch packages.
func (p *program) sourceOptions(ctx context.Context) (source.Options, error) {
	env, err := p.goEnv(ctx)
	if err != nil {
		return source.Options{}, err
	}
	return p.optionsFor(ctx, env), nil
}

// optionsFor returns the options for settings of the Go command.
func (p *program) optionsFor(ctx context.Context, env map[string]string) source.Options {
	o := source.Options{
		ModCache:  env["GOMODCACHE"],
		GoRoot:    env["GOROOT"],
		GoProxy:   env["GOPROXY"],
		GoPrivate: env["GONOPROXY"], // defaults to GOPRIVATE
	}
	e := places.Env{Getenv: p.getenv, Home: p.home(), Look: onPath, Apt: "/etc/apt"}
	registries := e.Registries()
	o.Registries, o.Credentials = &registries, e.Credentials()
	o.NPMRegistry, o.NPMScopes = e.NPM()
	o.Places = func(typ string) installed.Places { return e.Of(ctx, typ) }
	o.Committed = func(dir, commit string) time.Time { return repos.Committed(ctx, dir, commit) }
	o.Sums = source.NewSums(ctx, env["GOSUMDB"], env["GONOSUMDB"], o)
	return o
}

// goEnv returns the settings of the Go command, including those from its own files and defaults. Without a Go command
// it returns the environment's.
func (p *program) goEnv(ctx context.Context) (map[string]string, error) {
	names := []string{"GOMODCACHE", "GOROOT", "GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB"}
	env := make(map[string]string)
	for _, n := range names {
		env[n] = p.getenv(n)
	}
	tool := onPath("go")
	if tool == "" {
		return env, nil
	}
	c := exec.CommandContext(ctx, tool, append([]string{"env", "-json"}, names...)...)
	// a go.mod here must not make it fetch and run another toolchain
	c.Env = append(c.Environ(), "GOTOOLCHAIN=local", "GO111MODULE=off", "GOWORK=off")
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("run %q: %w", c.String(), err)
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("run %q: %w", c.String(), err)
	}
	return env, nil
}

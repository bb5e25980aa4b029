package cmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (p *program) hookCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "hook",
		Short: "Scan the staged changes before each commit",
	}
	group(c)
	c.AddCommand(p.hookInstallCommand(), p.hookRunCommand())
	return c
}

func (p *program) hookInstallCommand() *cobra.Command {
	var uninstall bool
	c := &cobra.Command{
		Use:   "install",
		Short: "Install git's pre-commit hook",
		Long: `Install a pre-commit hook that runs "git-provenance hook run", where git looks for
it: core.hooksPath is obeyed, and a linked work tree shares the hooks of its
repository. A hook that is there already is kept and runs first. Installing again
changes nothing; --uninstall puts the earlier hook back.

The hook takes its flags, such as baseline, from .git-provenance.yml at the root of the
repository.`,
		Example: `  git-provenance hook install
  git-provenance hook install --uninstall`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			h, err := p.findHook(c.Context())
			if err != nil {
				return err
			}
			if uninstall {
				return p.uninstallHook(h)
			}
			return p.installHook(h)
		},
	}
	c.Flags().BoolVar(&uninstall, "uninstall", false, "remove the hook and put back the earlier one")
	config.Mark(c.Flags(), config.NotInFile, "uninstall")
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
			if f := p.hookRunCommand().Flags().Lookup(e.GetSpecifiedName()); f != nil && !f.Hidden && !config.Marked(f, config.NotInFile) {
				return &hookFlagError{usage(c, "%w", err), f.Name}
			}
		}
		return usage(c, "%w", err)
	})
	return c
}

// hookFlagError says that "hook install" got a flag that belongs to the hook's scan.
type hookFlagError struct {
	error
	name string
}

func (e *hookFlagError) Unwrap() error { return e.error }

// Remedy says where the hook's scan takes its flags from.
func (e *hookFlagError) Remedy() string {
	return fmt.Sprintf("the hook takes its flags from .git-provenance.yml at the root of the repository, such as \"%s: VALUE\", or from the environment", e.name)
}

// hookMark is a line of each hook that this program writes.
const hookMark = `# Written by "git-provenance hook install"; "git-provenance hook install --uninstall" takes it away.`

// keptSuffix ends the name of the hook that existed before.
const keptSuffix = ".before-git-provenance"

// hookFile is git's pre-commit hook.
type hookFile struct {
	path string
	ours bool
	text []byte // nil if there is none
	kept bool   // another hook was renamed with keptSuffix
}

func (h *hookFile) keptPath() string { return h.path + keptSuffix }

// findHook asks git for the path of the hook: it depends on several levels of configuration and on linked work trees.
func (p *program) findHook(ctx context.Context) (*hookFile, error) {
	repo, err := p.openRepo(ctx, ".")
	if err != nil {
		return nil, err
	}
	if repo == nil {
		return nil, &noHooksError{"not inside a git repository"}
	}
	bare := repo.Root() == ""
	if err := repo.Close(); err != nil {
		return nil, err
	}
	if bare {
		return nil, &noHooksError{"the repository is bare: nobody commits in it"}
	}
	top, err := gitOutput(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	dir, err := gitOutput(ctx, "-C", top, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(top, dir)
	}
	h := &hookFile{path: filepath.Join(dir, "pre-commit")}
	if h.text, err = os.ReadFile(h.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read hook: %w", err)
	}
	h.ours = bytes.Contains(h.text, []byte(hookMark))
	h.kept = exists(h.keptPath())
	return h, nil
}

// noHooksError says that the hook was to be installed where it would never run.
type noHooksError struct{ why string }

func (e *noHooksError) Error() string { return "install hook: " + e.why }

// Remedy says where a hook can be installed.
func (*noHooksError) Remedy() string {
	return "change to a directory of the repository whose commits are to be scanned"
}

func gitOutput(ctx context.Context, args ...string) (string, error) {
	tool := onPath("git")
	if tool == "" {
		return "", errors.New("run git: no git on the PATH")
	}
	out, err := exec.CommandContext(ctx, tool, args...).Output()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("run git %s: %s", strings.Join(args, " "), strings.TrimSpace(string(e.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("run git: %w", err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r"), nil
}

// hookTakenError says that the name for renaming the other hook is taken.
type hookTakenError struct{ path, kept string }

func (e *hookTakenError) Error() string {
	return fmt.Sprintf("install hook: %q is not ours, and %q keeps an earlier one already", e.path, e.kept)
}

func (p *program) installHook(h *hookFile) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("install hook: %w", err)
	}
	script := []byte(hookScript(program))
	switch {
	case h.ours && bytes.Equal(h.text, script):
		p.say("already installed: %s", h.path)
		return nil
	case h.text != nil && !h.ours && h.kept:
		return &hookTakenError{h.path, h.keptPath()}
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o777); err != nil {
		return fmt.Errorf("install hook: %w", err)
	}
	if h.text != nil && !h.ours {
		if err := os.Rename(h.path, h.keptPath()); err != nil {
			return fmt.Errorf("install hook: %w", err)
		}
		p.say("the hook that was there runs first; it is kept as %s", h.keptPath())
	}
	if err := console.ReplaceFile(h.path, 0o777, writes(script)); err != nil {
		return err
	}
	p.say("installed %s", h.path)
	return nil
}

func (p *program) uninstallHook(h *hookFile) error {
	if !h.ours {
		p.say("not installed: %s", h.path)
		return nil
	}
	if h.kept { // replaces ours in one step
		if err := os.Rename(h.keptPath(), h.path); err != nil {
			return fmt.Errorf("uninstall hook: %w", err)
		}
		p.say("put back the hook that was there before: %s", h.path)
		return nil
	}
	if err := os.Remove(h.path); err != nil {
		return fmt.Errorf("uninstall hook: %w", err)
	}
	p.say("removed %s", h.path)
	return nil
}

// hookScript returns a script that runs the earlier hook, and then the program that wrote the script. If that program
// is gone, it runs the one on the PATH.
func hookScript(program string) string {
	quoted := "'" + strings.ReplaceAll(filepath.ToSlash(program), "'", `'\''`) + "'"
	return `#!/bin/sh
` + hookMark + `
before="$0` + keptSuffix + `"
if [ -x "$before" ]; then
	"$before" "$@" || exit
fi
program=` + quoted + `
[ -x "$program" ] || program=git-provenance
exec "$program" hook run
`
}

// givenInHook are the flags of scan that the hook sets itself: what is scanned and how it is shown.
var givenInHook = []string{"staged", "diff", "history", "lang", "format", "output", "verbose"}

func (p *program) hookRunCommand() *cobra.Command {
	c := p.scanCommand()
	scan := c.RunE
	c.Use = "run"
	c.Short = "Refuse a commit that adds copied code"
	c.Long = `Scan the staged changes, and stop the commit if they contain copied code. The hook that
"git-provenance hook install" writes runs this command. It reads the staged files, not
those on disk. It shows a few lines for each finding that stops the commit.

Flags can also be set in .git-provenance.yml and in the environment. If there is neither
a baseline nor a dependency on this machine to compare with, the hook says so and lets
the commit pass.

Exit code: 0 no finding of the level of --fail-on or above, or nothing to compare with,
1 such findings, 2 could not complete.`
	c.Example = `  git-provenance hook run --fail-on error`
	c.Args = noArgs
	for _, name := range append([]string{"all", "since", "no-cache"}, givenInHook...) { // the first three go with --history
		c.Flags().Lookup(name).Hidden = true
	}
	c.RunE = func(c *cobra.Command, args []string) error { return p.hookRun(c, args, scan) }
	return c
}

// hookRun makes the scan write its report to a file, and shows the part that matters at a commit.
func (p *program) hookRun(c *cobra.Command, args []string, scan func(*cobra.Command, []string) error) (err error) {
	for _, name := range givenInHook {
		if c.Flags().Changed(name) {
			return usage(c, "--%s has no meaning in a hook", name)
		}
	}
	dir, err := os.MkdirTemp("", "git-provenance-hook-")
	if err != nil {
		return fmt.Errorf("make directory for the report: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	out := filepath.Join(dir, "report.json")
	same := sameFlags(c, "explain")
	for _, f := range [][2]string{{"staged", "true"}, {"format", "json"}, {"output", out}} {
		if err := c.Flags().Set(f[0], f[1]); err != nil {
			return err
		}
	}
	err = scan(c, args)
	if none, ok := errors.AsType[*noBaselineError](err); ok { // refusing each commit would help nobody
		p.say("nothing was compared: %v", none)
		fmt.Fprintln(p.err, "hint: \"git-provenance scan\" says how to get something to compare with")
		return nil
	}
	if err != nil || p.found == 0 {
		return err
	}
	b, err := os.ReadFile(out)
	if err != nil {
		return fmt.Errorf("read report: %w", err)
	}
	rep, err := jsonform.Read(bytes.NewReader(b))
	if err != nil {
		return fmt.Errorf("read report %q: %w", out, err)
	}
	return p.refuse(rep, c.Flags().Lookup("fail-on").Value.String(), same)
}

// sameFlags returns the flags of the command line that another command has too, in the form that a shell reads, without passwords. It
// is called before the environment and the configuration file set flags: the other command reads these itself.
func sameFlags(c *cobra.Command, other string) (flags string) {
	has, _, err := c.Root().Find([]string{other})
	if err != nil {
		return ""
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if has.Flags().Lookup(f.Name) == nil {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			if f.NoOptDefVal != "" && f.NoOptDefVal == v {
				flags += " --" + f.Name
				continue
			}
			if u, err := url.Parse(v); err == nil && u.User != nil {
				v = u.Redacted()
			}
			if word := lockfile.Word(v); word != "" || v == "" {
				flags += " --" + f.Name + "=" + cmp.Or(word, "''")
			}
		}
	})
	return flags
}

// shownInHook is how many findings a refused commit shows in full: they fit on a screen with evidence and action.
const shownInHook = 2

// refuse shows the findings that stop a commit, the most serious first, and how to allow them. The commands that it names have the
// same flags as the hook.
func (p *program) refuse(rep *finding.Report, failOn, flags string) error {
	var stops []finding.Finding
	for _, f := range order.Ranked(rep.Findings) {
		if !order.Quiet(f) && countFrom([]finding.Finding{*f}, failOn) > 0 {
			stops = append(stops, *f)
		}
	}
	all := len(stops)
	rep.Findings = stops[:min(all, shownInHook)]
	o := text.Options{All: true, Part: all > shownInHook, Lists: `"git-provenance scan --staged --verbose` + flags + `"`}
	if width, ok := console.Terminal(p.err); ok {
		o.Width, o.Color = width, p.colored()
	}
	if err := text.Write(p.err, rep, o); err != nil {
		return err
	}
	fmt.Fprintf(p.err, "\nThe commit is refused: %s of level %s or above.\n", finding.Count(all, "finding"), failOn)
	if all > shownInHook {
		fmt.Fprintf(p.err, "%d more: git-provenance scan --staged%s\n", all-shownInHook, flags)
	}
	_, err := fmt.Fprintf(p.err, "both sides: git-provenance explain --staged%s %s\n", flags, stops[0].ID)
	return err
}

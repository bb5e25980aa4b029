package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// program is the git that reads what this package cannot: other object names, reference stores and indexes. Every
// repository may be hostile. So it runs only plumbing that reads. It gets the full path of the repository: nothing is
// searched for, and the owner of the files does not matter. Its environment is built here. Its only configuration is
// the repository's, and every setting that names a program or an address is overridden.
type program struct {
	ctx  context.Context // of Open: running commands end with it
	path string
	dir  string
	env  []string
}

// overrides disarm a repository's configuration. The commands used here run no hook, file system monitor, transport or
// pager; a later git might.
var overrides = []string{
	"--no-pager",
	"--literal-pathspecs",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.sshCommand=false",
	"-c", "core.askPass=",
	"-c", "core.alternateRefsCommand=false",
	"-c", "credential.helper=",
	"-c", "protocol.allow=never",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
	"-c", "core.quotePath=false",
	"-c", "core.bigFileThreshold=16m", // larger blobs are streamed, not held in memory
}

func newProgram(ctx context.Context, l layout, opts Options) *program {
	p := &program{ctx: ctx, path: opts.Git, dir: l.gitDir}
	p.env = []string{
		"LC_ALL=C",
		"PATH=" + filepath.Dir(opts.Git),
		"HOME=" + opts.Home, // without it "~/" in the configuration would be an error
		"GIT_DIR=" + l.gitDir,
		"GIT_INDEX_FILE=" + l.indexFile,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_GRAFT_FILE=/dev/null",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", // stops fetching in versions of git that do not know the line above
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
	}
	if l.root != "" {
		p.dir, p.env = l.root, append(p.env, "GIT_WORK_TREE="+l.root)
	}
	if opts.ObjectDir != "" {
		p.env = append(p.env, "GIT_OBJECT_DIRECTORY="+l.objectDirs[0])
	}
	if alternates := l.alternates; len(alternates) > 0 {
		p.env = append(p.env, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+strings.Join(alternates, string(filepath.ListSeparator)))
	}
	return p
}

func (p *program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, append(append([]string(nil), overrides...), args...)...)
	cmd.Dir, cmd.Env = p.dir, p.env
	cmd.WaitDelay = time.Second // for processes that hold the pipes open after git ended
	return cmd
}

// run returns the output of a command, at most limit bytes. An exit code other than zero is a *programError.
func (p *program) run(ctx context.Context, limit int64, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := p.command(ctx, args...)
	stderr := &lastLines{}
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", args[0], err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run git %s: %w", args[0], err)
	}
	b, readErr := io.ReadAll(io.LimitReader(out, limit+1))
	tooLong := int64(len(b)) > limit
	if tooLong {
		cancel()
	}
	err = cmd.Wait()
	switch {
	case tooLong:
		return nil, &CorruptError{What: "what git " + args[0] + " prints", Offset: -1, Detail: fmt.Sprintf("more than %d bytes", limit)}
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, newProgramError(args[0], err, stderr)
	}
	return b, readErr
}

// programError says how git failed.
type programError struct {
	command string
	code    int
	said    string
}

func newProgramError(command string, err error, stderr *lastLines) *programError {
	e := &programError{command: command, code: -1, said: stderr.String()}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		e.code = exit.ExitCode()
	}
	if e.said == "" && err != nil {
		e.said = err.Error()
	}
	return e
}

func (e *programError) Error() string { return fmt.Sprintf("run git %s: %s", e.command, e.said) }

// lastLines keeps the end of a program's error output.
type lastLines struct{ b []byte }

func (l *lastLines) Write(b []byte) (int, error) {
	const keep = 1 << 10
	l.b = append(l.b, b...)
	if len(l.b) > keep {
		l.b = append(l.b[:0], l.b[len(l.b)-keep:]...)
	}
	return len(b), nil
}

// String returns the last line, which says why the program ended.
func (l *lastLines) String() string {
	b := bytes.TrimSpace(l.b)
	return cleanText(b[bytes.LastIndexByte(b, '\n')+1:])
}

package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/installed"
	"github.com/git-provenance/git-provenance/cmd/internal/places"
	"github.com/git-provenance/git-provenance/cmd/internal/repos"
	"github.com/git-provenance/git-provenance/scanner/git"
)

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
	return o, nil
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

package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"

	"github.com/git-provenance/git-provenance/baseline/source"
)

// sourceOptions tells the sources where the Go command and npm keep and fetch
// packages.
func (p *program) sourceOptions(ctx context.Context) (source.Options, error) {
	env, err := p.goEnv(ctx)
	if err != nil {
		return source.Options{}, err
	}
	o := source.Options{
		ModCache:    env["GOMODCACHE"],
		GoRoot:      env["GOROOT"],
		GoProxy:     env["GOPROXY"],
		GoPrivate:   env["GONOPROXY"], // of GOPRIVATE when not set itself
		NPMRegistry: cmp.Or(p.getenv("npm_config_registry"), p.getenv("NPM_CONFIG_REGISTRY")),
	}
	o.Sums = source.NewSums(ctx, env["GOSUMDB"], env["GONOSUMDB"], o)
	return o, nil
}

// goEnv returns the Go command's settings, which may come from its own files and
// defaults; without a Go command, what the environment says.
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
	// a go.mod here must not make it fetch and run another tool chain
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

package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/cmd"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"git-provenance": func() {
			os.Exit(cmd.Main(context.Background(), os.Args[1:], os.LookupEnv, cmd.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
		},
	})
}

// TestScripts runs testdata/script: each script is a session in an empty
// directory with real repositories, without network and without a home.
func TestScripts(t *testing.T) {
	if !lang.HasGrammars {
		t.Skip("some scripts have languages that need a grammar")
	}
	schema, err := filepath.Abs("../docs/schema/git-provenance-1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			for k, v := range map[string]string{
				"HOME": e.WorkDir + "/home", "XDG_DATA_HOME": "", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "",
				"GOPROXY": "off", "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "",
				"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_AUTHOR_DATE": "2024-05-06T07:08:09Z",
				"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org", "GIT_COMMITTER_DATE": "2024-05-06T07:08:09Z",
				"SCHEMA": schema, "SCHEMAS": filepath.Join(filepath.Dir(schema), "../../scanner/report/testdata"),
			} {
				e.Setenv(k, v)
			}
			return os.Mkdir(e.WorkDir+"/home", 0o777)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "valid": valid, "follows": follows, "outdate": outdate},
	})
}

// exits CODE PROGRAM ARGS… runs a program that has to end with a certain code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		code = e.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// valid FILE… checks reports against the published schema.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	follows(ts, neg, append([]string{ts.Getenv("SCHEMA")}, args...))
}

// follows SCHEMA FILE… checks documents against a schema.
func follows(ts *testscript.TestScript, neg bool, args []string) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile(args[0])
	ts.Check(err)
	for _, a := range args[1:] {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(a)))
		ts.Check(err)
		if err := schema.Validate(v); (err != nil) != neg {
			ts.Fatalf("%s: %v", a, err)
		}
	}
}

// run calls Main as the Action does.
func run(t *testing.T, ctx context.Context, env map[string]string, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cmd.Main(ctx, args, variables(env), cmd.Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs})
	return code, out.String(), errs.String()
}

// variables looks up the variables of an environment.
func variables(env map[string]string) func(name string) (string, bool) {
	return func(name string) (string, bool) { v, ok := env[name]; return v, ok }
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	output := filepath.Join(dir, "report.json")
	code, stdout, stderr := run(t, ctx, map[string]string{"HOME": dir}, "", "scan", dir, "--output", output)
	if code != 2 || stdout != "" || stderr != "git-provenance: interrupted; nothing was written\n" {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	if es, _ := os.ReadDir(dir); len(es) != 0 {
		t.Errorf("left behind: %v", es)
	}
}

// TestNoArguments checks that nil arguments are not those of the process.
func TestNoArguments(t *testing.T) {
	code, _, stderr := run(t, context.Background(), nil, "")
	if code != 2 || !strings.Contains(stderr, "no command given") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

// outdate BASELINE LANGUAGE makes documents those of another version of a grammar.
func outdate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: outdate BASELINE LANGUAGE")
	}
	ts.Check(baselinetest.Outdate(ts.MkAbs(args[0]), args[1]))
}

package history_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/history"
	"github.com/git-provenance/git-provenance/scanner/self"
)

// A region enters with the second of three commits, and leaves with the last.
func ExampleScan() {
	dir, err := os.MkdirTemp("", "history")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := example(context.Background(), dir); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ring.go of pkg:generic/ring@1.0 came in by "two", left by "three"
}

func example(ctx context.Context, dir string) error {
	b, err := indexed(ctx, dir)
	if err != nil {
		return err
	}
	defer b.Close()
	repo, subjects, err := repository(ctx, filepath.Join(dir, "repo"))
	if err != nil {
		return err
	}
	defer repo.Close()
	e, err := examine.New([]*baseline.Baseline{b}, examine.Defaults())
	if err != nil {
		return err
	}
	target := examine.Project{Self: self.Of(self.InCommit(ctx, repo, "HEAD"), repo), Traces: true}
	r := &examine.Draft{Report: &finding.Report{}}
	done, err := history.Scan(ctx, e.For(target), repo, r, history.Options{Workers: 1, Progress: func(int, int) {}})
	if err != nil {
		return err
	}
	for _, f := range done.Findings {
		fmt.Printf("%s of %s came in by %q, left by %q\n", f.Path, f.Origins[0].PURL, subjects[f.Introduced.Commit], subjects[f.Left.Commit])
	}
	return nil
}

// indexed makes a baseline of one package.
func indexed(ctx context.Context, dir string) (*baseline.Baseline, error) {
	at := filepath.Join(dir, "baseline")
	pkgs, err := baselinetest.RingPackage(ctx, dir, "ring.go")
	if err != nil {
		return nil, err
	}
	w, err := baseline.OpenWriter(ctx, at, baseline.Defaults)
	if err != nil {
		return nil, err
	}
	if _, err := w.Add(ctx, pkgs, baseline.AddOptions{}); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return baseline.Open(ctx, at)
}

// repository makes three commits, and returns their messages by name.
func repository(ctx context.Context, dir string) (*git.Repo, map[string]string, error) {
	command := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
		return cmd.Output()
	}
	if _, err := exec.CommandContext(ctx, "git", "init", "-q", dir).Output(); err != nil {
		return nil, nil, err
	}
	subjects := map[string]string{}
	for _, c := range []struct{ subject, text string }{{"one", "package ring\n"}, {"two", baselinetest.Ring}, {"three", "package ring\n"}} {
		if err := os.WriteFile(filepath.Join(dir, "ring.go"), []byte(c.text), 0o644); err != nil {
			return nil, nil, err
		}
		for _, args := range [][]string{{"add", "ring.go"}, {"commit", "-q", "-m", c.subject}} {
			if _, err := command(args...); err != nil {
				return nil, nil, err
			}
		}
		id, err := command("rev-parse", "HEAD")
		if err != nil {
			return nil, nil, err
		}
		subjects[string(id[:40])] = c.subject
	}
	repo, err := git.Open(ctx, dir, git.Options{})
	return repo, subjects, err
}

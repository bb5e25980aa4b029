package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/repos"
	"github.com/git-provenance/git-provenance/scanner/dating"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/self"
	"github.com/spf13/pflag"
)

// flags are those of date and scan that say which repositories are read.
func (o *origins) flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.repos, "origin-repo", nil, "date origins by the history of their repository, a clone at `DIR`; DIR=PURL says which package is published from it (repeatable)")
	fs.BoolVar(&o.clone, "clone", false, "clone the repositories that packages name, and date origins by their history")
	fs.StringVar(&o.mirror, "clone-mirror", "", "with --clone: take https://HOST/PATH from `ADDRESS`/HOST/PATH, which may be of the local network")
	config.Mark(fs, config.IsPath, "origin-repo")
	config.Mark(fs, config.NotInFile, "clone", "clone-mirror")
}

// openOriginRepos opens the repositories that --origin-repo names.
func (p *program) openOriginRepos(ctx context.Context, specs []string) (repos []dating.Repository, err error) {
	for _, spec := range specs {
		r, err := p.openOriginRepo(ctx, spec)
		if err != nil {
			closeRepos(repos)
			return nil, err
		}
		repos = append(repos, r)
	}
	return repos, nil
}

func closeRepos(repos []dating.Repository) {
	for _, r := range repos {
		r.Repo.Close() // it was only read
	}
}

func (p *program) openOriginRepo(ctx context.Context, spec string) (dating.Repository, error) {
	dir, name := spec, ""
	if i := strings.LastIndex(spec, "=pkg:"); i >= 0 {
		dir, name = spec[:i], spec[i+1:]
	}
	if _, err := os.Stat(dir); err != nil {
		return dating.Repository{}, fmt.Errorf("open the repository of an origin: %w", err)
	}
	repo, err := git.Open(ctx, dir, git.Options{Home: p.home(), Git: onPath("git")})
	if err != nil {
		return dating.Repository{}, fmt.Errorf("open the repository of an origin %q: %w", dir, err)
	}
	r := dating.Repository{Name: dir, Repo: repo}
	if name == "" {
		own := self.Of(self.InCommit(ctx, repo, "HEAD"), repo)
		r.Of = func(name string) bool { return own.Says(name) != "" }
		return r, nil
	}
	u, err := purl.Parse(name)
	if err != nil {
		return r, errors.Join(err, repo.Close())
	}
	key := purl.Series(purl.Make(u.Type, purl.FullName(u), ""))
	r.Of = func(name string) bool { return purl.Series(name) == key }
	return r, nil
}

const (
	// cloneTime and cloneSize bound the clone of one repository. moby takes 400 MB.
	cloneTime = 10 * time.Minute
	cloneSize = 2 << 30
	// cloneLook is how often its size is looked at.
	cloneLook = 500 * time.Millisecond
)

// cloner clones the repositories of origins for one run. What it runs is git, which
// is told everything: no configuration of the machine, no helper, no password.
type cloner struct {
	git, home, dir string
	mirror         string // address that stands for https://
}

// newCloner makes a directory for clones, which Close deletes.
func (p *program) newCloner(mirror string) (*cloner, error) {
	c := &cloner{git: onPath("git"), home: p.home(), mirror: strings.TrimRight(mirror, "/")}
	if c.git == "" {
		return nil, errors.New("clone repositories of origins: there is no git on PATH")
	}
	var err error
	c.dir, err = os.MkdirTemp("", "git-provenance-clones-")
	return c, err
}

func (c *cloner) Close() error { return os.RemoveAll(c.dir) }

// open clones a repository and opens it.
func (c *cloner) open(ctx context.Context, addr string) (*git.Repo, error) {
	from, pinned, err := c.source(ctx, addr)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(c.dir, "")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cloneTime, fmt.Errorf("it takes longer than %s", cloneTime))
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go watchSize(ctx, dir, stop)
	cmd := exec.CommandContext(ctx, c.git, append(pinned, "clone", "-q", "--bare", "--template=", "--no-recurse-submodules", "--", from, dir)...)
	cmd.Env = c.environ()
	cmd.WaitDelay = time.Second
	said := &strings.Builder{}
	cmd.Stderr = &limited{to: said, left: 4 << 10}
	if err := cmd.Run(); err != nil {
		if why := context.Cause(ctx); why != nil {
			return nil, why
		}
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return nil, errors.New(cmp.Or(first, err.Error()))
	}
	return git.Open(ctx, dir, git.Options{GitDir: dir, Home: c.home, Git: c.git})
}

// source is where an address is cloned from. Without a mirror its host must be a
// public one, and git is held to the address that was looked at.
func (c *cloner) source(ctx context.Context, addr string) (from string, flags []string, err error) {
	if c.mirror != "" {
		return c.mirror + "/" + strings.TrimPrefix(addr, "https://"), []string{"-c", "protocol.allow=always", "-c", "protocol.ext.allow=never"}, nil
	}
	u, err := url.Parse(addr)
	if err != nil {
		return "", nil, err
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil {
		return "", nil, fmt.Errorf("look up %q: %w", u.Hostname(), err)
	}
	for _, ip := range ips {
		if !public(ip) {
			return "", nil, fmt.Errorf("%q is a host of the local network", u.Hostname())
		}
	}
	return addr, []string{"-c", "protocol.allow=never", "-c", "protocol.https.allow=always", "-c", "http.followRedirects=false",
		"-c", fmt.Sprintf("http.curloptResolve=%s:443:%s", u.Hostname(), ips[0].Unmap())}, nil
}

// public tells whether an address is one of the Internet.
func public(ip netip.Addr) bool {
	ip = ip.Unmap()
	shared := netip.MustParsePrefix("100.64.0.0/10")
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !shared.Contains(ip)
}

// environ is all of git's environment.
func (c *cloner) environ() []string {
	return []string{
		"LC_ALL=C", "PATH=" + os.Getenv("PATH"), "HOME=" + c.dir,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "SSH_ASKPASS=true", "GIT_SSH_COMMAND=false", "GCM_INTERACTIVE=never",
		"GIT_HTTP_LOW_SPEED_LIMIT=1000", "GIT_HTTP_LOW_SPEED_TIME=60",
	}
}

// watchSize ends a clone that becomes too large.
func watchSize(ctx context.Context, dir string, stop context.CancelCauseFunc) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(cloneLook):
		}
		if disk.DirSize(dir) > cloneSize {
			stop(fmt.Errorf("it is larger than %d MiB", cloneSize>>20))
			return
		}
	}
}

// limited drops what is beyond a limit.
type limited struct {
	to   *strings.Builder
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(l.left, len(b))
	l.to.Write(b[:n])
	l.left -= n
	return len(b), nil
}

// repositories are open while packages are read from them, and then closed; clones are
// deleted.
type repositories struct{ open []io.Closer }

func (r *repositories) Close() error {
	var err error
	for _, c := range slices.Backward(r.open) {
		err = errors.Join(err, c.Close())
	}
	return err
}

// openRepository opens the packages of a git repository in a directory, or of one that
// is cloned first.
func (p *program) openRepository(ctx context.Context, addr string, clone bool, f *addFlags, open *repositories, o source.Options) ([]*source.Package, error) {
	repo, err := p.repositoryOf(ctx, addr, clone, f, open)
	if err != nil {
		return nil, err
	}
	open.open = append(open.open, repo)
	pkgs, lost, err := repos.Packages(ctx, repo, repos.Options{From: addr, PURL: f.purl, Ref: f.ref, Tags: f.tags})
	if err != nil {
		return nil, err
	}
	if lost > 0 {
		o.Skipped(source.Skipped{Path: addr, Reason: source.ReasonUnreadable, Detail: fmt.Sprintf("tags whose objects are absent or damaged: %d", lost)})
	}
	for _, pkg := range pkgs {
		if f.license != "" {
			pkg.License, pkg.Asked = f.license, true
		}
		if !f.released.IsZero() {
			pkg.Released = f.released
		}
	}
	return pkgs, nil
}

func (p *program) repositoryOf(ctx context.Context, addr string, clone bool, f *addFlags, open *repositories) (*git.Repo, error) {
	if !clone {
		if _, err := os.Stat(addr); err != nil {
			return nil, fmt.Errorf("open repository: %w", err)
		}
		return git.Open(ctx, addr, git.Options{Home: p.home(), Git: onPath("git")})
	}
	if f.offline {
		return nil, &source.OfflineError{Subject: addr}
	}
	if !strings.HasPrefix(addr, "https://") {
		return nil, fmt.Errorf("clone %q: only addresses of https are cloned", addr)
	}
	c, err := p.newCloner(f.mirror)
	if err != nil {
		return nil, err
	}
	open.open = append(open.open, c)
	repo, err := c.open(ctx, addr)
	if err != nil {
		return nil, fmt.Errorf("clone %q: %w", addr, err)
	}
	return repo, nil
}

// Package clone clones repositories of origins from public hosts for one run, within bounds of time and size. It turns an
// address into an open repository.
package clone

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"github.com/git-provenance/git-provenance/scanner/git"
)

const (
	// cloneTime and cloneSize bound the clone of one repository. moby takes 400 MB.
	cloneTime = 10 * time.Minute
	cloneSize = 2 << 30
	// cloneLook is how often the size is checked.
	cloneLook = 500 * time.Millisecond
)

// Cloner clones the repositories of origins for one run. It runs git with explicit settings only: no configuration of the
// machine, no helper, no password.
type Cloner struct {
	git, home, dir string
	mirror         string // address that replaces https://
	lookUp         func(ctx context.Context, host string) (netip.Addr, error)
}

// New makes a directory for clones, which Close deletes. program is the git that clones; home is the home directory for
// reading them. mirror, if not empty, replaces https://.
func New(program, home, mirror string) (*Cloner, error) {
	c := &Cloner{git: program, home: home, mirror: strings.TrimRight(mirror, "/"), lookUp: publicHost}
	if c.git == "" {
		return nil, errors.New("clone repositories of origins: there is no git on PATH")
	}
	var err error
	c.dir, err = os.MkdirTemp("", "git-provenance-clones-")
	return c, err
}

// Close deletes the clones.
func (c *Cloner) Close() error { return os.RemoveAll(c.dir) }

// Open clones a repository and opens it.
func (c *Cloner) Open(ctx context.Context, addr string) (*git.Repo, error) {
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

// source returns the address to clone from, and flags for git. Without a mirror its host must be public, and git is bound
// to the address that was checked.
func (c *Cloner) source(ctx context.Context, addr string) (from string, flags []string, err error) {
	if c.mirror != "" {
		return c.mirror + "/" + strings.TrimPrefix(addr, "https://"), []string{"-c", "protocol.allow=always", "-c", "protocol.ext.allow=never"}, nil
	}
	u, err := url.Parse(addr)
	if err != nil {
		return "", nil, err
	}
	ip, err := c.lookUp(ctx, u.Hostname())
	if err != nil {
		return "", nil, err
	}
	at := net.JoinHostPort(ip.String(), cmp.Or(u.Port(), "443"))
	if from, err = c.settle(ctx, u, at); err != nil {
		return "", nil, err
	}
	return from, []string{"-c", "protocol.allow=never", "-c", "protocol.https.allow=always", "-c", "http.followRedirects=false",
		"-c", fmt.Sprintf("http.curloptResolve=%s:%s:%s", u.Hostname(), cmp.Or(u.Port(), "443"), ip)}, nil
}

// publicHost returns the address of a host that is not in the local network.
func publicHost(ctx context.Context, host string) (netip.Addr, error) {
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("look up %q: %w", host, err)
	}
	for _, ip := range ips {
		if !remote.Public(ip) {
			return netip.Addr{}, fmt.Errorf("%q is a host of the local network", host)
		}
	}
	return ips[0].Unmap(), nil
}

const (
	// repositoryList is the first resource that git requests from a repository.
	repositoryList = "/info/refs"
	uploadPack     = "service=git-upload-pack"
	// maxRedirects bounds the redirects. A renamed repository takes one.
	maxRedirects = 5
)

// settle returns the current address of a repository. It follows redirects within a host, for example after a rename. It
// refuses other hosts, since their addresses were not checked.
func (c *Cloner) settle(ctx context.Context, u *url.URL, at string) (string, error) {
	roots, err := c.roots()
	if err != nil {
		return "", err
	}
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, at)
	}
	transport := &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}
	client := &http.Client{Transport: transport, Timeout: time.Minute, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("more than %d redirects", maxRedirects)
		}
		if r.URL.Scheme != "https" || r.URL.Host != u.Host {
			to := strings.TrimSuffix(r.URL.Scheme+"://"+r.URL.Host+r.URL.Path, repositoryList)
			return fmt.Errorf("it redirects to %q, away from its host or from https: clone that yourself if you trust it, and name the clone with --origin-repo", to)
		}
		return nil
	}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.Scheme+"://"+u.Host+u.EscapedPath()+repositoryList+"?"+uploadPack, nil)
	if err != nil {
		return "", err
	}
	answer, err := client.Do(r)
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the address, which the caller adds
	}
	if err != nil {
		return "", err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the host answers %q", answer.Status)
	}
	now := answer.Request.URL
	path, ok := strings.CutSuffix(now.EscapedPath(), repositoryList)
	if !ok {
		return "", fmt.Errorf("it redirects to %q, which is no repository", now.Redacted())
	}
	return now.Scheme + "://" + now.Host + path, nil
}

// roots returns the certificates that git is told to trust in addition, if there are any.
func (c *Cloner) roots() (*x509.CertPool, error) {
	name := os.Getenv(caFile)
	if name == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", caFile, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read %s: %q has no certificates", caFile, name)
	}
	return pool, nil
}

// caFile is the variable of git that names a file of certificates.
const caFile = "GIT_SSL_CAINFO"

// environ returns the whole environment of git.
func (c *Cloner) environ() []string {
	env := []string{
		"LC_ALL=C", "PATH=" + os.Getenv("PATH"), "HOME=" + c.dir,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "SSH_ASKPASS=true", "GIT_SSH_COMMAND=false", "GCM_INTERACTIVE=never",
		"GIT_HTTP_LOW_SPEED_LIMIT=1000", "GIT_HTTP_LOW_SPEED_TIME=60",
	}
	if name := os.Getenv(caFile); name != "" {
		env = append(env, caFile+"="+name)
	}
	return env
}

// watchSize stops a clone that becomes too large.
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

// limited drops the bytes beyond a limit.
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

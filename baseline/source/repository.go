package source

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"path"
	"strings"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// forges are hosts where a Go module's path begins with host, owner and name.
var forges = map[string]bool{"github.com": true, "gitlab.com": true, "bitbucket.org": true, "codeberg.org": true}

// ErrNoRepository reports that a package names no repository that can be cloned.
var ErrNoRepository = errors.New("it names no repository of https on a public host")

// Repository returns the https address of the git repository that a package claims to be published from. It reads the path
// of a Go module, or the proxy's answer; the registry document of an npm package; the metadata in the archive of a PyPI
// package or a crate; the name of a package of a forge or of SwiftPM.
func Repository(ctx context.Context, name string, o Options) (string, error) {
	o.Limits = o.Limits.WithDefaults()
	if o.HTTP == nil {
		o.HTTP = o.client()
	}
	u, err := purl.Parse(name)
	if err != nil {
		return "", err
	}
	full, addr := purl.FullName(u), ""
	switch {
	case purl.Hosts[u.Type] != "":
		addr = "https://" + purl.Hosts[u.Type] + "/" + full
	case u.Type == purl.TypeGolang && full != stdName:
		addr, err = golangRepository(ctx, full, u.Version, o)
	case u.Type == purl.TypeNPM:
		addr, err = npmRepository(ctx, full, u.Version, o)
	case u.Type == purl.TypeSwift:
		addr = "https://" + full
	case u.Type == "pypi", u.Type == "cargo":
		addr, err = archiveRepository(ctx, u, o)
	default:
		err = ErrNoRepository
	}
	if err != nil {
		return "", err
	}
	return publicHTTPS(manifest.Root(addr))
}

func golangRepository(ctx context.Context, name, version string, o Options) (string, error) {
	if parts := strings.SplitN(name, "/", 4); len(parts) >= 3 && forges[parts[0]] {
		return "https://" + path.Join(parts[:3]...), nil
	}
	if o.Offline {
		return "", &OfflineError{Subject: purl.Golang(name, version)}
	}
	esc, err := module.EscapeVersion(version)
	if err != nil {
		return "", err
	}
	addr := ""
	err = eachProxy(ctx, name, version, o, func(base string) error {
		data, err := o.web().Document(ctx, base+"/@v/"+esc+".info")
		if err != nil {
			return err
		}
		var info struct{ Origin struct{ VCS, URL string } }
		if json.Unmarshal(data, &info) != nil || info.Origin.VCS != "git" || info.Origin.URL == "" {
			return ErrNoRepository
		}
		addr = info.Origin.URL
		return nil
	})
	return addr, err
}

func npmRepository(ctx context.Context, name, version string, o Options) (string, error) {
	if o.Offline {
		return "", &OfflineError{Subject: purl.NPM(name, version)}
	}
	base, err := npmBase(name, o)
	if err != nil {
		return "", err
	}
	data, err := o.web().Document(ctx, base+"/"+url.PathEscape(version))
	if err != nil {
		return "", err
	}
	var doc manifest.NPMDocument
	if json.Unmarshal(data, &doc) != nil || doc.Address() == "" {
		return "", ErrNoRepository
	}
	return doc.Address(), nil
}

// archiveRepository reads the metadata in a package's archive, since the indexes of PyPI and Cargo name no repository. The
// archive must have the checksum from the index.
func archiveRepository(ctx context.Context, u purl.PURL, o Options) (string, error) {
	p, err := fetchRemote(ctx, u, "", o)
	if err != nil {
		return "", err
	}
	found := ""
	v := &files.Visit{
		Limits: o.Limits, Wanted: func(string) bool { return false }, Skipped: func(string, string, string) {},
		File:  func(string, []byte) error { return nil },
		Named: func(m manifest.Meta) { found = m.Repository },
	}
	if err := p.walk(ctx, v); err != nil {
		return "", err
	}
	if found == "" {
		return "", ErrNoRepository
	}
	return found, nil
}

// publicHTTPS checks an untrusted address. It must be https on the default port, with a host name instead of a number,
// without a password, and with a path.
func publicHTTPS(addr string) (string, error) {
	u, err := url.Parse(addr)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Port() != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", ErrNoRepository
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(host, ".") || strings.Trim(host, "0123456789.") == "" {
		return "", ErrNoRepository
	}
	for _, r := range host {
		if r != '.' && r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return "", ErrNoRepository
		}
	}
	p := path.Clean(u.EscapedPath())
	if len(strings.Split(strings.Trim(p, "/"), "/")) < 2 || strings.Contains(p, "%") {
		return "", ErrNoRepository
	}
	return "https://" + host + p, nil
}

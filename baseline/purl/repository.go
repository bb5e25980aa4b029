package purl

import (
	"path"
	"slices"
	"strings"
)

// transports are the schemes of addresses of remote git repositories.
var transports = []string{"https", "http", "ssh", "git", "git+https", "git+http", "git+ssh", "ssh+git"}

// Repository returns the host and path of the git repository at an address: https://host/owner/name.git,
// ssh://git@host:22/owner/name, git@host:owner/name. The host is lower-cased and in its form for the web; the path has no ".git".
// ok is false for a path on this machine and for a path that leaves its host.
func Repository(address string) (host, name string, ok bool) {
	scheme, rest, isURL := strings.Cut(address, "://")
	if isURL {
		if !slices.Contains(transports, strings.ToLower(scheme)) {
			return "", "", false
		}
		host, name, ok = strings.Cut(rest, "/")
	} else if host, name, ok = strings.Cut(address, ":"); strings.ContainsAny(host, `/\`) || len(host) < 2 {
		return "", "", false // a path on this machine
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	host, _, _ = strings.Cut(host, ":")
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	if host == "ssh.github.com" { // used if port 22 is closed
		host = "github.com"
	}
	name = strings.TrimSuffix(strings.Trim(name, "/"), ".git")
	ok = ok && name != "" && strings.Contains(host, ".") && path.Clean(name) == name && name != "." && !strings.HasPrefix(name, "..")
	return host, name, ok
}

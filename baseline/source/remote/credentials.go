package remote

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// Credential gives access to one host. It prints without its secret.
type Credential struct {
	host, path string // path ends in a slash
	plain      bool   // may be sent over http
	header     string
	value      string
}

func (c Credential) String() string   { return "credential for " + c.host + c.path }
func (c Credential) GoString() string { return c.String() }

// Basic returns a credential with name and password for an address and all below it: https://HOST/PATH,
// http://HOST/PATH, //HOST/PATH or HOST.
func Basic(addr, name, password string) Credential {
	return Header(addr, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(name+":"+password)))
}

// Bearer returns a credential with a token for an address and all below it.
func Bearer(addr, token string) Credential { return Header(addr, "Authorization", "Bearer "+token) }

// Header returns a credential with a header for an address and all below it. Invalid input gives the zero Credential,
// which is never sent.
func Header(addr, header, value string) Credential {
	if !strings.Contains(addr, "//") {
		addr = "//" + addr
	}
	u, err := url.Parse(addr)
	if err != nil || u.Host == "" || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
		return Credential{}
	}
	return Credential{host: strings.ToLower(u.Host), path: strings.TrimRight(u.Path, "/") + "/", plain: u.Scheme == "http", header: header, value: value}
}

// Within returns the credential for the name and password in an address, or the zero Credential.
func Within(addr string) Credential {
	u, err := url.Parse(addr)
	if err != nil || u.User == nil {
		return Credential{}
	}
	password, _ := u.User.Password()
	return Basic(u.Scheme+"://"+u.Host+u.Path, u.User.Username(), password)
}

// Credentials are all configured credentials.
type Credentials []Credential

// For returns the header for a request, or "". The credential with the longest matching path counts. Over http it is
// sent only if it was configured for http, or if plain says that the registry was.
func (cs Credentials) For(u *url.URL, plain bool) (header, value string) {
	longest := -1
	host := strings.ToLower(u.Host)
	for _, c := range cs {
		secure := u.Scheme == "https" || u.Scheme == "http" && (c.plain || plain)
		if c.host == "" || !secure || c.host != host && c.host != strings.TrimSuffix(host, ":443") || !strings.HasPrefix(u.Path+"/", c.path) || len(c.path) <= longest {
			continue
		}
		header, value, longest = c.header, c.value, len(c.path)
	}
	return header, value
}

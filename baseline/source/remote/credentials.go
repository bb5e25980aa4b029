package remote

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// Credential lets somebody in at one host. It prints without its secret.
type Credential struct {
	host, path string // path with a slash at its end
	plain      bool   // configured for http
	header     string
	value      string
}

func (c Credential) String() string   { return "credential for " + c.host + c.path }
func (c Credential) GoString() string { return c.String() }

// Basic is a name and a password for the addresses below one: https://HOST/PATH,
// http://HOST/PATH, //HOST/PATH or HOST.
func Basic(addr, name, password string) Credential {
	return Header(addr, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(name+":"+password)))
}

// Bearer is a token for the addresses below one.
func Bearer(addr, token string) Credential { return Header(addr, "Authorization", "Bearer "+token) }

// Header is a header for the addresses below one. What no request can have gives the zero
// Credential, which is sent to nobody.
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

// Within returns the credential of the name and password in an address, the zero one if
// it has none.
func Within(addr string) Credential {
	u, err := url.Parse(addr)
	if err != nil || u.User == nil {
		return Credential{}
	}
	password, _ := u.User.Password()
	return Basic(u.Scheme+"://"+u.Host+u.Path, u.User.Username(), password)
}

// Credentials are all that are configured.
type Credentials []Credential

// For returns the header for a request, "" for none: that of the longest path that
// leads to the address. Over http it is only sent where it is configured for that, or
// where plain says that the registry is.
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

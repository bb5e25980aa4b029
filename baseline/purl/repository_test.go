package purl

import "testing"

func TestRepository(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/Owner/Name":                    "github.com Owner/Name",
		"HTTPS://GitHub.com/owner/name.git/":               "github.com owner/name",
		"https://user:token@www.github.com/owner/name.git": "github.com owner/name",
		"git@github.com:owner/name.git":                    "github.com owner/name",
		"git@gitlab.com:group/sub/name":                    "gitlab.com group/sub/name",
		"ssh://git@github.com:22/owner/name":               "github.com owner/name",
		"git+ssh://git@ssh.github.com:443/owner/name.git":  "github.com owner/name",
		"git://github.com/owner/name.git":                  "github.com owner/name",
		"https://git.example.com/name":                     "git.example.com name",
		"https://github.com/":                              "",
		"https://github.com":                               "",
		"https://github.com//":                             "",
		"https://github.com/owner/../../name":              "",
		"https://localhost/owner/name":                     "",
		"file:///home/github.com/owner/name":               "",
		"/home/github.com/owner/name":                      "",
		"../github.com/owner:name":                         "",
		`C:\github.com\owner\name`:                         "",
		"ext::sh -c github.com/owner/name":                 "",
		"owner/name":                                       "",
		"":                                                 "",
	} {
		got := ""
		if host, name, ok := Repository(address); ok {
			got = host + " " + name
		}
		if got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// OfflineError reports that the network would be needed.
type OfflineError struct{ Subject string }

func (e *OfflineError) Error() string {
	return fmt.Sprintf("fetch %q: it is not on this machine, and the network is switched off", e.Subject)
}

// FetchError reports that a request failed.
type FetchError struct {
	URL    string // without credentials
	Status int    // 0 if there was no answer
	Err    error
	Said   string // by the server, in a line; "" if it gave no reason
}

func (e *FetchError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("fetch %s: the server answered %d: %v%s", e.URL, e.Status, e.Err, Said(e))
	}
	return fmt.Sprintf("fetch %s: %v", e.URL, e.Err)
}

// Said returns the reason that a server gave in its answer, in brackets, or "" if it gave none.
func Said(err error) string {
	e, ok := errors.AsType[*FetchError](err)
	if !ok || e.Said == "" || strings.EqualFold(e.Said, e.Err.Error()) {
		return ""
	}
	return fmt.Sprintf(" (%q)", e.Said)
}

func (e *FetchError) Unwrap() error { return e.Err }

// Remedy says what the user can do.
func (e *FetchError) Remedy() string {
	const where = "the registry's address in the configuration of its ecosystem: docs/SOURCES.md lists where it is read"
	switch {
	case e.Status == http.StatusForbidden:
		return "the server refuses this package: it does not serve it, or needs credentials (docs/SOURCES.md); an archive of it can be added: git-provenance baseline add ARCHIVE --purl PURL"
	case e.Status == http.StatusUnauthorized:
		return "check the credentials for this registry: docs/SOURCES.md says where they are read"
	case e.Status == http.StatusGone || e.Status == http.StatusUnavailableForLegalReasons:
		return "it was withdrawn: an archive of it can be added: git-provenance baseline add ARCHIVE --purl PURL"
	case e.Status == http.StatusTooManyRequests || e.Status >= http.StatusInternalServerError:
		return "the server is busy or failed: run the command again later; it uses what was downloaded"
	case e.Status != 0:
		return "check " + where
	}
	return "check the network, and " + where
}

// Unavailable reports whether the server itself failed, so that other requests would fail too.
func (e *FetchError) Unavailable() bool {
	return e.Status == 0 || e.Status >= http.StatusInternalServerError || e.Status == http.StatusTooManyRequests
}

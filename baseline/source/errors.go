package source

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// UnknownSourceError reports that an argument cannot be read as a source.
type UnknownSourceError struct{ Arg, Why string }

func (e *UnknownSourceError) Error() string {
	return fmt.Sprintf("open source %q: %s (wanted: a directory, a go.mod or a lock file, "+
		"an archive (zip, jar, whl, nupkg, tar, tar.gz, tar.xz, tar.zst, tar.bz2, crate, gem) or a package URL)", e.Arg, e.Why)
}

// NeedPURLError reports that a directory or archive does not name its package.
type NeedPURLError struct{ Arg string }

func (e *NeedPURLError) Error() string {
	return fmt.Sprintf("open source %q: nothing in it tells which package it is; name it with --purl", e.Arg)
}

// OfflineError reports that the network would be needed.
type OfflineError struct{ Subject string }

func (e *OfflineError) Error() string {
	return fmt.Sprintf("fetch %q: it is not on this machine, and the network is switched off", e.Subject)
}

// NotFoundError reports that a registry does not have a package.
type NotFoundError struct {
	PURL  string
	Tried []string // registries asked, without credentials
	Why   string   // "" if they answered that they do not have it
}

func (e *NotFoundError) Error() string {
	why := e.Why
	if why == "" {
		why = "not found at " + strings.Join(e.Tried, ", ")
	}
	return fmt.Sprintf("fetch %q: %s", e.PURL, why)
}

// FetchError reports that a request failed.
type FetchError struct {
	URL    string // without credentials
	Status int    // 0 if there was no answer
	Err    error
}

func (e *FetchError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("fetch %s: the server answered %d: %v", e.URL, e.Status, e.Err)
	}
	return fmt.Sprintf("fetch %s: %v", e.URL, e.Err)
}
func (e *FetchError) Unwrap() error { return e.Err }

// Remedy says what the user can do.
func (e *FetchError) Remedy() string {
	const where = "the registry's address in the configuration of its ecosystem: docs/SOURCES.md lists where it is read"
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return "check the credentials for this registry: docs/SOURCES.md says where they are read"
	case e.Status == http.StatusGone || e.Status == http.StatusUnavailableForLegalReasons:
		return "it was withdrawn: an archive of it can be added: git-provenance baseline add ARCHIVE --purl PURL"
	case e.Status == http.StatusTooManyRequests || e.Status >= http.StatusInternalServerError:
		return "the server is busy or failed: run it again later; what was downloaded is used again"
	case e.Status != 0:
		return "check " + where
	}
	return "check the network, and " + where
}

// Unavailable reports whether the server itself failed, so that other requests would fail too.
func (e *FetchError) Unavailable() bool {
	return e.Status == 0 || e.Status >= http.StatusInternalServerError || e.Status == http.StatusTooManyRequests
}

// refused reports whether a registry refused one item; it may give others.
func refused(err error) bool {
	f, ok := errors.AsType[*FetchError](err)
	return ok && f.Status >= http.StatusBadRequest && !f.Unavailable() && f.Status != http.StatusUnauthorized
}

// IntegrityError reports that a download differs from what its registry announced.
type IntegrityError struct {
	URL       string
	Want, Got string // "algorithm-checksum"; Want is "" if none was announced
}

func (e *IntegrityError) Error() string {
	if e.Want == "" {
		return fmt.Sprintf("fetch %s: the registry announces no checksum that can be checked", e.URL)
	}
	return fmt.Sprintf("fetch %s: checksum is %s, the registry announced %s", e.URL, e.Got, e.Want)
}

// Broken reports whether an error of Walk means that an archive is damaged, exceeds its limits or has a wrong checksum.
// Walk has then returned no file of it.
func Broken(err error) bool {
	var archive *ArchiveError
	var limit *LimitError
	var sum *IntegrityError
	return errors.As(err, &archive) || errors.As(err, &limit) || errors.As(err, &sum)
}

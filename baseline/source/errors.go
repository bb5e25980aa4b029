package source

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// UnknownSourceError reports that an argument cannot be read as a source.
type UnknownSourceError struct{ Arg, Why string }

func (e *UnknownSourceError) Error() string {
	return fmt.Sprintf("open source %q: %s (wanted: a directory, a go.mod or a lock file, "+
		"an archive (zip, jar, whl, nupkg, phar, tar, tar.gz, tar.xz, tar.zst, tar.bz2, crate, gem, dsc) or a package URL)", e.Arg, e.Why)
}

// NeedPURLError reports that a directory or archive does not name its package.
type NeedPURLError struct{ Arg string }

func (e *NeedPURLError) Error() string {
	return fmt.Sprintf("open source %q: nothing in it tells which package it is; name it with --purl", e.Arg)
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

// Errors of requests and of limits.
type (
	FetchError   = web.FetchError
	OfflineError = web.OfflineError
)

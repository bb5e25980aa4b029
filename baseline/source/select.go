package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"golang.org/x/mod/semver"
)

// parsed parses a package URL. semantic reports whether its ecosystem has semantic versions; package remote compares those of others.
func parsed(name string) (u purl.PURL, semantic bool) {
	u, err := purl.Parse(name)
	return u, err != nil || u.Type == purl.TypeGolang || u.Type == purl.TypeNPM
}

// compareVersions orders package URLs of one package by their versions.
func compareVersions(a, b string) int {
	u, semantic := parsed(a)
	if semantic {
		return purl.CompareVersions(a, b)
	}
	return cmp.Or(remote.Compare(u.Type, purl.Version(a), purl.Version(b)), strings.Compare(a, b))
}

// SelectError reports an invalid choice of versions.
type SelectError struct{ Spec string }

func (e *SelectError) Error() string {
	return fmt.Sprintf("choose versions %q: wanted all, a number of newest releases, spread:N for N releases from the oldest to the newest, or a range such as v1.2.0..v1.9.0", e.Spec)
}

// Select returns the versions that spec chooses from an ascending list: see Choose.
func Select(rs []*Release, spec string) ([]*Release, error) {
	var names []string
	for _, r := range rs {
		names = append(names, r.PURL)
	}
	names, err := Choose(names, spec)
	if err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	for _, n := range names {
		chosen[n] = true
	}
	return slices.DeleteFunc(slices.Clone(rs), func(r *Release) bool { return !chosen[r.PURL] }), nil
}

// Choose returns the package URLs of one package that spec chooses, in ascending order. spec is "all", the number N of
// newest releases, spread:N for N releases from the oldest to the newest, or a range FROM..TO with both ends included; one end
// may be missing. "all" and ranges include pre-releases.
func Choose(names []string, spec string) ([]string, error) {
	if c, ok := CountOf(spec); ok {
		return Take(c, Releases(names)), nil
	}
	names = ascending(names)
	if spec == "all" {
		return names, nil
	}
	from, to, ok := strings.Cut(spec, "..")
	if !ok || from+to == "" || !isBound(names, from) || !isBound(names, to) {
		return nil, &SelectError{spec}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return from != "" && compareTo(name, from) < 0 || to != "" && compareTo(name, to) > 0
	}), nil
}

// Count is a choice of some releases: the N newest, or N at equal distances from the oldest to the newest.
type Count struct {
	N      int
	Spread bool
}

// CountOf returns the choice that spec is, if it is a number or spread:N.
func CountOf(spec string) (Count, bool) {
	number, spread := strings.CutPrefix(spec, "spread:")
	n, err := strconv.Atoi(number)
	return Count{n, spread}, err == nil && n > 0
}

// Take returns the releases that a choice takes of an ascending list. A spread has the first and the last; of one it is the last.
func Take[T any](c Count, list []T) []T {
	switch {
	case c.N >= len(list):
		return list
	case !c.Spread || c.N == 1:
		return list[len(list)-c.N:]
	}
	out := make([]T, c.N)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(c.N-1)]
	}
	return out
}

// Releases returns the package URLs of one package that name no pre-release, in ascending order.
func Releases(names []string) []string { return slices.DeleteFunc(ascending(names), prerelease) }

// ascending returns package URLs of one package in the order of their versions.
func ascending(names []string) []string {
	names = slices.Clone(names)
	slices.SortStableFunc(names, compareVersions)
	return names
}

// prerelease reports whether a package URL names a pre-release.
func prerelease(name string) bool {
	u, semantic := parsed(name)
	if semantic {
		return semver.Prerelease(purl.Order(name)) != ""
	}
	return remote.Prerelease(u.Type, u.Version)
}

// compareTo compares the version of a package URL with one end of a range.
func compareTo(name, end string) int {
	u, semantic := parsed(name)
	if semantic {
		return semver.Compare(purl.Order(name), "v"+strings.TrimPrefix(end, "v"))
	}
	return remote.Compare(u.Type, u.Version, end)
}

// isBound reports whether a text is a valid end of a range: empty, or a version with or without "v".
func isBound(names []string, s string) bool {
	s = strings.TrimPrefix(s, "v")
	if s == "" || len(names) == 0 {
		return true
	}
	if _, semantic := parsed(names[0]); semantic {
		return semver.IsValid("v" + s)
	}
	return s[0] >= '0' && s[0] <= '9'
}

// countable returns the releases that count if a number of releases is asked for: without versions that their publisher withdrew.
// In other cases these are listed as left out.
func countable(all []*Release, spec string) []*Release {
	if _, ok := CountOf(spec); !ok {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(r *Release) bool { return r.Withdrawn })
}

// OpenVersions returns the versions that spec chooses of a package URL without version: see Select. Listed versions
// that the registry no longer has are skipped.
func OpenVersions(ctx context.Context, arg, spec string, o Options) ([]*Package, error) {
	if p, err := purl.Parse(arg); err != nil {
		return nil, err
	} else if p.Version != "" {
		return nil, fmt.Errorf("open source %q: it names one version, and %q chooses among all", arg, spec)
	}
	all, err := Versions(ctx, arg, o)
	if err != nil {
		return nil, err
	}
	chosen, err := Select(countable(all, spec), spec)
	if err != nil {
		return nil, err
	}
	var pkgs []*Package
	for _, r := range chosen {
		if r.Withdrawn {
			o.skip(r.PURL, ReasonMissing, "withdrawn by its publisher")
			continue
		}
		p, err := r.Open(ctx)
		if _, none := errors.AsType[*NotFoundError](err); none {
			o.skip(r.PURL, ReasonMissing, "listed, but not there")
			continue
		}
		if refused(err) {
			o.skip(r.PURL, ReasonMissing, "the registry does not give it: "+files.Cause(err))
			continue
		}
		if err != nil {
			return nil, err
		}
		o.override(p)
		pkgs = append(pkgs, p)
	}
	return byPURL(pkgs), nil
}

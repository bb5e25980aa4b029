package lockfile

import (
	"slices"
	"strings"
)

// Limits are the machines that an optional package is installed on, in npm's terms. "!" before a name excludes it.
// Markers are conditions in Python's terms, of which one has to hold.
type Limits struct{ OS, CPU, Libc, Markers []string }

// Excludes reports whether a package manager may leave a package out on a machine. The reason is that its system or processor is not
// among those of the package, or that the package needs a C library, which is not known here.
func (l Limits) Excludes(system, processor string) bool {
	other := func(m string) bool { return marks(m, system, processor) == fails }
	return !among(l.OS, system) || !among(l.CPU, processor) || len(l.Libc) > 0 || len(l.Markers) > 0 && !slices.ContainsFunc(l.Markers, func(m string) bool { return !other(m) })
}

// either returns the markers of a package that two entries limit.
func either(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil // one of them is for every machine
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// marked returns the limits of an entry with a marker, or those of one without.
func marked(marker string) Limits {
	if marker = strings.TrimSpace(marker); marker == "" {
		return Limits{}
	}
	return Limits{Markers: []string{marker}}
}

// among reports whether a list of names allows a name.
func among(list []string, name string) bool {
	allowed := true // stays true if the list only excludes
	for _, n := range list {
		if no, ok := strings.CutPrefix(n, "!"); ok {
			if no == name {
				return false
			}
			continue
		}
		if n == name || n == "any" {
			return true
		}
		allowed = false
	}
	return allowed
}

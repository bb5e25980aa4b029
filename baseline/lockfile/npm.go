package lockfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// npmLock has the parts of package-lock.json that are read: packages since version 2, dependencies in version 1.
type npmLock struct {
	Packages     entries[npmEntry]
	Dependencies entries[npmOld]
}

type npmEntry struct {
	Name, Version, Resolved, Integrity word
	License                            json.RawMessage
	Link, InBundle, Optional, Peer     bool
	OS, CPU, Libc                      json.RawMessage // lists of names in npm's form; "!win32" means any other
	PeerDependenciesMeta               json.RawMessage

	Dependencies, DevDependencies, OptionalDependencies, PeerDependencies names
}

// names are the names of the packages that an entry needs. A value of another kind counts as none.
type names []string

func (n *names) UnmarshalJSON(data []byte) error {
	var of map[string]json.RawMessage
	if json.Unmarshal(data, &of) == nil {
		*n = slices.Sorted(maps.Keys(of))
	}
	return nil
}

// npmName returns the name of a package by its place; "" is a project.
func npmName(at string) string {
	const dir = "node_modules/"
	i := strings.LastIndex(at, dir)
	if i < 0 {
		return ""
	}
	return at[i+len(dir):]
}

// peers returns the peer dependencies of an entry, without the optional ones.
func (e npmEntry) peers() names {
	var meta map[string]struct{ Optional bool }
	if json.Unmarshal(e.PeerDependenciesMeta, &meta) != nil {
		return e.PeerDependencies // an invalid one makes none optional
	}
	return slices.DeleteFunc(slices.Clone(e.PeerDependencies), func(name string) bool { return meta[name].Optional })
}

// npmNeeded returns the names of the packages that a project needs, directly or not. npm lists optional peers too, and does not install them.
func npmNeeded(packages entries[npmEntry]) map[string]bool {
	needs := map[string][]string{} // by name, "" for projects
	for _, one := range packages {
		e, name := one.value, npmName(one.key)
		for _, some := range []names{e.Dependencies, e.DevDependencies, e.OptionalDependencies, e.peers()} {
			needs[name] = append(needs[name], some...) // one name may have many entries
		}
	}
	needed := map[string]bool{}
	for next := []string{""}; len(next) > 0; {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		if !needed[name] {
			needed[name] = true
			next = append(next, needs[name]...)
		}
	}
	return needed
}

// npmInheritance returns the machines that optional packages of a package-lock.json inherit.
func npmInheritance(packages entries[npmEntry]) inheritance {
	m := inheritance{}
	for _, one := range packages {
		e := one.value
		m.add(npmName(one.key), e.Optional, e.limits(), slices.Concat(e.Dependencies, e.DevDependencies, e.OptionalDependencies, e.PeerDependencies))
	}
	m.settle()
	return m
}

// limits returns the machines that an optional package is limited to.
func (e npmEntry) limits() (out Limits) {
	if !e.Optional {
		return out
	}
	read := func(raw json.RawMessage) (names []string) {
		if json.Unmarshal(raw, &names) != nil {
			return nil // an invalid list limits nothing
		}
		return names
	}
	return Limits{OS: read(e.OS), CPU: read(e.CPU), Libc: read(e.Libc)}
}

type npmOld struct {
	Version, Resolved, Integrity word
	Bundled                      bool
	Dependencies                 entries[npmOld]
}

// word is a string. A value of another kind, such as "resolved": false of npm 5, counts as none.
type word string

func (t *word) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = ""
	}
	*t = word(s)
	return nil
}

// entries is an object of JSON as a list, so that of two equal keys neither is lost. Tools disagree on which one counts.
type entries[T any] []entry[T]

type entry[T any] struct {
	key   string
	value T
}

// UnmarshalJSON adds the members of an object. It is called again if a text has the object twice.
func (e *entries[T]) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	switch t, err := d.Token(); {
	case err != nil || t == nil: // null
		return err
	case t != json.Delim('{'):
		return fmt.Errorf("not an object: %v", t)
	}
	if *e == nil {
		*e = entries[T]{}
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var v T
		if err := d.Decode(&v); err != nil {
			return err
		}
		*e = append(*e, entry[T]{fmt.Sprint(key), v})
	}
	return nil
}

func readNPM(l *list, data []byte) error {
	var lock npmLock
	if err := json.Unmarshal(data, &lock); err != nil {
		return err
	}
	if lock.Packages == nil {
		for _, d := range lock.Dependencies {
			l.npmOld(d.key, d.value)
		}
		return nil
	}
	inheritance, needed := npmInheritance(lock.Packages), npmNeeded(lock.Packages)
	for _, one := range lock.Packages {
		at, e := one.key, one.value
		i := strings.LastIndex(at, "node_modules/")
		if e.Link || i < 0 && e.Resolved == "" {
			continue // the project itself and its workspaces
		}
		if i < 0 {
			l.leave(cmp.Or(string(e.Name), at), ReasonLocal, string(e.Resolved))
			continue
		}
		if e.Name == "" { // Name is only set for aliases
			e.Name = word(npmName(at))
		}
		p := Pin{Integrity: string(e.Integrity), Address: string(e.Resolved), Bundled: e.InBundle, Limits: inheritance.inherited(npmName(at), e.limits())}
		if e.Optional && e.Peer && !needed[npmName(at)] {
			p.Limits = nowhere
		}
		if json.Unmarshal(e.License, &p.License) != nil {
			p.License = "" // an object, as npm allowed once
		}
		l.npm(string(e.Name), string(e.Version), p)
	}
	return nil
}

func (l *list) npmOld(name string, d npmOld) {
	version := string(d.Version)
	if real, ok := strings.CutPrefix(version, "npm:"); ok { // an alias
		name, version = cutVersion(real)
	}
	if strings.ContainsAny(version, ":/") {
		l.leave(name, reasonOf(version), version)
	} else {
		l.npm(name, version, Pin{Integrity: string(d.Integrity), Address: string(d.Resolved), Bundled: d.Bundled})
	}
	for _, below := range d.Dependencies {
		l.npmOld(below.key, below.value)
	}
}

// npm adds a package, unless its address shows that no registry has it.
func (l *list) npm(name, version string, p Pin) {
	if reason := reasonOf(p.Address); reason != "" {
		l.leave(name, reason, p.Address)
		return
	}
	p.Address = http(p.Address)
	l.pin("npm", name, version, p)
}

// reasonOf returns why an address is not that of a registry's archive, or "" if it is. Any .tgz file on the web counts
// as an archive of a registry.
func reasonOf(address string) string {
	switch {
	case address == "":
		return ""
	case strings.HasPrefix(address, "git") || strings.Contains(address, ".git#") || strings.Contains(address, "codeload.github.com"):
		return ReasonGit
	case strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://"):
		if strings.HasSuffix(stripped(address), ".tgz") {
			return ""
		}
		return ReasonAddress
	case strings.HasPrefix(address, "file:"), strings.HasPrefix(address, "link:"), strings.HasPrefix(address, "portal:"), strings.HasPrefix(address, "workspace:"):
		return ReasonLocal
	}
	return ReasonAddress
}

func stripped(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return address
}

// cutVersion splits "name@version" and "@scope/name@version".
func cutVersion(s string) (name, version string) {
	i := strings.LastIndexByte(s, '@')
	if i <= 0 {
		return s, ""
	}
	return s[:i], s[i+1:]
}

// readBun reads bun.lock: JSON that may have commas after last elements.
func readBun(l *list, data []byte) error {
	var lock struct {
		Packages entries[[]json.RawMessage]
	}
	if err := json.Unmarshal(withoutTrailingCommas(data), &lock); err != nil {
		return err
	}
	for _, one := range lock.Packages {
		var id string
		e := one.value
		if len(e) == 0 || json.Unmarshal(e[0], &id) != nil {
			l.leave(one.key, ReasonName, "its entry names no package")
			continue
		}
		name, version := cutFirst(id)
		if strings.Contains(version, ":") {
			l.leave(name, cmpReason(version), version)
			continue
		}
		l.pin("npm", name, version, Pin{Integrity: bunSum(e), Limits: bunLimits(e)})
	}
	return nil
}

// bunLimits returns the machines that bun installs an entry on: names, or lists of names, in its information.
func bunLimits(e []json.RawMessage) Limits {
	var about struct{ OS, CPU, Libc json.RawMessage }
	for _, part := range e[1:] {
		if json.Unmarshal(part, &about) == nil { // of a package from a registry the third part, of others the second
			break
		}
	}
	read := func(raw json.RawMessage) (names []string) {
		var one string
		if json.Unmarshal(raw, &one) == nil && one != "" {
			return []string{one}
		}
		if json.Unmarshal(raw, &names) != nil {
			return nil
		}
		return names
	}
	return Limits{OS: read(about.OS), CPU: read(about.CPU), Libc: read(about.Libc)}
}

// bunSum returns the checksum of an entry: [id, registry, information, checksum].
func bunSum(e []json.RawMessage) (sum string) {
	if len(e) > 3 && json.Unmarshal(e[3], &sum) != nil {
		return string(e[3])
	}
	return sum
}

// cutFirst splits after the name; the rest may also contain "@".
func cutFirst(s string) (name, rest string) {
	if s == "" {
		return "", ""
	}
	i := strings.IndexByte(s[1:], '@')
	if i < 0 {
		return s, ""
	}
	return s[:i+1], s[i+2:]
}

// withoutTrailingCommas replaces commas before a closing bracket with blanks, outside strings.
func withoutTrailingCommas(data []byte) []byte {
	out := slices.Clone(data)
	comma, inside := -1, false
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside, comma = !inside, -1
		case inside || c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c == ',':
			comma = i
		case (c == ']' || c == '}') && comma >= 0:
			out[comma], comma = ' ', -1
		default:
			comma = -1
		}
	}
	return out
}

func cmpReason(address string) string {
	if reason := reasonOf(address); reason != "" {
		return reason
	}
	return ReasonAddress
}

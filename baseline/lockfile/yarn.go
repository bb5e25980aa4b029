package lockfile

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
)

// readYarn reads yarn.lock: YAML since Yarn 2, a format of its own before.
func readYarn(l *list, data []byte, poms Poms) error {
	if bytes.Contains(data, []byte("\n__metadata:")) || bytes.HasPrefix(data, []byte("__metadata:")) {
		return readBerry(l, data)
	}
	l.ends(data)
	var e yarnEntry
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case line[0] != ' ':
			e.add(l)
			e = yarnEntry{spec: strings.TrimSuffix(line, ":")}
		case strings.HasPrefix(line, "  ") && line[2] != ' ':
			e.field(strings.TrimSpace(line))
		case strings.HasPrefix(line, "    ") && strings.HasSuffix(strings.ToLower(e.part), "dependencies:"):
			name, _, _ := strings.Cut(line[4:], " ")
			l.needs(strings.Trim(name, `"`), e.spec)
		}
	}
	e.add(l)
	if poms.Tree != nil {
		l.nodeProject(poms.Tree("package.json"))
	}
	return nil
}

// nodeProject notes what the package.json beside a yarn.lock of version 1 needs, which is not in the lock file itself. A package of
// the workspace has no entry and cannot be told from a missing one.
func (l *list) nodeProject(data []byte) {
	var p struct {
		Dependencies, DevDependencies, OptionalDependencies map[string]string
		Workspaces                                          json.RawMessage
	}
	if json.Unmarshal(data, &p) != nil || p.Workspaces != nil {
		return
	}
	for _, part := range []map[string]string{p.Dependencies, p.DevDependencies, p.OptionalDependencies} {
		for name, version := range part {
			if !strings.Contains(strings.TrimPrefix(version, "npm:"), ":") {
				l.needs(name, "package.json")
			}
		}
	}
}

// yarnEntry is an entry of a yarn.lock of version 1.
type yarnEntry struct{ spec, version, resolved, integrity, part string }

func (e *yarnEntry) field(line string) {
	key, value, _ := strings.Cut(line, " ")
	e.part = line
	value = strings.Trim(value, `"`)
	switch strings.Trim(key, `"`) { // npm 7 and later quotes the keys when it writes a yarn.lock
	case "version":
		e.version = value
	case "resolved":
		e.resolved = value
	case "integrity":
		e.integrity = value
	}
}

// add adds the entry: `"@s/name@^1.0.0", name@npm:other@2:`.
func (e *yarnEntry) add(l *list) {
	if e.spec == "" {
		return
	}
	first, _, _ := strings.Cut(e.spec, ",")
	name, want := cutFirst(strings.Trim(first, `" `))
	l.listed[name] = true
	if real, ok := strings.CutPrefix(want, "npm:"); ok { // an alias
		if n, _ := cutFirst(real); n != "" && strings.Contains(real[1:], "@") {
			name = n
		}
	}
	if strings.HasPrefix(want, "file:") || strings.HasPrefix(want, "link:") {
		l.leave(name, ReasonLocal, want)
		return
	}
	sums := e.integrity
	if _, sum, ok := strings.Cut(e.resolved, "#"); ok && sums == "" {
		sums = hexSum("sha1", sum)
	}
	if reason := reasonOf(e.resolved); reason != "" {
		l.leave(name, reason, e.resolved)
		return
	}
	if strings.Contains(want, "://") && !strings.Contains(e.resolved, "/"+name+"/-/") { // a registry may have another package of this name
		l.leave(name, cmpReason(want), want)
		return
	}
	l.pin("npm", name, e.version, Pin{Integrity: sums, Address: http(stripped(e.resolved))})
}

// readBerry reads yarn.lock of Yarn 2 and later. Its checksums are of Yarn's own archives, not of the registry's, so
// they are not used.
func readBerry(l *list, data []byte) error {
	l.ends(data)
	var lock table[struct {
		Resolution, Conditions string
		Dependencies           table[wanted]
	}]
	l.bring = "yarn install --immutable" // --frozen-lockfile is deprecated since Yarn 2
	if err := decodeYAML(data, &lock); err != nil {
		return err
	}
	for key, e := range lock {
		if key == "__metadata" {
			continue
		}
		for one := range strings.SplitSeq(key, ", ") {
			name, _ := cutFirst(one)
			l.listed[name] = true
		}
		for name := range e.Dependencies {
			l.needs(name, e.Resolution)
		}
		name, rest := cutFirst(e.Resolution)
		protocol, version, _ := strings.Cut(rest, ":")
		switch protocol {
		case "npm":
			version, address, _ := strings.Cut(version, "::")
			l.pin("npm", name, version, Pin{Address: http(strings.TrimPrefix(address, "__archiveUrl=")), Limits: conditions(e.Conditions)})
		case "workspace": // the repository's own
		case "patch":
			l.patched(rest, conditions(e.Conditions))
		case "link", "portal", "file":
			l.leave(name, ReasonLocal, rest)
		default:
			l.leave(name, cmpReason(rest), rest)
		}
	}
	return nil
}

// patched adds the package that the project has changed: "patch:NAME@npm%3AVERSION#PATCH". The package itself usually has an entry too.
func (l *list) patched(locator string, on Limits) {
	inner, _, _ := strings.Cut(strings.TrimPrefix(locator, "patch:"), "#")
	inner, err := url.PathUnescape(inner)
	name, rest := cutFirst(inner)
	version, ok := strings.CutPrefix(rest, "npm:")
	if version, _, _ = strings.Cut(version, "::"); err != nil || !ok {
		l.leave(name, cmpReason(rest), locator)
		return
	}
	l.pin("npm", name, version, Pin{Limits: on})
}

// conditions reads the machines that Yarn installs a package on: "os=linux & (cpu=x64 | cpu=arm64) & libc=glibc". A name may be
// excluded: "!os=win32" or "os=!win32". A condition of another form limits nothing.
func conditions(text string) (out Limits) {
	lists := map[string]*[]string{"os": &out.OS, "cpu": &out.CPU, "libc": &out.Libc}
	if text == "" {
		return out
	}
	for _, all := range strings.Split(text, " & ") {
		one := strings.TrimSuffix(strings.TrimPrefix(all, "("), ")")
		for _, c := range strings.Split(one, " | ") {
			key, name, ok := strings.Cut(c, "=")
			if not, excluded := strings.CutPrefix(key, "!"); excluded {
				key, name = not, "!"+name
			}
			if lists[key] == nil || !ok || strings.ContainsAny(name, " ()&|=") {
				return Limits{}
			}
			*lists[key] = append(*lists[key], name)
		}
	}
	return out
}

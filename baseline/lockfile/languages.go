package lockfile

import (
	"encoding/json"
	"strings"
)

// readGemfile reads Gemfile.lock: sections GEM, GIT, PATH with "specs:", CHECKSUMS.
func readGemfile(l *list, data []byte) error {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	l.ends(data)
	if !strings.Contains("\n"+text, "\nDEPENDENCIES\n") {
		l.cut("no part DEPENDENCIES, which Bundler writes")
	}
	sums := gemChecksums(text)
	section, remote := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
		case line[0] != ' ':
			section, remote = line, ""
		case strings.HasPrefix(line, "  remote: "):
			remote = line[len("  remote: "):]
		case len(line) > 4 && strings.HasPrefix(line, "    ") && line[4] != ' ' && section != "CHECKSUMS":
			l.gem(section, remote, strings.TrimSpace(line), sums)
		}
	}
	return nil
}

// gem adds the line "name (1.2.3-platform)" of a section.
func (l *list) gem(section, remote, line string, sums map[string]string) {
	name, version, ok := strings.Cut(strings.TrimSuffix(line, ")"), " (")
	if !ok {
		l.leave(line, ReasonName, section)
		return
	}
	switch section {
	case "GEM":
		release, _, _ := strings.Cut(version, "-")
		l.pin("gem", name, release, Pin{Integrity: sums[name+" "+version]})
	case "GIT":
		l.leave(name, ReasonGit, remote)
	case "PATH":
		l.leave(name, ReasonLocal, remote)
	default: // of a plugin
		l.leave(name, ReasonAddress, section+" "+remote)
	}
}

// gemChecksums reads the section CHECKSUMS: "  name (1.2.3) sha256=HEX".
func gemChecksums(text string) map[string]string {
	sums := map[string]string{}
	_, text, _ = strings.Cut(text, "\nCHECKSUMS\n")
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if !strings.HasPrefix(line, "  ") {
			break
		}
		if len(f) > 2 {
			sums[f[0]+" "+strings.Trim(f[1], "()")] = hexSums(strings.Split(strings.Join(f[2:], ","), ",")...)
		}
	}
	return sums
}

func readComposer(l *list, data []byte) error {
	type entry struct {
		Name, Version string
		Dist          struct{ Type, URL, Shasum string }
		Source        struct{ Type, URL string }
	}
	var lock struct {
		Packages    []entry
		PackagesDev []entry `json:"packages-dev"`
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return err
	}
	for _, e := range append(lock.Packages, lock.PackagesDev...) {
		switch {
		case e.Dist.Type == "path":
			l.leave(e.Name, ReasonLocal, e.Dist.URL)
		case e.Dist.URL == "" && e.Source.Type == "git":
			l.leave(e.Name, ReasonGit, e.Source.URL)
		default:
			l.pin("composer", e.Name, e.Version, Pin{Integrity: hexSum("sha1", e.Dist.Shasum), Address: http(e.Dist.URL)})
		}
	}
	return nil
}

func readNuGet(l *list, data []byte) error {
	var lock struct {
		Dependencies entries[entries[struct{ Type, Resolved string }]]
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return err
	}
	for _, target := range lock.Dependencies {
		for _, one := range target.value {
			name, e := one.key, one.value
			if e.Type == "Project" {
				l.leave(name, ReasonLocal, "a project of this repository")
				continue
			}
			l.pin("nuget", name, e.Resolved, Pin{}) // its contentHash covers the package without its signature
		}
	}
	return nil
}

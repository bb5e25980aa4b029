package remote

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// cratePath returns the path of a crate in a sparse index, which depends on the length of its name.
func cratePath(name string) string {
	n := strings.ToLower(name)
	switch {
	case len(n) <= 2:
		return "" + []string{"", "1", "2"}[len(n)] + "/" + n
	case len(n) == 3:
		return "3/" + n[:1] + "/" + n
	}
	return n[:2] + "/" + n[2:4] + "/" + n
}

func (l *locator) cargo() (Release, error) {
	if l.u.Name == "" || l.u.Namespace != "" {
		return Release{}, ErrNone
	}
	var config struct{ DL string }
	if err := l.document(join(l.r.Cargo, "config.json"), "", &config); err != nil {
		return Release{}, err
	}
	lines, err := l.cargoLines()
	if err != nil {
		return Release{}, err
	}
	byVersion := map[string]crateLine{}
	for _, c := range lines {
		if !c.Yanked || c.Vers == l.u.Version {
			byVersion[c.Vers] = c
		}
	}
	version := l.u.Version
	if version == "" {
		version = l.newest(slices.Sorted(maps.Keys(byVersion)))
	}
	c, ok := byVersion[version]
	if !ok {
		return Release{}, ErrNone
	}
	released, _ := time.Parse(time.RFC3339, c.Pubtime)
	return Release{PURL: l.named(version), Released: released.UTC(),
		Archives: []Archive{{URL: crateAddress(config.DL, c.Name, version, c.Cksum), Integrity: Integrity("sha256", c.Cksum), Name: c.Name + "-" + version + ".crate"}}}, nil
}

// crateLine is a version in a sparse index.
type crateLine struct {
	Name, Vers, Cksum, Pubtime string
	Yanked                     bool
}

// cargoLines reads the versions of a crate.
func (l *locator) cargoLines() (out []crateLine, err error) {
	data, err := l.text(join(l.r.Cargo, cratePath(l.u.Name)), "")
	if err != nil {
		return nil, err
	}
	for text := range strings.Lines(string(data)) {
		var c crateLine
		if json.Unmarshal([]byte(text), &c) == nil && c.Name == l.u.Name {
			out = append(out, c)
		}
	}
	return out, nil
}

// crateAddress fills in the address template of config.json.
func crateAddress(dl, name, version, checksum string) string {
	if !strings.Contains(dl, "{") {
		return join(dl, name, version, "download")
	}
	prefix := strings.TrimSuffix(cratePath(name), "/"+strings.ToLower(name))
	return strings.NewReplacer("{crate}", name, "{version}", version, "{prefix}", prefix, "{lowerprefix}", strings.ToLower(prefix), "{sha256-checksum}", checksum).Replace(dl)
}

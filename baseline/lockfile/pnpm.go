package lockfile

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// pnpmLock has the parts of pnpm-lock.yaml that are read, versions 5 to 9.
type pnpmLock struct {
	LockfileVersion string `yaml:"lockfileVersion"`
	Packages        table[struct {
		Name, Version    string
		Resolution       struct{ Integrity, Tarball, Directory, Type, Repo string }
		OS, CPU, Libc    anyNames
		pnpmDependencies `yaml:",inline"`
	}]
	Snapshots        table[pnpmDependencies] // since version 9
	Importers        table[pnpmDependencies]
	pnpmDependencies `yaml:",inline"`
}

// anyNames is a list of names. A value of another kind counts as none.
type anyNames []string

func (n *anyNames) UnmarshalYAML(v *yaml.Node) error {
	var names []string
	if v.Decode(&names) == nil {
		*n = names
	}
	return nil
}

// pnpmDependencies are the packages that a project or a package needs. A value is a version, or a table with a version.
type pnpmDependencies struct {
	Dependencies         table[wanted]
	DevDependencies      table[wanted] `yaml:"devDependencies"`
	OptionalDependencies table[wanted] `yaml:"optionalDependencies"`
	Optional             bool          // of a package: nothing breaks without it
}

// names returns the names of the packages that an entry needs.
func (d pnpmDependencies) names(old bool) (all []string) {
	for _, part := range []table[wanted]{d.Dependencies, d.DevDependencies, d.OptionalDependencies} {
		for name, v := range part {
			version := string(v)
			plain, _, _ := strings.Cut(version, "(")
			switch {
			case strings.Contains(plain, ":"), version == "": // a directory or an address
			case strings.HasPrefix(version, "/"), !old && strings.LastIndexByte(plain, '@') > 0: // an alias
				name, _ = pnpmKey(version, old)
				all = append(all, name)
			case strings.Contains(plain, "/") && !old: // a repository
			default:
				all = append(all, name)
			}
		}
	}
	return all
}

// pnpmNeeds notes what an entry needs.
func (l *list) pnpmNeeds(by string, d pnpmDependencies, old bool) {
	for _, name := range d.names(old) {
		l.needs(name, by)
	}
}

// limits returns the machines that each package is limited to, by key, and those that packages inherit, by name.
func (lock pnpmLock) limits(old bool) (own map[string]Limits, inherited inheritance) {
	own, inherited = map[string]Limits{}, inheritance{}
	optional := map[string]bool{}
	for key, s := range lock.Snapshots {
		plain, _, _ := strings.Cut(key, "(")
		optional[plain] = optional[plain] || s.Optional
	}
	for key, p := range lock.Packages {
		if p.Optional || optional[key] {
			own[key] = Limits{OS: p.OS, CPU: p.CPU, Libc: p.Libc}
		}
		name, _ := pnpmKey(key, old)
		inherited.add(name, p.Optional || optional[key], own[key], p.names(old))
	}
	for key, s := range lock.Snapshots {
		name, _ := pnpmKey(key, old)
		plain, _, _ := strings.Cut(key, "(")
		inherited.add(name, optional[plain], own[plain], s.names(old))
	}
	inherited.add("", false, Limits{}, lock.names(old))
	for _, d := range lock.Importers {
		inherited.add("", false, Limits{}, d.names(old))
	}
	inherited.settle()
	return own, inherited
}

func readPNPM(l *list, data []byte) error {
	var lock pnpmLock
	if err := decodeYAML(data, &lock); err != nil {
		return err
	}
	old := strings.HasPrefix(lock.LockfileVersion, "5")
	own, inherited := lock.limits(old)
	l.ends(data)
	l.pnpmNeeds("the project", lock.pnpmDependencies, old)
	for _, part := range []table[pnpmDependencies]{lock.Importers, lock.Snapshots} {
		for by, d := range part {
			l.pnpmNeeds(by, d, old)
		}
	}
	for key, p := range lock.Packages {
		name, version := pnpmKey(key, old)
		l.listed[name] = true
		if p.Name != "" && p.Version != "" {
			name, version = p.Name, p.Version
		}
		l.listed[name] = true
		l.pnpmNeeds(key, p.pnpmDependencies, old)
		r := p.Resolution
		switch {
		case r.Directory != "":
			l.leave(name, ReasonLocal, r.Directory)
		case r.Type == "git" || r.Repo != "":
			l.leave(name, ReasonGit, r.Repo)
		case r.Integrity == "" && r.Tarball != "":
			l.leave(name, cmpReason(r.Tarball), r.Tarball)
		default:
			by, _ := pnpmKey(key, old)
			l.pin("npm", name, version, Pin{Integrity: r.Integrity, Address: http(r.Tarball), Limits: inherited.inherited(by, own[key])})
		}
	}
	return nil
}

// pnpmKey reads "name@1.0.0(peer@2)" and "/name@1.0.0(peer@2)", and in version 5 "/name/1.0.0_peer@2".
func pnpmKey(key string, old bool) (name, version string) {
	key, _, _ = strings.Cut(strings.TrimPrefix(key, "/"), "(")
	if !old {
		return cutFirst(key)
	}
	i := strings.IndexByte(key, '/')
	if strings.HasPrefix(key, "@") && i >= 0 { // the slash after the scope
		i += 1 + strings.IndexByte(key[i+1:], '/')
	}
	if i <= 0 {
		return key, ""
	}
	version, _, _ = strings.Cut(key[i+1:], "_")
	return key[:i], version
}

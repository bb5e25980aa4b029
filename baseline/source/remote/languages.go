package remote

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// maxHead bounds what stands before the list of versions in the compact index, in bytes: the time when it was made.
const maxHead = 4 << 10

// gemSums reads the checksums of the versions of a gem.
func (l *locator) gemSums() (map[string]string, error) {
	data, err := l.text(join(l.r.RubyGems, "info", l.u.Name), "")
	if err != nil {
		return nil, err
	}
	if !slices.Contains(strings.Split(string(data[:min(len(data), maxHead)]), "\n"), "---") {
		return nil, undocumented("list of versions", errors.New("it has no line of three hyphens"))
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		head, tail, _ := strings.Cut(strings.TrimSpace(line), "|")
		version, _, _ := strings.Cut(head, " ")
		if version == "---" || version == "" || strings.Contains(version, "-") { // compiled for a platform
			continue
		}
		for f := range strings.SplitSeq(tail, ",") {
			if digits, ok := strings.CutPrefix(f, "checksum:"); ok {
				sums[version] = Integrity("sha256", digits)
			}
		}
	}
	return sums, nil
}

func (l *locator) gem() (Release, error) {
	sums, err := l.gemSums()
	if err != nil {
		return Release{}, err
	}
	version := l.u.Version
	if version == "" {
		version = l.newest(slices.Sorted(maps.Keys(sums)))
	}
	if sums[version] == "" {
		return Release{}, ErrNone
	}
	file := l.u.Name + "-" + version + ".gem"
	return Release{PURL: l.named(version), Archives: []Archive{{URL: join(l.r.RubyGems, "gems", file), Integrity: sums[version], Name: file}}}, nil
}

// composerVersion is a version in a p2 document.
type composerVersion struct {
	Version string
	Time    string
	License []string
	Dist    struct{ URL, Type, Shasum, Reference string }
}

// composerDocument reads the versions of a package, without a leading "v".
func (l *locator) composerDocument() (map[string]composerVersion, error) {
	name := strings.ToLower(purl.FullName(l.u))
	var doc struct {
		Packages map[string][]composerChange
	}
	if err := l.document(join(l.r.Composer, "p2", name+".json"), "", &doc); err != nil {
		return nil, err
	}
	versions := map[string]composerVersion{}
	var v composerVersion
	for _, change := range doc.Packages[name] {
		if change.apply(&v) && v.Version != "" {
			versions[strings.TrimPrefix(v.Version, "v")] = v
		}
	}
	return versions, nil
}

// composerChange has the fields of a version in a p2 document that differ from the version before it.
type composerChange struct{ Version, Time, License, Dist json.RawMessage }

// apply changes the version before to this one. It returns false if a part of it is not as documented; that part is then unset.
func (c composerChange) apply(v *composerVersion) bool {
	parts := []bool{changed(c.Version, &v.Version), changed(c.Time, &v.Time), changed(c.License, &v.License), changed(c.Dist, &v.Dist)}
	return !slices.Contains(parts, false)
}

func changed[T any](raw json.RawMessage, part *T) bool {
	if len(raw) == 0 {
		return true
	}
	*part = *new(T)
	if string(raw) == `"__unset"` || json.Unmarshal(raw, part) == nil {
		return true
	}
	*part = *new(T)
	return false
}

func (l *locator) composer() (Release, error) {
	versions, err := l.composerDocument()
	if err != nil {
		return Release{}, err
	}
	version := strings.TrimPrefix(l.u.Version, "v")
	if version == "" {
		version = l.newest(slices.Sorted(maps.Keys(versions)))
	}
	v, ok := versions[version]
	if !ok {
		return Release{}, ErrNone
	}
	if v.Dist.URL == "" {
		return Release{}, ErrNoSource
	}
	released, _ := time.Parse(time.RFC3339, v.Time)
	return Release{PURL: l.named(v.Version), License: strings.Join(v.License, " OR "), Released: released.UTC(),
		Archives: []Archive{{URL: v.Dist.URL, Integrity: Integrity("sha1", v.Dist.Shasum), Name: "x." + v.Dist.Type}}}, nil
}

func (l *locator) maven() (Release, error) {
	if l.u.Namespace == "" {
		return Release{}, ErrNone
	}
	var failed error
	for _, repo := range l.r.Maven {
		r, err := l.mavenAt(repo)
		if err == nil {
			return r, nil
		}
		failed = errors.Join(failed, err)
	}
	if failed == nil {
		failed = ErrNone
	}
	return Release{}, failed
}

func (l *locator) mavenAt(repo string) (Release, error) {
	dir := join(repo, strings.ReplaceAll(l.u.Namespace, ".", "/"), l.u.Name)
	version := l.u.Version
	if version == "" {
		data, err := l.text(dir+"/maven-metadata.xml", "")
		if err != nil {
			return Release{}, err
		}
		var meta struct {
			Release string `xml:"versioning>release"`
		}
		if err := xml.Unmarshal(data, &meta); err != nil {
			return Release{}, undocumented("list", err)
		}
		if meta.Release == "" {
			return Release{}, ErrNone
		}
		version = meta.Release
	}
	base := join(dir, version, l.u.Name+"-"+version)
	digits, err := l.text(base+"-sources.jar.sha1", "")
	if err != nil {
		return Release{}, err
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(digits)), " ")
	r := Release{PURL: l.named(version), Archives: []Archive{{URL: base + "-sources.jar", Integrity: Integrity("sha1", first), Name: "sources.jar"}}}
	if pom, err := l.text(base+".pom", ""); err == nil {
		var p struct {
			Licenses []string `xml:"licenses>license>name"`
		}
		if xml.Unmarshal(pom, &p) == nil {
			r.License = strings.TrimSpace(strings.Join(p.Licenses, " OR "))
		}
	}
	return r, nil
}

// nugetResources reads the addresses of packages and of their metadata from the service index.
func (l *locator) nugetResources() (content, registration string, err error) {
	var index struct {
		Resources []struct {
			ID   string `json:"@id"`
			Type string `json:"@type"`
		}
	}
	if err := l.document(l.r.NuGet, "", &index); err != nil {
		return "", "", err
	}
	resource := func(prefix string) string {
		for _, r := range index.Resources {
			if strings.HasPrefix(r.Type, prefix) {
				return against(l.r.NuGet, r.ID)
			}
		}
		return ""
	}
	content, registration = resource("PackageBaseAddress/3"), resource("RegistrationsBaseUrl")
	if content == "" || registration == "" {
		return "", "", errors.New("its service index names no packages and registrations")
	}
	return content, registration, nil
}

func (l *locator) nuget() (Release, error) {
	content, registration, err := l.nugetResources()
	if err != nil {
		return Release{}, err
	}
	name, version := strings.ToLower(l.u.Name), strings.ToLower(l.u.Version)
	if version == "" {
		var list struct{ Versions []string }
		if err := l.document(join(content, name, "index.json"), "", &list); err != nil {
			return Release{}, err
		}
		version = l.newest(list.Versions)
	}
	return l.nugetVersion(content, registration, name, version)
}

// nugetVersion reads the leaf of a registration and the catalogue entry that it refers to, which has the checksum.
func (l *locator) nugetVersion(content, registration, name, version string) (Release, error) {
	var leaf struct{ CatalogEntry json.RawMessage }
	if err := l.document(join(registration, name, version+".json"), "", &leaf); err != nil {
		return Release{}, err
	}
	var entry struct {
		PackageHash, PackageHashAlgorithm, LicenseExpression, Published string
	}
	var addr string
	if json.Unmarshal(leaf.CatalogEntry, &addr) == nil {
		if err := l.document(against(registration, addr), "", &entry); err != nil {
			return Release{}, err
		}
	} else if err := json.Unmarshal(leaf.CatalogEntry, &entry); err != nil {
		return Release{}, err
	}
	released, _ := time.Parse(time.RFC3339, entry.Published)
	r := Release{PURL: l.named(version), License: entry.LicenseExpression, Released: released.UTC()}
	a := Archive{URL: join(content, name, version, name+"."+version+".nupkg"), Name: name + ".nupkg"}
	if strings.EqualFold(entry.PackageHashAlgorithm, "SHA512") {
		a.Integrity = "sha512-" + entry.PackageHash
	}
	r.Archives = []Archive{a}
	return r, nil
}

var commit = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}$`) })

// github returns the archive of a tag or a commit. GitHub announces no checksums.
func (l *locator) github() (Release, error) {
	if l.u.Version == "" || l.u.Namespace == "" {
		return Release{}, errors.New("it needs a tag or a commit as version")
	}
	ref := "refs/tags/" + l.u.Version
	if commit().MatchString(l.u.Version) {
		ref = l.u.Version
	}
	return Release{PURL: l.named(l.u.Version), Archives: []Archive{{URL: join(l.r.GitHub, l.u.Namespace, l.u.Name, "tar.gz", ref), Name: "x.tar.gz"}}}, nil
}

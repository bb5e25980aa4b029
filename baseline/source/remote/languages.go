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

// gemSums reads the checksums of the versions of a gem.
func (l *locator) gemSums() (map[string]string, error) {
	data, err := l.get(l.ctx, join(l.r.RubyGems, "info", l.u.Name), "")
	if err != nil {
		return nil, err
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
				sums[version] = sum("sha256", digits)
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
		Packages map[string][]map[string]json.RawMessage
	}
	if err := l.document(join(l.r.Composer, "p2", name+".json"), "", &doc); err != nil {
		return nil, err
	}
	versions := map[string]composerVersion{}
	all := map[string]json.RawMessage{} // each entry lists only its differences from the entry before
	for _, diff := range doc.Packages[name] {
		for k, v := range diff {
			if all[k] = v; string(v) == `"__unset"` {
				delete(all, k)
			}
		}
		var v composerVersion
		if raw, err := json.Marshal(all); err == nil && json.Unmarshal(raw, &v) == nil && v.Version != "" {
			versions[strings.TrimPrefix(v.Version, "v")] = v
		}
	}
	return versions, nil
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
		Archives: []Archive{{URL: v.Dist.URL, Integrity: sum("sha1", v.Dist.Shasum), Name: "x." + v.Dist.Type}}}, nil
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
		data, err := l.get(l.ctx, dir+"/maven-metadata.xml", "")
		if err != nil {
			return Release{}, err
		}
		var meta struct {
			Release string `xml:"versioning>release"`
		}
		if xml.Unmarshal(data, &meta) != nil || meta.Release == "" {
			return Release{}, ErrNone
		}
		version = meta.Release
	}
	base := join(dir, version, l.u.Name+"-"+version)
	digits, err := l.get(l.ctx, base+"-sources.jar.sha1", "")
	if err != nil {
		return Release{}, err
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(digits)), " ")
	r := Release{PURL: l.named(version), Archives: []Archive{{URL: base + "-sources.jar", Integrity: sum("sha1", first), Name: "sources.jar"}}}
	if pom, err := l.get(l.ctx, base+".pom", ""); err == nil {
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

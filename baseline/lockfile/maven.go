package lockfile

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"unicode/utf8"
)

// pom has the parts of a pom.xml that are read.
type pom struct {
	GroupID    string `xml:"groupId"`
	ArtifactID string `xml:"artifactId"`
	Version    string `xml:"version"`
	Parent     *struct {
		GroupID      string  `xml:"groupId"`
		ArtifactID   string  `xml:"artifactId"`
		Version      string  `xml:"version"`
		RelativePath *string `xml:"relativePath"`
	} `xml:"parent"`
	Properties   properties      `xml:"properties"`
	Managed      []pomDependency `xml:"dependencyManagement>dependencies>dependency"`
	Dependencies []pomDependency `xml:"dependencies>dependency"`
	Profiled     []pomDependency `xml:"profiles>profile>dependencies>dependency"`
	Modules      []string        `xml:"modules>module"`
}

type pomDependency struct {
	GroupID    string `xml:"groupId"`
	ArtifactID string `xml:"artifactId"`
	Version    string `xml:"version"`
	Type       string `xml:"type"`
	Scope      string `xml:"scope"`
}

// properties are elements of any name.
type properties map[string]string

// UnmarshalXML stores each element's text under its name.
func (p *properties) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	*p = properties{}
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			var text string
			if err := d.DecodeElement(&text, &t); err != nil {
				return err
			}
			(*p)[t.Name.Local] = strings.TrimSpace(text)
		}
	}
}

// maxPoms bounds the number of parents and imported lists that are read for one pom.xml.
const maxPoms = 64

// resolved combines a pom.xml and its parents.
type resolved struct {
	properties map[string]string
	managed    map[string]string // version by group:artifact
	deps       []pomDependency
	left       int // number of poms that may still be read
	poms       Poms
}

func decodePOM(data []byte) (pom, error) {
	var p pom
	if !utf8.Valid(data) {
		data = latin1(data)
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	err := d.Decode(&p)
	return p, err
}

// Modules returns the modules that a pom.xml names outside of profiles: directories or files, relative to its own directory.
func Modules(data []byte) []string {
	p, err := decodePOM(data)
	if err != nil {
		return nil
	}
	out := make([]string, len(p.Modules))
	for i, m := range p.Modules {
		out[i] = strings.TrimSpace(m)
	}
	return out
}

// readPOM reads the direct dependencies of a pom.xml. A version is the dependency's own, or comes from a parent or an
// imported list in poms. Properties are replaced. Transitive dependencies, which Maven computes, are not listed.
func readPOM(l *list, data []byte, poms Poms) error {
	p, err := decodePOM(data)
	if err != nil {
		return err
	}
	r := &resolved{properties: map[string]string{}, managed: map[string]string{}, left: maxPoms, poms: poms}
	r.take(p, "")
	for _, d := range r.deps {
		group, artifact := r.expand(d.GroupID), r.expand(d.ArtifactID)
		version := r.expand(d.Version)
		if version == "" {
			version = r.expand(r.managed[group+":"+artifact])
		}
		name := group + "/" + artifact
		switch {
		case group == r.properties["project.groupId"] && version == r.properties["project.version"] && version != "":
			l.leave(name, ReasonLocal, "a module of this project")
		case d.Scope == "system":
			l.leave(name, ReasonLocal, "of scope system")
		case version == "" || strings.ContainsAny(version, "[(,$"):
			l.open("maven", name, version)
		default:
			l.pin("maven", name, version, Pin{})
		}
	}
	return nil
}

// outside is the dir of a pom outside the tree.
const outside = "\x00"

// take adds a pom, then its parent; the nearer value wins. dir is the pom's directory relative to the first one's, with
// a slash, or "".
func (r *resolved) take(p pom, dir string) {
	r.project(p)
	for k, v := range p.Properties {
		setNew(r.properties, k, v)
	}
	for _, d := range p.Managed {
		if d.Scope != "import" {
			setNew(r.managed, r.expand(d.GroupID)+":"+r.expand(d.ArtifactID), d.Version)
		}
	}
	r.deps = append(append(r.deps, p.Dependencies...), p.Profiled...)
	if p.Parent != nil {
		r.parent(p, dir)
	}
	for _, d := range p.Managed {
		if d.Scope == "import" {
			r.imported(d)
		}
	}
}

// project sets the properties for the coordinates of the first pom.
func (r *resolved) project(p pom) {
	group, version := p.GroupID, p.Version
	if p.Parent != nil {
		if group == "" {
			group = p.Parent.GroupID
		}
		if version == "" {
			version = p.Parent.Version
		}
		setNew(r.properties, "project.parent.version", p.Parent.Version)
		setNew(r.properties, "project.parent.groupId", p.Parent.GroupID)
	}
	for _, prefix := range []string{"project.", "pom.", ""} {
		setNew(r.properties, prefix+"groupId", group)
		setNew(r.properties, prefix+"version", version)
		setNew(r.properties, prefix+"artifactId", p.ArtifactID)
	}
}

func setNew(m map[string]string, k, v string) {
	if _, ok := m[k]; !ok {
		m[k] = v
	}
}

// parent reads the parent: from its relative path if that is the right pom, else from the repository.
func (r *resolved) parent(p pom, dir string) {
	if r.left--; r.left < 0 {
		return
	}
	rel := "../pom.xml"
	if p.Parent.RelativePath != nil {
		rel = strings.TrimSpace(*p.Parent.RelativePath)
	}
	if rel != "" && !strings.HasSuffix(rel, ".xml") {
		rel = strings.TrimRight(rel, "/") + "/pom.xml"
	}
	if rel != "" && dir != outside && r.poms.Tree != nil {
		if q, err := decodePOM(r.poms.Tree(dir + rel)); err == nil && q.ArtifactID == p.Parent.ArtifactID {
			r.take(q, dir+rel[:strings.LastIndexByte(rel, '/')+1])
			return
		}
	}
	r.fromRepo(p.Parent.GroupID, p.Parent.ArtifactID, p.Parent.Version, func(q pom) { r.take(q, outside) })
}

// imported takes the managed versions of an imported list.
func (r *resolved) imported(d pomDependency) {
	if r.left--; r.left < 0 {
		return
	}
	r.fromRepo(d.GroupID, d.ArtifactID, d.Version, func(q pom) {
		sub := &resolved{properties: map[string]string{}, managed: map[string]string{}, left: r.left, poms: Poms{Repo: r.poms.Repo}}
		sub.take(q, outside)
		r.left = sub.left
		for k, v := range sub.managed {
			setNew(r.managed, k, sub.expand(v))
		}
	})
}

func (r *resolved) fromRepo(group, artifact, version string, use func(pom)) {
	group, artifact, version = r.expand(group), r.expand(artifact), r.expand(version)
	if r.poms.Repo == nil || !safe(group) || !safe(artifact) || !safe(version) {
		return
	}
	if q, err := decodePOM(r.poms.Repo(group, artifact, version)); err == nil {
		use(q)
	}
}

// maxExpansion bounds the size in bytes of a text with replaced properties.
const maxExpansion = 1024

// expand replaces ${name} by properties, at most 16 times.
func (r *resolved) expand(s string) string {
	s = strings.TrimSpace(s)
	for range 16 {
		i := strings.Index(s, "${")
		if i < 0 {
			return s
		}
		j := strings.IndexByte(s[i:], '}')
		if j < 0 {
			return s
		}
		v, ok := r.properties[s[i+2:i+j]]
		if !ok || len(s)+len(v) > maxExpansion {
			return s
		}
		s = s[:i] + v + s[i+j+1:]
	}
	return s
}

// latin1 turns the encodings of old pom.xml files into UTF-8, a letter for each byte. The parts that are used are ASCII.
func latin1(data []byte) []byte {
	out := make([]rune, len(data))
	for i, c := range data {
		out[i] = rune(c)
	}
	return []byte(string(out))
}

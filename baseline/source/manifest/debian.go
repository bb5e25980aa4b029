package manifest

import (
	"cmp"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline/bounded"
)

// Debian reads the folder debian of a Debian source package. The zero value is ready to use.
type Debian struct {
	Version string // of the package; its changelog has older ones too
	Whole   bool   // the package has Debian's files too, which can be younger than the first revision

	released       time.Time
	home, upstream string // addresses of upstream's repository: in control, and in a file for nothing else
}

// Read reads a file of the folder, if it is one of those that describe the package.
func (d *Debian) Read(name string, data []byte) {
	switch name {
	case DebianDir + "changelog":
		d.released = d.dateIn(string(data))
	case DebianDir + "control":
		d.home = ofForge(field(string(data), "Homepage"))
	case DebianDir + "upstream/metadata":
		var about struct {
			Repository string `yaml:"Repository"`
		}
		if len(data) <= maxUpstream && bounded.YAML(data, &about) == nil {
			d.upstream = Root(Address(about.Repository))
		}
	}
}

// maxUpstream bounds debian/upstream/metadata, in bytes. Usual ones have some hundred.
const maxUpstream = 1 << 16

// Meta returns the time by which Debian had the files of the package, and upstream's repository. It names no package.
func (d *Debian) Meta() Meta {
	return Meta{Released: d.released, Repository: cmp.Or(d.upstream, d.home)}
}

// dateIn returns the date of the package's own entry in a changelog if the package is whole. Otherwise it returns that of the oldest entry
// with the same version of upstream: Debian's archive does not accept another content of upstream's archive under the same version, so its
// files are at least that old.
func (d *Debian) dateIn(changelog string) (first time.Time) {
	same := false
	for line := range strings.Lines(changelog) {
		line = strings.TrimRight(line, "\r\n")
		switch signed, isEnd := strings.CutPrefix(line, " -- "); {
		case isEnd && same:
			if t, err := mail.ParseDate(signedAt(signed)); err == nil {
				first = t.UTC()
			}
		case line != "" && line[0] != ' ' && line[0] != '\t':
			_, rest, _ := strings.Cut(line, " (")
			v, _, ok := strings.Cut(rest, ")")
			same = ok && (v == d.Version || !d.Whole && upstreamOf(v) == upstreamOf(d.Version))
		}
	}
	return first
}

// signedAt returns the date after a name and an address: "Name <address>  Fri, 22 Sep 2022 10:00:00 +0200".
func signedAt(signed string) string {
	return strings.TrimSpace(signed[strings.LastIndexByte(signed, '>')+1:])
}

// upstreamOf returns upstream's part of a Debian version: without epoch and revision.
func upstreamOf(version string) string {
	if _, rest, ok := strings.Cut(version, ":"); ok {
		version = rest
	}
	if i := strings.LastIndexByte(version, '-'); i >= 0 {
		version = version[:i]
	}
	return version
}

// DebianDir is the directory of the files that Debian adds to upstream's.
const DebianDir = "debian/"

var component = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.orig-([A-Za-z0-9-]+)\.tar\.`) })

// DebianPart returns in which directory of a Debian source package the files of a part are placed, by the name of the part. Files of upstream
// go to the root, further archives of upstream to separate directories, and Debian's files to DebianDir. There they replace those of
// the other parts. ok reports whether the part is an archive.
func DebianPart(name string) (dir string, ok bool) {
	m := component().FindStringSubmatch(name)
	switch {
	case strings.HasSuffix(name, ".asc") || !strings.Contains(name, ".tar."):
		return "", false
	case m != nil:
		return m[1] + "/", true
	case strings.Contains(name, ".debian.tar."):
		return DebianDir, true
	}
	return "", true
}

// field returns the value of a field in the first paragraph of a control file.
func field(control, key string) string {
	for line := range strings.Lines(control) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			return ""
		}
		if value, ok := strings.CutPrefix(line, key+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

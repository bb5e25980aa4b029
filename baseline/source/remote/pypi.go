package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// simpleFile is a file in Python's simple index, as JSON by PEP 691.
type simpleFile struct {
	Filename   string
	URL        string
	Hashes     map[string]string
	UploadTime string          `json:"upload-time"`
	Yanked     json.RawMessage // false, true or the reason
}

// withdrawn reports whether a file was yanked, so that tools use it only if its version is named.
func (f simpleFile) withdrawn() bool {
	return len(f.Yanked) > 0 && string(f.Yanked) != "false" && string(f.Yanked) != "null"
}

var (
	pythonRuns = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[-_.]+`) })
	anchor     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)<a\s[^>]*href\s*=\s*["']([^"']+)["'][^>]*>([^<]*)</a>`)
	})
	archived = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\.(?:tar(?:\.[a-z0-9]+)?|tgz|tbz2?|zip|whl|egg|exe|msi|rpm|deb|dmg)$`)
	})
	yanked = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\sdata-yanked\b`) })
)

const simpleJSON = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"

// pypi asks one index after another until one has the package.
func (l *locator) pypi() (Release, error) {
	var failed error
	for _, index := range append([]string{l.r.PyPI}, l.r.PyPIExtra...) {
		r, err := l.pypiAt(index)
		if err == nil {
			return r, nil
		}
		failed = errors.Join(failed, err)
	}
	return Release{}, failed
}

func (l *locator) pypiAt(index string) (Release, error) {
	name := l.pythonName()
	addr := join(index, name) + "/"
	files, err := l.simpleFiles(addr)
	if err != nil {
		return Release{}, err
	}
	version := l.u.Version
	if version == "" {
		var all []string
		for _, f := range files {
			if v := sdistVersion(f.Filename, name); v != "" && !f.withdrawn() {
				all = append(all, v)
			}
		}
		version = l.newest(all)
	}
	best, quality := simpleFile{}, 0
	for _, f := range files {
		if q := pythonQuality(f.Filename, name, version); q > quality {
			best, quality = f, q
		}
	}
	if quality == 0 {
		return Release{}, ErrNone
	}
	released, _ := time.Parse(time.RFC3339, best.UploadTime)
	return Release{PURL: l.named(version), Released: released.UTC(), Archives: []Archive{{URL: best.URL, Integrity: Integrity("sha256", best.Hashes["sha256"]), Name: best.Filename}}}, nil
}

func (l *locator) pythonName() string {
	return pythonRuns().ReplaceAllString(strings.ToLower(l.u.Name), "-")
}

// errNoFile reports a page without any archive, such as one that asks for a login.
var errNoFile = errors.New("its answer lists no archive of any version")

// simpleFiles fetches a page of the simple index, JSON or HTML.
func (l *locator) simpleFiles(addr string) ([]simpleFile, error) {
	data, err := l.text(addr, simpleJSON)
	if err != nil {
		return nil, err
	}
	var page struct{ Files []simpleFile }
	if json.Unmarshal(data, &page) != nil {
		page.Files = linkedFiles(data)
	}
	if !slices.ContainsFunc(page.Files, func(f simpleFile) bool { return archived().MatchString(f.Filename) }) {
		return nil, errNoFile
	}
	for i := range page.Files {
		page.Files[i].URL = against(addr, page.Files[i].URL)
	}
	return page.Files, nil
}

// linkedFiles reads the links of a page of HTML.
func linkedFiles(data []byte) []simpleFile {
	var out []simpleFile
	for _, m := range anchor().FindAllSubmatch(data, 100_000) {
		href, fragment, _ := strings.Cut(html.UnescapeString(string(m[1])), "#")
		digits, _ := strings.CutPrefix(fragment, "sha256=")
		f := simpleFile{Filename: strings.TrimSpace(html.UnescapeString(string(m[2]))), URL: href}
		f.Hashes = map[string]string{"sha256": digits}
		if tag, _, _ := bytes.Cut(m[0], []byte{'>'}); yanked().Match(tag) {
			f.Yanked = json.RawMessage("true")
		}
		out = append(out, f)
	}
	return out
}

// sdistVersion returns the version of NAME-VERSION.tar.gz or .zip, and "" for other files.
func sdistVersion(file, name string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(file, ".tar.gz"), ".zip")
	i := strings.LastIndexByte(base, '-')
	if base == file || i < 0 || pythonRuns().ReplaceAllString(strings.ToLower(base[:i]), "-") != name {
		return ""
	}
	return base[i+1:]
}

// wheelVersion returns the version of NAME-VERSION-….whl, and "" for other files.
func wheelVersion(file, name string) string {
	f := strings.Split(file, "-")
	if len(f) < 5 || !strings.HasSuffix(file, ".whl") || pythonRuns().ReplaceAllString(strings.ToLower(f[0]), "-") != name {
		return ""
	}
	return f[1]
}

// pythonQuality ranks the files of a version: source before wheels, and wheels for any platform before others.
func pythonQuality(file, name, version string) int {
	if v := sdistVersion(file, name); v != "" && v == version {
		return 3
	}
	if v := wheelVersion(file, name); v == "" || v != version {
		return 0
	}
	if strings.HasSuffix(file, "-none-any.whl") {
		return 2
	}
	return 1
}

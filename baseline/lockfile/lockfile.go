// Package lockfile reads lock files, manifests and bills of material: the texts in which a repository lists its dependencies. It
// returns pins: the package URL of one version, with the checksums in the text. It also lists the entries that name no package of a
// registry, each with a reason. It reads no files and uses no network. Names and versions that it returns are safe to use in paths.
package lockfile

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// Reasons why an entry gives no pin.
const (
	ReasonLocal   = "local"      // a directory or file beside the lock file: the user's own code
	ReasonGit     = "git"        // a commit of a repository
	ReasonAddress = "address"    // an archive at an address outside any registry
	ReasonRange   = "no-version" // the text does not give the version
	ReasonName    = "no-name"    // a name or version that no registry can have
)

// MaxBytes bounds a text, in bytes. The largest real ones list 20,000 packages in 10 MB.
const MaxBytes = 32 << 20

// maxEntries bounds the entries read from one text.
const maxEntries = 500_000

// maxDepth bounds nesting. Real lock files have fewer than 20 levels.
const maxDepth = 1000

// ErrTooLarge reports that a text has more entries or deeper nesting than the limits.
var ErrTooLarge = errors.New("it lists more entries, or nests them deeper, than any real one")

// Pin is one version of a package that a text names.
type Pin struct {
	PURL string
	// Integrity has the checksums of the registry's archives, as "sha256-BASE64", separated by spaces, as in Subresource Integrity.
	// A version can have several archives, and a text several checksums for it.
	Integrity string
	// Unreadable is an invalid checksum, or one of an unknown kind. It is "" if Integrity has a checksum.
	Unreadable string
	Address    string // address of the archive, if the text gives one
	License    string // as the text declares it
	Bundled    bool   // it is inside the package that depends on it
	Limits     Limits // machines that it is installed on; empty for all

	Git, Revision string // of a package that is a git repository: its https address, the commit

	Bring string // the command that brings it, if it is another than the Format's
}

// Limits are the machines that an optional package is installed on, in npm's terms. "!" before a name excludes it.
// Markers are conditions in Python's terms, of which one has to hold.
type Limits struct{ OS, CPU, Libc, Markers []string }

// Excludes reports whether a package manager may leave a package out on a machine. The reason is that its system or processor is not
// among those of the package, or that the package needs a C library, which is not known here.
func (l Limits) Excludes(system, processor string) bool {
	other := func(m string) bool { return marks(m, system, processor) == fails }
	return !among(l.OS, system) || !among(l.CPU, processor) || len(l.Libc) > 0 || len(l.Markers) > 0 && !slices.ContainsFunc(l.Markers, func(m string) bool { return !other(m) })
}

// either returns the markers of a package that two entries limit.
func either(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil // one of them is for every machine
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// marked returns the limits of an entry with a marker, or those of one without.
func marked(marker string) Limits {
	if marker = strings.TrimSpace(marker); marker == "" {
		return Limits{}
	}
	return Limits{Markers: []string{marker}}
}

// among reports whether a list of names allows a name.
func among(list []string, name string) bool {
	allowed := true // stays true if the list only excludes
	for _, n := range list {
		if no, ok := strings.CutPrefix(n, "!"); ok {
			if no == name {
				return false
			}
			continue
		}
		if n == name || n == "any" {
			return true
		}
		allowed = false
	}
	return allowed
}

// Left is an entry without a pin: it names no package of a registry, or no version of the package PURL.
type Left struct {
	Name, Reason, Detail, PURL string
	Bring                      string // as that of a Pin
	Limits                     Limits // as those of a Pin
}

// compare orders entries; 0 means that both say the same.
func (a Left) compare(b Left) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Reason, b.Reason), strings.Compare(a.Detail, b.Detail),
		strings.Compare(a.Bring, b.Bring), slices.Compare(a.Limits.Markers, b.Limits.Markers), strings.Compare(a.PURL, b.PURL))
}

// File is the content of one text. Pins are ordered by package URL, each once.
type File struct {
	Pins []Pin
	Left []Left
}

// Poms provides the texts that a pom.xml refers to. Nil functions provide none.
type Poms struct {
	Tree func(rel string) []byte                      // by path relative to the pom.xml
	Repo func(group, artifact, version string) []byte // from a local repository
}

// Format is a kind of text.
type Format struct {
	Name  string // as in the documentation
	bring string // command that fetches the listed packages to this machine

	match func(base string) bool
	read  func(*list, []byte, Poms) error
}

// named returns a function that accepts these names.
func named(names ...string) func(string) bool {
	return func(base string) bool { return slices.Contains(names, base) }
}

func suffixed(suffixes ...string) func(string) bool {
	return func(base string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(base, s) })
	}
}

// plain wraps a reader that needs no other text.
func plain(read func(*list, []byte) error) func(*list, []byte, Poms) error {
	return func(l *list, data []byte, _ Poms) error { return read(l, data) }
}

// Formats lists the formats that can be read, ordered by name.
var Formats = []Format{
	{"Cargo.lock", "cargo fetch", named("Cargo.lock"), plain(readCargo)},
	{"CycloneDX JSON", "", func(b string) bool { return b == "bom.json" || strings.HasSuffix(b, ".cdx.json") }, plain(readCycloneDX)},
	{"Gemfile.lock", "bundle install", named("Gemfile.lock", "gems.locked"), plain(readGemfile)},
	{"Package.resolved", swiftResolve, named("Package.resolved"), plain(readSwift)},
	{"Pipfile.lock", "pipenv sync", named("Pipfile.lock"), plain(readPipfile)},
	{"SPDX JSON", "", suffixed(".spdx.json"), plain(readSPDX)},
	{"build.gradle", mavenGet, named("build.gradle", "build.gradle.kts"), plain(readGradleBuild)},
	{"bun.lock", "bun install", named("bun.lock"), plain(readBun)},
	{"composer.lock", "composer install", named("composer.lock"), plain(readComposer)},
	{"gradle.lockfile", mavenGet, suffixed("gradle.lockfile"), plain(readGradle)},
	{"libs.versions.toml", mavenGet, suffixed(".versions.toml"), plain(readCatalog)},
	{"package-lock.json", "npm ci", named("package-lock.json", "npm-shrinkwrap.json"), plain(readNPM)},
	{"packages.lock.json", "dotnet restore", named("packages.lock.json"), plain(readNuGet)},
	{"pdm.lock", "pdm sync", named("pdm.lock"), plain(readPoetry)},
	{"pnpm-lock.yaml", "pnpm install --frozen-lockfile", named("pnpm-lock.yaml"), plain(readPNPM)},
	{"poetry.lock", "poetry install", named("poetry.lock"), plain(readPoetry)},
	{"pom.xml", "mvn dependency:sources", named("pom.xml"), readPOM},
	{"pyproject.toml", "pip install .", named("pyproject.toml"), plain(readPyproject)},
	{"requirements.txt", pipInstall, requirementsName, plain(readRequirements)},
	{"uv.lock", "uv sync", named("uv.lock"), plain(readUV)},
	{"yarn.lock", "yarn install --frozen-lockfile", named("yarn.lock"), plain(readYarn)},
}

const (
	mavenEach = "mvn dependency:get -Dartifact="
	mavenGet  = mavenEach + "GROUP:NAME:VERSION:jar:sources"
)

// mavenCommand returns the command of mavenGet for one package, or "" if the command would have to be quoted.
func mavenCommand(name, version string) string {
	group, artifact, _ := strings.Cut(name, "/")
	command := strings.NewReplacer("GROUP", group, "NAME", artifact, "VERSION", version).Replace(mavenGet)
	if at := strings.TrimPrefix(command, mavenEach); Quoted(at) != at {
		return ""
	}
	return command
}

// Home returns the directory that a lock file applies to, with slashes. That is its own directory, except that Xcode keeps the file
// inside the project.
func Home(name string) string {
	home := path.Dir(name)
	for at := home; at != "." && at != "/"; at = path.Dir(at) {
		if ext := path.Ext(at); ext == ".xcodeproj" || ext == ".xcworkspace" {
			home = path.Dir(at)
		}
	}
	return home
}

// Brings returns the command that fetches the packages of a text to this machine, or "". Run it in the Home of the text, unless
// Anywhere is true.
func (f *Format) Brings(name string) string {
	switch {
	case f.bring == mavenGet:
		return "" // a pin has its own command
	case f.bring == swiftResolve && Home(name) != path.Dir(name):
		return "xcodebuild -resolvePackageDependencies"
	case f.bring != pipInstall:
		return f.bring
	}
	base := Quoted(path.Base(name)) // the only command that names the file
	if base == "" {
		return ""
	}
	return strings.ReplaceAll(f.bring, f.Name, base)
}

// Anywhere reports whether the command of Brings works in any directory.
func (f *Format) Anywhere() bool { return f.bring == mavenGet }

// Quoted returns a path quoted for a shell, or "" if it cannot be shown on one line.
func Quoted(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return ""
	}
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+@:%,=", r)
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

const pipInstall = "pip install -r requirements.txt"

// requirementsName accepts requirements.txt and its usual variants.
func requirementsName(base string) bool {
	rest, ok := strings.CutSuffix(base, ".txt")
	return ok && (rest == "requirements" || strings.HasPrefix(rest, "requirements-") || strings.HasPrefix(rest, "requirements_") ||
		strings.HasSuffix(rest, "-requirements") || strings.HasSuffix(rest, "_requirements"))
}

// Of returns the format of a file by its name, or nil.
func Of(name string) *Format {
	base := path.Base(name)
	for i := range Formats {
		if Formats[i].match(base) {
			return &Formats[i]
		}
	}
	return nil
}

// Read reads a text of the format.
func (f *Format) Read(data []byte, poms Poms) (File, error) {
	if len(data) > MaxBytes || deep(data) {
		return File{}, fmt.Errorf("read %s: %w", f.Name, ErrTooLarge)
	}
	l := &list{pins: map[string]Pin{}}
	if f.bring == mavenGet {
		l.each = mavenCommand
	}
	if err := f.read(l, data, poms); err != nil {
		return File{}, fmt.Errorf("read %s: %w", f.Name, err)
	}
	if l.full {
		return File{}, fmt.Errorf("read %s: %w", f.Name, ErrTooLarge)
	}
	return l.file(), nil
}

// deep reports nesting that would exhaust a parser's stack.
func deep(data []byte) bool {
	depth := 0
	for _, c := range data {
		switch c {
		case '[', '{':
			if depth++; depth > maxDepth {
				return true
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return false
}

// list collects the entries of a text.
type list struct {
	pins map[string]Pin
	left []Left
	full bool

	bring string                            // of the entries at hand
	each  func(name, version string) string // the command of each entry, if it has its own
}

// pin adds a version of a package. A repeated version adds its checksums.
func (l *list) pin(typ, name, version string, p Pin) {
	if len(l.pins)+len(l.left) >= maxEntries {
		l.full = true
		return
	}
	switch {
	case version == "":
		l.limited(typ, name, "", p.Limits)
		return
	case !safe(name) || !safe(version):
		l.leave(name, ReasonName, version)
		return
	}
	c, err := purl.Canonical(purl.Make(typ, name, version))
	if err != nil {
		l.leave(name, ReasonName, version)
		return
	}
	p.PURL, p.Bring = c, l.bring
	if l.each != nil {
		p.Bring = l.each(name, version)
	}
	p.Integrity, p.Unreadable = readable(p.Integrity)
	if old, ok := l.pins[c]; ok {
		p = merged(old, p)
	}
	l.pins[c] = p
}

// merged joins two entries of one version; their order does not matter.
func merged(a, b Pin) Pin {
	sums := append(strings.Fields(a.Integrity), strings.Fields(b.Integrity)...)
	slices.Sort(sums)
	a.Integrity = strings.Join(slices.Compact(sums), " ")
	a.Unreadable = max(a.Unreadable, b.Unreadable)
	if a.Address == "" || b.Address != "" && b.Address < a.Address {
		a.Address = b.Address
	}
	a.License = max(a.License, b.License)
	a.Git, a.Revision = max(a.Git, b.Git), max(a.Revision, b.Revision)
	a.Bundled, a.Bring = a.Bundled && b.Bundled, min(a.Bring, b.Bring)
	a.Limits.Markers = either(a.Limits.Markers, b.Limits.Markers)
	return a
}

func (l *list) leave(name, reason, detail string) {
	if len(l.pins)+len(l.left) >= maxEntries {
		l.full = true
		return
	}
	l.left = append(l.left, Left{Name: clip(name), Reason: reason, Detail: clip(detail)})
}

// open adds a package whose version the text leaves open.
func (l *list) open(typ, name, detail string) { l.limited(typ, name, detail, Limits{}) }

// limited adds a package without a fixed version that is for some machines only.
func (l *list) limited(typ, name, detail string, on Limits) {
	if c, err := purl.Canonical(purl.Make(typ, name, "")); err == nil && safe(name) && len(l.pins)+len(l.left) < maxEntries {
		l.left = append(l.left, Left{Name: clip(name), Reason: ReasonRange, Detail: clip(detail), PURL: c, Bring: l.bring, Limits: on})
		return
	}
	l.leave(name, ReasonName, detail)
}

// clip makes untrusted text short and printable.
func clip(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), 256)], "?")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

func (l *list) file() File {
	f := File{Left: l.left}
	for _, p := range l.pins {
		if p.Integrity != "" { // a download must match one of these
			p.Unreadable = ""
		}
		f.Pins = append(f.Pins, p)
	}
	slices.SortFunc(f.Pins, func(a, b Pin) int { return strings.Compare(a.PURL, b.PURL) })
	slices.SortFunc(f.Left, Left.compare)
	bring := map[string]string{} // one command brings a package
	for _, e := range f.Left {
		if was, ok := bring[e.PURL]; !ok || e.Bring < was {
			bring[e.PURL] = e.Bring
		}
	}
	for i := range f.Left {
		f.Left[i].Bring = bring[f.Left[i].PURL]
	}
	f.Left = slices.CompactFunc(f.Left, func(a, b Left) bool { return a.compare(b) == 0 })
	return f
}

// safe reports whether a name or version can be part of a path below a directory.
func safe(s string) bool {
	if s == "" || len(s) > 512 || !utf8.ValidString(s) {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`\:?#%"<>|*`, r) })
}

// hexSums converts checksums "sha256:HEX" or "sha256=HEX" to the form of Integrity. Others stay unchanged.
func hexSums(sums ...string) string {
	var out []string
	for _, s := range sums {
		if i := strings.IndexAny(s, ":="); i >= 0 && i+1 < len(s) {
			s = hexSum(s[:i], s[i+1:])
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// sizes are the lengths in bytes of the known checksums.
var sizes = map[string]int{"sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64, "md5": 16}

// hexSum returns a checksum in the form of Integrity, or "" for none. An invalid one becomes "algorithm:text".
func hexSum(algorithm, text string) string {
	if text == "" {
		return ""
	}
	known := strings.ReplaceAll(strings.ToLower(algorithm), "-", "")
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != sizes[known] {
		return algorithm + ":" + text
	}
	return known + "-" + base64.StdEncoding.EncodeToString(raw)
}

// readable splits the checksums of a text into those that can be compared and one of the others.
func readable(s string) (sums, unreadable string) {
	var out []string
	for _, f := range strings.Fields(s) {
		f, _, _ = strings.Cut(f, "?")
		algorithm, sum, ok := strings.Cut(f, "-")
		raw, err := base64.StdEncoding.DecodeString(sum)
		if ok && err == nil && len(raw) == sizes[algorithm] && len(raw) > 0 {
			out = append(out, f)
		} else {
			unreadable = max(unreadable, clip(f))
		}
	}
	return strings.Join(out, " "), unreadable
}

// http returns an http or https address, and "" for anything else.
func http(s string) string {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		return s
	}
	return ""
}

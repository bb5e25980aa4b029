package lockfile

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// Format is a kind of text.
type Format struct {
	Name  string // as in the documentation
	bring string // command that fetches the listed packages to this machine
	Needs string // file that the command of Brings reads beside the text, or ""

	match func(name string) bool // by path
	read  func(*list, []byte, Poms) error
}

// named returns a function that accepts these names.
func named(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, path.Base(name)) }
}

func suffixed(suffixes ...string) func(string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, s) })
	}
}

// plain wraps a reader that needs no other text.
func plain(read func(*list, []byte) error) func(*list, []byte, Poms) error {
	return func(l *list, data []byte, _ Poms) error { return read(l, data) }
}

// packageJSON is needed by the package managers of Node: without it, their commands fail or bring nothing. Plugins of other build
// tools write their lock files alone.
const packageJSON = "package.json"

// Formats lists the formats that can be read, ordered by name.
var Formats = []Format{
	{"Cargo.lock", "cargo fetch", "", named("Cargo.lock"), plain(readCargo)},
	{"CycloneDX JSON", "", "", func(b string) bool { return path.Base(b) == "bom.json" || strings.HasSuffix(b, ".cdx.json") }, plain(readCycloneDX)},
	{"Gemfile.lock", "bundle install", "", named("Gemfile.lock", "gems.locked"), plain(readGemfile)},
	{"Package.resolved", swiftResolve, "", named("Package.resolved"), plain(readSwift)},
	{"Pipfile.lock", "pipenv sync", "", named("Pipfile.lock"), plain(readPipfile)},
	{"Podfile.lock", "pod install", "Podfile", named("Podfile.lock"), plain(readPodfile)},
	{"SPDX JSON", "", "", suffixed(".spdx.json"), plain(readSPDX)},
	{"build.gradle", mavenGet, "", named("build.gradle", "build.gradle.kts"), plain(readGradleBuild)},
	{"bun.lock", "bun install", packageJSON, named("bun.lock"), plain(readBun)},
	{"composer.lock", "composer install", "", named("composer.lock"), plain(readComposer)},
	{"gradle.lockfile", mavenGet, "", suffixed("gradle.lockfile"), plain(readGradle)},
	{"libs.versions.toml", mavenGet, "", suffixed(".versions.toml"), plain(readCatalog)},
	{"package-lock.json", "npm ci", packageJSON, named("package-lock.json", "npm-shrinkwrap.json"), plain(readNPM)},
	{"packages.lock.json", "dotnet restore", "", named("packages.lock.json"), plain(readNuGet)},
	{"pdm.lock", "pdm sync", "", named("pdm.lock"), plain(readPoetry)},
	{"pnpm-lock.yaml", "pnpm install --frozen-lockfile", packageJSON, named("pnpm-lock.yaml"), plain(readPNPM)},
	{"poetry.lock", "poetry install", "", named("poetry.lock"), plain(readPoetry)},
	{"pom.xml", "mvn dependency:sources", "", named("pom.xml"), readPOM},
	{"pyproject.toml", "pip install .", "", named("pyproject.toml"), plain(readPyproject)},
	{"requirements.txt", pipInstall, "", requirementsName, readRequirements},
	{"uv.lock", "uv sync", "", named("uv.lock"), plain(readUV)},
	{"yarn.lock", "yarn install --frozen-lockfile", packageJSON, named("yarn.lock"), readYarn},
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

// Brings returns the command that installs the packages of a text on this machine, or "". Run it in the Home of the text, unless
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

// Quoted returns a path quoted for a shell, or "" if it cannot be shown on one line. A shell does not take it for a flag.
func Quoted(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return Word(name)
}

// Word returns a text quoted for a shell, or "" if it is empty or cannot be shown on one line.
func Word(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return ""
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

// inRequirements are the usual names in a directory of requirements.
var inRequirements = []string{"all", "base", "build", "ci", "common", "core", "default", "dev", "devel", "develop", "development", "doc", "docs", "extra",
	"extras", "heroku", "lint", "linting", "local", "main", "optional", "prod", "production", "release", "runtime", "staging", "test", "testing", "tests", "typing"}

// requirementsName accepts requirements.txt and its usual variants.
func requirementsName(name string) bool {
	rest, ok := strings.CutSuffix(path.Base(name), ".txt")
	return ok && (path.Base(path.Dir(name)) == "requirements" && slices.Contains(inRequirements, rest) || rest == "requirements" || strings.HasPrefix(rest, "requirements-") || strings.HasPrefix(rest, "requirements_") ||
		strings.HasSuffix(rest, "-requirements") || strings.HasSuffix(rest, "_requirements"))
}

// Of returns the format of a file by its path with slashes, or nil.
func Of(name string) *Format {
	for i := range Formats {
		if Formats[i].match(name) {
			return &Formats[i]
		}
	}
	return nil
}

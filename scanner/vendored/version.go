package vendored

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// built is how a build file states the version of its project: the first group of the pattern.
type built struct {
	names   []string
	pattern func() *regexp.Regexp
}

// builds lists build files of languages without a package manager. They tell no package, since every part of a project may have
// them, but the version of a directory that its licence shows to be one.
var builds = []built{
	{[]string{"meson.build"}, pattern(`(?m)^[ \t]*project[ \t]*\([^)]{0,400}?\bversion[ \t]*:[ \t]*'([^'\n]{1,64})'`)},
	{[]string{"configure.ac", "configure.in"}, pattern(`(?m)^[ \t]*AC_INIT[ \t]*\([^,)]{1,200},\s*\[?([^\],)\n]{1,64})\]?[ \t]*[,)]`)},
	{[]string{"CMakeLists.txt"}, pattern(`(?mi)^[ \t]*project[ \t]*\([^)]{1,300}?\bVERSION\s+"?([^\s)"]{1,64})`)},
	{[]string{"VERSION", "VERSION.txt", "version.txt"}, pattern(`\A\s*(\S{1,64})\s*\z`)},
}

func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// version matches versions as libraries have them: two numbers at least. A variable of the build file is none.
var version = pattern(`\A[vV]?[0-9]+(?:\.[0-9]+)+(?:[-+.~_]?[0-9A-Za-z]+)*\z`)

// builtVersion returns the version that a build file of a directory states, or "".
func (s *search) builtVersion(dir string) string {
	for _, b := range builds {
		for _, name := range b.names {
			if !s.has(dir + "/" + name) {
				continue
			}
			m := b.pattern().FindSubmatch(s.Read(dir+"/"+name, maxManifest))
			if m == nil {
				continue
			}
			if v := strings.TrimSpace(string(m[1])); version().MatchString(v) {
				return v
			}
		}
	}
	return ""
}

// released returns what a directory without a manifest tells of its package: the version of a build file, or else that of a name such
// as mbedtls-2.4.2.
func (s *search) released(dir string) otherFields {
	if v := s.builtVersion(dir); v != "" {
		return otherFields{Version: v}
	}
	if name, v, ok := nameVersion(path.Base(dir)); ok && version().MatchString(v) {
		return otherFields{Name: name, Version: v}
	}
	return otherFields{}
}

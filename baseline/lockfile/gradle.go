package lockfile

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A build file of Gradle is a program. Only its literals are read: coordinates in quotes in its "dependencies" blocks.

// ReasonProgram marks entries that only running the build would determine.
const ReasonProgram = "not-literal"

// ReasonList marks lists of versions, which have no code.
const ReasonList = "list-of-versions"

var (
	// groups: a configuration, the wrapper of the coordinates, the text in quotes, the text after it
	gradleText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*([A-Za-z_]\w*)[ \t(]+((?:[A-Za-z_]\w*[ \t]*\(\s*)*)["']([^"'\n]*)["']([ \t]*[+.][ \t]*\w)?`)
	})
	// the same with names for the parts: group: "g", name: "n", version: "v"
	gradleNamed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*([A-Za-z_]\w*)[ \t(]+group[ \t]*[:=][ \t]*["']([^"'\n]*)["'][ \t]*,\s*name[ \t]*[:=][ \t]*["']([^"'\n]*)["'](?:[ \t]*,\s*version[ \t]*[:=][ \t]*(["']([^"'\n]*)["']|[\w.]+))?`)
	})
	gradleBlock = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bdependencies[ \t]*\{`) })
)

func readGradleBuild(l *list, data []byte) error {
	text := withoutComments(string(data))
	for {
		at := gradleBlock().FindStringIndex(text)
		if at == nil {
			return nil
		}
		block, rest, whole := braced(text[at[1]:])
		if !whole {
			l.cut("a block of dependencies has no end")
		}
		for _, m := range gradleNamed().FindAllStringSubmatch(block, maxEntries) {
			version := m[5]
			if m[4] != "" && version == "" {
				version = "$" + m[4] // a variable
			}
			l.coordinates(m[2] + ":" + m[3] + ":" + version)
		}
		for _, m := range gradleText().FindAllStringSubmatch(block, maxEntries) {
			l.gradleText(strings.TrimRight(m[2], " \t\r\n("), m[3], m[4] != "")
		}
		text = rest
	}
}

// gradleText handles a text in quotes according to its wrapper.
func (l *list) gradleText(wrapper, text string, goesOn bool) {
	switch {
	case wrapper == "files" || wrapper == "fileTree":
		l.leave(text, ReasonLocal, "")
	case strings.HasSuffix(strings.ToLower(wrapper), "platform"):
		l.leave(text, ReasonList, "")
	case strings.HasSuffix(wrapper, "project") || !strings.Contains(text, ":") || strings.HasPrefix(text, ":"):
	case goesOn:
		l.leave(text, ReasonProgram, "")
	default:
		l.coordinates(text)
	}
}

// coordinates reads GROUP:NAME, GROUP:NAME:VERSION, GROUP:NAME:VERSION:CLASSIFIER@EXTENSION.
func (l *list) coordinates(text string) {
	text, _, _ = strings.Cut(text, "@")
	f := strings.Split(strings.TrimSuffix(text, "!!"), ":")
	for len(f) < 3 {
		f = append(f, "")
	}
	switch name := f[0] + "/" + f[1]; {
	case strings.ContainsAny(text, "${}"):
		l.leave(text, ReasonProgram, "")
	case f[2] == "" || strings.ContainsAny(f[2], "+[](),") || strings.HasPrefix(f[2], "latest."):
		l.open("maven", name, f[2])
	default:
		l.pin("maven", name, f[2], Pin{})
	}
}

// withoutComments replaces comments with blanks and keeps line ends.
func withoutComments(s string) string {
	out := []byte(s)
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"' || s[i] == '\'':
			for quote := s[i]; i+1 < len(s) && s[i+1] != quote && s[i+1] != '\n'; i++ {
				if s[i+1] == '\\' {
					i++
				}
			}
			i++
		case strings.HasPrefix(s[i:], "//"):
			for ; i < len(s) && s[i] != '\n'; i++ {
				out[i] = ' '
			}
		case strings.HasPrefix(s[i:], "/*"):
			stop := len(s)
			if n := strings.Index(s[i+2:], "*/"); n >= 0 {
				stop = i + len("/*") + n + len("*/")
			}
			for ; i < stop; i++ {
				if s[i] != '\n' {
					out[i] = ' '
				}
			}
			i--
		}
	}
	return string(out)
}

// braced returns the content of a block up to its closing brace, and the text after it. whole is false if no brace closes it.
func braced(s string) (block, rest string, whole bool) {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '"', '\'':
			if end := strings.IndexByte(s[i+1:], s[i]); end >= 0 && !strings.Contains(s[i+1:i+1+end], "\n") {
				i += end + 1
			}
		}
		if depth == 0 {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// readCatalog reads the table [libraries] of a version catalogue.
func readCatalog(l *list, data []byte) error {
	var c struct{ Versions, Libraries map[string]any }
	if err := decodeTOML(data, &c); err != nil {
		return err
	}
	for alias, entry := range c.Libraries {
		switch e := entry.(type) {
		case string:
			l.coordinates(e)
		case map[string]any:
			module, _ := e["module"].(string)
			if group, ok := e["group"].(string); ok && module == "" {
				module = fmt.Sprint(group, ":", e["name"])
			}
			version := e["version"]
			if t, ok := version.(map[string]any); ok && t["ref"] != nil {
				version = c.Versions[fmt.Sprint(t["ref"])]
			}
			if module == "" {
				l.leave(alias, ReasonName, "")
				continue
			}
			l.coordinates(module + ":" + richVersion(version))
		default:
			l.leave(alias, ReasonName, "")
		}
	}
	return nil
}

// richVersion returns a plain version, or the one that a table prefers.
func richVersion(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		for _, key := range []string{"prefer", "strictly", "require"} {
			if s, ok := v[key].(string); ok {
				return s
			}
		}
	}
	return ""
}

// readGradle reads the lines "group:name:version=configuration,…" of gradle.lockfile.
func readGradle(l *list, data []byte) error {
	l.ends(data)
	whole := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		whole = whole || strings.HasPrefix(line, "empty=")
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "empty=") {
			continue
		}
		module, _, _ := strings.Cut(line, "=")
		f := strings.Split(module, ":")
		if len(f) != 3 {
			l.leave(module, ReasonName, "")
			continue
		}
		l.pin("maven", f[0]+"/"+f[1], f[2], Pin{})
	}
	if !whole {
		l.cut(`no line "empty=", which Gradle writes last`)
	}
	return nil
}

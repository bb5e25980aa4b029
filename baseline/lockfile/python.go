package lockfile

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

func readPipfile(l *list, data []byte) error {
	type entry struct {
		Version, Git, Path, File, Markers string
		Editable                          bool
		Hashes                            []string
	}
	var lock entries[json.RawMessage] // default, develop and categories of the project's own
	if err := json.Unmarshal(data, &lock); err != nil {
		return err
	}
	for _, category := range lock {
		if category.key == "_meta" {
			continue
		}
		var part entries[entry]
		if err := json.Unmarshal(category.value, &part); err != nil {
			return err
		}
		for _, one := range part {
			name, e := one.key, one.value
			version, exact := strings.CutPrefix(e.Version, "==")
			switch {
			case e.Git != "":
				l.leave(name, ReasonGit, e.Git)
			case e.Path != "" || e.Editable:
				l.leave(name, ReasonLocal, e.Path)
			case e.File != "":
				l.leave(name, ReasonAddress, e.File)
			case !exact:
				l.limited("pypi", name, e.Version, marked(e.Markers))
			default:
				l.pin("pypi", name, version, Pin{Integrity: hexSums(e.Hashes...), Limits: marked(e.Markers)})
			}
		}
	}
	return nil
}

// maxIncluded bounds the files that a requirements.txt includes.
const maxIncluded = 64

// readRequirements reads the lines "name[extra]==1.2.3 ; marker --hash=sha256:…" of requirements.txt, and of the files that it includes.
func readRequirements(l *list, data []byte, poms Poms) error {
	seen := map[string]bool{}
	var read func(data []byte, dir string)
	read = func(data []byte, dir string) {
		text := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\\\n", " ")
		if strings.HasSuffix(text, "\\") {
			l.cut("its last line goes on")
		}
		for line := range strings.Lines(text) {
			line = withoutComment(strings.TrimSpace(line))
			name, ok := included(line)
			if !ok {
				l.requirement(line)
				continue
			}
			at := path.Join(dir, name)
			if seen[at] {
				continue
			}
			var more []byte
			if seen[at] = true; poms.Tree != nil && includable(name) && len(seen) <= maxIncluded {
				more = poms.Tree(at)
			}
			if more == nil {
				l.leave(name, ReasonIncluded, "")
				continue
			}
			read(utf8Of(more), path.Dir(at))
		}
	}
	read(data, ".")
	return nil
}

// includable reports whether a file may be included. Its lines may be shown, so other kinds of files, such as those with credentials,
// are not read.
func includable(name string) bool {
	if ext := path.Ext(name); path.IsAbs(name) || ext != ".txt" && ext != ".in" && ext != ".pip" {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != "." && part != ".." {
			return false
		}
	}
	return true
}

// included returns the file that a line "-r FILE" or "--requirement FILE" includes.
func included(line string) (string, bool) { return optionValue(line, "-r", "--requirement") }

// optionValue returns the value of an option at the start of a line: "-o VALUE", "-oVALUE", "--option VALUE", "--option=VALUE".
func optionValue(line, short, long string) (string, bool) {
	rest, ok := strings.CutPrefix(line, short)
	if !ok {
		if rest, ok = strings.CutPrefix(line, long); !ok || rest == "" || !strings.ContainsRune(" \t=", rune(rest[0])) {
			return "", false
		}
		rest = strings.TrimPrefix(rest, "=")
	}
	rest = strings.TrimSpace(rest)
	return rest, rest != ""
}

// withoutComment removes "# …" at the start or after a space, as pip does.
func withoutComment(line string) string {
	if strings.HasPrefix(line, "#") {
		return ""
	}
	for _, mark := range []string{" #", "\t#"} {
		line, _, _ = strings.Cut(line, mark)
	}
	return strings.TrimSpace(line)
}

func (l *list) requirement(line string) {
	if line == "" {
		return
	}
	if rest, ok := editable(line); ok {
		l.leave(rest, placeReason(rest), line)
		return
	}
	if line[0] == '-' {
		return // an option, which names no package
	}
	whole, options, _ := strings.Cut(line, " --")
	spec, marker, _ := strings.Cut(whole, ";")
	if name, address, ok := strings.Cut(spec, " @ "); ok {
		l.leave(strings.TrimSpace(name), placeReason(strings.TrimSpace(address)), address)
		return
	}
	if reason := placeReason(spec); reason != ReasonLocal || strings.HasPrefix(spec, ".") || strings.HasPrefix(spec, "/") {
		l.leave(spec, reason, "")
		return
	}
	name := spec
	if i := strings.IndexAny(spec, "[=<>!~ ("); i >= 0 {
		name = spec[:i]
	}
	version, ok := exactVersion(spec[len(name):])
	if !ok {
		l.limited("pypi", name, strings.TrimSpace(whole), marked(marker)) // keeps the marker: packages for other versions of Python cannot be installed
		return
	}
	l.pin("pypi", name, version, Pin{Integrity: hexSums(hashOptions("--" + options)...), Limits: marked(marker)})
}

// hashOptions lists the values of "--hash=VALUE" and "--hash VALUE".
func hashOptions(options string) (sums []string) {
	f := strings.Fields(options)
	for i, o := range f {
		if h, ok := strings.CutPrefix(o, "--hash="); ok {
			sums = append(sums, h)
		} else if o == "--hash" && i+1 < len(f) {
			sums = append(sums, f[i+1])
		}
	}
	return sums
}

func editable(line string) (string, bool) {
	return optionValue(line, "-e", "--editable")
}

// placeReason returns the reason for the kind of place that a requirement names.
func placeReason(s string) string {
	switch {
	case strings.HasPrefix(s, "git+") || strings.HasPrefix(s, "hg+") || strings.HasPrefix(s, "svn+") || strings.HasPrefix(s, "bzr+"):
		return ReasonGit
	case strings.Contains(s, "://"):
		return ReasonAddress
	}
	return ReasonLocal
}

// exactVersion reads a single exact version: "[extra]==1.2.3" or "===1.2.3".
func exactVersion(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") {
		_, s, _ = strings.Cut(s, "]")
	}
	s = strings.Trim(strings.TrimSpace(s), "()")
	v, ok := strings.CutPrefix(strings.TrimSpace(s), "==")
	v = strings.TrimSpace(strings.TrimPrefix(v, "="))
	return v, ok && v != "" && !strings.ContainsAny(v, ",*<>=!~ ")
}

// readPyproject reads the dependencies of pyproject.toml, in the notations of PEP 621, PEP 735 and Poetry. Most leave
// the version open.
func readPyproject(l *list, data []byte) error {
	var p struct {
		Project struct {
			Name         string
			Dependencies []string
			Optional     map[string][]string `toml:"optional-dependencies"`
		}
		Groups map[string][]any `toml:"dependency-groups"`
		Tool   struct {
			Poetry struct {
				Dependencies map[string]any
				Dev          map[string]any `toml:"dev-dependencies"`
				Group        map[string]struct{ Dependencies map[string]any }
			}
		}
	}
	if err := decodeTOML(data, &p); err != nil {
		return err
	}
	if p.Project.Name != "" { // an extra may name others of the project: "own[test]"
		l.takes("pypi", p.Project.Name)
	}
	for _, d := range p.Project.Dependencies {
		l.requirement(strings.TrimSpace(d))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Project.Optional)) {
		l.bring = installs("'.[", name, "]'")
		for _, d := range p.Project.Optional[name] {
			l.requirement(strings.TrimSpace(d))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Groups)) {
		l.bring = installs("--group ", name, "")
		for _, d := range p.Groups[name] {
			if s, ok := d.(string); ok { // else the name of another group
				l.requirement(strings.TrimSpace(s))
			}
		}
	}
	l.bring = ""
	l.poetryDependencies(p.Tool.Poetry.Dependencies)
	l.bring = "poetry install"
	l.poetryDependencies(p.Tool.Poetry.Dev)
	for name, g := range p.Tool.Poetry.Group {
		if l.bring = ""; partName().MatchString(name) {
			l.bring = "poetry install --with " + name
		}
		l.poetryDependencies(g.Dependencies)
	}
	return nil
}

func (l *list) poetryDependencies(part map[string]any) {
	for name, d := range part {
		if name != "python" {
			l.poetryDependency(name, d)
		}
	}
}

// partName is the name of an extra or a group (PEP 685, PEP 735). A shell reads it as it is.
var partName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`) })

// installs returns the command by which pip also installs an extra or a group, part. It returns "" if part is not the name of one.
func installs(before, part, behind string) string {
	if !partName().MatchString(part) {
		return ""
	}
	return "pip install " + before + part + behind
}

// poetryDependency adds a dependency given as a version, or as a table with a version or a place.
func (l *list) poetryDependency(name string, d any) {
	version, _ := d.(string)
	marker := ""
	if table, ok := d.(map[string]any); ok {
		version, _ = table["version"].(string)
		marker, _ = table["markers"].(string)
		if system, ok := table["platform"].(string); ok && marker == "" {
			marker = "sys_platform == " + pythonText(system)
		}
		for key, reason := range map[string]string{"git": ReasonGit, "path": ReasonLocal, "url": ReasonAddress} {
			if at, ok := table[key].(string); ok {
				l.leave(name, reason, at)
				return
			}
		}
	}
	l.limited("pypi", name, version, marked(marker))
}

// pythonText quotes a text for a marker, which knows no escapes.
func pythonText(s string) string { return `"` + strings.ReplaceAll(s, `"`, "") + `"` }

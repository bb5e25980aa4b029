package license

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Kinds of lists of files and their licences. Lists are debian/copyright and .reuse/dep5 in Debian's machine-readable
// format, REUSE.toml, and NAME.license beside a file.
const (
	listBeside   = "beside"   // for the one file beside it
	listOverride = "override" // takes precedence over the file itself
	listFiles    = "files"    // counts if the file itself states nothing
)

// IsList reports whether a file's name is that of a list.
func IsList(name string) bool {
	dir, base := path.Split(name)
	return base == "REUSE.toml" || base == "copyright" && path.Base(dir) == "debian" ||
		base == "dep5" && path.Base(dir) == ".reuse" || strings.HasSuffix(base, besideExt) && base != besideExt
}

const besideExt = ".license"

// readList reads a list; ok is false if the content is not one.
func readList(f File) (s Statement, ok bool) {
	text := f.Data[:min(len(f.Data), maxText)]
	s = Statement{Path: f.Path, List: listFiles}
	switch base := path.Base(f.Path); {
	case base == "REUSE.toml":
		s.Grants, s.List = reuseGrants(text)
	case strings.HasSuffix(base, besideExt):
		e, _ := tagged(text)
		if e == "" {
			return s, false
		}
		s.List, s.Grants = listBeside, []Grant{{License: e, Globs: []string{literal(strings.TrimSuffix(base, besideExt))}}}
	default:
		s.Grants = debianGrants(text)
	}
	return s, len(s.Grants) > 0
}

// Folder returns the directory whose files a licence file or a list speaks of: that of the file, but for debian/copyright and .reuse/dep5
// the one above.
func Folder(name string) string {
	dir, base := path.Dir(name), path.Base(name)
	if in := path.Base(dir); (in == "debian" || in == ".reuse") && (base == "copyright" || base == "dep5") {
		return path.Dir(dir)
	}
	return dir
}

// listed returns the licence that the nearest list of a kind gives to a file. whole reports that its pattern covers all
// files there.
func listed(file string, statements []Statement, kind string) (expr string, from From, whole, ok bool) {
	depth := -1
	for _, s := range statements {
		dir := Folder(s.Path)
		rel, below := strings.CutPrefix(file, dir+"/")
		if dir == "." {
			rel, below = file, true
		}
		deep := strings.Count(dir+"/", "/")
		if dir == "." {
			deep = 0
		}
		if s.List != kind || !below || deep <= depth {
			continue
		}
		for _, g := range slices.Backward(s.Grants) { // the last match counts
			if i := slices.IndexFunc(g.Globs, func(p string) bool { return matchGlob(p, rel) }); i >= 0 {
				expr, from, whole, ok, depth = g.License, From{Kind: FromList, Path: s.Path}, everything(g.Globs[i]), true, deep
				break
			}
		}
	}
	return expr, from, whole, ok
}

func everything(pattern string) bool { return pattern == "**" || pattern == "./**" }

// Beside reports whether a file states the licence of the one file beside it, and not of a package.
func Beside(f File) bool {
	if !IsList(f.Path) {
		return false
	}
	s, ok := readList(f)
	return ok && s.List == listBeside
}

// Whole returns the licence that a list at the root of a package gives to all its files, or "".
func Whole(statements []Statement) string {
	for _, s := range statements {
		if s.List != listFiles && s.List != listOverride || Folder(s.Path) != "." {
			continue
		}
		for _, g := range slices.Backward(s.Grants) {
			if slices.ContainsFunc(g.Globs, everything) {
				return g.License
			}
		}
	}
	return ""
}

// OfRoot reports whether a statement is about the package, and not about a folder or file in it.
func (s Statement) OfRoot() bool { return s.List != listBeside && Folder(s.Path) == "." }

// literal escapes the special characters of patterns.
func literal(name string) string { return escapes.Replace(name) }

var escapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`)

// matchGlob matches a path with a pattern. * matches anything except a slash, ** anything, ? one byte, and \ escapes
// the next character. It tries all positions of the pattern at once, so no pattern makes it slow.
func matchGlob(pattern, name string) bool {
	at := []int{0}
	at = skipStars(pattern, at)
	for i := range len(name) {
		var next []int
		add := func(p int) {
			if !slices.Contains(next, p) {
				next = append(next, p)
			}
		}
		for _, p := range at {
			switch rest := pattern[p:]; {
			case strings.HasPrefix(rest, "**"):
				add(p)
			case strings.HasPrefix(rest, "*"):
				if name[i] != '/' {
					add(p)
				}
			case strings.HasPrefix(rest, "?"):
				add(p + 1)
			case len(rest) > 1 && rest[0] == '\\' && rest[1] == name[i]:
				add(p + 2)
			case len(rest) > 0 && rest[0] != '\\' && rest[0] == name[i]:
				add(p + 1)
			}
		}
		if at = skipStars(pattern, next); len(at) == 0 {
			return false
		}
	}
	return slices.Contains(at, len(pattern))
}

// skipStars adds the positions after stars, since a star may match nothing.
func skipStars(pattern string, at []int) []int {
	for i := 0; i < len(at); i++ {
		p := at[i]
		for _, star := range []string{"**", "*"} {
			if strings.HasPrefix(pattern[p:], star) {
				if !slices.Contains(at, p+len(star)) {
					at = append(at, p+len(star))
				}
				break
			}
		}
	}
	return at
}

// maxGlobs and maxGlob bound the number of patterns in one list and the bytes of each.
const maxGlobs, maxGlob = 20000, 512

// reuseGrants reads a REUSE.toml. If one annotation overrides the files, the whole list is taken to do so, since lists
// with both kinds do not occur.
func reuseGrants(text []byte) ([]Grant, string) {
	var list struct {
		Annotations []struct {
			Path       any    `toml:"path"`
			Precedence string `toml:"precedence"`
			License    any    `toml:"SPDX-License-Identifier"`
		} `toml:"annotations"`
	}
	if nesting(text) > 64 || toml.Unmarshal(text, &list) != nil {
		return nil, ""
	}
	kind, left := listFiles, maxGlobs
	var out []Grant
	for _, a := range list.Annotations {
		var g Grant
		for _, p := range stringsOf(a.Path) {
			if p = strings.ReplaceAll(p, "?", `\?`); len(p) <= maxGlob && left > 0 {
				g.Globs, left = append(g.Globs, strings.TrimPrefix(p, "./")), left-1
			}
		}
		var es []string
		for _, e := range stringsOf(a.License) {
			es = append(es, Expression(e))
		}
		if g.License = And(es...); g.License == NoAssertion || len(g.Globs) == 0 {
			continue
		}
		if a.Precedence == "override" {
			kind = listOverride
		}
		out = append(out, g)
	}
	return out, kind
}

// nesting returns the greatest depth of brackets.
func nesting(text []byte) (most int) {
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(0, depth-1)
		}
		most = max(most, depth)
	}
	return most
}

// stringsOf returns a string, or the strings of a list.
func stringsOf(v any) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// stanza is a paragraph of fields.
type stanza map[string]string

// stanzas reads the paragraphs of a control file. Names of fields are lower-cased.
func stanzas(text []byte) (out []stanza) {
	var now stanza
	field := ""
	for raw := range bytes.Lines(text) {
		line := strings.TrimRight(string(raw), " \t\r\n")
		switch {
		case line == "":
			now, field = nil, ""
		case line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if text := strings.TrimSpace(line); field != "" && text != "." {
				now[field] += "\n" + text
			}
		default:
			name, value, ok := strings.Cut(line, ":")
			if !ok {
				field = ""
				continue
			}
			if now == nil {
				now = stanza{}
				out = append(out, now)
			}
			field = strings.ToLower(name)
			now[field] = strings.TrimSpace(value)
		}
	}
	return out
}

// debianGrants reads a file in Debian's machine-readable format for copyrights.
func debianGrants(text []byte) (out []Grant) {
	all := stanzas(text)
	if len(all) == 0 || !debianFormat().MatchString(all[0]["format"]+all[0]["format-specification"]) {
		return nil
	}
	texts := make(map[string]string)
	for _, s := range all {
		if name, text, _ := strings.Cut(s["license"], "\n"); text != "" {
			texts[strings.ToLower(strings.TrimSpace(name))] = text
		}
	}
	left := maxGlobs
	for _, s := range all {
		var g Grant
		for _, p := range strings.Fields(s["files"]) {
			if p = strings.TrimPrefix(strings.TrimSuffix(p, ","), "./"); p != "" && len(p) <= maxGlob && left > 0 {
				g.Globs, left = append(g.Globs, debianStar().ReplaceAllString(p, "**")), left-1
			}
		}
		name, _, _ := strings.Cut(s["license"], "\n")
		if g.License = debianExpression(name[:min(len(name), maxGlob)], texts); len(g.Globs) > 0 && g.License != NoAssertion {
			out = append(out, g)
		}
	}
	return out
}

var (
	debianFormat = compiled(`(?i)copyright-format|dep-?5`)
	debianStar   = compiled(`\*+`)
	debianGNU    = compiled(`(?i)^(AGPL|LGPL|GPL|GFDL)(-NIV)?(?:[- ]?v?([0-9](?:\.[0-9])?)(?:\.0)?)?(\+|-or-later|-only)?$`)
	debianComma  = compiled(`(?i),\s*(and|or)\s+`)
	debianWord   = compiled(`(?i)\s+(and/or|and|or)\s+`)
	debianWith   = compiled(`(?i)\s+with\s+(.*?)\s*exceptions?$`)
)

// debianNames maps Debian's short names to SPDX expressions where they differ.
var debianNames = map[string]string{
	"expat": "MIT", "artistic": "Artistic-1.0", "perl": "Artistic-1.0-Perl OR GPL-1.0-or-later", "boost-1.0": "BSL-1.0", "psf-2": "PSF-2.0", "python": "Python-2.0",
	"public-domain": "LicenseRef-public-domain", "pd": "LicenseRef-public-domain", "mit/x11": "MIT", "zlib/libpng": "Zlib", "cc0": "CC0-1.0", "beer-ware": "Beerware", "beer-ware-license": "Beerware", "apache-2": "Apache-2.0", "mpl-2": "MPL-2.0",
}

// debianExceptions maps Debian's words for exceptions to SPDX names.
var debianExceptions = map[string]string{
	"classpath": "Classpath-exception-2.0", "font": "Font-exception-2.0", "bison": "Bison-exception-2.2", "libtool": "Libtool-exception", "autoconf": "Autoconf-exception-3.0", "gcc": "GCC-exception-3.1",
}

// debianExpression converts a licence in Debian's notation to an SPDX expression. A comma binds less tightly than the
// words; a plus means "or later".
func debianExpression(s string, texts map[string]string) string {
	s = strings.Join(strings.Fields(s), " ")
	if m := debianComma().FindStringSubmatchIndex(s); m != nil {
		return joinBy(s[m[2]:m[3]], debianExpression(s[:m[0]], texts), debianExpression(s[m[1]:], texts))
	}
	ors := debianWord().FindAllStringSubmatchIndex(s, 64)
	for _, op := range []string{"or", "and"} { // "and" binds more tightly
		for _, m := range ors {
			if word := strings.ToLower(s[m[2]:m[3]]); word == op || word == "and/or" && op == "or" {
				return joinBy(op, debianExpression(s[:m[0]], texts), debianExpression(s[m[1]:], texts))
			}
		}
	}
	return debianName(s, texts)
}

func joinBy(op, a, b string) string {
	if a == NoAssertion || b == NoAssertion {
		return NoAssertion
	}
	return Expression("(" + a + ") " + strings.ToUpper(op) + " (" + b + ")")
}

// debianName converts one short name to an identifier. For an unknown name, it scans the licence text that belongs to
// the name.
func debianName(s string, texts map[string]string) string {
	name, exception := s, ""
	if m := debianWith().FindStringSubmatchIndex(s); m != nil {
		name, exception = s[:m[0]], debianExceptions[strings.ToLower(strings.Trim(s[m[2]:m[3]], "-"))]
	}
	id := debianNames[strings.ToLower(name)]
	if m := debianGNU().FindStringSubmatch(name); m != nil {
		id = debianGNUID(m[1], m[2], m[3], m[4])
	}
	if id == "" {
		id = Expression(name)
	}
	if strings.HasPrefix(id, "LicenseRef-") && id != "LicenseRef-public-domain" || id == NoAssertion {
		ms := slices.DeleteFunc(Detect([]byte(texts[strings.ToLower(s)])), func(m Match) bool { return m.URL })
		if len(ms) == 1 {
			id = ms[0].ID
		}
	}
	if exception != "" && isKnown(id) {
		id = Expression(id + " WITH " + exception)
	}
	return id
}

// debianGNUID returns the identifier of a GNU licence. Without a version, any version is meant.
func debianGNUID(family, niv, version, later string) string {
	family = strings.ToUpper(family)
	first := map[string]string{"GPL": "1.0", "LGPL": "2.0", "AGPL": "3.0", "GFDL": "1.1"}[family]
	if version == "" {
		version, later = first, "+"
	}
	if !strings.Contains(version, ".") {
		version += ".0"
	}
	id := family + "-" + version
	if niv != "" {
		id += "-no-invariants"
	}
	if later == "+" || strings.EqualFold(later, "-or-later") {
		return Expression(id + "-or-later")
	}
	return Expression(id + "-only")
}

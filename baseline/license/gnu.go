package license

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license/internal/comment"
)

// Versions collects the versions of GNU licences that a package names: in the heads of its files, in its README, and in files that
// describe it. The text of a licence does not say whether later versions may be used.
type Versions struct {
	comments Heads                     // remembers the notices
	said     map[string]map[string]int // folder, expression: heads that state it
	heads    int
	files    map[string]int      // folder: files of programs
	shown    []string            // GNU notices in what a program prints or shows
	looked   int                 // files that were searched for such a notice
	tells    map[string][]string // folder, expressions: what its README and descriptions name
	notices  map[string][]string // folder, expressions: the GNU notices in its README
	readme   Statement           // the only licence that the READMEs at the root state
	disagree bool                // two of these state different ones
}

// perFolder and allHeads bound how many heads are read. They are GNU notices, of which a folder has the same many times.
const perFolder, allHeads = 8, 200

// enoughHeads is how many heads have to agree. One in oneOfHeads may differ.
const enoughHeads, oneOfHeads = 3, 10

var gnuWords = []byte("General Public")

// ofGNU are names of files that programs take over from GNU's build system and library. They say nothing on the program around them.
var ofGNU = []string{"missing", "depcomp", "compile", "config.guess", "config.sub", "config.rpath", "install-sh", "ltmain.sh", "mdate-sh", "mkinstalldirs", "py-compile",
	"test-driver", "ylwrap", "getopt.c", "getopt1.c", "getopt.h", "getopt_int.h", "alloca.c", "texinfo.tex"}

// describing are names of files that describe the package in their folder, in small letters and without what a README has after a dot.
var describing = []string{"readme", "setup.py", "setup.cfg", "pyproject.toml", "description", "dist.ini", "configure.ac"}

// programs are extensions of the files of programs.
var programs = codeExts[:slices.Index(codeExts, ".sh")+1]

// longestDescription is how many bytes of such a file are read, mostGNU how many names of licences in it.
const longestDescription, mostGNU = 32 << 10, 16

// textFile matches the rest of a name as that of a file with the text: gpl-2.0.txt, gpl-2.0.en.html.
var textFile = compiled(`^[\w.-]*\.(?:txt|html?|md)\b`)

// describes reads a file that describes the package.
func (v *Versions) describes(file string, src []byte) {
	base := strings.ToLower(path.Base(file))
	if strings.HasPrefix(base, "readme.") {
		base = "readme"
	}
	readme := base == "readme" && path.Dir(file) == "."
	if !slices.Contains(describing, base) {
		return
	}
	section := ""
	if readme {
		section = inSection(src[:min(len(src), maxText)])
	}
	src = src[:min(len(src), longestDescription)]
	if readme && section == "" && !bytes.Contains(src, gnuWords) && bytes.Contains(src, []byte("erl")) && selfAsPerl().MatchString(plain(src)) {
		section = perl
	}
	if !bytes.Contains(src, gnuWords) && !bytes.Contains(src, []byte("GPL")) {
		if section != "" {
			v.stated(file, section)
		}
		return
	}
	if v.tells == nil {
		v.tells, v.notices = make(map[string][]string), make(map[string][]string)
	}
	text := plain(src)
	for _, m := range eachName().FindAllStringIndex(text, mostGNU) {
		ofFile := m[0] > 0 && text[m[0]-1] == '/' || textFile().MatchString(text[m[1]:])
		if id := nameID(text[m[0]:m[1]]); isGNU(id) && !ofFile {
			v.tells[path.Dir(file)] = append(v.tells[path.Dir(file)], id)
		}
	}
	ids := gnuNotices(text)
	if readme && (len(ids) == 1 || len(ids) == 0 && section != "") {
		v.stated(file, cmp.Or(strings.Join(ids, ""), section))
	}
	if base == "readme" {
		v.notices[path.Dir(file)] = append(v.notices[path.Dir(file)], ids...)
	}
	if id := inNotices(text); id != "" {
		v.tells[path.Dir(file)] = append(v.tells[path.Dir(file)], id)
	}
}

func (v *Versions) stated(readme, expr string) {
	v.disagree = v.disagree || len(v.readme.Grants) > 0 && v.readme.Grants[0].License != expr
	v.readme = Statement{Path: readme, Grants: []Grant{{License: expr}}}
}

// sectionHead matches the heading of the section of a README on the licence; nextHead, the heading of the next one.
var (
	sectionHead = compiled(`(?im)^[ \t]*(?:[#=*]+ *)?(?:head1 )?(?:\d+[.)]? )?(?:(?:copyrights?|licen[sc]es?|licen[sc]ing)(?: ?(?:and|&|/) ?)?){1,2}(?: information)?[ \t#=*:]*$`)
	nextHead    = compiled(`(?m)^(?:#+ |=head|=cut|[^\n]+\n[=-]{3,}[ \t\r]*$|[ \t\r]*\n[A-Z][A-Z &,]{3,40}[ \t:\r]*$)`)
)

// selfAsPerl matches what a README without a section on the licence says of the package.
var selfAsPerl = compiled(`(?i)\bthis (?:[\w:]+ )?is free software\b[^.]{0,80}\b(?:re)?distribute\b[^.]{0,60}\bsame (?:terms|licen[sc]e|conditions)(?: and conditions)? as perl\b`)

// longestSection is how many bytes of such a section are read.
const longestSection = 4 << 10

// inSection returns the licence that the section of a README on its licence states. It returns "" if there are several such
// sections or licences, if the version is unknown, or if the section is also about other people's code.
func inSection(src []byte) string {
	heads := sectionHead().FindAllIndex(src, 2)
	if len(heads) != 1 {
		return ""
	}
	section := src[heads[0][1]:min(len(src), heads[0][1]+longestSection)]
	if line, rest, ok := bytes.Cut(bytes.TrimLeft(section, "\r\n"), []byte{'\n'}); ok && len(bytes.Trim(line, "=-~ \t\r")) == 0 {
		section = rest // the line under the heading
	}
	if next := nextHead().FindIndex(section); next != nil {
		section = section[:next[0]]
	}
	exprs, found := notices(section)
	besides, at := []byte(nil), 0
	for _, m := range found {
		besides, at = append(besides, section[min(at, m.Start):m.Start]...), m.End
	}
	if apart().Match(append(besides, section[at:]...)) {
		return ""
	}
	e := together(exprs, section)
	if len(found) == 0 {
		e, _ = named(section)
	}
	if len(found) == 0 && e == "" {
		e, _ = worded(plain(section))
	}
	if e == NoAssertion || strings.Contains(e, "LicenseRef-") || slices.ContainsFunc(Terms(e), unversionedGNU) && e != perl || strings.Contains(e, " AND ") {
		return ""
	}
	return e
}

// Names returns the licences that a short licence file names, whatever part of the package they are for.
func Names(text []byte) (ids []string) {
	for _, name := range eachName().FindAllString(plain(text[:min(len(text), longestNotice)]), mostGNU) {
		if id := nameID(name); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Readme returns the licence of a package without a licence file by the notice in its README; ok is false if it has none. A package
// may have README and README.md: if their notices differ, neither counts.
func (v *Versions) Readme() (s Statement, ok bool) {
	if v.disagree {
		return Statement{}, false
	}
	return v.readme, len(v.readme.Grants) > 0
}

// shows reads a GNU notice that a program prints or shows, such as that of its window "About". src is a file of a program.
func (v *Versions) shows(src []byte) {
	const around = 1 << 10
	if v.looked >= allHeads {
		return
	}
	at := bytes.Index(src, gnuWords)
	if at < 0 {
		return
	}
	line := bytes.TrimSpace(src[bytes.LastIndexByte(src[:at], '\n')+1 : at])
	if in, _ := comment.Line(line, ""); in && !bytes.ContainsAny(line[:1], "\"'") { // the end of a literal is not in line
		return
	}
	v.looked++
	text := literals.Replace(string(src[max(0, at-around):min(len(src), at+around)]))
	for _, id := range gnuNotices(plain([]byte(text))) {
		if !slices.Contains(v.shown, id) {
			v.shown = append(v.shown, id)
		}
	}
}

// literals takes the marks of string literals out of a text.
var literals = strings.NewReplacer(`\n`, " ", `"`, " ", "'", " ", `\`, " ", "+", " ")

// Read reads the head of a file if it may have a GNU notice, and a file that describes the package.
func (v *Versions) Read(file string, src []byte) {
	v.describes(file, src)
	if slices.Contains(programs, strings.ToLower(path.Ext(file))) && !slices.Contains(ofGNU, path.Base(file)) {
		if v.files == nil {
			v.files = make(map[string]int)
		}
		v.files[path.Dir(file)]++
		v.shows(src)
	}
	if slices.Contains(ofGNU, path.Base(file)) || path.Ext(file) == ".m4" || isTest(path.Dir(file)) || v.heads >= allHeads || !bytes.Contains(src[:min(len(src), headBytes)], gnuWords) || IsFile(path.Base(file)) {
		return
	}
	dir := path.Dir(file)
	if v.said == nil {
		v.said = make(map[string]map[string]int)
	}
	if v.said[dir] == nil {
		v.said[dir] = make(map[string]int)
	}
	read := 0
	for _, n := range v.said[dir] {
		read += n
	}
	if read >= perFolder {
		return
	}
	e, _, _ := strings.Cut(v.comments.Read(src).License, " WITH ")
	v.said[dir][e]++
	v.heads++
}

// isTest reports whether a folder has tests. Their frameworks have heads of their own, which say nothing on the program.
func isTest(dir string) bool {
	return slices.Contains([]string{"t", "test", "tests", "testing", "testsuite"}, strings.ToLower(path.Base(dir)))
}

// Settle replaces "only" by "or later" in statements with the text of a GNU licence if the heads of the files below say so. For
// statements at the root it also changes whole, the licence of the package. It returns copies.
func (v *Versions) Settle(statements []Statement, whole string) ([]Statement, string) {
	out := slices.Clone(statements)
	for i, s := range out {
		for j, g := range s.Grants {
			id, with, excepted := strings.Cut(g.License, " WITH ")
			base, only := strings.CutSuffix(id, "-only")
			if !g.Text || !only {
				continue
			}
			said := base + "-or-later"
			if dir := path.Dir(s.Path); !v.later(dir, base) {
				said = v.earlier(dir, base)
			}
			if said == "" {
				continue
			}
			if excepted {
				said += " WITH " + with
			}
			out[i].Grants = slices.Clone(out[i].Grants)
			out[i].Grants[j].License = said
			if n := parse(whole); n != nil && path.Dir(s.Path) == "." {
				whole = n.renamed(g.License, said).String()
			}
		}
	}
	return out, whole
}

// below returns how many heads in and below a folder state each expression, and the number of program files there, as far as their
// heads were read (perFolder, allHeads).
func (v *Versions) below(dir string) (said map[string]int, files int) {
	in := func(d string) bool { return dir == "." || d == dir || strings.HasPrefix(d, dir+"/") }
	said = make(map[string]int)
	for d, each := range v.said {
		if in(d) {
			for e, n := range each {
				said[e] += n
			}
		}
	}
	for d, n := range v.files {
		if in(d) {
			files += min(n, perFolder)
		}
	}
	return said, min(files, allHeads)
}

// oneOfFiles: if fewer than enoughHeads files have a notice at the head, at least one file in oneOfFiles must have it.
const oneOfFiles = 3

// later reports whether the heads in and below a folder give a licence in a version or any later one. If no head and no README tells
// another version, the notice that the program shows does.
func (v *Versions) later(dir, base string) bool {
	said, files := v.below(dir)
	later, only := said[base+"-or-later"], said[base+"-only"]
	tells := v.tells[dir]
	if slices.Contains(tells, base+"-or-later") && !slices.Contains(tells, base+"-only") {
		later += enoughHeads
	}
	switch {
	case only*oneOfHeads > later:
		return false
	case later >= enoughHeads, later > 0 && later*oneOfFiles >= files && len(tells) == 0:
		return true
	}
	delete(said, "")
	delete(said, base+"-or-later")
	return len(said) == 0 && len(tells) == 0 && dir == "." && slices.Equal(v.shown, []string{base + "-or-later"})
}

// earlier handles a folder with the text of version 3 of a licence. If its README, or the heads of a third of the files below, say
// "version 2 or any later", it returns that licence. It returns "" if heads state several.
func (v *Versions) earlier(dir, base string) string {
	name, number, _ := strings.Cut(base, "-")
	said, files := v.below(dir)
	heads, found := 0, ""
	for e, n := range said {
		if strings.HasPrefix(e, name+"-") {
			heads += n
		}
	}
	ids := v.notices[dir]
	for _, e := range append(slices.Sorted(maps.Keys(said)), ids...) {
		older, ok := strings.CutSuffix(strings.TrimPrefix(e, name+"-"), "-or-later")
		if !ok || !strings.HasPrefix(e, name+"-") || older >= number || e == found {
			continue
		}
		readme := len(ids) == 1 && ids[0] == e
		if enough := said[e] >= enoughHeads && said[e]*oneOfFiles >= files && len(ids) == 0; !readme && !enough {
			continue
		}
		if (heads-said[e])*oneOfHeads > heads {
			return ""
		}
		found = e
	}
	return found
}

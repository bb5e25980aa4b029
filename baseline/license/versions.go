package license

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Versions says which versions of a GNU licence the heads of a package's files name, its README and the files that describe it. The
// text of the licence alone does not tell whether later versions may be used.
type Versions struct {
	comments Heads                     // remembers the notices
	said     map[string]map[string]int // folder, expression: heads that state it
	heads    int
	tells    map[string][]string // folder, expressions: what its README and descriptions name
	readme   Statement           // the only GNU notice of the READMEs at the root
	disagree bool                // two of these have different notices
}

// perFolder and allHeads bound how many heads are read. They are GNU notices, of which a folder has the same many times.
const perFolder, allHeads = 8, 200

// enoughHeads is how many heads have to agree, and oneOfHeads how many of them may differ: one in so many.
const enoughHeads, oneOfHeads = 3, 10

var gnuWords = []byte("General Public")

// ofGNU are names of files that programs take over from GNU's build system and library. They say nothing on the program around them.
var ofGNU = []string{"missing", "depcomp", "compile", "config.guess", "config.sub", "config.rpath", "install-sh", "ltmain.sh", "mdate-sh", "mkinstalldirs", "py-compile",
	"test-driver", "ylwrap", "libtool.m4", "getopt.c", "getopt1.c", "getopt.h", "getopt_int.h", "alloca.c", "texinfo.tex"}

// describing are names of files that describe the package in their folder, in small letters and without what a README has behind a dot.
var describing = []string{"readme", "setup.py", "setup.cfg", "pyproject.toml", "description", "dist.ini", "configure.ac"}

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
	src = src[:min(len(src), longestDescription)]
	if !bytes.Contains(src, gnuWords) && !bytes.Contains(src, []byte("GPL")) {
		return
	}
	if v.tells == nil {
		v.tells = make(map[string][]string)
	}
	text := plain(src)
	for _, m := range eachName().FindAllStringIndex(text, mostGNU) {
		ofFile := m[0] > 0 && text[m[0]-1] == '/' || textFile().MatchString(text[m[1]:])
		if id := nameID(text[m[0]:m[1]]); isGNU(id) && !ofFile {
			v.tells[path.Dir(file)] = append(v.tells[path.Dir(file)], id)
		}
	}
	if ids := gnuNotices(text); readme && len(ids) == 1 {
		v.disagree = v.disagree || len(v.readme.Grants) > 0 && v.readme.Grants[0].License != ids[0]
		v.readme = Statement{Path: file, Grants: []Grant{{License: ids[0]}}}
	}
	if id := inNotices(text); id != "" {
		v.tells[path.Dir(file)] = append(v.tells[path.Dir(file)], id)
	}
}

// Readme returns the licence of a package without a licence file by the notice in its README; ok is false if it has none. A package
// may have README and README.md: if their notices differ, neither counts.
func (v *Versions) Readme() (s Statement, ok bool) {
	if v.disagree {
		return Statement{}, false
	}
	return v.readme, len(v.readme.Grants) > 0
}

// Read reads the head of a file if it may have a GNU notice, and a file that describes the package.
func (v *Versions) Read(file string, src []byte) {
	v.describes(file, src)
	if slices.Contains(ofGNU, path.Base(file)) || v.heads >= allHeads || !bytes.Contains(src[:min(len(src), headBytes)], gnuWords) || IsFile(path.Base(file)) {
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

// Settle replaces "only" by "or later" in the statements that have the text of a GNU licence, where the heads below them say so.
// For the statements at the root, it does the same in the licence of the package. It changes none of the arguments.
func (v *Versions) Settle(statements []Statement, whole string) ([]Statement, string) {
	out := slices.Clone(statements)
	for i, s := range out {
		for j, g := range s.Grants {
			base, only := strings.CutSuffix(g.License, "-only")
			if !g.Text || !only || !v.later(path.Dir(s.Path), base) {
				continue
			}
			out[i].Grants = slices.Clone(out[i].Grants)
			out[i].Grants[j].License = base + "-or-later"
			if n := parse(whole); n != nil && path.Dir(s.Path) == "." {
				whole = n.renamed(g.License, base+"-or-later").String()
			}
		}
	}
	return out, whole
}

// later reports whether the heads in and below a folder give a licence in a version or any later one.
func (v *Versions) later(dir, base string) bool {
	later, only := 0, 0
	for d, said := range v.said {
		if dir == "." || d == dir || strings.HasPrefix(d, dir+"/") {
			later, only = later+said[base+"-or-later"], only+said[base+"-only"]
		}
	}
	if tells := v.tells[dir]; slices.Contains(tells, base+"-or-later") && !slices.Contains(tells, base+"-only") {
		later += enoughHeads
	}
	return later >= enoughHeads && only*oneOfHeads <= later
}

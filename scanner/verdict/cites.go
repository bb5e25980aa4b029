package verdict

import (
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/attribution"
)

// The statements of origins. An origin may say that it has its code from the target, or from a third place.

// citesTarget returns the line of the first source on which a comment says that the code is from the target's repository, or 0. The comment
// is at the head of the source's file, in its region or above it. It names the repository in a sentence on copying, perhaps on a line
// further up, or it links to a file there. Lines that the target has too came along with the code.
func (c *claims) citesTarget() int {
	o := &c.Sources[0]
	claimed := 0 // first line of the latest comment with a sentence on copying
	for _, s := range o.statements {
		if s.Kind != attribution.CopiedFrom {
			continue
		}
		bare := s.Source == s.Text
		if !bare {
			claimed = s.From
		}
		if (s.Head || s.Direct(o.From, o.To, 0)) && c.namesTarget(s, !bare || claimed == s.From) && !c.Target.Says(s) {
			return s.Line
		}
	}
	return 0
}

// filed are the path elements behind a repository in the address of one of its files.
var filed = []string{"blob/", "tree/", "-/blob/", "-/tree/", "raw/"}

// namesTarget reports whether a statement names the target's repository: by a link or its name if it says "copied", by a link if it says less,
// and by the address of a file if it says nothing.
func (c *claims) namesTarget(s attribution.Statement, sentence bool) bool {
	for _, repo := range c.Sources[0].Target {
		if s.Strong && s.Cites(repo) {
			return true
		}
		for _, ref := range attribution.References(s.Text) {
			rest, ok := strings.CutPrefix(ref+"/", repo+"/")
			if ok && (sentence || slices.ContainsFunc(filed, func(f string) bool { return strings.HasPrefix(rest, f) })) {
				return true
			}
		}
	}
	return false
}

// CopiedFrom lists the statements which say that the code of some lines was copied: at the head of the file or right above the lines. A
// statement within the lines may be on a part of them.
func (s *Statements) CopiedFrom(from, to int) []attribution.Statement {
	return slices.DeleteFunc(attribution.Near(s.statements, from, to, 0), func(st attribution.Statement) bool {
		return st.Kind != attribution.CopiedFrom || !st.Head && (st.Line >= from || !st.Direct(from, to, 0))
	})
}

// Says reports whether the file has the same statement.
func (s *Statements) Says(st attribution.Statement) bool {
	return slices.ContainsFunc(s.statements, func(t attribution.Statement) bool { return t.Kind == st.Kind && t.Text == st.Text })
}

// third returns the statement by which the first source says that its code was copied from a third place: at the head of its file, in the
// region or right above it. A statement that the target has too came along with the code.
func (c *claims) third() (attribution.Statement, bool) {
	o := &c.Sources[0]
	for _, s := range o.statements {
		applies := s.Kind == attribution.CopiedFrom && s.Strong && (s.Head || s.Direct(o.From, o.To, 0))
		if applies && namesPlace(s) && !o.isOwn(s) && !c.namesTarget(s, true) && !c.Target.Says(s) {
			return s, true
		}
	}
	return attribution.Statement{}, false
}

// namesPlace reports whether a statement names a place that code can be from: by a link, a release or a module.
func namesPlace(s attribution.Statement) bool {
	return len(attribution.References(s.Source)) > 0 || s.Strong && s.NamesRelease() || s.Module() != nil
}

// isOwn reports whether a statement names the package of the source, or a module in it.
func (s *Source) isOwn(st attribution.Statement) bool {
	return st.Names(s.Origin) || s.hasIdentifier(st) || isTop(st.Module(), path.Base(s.Name)) || inModule(st.Module(), s.Path)
}

// hasIdentifier reports whether a statement begins with an identifier of the source's file: "strings.EqualFold" is in the file
// strings/strings.go, "textwrap.dedent" in textwrap.py. The end of the path has the names of the package or the module, the text the others.
func (s *Source) hasIdentifier(st attribution.Statement) bool {
	names := st.Qualified()
	if len(names) < 2 {
		return false
	}
	dir, stem := "/"+path.Dir(s.Path), "/"+strings.TrimSuffix(s.Path, path.Ext(s.Path))
	for i := len(names) - 1; i > 0; i-- {
		module := "/" + strings.Join(names[:i], "/")
		if (strings.HasSuffix(dir, module) || strings.HasSuffix(stem, module)) && s.hasWords(names[i:]) {
			return s.Type == "golang" && s.Name == "std" || attribution.Tells(names[:i])
		}
	}
	return false
}

// hasWords reports whether the text of the source contains each of these names as a word.
func (s *Source) hasWords(names []string) bool {
	words := s.words()
	return !slices.ContainsFunc(names, func(n string) bool { return !words[n] })
}

// isTop reports whether the path of a module begins with a name.
func isTop(module []string, name string) bool {
	return module != nil && strings.EqualFold(strings.ReplaceAll(name, "-", "_"), module[0])
}

// shortDomain is the length of the longest first word of a domain, such as com in com.example.app.
const shortDomain = 3

// inModule reports whether the package of a module is a directory above a file. The first word of a domain is not enough, nor is that of
// java.util in src/main/java.
func inModule(module []string, file string) bool {
	if module == nil {
		return false
	}
	file, top := strings.ToLower(file), strings.ToLower(module[0])
	if len(top) <= shortDomain || path.Ext(file) == "."+top {
		top += "/" + strings.ToLower(module[1])
	}
	return strings.Contains("/"+file, "/"+top+"/")
}

// namesThird reports whether the target's file names the place that a source has its code from: by a holder at its head, or by a directory
// above it. Many projects have directories such as models and python.
func (c *claims) namesThird(s attribution.Statement) bool {
	var places []string // owners and names
	for _, ref := range attribution.References(s.Source) {
		if parts := strings.Split(ref, "/"); len(parts) > 2 {
			places = append(places, plainName(parts[1]), plainName(parts[2]))
		}
	}
	if m := s.Module(); m != nil {
		places = append(places, plainName(m[0]))
	}
	places = slices.DeleteFunc(places, func(p string) bool { return len(p) < minPlace })
	for dir := range strings.SplitSeq(path.Dir(c.Path), "/") {
		if slices.Contains(places, plainName(dir)) && !attribution.Ordinary(dir) {
			return true
		}
	}
	return slices.ContainsFunc(c.Target.HeadHolders(), func(h string) bool { return slices.Contains(places, plainName(h)) })
}

// minPlace is the least length of a name that tells a place from others.
const minPlace = 4

// plainName returns the letters and digits of a name in lower case: open-mmlab and OpenMMLab are one.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

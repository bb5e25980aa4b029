package license

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
)

// Class says what a licence asks of people who copy code under it.
type Class string

// The classes, from the least demanding to the most. For a choice of licences the first class counts; if all licences
// apply, the last. An unknown licence may ask for anything, but not for more than known copyleft.
const (
	PublicDomain    Class = "public-domain"    // nothing
	Permissive      Class = "permissive"       // keep its notice
	Unknown         Class = "unknown"          // not known
	WeakCopyleft    Class = "weak-copyleft"    // the source of the file or library, under the same licence
	Copyleft        Class = "copyleft"         // the source of the whole
	NetworkCopyleft Class = "network-copyleft" // the same for users over a network
	Proprietary     Class = "proprietary"      // more than open source licences may ask
)

// Classes lists all classes in order.
var Classes = []Class{PublicDomain, Permissive, Unknown, WeakCopyleft, Copyleft, NetworkCopyleft, Proprietary}

// classList has lines of a class and the identifiers, or beginnings of identifiers, that belong to it.
//
//go:embed classes.txt
var classList string

// classed is an identifier and its class. With a * it is the beginning of identifiers.
type classed struct {
	pattern string
	class   Class
}

var classTable = sync.OnceValue(func() []classed {
	var out []classed
	for line := range strings.Lines(classList) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for _, w := range words[1:] {
			out = append(out, classed{w, Class(words[0])})
		}
	}
	return out
})

// linking lists the exceptions by which a licence no longer asks for the source of the whole program.
var linking = []string{"Classpath-exception-*", "GCC-exception-*", "*linking*", "Libtool-exception", "Autoconf-exception-*",
	"Bison-exception-*", "eCos-exception-*", "freertos-exception-*", "GNAT-exception", "FLTK-exception", "WxWindows-exception-*",
	"Font-exception-*", "GNU-compiler-exception", "Qt-GPL-exception-*", "mif-exception", "i2p-gpl-java-exception", "SWI-exception"}

// classOf returns the class of one term of an expression.
func classOf(term string) Class {
	id, exception, with := strings.Cut(term, " WITH ")
	class := Unknown
	for _, c := range classTable() {
		if start, open := strings.CutSuffix(c.pattern, "*"); id == c.pattern || open && strings.HasPrefix(id, start) {
			class = c.class
			break
		}
	}
	freed := func(p string) bool { ok, _ := path.Match(p, exception); return ok }
	if with && class == Copyleft && slices.ContainsFunc(linking, freed) {
		return WeakCopyleft
	}
	return class
}

// ClassOf returns the class of an expression. For a choice it is the least demanding class; if all licences apply, it
// is the most demanding.
func ClassOf(expr string) Class {
	n := parse(expr)
	if n == nil {
		return Unknown
	}
	return Classes[n.rank()]
}

func (n *node) rank() int {
	if n.op == "" {
		return slices.Index(Classes, classOf(n.term))
	}
	ranks := make([]int, len(n.of))
	for i, c := range n.of {
		ranks[i] = c.rank()
	}
	if n.op == "OR" {
		return slices.Min(ranks)
	}
	return slices.Max(ranks)
}

// Binds reports whether a user of code under an expression is bound, whatever they choose, by a licence for which is returns true.
// is gets one term: an identifier, with " WITH " and its exception, if any.
func Binds(expr string, is func(term string) bool) bool {
	n := parse(expr)
	return n != nil && n.binds(is)
}

func (n *node) binds(is func(string) bool) bool {
	holds := func(c *node) bool { return c.binds(is) }
	switch n.op {
	case "OR":
		return !slices.ContainsFunc(n.of, func(c *node) bool { return !holds(c) })
	case "AND":
		return slices.ContainsFunc(n.of, holds)
	}
	return is(n.term)
}

// Terms lists the terms of an expression, each once, in order. It returns nil if the expression states no licence.
func Terms(expr string) []string {
	n := parse(expr)
	if n == nil {
		return nil
	}
	return n.terms(nil)
}

func (n *node) terms(out []string) []string {
	if n.op == "" && !slices.Contains(out, n.term) {
		return append(out, n.term)
	}
	for _, c := range n.of {
		out = c.terms(out)
	}
	return out
}

// families lists licences by the beginning of their identifiers. also lists the licences under which their code may be
// passed on too, as their texts say.
var families = []struct {
	id   string
	also []string
}{
	{"LGPL", []string{"GPL", "AGPL"}},
	{"GPL", []string{"AGPL"}}, // version 3 may be combined with AGPL-3.0
	{"MPL", []string{"LGPL", "GPL", "AGPL", "EPL"}},
	{"EPL", []string{"GPL", "AGPL", "LGPL"}}, // 2.0 names secondary licences
	{"EUPL", []string{"LGPL", "GPL", "AGPL", "MPL", "EPL", "CECILL", "OSL", "CC-BY-SA", "LiLiQ-R"}},
	{"CECILL", []string{"GPL", "AGPL", "EUPL"}},
	{"CC-BY-SA", []string{"GPL", "AGPL"}}, // 4.0 to GPL-3.0
	{"CDDL", nil},
}

// family returns the common part of the identifiers of a licence's versions.
func family(term string) string {
	id, _, _ := strings.Cut(term, " WITH ")
	for i, c := range id {
		if c == '-' && i+1 < len(id) && id[i+1] >= '0' && id[i+1] <= '9' {
			return id[:i]
		}
	}
	return id
}

// Means reports whether the name of a licence in a sentence may mean a licence: any version of a GNU licence, any BSD licence if it is
// "the BSD license".
func Means(name, term string) bool {
	return name == term || isGNU(name) && family(name) == family(term) || hint(name) && family(term) == "BSD"
}

// Denies reports whether code under the actual expression cannot be under the claimed one: no claimed licence is a licence of the
// code, a version of one, or a licence under which the code may be passed on. With exact false, the claim may be about the whole
// file around the code; then permissive code does not contradict it. If either side is unknown, Denies returns false.
func Denies(claim, actual string, exact bool) bool {
	claimed, have := Terms(claim), Terms(actual)
	if len(claimed) == 0 || len(have) == 0 || slices.ContainsFunc(claimed, vague) {
		return false
	}
	for _, h := range have {
		c := classOf(h)
		if vague(h) || c == PublicDomain || !exact && c == Permissive {
			return false
		}
		if slices.ContainsFunc(claimed, func(c string) bool { return covers(c, h) }) {
			return false
		}
	}
	return true
}

// vague reports whether a name is on no list and may mean anything.
func vague(term string) bool {
	return strings.Contains(term, "LicenseRef-")
}

func covers(claim, have string) bool {
	c, h := family(claim), family(have)
	if c == h {
		return true
	}
	for _, f := range families {
		if f.id == h {
			return slices.Contains(f.also, c)
		}
	}
	return false
}

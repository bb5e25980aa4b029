package lockfile

import (
	"slices"
	"strings"
)

// Limits are the machines that an optional package is installed on, in npm's terms. "!" before a name excludes it.
// Markers are conditions in Python's terms, of which one has to hold.
type Limits struct{ OS, CPU, Libc, Markers []string }

// nowhere is for a package that its package manager never installs.
var nowhere = Limits{OS: []string{"none"}}

// Excludes reports whether a package manager may leave a package out on a machine with this system and processor: because the
// package is for others, or because it needs a certain C library, and which one the machine has is not known here.
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

// Package managers install the dependencies of an optional package only together with it: without a binding for WebAssembly, none
// of the libraries that only this binding needs. A lock file names no machines for such dependencies, so they inherit the machines
// of the packages that need them.

// inheritance has the packages of a lock file, by name: of several versions, all have to be alike.
type inheritance map[string]*heir

type heir struct {
	must    bool   // it inherits nothing, because it is not optional or its versions differ
	met     bool   // it has an entry
	limits  Limits // its own, or those that it inherits
	needs   []string
	pending int // entries that need it and whose own limits are not known yet
	by      []Limits
}

func (m inheritance) of(name string) *heir {
	if m[name] == nil {
		m[name] = &heir{}
	}
	return m[name]
}

// add adds an entry: its name, "" for a project, and what it needs.
func (m inheritance) add(name string, optional bool, on Limits, needs []string) {
	h := m.of(name)
	h.must = h.must || !optional || h.met && !h.limits.equal(on)
	h.met, h.limits = true, on
	h.needs = append(h.needs, needs...)
	for _, need := range needs {
		m.of(need).pending++
	}
}

// settle passes the limits on. Packages that need each other in a circle inherit nothing.
func (m inheritance) settle() {
	var known []*heir
	for _, h := range m {
		if h.must || !h.limits.none() {
			known = append(known, h)
		}
	}
	for len(known) > 0 {
		h := known[len(known)-1]
		known = known[:len(known)-1]
		on := h.limits
		if h.must {
			on = Limits{}
		}
		for _, need := range h.needs {
			n := m[need]
			n.pending--
			n.by = append(n.by, on)
			if n.pending > 0 || n.must || !n.limits.none() {
				continue
			}
			if alike := !slices.ContainsFunc(n.by, func(l Limits) bool { return !l.equal(on) }); alike {
				n.limits = on
			}
			n.must = n.limits.none()
			known = append(known, n)
		}
	}
}

// inherited returns the machines of an entry: its own, or those that it inherits.
func (m inheritance) inherited(name string, own Limits) Limits {
	if h := m[name]; own.none() && h != nil && !h.must {
		return h.limits
	}
	return own
}

func (l Limits) none() bool { return len(l.OS)+len(l.CPU)+len(l.Libc)+len(l.Markers) == 0 }

func (l Limits) equal(o Limits) bool {
	return slices.Equal(l.OS, o.OS) && slices.Equal(l.CPU, o.CPU) && slices.Equal(l.Libc, o.Libc) && slices.Equal(l.Markers, o.Markers)
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

// answer is the value of a condition on a machine: it holds, it fails, or it depends on something else, such as the
// version of Python.
type answer int

const (
	depends answer = iota
	holds
	fails
)

func (a answer) and(b answer) answer {
	switch {
	case a == fails || b == fails:
		return fails
	case a == holds:
		return b
	case b == holds:
		return a
	}
	return depends
}

func (a answer) or(b answer) answer { return a.not().and(b.not()).not() }

func (a answer) not() answer {
	switch a {
	case holds:
		return fails
	case fails:
		return holds
	}
	return depends
}

// markerDepth bounds the brackets of a marker. Real ones have fewer than five.
const markerDepth = 32

// marks evaluates an environment marker of Python (PEP 508) for a machine in npm's terms. For a text that is no marker it
// returns depends.
func marks(text, system, processor string) answer {
	m := marker{words: markerWords(text), facts: pythonFacts(system, processor)}
	a := m.either(0)
	if m.bad || len(m.words) > 0 {
		return depends
	}
	return a
}

// pythonFacts lists the values that the variables of a marker can have on a machine. A variable that is not listed can
// have any value.
func pythonFacts(system, processor string) map[string][]string {
	facts := map[string][]string{}
	switch system {
	case "linux":
		facts["sys_platform"], facts["platform_system"], facts["os_name"] = []string{"linux"}, []string{"Linux"}, []string{"posix"}
	case "darwin":
		facts["sys_platform"], facts["platform_system"], facts["os_name"] = []string{"darwin"}, []string{"Darwin"}, []string{"posix"}
	case "win32":
		facts["sys_platform"], facts["platform_system"], facts["os_name"] = []string{"win32"}, []string{"Windows"}, []string{"nt"}
	}
	switch processor {
	case "x64":
		facts["platform_machine"] = []string{"x86_64", "amd64", "AMD64", "x64"}
	case "arm64":
		facts["platform_machine"] = []string{"aarch64", "arm64", "ARM64"}
	}
	return facts
}

// marker is the unread rest of a marker.
type marker struct {
	words []string // a literal begins with a quote
	facts map[string][]string
	bad   bool
}

// markerWords splits a marker into words, literals, brackets and operators.
func markerWords(text string) (words []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := 1
		switch c := text[0]; {
		case c == '"' || c == '\'':
			end := strings.IndexByte(text[1:], c)
			if end < 0 {
				return []string{"("} // no marker
			}
			words, text = append(words, "'"+text[1:1+end]), text[end+2:]
			continue
		case strings.IndexByte("=!<>~", c) >= 0:
			n = len(text) - len(strings.TrimLeft(text, "=!<>~"))
		case c != '(' && c != ')':
			if n = strings.IndexAny(text, " \t()\"'=!<>~"); n < 0 {
				n = len(text)
			}
		}
		words, text = append(words, text[:n]), text[n:]
	}
	return words
}

// next removes the first word if it is one of these.
func (m *marker) next(want ...string) bool {
	if len(m.words) > 0 && slices.Contains(want, m.words[0]) {
		m.words = m.words[1:]
		return true
	}
	return false
}

func (m *marker) either(depth int) answer {
	a := m.both(depth)
	for m.next("or") {
		a = a.or(m.both(depth))
	}
	return a
}

func (m *marker) both(depth int) answer {
	a := m.one(depth)
	for m.next("and") {
		a = a.and(m.one(depth))
	}
	return a
}

// one reads a comparison, or a marker in brackets.
func (m *marker) one(depth int) answer {
	if m.next("(") {
		if depth == markerDepth {
			m.bad = true
			return depends
		}
		a := m.either(depth + 1)
		m.bad = !m.next(")") || m.bad
		return a
	}
	if len(m.words) < 3 || m.bad {
		m.bad, m.words = true, nil
		return depends
	}
	left, op, right := m.words[0], m.words[1], m.words[2]
	m.words = m.words[3:]
	if op == "not" && right == "in" && len(m.words) > 0 {
		op, right = "not in", m.words[0]
		m.words = m.words[1:]
	}
	return m.compare(left, op, right)
}

// compare compares a variable with a literal, in either order.
func (m *marker) compare(left, op, right string) answer {
	has := func(literal, value string) bool { return literal == value }
	if strings.HasSuffix(op, "in") {
		has = strings.Contains // "sys_platform in 'linux darwin'"
	} else if strings.HasPrefix(left, "'") {
		left, right = right, left
	}
	values := m.facts[left]
	literal, ok := strings.CutPrefix(right, "'")
	if values == nil || !ok {
		return depends
	}
	n := 0
	for _, v := range values {
		if has(literal, v) {
			n++
		}
	}
	a := map[int]answer{0: fails, len(values): holds}[n] // it holds for some of the values: depends
	switch op {
	case "==", "in", "===":
		return a
	case "!=", "not in":
		return a.not()
	}
	return depends
}

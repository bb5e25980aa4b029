package license

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// spdxList has the identifiers of the SPDX License List: licences, a line "# exceptions", exceptions.
//
//go:embed spdx.txt
var spdxList string

// identifiers maps lower-cased identifiers to their listed spelling.
type identifiers struct{ licenses, exceptions map[string]string }

var lists = sync.OnceValue(func() identifiers {
	l := identifiers{licenses: map[string]string{}, exceptions: map[string]string{}}
	into := l.licenses
	for line := range strings.Lines(spdxList) {
		switch id := strings.TrimSpace(line); {
		case id == "# exceptions":
			into = l.exceptions
		case id != "" && id[0] != '#':
			into[strings.ToLower(id)] = id
		}
	}
	return l
})

// Bounds of an expression: bytes, nesting. The longest real ones, of firmware in Linux distributions, have about 60
// terms.
const (
	maxExpression = 4096
	maxDepth      = 32
)

// aliases are lower-cased names that metadata uses instead of identifiers.
var aliases = map[string]string{
	"apache":                          "Apache-2.0",
	"apache 2":                        "Apache-2.0",
	"apache 2.0":                      "Apache-2.0",
	"apache-2":                        "Apache-2.0",
	"apache2":                         "Apache-2.0",
	"apache license 2.0":              "Apache-2.0",
	"apache license, version 2.0":     "Apache-2.0",
	"apache license version 2.0":      "Apache-2.0",
	"apache software license 2.0":     "Apache-2.0",
	"the apache license, version 2.0": "Apache-2.0",
	"bsd-2":                           "BSD-2-Clause",
	"bsd-3":                           "BSD-3-Clause",
	"bsd 2-clause":                    "BSD-2-Clause",
	"bsd 3-clause":                    "BSD-3-Clause",
	"2-clause bsd":                    "BSD-2-Clause",
	"3-clause bsd":                    "BSD-3-Clause",
	"new bsd":                         "BSD-3-Clause",
	"new bsd license":                 "BSD-3-Clause",
	"simplified bsd":                  "BSD-2-Clause",
	"cc0":                             "CC0-1.0",
	"gplv2":                           "GPL-2.0-only",
	"gplv2+":                          "GPL-2.0-or-later",
	"gplv3":                           "GPL-3.0-only",
	"gplv3+":                          "GPL-3.0-or-later",
	"lgplv2.1":                        "LGPL-2.1-only",
	"lgplv3":                          "LGPL-3.0-only",
	"lgplv3+":                         "LGPL-3.0-or-later",
	"agplv3":                          "AGPL-3.0-only",
	"isc license":                     "ISC",
	"mit license":                     "MIT",
	"the mit license":                 "MIT",
	"mit/x11":                         "MIT",
	"mpl 2.0":                         "MPL-2.0",
	"mozilla public license 2.0":      "MPL-2.0",
	"unlicence":                       "Unlicense",
	"the unlicense":                   "Unlicense",
	"zlib/libpng":                     "Zlib",
}

// gnu lists the deprecated identifiers that SPDX defines as "only" this version.
var gnu = []string{"AGPL-1.0", "AGPL-3.0", "GFDL-1.1", "GFDL-1.2", "GFDL-1.3", "GPL-1.0", "GPL-2.0", "GPL-3.0", "LGPL-2.0", "LGPL-2.1", "LGPL-3.0"}

// Expression returns the SPDX licence expression for a declared licence. It accepts an expression or identifier in any
// case, a slash between choices, as Cargo once used, and a few common names. The package comment says how other input
// is handled.
func Expression(s string) string {
	if n := parse(s); n != nil {
		return n.String()
	}
	return NoAssertion
}

// parse reads an expression. It returns nil if s is not one.
func parse(s string) *node {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxExpression {
		return nil
	}
	if id, ok := aliases[strings.ToLower(s)]; ok {
		return &node{term: id}
	}
	p := parser{in: tokens(s)}
	n := p.or(0)
	if n == nil || len(p.in) > 0 {
		return nil
	}
	return n
}

// And joins expressions by AND, without repetitions and unknown licences. It returns NoAssertion if none is left.
func And(exprs ...string) string {
	var terms []string
	for _, e := range exprs {
		if e == "" || e == NoAssertion || slices.Contains(terms, e) {
			continue
		}
		terms = append(terms, e)
	}
	if len(terms) == 0 {
		return NoAssertion
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return Expression("(" + strings.Join(terms, ") AND (") + ")")
}

// node is an expression: a term, or terms joined by an operator.
type node struct {
	term string
	op   string // "AND", "OR"
	of   []*node
}

func (n *node) String() string {
	if n.op == "" {
		return n.term
	}
	parts := make([]string, len(n.of))
	for i, c := range n.of {
		parts[i] = c.String()
		if n.op == "AND" && c.op == "OR" {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " "+n.op+" ")
}

// parser reads the grammar of SPDX 2.3 annex D: WITH binds tighter than AND, and AND tighter than OR. A nil node is a
// syntax error.
type parser struct{ in []string }

func tokens(s string) []string { return strings.Fields(separators.Replace(s)) }

var separators = strings.NewReplacer("(", " ( ", ")", " ) ", "/", " OR ") // shared, since each Replacer builds a table once

func (p *parser) take(word string) bool {
	if len(p.in) == 0 || !strings.EqualFold(p.in[0], word) {
		return false
	}
	p.in = p.in[1:]
	return true
}

func (p *parser) or(depth int) *node  { return p.chain("OR", depth, p.and) }
func (p *parser) and(depth int) *node { return p.chain("AND", depth, p.primary) }

// chain reads operands joined by op.
func (p *parser) chain(op string, depth int, operand func(int) *node) *node {
	var of []*node
	for {
		c := operand(depth)
		if c == nil {
			return nil
		}
		of = append(of, c)
		if !p.take(op) {
			return joined(op, of)
		}
	}
}

// joined joins operands, without repetitions. Operands that are chains of the same operator are merged into it.
func joined(op string, operands []*node) *node {
	n, seen := &node{op: op}, make(map[string]bool)
	for _, c := range operands {
		of := []*node{c}
		if c.op == op {
			of = c.of
		}
		for _, c := range of {
			if s := c.String(); !seen[s] {
				seen[s], n.of = true, append(n.of, c)
			}
		}
	}
	if len(n.of) == 1 {
		return n.of[0]
	}
	return n
}

func (p *parser) primary(depth int) *node {
	if p.take("(") {
		if depth >= maxDepth {
			return nil
		}
		n := p.or(depth + 1)
		if n == nil || !p.take(")") {
			return nil
		}
		return n
	}
	return p.simple()
}

func (p *parser) simple() *node {
	if len(p.in) == 0 {
		return nil
	}
	id := identifier(p.in[0])
	p.in = p.in[1:]
	if id == "" {
		return nil
	}
	if !p.take("WITH") {
		return &node{term: id}
	}
	if len(p.in) == 0 {
		return nil
	}
	term := withException(id, p.in[0])
	p.in = p.in[1:]
	if term == "" {
		return nil
	}
	return &node{term: term}
}

// withException joins a licence and an exception. SPDX 2.3 cannot refer to exceptions outside its list, so an unlisted
// one turns the whole term into a licence reference.
func withException(id, s string) string {
	if x, ok := lists().exceptions[strings.ToLower(s)]; ok {
		return id + " WITH " + x
	}
	ref := reference(s)
	if ref == "" {
		return ""
	}
	return reference(id + "-WITH-" + strings.TrimPrefix(ref, "LicenseRef-"))
}

// identifier returns the listed spelling of an identifier, with its "+". An unlisted name becomes a reference. It
// returns "" if s is not a name.
func identifier(s string) string {
	switch strings.ToUpper(s) {
	case "AND", "OR", "WITH", ")", NoAssertion, "NONE":
		return ""
	}
	if isRef(s) {
		return s
	}
	name, later := strings.CutSuffix(s, "+")
	id, ok := lists().licenses[strings.ToLower(name)]
	if !ok {
		if alias, ok := aliases[strings.ToLower(s)]; ok {
			return alias
		}
		return reference(s)
	}
	switch {
	case slices.Contains(gnu, id) && later:
		return id + "-or-later"
	case slices.Contains(gnu, id):
		return id + "-only"
	case later:
		return id + "+"
	}
	return id
}

// isRef reports whether s is a valid reference to a licence outside the list.
func isRef(s string) bool {
	if doc, rest, ok := strings.Cut(s, ":"); ok && strings.HasPrefix(doc, "DocumentRef-") && isIDString(doc) {
		s = rest
	}
	rest, ok := strings.CutPrefix(s, "LicenseRef-")
	return ok && rest != "" && isIDString(rest)
}

func isIDString(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !isIDRune(r) }) < 0
}

func isIDRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.'
}

// reference makes a LicenseRef from a name and replaces other characters with "-". It returns "" if no valid character
// remains.
func reference(s string) string {
	s = strings.Trim(strings.Map(func(r rune) rune {
		if isIDRune(r) {
			return r
		}
		return '-'
	}, s), "-.")
	if s == "" {
		return ""
	}
	return "LicenseRef-" + strings.TrimPrefix(s, "LicenseRef-")
}

// renamed returns the expression with another term in the place of one.
func (n *node) renamed(from, to string) *node {
	if n.op == "" {
		if n.term == from {
			return &node{term: to}
		}
		return n
	}
	var of []*node
	for _, c := range n.of {
		of = append(of, c.renamed(from, to))
	}
	return joined(n.op, of)
}

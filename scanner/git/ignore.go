package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxIgnoreFile bounds a file of ignore patterns; the largest collections are below 100 KB.
const maxIgnoreFile = 4 << 20

// ignoreRules answers whether git would ignore an untracked path. It reads the .gitignore of each directory when first
// asked about one of its entries. It is not safe for concurrent use.
type ignoreRules struct {
	root     string
	foldCase bool
	dirs     map[string]*ignoreDir // by directory
	shared   [][]ignorePattern     // info/exclude, then the user's file: what comes first decides
}

func (r *Repo) ignoreRules() (*ignoreRules, error) {
	rules := &ignoreRules{root: r.layout.root, foldCase: r.config.ignoreCase, dirs: map[string]*ignoreDir{}}
	for _, file := range []string{filepath.Join(r.layout.commonDir, "info", "exclude"), r.layout.excludes} {
		if file == "" {
			continue
		}
		b, err := readBounded(file, maxIgnoreFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		rules.shared = append(rules.shared, parseIgnore(b, rules.foldCase))
	}
	return rules, nil
}

// ignoreDir is a directory whose .gitignore has patterns, and the nearest such directory above. Most have none: a path of a
// thousand directories is compared with those that have some.
type ignoreDir struct {
	base     string // with a slash at the end, "" for the root
	patterns []ignorePattern
	above    *ignoreDir
}

// match reports whether p is ignored, given that no directory above it is: git does not look below those. The pattern
// nearest to the file decides, in one file the last.
func (r *ignoreRules) match(p string, isDir bool) bool {
	for d := r.dir(p[:max(strings.LastIndexByte(p, '/'), 0)]); d != nil; d = d.above {
		if ignored, decided := decide(d.patterns, r.fold(p[len(d.base):]), isDir); decided {
			return ignored
		}
	}
	for _, patterns := range r.shared {
		if ignored, decided := decide(patterns, r.fold(p), isDir); decided {
			return ignored
		}
	}
	return false
}

// dir returns the nearest directory with patterns, from dir upwards; nil if there is none.
func (r *ignoreRules) dir(dir string) *ignoreDir {
	if known, ok := r.dirs[dir]; ok {
		return known
	}
	var d *ignoreDir
	base := ""
	if dir != "" {
		d, base = r.dir(dir[:max(strings.LastIndexByte(dir, '/'), 0)]), dir+"/"
	}
	if patterns := r.patterns(dir); len(patterns) > 0 {
		d = &ignoreDir{base, patterns, d}
	}
	r.dirs[dir] = d
	return d
}

func (r *ignoreRules) fold(s string) string {
	if r.foldCase {
		return strings.ToLower(s)
	}
	return s
}

// patterns reads a directory's .gitignore. Like git, it does not follow a link; one that cannot be read ignores nothing,
// so that more is scanned rather than less.
func (r *ignoreRules) patterns(dir string) []ignorePattern {
	name := filepath.Join(r.root, filepath.FromSlash(dir), ".gitignore")
	if fi, err := os.Lstat(name); err == nil && fi.Mode().IsRegular() {
		if b, err := readBounded(name, maxIgnoreFile); err == nil {
			return parseIgnore(b, r.foldCase)
		}
	}
	return nil
}

func decide(patterns []ignorePattern, rel string, isDir bool) (ignored, decided bool) {
	for i := len(patterns) - 1; i >= 0; i-- {
		if p := &patterns[i]; p.match(rel, isDir) {
			return !p.negated, true
		}
	}
	return false, false
}

// ignorePattern is a compiled line of a .gitignore.
type ignorePattern struct {
	negated  bool
	dirOnly  bool
	nameOnly bool // without a slash a pattern is about names in any directory below
	literal  string
	glob     glob // nil if literal says it all
}

func parseIgnore(b []byte, foldCase bool) []ignorePattern {
	var patterns []ignorePattern
	for l := range bytes.Lines(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))) {
		text := strings.TrimSuffix(strings.TrimSuffix(string(l), "\n"), "\r")
		if text == "" || text[0] == '#' {
			continue
		}
		if foldCase {
			text = strings.ToLower(text)
		}
		if p, ok := parsePattern(trimBlanks(text)); ok {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// trimBlanks drops blanks at the end, except one that is quoted with a backslash.
func trimBlanks(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			end = i + 1
		case s[i] != ' ':
			end = i + 1
		}
	}
	return s[:end]
}

func parsePattern(s string) (ignorePattern, bool) {
	var p ignorePattern
	if rest, ok := strings.CutPrefix(s, "!"); ok {
		p.negated, s = true, rest
	}
	if rest, ok := strings.CutSuffix(s, "/"); ok {
		p.dirOnly, s = true, rest
	}
	p.nameOnly = !strings.Contains(s, "/")
	s = strings.TrimPrefix(s, "/")
	if s == "" {
		return p, false
	}
	if !strings.ContainsAny(s, wildcards) {
		p.literal = s
		return p, true
	}
	var ok bool
	p.glob, ok = compileGlob(s)
	return p, ok
}

func (p *ignorePattern) match(rel string, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	if p.nameOnly {
		rel = path.Base(rel)
	}
	if p.glob == nil {
		return rel == p.literal
	}
	return p.glob.match(rel)
}

// glob is a compiled wildcard pattern: a list of steps through which match runs as an automaton, in time proportional to
// length of pattern times length of text. Backtracking would take exponential time on patterns made for it.
type glob []globStep

type globStep struct {
	op   globOp
	char byte
	set  *[256]bool
}

type globOp uint8

const (
	opChar   globOp = iota // one byte
	opAny                  // ?: any byte but a slash
	opSet                  // [...]
	opStar                 // *: any bytes but slashes
	opAll                  // ** at the end: any bytes
	opDirs                 // **/: any number of directories; it is followed by opWithin
	opWithin               // inside the name of such a directory
)

// wildcards are the bytes that make a pattern more than a name.
const wildcards = `*?[\`

// compileGlob fails on what git's matcher takes for malformed, which then matches nothing.
//
// git compares the part of a pattern before the first wildcard by itself and then matches the rest, so that ** directly
// after it counts as if it came after a slash.
func compileGlob(s string) (glob, bool) {
	var g glob
	plain := strings.IndexAny(s, wildcards)
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '\\':
			if i+1 == len(s) {
				return nil, false
			}
			g = append(g, globStep{op: opChar, char: s[i+1]})
			i += 2
		case '?':
			g = append(g, globStep{op: opAny})
			i++
		case '[':
			set, n, ok := compileSet(s[i:])
			if !ok {
				return nil, false
			}
			g = append(g, globStep{op: opSet, set: set})
			i += n
		case '*':
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], "*"))
			atStart := i == plain || s[i-1] == '/'
			rest := s[i+n:]
			switch {
			case n >= 2 && atStart && rest == "":
				g = append(g, globStep{op: opAll})
			case n >= 2 && atStart && rest[0] == '/':
				g = append(g, globStep{op: opDirs}, globStep{op: opWithin})
				n++
			default:
				g = append(g, globStep{op: opStar})
			}
			i += n
		default:
			g = append(g, globStep{op: opChar, char: c})
			i++
		}
	}
	return g, true
}

// match runs all states at once. States are step numbers; len(g) is the end.
func (g glob) match(text string) bool {
	now, next := make([]bool, len(g)+1), make([]bool, len(g)+1)
	g.enter(now, 0)
	for i := 0; i < len(text); i++ {
		clear(next)
		for s, on := range now[:len(g)] {
			if on {
				g.step(next, s, text[i])
			}
		}
		now, next = next, now
	}
	return now[len(g)]
}

// enter activates a state and those reached from it without reading a byte.
func (g glob) enter(states []bool, s int) {
	for {
		states[s] = true
		if s == len(g) {
			return
		}
		switch g[s].op {
		case opStar, opAll:
			s++
		case opDirs:
			s += 2
		default:
			return
		}
	}
}

func (g glob) step(next []bool, s int, c byte) {
	step := &g[s]
	switch step.op {
	case opChar:
		if c == step.char {
			g.enter(next, s+1)
		}
	case opAny:
		if c != '/' {
			g.enter(next, s+1)
		}
	case opSet:
		if c != '/' && step.set[c] {
			g.enter(next, s+1)
		}
	case opStar:
		if c != '/' {
			g.enter(next, s)
		}
	case opAll:
		g.enter(next, s)
	case opDirs:
		if c != '/' {
			g.enter(next, s+1)
		}
	case opWithin:
		if c == '/' {
			g.enter(next, s-1)
		} else {
			g.enter(next, s)
		}
	}
}

// compileSet reads a bracket expression and returns how many bytes of s it takes.
func compileSet(s string) (set *[256]bool, n int, ok bool) {
	set = new([256]bool)
	i, negated := 1, false
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		negated, i = true, i+1
	}
	first := true
	var previous byte
	hasPrevious := false
	for ; i < len(s) && (s[i] != ']' || first); i++ {
		first = false
		switch c := s[i]; {
		case c == '-' && hasPrevious && i+1 < len(s) && s[i+1] != ']':
			i++
			if s[i] == '\\' {
				if i++; i == len(s) {
					return nil, 0, false
				}
			}
			for b := int(previous); b <= int(s[i]); b++ {
				set[b] = true
			}
			hasPrevious = false
		case c == '[' && i+1 < len(s) && s[i+1] == ':':
			end := strings.Index(s[i+2:], "]")
			if end < 0 {
				return nil, 0, false
			}
			name, isClass := strings.CutSuffix(s[i+2:i+2+end], ":")
			if !isClass { // "[:" without ":]" is a bracket like any other byte
				set['['], previous, hasPrevious = true, '[', true
				continue
			}
			if !addClass(set, name) {
				return nil, 0, false
			}
			i += 2 + end
			hasPrevious = false
		default:
			if c == '\\' {
				if i++; i == len(s) {
					return nil, 0, false
				}
				c = s[i]
			}
			set[c], previous, hasPrevious = true, c, true
		}
	}
	if i >= len(s) {
		return nil, 0, false
	}
	if negated {
		for b := range set {
			set[b] = !set[b]
		}
	}
	return set, i + 1, true
}

// addClass adds a POSIX character class, of ASCII as git has it.
func addClass(set *[256]bool, name string) bool {
	between := func(pairs string) {
		for i := 0; i < len(pairs); i += 2 {
			for b := int(pairs[i]); b <= int(pairs[i+1]); b++ {
				set[b] = true
			}
		}
	}
	switch name {
	case "alnum":
		between("09AZaz")
	case "alpha":
		between("AZaz")
	case "blank":
		between("  \t\t")
	case "cntrl":
		between("\x00\x1f\x7f\x7f")
	case "digit":
		between("09")
	case "graph":
		between("!~")
	case "lower":
		between("az")
	case "print":
		between(" ~")
	case "punct":
		between("!/:@[`{~")
	case "space":
		between("\t\r  ")
	case "upper":
		between("AZ")
	case "xdigit":
		between("09AFaf")
	default:
		return false
	}
	return true
}

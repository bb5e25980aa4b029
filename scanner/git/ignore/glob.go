package ignore

import (
	"strings"
)

// glob is a compiled wildcard pattern: a list of steps that match runs as an automaton. Its time is proportional to the
// length of the pattern times the length of the text. Backtracking would take exponential time on hostile patterns.
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

// wildcards are the bytes that turn a name into a pattern.
const wildcards = `*?[\`

// compileGlob compiles a pattern. It fails on patterns that git's matcher considers malformed; they match nothing.
//
// git compares the part of a pattern before the first wildcard by itself and then matches the rest. So ** directly after
// it counts as if it came after a slash.
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
				if len(g) == 0 || g[len(g)-1].op != opWithin { // one after another mean the same, and each takes time
					g = append(g, globStep{op: opDirs}, globStep{op: opWithin})
				}
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

// match runs all states at once. A state is a step number; len(g) is the end.
func (g glob) match(text string) bool {
	if n := len(g); n > 0 && g[n-1].op == opChar && (text == "" || text[len(text)-1] != g[n-1].char) {
		return false
	}
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

// enter activates a state and all states reached from it without reading a byte.
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

// compileSet reads a bracket expression and returns the number of bytes of s that it takes.
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

// addClass adds a POSIX character class. Like git, it covers ASCII only.
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

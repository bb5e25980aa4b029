package license

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Answer says whether code under one licence may become part of a file under another.
type Answer string

// The answers, the mildest first.
const (
	Fits    Answer = "compatible"
	Ask     Answer = "ask"            // it depends on facts that the two names do not show
	FitsNot Answer = "not-compatible" // not without another permission
)

var answers = []Answer{Fits, Ask, FitsNot}

//go:embed compatible.txt
var compatibleList string

// fitRule is a line of the table.
type fitRule struct {
	copied, into []string
	answer       Answer
	words        string
}

var fitRules = sync.OnceValue(func() []fitRule {
	var out []fitRule
	for line := range strings.Lines(compatibleList) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "|")
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		out = append(out, fitRule{strings.Fields(f[0]), strings.Fields(f[1]), Answer(f[2]), f[3]})
	}
	return out
})

// Compatible reports whether code under one expression may become part of a file under another, and states the rule in
// words. If the origin offers a choice, the mildest answer counts. If the file has several licences, the code must fit
// each of them, or one into which the others may go too. ok is false if a licence is not known well enough.
func Compatible(origin, file string) (Answer, string, bool) {
	from, into := parse(origin), parse(file)
	if from == nil || into == nil {
		return "", "", false
	}
	v, ok := into.takes(from)
	return v.answer, v.words, ok
}

// takes returns the verdict for code under an origin's licences in a file under n.
func (n *node) takes(origin *node) (worst verdict, ok bool) {
	if n.op == "" {
		return origin.into(n.term)
	}
	for i, c := range n.of {
		v, ok := c.takes(origin)
		if !ok {
			return verdict{}, false
		}
		if v.answer == Fits && n.allGoInto(c) {
			return v, true
		}
		if i == 0 || v.rank() > worst.rank() {
			worst = v
		}
	}
	return worst, true
}

// allGoInto reports whether a file under all the licences of n may be passed on under c, one of them. A file under
// "Apache-2.0 AND GPL-3.0-only" is under the GPL as a whole.
func (n *node) allGoInto(c *node) bool {
	if n.op != "AND" || c.op != "" {
		return false
	}
	for _, other := range n.of {
		if v, ok := other.into(c.term); !ok || v.answer != Fits {
			return false
		}
	}
	return true
}

type verdict struct {
	answer Answer
	words  string
}

func (v verdict) rank() int { return slices.Index(answers, v.answer) }

// into returns the verdict for one licence of the file.
func (n *node) into(file string) (verdict, bool) {
	if n.op == "" {
		return fit(n.term, file)
	}
	var best verdict
	met := false
	for _, c := range n.of {
		v, ok := c.into(file)
		if !ok && n.op == "AND" {
			return verdict{}, false
		}
		if ok && (!met || (v.rank() < best.rank()) == (n.op == "OR")) {
			best, met = v, true
		}
	}
	return best, met
}

func fit(origin, file string) (verdict, bool) {
	from, into := classOf(origin), classOf(file)
	switch {
	case from == Unknown || into == Unknown:
		return verdict{}, false
	case origin == file:
		return verdict{Fits, "it is the same licence"}, true
	}
	for _, r := range fitRules() {
		if anyOf(r.copied, origin, from) && anyOf(r.into, file, into) {
			return verdict{r.answer, r.words}, true
		}
	}
	return verdict{}, false
}

// anyOf reports whether one of the patterns matches a licence. A licence with an exception differs from the licence it
// is named after, so only its class is compared.
func anyOf(patterns []string, term string, class Class) bool {
	with := strings.Contains(term, " WITH ")
	return slices.ContainsFunc(patterns, func(p string) bool {
		start, open := strings.CutSuffix(p, "*")
		return p == "*" || p == string(class) || !with && (p == term || open && strings.HasPrefix(term, start))
	})
}

package config

import (
	"fmt"
	"strconv"

	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner/policy"
	"gopkg.in/yaml.v3"
)

// The keys of the configuration that are not flags: lists of rules and of allowances.
const (
	policyKey = "policy"
	allowKey  = "allow"
)

// structured reads the keys whose values are lists of mappings.
func (c *File) structured(key, value *yaml.Node) error {
	if value.Kind != yaml.SequenceNode {
		return c.fail(value.Line, "key %q: must be a list", key.Value)
	}
	for i, n := range value.Content {
		e := entry{c: c, key: key.Value, fields: make(map[string]*yaml.Node)}
		if err := e.open(n); err != nil {
			return err
		}
		add := c.addRule
		if key.Value == allowKey {
			add = c.addAllowance
		}
		if err := add(&e, i+1); err != nil {
			return err
		}
	}
	return nil
}

func (c *File) addRule(e *entry, number int) error {
	r := policy.Rule{Name: strconv.Itoa(number)}
	e.text("name", &r.Name)
	e.list("license", &r.License)
	e.list("package", &r.Package)
	e.list("path", &r.Path)
	e.list("verdict", &r.Verdict)
	e.list("direction", &r.Direction)
	e.list("owner", &r.Owner)
	e.list("kind", &r.Kind)
	e.list("named-in", &r.NamedIn)
	e.list("history", &r.History)
	e.list("compatibility", &r.Compatibility)
	e.number("min-tokens", &r.MinTokens)
	e.number("min-lines", &r.MinLines)
	e.share("below-score", &r.BelowScore)
	e.text("level", &r.Level)
	c.Rules = append(c.Rules, r)
	return e.done(r.Check)
}

func (c *File) addAllowance(e *entry, _ int) error {
	a := policy.Allow{Line: e.line}
	e.text("finding", &a.Finding)
	e.text("origin", &a.Origin)
	e.text("content", &a.Content)
	e.list("path", &a.Path)
	e.text("reason", &a.Reason)
	e.text("expires", &a.Expires)
	c.Allows = append(c.Allows, a)
	return e.done(a.Check)
}

// entry reads one mapping of a list. The first error is kept.
type entry struct {
	c      *File
	key    string
	line   int
	fields map[string]*yaml.Node
	order  []string
	known  []string // fields that were asked for
	err    error
}

func (e *entry) open(n *yaml.Node) error {
	e.line = n.Line
	if n.Kind != yaml.MappingNode {
		return e.c.fail(n.Line, "key %q: each entry must be a mapping", e.key)
	}
	for i := 0; i < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if e.fields[name] != nil {
			return e.c.fail(n.Content[i].Line, "key %q: %q is there twice", e.key, name)
		}
		e.fields[name] = n.Content[i+1]
		e.order = append(e.order, name)
	}
	return nil
}

// take returns a field and removes it.
func (e *entry) take(name string) *yaml.Node {
	n := e.fields[name]
	e.known = append(e.known, name)
	delete(e.fields, name)
	return n
}

func (e *entry) fail(n *yaml.Node, name, must string) {
	if e.err == nil {
		e.err = e.c.fail(n.Line, "key %q: %s must be %s", e.key, name, must)
	}
}

func (e *entry) text(name string, to *string) {
	n := e.take(name)
	switch {
	case n == nil:
	case n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "":
		e.fail(n, name, "a value")
	default:
		*to = n.Value
	}
}

// list reads a value or a list of values.
func (e *entry) list(name string, to *[]string) {
	n := e.take(name)
	if n == nil {
		return
	}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	for _, i := range items {
		if i.Kind != yaml.ScalarNode || i.Tag == "!!null" || i.Value == "" {
			e.fail(i, name, "a value or a list of values")
			return
		}
		*to = append(*to, i.Value)
	}
	if len(*to) == 0 {
		e.fail(n, name, "a value or a list of values") // an empty list would match everything
	}
}

// share reads a number above 0 and at most 1.
func (e *entry) share(name string, to *float64) {
	n := e.take(name)
	if n == nil {
		return
	}
	if err := n.Decode(to); err != nil || !(*to > 0 && *to <= 1) {
		e.fail(n, name, "a number above 0, at most 1")
	}
}

func (e *entry) number(name string, to *int) {
	n := e.take(name)
	if n == nil {
		return
	}
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || v < 0 {
		e.fail(n, name, "a whole number")
		return
	}
	*to = v
}

// done refuses fields that were not read, and entries that fail their own check.
func (e *entry) done(check func() error) error {
	if e.err != nil {
		return e.err
	}
	for _, name := range e.order {
		if n := e.fields[name]; n != nil {
			in := fmt.Sprintf("key %q: ", e.key)
			return e.c.unknownKey(n.Line, name, in, e.known, "an entry can have "+value.Alternatives(e.known))
		}
	}
	if err := check(); err != nil {
		return e.c.fail(e.line, "key %q: %w", e.key, err)
	}
	return nil
}

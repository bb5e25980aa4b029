package cmd

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/policy"
	"gopkg.in/yaml.v3"
)

// The keys of the configuration that are no flags: lists of rules and of
// allowances.
const (
	policyKey = "policy"
	allowKey  = "allow"
)

// decide gives every finding its level: by the rules and allowances of the
// configuration, and by the earlier reports of --known.
func (p *program) decide(ctx context.Context, rep *scanner.Report, f *scanFlags) error {
	var known []policy.Known
	for _, name := range f.known {
		r, err := p.readReport(ctx, name)
		if err != nil {
			return err
		}
		known = append(known, policy.Known{Name: filepath.Base(name), Report: r})
	}
	today, err := p.created()
	if err != nil {
		return err
	}
	if today.IsZero() {
		today = time.Now()
	}
	policy.New(p.file.rules, p.file.allows, configName, known, today).Apply(rep)
	return nil
}

// structured reads the keys whose values are lists of mappings.
func (c *config) structured(key, value *yaml.Node) error {
	if value.Kind != yaml.SequenceNode {
		return c.fail(value.Line, "key %q: must be a list", key.Value)
	}
	for i, n := range value.Content {
		e := entry{c: c, key: key.Value, fields: make(map[string]*yaml.Node)}
		if err := e.open(n); err != nil {
			return err
		}
		switch key.Value {
		case policyKey:
			r := policy.Rule{Name: strconv.Itoa(i + 1)}
			e.text("name", &r.Name)
			e.list("license", &r.License)
			e.list("package", &r.Package)
			e.list("path", &r.Path)
			e.list("verdict", &r.Verdict)
			e.list("direction", &r.Direction)
			e.list("owner", &r.Owner)
			e.number("min-tokens", &r.MinTokens)
			e.number("min-lines", &r.MinLines)
			e.text("level", &r.Level)
			if err := e.done(r.Check); err != nil {
				return err
			}
			c.rules = append(c.rules, r)
		case allowKey:
			a := policy.Allow{Line: n.Line}
			e.text("finding", &a.Finding)
			e.text("origin", &a.Origin)
			e.text("content", &a.Content)
			e.list("path", &a.Path)
			e.text("reason", &a.Reason)
			e.text("expires", &a.Expires)
			if err := e.done(a.Check); err != nil {
				return err
			}
			c.allows = append(c.allows, a)
		}
	}
	return nil
}

// entry reads one mapping of a list; the first error sticks.
type entry struct {
	c      *config
	key    string
	line   int
	fields map[string]*yaml.Node
	order  []string
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

// take returns a field and forgets it.
func (e *entry) take(name string) *yaml.Node {
	n := e.fields[name]
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
		e.fail(n, name, "a value or a list of values") // an empty list would fit everything
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

// done refuses what nobody took, and what the entry's own check finds.
func (e *entry) done(check func() error) error {
	if e.err != nil {
		return e.err
	}
	for _, name := range e.order {
		if n := e.fields[name]; n != nil {
			return e.c.fail(n.Line, "key %q: unknown key %q", e.key, name)
		}
	}
	if err := check(); err != nil {
		return e.c.fail(e.line, "key %q: %w", e.key, err)
	}
	return nil
}

// configPath is where the configuration lies in the target, as its paths are
// written.
func configPath(root string) string {
	if root == "" {
		return ""
	}
	return configName
}

// countFrom counts the findings at or above a level; what the policy ignores
// never counts. An unknown level counts: better to look at a finding in vain than
// to miss it.
func countFrom(fs []scanner.Finding, level string) int {
	if level == never {
		return 0
	}
	n, low := 0, slices.Index(policy.Levels, level)
	for _, f := range fs {
		if at := slices.Index(policy.Levels, f.Level); f.Level != policy.Ignore && (at < 0 || at >= low) {
			n++
		}
	}
	return n
}

// failLevels are the levels that can make a scan fail.
var failLevels = append(slices.Clone(policy.Levels[1:]), never)

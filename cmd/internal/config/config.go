// Package config sets the values of flags. A value comes from the first of: the command line, the environment variable
// GIT_PROVENANCE_ and the flag's name, the configuration file at the root of the repository, the default.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/policy"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"
)

// Name is the name of the configuration file.
const Name = ".git-provenance.yml"

// misname is the name that people give it by mistake.
const misname = ".git-provenance.yaml"

const (
	envPrefix = "GIT_PROVENANCE_"
	// maxConfig bounds the file, which may come from a stranger's repository. Long lists of exclusions have a few KB.
	maxConfig = 1 << 20
)

// Annotations of flags.
const (
	// NotInFile marks flags that decide what the program does, such as which file it writes. A repository must not decide that.
	NotInFile = "git-provenance-not-in-file"
	// NoAddress marks flags whose values in the file cannot be addresses: a stranger's repository must not make the
	// program connect anywhere.
	NoAddress = "git-provenance-no-address"
	// IsPath marks flags whose values in the file are relative to it.
	IsPath = "git-provenance-path"
)

// OpenBaseline is the name of the open baseline in the flags marked with NoAddress. A directory of that name is
// ./default.
const OpenBaseline = "default"

// Mark annotates flags.
func Mark(fs *pflag.FlagSet, annotation string, names ...string) {
	for _, n := range names {
		if err := fs.SetAnnotation(n, annotation, []string{"true"}); err != nil {
			panic(err) // no such flag
		}
	}
}

// Marked reports whether a flag is annotated.
func Marked(f *pflag.Flag, annotation string) bool { return f.Annotations[annotation] != nil }

// Settle sets every flag of a command that the command line does not set, and returns the configuration file that it
// read. root is the repository's root, "" outside of a repository.
func Settle(c *cobra.Command, root string, getenv func(string) string) (*File, error) {
	file, err := read(root)
	if err != nil {
		return nil, err
	}
	if err := file.check(c.Root()); err != nil {
		return nil, err
	}
	var errs []error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !settable(f) || f.Changed {
			return
		}
		name := envName(f.Name)
		if v := getenv(name); v != "" {
			if err := setList(f, commas(f, v)); err != nil {
				errs = append(errs, &VariableError{name, v, err})
			}
			return
		}
		if s, ok := file.settings[f.Name]; ok {
			errs = append(errs, file.apply(s, f))
		}
	})
	return file, errors.Join(errs...)
}

// VariableError says that the value of an environment variable is invalid.
type VariableError struct {
	Name, Value string
	Err         error
}

func (e *VariableError) Error() string {
	return fmt.Sprintf("environment variable %s: %q: %v", e.Name, e.Value, e.Err)
}
func (e *VariableError) Unwrap() error { return e.Err }

// settable reports whether a flag can be set; it excludes flags that cobra adds.
func settable(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "version" }

func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// commas splits the variable of a repeatable flag at commas and line breaks.
func commas(f *pflag.Flag, v string) []string {
	if _, list := f.Value.(pflag.SliceValue); !list {
		return []string{v}
	}
	var out []string
	for _, s := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == '\n' }) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// setList sets a flag like the command line.
func setList(f *pflag.Flag, vs []string) error {
	f.Changed = true
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(vs)
	}
	err := f.Value.Set(vs[0])
	if err != nil && f.Value.Type() == "bool" { // pflag names a function of Go
		return errors.New("must be true or false")
	}
	return err
}

// setting is one key of the configuration file.
type setting struct {
	key    string
	values []string
	list   bool
	line   int
	err    error // no setting of a flag has this form
}

// File is the configuration file; its zero value means no file.
type File struct {
	Narrowed []finding.Entry // settings in effect that make a scan see less
	Rules    []policy.Rule
	Allows   []policy.Allow

	path     string
	settings map[string]setting
	order    []string // keys in the order of the file
}

// Error is a mistake in a configuration file, with its line.
type Error struct {
	Path string
	Line int // 0 if it concerns the whole file
	Err  error

	hint string
}

func (e *Error) Error() string {
	place := e.Path
	if e.Line != 0 {
		place = fmt.Sprintf("%s:%d", e.Path, e.Line)
	}
	return fmt.Sprintf("configuration %q: %v", place, e.Err)
}
func (e *Error) Unwrap() error { return e.Err }

// Remedy says how to mend the file, "" if the error says it.
func (e *Error) Remedy() string { return e.hint }

func (c *File) fail(line int, format string, args ...any) *Error {
	return &Error{Path: c.path, Line: line, Err: fmt.Errorf(format, args...)}
}

// advise sets the remedy of an error.
func (e *Error) advise(hint string) *Error {
	e.hint = hint
	return e
}

const aboutKeys = `keys are the names of flags without their dashes, which "git-provenance scan --help" lists, and policy and allow: see docs/POLICY.md`

// unknownKey is the error for a key that is none of the known ones; otherwise is its remedy if no known key resembles it.
func (c *File) unknownKey(line int, key, in string, known []string, otherwise string) *Error {
	err := c.fail(line, "%sunknown key %q", in, key)
	if near := value.Nearest(key, known); near != "" {
		return err.advise(fmt.Sprintf("did you mean %q?", near))
	}
	return err.advise(otherwise)
}

func read(root string) (*File, error) {
	c := &File{settings: make(map[string]setting)}
	if root == "" {
		return c, nil
	}
	c.path = filepath.Join(root, Name)
	b, err := readBounded(c.path, maxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, misnamed(root)
	case err != nil:
		return nil, c.fail(0, "%w", err)
	}
	return c, c.parse(b)
}

// misnamed refuses a file that is named like the configuration file: to ignore it would silently ignore its settings.
func misnamed(root string) error {
	path := filepath.Join(root, misname)
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	return &Error{Path: path, Err: errors.New("this file is not read"), hint: fmt.Sprintf("rename it to %s", Name)}
}

// readBounded reads a regular file of limited size.
func readBounded(path string, limit int64) ([]byte, error) {
	st, err := os.Lstat(path) // a message about a mistake would show the text of a link's target
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return console.ReadLimited(f, limit)
}

// parse reads a mapping. Flag names have texts or lists of texts; policy and allow have lists of mappings.
func (c *File) parse(b []byte) error {
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return c.fail(0, "%w", err).advise(syntaxAdvice(b))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return c.fail(0, "holds more than one document")
	}
	m := doc.Content[0]
	if m.Kind == yaml.ScalarNode && m.Tag == "!!null" {
		return nil
	}
	if m.Kind != yaml.MappingNode {
		return c.fail(m.Line, "must be a mapping of flag names to values").advise("write one setting a line, such as fail-on: warning")
	}
	for i := 0; i < len(m.Content); i += 2 {
		if err := c.add(m.Content[i], m.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// syntaxAdvice returns the remedy for a text that is no YAML.
func syntaxAdvice(b []byte) string {
	for i, line := range bytes.Split(b, []byte("\n")) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("\t")) {
			return fmt.Sprintf("line %d is indented with a tab: YAML takes spaces only", i+1)
		}
	}
	return "look there, and in the line before, for an open bracket or quotation mark, or a wrong indentation"
}

func (c *File) add(key, value *yaml.Node) error {
	s := setting{key: key.Value, line: key.Line, list: value.Kind == yaml.SequenceNode}
	if _, twice := c.settings[s.key]; twice {
		return c.fail(s.line, "key %q is there twice", s.key)
	}
	if s.key == policyKey || s.key == allowKey {
		c.settings[s.key] = s
		return c.structured(key, value)
	}
	items := []*yaml.Node{value}
	if s.list {
		items = value.Content
	}
	for _, n := range items {
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			s.err = c.fail(n.Line, "key %q: must be a value or a list of values", s.key)
			break
		}
		s.values = append(s.values, n.Value)
	}
	c.settings[s.key] = s
	c.order = append(c.order, s.key)
	return nil
}

// check refuses keys that are not a flag of any command, so that a misspelt key is never silently ignored.
func (c *File) check(root *cobra.Command) error {
	known := make(map[string]*pflag.Flag)
	collect(root, known)
	for _, key := range c.order {
		s := c.settings[key]
		switch f := known[key]; {
		case f == nil:
			return c.unknownKey(s.line, key, "", keys(known), aboutKeys)
		case Marked(f, NotInFile):
			return c.fail(s.line, "key %q can only be given on the command line or in the environment", key)
		case s.err != nil:
			return s.err
		}
	}
	return nil
}

// keys returns the keys that a configuration file may have, sorted.
func keys(flags map[string]*pflag.Flag) []string {
	names := []string{policyKey, allowKey}
	for name, f := range flags {
		if !f.Hidden && !Marked(f, NotInFile) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func collect(c *cobra.Command, known map[string]*pflag.Flag) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if settable(f) {
			known[f.Name] = f
		}
	})
	for _, sub := range c.Commands() {
		if sub.Name() != "completion" { // cobra's own
			collect(sub, known)
		}
	}
}

func (c *File) apply(s setting, f *pflag.Flag) error {
	_, list := f.Value.(pflag.SliceValue)
	switch {
	case list && !s.list:
		return c.fail(s.line, "key %q: must be a list", s.key).advise(fmt.Sprintf("write %s: [%q]", s.key, s.values[0]))
	case s.list && !list:
		return c.fail(s.line, "key %q: must be a single value", s.key)
	}
	values := s.values
	if Marked(f, IsPath) {
		values = make([]string, len(s.values))
		for i, v := range s.values {
			values[i] = v
			address := strings.Contains(v, "://")
			if address && Marked(f, NoAddress) {
				return c.fail(s.line, "key %q: an address can only be given on the command line or in the environment", s.key)
			}
			named := v == OpenBaseline && Marked(f, NoAddress)
			if !filepath.IsAbs(v) && !address && !named {
				values[i] = filepath.Join(filepath.Dir(c.path), v)
			}
		}
	}
	usual := f.Value.String()
	if err := setList(f, values); err != nil {
		return c.fail(s.line, "key %q: %q: %w", s.key, strings.Join(values, ", "), err)
	}
	if effect := narrowing(f, usual); effect != "" {
		detail := fmt.Sprintf("%s: %s: %s", s.key, strings.Join(s.values, ", "), effect)
		c.Narrowed = append(c.Narrowed, finding.Entry{Path: Name, Reason: finding.ReasonConfigured, Detail: detail})
	}
	return nil
}

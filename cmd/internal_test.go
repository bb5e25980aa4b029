package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestExitCode(t *testing.T) {
	failure := errors.New("x")
	for _, c := range []struct {
		found int
		err   error
		want  int
	}{{0, nil, 0}, {1, nil, 1}, {300, nil, 1}, {0, failure, 2}, {3, failure, 2}} {
		if got := exitCode(c.found, c.err); got != c.want {
			t.Errorf("exitCode(%d, %v) = %d, want %d", c.found, c.err, got, c.want)
		}
	}
}

func TestCountFrom(t *testing.T) {
	var fs []scanner.Finding
	for _, l := range []string{"note", "warning", "warning", "error", "unheard-of"} {
		fs = append(fs, scanner.Finding{Level: l})
	}
	for level, want := range map[string]int{"note": 5, "warning": 4, "error": 2, "never": 0} {
		if got := countFrom(fs, level); got != want {
			t.Errorf("from %s: %d, want %d", level, got, want)
		}
	}
}

func TestOutside(t *testing.T) {
	for _, c := range []struct {
		args         string
		root, prefix string
		rels         string
	}{
		{"", ".", "", ""},
		{"a", "./", "", "a"},
		{"./a/ b/../c", "./", "", "a c"},
		{".", "./", "", "."},
		{"..", "./../", "../", "."},
		{"../x/y", "./../", "../", "x/y"},
		{"../../x", "./../../", "../../", "x"},
		{"/a/b /c", "/", "/", "a/b c"},
		{"/", "/", "/", "."},
	} {
		root, rels, prefix, err := outside(strings.Fields(c.args))
		if err != nil || root != c.root || prefix != c.prefix || strings.Join(rels, " ") != c.rels {
			t.Errorf("outside(%q) = %q, %q, %q, %v", c.args, root, rels, prefix, err)
		}
	}
}

func TestOutsideMixed(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, rels, prefix, err := outside([]string{"a", "/b"})
	if err != nil || prefix+rels[0] != wd+"/a" || prefix+rels[1] != "/b" {
		t.Errorf("%q, %q, %v", rels, prefix, err)
	}
}

func TestWriteOutput(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	put := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	want := func(step, text string) {
		t.Helper()
		b, _ := os.ReadFile(file)
		es, _ := os.ReadDir(dir)
		if string(b) != text || len(es) > 2 {
			t.Errorf("%s: %q, %v", step, b, es)
		}
	}
	if err := writeOutput(file, put("one")); err != nil {
		t.Fatal(err)
	}
	want("new", "one")
	err := writeOutput(file, func(w io.Writer) error { return errors.Join(put("half")(w), io.ErrShortWrite) })
	if !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("error %v", err)
	}
	want("failed", "one")
	if err := errors.Join(os.Chmod(file, 0o600), os.Symlink("f", link)); err != nil {
		t.Fatal(err)
	}
	if err := writeOutput(link, put("two")); err != nil {
		t.Fatal(err)
	}
	want("through a link", "two")
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

// flagsFor makes a command with one flag of each kind.
func flagsFor() (*cobra.Command, *struct {
	text string
	list []string
	num  int
	on   bool
}) {
	v := new(struct {
		text string
		list []string
		num  int
		on   bool
	})
	c := &cobra.Command{Use: "x"}
	c.Flags().StringVar(&v.text, "text", "default", "")
	c.Flags().StringArrayVar(&v.list, "a-list", nil, "")
	c.Flags().Var(atLeast(&v.num, 7, 1), "num", "")
	c.Flags().BoolVar(&v.on, "on", false, "")
	mark(c.Flags(), isPath, "a-list")
	c.Flags().String("secret", "", "")
	mark(c.Flags(), notInFile, "secret")
	return c, v
}

func TestSettlePrecedence(t *testing.T) {
	dir := t.TempDir()
	config := "text: file\na-list: [p, /q]\nnum: 8\non: true\n"
	if err := os.WriteFile(filepath.Join(dir, configName), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"GIT_PROVENANCE_TEXT": "env", "GIT_PROVENANCE_A_LIST": "r, s,t\n\nu,", "GIT_PROVENANCE_NUM": "9", "GIT_PROVENANCE_ON": "false"}
	args := []string{"--text=flag", "--a-list=v,w", "--num=10", "--on=false"}
	for _, c := range []struct {
		name string
		root string
		env  map[string]string
		args []string
		want string
	}{
		{"default", "", nil, nil, "default [] 7 false"},
		{"file", dir, nil, nil, "file [" + dir + "/p /q] 8 true"},
		{"environment", dir, env, nil, "env [r s t u] 9 false"},
		{"command line", dir, env, args, "flag [v,w] 10 false"},
		{"empty variable", dir, map[string]string{"GIT_PROVENANCE_TEXT": ""}, nil, "file [" + dir + "/p /q] 8 true"},
	} {
		cmd, v := flagsFor()
		if err := cmd.ParseFlags(c.args); err != nil {
			t.Fatal(err)
		}
		p := &program{env: func(n string) (string, bool) { s, ok := c.env[n]; return s, ok }}
		if err := p.settle(cmd, c.root); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := fmt.Sprint(v.text, " ", v.list, " ", v.num, " ", v.on); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	for in, want := range map[string]string{
		"txt: a\n":                           `1: unknown key "txt"`,
		"# comment\n\nhelp: true\n":          `3: unknown key "help"`,
		"text: a\nsecret: b\n":               `2: key "secret" can only`,
		"text: a\ntext: b\n":                 `2: key "text" is there twice`,
		"text: [a]\n":                        `1: key "text": must be a single value`,
		"a-list: a\n":                        `1: key "a-list": must be a list`,
		"text:\n":                            `1: key "text": must be a value`,
		"text: {a: b}\n":                     `1: key "text": must be a value`,
		"a-list: [[a]]\n":                    `1: key "a-list": must be a value`,
		"text: &x a\na-list: *x\n":           `2: key "a-list": must be a value`,
		"on: true\nnum: many\n":              `2: key "num": "many": must be a whole number`,
		"num: 0\n":                           `1: key "num": "0": must be`,
		"on: maybe\n":                        `1: key "on": "maybe"`,
		"- text\n":                           "1: must be a mapping",
		"text\n":                             "1: must be a mapping",
		"text: a\n---\ntext: b\n":            "more than one document",
		"text: \"a\n":                        "yaml: ",
		"\tx: 1\n":                           "yaml: ",
		"x: \xff\n":                          "yaml: ",
		strings.Repeat("#", maxConfig) + "#": "larger than",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, configName)
		if err := os.WriteFile(path, []byte(in), 0o666); err != nil {
			t.Fatal(err)
		}
		c, _ := flagsFor()
		err := (&program{env: noEnv}).settle(c, dir)
		var e *ConfigError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.40q: %v, want %s", in, err, want)
		}
	}
}

func noEnv(string) (string, bool) { return "", false }

func TestConfigMayBeEmpty(t *testing.T) {
	for _, in := range []string{"", "# only a comment\n", "---\n", "{}\n"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, configName), []byte(in), 0o666); err != nil {
			t.Fatal(err)
		}
		c, _ := flagsFor()
		if err := (&program{env: noEnv}).settle(c, dir); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("min-tokens: 80\nexclude: [a, b]\n")
	f.Add("a: &x [*x]\n")
	f.Fuzz(func(t *testing.T, in string) {
		c := &config{path: "x", settings: make(map[string]setting)}
		if err := c.parse([]byte(in)); err == nil && len(c.order) != len(c.settings) {
			t.Errorf("%q: %d keys, %d settings", in, len(c.order), len(c.settings))
		}
	})
}

// TestFlagNames checks that a name means the same on every command, since the
// configuration file has one key for it.
func TestFlagNames(t *testing.T) {
	type kind struct {
		typ        string
		path, file bool
	}
	seen := make(map[string]kind)
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, list := f.Value.(pflag.SliceValue)
			k := kind{fmt.Sprint(reflect.TypeOf(f.Value), list), marked(f, isPath), !marked(f, notInFile)}
			if old, ok := seen[f.Name]; ok && old != k {
				t.Errorf("--%s of %s is %v, elsewhere %v", f.Name, c.CommandPath(), k, old)
			}
			seen[f.Name] = k
			if f.Usage == "" {
				t.Errorf("--%s of %s has no help", f.Name, c.CommandPath())
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&program{env: noEnv}).rootCommand())
	if len(seen) < 20 {
		t.Errorf("only %d flags", len(seen))
	}
}

func TestUnjoin(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	got := unjoin(errors.Join(a, errors.Join(b, c)))
	if !reflect.DeepEqual(got, []error{a, b, c}) {
		t.Errorf("%v", got)
	}
}

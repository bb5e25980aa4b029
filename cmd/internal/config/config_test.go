package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/spf13/cobra"
)

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
	c.Flags().Var(value.AtLeast(&v.num, 7, 1), "num", "")
	c.Flags().BoolVar(&v.on, "on", false, "")
	Mark(c.Flags(), IsPath, "a-list")
	c.Flags().String("secret", "", "")
	Mark(c.Flags(), NotInFile, "secret")
	return c, v
}

func TestSettlePrecedence(t *testing.T) {
	dir := t.TempDir()
	config := "text: file\na-list: [p, /q]\nnum: 8\non: true\n"
	if err := os.WriteFile(filepath.Join(dir, Name), []byte(config), 0o666); err != nil {
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
		if _, err := Settle(cmd, c.root, func(n string) string { return c.env[n] }); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := fmt.Sprint(v.text, " ", v.list, " ", v.num, " ", v.on); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	for in, want := range map[string]string{
		"txt: a\n":                           `1": unknown key "txt"`,
		"txt: {a: b}\n":                      `1": unknown key "txt"`,
		"# comment\n\nhelp: true\n":          `3": unknown key "help"`,
		"text: a\nsecret: b\n":               `2": key "secret" can only`,
		"text: a\ntext: b\n":                 `2": key "text" is there twice`,
		"text: [a]\n":                        `1": key "text": must be a single value`,
		"a-list: a\n":                        `1": key "a-list": must be a list`,
		"text:\n":                            `1": key "text": must be a value`,
		"text: {a: b}\n":                     `1": key "text": must be a value`,
		"a-list: [[a]]\n":                    `1": key "a-list": must be a value`,
		"text: &x a\na-list: *x\n":           `2": key "a-list": must be a value`,
		"on: true\nnum: many\n":              `2": key "num": "many": must be a whole number`,
		"num: 0\n":                           `1": key "num": "0": must be`,
		"on: maybe\n":                        `1": key "on": "maybe": must be true or false`,
		"- text\n":                           `1": must be a mapping`,
		"text\n":                             `1": must be a mapping`,
		"text: a\n---\ntext: b\n":            "more than one document",
		"text: \"a\n":                        "yaml: ",
		"\tx: 1\n":                           "yaml: ",
		"x: \xff\n":                          "yaml: ",
		strings.Repeat("#", maxConfig) + "#": "larger than",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, Name)
		if err := os.WriteFile(path, []byte(in), 0o666); err != nil {
			t.Fatal(err)
		}
		c, _ := flagsFor()
		_, err := Settle(c, dir, noEnv)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.40q: %v, want %s", in, err, want)
		}
	}
}

func TestErrorsHaveRemedies(t *testing.T) {
	for in, want := range map[string]string{
		"txt: a\n":                       `did you mean "text"?`,
		"polcy: []\n":                    `did you mean "policy"?`,
		"secre: a\n":                     aboutKeys, // not a key of the file
		"colour: a\n":                    aboutKeys,
		"a-list: p\n":                    `write a-list: ["p"]`,
		"text: a\n\tnum: 8\n":            "line 2 is indented with a tab: YAML takes spaces only",
		"text: [a\nnum: 8\n":             "look there, and in the line before, for an open bracket or quotation mark, or a wrong indentation",
		"allow: [{findings: a}]\n":       `did you mean "finding"?`,
		"allow: [{because: a}]\n":        "an entry can have finding, origin, content, path, reason or expires",
		"num: many\n":                    "",
		"policy: [{level: dangerous}]\n": "",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, Name), []byte(in), 0o666); err != nil {
			t.Fatal(err)
		}
		c, _ := flagsFor()
		_, err := Settle(c, dir, noEnv)
		if e, ok := errors.AsType[*Error](err); !ok || e.Remedy() != want {
			t.Errorf("%q: %v, want the remedy %q", in, err, want)
		}
	}
}

func TestMisnamedFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, misname), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c, _ := flagsFor()
	if _, err := Settle(c, dir, noEnv); err == nil {
		t.Error("its settings would be ignored")
	}
	if err := os.WriteFile(filepath.Join(dir, Name), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Settle(c, dir, noEnv); err != nil {
		t.Error(err)
	}
}

func noEnv(string) string { return "" }

func TestConfigMayBeEmpty(t *testing.T) {
	for _, in := range []string{"", "# only a comment\n", "---\n", "{}\n"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, Name), []byte(in), 0o666); err != nil {
			t.Fatal(err)
		}
		c, _ := flagsFor()
		if _, err := Settle(c, dir, noEnv); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("min-tokens: 80\nexclude: [a, b]\n")
	f.Add("a: &x [*x]\n")
	f.Fuzz(func(t *testing.T, in string) {
		if len(in) > 500 { // longer ones find nothing more and are slow
			return
		}
		c := &File{path: "x", settings: make(map[string]setting)}
		if err := c.parse([]byte(in)); err == nil && len(c.order) != len(c.settings) {
			t.Errorf("%q: %d keys, %d settings", in, len(c.order), len(c.settings))
		}
	})
}

package docs

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// actionFile is what of action.yml the documents repeat.
type actionFile struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Steps []struct {
			Env map[string]string
			Run string
		}
	}
}

func readAction(t *testing.T) actionFile {
	t.Helper()
	b, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a actionFile
	if err := yaml.Unmarshal(b, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestActionInputs checks that ACTION.md lists the inputs and outputs action.yml
// has, and that each input reaches a step as a variable, never as part of a script.
func TestActionInputs(t *testing.T) {
	a := readAction(t)
	b, err := os.ReadFile("ACTION.md")
	if err != nil {
		t.Fatal(err)
	}
	_, inputs, _ := strings.Cut(string(b), "### Inputs\n")
	inputs, outputs, _ := strings.Cut(inputs, "### Outputs\n")
	outputs, _, _ = strings.Cut(outputs, "```")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (.*?) \\|").FindAllStringSubmatch(inputs, -1) {
		listed = append(listed, m[1])
		if def := a.Inputs[m[1]].Default; strings.HasPrefix(m[2], "`") && m[2] != "`"+def+"`" {
			t.Errorf("input %s: the document says %s, action.yml %q", m[1], m[2], def)
		}
	}
	if want := slices.Sorted(maps.Keys(a.Inputs)); !slices.Equal(slices.Sorted(slices.Values(listed)), want) {
		t.Errorf("the document lists the inputs %q, action.yml has %q", listed, want)
	}
	for name := range a.Outputs {
		if !strings.Contains(outputs, "`"+name+"`") {
			t.Errorf("the document does not list the output %s", name)
		}
	}
	used := make(map[string]bool)
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression in a script: %s", s.Run)
		}
		for _, v := range s.Env {
			for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(v, -1) {
				used[m[1]] = true
			}
		}
	}
	for name := range a.Inputs {
		if !used[name] && name != "working-directory" { // which steps name themselves
			t.Errorf("nothing reads the input %s", name)
		}
	}
}

// usedStep is a step of a workflow.
type usedStep struct {
	Uses string
	With map[string]string
}

// usedSteps reads a workflow, or a list of steps alone.
func usedSteps(text string) ([]usedStep, error) {
	var doc struct {
		Jobs map[string]struct{ Steps []usedStep }
	}
	var steps []usedStep
	if strings.HasPrefix(strings.TrimSpace(text), "- ") {
		err := yaml.Unmarshal([]byte(text), &steps)
		return steps, err
	}
	err := yaml.Unmarshal([]byte(text), &doc)
	for _, name := range slices.Sorted(maps.Keys(doc.Jobs)) {
		steps = append(steps, doc.Jobs[name].Steps...)
	}
	return steps, err
}

// TestActionExamples checks that the workflows shown give the action what it takes.
func TestActionExamples(t *testing.T) {
	a := readAction(t)
	uses := 0
	for _, path := range []string{"ACTION.md", "../README.md"} {
		for _, b := range blocks(t, path) {
			if b.lang != "yaml" || !strings.Contains(b.text, "uses:") {
				continue
			}
			steps, err := usedSteps(b.text)
			if err != nil {
				t.Errorf("%s:%d: %v", path, b.line, err)
			}
			for _, s := range steps {
				if !strings.HasPrefix(s.Uses, "git-provenance/") {
					continue
				}
				uses++
				for name := range s.With {
					if _, ok := a.Inputs[name]; !ok {
						t.Errorf("%s:%d: no input %q", path, b.line, name)
					}
				}
			}
		}
	}
	if uses != 3 {
		t.Errorf("the action is used %d times", uses)
	}
}

// TestActionCommands runs the commands shown.
func TestActionCommands(t *testing.T) {
	s := newSession(t)
	if out, code := s.run(s.dir, "git init -q"); code != 0 {
		t.Fatal(out)
	}
	for _, b := range blocks(t, "ACTION.md") {
		if b.lang == "console" {
			s.console("ACTION.md", b)
		}
	}
}

// TestHookIDs checks that the hooks the document names are there.
func TestHookIDs(t *testing.T) {
	b, err := os.ReadFile("../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID            string
		Language      string
		Entry         string
		PassFilenames *bool    `yaml:"pass_filenames"`
		Stages        []string `yaml:"stages"`
	}
	if err := yaml.Unmarshal(b, &hooks); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"git-provenance": "golang", "git-provenance-system": "system"}
	if len(hooks) != len(want) {
		t.Errorf("%d hooks", len(hooks))
	}
	for _, h := range hooks {
		if h.Language != want[h.ID] || h.Entry != "git-provenance hook run" || h.PassFilenames == nil || *h.PassFilenames || h.Stages != nil {
			t.Errorf("hook %+v", h)
		}
	}
}

package action

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// inputs are the inputs of action.yml. It maps each to a variable INPUT_NAME with underscores: a composite action gets
// no variables by itself, and variables are never part of a script.
type inputs struct {
	token     string
	baselines []string
	sources   [][]string // arguments of baseline add
	span      string     // range of commits; "" for the event's range, wholeTree for all files
	failOn    string
	args      []string // further arguments of scan
	checkName string
	check     bool
	comment   bool
	review    bool
	sarif     bool
	cacheHit  bool
}

// wholeTree is the value of the input range that asks for every file.
const wholeTree = "all"

// maxCheckName bounds a check's name; GitHub does not show more.
const maxCheckName = 100

func readInputs(env Env) (*inputs, error) {
	in := &inputs{
		token: value(env, "INPUT_TOKEN"), span: value(env, "INPUT_RANGE"), failOn: value(env, "INPUT_FAIL_ON"),
		checkName: value(env, "INPUT_CHECK_NAME"), baselines: lines(value(env, "INPUT_BASELINE")),
	}
	if in.checkName == "" {
		in.checkName = "git-provenance report"
	}
	if utf8.RuneCountInString(in.checkName) > maxCheckName {
		return nil, fmt.Errorf("input check-name: longer than %d characters", maxCheckName)
	}
	for _, b := range []struct {
		name      string
		to        *bool
		otherwise bool
	}{{"CHECK", &in.check, true}, {"COMMENT", &in.comment, true}, {"REVIEW", &in.review, false}, {"UPLOAD_SARIF", &in.sarif, false}, {"CACHE_HIT", &in.cacheHit, false}} {
		v, err := truth(value(env, "INPUT_"+b.name), b.otherwise)
		if err != nil {
			return nil, fmt.Errorf("input %s: %w", strings.ReplaceAll(strings.ToLower(b.name), "_", "-"), err)
		}
		*b.to = v
	}
	var err error
	if in.args, err = shellWords(value(env, "INPUT_ARGS")); err != nil {
		return nil, fmt.Errorf("input args: %w", err)
	}
	for _, l := range lines(value(env, "INPUT_BASELINE_SOURCES")) {
		ws, err := shellWords(l)
		if err != nil {
			return nil, fmt.Errorf("input baseline-sources: %q: %w", l, err)
		}
		in.sources = append(in.sources, ws)
	}
	return in, nil
}

func value(env Env, name string) string {
	v, _ := env(name)
	return strings.TrimSpace(v)
}

// truth reads YAML's words for a boolean. Anything else is an error, since a misspelt word would silently do the wrong
// thing.
func truth(s string, otherwise bool) (bool, error) {
	if s == "" {
		return otherwise, nil
	}
	if s != "true" && s != "false" {
		return false, fmt.Errorf("must be true or false, not %q", s)
	}
	return strconv.ParseBool(s)
}

// lines splits an input at line breaks and omits empty lines and comments.
func lines(s string) []string {
	var out []string
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			out = append(out, l)
		}
	}
	return out
}

// shellWords splits at blanks outside of quotes, like a shell. It does nothing else that a shell does.
func shellWords(s string) ([]string, error) {
	var out []string
	var word strings.Builder
	open, quote := false, rune(0)
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if open {
				out = append(out, word.String())
				word.Reset()
			}
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c is not closed", quote)
	}
	if open {
		out = append(out, word.String())
	}
	return out, nil
}

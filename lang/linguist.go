package lang

import (
	"bytes"
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The meanings of names come from Linguist's tables, in the form of go-enry, in names.txt. go-enry itself compiles its
// rules and fills its tables at every start of the program, which was half of the start time. A test makes the list and
// compares it with go-enry.

// names has a line for each name that Linguist knows, in byte order: the table, the name, a tab and its meanings, with
// "|" between. A meaning is a language with a front-end, isDataFile, isCode or isProse.
//
//go:embed names.txt
var names string

// A name means a language with a front-end, or one of these.
const (
	isDataFile = "="
	isCode     = "+" // a programming language without a front-end
	isProse    = "-" // documents and markup without a front-end
)

// The tables of names.
const (
	byExtensions   = "e"
	byFilenames    = "f"
	byInterpreters = "i"
)

// meanings returns the meanings of a name in a table, nil if Linguist does not know it.
func meanings(table, name string) []string {
	key := table + name + "\t"
	for low, high := 0, len(names); low < high; {
		at := low + (high-low)/2
		at = low + strings.LastIndexByte(names[low:at], '\n') + 1
		end := at + strings.IndexByte(names[at:], '\n')
		line := names[at:end]
		if found, ok := strings.CutPrefix(line, key); ok {
			return strings.Split(found, "|")
		}
		if line < key {
			low = end + 1
		} else {
			high = at
		}
	}
	return nil
}

// templates are extensions after that of the language: setup.py.in, main.go.tmpl.
var templates = []string{".in", ".tmpl", ".tpl", ".template", ".j2", ".jinja", ".jinja2", ".dist", ".sample"}

// IsCode reports whether a text is code by its name, or by the interpreter on its first line, also if its language has no front-end. If
// a name can mean several languages, most of them decide: a file in Markdown is no description of a machine for GCC. Data does
// not count, since it is not scanned: .sol is Solidity, and the name of images. A script that names its interpreter is code if one of them is.
func IsCode(name string, text []byte) bool {
	for _, ext := range templates {
		if of, ok := strings.CutSuffix(name, ext); ok && path.Ext(of) != "" {
			name = of
			break
		}
	}
	code, candidates := 0, slices.DeleteFunc(slices.Clone(candidatesOf(name, text)), func(c string) bool { return c == isDataFile })
	for _, c := range candidates {
		if l := frontEnd(c, ""); c == isCode || l != words && !l.spec.page {
			code++
		}
	}
	return 2*code > len(candidates) || code > 0 && bytes.HasPrefix(text, []byte("#!"))
}

var images = []string{".png", ".jpg", ".jpeg", ".gif"}

func isImage(name string) bool { return slices.Contains(images, path.Ext(name)) }

func byFilename(name string) []string { return meanings(byFilenames, path.Base(name)) }

// byExtension uses the longest known extension.
func byExtension(name string) []string {
	name = strings.ToLower(name)
	for dot := strings.IndexByte(name, '.'); dot >= 0; {
		if found := meanings(byExtensions, name[dot:]); found != nil {
			return found
		}
		next := strings.IndexByte(name[dot+1:], '.')
		if next < 0 {
			break
		}
		dot += 1 + next
	}
	return nil
}

// distinction distinguishes the languages of an extension: the first whose expression matches.
type distinction struct {
	language string
	lines    func() *regexp.Regexp
}

func lines(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?m)" + expr) })
}

// distinctions are for extensions of which one language has a front-end. Other languages come first if its expression would
// match them as well.
var distinctions = map[string][]distinction{
	".cl": {{isProse, lines(`(?i)^\s*\((defun|in-package|defpackage) `)}, {isProse, lines(`^class`)}, {"OpenCL", lines(`/\* |// |^\}`)}},
	".es": {{isProse, lines(`^\s*(%%|main\s*\(.*\)\s*->)`)}, {"JavaScript", lines(`//|["']use strict["']|export\s+default\s|/\*(?s:.*?)\*/`)}},
	".fs": {{isProse, lines(`^(: |new-device)`)}, {isProse, lines(`^\s*(#light|import|let|module|namespace|open|type)`)},
		{"GLSL", lines(`^\s*(#version|precision|uniform|varying|vec[234])`)}},
	".gs":  {{"GLSL", lines(`^#version\s+[0-9]+\b`)}},
	".inc": {{"PHP", lines(`^<\?`)}},
	".m":   {{"Objective-C", lines(`^\s*(@(interface|class|protocol|property|end|synchronised|selector|implementation)\b|#import\s+.+\.h[">])`)}},
	".re":  {{isProse, lines(`^\s*(module\s+type\s|(include|open)\s+\w+\s*;\s*$|let\s+(module\s\w+\s*=\s*\{|\w+:\s+.*=.*;\s*$))`)}, {"C++", lines(`^\s*(#((if|ifdef|define|pragma)\s+\w|\s*include\s+<[^>]+>)|template\s*<)`)}},
	".rpy": {{"Python", lines(`^(import|from|class|def)\s`)}},
	".sc":  {{isProse, lines(`(?i)\^(this|super)\.|^\s*~\w+\s*=\.`)}, {"Scala", lines(`^\s*(import (scala|java)\.|class\b)`)}},
}

// byContent decides between the languages of an extension, "" if it cannot.
func byContent(name string, content []byte) string {
	for _, t := range distinctions[strings.ToLower(path.Ext(name))] {
		if t.lines().Match(content) {
			return t.language
		}
	}
	return ""
}

// execSelf matches a shell script that passes itself to another interpreter.
var execSelf = lines(`exec (\w+).+\$0.+\$@`)

// byShebang reads the interpreter on the first line.
func byShebang(content []byte) []string {
	first, rest, _ := strings.Cut(string(content), "\n")
	line, ok := strings.CutPrefix(first, "#!")
	words := strings.Fields(line)
	if !ok || len(words) == 0 {
		return nil
	}
	name := path.Base(words[0])
	if name == "env" {
		words = words[1:]
		for len(words) > 1 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
		if len(words) == 0 {
			return nil
		}
		name = path.Base(words[0])
	}
	switch major, _, versioned := strings.Cut(name, "."); {
	case versioned && strings.HasPrefix(name, "python"):
		name = major
	case name == "osascript" && strings.Contains(line, "-l"):
		return nil
	case name == "sh":
		head := strings.SplitN(rest, "\n", 5)
		if m := execSelf().FindStringSubmatch(strings.Join(head[:min(len(head), 4)], "\n")); m != nil {
			name = m[1]
		}
	}
	return meanings(byInterpreters, name)
}

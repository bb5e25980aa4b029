package lang

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-enry/go-enry/v2/data"
)

// What go-enry does with its tables, over the tables alone: the package itself
// fills those of a classifier nobody here asks at every start of the program,
// three quarters of the 40 ms a start took. A test holds the two together.

var images = []string{".png", ".jpg", ".jpeg", ".gif"}

func isImage(name string) bool { return slices.Contains(images, path.Ext(name)) }

func byFilename(name string) []string { return data.LanguagesByFilename[path.Base(name)] }

// byExtension takes the longest extension that is known.
func byExtension(name string) []string {
	name = strings.ToLower(name)
	for dot := strings.IndexByte(name, '.'); dot >= 0; {
		if found, ok := data.LanguagesByExtension[name[dot:]]; ok {
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

// byContent decides between the languages of an extension, nil where there are no
// rules for it.
func byContent(name string, content []byte) []string {
	if rules, ok := data.ContentHeuristics[strings.ToLower(path.Ext(name))]; ok {
		return rules.Match(content)
	}
	return nil
}

// execSelf is how a shell script hands itself to another interpreter.
const execSelf = `exec (\w+).+\$0.+\$@`

// byShebang reads the interpreter on the first line.
func byShebang(content []byte) []string {
	line, _, _ := bytes.Cut(content, []byte("\n"))
	line, ok := bytes.CutPrefix(line, []byte("#!"))
	words := strings.Fields(string(line))
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
	case name == "osascript" && bytes.Contains(line, []byte("-l")):
		return nil
	case name == "sh":
		lines := bytes.SplitN(content, []byte("\n"), 6)
		for _, l := range lines[:min(len(lines), 5)] {
			if m := regexp.MustCompile(execSelf).FindSubmatch(l); m != nil {
				name = string(m[1])
				break
			}
		}
	}
	return data.LanguagesByInterpreter[name]
}

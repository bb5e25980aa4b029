package units

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// submissionNames are the names that learning platforms give to submitted files. The groups: who is the person, by a name and the
// number that tells two persons of one name apart. Files with the same who, number and id are one submission. file is the name that
// the person gave the file, rest what follows the person.
var submissionNames = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^(?P<who>.+?_\d+)_assignsubmission_(?P<rest>(?:file|onlinetext)_?(?P<file>.*))$`),                                                // Moodle: Name_12345_assignsubmission_file_
		regexp.MustCompile(`^(?P<task>.+_[^_]+)_(?P<rest>attempt_\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d(?:_(?P<file>.+)|.*))$`),                                      // Blackboard: Task_user_attempt_2024-05-01-10-20-30_x.java
		regexp.MustCompile(`^(?:LATE_)?(?P<who>anon_[A-Za-z0-9]+)_(?P<rest>\d+_(?P<file>.+)|text\.html|link\.html)$`),                                        // Canvas, names hidden: anon_Ab3xY_67890_x.java
		regexp.MustCompile(`^(?P<who>\d*[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{M}\d-]*)(?:_LATE)?(?P<number>_\d+)_(?P<rest>\d+_(?P<file>.+)|text\.html|link\.html)$`), // Canvas: lastfirst_12345_67890_x.java, lastfirst_12345_text.html
		brightspaceName(),
	}
})

// brightspaceName is a name of Brightspace: 123-456 - Name - May 1, 2024 1020 AM.
var brightspaceName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?P<id>\d+)-\d+ - (?P<who>.+?) - (?:[A-Z][a-z]+ \d+, \d{4} .+|\d{1,2} [A-Z][a-z]+,? \d{4} .+|\d{4}-\d\d-\d\d.*)`)
})

// namedByPlatform reports whether a learning platform named a file or a directory.
func namedByPlatform(name string) bool {
	return slices.ContainsFunc(submissionNames(), func(x *regexp.Regexp) bool { return x.MatchString(name) })
}

// Uploaded reports whether a learning platform named most units, or directories in which they are.
func Uploaded(us []similar.Unit) bool {
	n := 0
	for _, u := range us {
		if slices.ContainsFunc(strings.Split(u.Name, "/"), namedByPlatform) {
			n++
		}
	}
	return n > 1 && 2*n > len(us)
}

// upload is what the name of a submitted file or directory says.
type upload struct {
	who  string // the person; a name that no platform made stands for a person too
	file string // the file, without the person; "" if the name says none
}

// uploads reads the names of the files and directories of one collection.
func uploads(paths []string) []upload {
	out, rests, tasks := make([]upload, len(paths)), make([]string, len(paths)), make(map[int]string)
	for i, p := range paths {
		name := filepath.Base(p)
		out[i].who = name
		for _, x := range submissionNames() {
			m := x.FindStringSubmatch(name)
			if m == nil {
				continue
			}
			group := func(name string) string {
				if at := x.SubexpIndex(name); at > 0 {
					return m[at]
				}
				return ""
			}
			out[i].who, out[i].file, rests[i] = group("who")+group("number"), group("file"), group("rest")
			if id := group("id"); id != "" {
				out[i].who += "_" + id
			}
			if task := group("task"); task != "" {
				tasks[i] = task
			}
			if out[i].file == "" && !strings.HasSuffix(rests[i], "_") {
				out[i].file = rests[i]
			}
			break
		}
	}
	task := taskOf(tasks)
	for i, head := range tasks {
		if task == "" {
			out[i].who = head[strings.LastIndexByte(head, '_')+1:]
		} else {
			out[i].who = head[len(task):]
		}
	}
	count := make(map[upload]int)
	for _, u := range out {
		count[u]++
	}
	for i, u := range out {
		if u.file != "" && count[u] > 1 { // such as two attempts
			out[i].file = rests[i]
		}
	}
	return out
}

// taskOf returns the task in names of Blackboard, TASK_USER: the longest common beginning of all names that ends with an underline.
// Tasks and users may have underlines too, so a single name does not show where the task ends. It returns "" for one name, or if
// the names have nothing in common.
func taskOf(heads map[int]string) string {
	common, several := "", false
	for _, h := range heads {
		if common == "" {
			common = h
		}
		several = several || h != common
		for !strings.HasPrefix(h, common) {
			common = common[:len(common)-1]
		}
		if common == "" {
			return ""
		}
	}
	if !several {
		return ""
	}
	return common[:strings.LastIndexByte(common, '_')+1]
}

// called renames the paths of a package at and below was, a submission or a part of one, to name.
func called(p *source.Package, was, name string) *source.Package {
	if name == "" || name == was {
		return p
	}
	other := func(path string) string {
		if rest, ok := strings.CutPrefix(path, was); ok && (rest == "" || rest[0] == '/') {
			return name + rest
		}
		return path
	}
	return source.New(p.From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		return p.Walk(ctx, lim, func(path string, data []byte) error { return file(other(path), data) },
			func(path, reason, detail string) { skipped(other(path), reason, strings.ReplaceAll(detail, was, name)) })
	})
}

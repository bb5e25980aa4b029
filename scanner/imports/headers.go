package imports

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/git-provenance/git-provenance/lang"
)

// A C library names what it declares after itself: png_read_info and PNG_LIBPNG_VER of png.h, PyObject of Python.h. So a
// name that begins as a header is called comes from there, in a text that includes it. No text of the header is needed.

// hosts are headers of programs for which others write modules. Only the program itself has them beside its sources.
var hosts = []string{"Python.h", "ruby.h", "perl.h", "jni.h", "R.h", "postgres.h", "mex.h"}

// Headers lists the headers of libraries that a C or C++ text includes in angle brackets, as a user of the library does, and
// those of a program that it extends. Those of the language and of POSIX are left out: what they declare is known by its names.
func Headers(l *lang.Language, is []Import) (out []string) {
	if !included(l) {
		return nil
	}
	for _, i := range is {
		if slices.Contains(hosts, i.Path) {
			out = append(out, i.Path)
		} else if name := strings.TrimPrefix(i.Path, "<"); name != i.Path {
			if name = strings.TrimSuffix(name, ">"); !standard(name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// Includes tells whether a text includes a header too, wherever it says that the header lies.
func Includes(is []Import, header string) bool {
	return slices.ContainsFunc(is, func(i Import) bool { return path.Base(strings.Trim(i.Path, "<>")) == path.Base(header) })
}

// Declares tells whether a name begins as a header, or a directory that it lies in, is called.
func Declares(header, name string) bool {
	first := firstWord(name)
	if len(first) < 2 || len(first) == len(name) {
		return false
	}
	first = strings.ToLower(first)
	return slices.ContainsFunc(strings.Split(strings.ToLower(header), "/"), func(part string) bool { return strings.HasPrefix(part, first) })
}

// firstWord is what a name has before an underscore or a second capital: png of png_ptr, Py of PyObject.
func firstWord(name string) string {
	lower := false
	for i, r := range name {
		switch {
		case r == '_' && i > 0, unicode.IsUpper(r) && lower:
			return name[:i]
		}
		lower = unicode.IsLower(r)
	}
	return name
}

func included(l *lang.Language) bool { return l != nil && (l.Name == "c" || l.Name == "cpp") }

// standard tells whether C, C++ or POSIX has a header.
func standard(name string) bool {
	dir, base := path.Split(name)
	switch strings.TrimSuffix(dir, "/") {
	case "":
		return path.Ext(base) == "" || slices.Contains(standardHeaders, strings.TrimSuffix(base, ".h"))
	case "sys", "linux", "asm", "arpa", "net", "netinet", "bits", "machine":
		return true
	}
	return false
}

var standardHeaders = []string{"assert", "complex", "ctype", "dirent", "dlfcn", "errno", "fcntl", "fenv", "float", "getopt", "glob", "grp", "iconv", "inttypes",
	"iso646", "libgen", "limits", "locale", "malloc", "math", "memory", "netdb", "poll", "pthread", "pwd", "regex", "sched", "search", "semaphore", "setjmp",
	"signal", "spawn", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string", "strings", "syslog", "termios", "tgmath", "threads",
	"time", "uchar", "unistd", "utime", "wchar", "wctype"}

package imports

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/git-provenance/git-provenance/lang"
)

// A C library names its declarations after itself: png_read_info and PNG_LIBPNG_VER in png.h, PyObject in Python.h. So if a text
// includes a header, a name that begins like the header probably comes from it. The header's text is not needed.

// hosts lists headers of programs that others write modules for. Only the program itself has them beside its sources. Some declare
// names of further families.
var hosts = map[string][]string{"Python.h": nil, "ruby.h": {"rb"}, "perl.h": nil, "jni.h": nil, "R.h": nil, "postgres.h": nil, "mex.h": nil,
	"php.h": {"zend"}}

// Headers lists the library headers that a C or C++ text includes in angle brackets, as users of a library do, and the headers of
// a program that it extends. Headers of the language and of POSIX are left out, because their names are platform names.
func Headers(l *lang.Language, is []Import) (out []string) {
	if !included(l) {
		return nil
	}
	for _, i := range is {
		if _, host := hosts[i.Path]; host {
			out = append(out, i.Path)
		} else if name := strings.TrimPrefix(i.Path, "<"); name != i.Path {
			if name = strings.TrimSuffix(name, ">"); !standard(name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// Includes reports whether a text includes a header of the same file name, in any directory.
func Includes(is []Import, header string) bool {
	return slices.ContainsFunc(is, func(i Import) bool {
		return path.Base(strings.Trim(i.Path, "<>")) == path.Base(strings.Trim(header, "<>"))
	})
}

// Share reports whether two C or C++ texts include a header of one file name, in any directory. Headers of the language and of POSIX
// don't count.
func Share(a, b []Import) bool {
	return slices.ContainsFunc(a, func(i Import) bool { return !standard(strings.Trim(i.Path, "<>")) && Includes(b, i.Path) })
}

// Declares reports whether a name begins like a header, or like a directory of the header.
func Declares(header, name string) bool {
	first := firstWord(name)
	if len(first) < 2 || len(first) == len(name) {
		return false
	}
	if first = strings.ToLower(first); slices.Contains(hosts[header], first) {
		return true
	}
	return slices.ContainsFunc(strings.Split(strings.ToLower(header), "/"), func(part string) bool { return strings.HasPrefix(part, first) })
}

// firstWord returns the part of a name before an underscore or a second capital: png of png_ptr, Py of PyObject.
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

func included(l *lang.Language) bool {
	return l != nil && (l.Syntax() == "c" || l.Syntax() == "cpp")
}

// standard reports whether a header belongs to C, C++ or POSIX.
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

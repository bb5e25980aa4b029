package verdict

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/attribution"
)

// TestInModule: a directory above the file is the package of a module, unless it is a domain's, or that of a language.
func TestInModule(t *testing.T) {
	for _, c := range []struct {
		module, file string
		want         bool
	}{
		{"engine.nodes.Trie", "src/engine/text/trie.py", true},
		{"engine.nodes.Trie", "src/engines/trie.py", false},
		{"com.own.Trie", "src/com/own/text/Trie.java", true},
		{"com.own.Trie", "src/com/other/Trie.java", false},
		{"java.util.HashMap", "src/main/java/org/own/Map.java", false},
		{"java.util.HashMap", "share/java/util/HashMap.java", true},
		{"scala.collection.Map", "src/main/scala/own/Map.scala", false},
	} {
		if got := inModule(strings.Split(c.module, "."), c.file); got != c.want {
			t.Errorf("%s is a module of %s: %v", c.module, c.file, got)
		}
	}
}

// TestHasIdentifier: a qualified identifier names a source whose path ends with its package and whose text has its other names.
func TestHasIdentifier(t *testing.T) {
	for _, c := range []struct {
		says, of, path, text string
		want                 bool
	}{
		{"copied from net.linkFlags", "pkg:golang/std@1.26.8", "net/interface_linux.go", "func linkFlags(rawFlags uint32) Flags {", true},
		{"copied from net.linkFlags", "pkg:golang/std@1.26.8", "net/interface_linux.go", "func linkFlagsOf(rawFlags uint32) Flags {", false},
		{"copied from net.linkFlags", "pkg:golang/std@1.26.8", "internal/subnet/flags.go", "func linkFlags() {", false},
		{"Adapted from time.Time.MarshalJSON to avoid allocations", "pkg:golang/std@1.26.8", "time/time.go", "func (t Time) MarshalJSON() {", true},
		{"borrowed from `net/http.Header.Clone`", "pkg:golang/std@1.26.8", "net/http/header.go", "func (h Header) Clone() Header {", true},
		{"Taken from url.URL#Redacted()", "pkg:golang/std@1.26.8", "net/url/url.go", "func (u *URL) Redacted() string {", true},
		{"copied from textwrap.dedent", "pkg:generic/cpython@3.11.7", "Lib/textwrap.py", "def dedent(text):", true},
		{"copied from utils.dedent", "pkg:pypi/other@1.0", "src/utils.py", "def dedent(text):", false},     // any package has utils
		{"copied from src.utils.dedent", "pkg:pypi/other@1.0", "src/utils.py", "def dedent(text):", false}, // so has any path of such names
		{"copied from utils.dedent", "pkg:npm/std@1.0", "src/utils.js", "function dedent(text) {", false},
		{"copied from src/weir.dedent", "pkg:npm/other@1.0", "src/weir.js", "function dedent(text) {", true},
		{"copied from context.WithCancel", "pkg:golang/std@1.26.8", "context/context.go", "func WithCancel(parent Context) {", true},
		{"taken from request.body", "pkg:npm/other@1.0", "src/request.js", "this.body = body", false}, // a variable
		{"copied from textwrap.c", "pkg:pypi/other@1.0", "src/textwrap/a.py", "c = 1", false},
	} {
		s := NewSource(c.of, c.path, "")
		s.Statements = (&Reader{}).Read([]byte(c.text), nil, false)
		st := attribution.Scan([]byte("// "+c.says+"\n"), false)
		if len(st) != 1 {
			t.Fatalf("%s: %d statements", c.says, len(st))
		}
		if got := s.hasIdentifier(st[0]); got != c.want {
			t.Errorf("%s: %s of %s has it: %v", c.says, c.path, c.of, got)
		}
	}
}

// TestManyIdentifiers: the text of the source is not copied for each statement.
func TestManyIdentifiers(t *testing.T) {
	const statements = 100
	text := bytes.Repeat([]byte("function dedent(text) {\n"), 1<<14)
	s := NewSource("pkg:npm/other@1.0", "src/weir.js", "")
	s.Statements = (&Reader{}).Read(text, nil, false)
	st := attribution.Scan([]byte("// copied from weir.indent\n"), false)[0]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range statements {
		if s.hasIdentifier(st) {
			t.Fatal("the source has no indent")
		}
	}
	runtime.ReadMemStats(&after)
	if all := after.TotalAlloc - before.TotalAlloc; all > uint64(statements/10*len(text)) {
		t.Errorf("%d bytes were allocated for %d statements on a text of %d", all, statements, len(text))
	}
}

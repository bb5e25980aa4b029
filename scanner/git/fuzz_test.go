package git

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git/ignore"
)

// FuzzRefs reads references of any bytes; what is read is written and read again.
func FuzzRefs(f *testing.F) {
	id := strings.Repeat("1f", 20)
	f.Add([]byte("# pack-refs with: peeled fully-peeled sorted \n" + id + " refs/heads/a\n" + id + " refs/tags/b\n^" + id + "\n"))
	f.Add([]byte("ref: refs/heads/main\n"))
	f.Add([]byte(id + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if ref, ok := parseReference(b); ok {
			text := ref.hash.String() + "\n"
			if ref.target != "" {
				text = "ref: " + ref.target + "\n"
			}
			if again, ok := parseReference([]byte(text)); !ok || again != ref {
				t.Errorf("%q: %v, then %v", b, ref, again)
			}
		}
		refs, err := parsePacked("packed-refs", b)
		if err != nil {
			return
		}
		var text []byte
		for _, name := range slices.Sorted(maps.Keys(refs)) {
			if h, ok := findPacked(b, name); isRefName(name) && (!ok || h != refs[name]) {
				t.Errorf("%q: %q is %v, %v", b, name, h, ok)
			}
			text = append(text, refs[name].String()+" "+name+"\n"...)
		}
		if again, err := parsePacked("packed-refs", text); err != nil || !maps.Equal(again, refs) {
			t.Errorf("%q: %v, then %v, %v", b, refs, again, err)
		}
	})
}

// FuzzIgnore: a file of patterns of any bytes is read; what a directory holds is decided by its own patterns first.
func FuzzIgnore(f *testing.F) {
	f.Add([]byte("*.o\n!keep.o\n/build/\n"), "build/a/keep.o")
	f.Add([]byte("[a-\n**/x\n\\ \n"), "x")
	f.Fuzz(func(t *testing.T, b []byte, p string) {
		p = strings.Trim(p, "/")
		if p == "" || strings.Contains(p, "//") {
			return
		}
		patterns := ignore.Parse(b, false)
		d := &ignoreDir{patterns: patterns}
		rules := &ignoreRules{dirs: map[string]*ignoreDir{p[:max(strings.LastIndexByte(p, '/'), 0)]: d}}
		want, decided := patterns.Decide(p, false)
		if got := rules.match(p, false); got != (want && decided) {
			t.Errorf("%q by %q: %t", p, b, got)
		}
	})
}

// FuzzCommit reads commits of any bytes: names and mail leave as text of bounded length, and times within what can be
// written.
func FuzzCommit(f *testing.F) {
	f.Add([]byte("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@example.com> 5 +0000\ncommitter C <c> 7 +0000\n\nmessage"))
	f.Add([]byte("object 4b825dc642cb6eb9a060e54bf8d69288fbee4904\ntype commit\ntag v1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, value := range commitHeaders(b) {
			name, mail := parseIdentity(value)
			if len(name) > 3*maxName || len(mail) > 3*maxName || strings.ToValidUTF8(name+mail, "") != name+mail {
				t.Errorf("%q <%q>", name, mail)
			}
			if at := unixTime(identityTime(value)); at.Year() < 1970 || at.Year() > 9999 {
				t.Error(at)
			}
		}
		tagTarget(b)
	})
}

package verdict

import (
	"strings"
	"testing"
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

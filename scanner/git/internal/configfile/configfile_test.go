package configfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// printed writes settings as git does, a header and quotes for each.
func printed(settings []Setting) []byte {
	var b strings.Builder
	for _, s := range settings {
		if s.Section != "" {
			fmt.Fprintf(&b, "[%s \"%s\"]\n", s.Section, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.Subsection))
		}
		b.WriteString("\t" + s.Key)
		if !s.Bare {
			b.WriteString(` = "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`).Replace(s.Value) + `"`)
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// FuzzParse reads configurations of any bytes; what is read is written and read again.
func FuzzParse(f *testing.F) {
	f.Add([]byte("[a \"b\"]\n\tc = \"d\" # e\n"))
	f.Add([]byte("[a.B]\nkey\nk = x \\\n y \\t\"; \\\\\" \\b ; rest\n[a \"\\\"]\"] z=\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		settings, err := Parse("config", b)
		// [.x] has a subsection of no section.
		if settings = slices.DeleteFunc(settings, func(s Setting) bool { return s.Section == "" }); err != nil {
			return
		}
		if again, err := Parse("config", printed(settings)); err != nil || !slices.Equal(again, settings) {
			t.Errorf("%q: %+v, then %+v, %v", b, settings, again, err)
		}
	})
}

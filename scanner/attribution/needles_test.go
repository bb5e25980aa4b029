package attribution

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSpeaks: lines that speaks rejects have no statement. It tries real comments, and each needle as it is, in capitals and
// within a sentence.
func TestSpeaks(t *testing.T) {
	var texts []string
	for _, ns := range allNeedles() {
		for _, n := range ns {
			texts = append(texts, "// "+n+" x/y", "// "+strings.ToUpper(n)+" X/Y 2001 Ada", "// so "+n+" github.com/golang/snappy", "// "+n)
		}
	}
	said, lines := 0, 0
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(goroot)), "src"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && len(texts) < 4000 {
			var b []byte
			b, err = os.ReadFile(path)
			texts = append(texts, string(b))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		s := scan{lines: comments([]byte(text), false)}
		s.head = head(s.lines)
		for i, l := range s.lines {
			lines++
			if l.text == "" || speaks(l.text) {
				said++
				continue
			}
			if s.all(i); len(s.out) > 0 {
				t.Fatalf("%q states %+v", l.text, s.out[0])
			}
		}
	}
	if said == 0 || lines < 100000 {
		t.Errorf("%d of %d lines speak", said, lines)
	}
}

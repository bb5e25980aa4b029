package units

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git"
)

// TestOpenByTheNameOfAUnit: what a report calls a submission, or a file of it, can be opened, although there is no such path.
func TestOpenByTheNameOfAUnit(t *testing.T) {
	t.Chdir(t.TempDir())
	uploads := map[string]string{
		"Ann_1_assignsubmission_file_/src/A.java":                "a",
		"Ann_1_assignsubmission_file_/src/B.java":                "b",
		"Ann_1_assignsubmission_file_/work.zip":                  zipped(t, map[string]string{"C.java": "c"}),
		"Ann_1_assignsubmission_onlinetext_/onlinetext.html":     "<p>import sys<br>print(1)</p>",
		"cyd_31_41_x.java":                                       "x",
		"cyd_31_42_y.java":                                       "y",
		"notes.txt":                                              "n",
		"Task_eve_attempt_2024-05-01-10-20-30_x.java":            "e",
		"Task_eva_attempt_2024-05-01-10-20-31/sub/sub/deep.java": "d",
	}
	for name, text := range uploads {
		at := filepath.Join("class", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("notes.txt", filepath.Join("class", "link")); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile("all.zip", []byte(zipped(t, uploads)), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &Opener{Repository: func(context.Context) (*git.Repo, error) { return nil, nil }}
	defer s.Close()
	for _, dir := range []string{"class", "all.zip"} {
		for name, want := range map[string]string{
			"Ann_1":                          "onlinetext.html/text.py=import sys\nprint(1)\n, src/A.java=a, src/B.java=b, work.zip/C.java=c",
			"Ann_1/src":                      "A.java=a, B.java=b",
			"Ann_1/src/A.java":               "A.java=a",
			"./Ann_1/work.zip/C.java":        "C.java=c",
			"Ann_1/onlinetext.html/text.py":  "text.py=import sys\nprint(1)\n",
			"cyd_31":                         "x.java=x, y.java=y",
			"cyd_31/y.java":                  "y.java=y",
			"eva/sub/sub/deep.java":          "deep.java=d",
			"eve":                            "x.java=e",
			"Ann_2":                          "no such file, directory, revision or submission",
			"Ann_1/src/C.java":               "no such file, directory, revision or submission",
			"notes.txt/a.txt":                "no such file, directory, revision or submission",
			"Ann_1_assignsubmission_file/is": "no such file, directory, revision or submission",
		} {
			part, err := s.Open(t.Context(), dir+"/"+name, false)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = strings.Join(walked(t, part.Package), ", ")
				name = strings.TrimPrefix(name, "./")
				if full := dir + "/" + name; part.Name != full && (part.Name != filepath.Dir(full) || !part.Each) {
					t.Errorf("%s is named %s", full, part.Name)
				}
			}
			if err != nil && !strings.HasSuffix(got, want) || err == nil && got != want {
				t.Errorf("%s/%s: %s, want %s", dir, name, got, want)
			}
		}
	}
	if len(s.Ledger) != 1 || s.Ledger[0].Path != "class/link" {
		t.Errorf("the ledger has %v, want the link once", s.Ledger)
	}
}

package units

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSubmitters(t *testing.T) {
	for name, want := range map[string]string{
		"Anna Example_40123_assignsubmission_file_":           "Anna Example_40123",
		"Anna Example_40123_assignsubmission_onlinetext_":     "Anna Example_40123",
		"Task 1_abc123_attempt_2024-05-01-10-20-30_Main.java": "abc123",
		"Task 1_abc123_attempt_2024-05-01-10-20-30.txt":       "abc123",
		"exampleanna_12345_67890_Main.java":                   "exampleanna_12345",
		"exampleanna_LATE_12345_67891_Util.java":              "exampleanna_12345",
		"exampleanna_777_67892_Main.java":                     "exampleanna_777", // another person of that name
		"müllerzoë_9_10_Main.java":                            "müllerzoë_9",
		"山田太郎_9_10_Main.java":                                 "山田太郎_9",
		"exampleanna_12345_text.html":                         "exampleanna_12345",
		"exampleanna_LATE_12345_link.html":                    "exampleanna_12345",
		"anon_Ab3xY_67890_Main.java":                          "anon_Ab3xY",
		"LATE_anon_Ab3xY_67891_Util.java":                     "anon_Ab3xY",
		"12345-678 - Anna Example - May 1, 2024 1020 AM":      "Anna Example_12345",
		"12345-679 - Anna Example - 2 May, 2024 1020":         "Anna Example_12345",
		"7zwerge_12345_67890_Main.java":                       "7zwerge_12345", // a group
		"main.go":                                             "main.go",
		"2024_11_22_a.go":                                     "2024_11_22_a.go",
		"group_7":                                             "group_7",
		"sort_1_2.java":                                       "sort_1_2.java",
		"week_3_final_2":                                      "week_3_final_2",
	} {
		if got := uploads([]string{name})[0].who; got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Users of Blackboard with an underline in their names are told apart, whatever the task is called. Tasks of one user in one directory
// are one submission.
func TestUsersWithUnderlines(t *testing.T) {
	for _, c := range []struct{ heads, want []string }{
		{[]string{"Task_ann_lee", "Task_bob_lee", "Task_cyd"}, []string{"ann_lee", "bob_lee", "cyd"}},
		{[]string{"My_Task_1_ann", "My_Task_1_ann_lee", "My_Task_1_ann"}, []string{"ann", "ann_lee", "ann"}},
		{[]string{"Task 1_ann", "Task 2_ann", "Task 2_bob"}, []string{"ann", "ann", "bob"}},
		{[]string{"Task_1_ann", "Task_1_ann"}, []string{"ann", "ann"}},
	} {
		var names []string
		for _, h := range c.heads {
			names = append(names, h+"_attempt_2024-05-01-10-20-30_Main.java")
		}
		var got []string
		for _, u := range uploads(names) {
			got = append(got, u.who)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.heads, got, c.want)
		}
	}
}

// The person is in the name of the unit, not in those of its files and in what is said of them: those are shown where names are hidden.
func TestFilesWithoutThePerson(t *testing.T) {
	class := filepath.Join(t.TempDir(), "class.zip")
	text := zipped(t, map[string]string{
		"doeann_LATE_1_21_Main.java":                           "a",
		"doeann_LATE_1_22_Util-1.java":                         "b",
		"doeann_1_text.html":                                   "<p>I am done.</p>",
		"Doe_2_assignsubmission_file_hw.rar":                   "Rar!",
		"Doe_2_assignsubmission_file_Main.java":                "c",
		"roebob_3_31_hw.zip":                                   "no archive",
		"roebob_3_32_late.zip":                                 "PK\x03\x04 no archive",
		"Task_jane_attempt_2024-05-01-10-20-30_Main.java":      "d",
		"Task_jane_attempt_2024-05-02-10-20-30_Main.java":      "e",
		"Task_jane_attempt_2024-05-02-10-20-30.txt":            "Name: Jane\n\nField:\nf\n\nComments:\n\nFiles:\n",
		"Task_john_doe_attempt_2024-05-02-10-20-30_Other.java": "g",
	})
	if err := os.WriteFile(class, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := new(Opener)
	defer s.Close()
	parts, err := s.Units(t.Context(), []string{class}, true)
	if err != nil {
		t.Fatal(err)
	}
	got := contents(t, parts)
	for who, want := range map[string]string{
		"doeann_1": "Main.java=a, Util-1.java=b, text.html/text.txt=I am done.\n",
		"Doe_2":    "Main.java=c, hw.rar unreadable",
		"roebob_3": " unreadable, hw.zip unreadable",
		"jane":     "attempt_2024-05-01-10-20-30_Main.java=d, attempt_2024-05-02-10-20-30.txt/text.txt=f\n, attempt_2024-05-02-10-20-30_Main.java=e",
		"john_doe": "Other.java=g",
	} {
		if got[who] != want {
			t.Errorf("%s: %s, want %s", who, got[who], want)
		}
		delete(got, who)
	}
	if len(got) > 0 {
		t.Errorf("further units: %v", got)
	}
}

// TestRosterNamesUnits: Gradescope lists the persons in a file of their own. It is no submission, nor is the list that Brightspace adds.
func TestRosterNamesUnits(t *testing.T) {
	const roster = "---\nsubmission_11:\n  :submitters:\n  - :name: Ann Doe\n    :sid: '7'\n  - :name: Bob/Roe\n  :created_at: 2026-11-01 10:00:00.000000000 Z\n  :history:\n  - :id: 3\n" +
		"submission_12:\n  :submitters:\n  - :name: Ann Doe\nother:\n  :submitters:\n  - :name: Nobody\nsubmission_14:\n  :submitters: []\n"
	for _, c := range []struct {
		files  map[string]string
		want   map[string]string
		ledger string
	}{
		{map[string]string{"assignment_1_export/submission_metadata.yml": roster, "assignment_1_export/submission_11/Main.java": "a", "assignment_1_export/submission_12/x/Main.java": "b",
			"assignment_1_export/submission_13/Main.java": "c", "assignment_1_export/submission_14/Main.java": "d"},
			map[string]string{"Ann Doe, Bob Roe_11": "Main.java=a", "Ann Doe_12": "x/Main.java=b", "submission_13": "Main.java=c", "submission_14": "Main.java=d"}, "submission_metadata.yml tool-written"},
		{map[string]string{"e/submission_metadata.yml": "a: [", "e/submission_11/Main.java": "a", "e/submission_12/Main.java": "b"},
			map[string]string{"submission_11": "Main.java=a", "submission_12": "Main.java=b"}, "submission_metadata.yml unreadable"},
		{map[string]string{"d/index.html": "<p>Ann Doe</p>", "d/1-2 - Ann Doe - May 1, 2024 1020 AM/index.html": "own", "d/2-2 - Bob - May 1, 2024 1020 AM/b.c": "b"},
			map[string]string{"Ann Doe_1": "index.html=own", "Bob_2": "b.c=b"}, "index.html tool-written"},
	} {
		class := filepath.Join(t.TempDir(), "class.zip")
		if err := os.WriteFile(class, []byte(zipped(t, c.files)), 0o600); err != nil {
			t.Fatal(err)
		}
		s := new(Opener)
		parts, err := s.Units(t.Context(), []string{class}, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := contents(t, parts); !maps.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
		if len(s.Ledger) != 1 || filepath.Base(s.Ledger[0].Path)+" "+string(s.Ledger[0].Reason) != c.ledger || strings.Contains(s.Ledger[0].Detail, os.TempDir()) {
			t.Errorf("ledger %+v, want %s", s.Ledger, c.ledger)
		}
		s.Close()
	}
	if got := cutName(strings.Repeat("ü", maxNames)); len(got) > maxNames+len("…") || !utf8.ValidString(got) {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

// TestReceiptsNameNobody: of the text that Blackboard adds to a submission only what the student typed is compared and shown.
func TestReceiptsNameNobody(t *testing.T) {
	for text, want := range map[string]string{
		"Name: Ann Doe (ann)\nAssignment: HW\nDate Submitted: Sunday\nCurrent Grade: Needs Grading\n\nSubmission Field:\nif x:\n    y()\n\nelse:\n    z()\n\nComments:\nBye, Ann\n\nFiles:\n\tOriginal filename: ann.py\n": "if x:\n    y()\n\nelse:\n    z()\n",
		"Name: Ann Doe (ann)\r\nAufgabe: HW\r\n\r\nTextfeld:\r\n<p>int x;</p><p>int y;</p>\r\n\r\nKommentare:\r\n\r\nDateien:\r\n":                                                                                         "int x;\nint y;\n",
		"Name: Ann Doe (ann)\n": "",
	} {
		if got := receiptText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]bool{"HW 1_ann_attempt_2024-05-01-10-20-30.txt": true, "HW_ann_attempt_2024-05-01-10-20-30_notes.txt": false, "attempt_1.txt": false} {
		if blackboardReceipt().MatchString(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

// TestDirectoriesAroundSubmissions: a directory around the one that an archive unpacks to is no submission. The only submission of a class is one.
func TestDirectoriesAroundSubmissions(t *testing.T) {
	for _, c := range []struct{ files, want []string }{
		{[]string{"hw1/hw1/ann/a.c", "hw1/hw1/bob/b.c"}, []string{"ann", "bob"}},
		{[]string{"hw1/__MACOSX/x", "hw1/export/submission_metadata.yml", "hw1/export/submission_1/a.c", "hw1/export/submission_2/a.c"}, []string{"submission_1", "submission_2"}},
		{[]string{"hw1/x/Ann_1_assignsubmission_file_/a.c", "hw1/x/Bob_2_assignsubmission_file_/a.c"}, []string{"Ann_1", "Bob_2"}},
		{[]string{"hw1/ann/src/a.c", "hw1/ann/test/b.c"}, []string{"ann"}},
		{[]string{"hw1/a.c"}, []string{"a.c"}},
		{[]string{"hw1/hw1/hw1/hw1/hw1/a.c"}, []string{"hw1"}},
	} {
		dir := t.TempDir()
		for _, f := range c.files {
			at := filepath.Join(dir, filepath.FromSlash(f))
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o777), os.WriteFile(at, []byte("int x;\n"), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		s := new(Opener)
		parts, err := s.Units(t.Context(), []string{filepath.Join(dir, "hw1")}, true)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range parts {
			got = append(got, filepath.Base(p.Name))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.files, got, c.want)
		}
		s.Close()
	}
}

package units

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
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
		"Task_jane_attempt_2024-05-02-10-20-30.txt":            "f",
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
		"jane":     "attempt_2024-05-01-10-20-30_Main.java=d, attempt_2024-05-02-10-20-30.txt=f, attempt_2024-05-02-10-20-30_Main.java=e",
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

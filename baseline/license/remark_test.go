package license_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/license"
)

// TestRemarks: the comments of batch files are read as those of other files.
func TestRemarks(t *testing.T) {
	lines := "Copyright 2019 Ada\n\nLicensed under the Apache License, Version 2.0 (the \"License\");\nyou may not use this file except in compliance with the License.\nYou may obtain a copy of the License at\n\n    http://www.apache.org/licenses/LICENSE-2.0\n\nUnless required by applicable law or agreed to in writing, software\ndistributed under the License is distributed on an \"AS IS\" BASIS,\nWITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.\nSee the License for the specific language governing permissions and\nlimitations under the License."
	for _, mark := range []string{"rem ", "REM ", "@rem ", "  @REM ", "dnl "} {
		text := []byte("@echo off\r\n" + mark + strings.ReplaceAll(lines, "\n", "\r\n"+mark) + "\r\njava -jar x.jar\r\n")
		if got := license.Header(text); got != "Apache-2.0" {
			t.Errorf("%q: header %q", mark, got)
		}
		from, to := strings.Index(string(text), "Licensed"), strings.Index(string(text), "limitations")
		if s := license.Spans(text); len(s) != 1 || s[0].From > from || s[0].To < to {
			t.Errorf("%q: %v, want one from %d to %d", mark, s, from, to)
		}
	}
}

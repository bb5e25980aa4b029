package ghmock

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const sha = "d6fde92930d4715a2b49857d24b940956b26d2d3"

// TestRefuses checks that the mock can tell a right request from a wrong one.
func TestRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts dozens of servers")
	}
	annotation := func(fields string) string {
		return `{"name":"n","head_sha":"` + sha + `","output":{"title":"t","summary":"s","annotations":[` + fields + `]}}`
	}
	good := `{"path":"a.c","start_line":1,"end_line":2,"annotation_level":"warning","message":"m"}`
	for _, c := range []struct{ name, method, path, body, fault string }{
		{"right", "POST", "check-runs", annotation(good), ""},
		{"comment", "POST", "issues/7/comments", `{"body":"b"}`, ""},
		{"review", "POST", "pulls/7/reviews", `{"commit_id":"` + sha + `","event":"COMMENT","body":"b","comments":[{"path":"a","body":"c","line":3,"side":"RIGHT","start_line":1,"start_side":"RIGHT"}]}`, ""},
		{"no such path", "POST", "checkruns", `{}`, "no matching operation"},
		{"51 annotations", "POST", "check-runs", annotation(strings.Repeat(good+",", 50) + good), "maximum number of items is 50"},
		{"level", "POST", "check-runs", annotation(strings.Replace(good, "warning", "error", 1)), "annotation_level"},
		{"line 0", "POST", "check-runs", annotation(strings.Replace(good, `start_line":1`, `start_line":0`, 1)), "lines 0 to 2"},
		{"title", "POST", "check-runs", annotation(strings.Replace(good, `"path"`, `"title":"`+strings.Repeat("ä", 256)+`","path"`, 1)), "255"},
		{"columns", "POST", "check-runs", annotation(strings.Replace(good, `"path"`, `"start_column":1,"path"`, 1)), "columns"},
		{"misspelt", "POST", "check-runs", `{"name":"n","head_sha":"` + sha + `","conclsion":"neutral"}`, "/conclsion"},
		{"unfinished", "PATCH", "check-runs/4", `{"status":"completed"}`, "conclusion"},
		{"summary", "POST", "check-runs", `{"name":"n","head_sha":"` + sha + `","output":{"title":"t","summary":"` + strings.Repeat("x", 65536) + `"}}`, "65535"},
		{"sarif ref", "POST", "code-scanning/sarifs", `{"commit_sha":"` + sha + `","ref":"main","sarif":"x"}`, "ref"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := New()
			if err != nil {
				t.Fatal(err)
			}
			req := httptest.NewRequest(c.method, "/repos/octo/r/"+c.path, strings.NewReader(c.body))
			req.Header.Set("Content-Type", "application/json")
			s.ServeHTTP(httptest.NewRecorder(), req)
			got := strings.Join(s.Faults(), "\n")
			if (c.fault == "") != (got == "") || !strings.Contains(got, c.fault) {
				t.Errorf("fault %q, want %q", got, c.fault)
			}
		})
	}
}

// TestAnswers checks that every answer of an operation with state conforms, and
// that lists come in pages.
func TestAnswers(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	do := func(method, path, body string) *httptest.ResponseRecorder {
		req := httptest.NewRequest(method, "/repos/octo/r/"+path, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		return w
	}
	for i := range 3 {
		do("POST", "issues/7/comments", fmt.Sprintf(`{"body":"c%d"}`, i))
	}
	do("POST", "check-runs", `{"name":"n","head_sha":"`+sha+`","status":"in_progress"}`)
	do("GET", "check-runs/1004", "")
	do("PATCH", "check-runs/1004", `{"conclusion":"neutral","output":{"title":"t","summary":"s"}}`)
	do("POST", "pulls/7/reviews", `{"event":"COMMENT","body":"b","comments":[{"path":"a","body":"c","line":3,"side":"RIGHT"}]}`)
	do("GET", "pulls/7/comments", "")
	do("GET", "commits/"+sha+"/check-runs?check_name=n", "")
	do("POST", "code-scanning/sarifs", `{"commit_sha":"`+sha+`","ref":"refs/heads/main","sarif":"x"}`)
	w := do("GET", "issues/7/comments?per_page=2", "")
	if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Link"), "page=2") {
		t.Errorf("first page: %d, %v", w.Code, w.Header())
	}
	if f := s.Faults(); len(f) > 0 {
		t.Error(strings.Join(f, "\n"))
	}
	for _, c := range s.Calls() {
		if c.Status >= 300 {
			t.Errorf("%s %s: %d", c.Method, c.Path, c.Status)
		}
	}
}

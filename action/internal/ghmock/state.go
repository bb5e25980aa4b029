package ghmock

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// State is everything that was published.
type State struct {
	Checks         []*Check
	Comments       []*Comment
	Reviews        int
	ReviewComments []*ReviewComment
	SARIFs         []map[string]any

	nextID int64
}

// Check is a check run.
type Check struct {
	ID                                          int64
	Name, HeadSHA, ExternalID, Status           string
	Conclusion, Title, Summary, Text, StartedAt string
	CompletedAt                                 string
	Annotations                                 []Annotation
}

// Annotation is an annotation of a check run.
type Annotation struct {
	Path       string `json:"path"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	StartCol   *int   `json:"start_column"`
	EndCol     *int   `json:"end_column"`
	Level      string `json:"annotation_level"`
	Title      string `json:"title"`
	Message    string `json:"message"`
	RawDetails string `json:"raw_details"`
}

// Comment is a comment on an issue or pull request.
type Comment struct {
	ID          int64
	Issue       string
	Body        string
	UserType    string
	Association string
}

// ReviewComment is a comment on a line of a pull request.
type ReviewComment struct {
	ID        int64
	Path      string `json:"path"`
	Body      string `json:"body"`
	Line      int    `json:"line"`
	StartLine int    `json:"start_line"`
	Commit    string
}

// Read calls f with the state, which does not change meanwhile.
func (s *Server) Read(f func(*State)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.State)
}

// request is a request that conforms.
type request struct {
	op     string
	params map[string]string
	query  url.Values
	body   map[string]any
	status int // of success
	sample any // the description's example of the answer
}

func (s *Server) operate(w http.ResponseWriter, r *request) {
	switch r.op {
	case "checks/create":
		s.createCheck(w, r)
	case "checks/update":
		s.updateCheck(w, r)
	case "checks/get":
		if c := s.check(r.params["check_run_id"]); c != nil {
			answer(w, r.status, c.show(r.sample))
			return
		}
		refuse(w, http.StatusNotFound, "Not Found")
	case "checks/list-for-ref":
		s.listChecks(w, r)
	case "issues/list-comments":
		s.listComments(w, r)
	case "issues/create-comment":
		s.createComment(w, r)
	case "issues/update-comment":
		s.updateComment(w, r)
	case "pulls/list-review-comments":
		s.listReviewComments(w, r)
	case "pulls/create-review":
		s.createReview(w, r)
	case "code-scanning/upload-sarif":
		s.SARIFs = append(s.SARIFs, r.body)
		answer(w, r.status, r.sample)
	default:
		answer(w, r.status, r.sample)
	}
}

func (s *State) id() int64 { s.nextID++; return s.nextID }

func (s *State) check(id string) *Check {
	for _, c := range s.Checks {
		if strconv.FormatInt(c.ID, 10) == id {
			return c
		}
	}
	return nil
}

func (s *Server) createCheck(w http.ResponseWriter, r *request) {
	sha := text(r.body, "head_sha")
	if s.KnownSHA != nil && !s.KnownSHA(sha) {
		refuse(w, http.StatusUnprocessableEntity, "No commit found for SHA: "+sha)
		return
	}
	c := &Check{ID: s.id(), HeadSHA: sha, Status: "queued", StartedAt: time.Now().UTC().Format(time.RFC3339)}
	c.set(r.body)
	s.Checks = append(s.Checks, c)
	answer(w, r.status, c.show(r.sample))
}

func (s *Server) updateCheck(w http.ResponseWriter, r *request) {
	c := s.check(r.params["check_run_id"])
	if c == nil {
		refuse(w, http.StatusNotFound, "Not Found")
		return
	}
	c.set(r.body)
	answer(w, r.status, c.show(r.sample))
}

// set sets the fields that a request names. Like GitHub, it appends annotations.
func (c *Check) set(b map[string]any) {
	for _, f := range []struct {
		key string
		to  *string
	}{{"name", &c.Name}, {"external_id", &c.ExternalID}, {"status", &c.Status}, {"conclusion", &c.Conclusion}, {"completed_at", &c.CompletedAt}} {
		if v := text(b, f.key); v != "" {
			*f.to = v
		}
	}
	if c.Conclusion != "" {
		c.Status = "completed"
	}
	o, ok := b["output"].(map[string]any)
	if !ok {
		return
	}
	c.Title, c.Summary, c.Text = text(o, "title"), text(o, "summary"), text(o, "text")
	js, _ := json.Marshal(o["annotations"])
	var as []Annotation
	if json.Unmarshal(js, &as) == nil {
		c.Annotations = append(c.Annotations, as...)
	}
}

func (c *Check) show(sample any) map[string]any {
	m := clone(sample)
	m["id"], m["name"], m["head_sha"], m["external_id"], m["status"] = c.ID, c.Name, c.HeadSHA, c.ExternalID, c.Status
	m["started_at"], m["completed_at"], m["conclusion"] = c.StartedAt, orNull(c.CompletedAt), orNull(c.Conclusion)
	m["output"] = map[string]any{"title": orNull(c.Title), "summary": orNull(c.Summary), "text": orNull(c.Text),
		"annotations_count": len(c.Annotations), "annotations_url": "https://api.github.com/annotations"}
	return m
}

func (s *Server) listChecks(w http.ResponseWriter, r *request) {
	one := clone(clone(r.sample)["check_runs"].([]any)[0])
	var all []any
	for _, c := range slices.Backward(s.Checks) {
		if c.HeadSHA == r.params["ref"] && (r.query.Get("check_name") == "" || r.query.Get("check_name") == c.Name) {
			all = append(all, c.show(one))
		}
	}
	page := paged(w, r, all)
	answer(w, r.status, map[string]any{"total_count": len(all), "check_runs": page})
}

func (s *Server) listComments(w http.ResponseWriter, r *request) {
	one := clone(r.sample.([]any)[0])
	var all []any
	for _, c := range s.Comments {
		if c.Issue == r.params["issue_number"] {
			all = append(all, c.show(one))
		}
	}
	answer(w, r.status, paged(w, r, all))
}

func (s *Server) createComment(w http.ResponseWriter, r *request) {
	if tooLong(w, r) {
		return
	}
	c := &Comment{ID: s.id(), Issue: r.params["issue_number"], UserType: "Bot", Association: "NONE", Body: text(r.body, "body")}
	s.Comments = append(s.Comments, c)
	answer(w, r.status, c.show(r.sample))
}

// maxBody is the number of characters that GitHub accepts in a comment.
const maxBody = 65536

func tooLong(w http.ResponseWriter, r *request) bool {
	if utf8.RuneCountInString(text(r.body, "body")) <= maxBody {
		return false
	}
	refuse(w, http.StatusUnprocessableEntity, "Body is too long (maximum is 65536 characters)")
	return true
}

func (s *Server) updateComment(w http.ResponseWriter, r *request) {
	if tooLong(w, r) {
		return
	}
	for _, c := range s.Comments {
		if strconv.FormatInt(c.ID, 10) == r.params["comment_id"] {
			c.Body = text(r.body, "body")
			answer(w, r.status, c.show(r.sample))
			return
		}
	}
	refuse(w, http.StatusNotFound, "Not Found")
}

func (c *Comment) show(sample any) map[string]any {
	m := clone(sample)
	m["id"], m["body"], m["author_association"] = c.ID, c.Body, c.Association
	user := clone(m["user"])
	user["type"] = c.UserType
	m["user"] = user
	return m
}

func (s *Server) listReviewComments(w http.ResponseWriter, r *request) {
	one := clone(r.sample.([]any)[0])
	var all []any
	for _, c := range s.ReviewComments {
		m := clone(one)
		m["id"], m["body"], m["path"], m["line"], m["commit_id"] = c.ID, c.Body, c.Path, c.Line, c.Commit
		user := clone(m["user"])
		user["type"] = "Bot"
		m["user"] = user
		all = append(all, m)
	}
	answer(w, r.status, paged(w, r, all))
}

func (s *Server) createReview(w http.ResponseWriter, r *request) {
	js, _ := json.Marshal(r.body["comments"])
	var cs []*ReviewComment
	if err := json.Unmarshal(js, &cs); err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	for _, c := range cs {
		for line := max(1, min(c.Line, c.StartLine)); line <= c.Line; line++ {
			if c.StartLine == 0 && line < c.Line {
				continue
			}
			if s.Commented != nil && !s.Commented(c.Path, line) {
				refuse(w, http.StatusUnprocessableEntity, "Pull request review thread line must be part of the diff")
				return
			}
		}
		if c.StartLine >= c.Line {
			refuse(w, http.StatusUnprocessableEntity, "start_line must precede the end line")
			return
		}
		c.ID, c.Commit = s.id(), text(r.body, "commit_id")
	}
	s.ReviewComments = append(s.ReviewComments, cs...)
	s.Reviews++
	answer(w, r.status, r.sample)
}

// checkFault returns a fault for which GitHub refuses a check run, although the description mentions it only in words,
// or not at all.
func checkFault(body []byte) string {
	var b struct {
		Name       string  `json:"name"`
		Status     string  `json:"status"`
		Conclusion *string `json:"conclusion"`
		Output     *struct {
			Title       *string      `json:"title"`
			Annotations []Annotation `json:"annotations"`
		} `json:"output"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return err.Error()
	}
	if b.Status == "completed" && b.Conclusion == nil {
		return "completed without a conclusion"
	}
	if b.Output == nil {
		return ""
	}
	if b.Output.Title == nil {
		return "output without a title"
	}
	if len(b.Output.Annotations) > 50 {
		return "more than 50 annotations"
	}
	for i, a := range b.Output.Annotations {
		if f := a.fault(); f != "" {
			return fmt.Sprintf("annotation %d: %s", i, f)
		}
	}
	return ""
}

func (a Annotation) fault() string {
	switch {
	case a.StartLine < 1 || a.EndLine < a.StartLine:
		return fmt.Sprintf("lines %d to %d", a.StartLine, a.EndLine)
	case utf8.RuneCountInString(a.Title) > 255:
		return "title of more than 255 characters"
	case len(a.Message) > 64<<10 || len(a.RawDetails) > 64<<10:
		return "text of more than 64 KB"
	case a.Message == "":
		return "no message"
	case (a.StartCol != nil || a.EndCol != nil) && a.StartLine != a.EndLine:
		return "columns of several lines"
	}
	return ""
}

// paged returns the page that a request asks for, and sets the link to the next one.
func paged(w http.ResponseWriter, r *request, all []any) []any {
	size, page := number(r.query, "per_page", 30), number(r.query, "page", 1)
	from := min((page-1)*size, len(all))
	to := min(from+size, len(all))
	if to < len(all) {
		w.Header().Set("Link", fmt.Sprintf(`<https://api.github.com/next?page=%d&per_page=%d>; rel="next"`, page+1, size))
	}
	if from == to {
		return []any{}
	}
	return all[from:to]
}

func number(q url.Values, key string, otherwise int) int {
	if n, err := strconv.Atoi(q.Get(key)); err == nil && n > 0 {
		return n
	}
	return otherwise
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// clone copies a JSON object.
func clone(v any) map[string]any {
	js, _ := json.Marshal(v)
	m := make(map[string]any)
	if json.Unmarshal(js, &m) != nil {
		return make(map[string]any)
	}
	return m
}

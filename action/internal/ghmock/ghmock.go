// Package ghmock is a GitHub for tests. It answers the few operations that the Action uses, and keeps the state that
// they leave, for tests to read. It checks every request and answer against GitHub's own description of its API, and
// against limits that the description mentions only in prose. So no test relies on something that GitHub would not do.
package ghmock

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// description is GitHub's description, reduced to the operations below: npm package @octokit/openapi, MIT licence, see
// NOTICE.
//
//go:embed github-rest.json
var description []byte

// Call is one request with its faults or those of its answer.
type Call struct {
	Op     string // operation id such as checks/create
	Method string
	Path   string
	Body   json.RawMessage
	Status int
	Fault  string // "" if both conform
}

// Server is a mock GitHub. Its exported fields are set before use.
type Server struct {
	// Before may answer instead of an operation, for example with a refusal or a rate limit. If it returns false, the
	// operation answers.
	Before func(op string, n int, w http.ResponseWriter) bool
	// Commented reports whether a line may have a review comment, because it is in the pull request's diff; nil means
	// every line.
	Commented func(path string, line int) bool
	// KnownSHA reports whether a commit exists; nil means every commit.
	KnownSHA func(sha string) bool

	router routers.Router

	mu    sync.Mutex
	calls []Call
	seen  map[string]int
	State
}

// New returns an empty GitHub.
func New() (*Server, error) {
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		return nil, fmt.Errorf("read API description: %w", err)
	}
	doc.Servers = nil // any host is accepted
	r, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("read API description: %w", err)
	}
	return &Server{router: r, seen: make(map[string]int), State: State{nextID: 1000}}, nil
}

// Calls returns the requests so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Writes counts the successful requests so far that changed something.
func (s *Server) Writes() int {
	n := 0
	for _, c := range s.Calls() {
		if c.Method != http.MethodGet && c.Status < 300 {
			n++
		}
	}
	return n
}

// Faults lists everything that does not conform.
func (s *Server) Faults() []string {
	var out []string
	for _, c := range s.Calls() {
		if c.Fault != "" {
			out = append(out, fmt.Sprintf("%s %s (%s): %s", c.Method, c.Path, c.Op, c.Fault))
		}
	}
	return out
}

func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(req.Body)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	c := Call{Method: req.Method, Path: req.URL.Path, Body: body}
	rec := httptest.NewRecorder()
	s.serve(rec, req, &c)
	c.Status = rec.Code
	s.calls = append(s.calls, c)
	maps.Copy(w.Header(), rec.Header())
	w.WriteHeader(rec.Code)
	w.Write(rec.Body.Bytes())
}

func (s *Server) serve(w *httptest.ResponseRecorder, req *http.Request, c *Call) {
	route, params, err := s.router.FindRoute(req)
	if err != nil {
		c.Fault = err.Error()
		refuse(w, http.StatusNotFound, "Not Found")
		return
	}
	c.Op = route.Operation.OperationID
	s.seen[c.Op]++
	req.Body = io.NopCloser(bytes.NewReader(c.Body))
	in := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{MultiError: true, IncludeResponseStatus: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
	if c.Fault = requestFault(in, c); c.Fault != "" {
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: "+c.Fault)
		return
	}
	if s.Before != nil && s.Before(c.Op, s.seen[c.Op], w) {
		return
	}
	var m map[string]any
	if len(c.Body) > 0 {
		if err := json.Unmarshal(c.Body, &m); err != nil {
			c.Fault = err.Error()
		}
	}
	status, sample := example(route)
	s.operate(w, &request{op: c.Op, params: params, query: req.URL.Query(), body: m, status: status, sample: sample})
	if w.Code >= 300 {
		return
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: w.Code, Header: w.Header(), Options: in.Options,
		Body: io.NopCloser(bytes.NewReader(w.Body.Bytes()))}
	if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
		c.Fault = "answer of this mock: " + short(err)
	}
}

// requestFault returns the fault of a request, by the schema of the description and by its prose.
func requestFault(in *openapi3filter.RequestValidationInput, c *Call) string {
	if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
		return short(err)
	}
	if extra := unknown("", c.Body, bodySchema(in.Route)); len(extra) > 0 {
		return fmt.Sprintf("properties the description does not name: %q", extra)
	}
	if c.Op == "checks/create" || c.Op == "checks/update" {
		return checkFault(c.Body)
	}
	return ""
}

func bodySchema(r *routers.Route) *openapi3.Schema {
	if r.Operation.RequestBody == nil {
		return nil
	}
	mt := r.Operation.RequestBody.Value.Content.Get("application/json")
	if mt == nil || mt.Schema == nil {
		return nil
	}
	return mt.Schema.Value
}

// unknown lists properties that a schema does not name. GitHub's description allows additional properties, so a
// misspelt one would pass.
func unknown(at string, raw json.RawMessage, sc *openapi3.Schema) []string {
	if sc == nil || len(raw) == 0 {
		return nil
	}
	var out []string
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && sc.Items != nil {
		for i, v := range list {
			out = append(out, unknown(fmt.Sprintf("%s/%d", at, i), v, sc.Items.Value)...)
		}
		return out
	}
	var obj map[string]json.RawMessage
	if json.Unmarshal(raw, &obj) != nil || len(sc.Properties) == 0 {
		return nil
	}
	for _, k := range slices.Sorted(maps.Keys(obj)) {
		if p, ok := sc.Properties[k]; ok {
			out = append(out, unknown(at+"/"+k, obj[k], p.Value)...)
		} else {
			out = append(out, at+"/"+k)
		}
	}
	return out
}

// example returns the description's example of a successful answer.
func example(r *routers.Route) (status int, value any) {
	for _, status := range []int{200, 201, 202} {
		ref := r.Operation.Responses.Status(status)
		if ref == nil || ref.Value == nil {
			continue
		}
		mt := ref.Value.Content.Get("application/json")
		if mt == nil {
			return status, nil
		}
		for _, name := range slices.Sorted(maps.Keys(mt.Examples)) {
			return status, mt.Examples[name].Value.Value
		}
	}
	return http.StatusNoContent, nil
}

// refuse answers like GitHub to a refused request.
func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]any{"message": message, "documentation_url": "https://docs.github.com/rest", "status": fmt.Sprint(status)})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func short(err error) string {
	s := []rune(err.Error())
	return string(s[:min(len(s), 400)])
}

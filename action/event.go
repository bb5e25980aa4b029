package action

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// job is the runner's description of the job: its variables and the event.
type job struct {
	event   string // pull_request, push, …
	sha     string // the workflow's commit; for a pull request the merge commit
	ref     string
	owner   string
	repo    string
	server  string
	api     string
	runID   string
	baseRef string // of a pull request
	temp    string
	summary string // file for the step's summary
	output  string // file for the step's outputs
	payload payload
	scope   *scope
}

// maxEvent bounds the event's file. GitHub sends payloads of at most 25 MB.
const maxEvent = 32 << 20

func readJob(env Env) (*job, error) {
	j := &job{
		event: value(env, "GITHUB_EVENT_NAME"), sha: commitID(value(env, "GITHUB_SHA")), ref: value(env, "GITHUB_REF"),
		server:  strings.TrimSuffix(cmp.Or(value(env, "GITHUB_SERVER_URL"), "https://github.com"), "/"),
		api:     strings.TrimSuffix(cmp.Or(value(env, "GITHUB_API_URL"), "https://api.github.com"), "/"),
		runID:   value(env, "GITHUB_RUN_ID"),
		baseRef: value(env, "GITHUB_BASE_REF"), temp: cmp.Or(value(env, "RUNNER_TEMP"), os.TempDir()),
		summary: value(env, "GITHUB_STEP_SUMMARY"), output: value(env, "GITHUB_OUTPUT"),
	}
	j.owner, j.repo, _ = strings.Cut(value(env, "GITHUB_REPOSITORY"), "/")
	p, err := readPayload(value(env, "GITHUB_EVENT_PATH"))
	j.payload = p
	return j, err
}

// readPayload reads the event. A run by hand has no event; its payload is empty.
func readPayload(path string) (payload, error) {
	if path == "" {
		return payload{}, nil
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return payload{}, nil
	}
	if err != nil {
		return payload{}, fmt.Errorf("read event: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxEvent))
	if err != nil {
		return payload{}, fmt.Errorf("read event: %w", err)
	}
	return parsePayload(b)
}

// payload is an event. Payloads differ between events, servers and years, and fields are null if a branch or a fork is
// gone. So missing fields and fields of another type read as empty.
type payload struct{ root any }

func parsePayload(b []byte) (payload, error) {
	var p payload
	if err := json.Unmarshal(b, &p.root); err != nil {
		return payload{}, fmt.Errorf("read event: %w", err)
	}
	return p, nil
}

func (p payload) at(path ...string) any {
	v := p.root
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

func (p payload) text(path ...string) string {
	s, _ := p.at(path...).(string)
	return s
}

func (p payload) number(path ...string) int {
	n, _ := p.at(path...).(float64)
	if n != float64(int(n)) || n < 0 {
		return 0
	}
	return int(n)
}

func (p payload) commit(path ...string) string { return commitID(p.text(path...)) }

// commitPattern matches a full object name. Every revision from a payload has to be one, so that a payload cannot name
// anything else.
var commitPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`) })

// commitID returns a commit's name. It returns "" for no name and for the zero name, which means that a branch did not
// exist.
func commitID(s string) string {
	if !commitPattern().MatchString(s) || strings.Trim(s, "0") == "" {
		return ""
	}
	return s
}

// pullRef matches the reference of a pull request's workflow.
var pullRef = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^refs/pull/([1-9][0-9]{0,9})/`) })

// pull returns the number of the event's pull request, 0 if there is none.
func (j *job) pull() int {
	if n := j.payload.number("pull_request", "number"); n > 0 {
		return n
	}
	m := pullRef().FindStringSubmatch(j.ref)
	if m == nil {
		return 0
	}
	if n := j.payload.number("number"); n > 0 {
		return n
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}

// isPull reports whether the event is about a pull request's commits.
func (j *job) isPull() bool {
	_, has := j.payload.at("pull_request").(map[string]any)
	return has || strings.HasPrefix(j.event, "pull_request")
}

// onDefaultBranch reports whether the job runs for a push to the default branch.
func (j *job) onDefaultBranch() bool {
	b := j.payload.text("repository", "default_branch")
	return j.event == "push" && b != "" && j.ref == "refs/heads/"+b
}

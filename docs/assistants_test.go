package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestAssistants makes the calls of ASSISTANTS.md as a client, and compares what the document shows of the answers.
func TestAssistants(t *testing.T) {
	const path = "ASSISTANTS.md"
	s := newSession(t)
	client := mcp.NewClient(&mcp.Implementation{Name: "docs"}, nil)
	var call *mcp.CallToolParams
	calls := 0
	for _, b := range blocks(t, path) {
		switch {
		case b.lang == "console":
			s.console(path, b)
		case b.lang == "json" && strings.Contains(b.text, `"arguments"`):
			call = new(mcp.CallToolParams)
			if err := json.Unmarshal([]byte(b.text), call); err != nil {
				t.Fatalf("%s:%d: %v", path, b.line, err)
			}
		case b.lang == "text" && call != nil:
			if calls == 0 {
				session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: s.server(t, path)}, nil)
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				s.assistant = session
			}
			s.answer(path, b, call)
			call = nil
			calls++
		}
	}
	if calls != 2 {
		t.Errorf("%d calls were made, the document has two", calls)
	}
}

// server returns the command that the document tells assistants to start.
func (s *session) server(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	var set struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	for _, b := range blocks(t, path) {
		if b.lang == "json" && strings.Contains(b.text, "mcpServers") {
			if err := json.Unmarshal([]byte(b.text), &set); err != nil {
				t.Fatalf("%s:%d: %v", path, b.line, err)
			}
		}
	}
	v, ok := set.Servers["git-provenance"]
	if !ok || v.Command != "git-provenance" {
		t.Fatalf("%s: no settings start the server", path)
	}
	c := exec.Command(filepath.Join(s.dir, "..", "bin", v.Command), v.Args...)
	c.Dir, c.Env, c.Stderr = s.dir, s.env, os.Stderr
	return c
}

func (s *session) answer(path string, b block, call *mcp.CallToolParams) {
	s.t.Helper()
	r, err := s.assistant.CallTool(s.t.Context(), call)
	if err != nil {
		s.t.Fatalf("%s:%d: %v", path, b.line, err)
	}
	got := strings.TrimSpace(r.Content[0].(*mcp.TextContent).Text) + "\n"
	switch {
	case r.IsError:
		s.t.Errorf("%s:%d: %s", path, b.line, got)
	case update:
		s.rewrite(path, command{raw: "```text\n", want: b.text + "```\n"}, got+"```\n")
	case !pattern(b.text).MatchString(got):
		s.t.Errorf("%s:%d: got:\n%s\nwant:\n%s", path, b.line, got, b.text)
	}
}

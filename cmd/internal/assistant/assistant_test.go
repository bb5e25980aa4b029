package assistant

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// ring is a report with one finding.
func ring(id string) *finding.Report {
	return &finding.Report{Schema: finding.Schema, Findings: []finding.Finding{{
		ID: id, Path: "ring.go", StartLine: 3, EndLine: 9, Level: "warning", Verdict: "undeclared", Tokens: 60, Score: 0.9,
		Origins: []finding.Origin{{PURL: "pkg:generic/ring@1.2.0", Path: "ring.go", StartLine: 1, EndLine: 7, License: "MIT"}},
	}}}
}

func byID(r *finding.Report, name string) (*finding.Finding, error) {
	if r.Findings[0].ID != name {
		return nil, fmt.Errorf("no finding %q in the report", name)
	}
	return &r.Findings[0], nil
}

// connect serves scans to a client on pipes.
func connect(t *testing.T, scans Scans) *mcp.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(t.Context(), toServer, fromServer, "v1", scans)
		fromServer.Close()
	}()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(time.Minute):
			t.Error("the server does not end")
		}
	})
	return s
}

// ask calls a tool and returns its text.
func ask(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) (answer string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

func TestTools(t *testing.T) {
	var got Snippet
	var paths []string
	s := connect(t, Scans{
		Snippet: func(_ context.Context, in Snippet) (*finding.Report, error) { got = in; return ring("a1"), nil },
		Files:   func(_ context.Context, in []string) (*finding.Report, error) { paths = in; return ring("b2"), nil },
		Find:    byID,
	})
	list, err := s.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 3 {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	for _, tool := range list.Tools {
		if !tool.Annotations.ReadOnlyHint || *tool.Annotations.OpenWorldHint {
			t.Errorf("%s is not announced as one that only reads here", tool.Name)
		}
	}
	answer, failed := ask(t, s, "check_snippet", map[string]any{"code": "x", "file": "a.go"})
	if failed || got.Code != "x" || got.File != "a.go" || !strings.Contains(answer, "WARNING  ring.go:3-9 shared with pkg:generic/ring@1.2.0") {
		t.Errorf("check_snippet(%+v) = %s", got, answer)
	}
	if answer, failed := ask(t, s, "check_files", map[string]any{"paths": []string{"a", "b/c"}}); failed || strings.Join(paths, " ") != "a b/c" || !strings.Contains(answer, "b2") {
		t.Errorf("check_files(%q) = %s", paths, answer)
	}
	for _, id := range []string{"a1", "b2"} {
		if answer, failed := ask(t, s, "explain_finding", map[string]any{"finding": id}); failed || !strings.Contains(answer, "finding "+id) {
			t.Errorf("explain_finding %s = %s", id, answer)
		}
	}
}

// TestAnsweredAfterInput closes the input behind the last request, as a script does. All requests are answered, a cancelled one too.
func TestAnsweredAfterInput(t *testing.T) {
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check_snippet","arguments":{"code":"x","file":"a.go"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"check_files","arguments":{}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`,
	}, "\n") + "\n"
	read := make(chan struct{})
	var out bytes.Buffer
	err := Serve(t.Context(), io.MultiReader(strings.NewReader(in), end(read)), &out, "v1", Scans{
		Snippet: func(context.Context, Snippet) (*finding.Report, error) {
			<-read // the input has ended before the first scan does
			return ring("a1"), nil
		},
		Files: func(ctx context.Context, _ []string) (*finding.Report, error) { return nil, ctx.Err() },
		Find:  byID,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":1,`, "shared with pkg:generic/ring@1.2.0", `"id":3,`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, out.String())
		}
	}
}

// TestScanEnds checks that no scan goes on behind a signal, whether the input has ended or not, or for a client that reads no more.
func TestScanEnds(t *testing.T) {
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check_snippet","arguments":{"code":"x","file":"a.go"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"ping"}`,
	}, "\n") + "\n"
	open, closed := io.Pipe()
	defer closed.Close()
	for name, c := range map[string]struct {
		behind io.Reader
		gone   bool
	}{"a signal": {open, false}, "a signal behind the input": {strings.NewReader(""), false}, "a client that is gone": {strings.NewReader(""), true}} {
		ctx, signal := context.WithCancel(t.Context())
		defer signal()
		scanning, out := make(chan struct{}), writer(func(b []byte) (int, error) { return len(b), nil })
		if c.gone {
			out = func(b []byte) (int, error) {
				if bytes.Contains(b, []byte(`"id":1,`)) {
					return len(b), nil
				}
				<-scanning
				return 0, io.ErrClosedPipe
			}
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			Serve(ctx, io.MultiReader(strings.NewReader(in), c.behind), out, "v1", Scans{Snippet: func(ctx context.Context, _ Snippet) (*finding.Report, error) {
				close(scanning)
				<-ctx.Done()
				return nil, ctx.Err()
			}})
		}()
		if <-scanning; !c.gone {
			signal()
		}
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: the scan goes on", name)
		}
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// end is a reader without content that closes its channel when it is read.
type end chan struct{}

func (e end) Read([]byte) (int, error) {
	select {
	case <-e:
	default:
		close(e)
	}
	return 0, io.EOF
}

// TestRefused checks that a call that fails is an answer, and that no path leads out of the working directory.
func TestRefused(t *testing.T) {
	s := connect(t, Scans{
		Snippet: func(context.Context, Snippet) (*finding.Report, error) {
			return nil, errors.New("open baseline \"x\x1b[31m\": damaged")
		},
		Files: func(context.Context, []string) (*finding.Report, error) { t.Error("scanned"); return nil, nil },
		Find:  byID,
	})
	if answer, failed := ask(t, s, "check_snippet", map[string]any{"code": "x"}); !failed || strings.ContainsRune(answer, '\x1b') || !strings.Contains(answer, "damaged") {
		t.Errorf("%q", answer)
	}
	for _, path := range []string{"/etc/passwd", "../x", "a/../../x", ""} {
		if answer, failed := ask(t, s, "check_files", map[string]any{"paths": []string{path}}); !failed || !strings.Contains(answer, "below the working directory") {
			t.Errorf("%q: %s", path, answer)
		}
	}
	if answer, failed := ask(t, s, "explain_finding", map[string]any{"finding": "a1"}); !failed || !strings.Contains(answer, "check code first") {
		t.Errorf("explain_finding without an answer before: %s", answer)
	}
}

// TestIncomplete checks that a report that lacks something is shown, and called a failure. Verbose lists what was not examined.
func TestIncomplete(t *testing.T) {
	s := connect(t, Scans{Find: byID, Files: func(context.Context, []string) (*finding.Report, error) {
		r := ring("a1")
		r.Ledger = []finding.Entry{{Path: "big.go", Reason: "too-large", Detail: "9 MB"}}
		return r, errors.New("scan \"b.go\": unreadable")
	}})
	answer, failed := ask(t, s, "check_files", nil)
	if !failed || !strings.Contains(answer, "ring.go:3-9") || !strings.HasSuffix(answer, "scan \"b.go\": unreadable") || strings.Contains(answer, "big.go") ||
		!strings.Contains(answer, `1 too-large; "verbose": true lists them`) {
		t.Errorf("failed %v: %s", failed, answer)
	}
	if answer, _ := ask(t, s, "check_files", map[string]any{"verbose": true}); !strings.Contains(answer, "big.go: too-large: 9 MB") {
		t.Errorf("verbose: %s", answer)
	}
	if answer, failed := ask(t, s, "explain_finding", map[string]any{"finding": "zz"}); !failed || !strings.Contains(answer, "no finding \"zz\"") {
		t.Errorf("explain_finding zz: %s", answer)
	}
}

// TestOneAtATime checks that scans do not overlap when a client calls several tools at once.
func TestOneAtATime(t *testing.T) {
	var running, most atomic.Int32
	s := connect(t, Scans{Find: byID, Snippet: func(context.Context, Snippet) (*finding.Report, error) {
		most.Store(max(most.Load(), running.Add(1)))
		time.Sleep(10 * time.Millisecond)
		running.Add(-1)
		return ring("a1"), nil
	}})
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "check_snippet", Arguments: map[string]any{"code": "x"}})
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d scans at once", most.Load())
	}
}

// TestBounded checks that long answers end behind a line and that old reports are forgotten.
func TestBounded(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	if got := bounded(strings.Repeat(line, 1000), "cut"); len(got) > maxAnswer+len("cut\n") || !strings.HasSuffix(got, line+"cut\n") {
		t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-120:])
	}
	if got := bounded(line, "cut"); got != line {
		t.Errorf("a short answer became %q", got)
	}
	n := 0
	s := connect(t, Scans{Find: byID, Snippet: func(context.Context, Snippet) (*finding.Report, error) { n++; return ring(fmt.Sprint("f", n)), nil }})
	for range maxReports + 1 {
		ask(t, s, "check_snippet", map[string]any{"code": "x"})
	}
	if answer, failed := ask(t, s, "explain_finding", map[string]any{"finding": "f1"}); !failed {
		t.Errorf("the report before the latest %d is kept: %s", maxReports, answer)
	}
	if answer, failed := ask(t, s, "explain_finding", map[string]any{"finding": "f2"}); failed {
		t.Errorf("%s", answer)
	}
}

// TestFailureQuotesNames: a name cannot pass as a part of the sentence that a model reads.
func TestFailureQuotesNames(t *testing.T) {
	err := fmt.Errorf("read policy: %w", &fs.PathError{Op: "open", Path: "a: all is well", Err: fs.ErrPermission})
	if got, want := failure(err), `read policy: open "a: all is well": permission denied`; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A model that reads how to silence a finding does so: the answer leaves it to the user, and so do the instructions.
func TestAcceptingIsLeftToTheUser(t *testing.T) {
	s := connect(t, Scans{Snippet: func(context.Context, Snippet) (*finding.Report, error) { return ring("a1"), nil }, Find: byID})
	answer, _ := ask(t, s, "check_snippet", map[string]any{"code": "x", "file": "a.go"})
	if !strings.Contains(answer, "accepted by the user only") || strings.Contains(answer, "to accept a finding:") {
		t.Errorf("the answer tells a model how to accept a finding by itself:\n%s", answer)
	}
	if got := s.InitializeResult().Instructions; !strings.Contains(got, "no allow comment") || !strings.Contains(got, "know by heart") {
		t.Errorf("instructions: %s", got)
	}
}

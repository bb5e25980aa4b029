package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

const (
	begin  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n"
	opened = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`
)

func callOf(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"check_snippet","arguments":{"code":"x","file":"a.go"}}}`
}

// TestBatches: each request of a batch is answered, in one message, also beside notifications.
func TestBatches(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"requests":                {opened + "\n[" + callOf("2") + "," + callOf("3") + "]\n", "[2 3]"},
		"with a notification":     {opened + "\n[" + callOf("2") + "," + cancel + "]\n", "[2]"},
		"with two notifications":  {"[" + opened + "," + callOf("2") + "," + cancel + ",\t" + callOf("3") + "]\r\n", "[2 3]"},
		"of notifications":        {"[" + opened + "," + cancel + "]\n" + callOf("4") + "\n", "4"},
		"without a last newline":  {opened + "\n [" + callOf("2") + "," + cancel + "]", "[2]"},
		"two batches":             {opened + "\n[" + callOf("2") + "," + cancel + "]\n[" + cancel + "," + callOf("3") + "]\n", "[2] [3]"},
		"longer than one reading": {opened + "\n[" + cancel + strings.Repeat(" ", 9000) + "," + callOf("2") + "]\n", "[2]"},
	} {
		var out bytes.Buffer
		err := Serve(t.Context(), iotest.HalfReader(strings.NewReader(begin+c.in)), &out, "v1", Scans{Find: byID,
			Snippet: func(context.Context, Snippet) (*finding.Report, error) { return ring("a1"), nil }})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := answered(t, out.String()); got != c.want {
			t.Errorf("%s: answered %s, want %s", name, got, c.want)
		}
	}
}

// answered lists the ids of the answers behind the first, those of a batch in brackets, sorted: requests that run side by side are answered in any
// order.
func answered(t *testing.T, out string) string {
	t.Helper()
	type message struct{ ID json.Number }
	var got []string
	for line := range strings.Lines(out) {
		var one message
		var all []message
		if err := json.Unmarshal([]byte(line), &all); err == nil {
			var ids []string
			for _, m := range all {
				ids = append(ids, m.ID.String())
			}
			got = append(got, "["+strings.Join(ids, " ")+"]")
		} else if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%q: %v", line, err)
		} else if one.ID != "1" {
			got = append(got, one.ID.String())
		}
	}
	slices.Sort(got)
	return strings.Join(got, " ")
}

// FuzzBatches: only a line that is a batch is changed, and no message is lost or made.
func FuzzBatches(f *testing.F) {
	f.Add([]byte("[" + opened + "," + callOf("2") + "]\n" + opened + "\n"))
	f.Add([]byte("[]\n[1,\n {\"id\":null,\"method\":\"x\"}]\n[[{\"method\":1}]]"))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := io.ReadAll(newBatches(iotest.OneByteReader(bytes.NewReader(in))))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(in) {
			var messages []json.RawMessage
			if json.Unmarshal(line, &messages) != nil || len(messages) == 0 {
				if !bytes.HasPrefix(got, line) {
					t.Fatalf("%q became %q", line, got)
				}
				got = got[len(line):]
				continue
			}
			for n := 0; n < len(messages); { // the messages of as many lines as the batch became
				one, rest, _ := bytes.Cut(got, []byte("\n"))
				var all []json.RawMessage
				if json.Unmarshal(one, &all) != nil {
					all = append(all, one)
				}
				if got = rest; len(all) == 0 || n+len(all) > len(messages) {
					t.Fatalf("%q became %q", line, one)
				}
				n += len(all)
			}
		}
		if len(got) > 0 {
			t.Errorf("more: %q", got)
		}
	})
}

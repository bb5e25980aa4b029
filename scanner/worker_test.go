package scanner_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
)

// TestWorkerKeepsNothing: a text has the same findings and entries whatever the worker examined before it.
func TestWorkerKeepsNothing(t *testing.T) {
	function := head + function(t, std(t, copied[0].file), copied[0].head).text
	texts := map[string]string{
		"a.go": function, "b.go": std(t, "text/tabwriter/tabwriter.go"), "c.txt": std(t, stdNames[0]), "d.go": "package d\n", "e.go": std(t, stdNames[1]), "f.md": "# Title\n",
	}
	s := scan(t, scanner.Options{Options: examine.Options{MinScore: 0.001}}, stdBaseline(t))
	output := func(w *examine.Worker, name string, before *examine.Earlier) string {
		t.Helper()
		read := func(context.Context) ([]byte, error) { return []byte(texts[name]), nil }
		out, err := w.Input(context.Background(), examine.Input{Path: name, Earlier: before, Read: read})
		if err != nil {
			t.Fatal(err)
		}
		all, err := json.Marshal([]any{out.Findings, out.Entries, out.Aligned, out.Longest, out.Inline})
		if err != nil {
			t.Fatal(err)
		}
		return string(all)
	}
	aligned := &examine.Earlier{Read: func(context.Context) ([]byte, error) { return []byte(function), nil }, Language: "go", Aligned: true}
	want := make(map[string]string)
	for name := range texts {
		w := s.NewWorker()
		want[name] = output(w, name, nil)
		w.Close()
	}
	w := s.NewWorker()
	defer w.Close()
	for first := range texts {
		output(w, "a.go", aligned)
		output(w, first, nil)
		for name := range texts {
			if got := output(w, name, nil); got != want[name] {
				t.Fatalf("%s after %s: got\n%s\nwant\n%s", name, first, got, want[name])
			}
		}
	}
}

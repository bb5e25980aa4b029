package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// pairsJSON writes a result like jsonform.Encode, but pair by pair: the matches of a large collection do not fit in
// memory.
func pairsJSON(w io.Writer, r *similar.Result) error {
	rest := *r
	rest.Pairs = []similar.UnitPair{}
	var whole bytes.Buffer
	if err := jsonform.Encode(&whole, &rest); err != nil {
		return err
	}
	const empty = "\n  \"pairs\": []" // no text contains a raw line end
	head, tail, _ := bytes.Cut(whole.Bytes(), []byte(empty))
	out := bufio.NewWriterSize(w, 1<<16)
	out.Write(head)
	fmt.Fprint(out, "\n  \"pairs\": [")
	n := 0
	err := r.Each(func(p *similar.UnitPair) error {
		if n++; n > 1 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		return jsonform.EncodePart(out, p, 2)
	})
	if err != nil {
		return err
	}
	if n > 0 {
		out.WriteString("\n  ")
	}
	out.WriteByte(']')
	out.Write(tail)
	if err := out.Flush(); err != nil { // returns the first error of all writes
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

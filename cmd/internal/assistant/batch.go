package assistant

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// batches rewrites JSON-RPC batches so that each has requests only. It puts notifications on lines of their own: the SDK waits for
// an answer to each message of a batch, but a notification has none.
type batches struct {
	in     *bufio.Reader
	ready  []byte // bytes that Read returns next
	within bool   // ready ends within a line: the next part continues it
	err    error  // of the input; Read returns it after ready
}

func newBatches(in io.Reader) *batches { return &batches{in: bufio.NewReader(in)} }

func (b *batches) Read(p []byte) (int, error) {
	if len(b.ready) == 0 && b.err == nil {
		b.next()
	}
	n := copy(p, b.ready)
	if b.ready = b.ready[n:]; len(b.ready) > 0 {
		return n, nil
	}
	return n, b.err
}

// next puts the next part of a line into ready. If the line is a batch, it takes the whole line.
func (b *batches) next() {
	part, err := b.in.ReadSlice('\n')
	batch := !b.within && bytes.HasPrefix(bytes.TrimLeft(part, " \t\r"), []byte("["))
	b.ready = append(b.ready[:0], part...)
	for err == bufio.ErrBufferFull && batch && len(b.ready) < mcp.DefaultMaxLineLength {
		part, err = b.in.ReadSlice('\n')
		b.ready = append(b.ready, part...)
	}
	b.within = err == bufio.ErrBufferFull
	if batch && !b.within {
		b.ready = apart(b.ready)
	}
	if !b.within {
		b.err = err
	}
}

// apart divides a batch into lines: the notifications before its first request, a batch of the requests, then the other
// notifications. It returns other lines unchanged.
func apart(line []byte) []byte {
	var all, requests []json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return line
	}
	var before, behind []json.RawMessage
	for _, m := range all {
		switch {
		case !notification(m):
			requests = append(requests, m)
		case len(requests) == 0:
			before = append(before, m)
		default:
			behind = append(behind, m)
		}
	}
	if len(requests) == len(all) {
		return line
	}
	if len(requests) > 0 {
		together, err := json.Marshal(requests)
		if err != nil {
			return line
		}
		before = append(before, together)
	}
	var out []byte
	for _, m := range append(before, behind...) {
		out = append(append(out, m...), '\n')
	}
	return out
}

// notification reports whether a message has a method and no id.
func notification(m json.RawMessage) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(m, &fields) != nil {
		return false
	}
	id, ok := fields["id"]
	return fields["method"] != nil && (!ok || string(id) == "null")
}

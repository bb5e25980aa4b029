package jsonform

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// List is a list of a document that is written item by item, since its JSON may be larger than its items in memory.
type List struct {
	Name string
	Each func(item func(any) error) error
}

// ListOf returns the items as a list.
func ListOf[T any](name string, items []T) List {
	return List{name, func(item func(any) error) error {
		for i := range items {
			if err := item(&items[i]); err != nil {
				return err
			}
		}
		return nil
	}}
}

// EncodeLists writes a document like Encode. Of the document itself the lists are empty; they are fields of it, named in their order.
func EncodeLists(w io.Writer, doc any, lists ...List) error {
	var whole bytes.Buffer
	if err := Encode(&whole, doc); err != nil {
		return err
	}
	rest := whole.Bytes()
	out := bufio.NewWriterSize(w, 1<<16)
	for _, l := range lists {
		head, tail, found := bytes.Cut(rest, fmt.Appendf(nil, "\n  %q: []", l.Name)) // no text contains a raw line end
		if !found {
			return fmt.Errorf("write report: it has no empty list %q", l.Name)
		}
		rest = tail
		out.Write(head)
		if err := writeList(out, l); err != nil {
			return err
		}
	}
	out.Write(rest)
	if err := out.Flush(); err != nil { // returns the first error of all writes
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func writeList(out *bufio.Writer, l List) error {
	fmt.Fprintf(out, "\n  %q: [", l.Name)
	n := 0
	err := l.Each(func(item any) error {
		if n++; n > 1 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		return encodePart(out, item, 2)
	})
	if err != nil {
		return err
	}
	if n > 0 {
		out.WriteString("\n  ")
	}
	return out.WriteByte(']')
}

//go:build cgo

package sitter

/*
#include "tokens.h"
*/
import "C"

import (
	"bytes"
	"errors"
	"runtime"
	"time"
	"unsafe"
)

// Edit replaces the bytes from Start to OldEnd of a text by those from Start to NewEnd of the next version. Edits of
// one change are given from the last to the first.
type Edit struct {
	Start, OldEnd int
	Text          []byte // the new text
}

// Reparse has the costs of parsing a version of a file: from scratch, and with the tree of the version before.
type Reparse struct {
	Anew, Reused         time.Duration // CPU time of the parse
	Walked               time.Duration // of the walk over the reused tree
	Tokens               int
	Errors, ReusedErrors int  // syntax errors of each tree
	Same                 bool // both give the same tokens
}

// Reparse parses src from scratch and from the tree of its earlier text was. Only a benchmark uses it: it shows what
// reuse would save.
func (b *Bare) Reparse(g *Grammar, was, src []byte, edits []Edit) (Reparse, error) {
	list := make([]C.TSInputEdit, len(edits)+1)
	for i, e := range edits {
		list[i] = inputEdit(was, e)
	}
	var out C.reparse
	failed := C.bare_reparse(g.c, (*C.char)(unsafe.Pointer(unsafe.SliceData(was))), C.uint32_t(len(was)),
		(*C.char)(unsafe.Pointer(unsafe.SliceData(src))), C.uint32_t(len(src)), &list[0], C.uint32_t(len(edits)), &out)
	runtime.KeepAlive(was)
	runtime.KeepAlive(src)
	if failed != 0 {
		return Reparse{}, errors.New("no parser")
	}
	return Reparse{time.Duration(out.anew), time.Duration(out.reused), time.Duration(out.walked), int(out.tokens),
		int(out.errors), int(out.reused_errors), out.same != 0}, nil
}

func inputEdit(was []byte, e Edit) C.TSInputEdit {
	start := point(was[:e.Start])
	end := start
	if n := bytes.Count(e.Text, []byte{'\n'}); n > 0 {
		end = C.TSPoint{row: start.row + C.uint32_t(n), column: C.uint32_t(len(e.Text) - 1 - bytes.LastIndexByte(e.Text, '\n'))}
	} else {
		end.column += C.uint32_t(len(e.Text))
	}
	return C.TSInputEdit{
		start_byte: C.uint32_t(e.Start), old_end_byte: C.uint32_t(e.OldEnd), new_end_byte: C.uint32_t(e.Start + len(e.Text)),
		start_point: start, old_end_point: point(was[:e.OldEnd]), new_end_point: end,
	}
}

func point(before []byte) C.TSPoint {
	return C.TSPoint{
		row:    C.uint32_t(bytes.Count(before, []byte{'\n'})),
		column: C.uint32_t(len(before) - 1 - bytes.LastIndexByte(before, '\n')),
	}
}

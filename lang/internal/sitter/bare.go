//go:build cgo

package sitter

/*
#include "tokens.h"
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// Bare is the plain parser with libc's allocator, to compare a Runner with. It changes the allocator of the whole
// process, so no Runner may run until it is closed.
type Bare struct{ p *C.TSParser }

// NewBare returns a plain parser, nil on failure.
func NewBare(g *Grammar) *Bare {
	install()
	C.arena_uninstall()
	return &Bare{C.bare_new(g.c.original)}
}

// Parse parses src and drops the tree.
func (b *Bare) Parse(src []byte) bool {
	failed := C.bare_parse(b.p, (*C.char)(unsafe.Pointer(unsafe.SliceData(src))), C.uint32_t(len(src)))
	runtime.KeepAlive(src)
	return failed == 0
}

// Close frees the parser and restores the allocator.
func (b *Bare) Close() {
	C.ts_parser_delete(b.p)
	C.arena_install()
}

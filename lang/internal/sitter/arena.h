// A thread-local bump arena behind tree-sitter's allocator. Everything that
// parser, tree and cursor of one file allocate lives in it and is dropped at
// once; a byte cap and a work budget are enforced where memory is asked for.
#ifndef SITTER_ARENA_H
#define SITTER_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

enum { CLASSES_SMALL = 64, CLASSES_LARGE = 36 };

typedef struct chunk {
  struct chunk *next;
  size_t size; // bytes of payload that follow
} chunk;

// Why the arena left by longjmp.
enum { ESCAPE_MEMORY = 1, ESCAPE_BUDGET = 2, ESCAPE_FAILED = 3 };

typedef struct {
  chunk *spare;  // standard chunks kept from earlier files
  chunk *used;   // chunks of this file, newest first
  char *next, *end;
  uint64_t taken, cap; // bytes of chunks in use, and the most allowed
  void *small[CLASSES_SMALL]; // free blocks by size / 16
  void *large[CLASSES_LARGE]; // free blocks by power of two
  uint64_t ops, budget, hard; // work done; past budget stop is set, past hard the arena escapes
  size_t stop;                // tree-sitter's cancellation flag
  jmp_buf escape;
} arena;

void arena_install(void);
void arena_uninstall(void);
void arena_enter(arena *a); // this thread now allocates from a
void arena_leave(void);
void arena_begin(arena *a, uint64_t cap, uint64_t budget);
void arena_end(arena *a);   // drops everything, keeps a bounded number of chunks
void arena_free(arena *a);
#endif

#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"

// Under AddressSanitizer a block is followed by bytes nobody may touch, and so is
// one that was given back: the arena is one allocation to it otherwise.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define REDZONE ((size_t)16)
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)0)
#define REDZONE ((size_t)0)
#endif

// 1 MiB: a file of 30 KB needs about that; smaller chunks cost more system calls.
#define CHUNK ((size_t)1 << 20)
// 32 MiB of chunks stay with a tokenizer between files: enough for files of
// about 1 MB, so that ordinary trees never return pages to the system.
#define KEEP ((uint64_t)32 << 20)
// Blocks up to this size are pooled by multiples of 16, larger ones by powers of two.
#define SMALL_MAX ((size_t)(CLASSES_SMALL - 1) * 16)
// Marks a block as ours, so that a block of libc handed to us goes back to libc.
#define COOKIE 0xA7E4A51Du

// A header stands right before each payload; payloads are aligned to 16.
typedef struct {
  uint32_t units; // block size, header included, in units of 16 bytes
  uint32_t cookie;
} header;

static __thread arena *current; // set only inside one C call

void arena_enter(arena *a) { current = a; }
void arena_leave(void) { current = NULL; }

static header *header_of(void *payload) { return (header *)((char *)payload - sizeof(header)); }

static size_t round16(size_t n) { return (n + 15) & ~(size_t)15; }

// block_size is what a request of n bytes occupies; n is below the cap and so far from overflow.
static size_t block_size(size_t n) {
  size_t b = round16(n + sizeof(header) + REDZONE);
  if (b <= SMALL_MAX) return b;
  size_t p = (size_t)1 << (64 - __builtin_clzll((unsigned long long)(n + REDZONE - 1)));
  return p + 16;
}

static int large_class(size_t block) { return 63 - __builtin_clzll((unsigned long long)(block - 16)); }

static void **pool_of(arena *a, size_t block) {
  if (block <= SMALL_MAX) return &a->small[block / 16];
  return &a->large[large_class(block)];
}

static void next_chunk(arena *a, size_t block) {
  size_t size = block + 32 > CHUNK ? block + 32 : CHUNK;
  if (size > a->cap - a->taken) longjmp(a->escape, ESCAPE_MEMORY);
  chunk *c = NULL;
  if (size == CHUNK && a->spare) {
    c = a->spare;
    a->spare = c->next;
  } else {
    c = malloc(sizeof *c + size);
    if (!c) longjmp(a->escape, ESCAPE_MEMORY);
    c->size = size;
  }
  c->next = a->used;
  a->used = c;
  a->taken += size;
  // The first header starts 8 bytes before a multiple of 16.
  uintptr_t first = (uintptr_t)round16((uintptr_t)(c + 1) + sizeof(header));
  a->next = (char *)(first - sizeof(header));
  a->end = (char *)(c + 1) + size;
  ASAN_POISON_MEMORY_REGION(c + 1, size);
}

static inline void spend(arena *a, uint64_t ops) {
  a->ops += ops;
  if (__builtin_expect(a->ops > a->budget, 0)) {
    a->stop = 1;
    if (a->ops > a->hard) longjmp(a->escape, ESCAPE_BUDGET);
  }
}

static inline void *take(arena *a, size_t n) {
  if (__builtin_expect(n > a->cap, 0)) longjmp(a->escape, ESCAPE_MEMORY);
  spend(a, 1 + (n >> 8));
  if (n == 0) n = 1;
  size_t block = block_size(n);
  void **pool = pool_of(a, block);
  if (*pool) {
    void *p = *pool;
    *pool = *(void **)p;
    ASAN_UNPOISON_MEMORY_REGION(p, n);
    return p;
  }
  if (__builtin_expect((size_t)(a->end - a->next) < block, 0)) next_chunk(a, block);
  header *h = (header *)a->next;
  a->next += block;
  ASAN_UNPOISON_MEMORY_REGION(h, sizeof *h + n);
  h->units = (uint32_t)(block / 16);
  h->cookie = COOKIE;
  return h + 1;
}

static inline void give(arena *a, void *p) {
  size_t block = (size_t)header_of(p)->units * 16;
  void **pool = pool_of(a, block);
  ASAN_POISON_MEMORY_REGION(p, block - sizeof(header));
  ASAN_UNPOISON_MEMORY_REGION(p, sizeof(void *));
  *(void **)p = *pool;
  *pool = p;
}

static void *or_abort(void *p, size_t n) {
  if (!p && n) { // tree-sitter does not check, its own allocator aborts too
    fprintf(stderr, "sitter: out of memory for %zu bytes\n", n);
    abort();
  }
  return p;
}

static void *do_malloc(size_t n) { return current ? take(current, n) : or_abort(malloc(n), n); }

static void *do_calloc(size_t count, size_t size) {
  if (!current) return or_abort(calloc(count, size), count && size);
  size_t n;
  if (__builtin_mul_overflow(count, size, &n)) longjmp(current->escape, ESCAPE_MEMORY);
  return memset(take(current, n), 0, n);
}

static void *do_realloc(void *p, size_t n) {
  if (!current) return or_abort(realloc(p, n), n);
  if (!p) return take(current, n);
  header *h = header_of(p);
  if (h->cookie != COOKIE) return or_abort(realloc(p, n), n);
  size_t old = (size_t)h->units * 16 - sizeof(header);
  if (n + REDZONE <= old) {
    ASAN_UNPOISON_MEMORY_REGION(p, n);
    return p;
  }
  void *q = take(current, n);
  ASAN_UNPOISON_MEMORY_REGION(p, old);
  memcpy(q, p, old < n ? old : n);
  give(current, p);
  return q;
}

static void do_free(void *p) {
  if (!p) return;
  if (!current || header_of(p)->cookie != COOKIE) {
    free(p);
    return;
  }
  give(current, p);
}

void arena_install(void) { ts_set_allocator(do_malloc, do_calloc, do_realloc, do_free); }
void arena_uninstall(void) { ts_set_allocator(NULL, NULL, NULL, NULL); }

void arena_begin(arena *a, uint64_t cap, uint64_t budget) {
  memset(a->small, 0, sizeof a->small);
  memset(a->large, 0, sizeof a->large);
  a->next = a->end = NULL;
  a->taken = 0;
  a->cap = cap;
  a->ops = 0;
  a->budget = budget;
  // The parser looks at the flag every 100 steps; what still allocates at four
  // times the budget is a loop that does not look.
  a->hard = budget > UINT64_MAX / 4 ? UINT64_MAX : budget * 4;
  a->stop = 0;
}

static void free_list(chunk *c) {
  while (c) {
    chunk *next = c->next;
    free(c);
    c = next;
  }
}

// Only standard chunks are kept: the next file must see the same chunk sizes
// whatever came before it, or the cap would trip at different points.
void arena_end(arena *a) {
  uint64_t kept = 0;
  for (chunk *c = a->spare; c; c = c->next) kept += c->size;
  while (a->used) {
    chunk *c = a->used;
    a->used = c->next;
    if (c->size == CHUNK && kept < KEEP) {
      c->next = a->spare;
      a->spare = c;
      kept += c->size;
    } else {
      free(c);
    }
  }
}

void arena_free(arena *a) {
  free_list(a->used);
  free_list(a->spare);
  a->used = a->spare = NULL;
}

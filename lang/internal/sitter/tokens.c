#include "tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The lexer gets the source in pieces of this size, so that re-reading is seen
// and charged: 1 KiB bounds what a look-ahead can read for free.
#define PIECE 1024
// A token buffer above this many tokens (32 MiB) is not kept for the next file.
#define KEEP_TOKENS ((uint32_t)2 << 20)
#define NONE UINT32_MAX

static __thread runner *running; // for the scanner callbacks, which take no argument

// ---- the source

static void at_end(TSLexer *lexer, bool skip) {
  (void)skip;
  lexer->lookahead = 0;
}
static bool is_end(const TSLexer *lexer) {
  (void)lexer;
  return true;
}
static uint32_t no_column(TSLexer *lexer) {
  (void)lexer;
  return 0;
}

// past_hard ends a parse that reads on past the hard limit. A scanner may hold
// memory of its own, so no jump leaves it: it sees the source end, returns, and
// then scanner_scan jumps. Tree-sitter itself always gets its bytes, for it takes
// none to be the end and decodes what is not there in the middle of a character.
static void past_hard(runner *r) {
  if (!r->scanning) longjmp(r->arena.escape, ESCAPE_BUDGET);
  r->cut = true;
  r->scanning->advance = at_end;
  r->scanning->eof = is_end;
  r->scanning->get_column = no_column;
}

static const char *read_piece(void *payload, uint32_t offset, TSPoint point, uint32_t *n) {
  (void)point;
  runner *r = payload;
  arena *a = &r->arena;
  *n = 0;
  if (offset >= r->len) return "";
  uint32_t left = r->len - offset;
  if (left > PIECE) left = PIECE;
  a->ops += left / 16;
  if (a->ops > a->budget) a->stop = 1;
  if (a->ops > a->hard) past_hard(r);
  *n = left;
  return r->src + offset;
}

// ---- the scanner

// Scanners keep their state in libc memory. The one of the running parse is
// remembered, so that it is destroyed however the parse ends.
static void *scanner_create(void) {
  const grammar *g = running->grammar;
  // NULL is an answer: some scanners have no state.
  running->scanner = g->scanner_bytes ? calloc(1, g->scanner_bytes) : g->create();
  return running->scanner;
}

static void scanner_destroy(void *state) {
  if (state && state == running->scanner) {
    running->scanner = NULL;
    running->grammar->destroy(state);
  }
}

static bool scanner_scan(void *scanner, TSLexer *lexer, const bool *valid) {
  runner *r = running;
  r->scanning = lexer;
  bool found = r->grammar->scan(scanner, lexer, valid);
  r->scanning = NULL;
  if (r->cut) longjmp(r->arena.escape, ESCAPE_BUDGET);
  return found;
}

static unsigned scanner_serialize(void *scanner, char *to) {
  runner *r = running;
  unsigned n = r->grammar->serialize(scanner, r->state_written);
  if (n > STATE_BYTES) longjmp(r->arena.escape, ESCAPE_FAILED);
  memcpy(to, r->state_written, n);
  return n;
}

static void scanner_deserialize(void *scanner, const char *from, unsigned n) {
  runner *r = running;
  if (n) memcpy(r->state_read, from, n);
  if (n < r->read_bytes) memset(r->state_read + n, 0, r->read_bytes - n);
  r->read_bytes = n;
  r->grammar->deserialize(scanner, r->state_read, n);
}

// An assertion that fails in a grammar or in tree-sitter ends the parse, not the
// process: this stands in for libc's handler. What the scanner holds is left
// behind, for it may have been in the middle of a change.
_Noreturn static void failed_assertion(const char *what, const char *file, int line) {
  if (running) {
    running->scanner = NULL;
    longjmp(running->arena.escape, ESCAPE_FAILED);
  }
  fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, what);
  abort();
}

#if defined(__linux__)
_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  (void)function;
  failed_assertion(what, file, (int)line);
}
#elif defined(__APPLE__)
_Noreturn void __assert_rtn(const char *function, const char *file, int line, const char *what) {
  (void)function;
  failed_assertion(what, file, line);
}
#endif

void grammar_prepare(grammar *g, const TSLanguage *l) {
  g->original = l;
  g->language = *l;
  g->create = l->external_scanner.create;
  g->destroy = l->external_scanner.destroy;
  g->scan = l->external_scanner.scan;
  g->serialize = l->external_scanner.serialize;
  g->deserialize = l->external_scanner.deserialize;
  if (!g->create || !g->destroy || !g->scan || !g->serialize || !g->deserialize) return;
  g->language.external_scanner.create = scanner_create;
  g->language.external_scanner.destroy = scanner_destroy;
  g->language.external_scanner.scan = scanner_scan;
  g->language.external_scanner.serialize = scanner_serialize;
  g->language.external_scanner.deserialize = scanner_deserialize;
}

// ---- tokens

static void grow(runner *r) {
  if (r->count >= r->limit) longjmp(r->arena.escape, RUN_TOKENS + 16);
  uint64_t want = r->capacity ? (uint64_t)r->capacity * 2 : 4096;
  if (want > r->limit) want = r->limit;
  token *t = realloc(r->tokens, want * sizeof *t);
  if (!t) longjmp(r->arena.escape, ESCAPE_MEMORY);
  r->tokens = t;
  r->capacity = (uint32_t)want;
}

static inline void push(runner *r, uint32_t start, uint32_t end, uint32_t kind, uint8_t class, uint8_t flags) {
  if (__builtin_expect(r->skip != 0, 0)) {
    if (start < r->skip) return;
    start -= r->skip;
    end -= r->skip;
  }
  if (end <= start) return; // invented by error recovery
  if (r->count) { // an enclosing string ends where its first embedded token starts
    token *last = &r->tokens[r->count - 1];
    if (last->end > start) last->end = start;
    if (last->end == last->start) r->count--;
  }
  if (__builtin_expect(r->count >= r->capacity, 0)) grow(r);
  r->tokens[r->count++] = (token){start, end, kind, class, flags, 0};
}

// ---- re-lexing of text the grammar leaves alone: macro bodies, and what a broken tree does not show

#define FNV_OFFSET 2166136261u
#define FNV_PRIME 16777619u

static uint32_t fnv(const char *s, uint32_t n) {
  uint32_t h = FNV_OFFSET;
  for (uint32_t i = 0; i < n; i++) h = (h ^ (uint8_t)s[i]) * FNV_PRIME;
  return h;
}

static const spelling *spelling_of(const grammar *g, uint32_t kind) {
  uint32_t lo = 0, hi = g->spelling_count;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (g->spellings[mid].kind < kind) lo = mid + 1;
    else hi = mid;
  }
  return lo < g->spelling_count && g->spellings[lo].kind == kind ? &g->spellings[lo] : NULL;
}

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
static bool is_letter(uint8_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}
static bool is_space(uint8_t c) { return c <= ' ' || c == 0x7f; }

static uint32_t word_end(const char *s, uint32_t i, uint32_t end) {
  while (i < end && (is_letter((uint8_t)s[i]) || is_digit((uint8_t)s[i]))) i++;
  return i;
}

// A preprocessing number: digits, letters, dots, and signs after an exponent.
static uint32_t number_end(const char *s, uint32_t i, uint32_t end) {
  for (i++; i < end; i++) {
    uint8_t c = (uint8_t)s[i], before = (uint8_t)s[i - 1] | 0x20;
    if (is_letter(c) || is_digit(c) || c == '.') continue;
    if ((c == '+' || c == '-') && (before == 'e' || before == 'p')) continue;
    if (c == '\'' && i + 1 < end && (is_letter((uint8_t)s[i + 1]) || is_digit((uint8_t)s[i + 1]))) continue;
    break;
  }
  return i;
}

static uint32_t quote_end(const char *s, uint32_t i, uint32_t end) {
  char quote = s[i];
  for (i++; i < end; i++) {
    if (s[i] == '\\') i++;
    else if (s[i] == quote) return i + 1;
  }
  return end;
}

// comment_end returns i itself when there is no comment at i.
static uint32_t comment_end(const char *s, uint32_t i, uint32_t end) {
  if (i + 1 >= end || s[i] != '/') return i;
  if (s[i + 1] == '/') return end;
  if (s[i + 1] != '*') return i;
  for (uint32_t j = i + 2; j + 1 < end; j++)
    if (s[j] == '*' && s[j + 1] == '/') return j + 2;
  return end;
}

static uint32_t line_end(const char *s, uint32_t i, uint32_t end) {
  const char *at = memchr(s + i, '\n', end - i);
  return at ? (uint32_t)(at - s) : end;
}

static uint32_t behind(const char *s, uint32_t i, uint32_t end, const char *close) {
  uint32_t n = (uint32_t)strlen(close);
  for (; i + n <= end; i++)
    if (!memcmp(s + i, close, n)) return i + n;
  return end;
}

// comment_of_lines is comment_end in text of many lines, for any grammar.
static uint32_t comment_of_lines(const grammar *g, const char *s, uint32_t i, uint32_t end) {
  if (s[i] != g->comment) return i;
  if (g->comment == '#') return line_end(s, i, end);
  char next = i + 1 < end ? s[i + 1] : 0;
  if (next == '*' && g->comment == '/') return behind(s, i + 2, end, "*/");
  if (next != g->comment) return i;
  if (g->comment == '-' && i + 3 < end && s[i + 2] == '[' && s[i + 3] == '[') return behind(s, i + 4, end, "]]");
  return line_end(s, i, end);
}

// string_of_lines is quote_end in text of many lines. It returns i for a quote that its line does not close, and for all
// others before *plain, the end of that line: else each would be looked for anew.
static uint32_t string_of_lines(const char *s, uint32_t i, uint32_t end, uint32_t *plain) {
  if (i < *plain) return i;
  if (i + 3 <= end && s[i + 1] == s[i] && s[i + 2] == s[i]) {
    char close[] = {s[i], s[i], s[i], 0};
    return behind(s, i + 3, end, close);
  }
  uint32_t last = line_end(s, i, end), to = quote_end(s, i, last);
  if (to > i + 1 && s[to - 1] == s[i]) return to;
  *plain = last;
  return i;
}

static bool string_prefix(const char *s, uint32_t start, uint32_t i, uint32_t end) {
  if (i >= end || (s[i] != '"' && s[i] != '\'')) return false;
  uint32_t n = i - start;
  return (n == 1 && strchr("LuU", s[start])) || (n == 2 && s[start] == 'u' && s[start + 1] == '8');
}

static void push_rule(runner *r, uint32_t start, uint32_t end, const rule *as, uint8_t flags) {
  push(r, start, end, as->kind, as->class, flags);
}

static uint32_t relex_word(runner *r, uint32_t i, uint32_t end, uint8_t flags) {
  const grammar *g = r->grammar;
  uint32_t to = word_end(r->src, i, end);
  if (string_prefix(r->src, i, to, end)) {
    to = quote_end(r->src, to, end);
    push_rule(r, i, to, &g->string, flags);
    return to;
  }
  const spelling *known = spelling_of(g, fnv(r->src + i, to - i));
  if (known) push(r, i, to, known->as, (uint8_t)known->class, flags);
  else push_rule(r, i, to, &g->identifier, flags);
  return to;
}

// The longest operator of the grammar that starts at i; else one byte. What
// starts with "#" would be a directive, and there is none within a line.
static uint32_t relex_operator(runner *r, uint32_t i, uint32_t end, uint8_t flags) {
  const grammar *g = r->grammar;
  for (uint32_t n = r->src[i] == '#' ? 1 : 3; n > 0; n--) {
    if (n > end - i) continue;
    uint32_t kind = fnv(r->src + i, n);
    const spelling *known = spelling_of(g, kind);
    if (!known && n > 1) continue;
    if (known) push(r, i, i + n, known->as, (uint8_t)known->class, flags);
    else push(r, i, i + 1, kind, g->operator.class, flags);
    return i + n;
  }
  return i + 1;
}

// The identity of a text: blanks count as one, none behind the "#" or at the
// end, and a comment behind a blank is no part of it: a directive takes in all
// of its line.
static uint32_t text_kind(const char *s, uint32_t i, uint32_t end) {
  uint32_t h = FNV_OFFSET;
  bool blank = false;
  char before = 0;
  for (; i < end; i++) {
    if (is_space((uint8_t)s[i])) blank = true;
    else if (blank && comment_end(s, i, end) > i) break;
    else {
      if (blank && before != '#') h = (h ^ ' ') * FNV_PRIME;
      blank = false;
      before = s[i];
      h = (h ^ (uint8_t)before) * FNV_PRIME;
    }
  }
  return h;
}

// Blanks behind a directive make the grammar take the next line for its text.
static bool opens_line(const char *s, uint32_t i) {
  while (i > 0 && is_space((uint8_t)s[i - 1]) && s[i - 1] != '\n') i--;
  if (i == 0 || s[i - 1] != '\n') return false;
  i--;
  if (i > 0 && s[i - 1] == '\r') i--;
  return i == 0 || s[i - 1] != '\\';
}

static uint32_t relex_directive(runner *r, uint32_t i, uint32_t end, uint8_t *flags) {
  const char *s = r->src;
  uint32_t at = i + 1;
  while (at < end && (s[at] == ' ' || s[at] == '\t')) at++;
  uint32_t to = word_end(s, at, end);
  if (to == at) return i;
  uint32_t kind = text_kind(s, i, to);
  if (kind == fnv("#include", 8)) *flags |= FLAG_IMPORT;
  push(r, i, to, kind, r->grammar->operator.class, *flags);
  if (!(*flags & FLAG_IMPORT)) return to;
  while (to < end && is_space((uint8_t)s[to])) to++;
  const char *close = to < end && s[to] == '<' ? memchr(s + to, '>', end - to) : NULL;
  if (!close) return to;
  push_rule(r, to, (uint32_t)(close - s) + 1, &r->grammar->string, *flags);
  return (uint32_t)(close - s) + 1;
}

// relex lexes the rest of a line of code, or code of many lines.
static void relex(runner *r, uint32_t i, uint32_t end, uint8_t flags, bool lines) {
  const char *s = r->src;
  uint32_t plain = 0;
  if (!lines && i < end && s[i] == '#' && opens_line(s, i)) i = relex_directive(r, i, end, &flags);
  while (i < end) {
    uint8_t c = (uint8_t)s[i];
    uint32_t after = lines ? comment_of_lines(r->grammar, s, i, end) : comment_end(s, i, end);
    if (after > i) i = after;
    else if (is_space(c) || (c == '\\' && i + 1 < end && is_space((uint8_t)s[i + 1]))) i++;
    else if (is_letter(c)) i = relex_word(r, i, end, flags);
    else if (is_digit(c) || (c == '.' && i + 1 < end && is_digit((uint8_t)s[i + 1]))) {
      uint32_t to = number_end(s, i, end);
      push_rule(r, i, to, &r->grammar->number, flags);
      i = to;
    } else if (c == '"' || c == '\'') {
      uint32_t to = lines ? string_of_lines(s, i, end, &plain) : quote_end(s, i, end);
      if (to > i) push_rule(r, i, to, &r->grammar->string, flags);
      i = to > i ? to : relex_operator(r, i, end, flags);
    } else i = relex_operator(r, i, end, flags);
  }
}

// Prose inside code (the text of a template): as the word front-end has it,
// but that every byte from 0x80 on counts as a letter.
static void words(runner *r, uint32_t i, uint32_t end, uint8_t flags) {
  const char *s = r->src;
  const grammar *g = r->grammar;
  while (i < end) {
    uint8_t c = (uint8_t)s[i];
    uint32_t to = word_end(s, i, end);
    if (to > i && is_digit(c)) push_rule(r, i, to, &g->number, flags);
    else if (to > i) push(r, i, to, fnv(s + i, to - i), g->word.class, flags);
    else if (!is_space(c)) push(r, i, i + 1, fnv(s + i, 1), g->operator.class, flags);
    i = to > i ? to : i + 1;
  }
}

static bool plain_word(const char *s, uint32_t i, uint32_t end) {
  for (; i < end; i++)
    if (is_space((uint8_t)s[i]) || strchr("\"'`$\\(){}[]<>|&;*?~#!", s[i])) return false;
  return true;
}

static void push_bytes(runner *r, uint32_t i, uint32_t end, uint8_t flags) {
  for (; i < end; i++) push(r, i, i + 1, fnv(r->src + i, 1), r->grammar->operator.class, flags);
}

// ---- the walk

enum { IN_CODE, IN_OPEN, IN_ERROR }; // the node's parent is an ACT_OPEN node, an error

typedef struct {
  TSTreeCursor cursor;
  uint32_t depth;
  uint32_t import;       // depth of the import clause we are in, or NONE
  uint32_t clause;       // depth of a possible one, or NONE
  uint32_t clause_first; // its first token
} walk;

static void deepen(runner *r) {
  uint32_t want = r->place_capacity ? r->place_capacity * 2 : 256;
  uint8_t *places = realloc(r->places, want);
  if (!places) longjmp(r->arena.escape, ESCAPE_MEMORY);
  r->places = places;
  r->place_capacity = want;
}

static inline bool descend(runner *r, walk *w, uint8_t place) {
  if (!ts_tree_cursor_goto_first_child(&w->cursor)) return false;
  w->depth++;
  if (__builtin_expect(w->depth >= r->place_capacity, 0)) deepen(r);
  r->places[w->depth] = place;
  return true;
}

static void mark(runner *r, walk *w, uint8_t marks) {
  if ((marks & MARK_IMPORT) && w->import == NONE) w->import = w->depth;
  if (marks & MARK_CLAUSE) {
    w->clause = w->depth;
    w->clause_first = r->count;
  }
  if ((marks & MARK_FROM) && w->clause != NONE && w->depth == w->clause + 1) {
    for (uint32_t i = w->clause_first; i < r->count; i++) r->tokens[i].flags |= FLAG_IMPORT;
    if (w->import == NONE) w->import = w->clause;
  }
}

static bool has_word(const char *s, uint32_t i, uint32_t end) {
  while (i < end && !is_letter((uint8_t)s[i]) && !is_digit((uint8_t)s[i])) i++;
  return i < end;
}

// walked says that the walk has come to a byte. A broken tree may hide the code before it: a scanner that looks for the
// end of a statement can take all that follows for it. Such code is lexed without the grammar.
static inline void walked(runner *r, uint32_t to) {
  if (to <= r->reached) return;
  if (__builtin_expect(r->broken, 0) && has_word(r->src, r->reached, to)) relex(r, r->reached, to, 0, true);
  r->reached = to;
}

// visit handles one node and says whether the cursor went down to its first child.
static inline bool visit(runner *r, walk *w) {
  const grammar *g = r->grammar;
  TSNode n = ts_tree_cursor_current_node(&w->cursor);
  TSSymbol s = ts_node_symbol(n);
  const rule *u = s < g->rule_count ? &g->rules[s] : &g->error;
  if (w->import != NONE && w->depth <= w->import) w->import = NONE;
  if (w->clause != NONE && w->depth <= w->clause) w->clause = NONE;
  if (u->marks) mark(r, w, u->marks);
  if (u == &g->error) r->errors++;
  uint8_t flags = w->import != NONE ? FLAG_IMPORT : 0;
  uint32_t start = ts_node_start_byte(n), end = ts_node_end_byte(n);
  walked(r, start);
  uint8_t place = w->depth ? r->places[w->depth] : IN_CODE;
  bool delimiter = u->literal && place == IN_OPEN;
  if (u->action == ACT_LEAF && !delimiter && descend(r, w, u == &g->error ? IN_ERROR : IN_CODE)) return true;
  if (end > r->reached) r->reached = end;
  if (u == &g->error || (u->action == ACT_SKIP && place == IN_ERROR)) { // code that was taken for the text of a string
    if (has_word(r->src, start, end)) return relex(r, start, end, flags, true), false;
  }
  if (u->action == ACT_SKIP || delimiter) return false;
  if (__builtin_expect(start == end, 0) && ts_node_is_missing(n)) r->errors++;
  switch (u->action) {
  case ACT_RELEX: relex(r, start, end, flags, false); return false;
  case ACT_WORDS: words(r, start, end, flags); return false;
  case ACT_TEXT:
    if (!plain_word(r->src, start, end) && descend(r, w, IN_CODE)) return true;
    push(r, start, end, text_kind(r->src, start, end), u->class, flags);
    return false;
  case ACT_APART: push_bytes(r, start, end, flags); return false;
  case ACT_SIGNED:
    if (start < end && (r->src[start] == '-' || r->src[start] == '+')) push_bytes(r, start, start + 1, flags), start++;
    break;
  }
  push(r, start, end, u->kind, u->class, flags);
  return u->action == ACT_OPEN && descend(r, w, IN_OPEN);
}

static void walk_tree(runner *r, TSTree *tree) {
  TSNode root = ts_tree_root_node(tree);
  walk w = {.cursor = ts_tree_cursor_new(root), .import = NONE, .clause = NONE};
  r->broken = ts_node_has_error(root);
  for (;;) {
    if (visit(r, &w)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&w.cursor)) {
      if (!ts_tree_cursor_goto_parent(&w.cursor)) return walked(r, r->len);
      w.depth--;
    }
  }
}

static int parse_and_walk(runner *r, uint64_t micros) {
  TSParser *p = ts_parser_new();
  if (!ts_parser_set_language(p, &r->grammar->language)) return RUN_FAILED;
  ts_parser_set_cancellation_flag(p, &r->arena.stop);
  ts_parser_set_timeout_micros(p, micros);
  TSTree *tree = ts_parser_parse(p, NULL, (TSInput){.payload = r, .read = read_piece});
  if (r->arena.stop) return RUN_BUDGET;
  if (!tree) return RUN_TIMEOUT;
  r->arena.budget = r->arena.hard = UINT64_MAX; // the walk is linear in the tree
  walk_tree(r, tree);
  return RUN_OK;
}

runner *runner_new(void) { return ts_parser_new ? calloc(1, sizeof(runner)) : NULL; }

void runner_delete(runner *r) {
  if (!r) return;
  arena_free(&r->arena);
  free(r->tokens);
  free(r->places);
  free(r);
}

static void begin(runner *r) {
  r->count = r->errors = 0;
  r->reached = r->len >= 3 && !memcmp(r->src, "\xef\xbb\xbf", 3) ? 3 : 0;
  r->scanner = NULL;
  r->scanning = NULL;
  r->cut = false;
  if (r->capacity > KEEP_TOKENS || r->capacity > r->limit) {
    free(r->tokens);
    r->tokens = NULL;
    r->capacity = 0;
  }
}

static int code_of(int escape) {
  switch (escape) {
  case ESCAPE_MEMORY: return RUN_MEMORY;
  case ESCAPE_BUDGET: return RUN_BUDGET;
  case ESCAPE_FAILED: return RUN_FAILED;
  default: return escape - 16;
  }
}

// Everything that lives across the jump is in *r: no local is read after it
// that was written behind setjmp.
int runner_run(runner *r, const grammar *g, const char *src, uint32_t len, uint32_t skip,
               uint64_t budget, uint64_t arena_cap, uint32_t limit, uint64_t micros) {
  r->grammar = g;
  r->src = src;
  r->len = len;
  r->skip = skip;
  r->limit = limit;
  begin(r);
  arena_begin(&r->arena, arena_cap, budget);
  running = r;
  arena_enter(&r->arena);
  int escape = _setjmp(r->arena.escape);
  int code = escape ? code_of(escape) : parse_and_walk(r, micros);
  if (r->scanner) scanner_destroy(r->scanner);
  arena_leave();
  running = NULL;
  arena_end(&r->arena);
  r->src = NULL;
  return code;
}

// ---- the plain parse, what tokenizing is measured against

TSParser *bare_new(const TSLanguage *l) {
  TSParser *p = ts_parser_new();
  if (ts_parser_set_language(p, l)) return p;
  ts_parser_delete(p);
  return NULL;
}

int bare_parse(TSParser *p, const char *src, uint32_t len) {
  TSTree *t = ts_parser_parse_string(p, NULL, src, len);
  if (!t) return 1;
  ts_tree_delete(t);
  return 0;
}

// ---- parsing with the tree of the version before, what parsing anew is measured against

static uint64_t cpu_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void walk_bare(runner *r, const grammar *g, const char *src, uint32_t len, TSTree *tree) {
  *r = (runner){.grammar = g, .src = src, .len = len, .limit = UINT32_MAX};
  if (!_setjmp(r->arena.escape)) walk_tree(r, tree);
}

static bool same_tokens(const runner *a, const runner *b) {
  return a->count == b->count && (!a->count || !memcmp(a->tokens, b->tokens, a->count * sizeof(token)));
}

int bare_reparse(const grammar *g, const char *was, uint32_t was_len, const char *src, uint32_t len,
                 const TSInputEdit *edits, uint32_t count, reparse *out) {
  TSParser *p = bare_new(g->original);
  TSTree *old = p ? ts_parser_parse_string(p, NULL, was, was_len) : NULL;
  if (!old) return 1;
  uint64_t at = cpu_time();
  TSTree *anew = ts_parser_parse_string(p, NULL, src, len);
  out->anew = cpu_time() - at;
  at = cpu_time();
  for (uint32_t i = 0; i < count; i++) ts_tree_edit(old, &edits[i]);
  TSTree *reused = ts_parser_parse_string(p, old, src, len);
  out->reused = cpu_time() - at;
  runner a, b;
  walk_bare(&a, g, src, len, anew);
  at = cpu_time();
  walk_bare(&b, g, src, len, reused);
  out->walked = cpu_time() - at;
  out->tokens = a.count;
  out->errors = a.errors;
  out->reused_errors = b.errors;
  out->same = same_tokens(&a, &b);
  free(a.tokens), free(a.places), free(b.tokens), free(b.places);
  ts_tree_delete(old), ts_tree_delete(anew), ts_tree_delete(reused);
  ts_parser_delete(p);
  return 0;
}

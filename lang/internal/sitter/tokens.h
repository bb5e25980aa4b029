#ifndef SITTER_TOKENS_H
#define SITTER_TOKENS_H

#include "api.h"
#include "arena.h"

typedef struct {
  uint32_t start, end;
  uint32_t kind;
  uint8_t class;
  uint8_t flags;
  uint16_t zero;
} token;

// What the walk does with a node of a symbol.
enum {
  ACT_LEAF = 0,    // descend; a leaf is a token
  ACT_SKIP = 1,    // drop the subtree
  ACT_ATOM = 2,    // the subtree is one token
  ACT_OPEN = 3,    // one token, followed by those of the named children
  ACT_RELEX = 4,   // the text is source code: lex it
  ACT_WORDS = 5,   // the text is prose: lex it into words
  ACT_TEXT = 6,    // the text is the identity, unless it has parts and is no plain word
  ACT_APART = 7,   // each byte is a token
  ACT_SIGNED = 8,  // one token, but that a sign at its start is one of its own
};

// What a symbol says about imports.
enum {
  MARK_IMPORT = 1, // the node is an import clause
  MARK_CLAUSE = 2, // the node is one if a child says so
  MARK_FROM = 4,   // that child
};

enum { FLAG_IMPORT = 1 };

typedef struct {
  uint32_t kind;
  uint8_t action, class, marks, literal;
} rule;

typedef struct {
  uint32_t kind; // FNV-1a of the spelling
  uint32_t as;   // the kind it becomes
  uint32_t class;
} spelling;

// The functions of a scanner have the types of github.com/smacker/go-tree-sitter (MIT).
typedef struct {
  const TSLanguage *original;
  TSLanguage language; // a copy, so that calls of the scanner pass through ours
  void *(*create)(void);
  void (*destroy)(void *);
  bool (*scan)(void *, TSLexer *, const bool *);
  unsigned (*serialize)(void *, char *);
  void (*deserialize)(void *, const char *, unsigned);
  uint32_t scanner_bytes; // allocate the scanner's state ourselves when not 0
  const rule *rules;
  uint32_t rule_count;
  rule error; // for the ERROR symbol
  const spelling *spellings; // ascending by kind
  uint32_t spelling_count;
  // Kinds and classes the re-lexer gives out.
  rule identifier, number, string, word, operator;
  char comment; // how a comment begins: '/' for // and /*, '#', '-' for -- and --[[
} grammar;

// Tree-sitter gives a scanner 1 KiB for its state. Some write a few bytes more, so
// they write to more; some misread what they wrote, so zeros follow what they read.
enum { STATE_BYTES = 1024, STATE_WRITTEN = 2 << 10, STATE_READ = 8 << 10 };

enum { RUN_OK = 0, RUN_TIMEOUT = 1, RUN_TOKENS = 2, RUN_MEMORY = 3, RUN_BUDGET = 4, RUN_FAILED = 5 };

typedef struct {
  arena arena;
  token *tokens;
  uint32_t count, capacity, limit;
  uint32_t errors;
  bool broken;      // the tree has syntax errors
  uint32_t reached; // the text before it was walked
  const grammar *grammar;
  const char *src;
  uint32_t len;
  uint32_t skip; // bytes of a prefix that is not the caller's
  uint8_t *places; // by depth: what the parent is
  uint32_t place_capacity;
  void *scanner;
  TSLexer *scanning; // what the scanner reads from while it runs
  bool cut;          // the source ended for the scanner because the budget did
  unsigned read_bytes; // of state_read; zeros follow
  char state_written[STATE_WRITTEN], state_read[STATE_READ];
} runner;

runner *runner_new(void);
void runner_delete(runner *r);
int runner_run(runner *r, const grammar *g, const char *src, uint32_t len, uint32_t skip,
               uint64_t budget, uint64_t arena_cap, uint32_t limit, uint64_t micros);
void grammar_prepare(grammar *g, const TSLanguage *l);
int bare_parse(TSParser *p, const char *src, uint32_t len);
TSParser *bare_new(const TSLanguage *l);

// What parsing a version of a file costs, anew and with the tree of the version
// before: nanoseconds of this thread's CPU time.
typedef struct {
  uint64_t anew, reused, walked;
  uint32_t tokens, errors, reused_errors;
  uint32_t same; // the tokens of both parses
} reparse;

int bare_reparse(const grammar *g, const char *was, uint32_t was_len, const char *src, uint32_t len,
                 const TSInputEdit *edits, uint32_t count, reparse *out);
#endif

// The part of the tree-sitter C API this package uses, declared here because a
// cgo package cannot include the headers of another module. The definitions
// come with github.com/smacker/go-tree-sitter at the final link; they are weak
// because cgo first links each package alone.
#ifndef SITTER_API_H
#define SITTER_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEAK __attribute__((weak))

typedef uint16_t TSSymbol;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;

// TSLexer is what a grammar reads from: the start of tree-sitter's own lexer.
typedef struct TSLexer {
  int32_t lookahead;
  TSSymbol result_symbol;
  void (*advance)(struct TSLexer *, bool);
  void (*mark_end)(struct TSLexer *);
  uint32_t (*get_column)(struct TSLexer *);
  bool (*is_at_included_range_start)(const struct TSLexer *);
  bool (*eof)(const struct TSLexer *);
} TSLexer;

typedef struct {
  uint32_t row, column;
} TSPoint;

typedef struct {
  uint32_t context[4];
  const void *id;
  const TSTree *tree;
} TSNode;

typedef struct {
  const void *tree;
  const void *id;
  uint32_t context[3];
} TSTreeCursor;

typedef struct {
  void *payload;
  const char *(*read)(void *, uint32_t, TSPoint, uint32_t *);
  int encoding; // 0 is UTF-8
} TSInput;

typedef struct {
  uint32_t start_byte, old_end_byte, new_end_byte;
  TSPoint start_point, old_end_point, new_end_point;
} TSInputEdit;

// TSLanguage is what a generated grammar exports: the ABI of versions 13 and 14.
typedef struct {
  uint32_t version;
  uint32_t symbol_count;
  uint32_t alias_count;
  uint32_t token_count;
  uint32_t external_token_count;
  uint32_t state_count;
  uint32_t large_state_count;
  uint32_t production_id_count;
  uint32_t field_count;
  uint16_t max_alias_sequence_length;
  const void *tables[4];
  const char *const *symbol_names;
  const void *more_tables[8];
  bool (*lex_fn)(TSLexer *, uint16_t);
  bool (*keyword_lex_fn)(TSLexer *, uint16_t);
  TSSymbol keyword_capture_token;
  struct {
    const bool *states;
    const TSSymbol *symbol_map;
    void *(*create)(void);
    void (*destroy)(void *);
    bool (*scan)(void *, TSLexer *, const bool *);
    unsigned (*serialize)(void *, char *);
    void (*deserialize)(void *, const char *, unsigned);
  } external_scanner;
  const uint16_t *primary_state_ids;
} TSLanguage;

WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const TSLanguage *);
WEAK TSTree *ts_parser_parse(TSParser *, const TSTree *, TSInput);
WEAK TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
WEAK void ts_parser_set_timeout_micros(TSParser *, uint64_t);
WEAK void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
WEAK void ts_tree_delete(TSTree *);
WEAK TSTree *ts_tree_copy(const TSTree *);
WEAK void ts_tree_edit(TSTree *, const TSInputEdit *);
WEAK TSNode ts_tree_root_node(const TSTree *);
WEAK TSSymbol ts_node_symbol(TSNode);
WEAK uint32_t ts_node_start_byte(TSNode);
WEAK uint32_t ts_node_end_byte(TSNode);
WEAK bool ts_node_is_missing(TSNode);
WEAK bool ts_node_has_error(TSNode);
WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);
WEAK int ts_language_symbol_type(const TSLanguage *, TSSymbol);
WEAK void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t),
                           void *(*)(void *, size_t), void (*)(void *));

WEAK const TSLanguage *tree_sitter_swift(void);

#endif

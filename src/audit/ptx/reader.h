/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the reader of PTX share: where it is, the names that it knows, what it has read. */
#ifndef SWP_AUDIT_PTX_READER_H
#define SWP_AUDIT_PTX_READER_H

#include "audit/ptx/ptx.h"
#include "base/key_index.h"

/* A name's place in one of the tables; kinds of names do not meet. */
typedef enum swp_ptx_space {
    SWP_PTX_REGISTERS = 'r',
    SWP_PTX_LABELS = 'l',
    SWP_PTX_VARIABLES = 'v',
    SWP_PTX_PARAMS = 'p'
} swp_ptx_space;

typedef struct swp_ptx_scopes {
    int *items; /* the scope around each */
    size_t count;
    size_t capacity;
} swp_ptx_scopes;

/* A place in a function that was inlined, and where that was called. */
typedef struct swp_ptx_call {
    swp_ptx_line place;
    swp_ptx_line from;
} swp_ptx_call;

typedef struct swp_ptx_calls {
    swp_ptx_call *items;
    size_t count;
    size_t capacity;
} swp_ptx_calls;

typedef struct swp_ptx_numbers {
    int64_t *items;
    size_t count;
    size_t capacity;
} swp_ptx_numbers;

typedef enum swp_ptx_sizing {
    SWP_PTX_NOT_SHARED,
    SWP_PTX_SIZED,
    SWP_PTX_DYNAMIC /* its size is the launch's */
} swp_ptx_sizing;

typedef struct swp_ptx_variable {
    swp_ptx_sizing sizing;
    int64_t bytes;
    int64_t alignment;
    int64_t address; /* in the kernel that has been placed last… */
    int kernel;      /* …and that one, and 1 */
} swp_ptx_variable;

typedef struct swp_ptx_variables {
    swp_ptx_variable *items;
    size_t count;
    size_t capacity;
} swp_ptx_variables;

typedef struct swp_ptx_reader {
    swp_context *ctx;
    const char *file;
    swp_slice rest;
    int line;
    int version_line; /* behind it .target belongs */
    bool has_target;  /* the module's is what a directive says */
    swp_ptx_module *module;
    swp_key_index names;
    swp_ptx_scopes scopes; /* 0 is the module's */
    int scope;
    int function_scope; /* 0: outside functions */
    bool in_kernel;
    swp_ptx_variables variables;
    swp_ptx_numbers labels; /* instructions */
    const char *blanked;    /* the text as it is read, without comments and strings… */
    const char *original;   /* …and as it was given */
    const char *original_end;
    swp_ptx_line source; /* of the next instruction */
    swp_ptx_line caller;
    swp_ptx_calls calls;
} swp_ptx_reader;

/* --- read_text.c --- */

swp_status swp_ptx_cut_short(const swp_ptx_reader *reader, const char *what);

/* A copy without comments, what strings say, and a mark of the order of bytes; lines stay where they are. */
swp_status swp_ptx_blank_comments(swp_context *ctx, swp_slice text, swp_slice *out);

bool swp_ptx_is_name(char c);
void swp_ptx_skip(swp_ptx_reader *reader, size_t count);
void swp_ptx_skip_blanks(swp_ptx_reader *reader);

/* How many characters stand before the next such one, or before the end. */
size_t swp_ptx_until(const swp_ptx_reader *reader, char end);

swp_slice swp_ptx_take_name(swp_ptx_reader *reader);

/* Up to a brace at the most. */
swp_slice swp_ptx_take_line(swp_ptx_reader *reader);

/* Up to a semicolon that stands in no braces, and over it. */
swp_status swp_ptx_take_statement(swp_ptx_reader *reader, swp_slice *out);

/* --- read_names.c --- */

/* `*found`: `number`, or the one that the name has in this scope already. */
swp_status swp_ptx_declare(swp_ptx_reader *reader, swp_ptx_space kind, int scope, swp_slice name,
                           int number, int *found);
swp_status swp_ptx_declare_register(swp_ptx_reader *reader, int scope, swp_slice name, int *number);

/* In a scope, or in one around it; -1: nowhere. */
swp_status swp_ptx_look_up(const swp_ptx_reader *reader, swp_ptx_space kind, int scope,
                           swp_slice name, int *found);

swp_status swp_ptx_open_scope(swp_ptx_reader *reader);
swp_ptx_kernel *swp_ptx_open_kernel(const swp_ptx_reader *reader);

/* --- read_insn.c --- */

swp_status swp_ptx_read_insn(swp_ptx_reader *reader);
swp_status swp_ptx_add_label(swp_ptx_reader *reader, swp_slice name);
swp_status swp_ptx_resolve_branches(swp_ptx_reader *reader, const swp_ptx_kernel *kernel);

/* --- read_sources.c --- */

/* What stands behind `.file`, and behind `.loc`. */
swp_status swp_ptx_read_file_line(swp_ptx_reader *reader);
swp_status swp_ptx_read_loc(swp_ptx_reader *reader);

/* --- read_variables.c --- */

/* `.shared .align 8 .b8 name[64]` and the like. */
swp_status swp_ptx_add_variable(swp_ptx_reader *reader, swp_slice text, bool shared);

/* `.reg .pred p, q` or `.reg .b32 %r<12>`; what has no name of its own is known by its first use. */
swp_status swp_ptx_add_registers(swp_ptx_reader *reader, swp_slice text);

/*
 * A kernel has the shared variables that it names, whoever else of the file has others; dynamic shared memory begins behind them,
 * wherever it is declared.
 */
void swp_ptx_place_variables(const swp_ptx_reader *reader);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Reading assembly for gfx942 and gfx950, as clang -S writes it. */
#ifndef SWP_AUDIT_AMD_AMD_H
#define SWP_AUDIT_AMD_AMD_H

#include "audit/code/front_end.h"
#include "audit/code/insn.h"

extern const swp_front_end swp_amd_front_end;

typedef enum swp_statement_kind {
    SWP_STATEMENT_LABEL,
    SWP_STATEMENT_DIRECTIVE,
    SWP_STATEMENT_INSTRUCTION,
    SWP_STATEMENT_METADATA, /* a line between .amdgpu_metadata and its end */
    SWP_STATEMENT_OBSCURE   /* may be one of those, or go on in the next line */
} swp_statement_kind;

typedef struct swp_statement {
    swp_statement_kind kind;
    int line;
    swp_slice name; /* of the label, directive or instruction */
    swp_slice rest; /* what follows the name; the line of metadata */
    swp_slice text; /* name and rest */
} swp_statement;

typedef struct swp_statement_list {
    swp_statement *items;
    size_t count;
    size_t capacity;
} swp_statement_list;

/* Splits a text into statements, without comments. */
swp_status swp_amd_statements(swp_context *ctx, swp_slice text, swp_statement_list *out);

/* Threads of a workgroup whose size nobody says. */
enum { SWP_AMD_LARGEST_WORKGROUP = 1024 };

swp_function *swp_amd_function_of(const swp_machine_code *code, swp_slice name);

swp_status swp_amd_declare_functions(swp_context *ctx, const swp_statement_list *statements,
                                     swp_machine_code *code);

/* The same of code that none of those is about. */
swp_status swp_amd_declare_whole(swp_context *ctx, swp_machine_code *code);

void swp_amd_doubt_returns(swp_machine_code *code, const swp_function *kernel);

/* What the descriptor of a kernel says of the scalar registers that it begins with. */
enum { SWP_AMD_ENTRY_ROWS = 12 };

typedef struct swp_amd_entry {
    bool stated; /* it says something of those of the user */
    bool unread; /* and something that is no plain number */
    int user;    /* how many those are; -1: as many as it asks for */
    int registers[SWP_AMD_ENTRY_ROWS];
} swp_amd_entry;

void swp_amd_entry_begin(swp_amd_entry *out);
void swp_amd_entry_read(const swp_statement *statement, swp_amd_entry *out);
void swp_amd_entry_end(const swp_amd_entry *entry, swp_function *function);

/* Where the file says nothing of it, the first two are taken to point to the arguments. */
void swp_amd_presume_entry(swp_function *function);

typedef struct swp_amd_section {
    swp_slice name;
    bool is_code;
} swp_amd_section;

typedef enum swp_amd_effect {
    SWP_AMD_HARMLESS,    /* no byte of code comes of it */
    SWP_AMD_BYTES,       /* puts bytes into code, which are instructions that nobody reads */
    SWP_AMD_NOT_FOLLOWED /* may change which of the statements are assembled, and how often */
} swp_amd_effect;

/* What a directive does in a section, which it may change. */
swp_amd_effect swp_amd_effect_of(const swp_statement *statement, swp_amd_section *section);

typedef struct swp_amd_row {
    const char *name;
    swp_insn_kind kind;
    int destinations;
    int value; /* swp_value_op */
    int flags; /* table.h */
} swp_amd_row;

/* The row of an instruction, NULL if there is none; `name` has no suffix of an encoding. */
const swp_amd_row *swp_amd_row_of(swp_slice name);

/* Whether a target has an instruction that has a row. */
bool swp_amd_has(swp_processor target, swp_slice name);

/* Reads an operand without its modifiers. @return false for one of no known form. */
bool swp_amd_operand(swp_slice text, swp_operand *out);

/*
 * Reads the counts of s_waitcnt. Returns why that cannot be, NULL if it can; `invalid` says why no
 * hardware has them.
 */
const char *swp_amd_read_wait(swp_slice rest, swp_insn *insn);

/* The same instruction with other counts; "" where it waits for nothing. */
swp_status swp_amd_write_wait(swp_context *ctx, const swp_insn *insn,
                              const int waits[SWP_AUDIT_COUNTERS], const char **out);

/* What an instruction of a target does. What cannot be told makes it an unknown one, never an error. */
void swp_amd_decode(const swp_statement *statement, swp_processor target, swp_insn *out);

#endif

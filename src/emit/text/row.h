/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an op in its place as one line of aligned columns, for the debug and the text format. */
#ifndef SWP_EMIT_TEXT_ROW_H
#define SWP_EMIT_TEXT_ROW_H

#include "base/text.h"
#include "swp/compile.h"

typedef struct swp_row_style {
    const char *prefix;
    size_t name_width; /* columns of the longest name of a kernel's op */
    bool channels;     /* there is a column for the channel, since names do not tell A from B */
    const swp_loop_dataflow
        *dataflow; /* NULL, or of a loop, whose ops have values instead of places */
    const swp_role_object *objects; /* NULL, or those of warp roles */
    bool grid;                      /* a COMPUTE has a row and a column, not a slot and a subtile */
} swp_row_style;

/* Returns the terminal columns of a UTF-8 name, one for each code point. */
size_t swp_emit_row_width(const char *name);

/* Returns "K-1" to "K+2", or "" for an op without a k offset. */
const char *swp_emit_row_k(swp_k_offset k_offset);

/* Sets the columns that the entries of a schedule need, except for the width. */
void swp_emit_row_suit(swp_row_style *style, const swp_schedule *schedule);

/* Returns a style that suits the entries of a schedule, without a prefix. */
swp_row_style swp_emit_row_style_of(const swp_schedule *schedule);

/* Appends the op. */
void swp_emit_row_add_op(swp_text *text, const swp_row_style *style, const swp_entry *entry,
                         const char *name);

/* Appends a line: prefix, ordinal, op. */
void swp_emit_row_add(swp_text *text, const swp_row_style *style, const swp_entry *entry,
                      const char *name);

#endif

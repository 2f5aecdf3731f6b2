/* SPDX-License-Identifier: Apache-2.0 */
/* An op in its place, as one line of aligned columns: what debug and the text format share. */
#ifndef SWP_EMIT_TEXT_ROW_H
#define SWP_EMIT_TEXT_ROW_H

#include "base/text.h"
#include "swp/compile.h"

typedef struct swp_row_style {
    const char *prefix;
    size_t name_width; /* columns that the longest name of a kernel's op takes */
    bool channels;     /* a column for the channel: where names do not tell A from B */
    const swp_loop_dataflow *dataflow; /* of a loop's ops, which have values instead of places */
    const swp_role_object *objects;    /* of warp roles */
    bool grid; /* a COMPUTE has a row and a column, not a slot and a subtile */
} swp_row_style;

/* Terminal columns of a UTF-8 name, one for each code point. */
size_t swp_emit_row_width(const char *name);

/* "K-1" to "K+2"; "" for an op without a k offset. */
const char *swp_emit_row_k(swp_k_offset k_offset);

/* Columns that the entries of a schedule have, whatever their width. */
void swp_emit_row_suit(swp_row_style *style, const swp_schedule *schedule);

/* What suits the entries of a schedule, without a prefix. */
swp_row_style swp_emit_row_style_of(const swp_schedule *schedule);

/* Appends the op. */
void swp_emit_row_add_op(swp_text *text, const swp_row_style *style, const swp_entry *entry,
                         const char *name);

/* Appends a line: prefix, ordinal, op. */
void swp_emit_row_add(swp_text *text, const swp_row_style *style, const swp_entry *entry,
                      const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of an input text, which stay where the input is. */
#ifndef SWP_AUDIT_CODE_SLICE_H
#define SWP_AUDIT_CODE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct swp_slice {
    const char *start;
    size_t length;
} swp_slice;

/* For printf's %.*s. */
#define SWP_SLICE_FORMAT(slice) (int)(slice).length, (slice).start

/* What follows the first `count` characters. */
swp_slice swp_code_slice_after(swp_slice slice, size_t count);

/* What begins with the first place where `text` stands; empty: it stands nowhere. */
swp_slice swp_code_slice_from(swp_slice slice, const char *text);

/* Without blanks at either end. */
swp_slice swp_code_slice_trim(swp_slice slice);

bool swp_code_slice_is(swp_slice slice, const char *text);
bool swp_code_slice_starts(swp_slice slice, const char *text);
bool swp_code_slice_contains(swp_slice slice, const char *text);
bool swp_code_slice_same(swp_slice a, swp_slice b);

/* Takes the word up to the next blank away from the front; empty at the end. */
swp_slice swp_code_slice_take_word(swp_slice *rest);

/*
 * Takes what stands before the next `separator` outside brackets away from the front, with the
 * separator, and trims it.
 */
swp_slice swp_code_slice_take_until(swp_slice *rest, char separator);

/* Reads a whole decimal or 0x number with an optional sign; no octal one. */
bool swp_code_slice_number(swp_slice slice, int64_t *out);

/* The same of what follows a text that the slice starts with. */
bool swp_code_slice_number_after(swp_slice slice, const char *text, int64_t *out);

#endif

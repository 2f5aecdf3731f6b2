/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text of numbers, a line each, that is written and read by the same code: what one function names in an order is written
 * in that order, or read back. A text that is not what that code writes leaves `bad`, and zeros.
 */
#ifndef SWP_BASE_NUMBERS_H
#define SWP_BASE_NUMBERS_H

#include "base/text.h"

/* Zero-initialise but for the context, and, to read, `at` and `end`: a text with a NUL at its end. */
typedef struct swp_number_text {
    swp_context *ctx;
    swp_text out;
    const char *at; /* NULL: it is written */
    const char *end;
    bool bad;
} swp_number_text;

/* A number of `least` to `most`. */
void swp_numbers_of(swp_number_text *n, int64_t *number, int64_t least, int64_t most);
void swp_numbers_int(swp_number_text *n, int *number, int least, int most);
void swp_numbers_flag(swp_number_text *n, bool *flag);
/* The bits of it, so that what is read is what was written. */
void swp_numbers_real(swp_number_text *n, double *number);
/* How many of something follow; of what is read no more than the text has characters. */
void swp_numbers_count(swp_number_text *n, size_t *count);

/* Lists, which are taken from the context where they are read. */
swp_status swp_numbers_ints(swp_number_text *n, const int **items, size_t *count, int least,
                            int most);
swp_status swp_numbers_times(swp_number_text *n, const int64_t **items, size_t *count);
swp_status swp_numbers_text(swp_number_text *n, const char **text);

#endif

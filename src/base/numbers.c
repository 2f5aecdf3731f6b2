/* SPDX-License-Identifier: Apache-2.0 */
/* Writes numbers, lists and texts line by line, and reads them back. */
#include "base/numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int64_t next_number(swp_number_text *n)
{
    char *behind = NULL;
    errno = 0;
    const long long number = n->bad ? 0 : strtoll(n->at, &behind, 10);
    n->bad = n->bad || errno != 0 || behind == n->at || *behind != '\n';
    if (n->bad)
        return 0;
    n->at = behind + 1;
    return number;
}

void swp_numbers_of(swp_number_text *n, int64_t *number, int64_t least, int64_t most)
{
    if (!n->at) {
        swp_text_format(&n->out, "%" PRId64 "\n", *number);
        return;
    }
    *number = next_number(n);
    n->bad = n->bad || *number < least || *number > most;
    if (n->bad)
        *number = 0;
}

void swp_numbers_int(swp_number_text *n, int *number, int least, int most)
{
    int64_t wide = *number;
    swp_numbers_of(n, &wide, least, most);
    *number = (int)wide;
}

void swp_numbers_flag(swp_number_text *n, bool *flag)
{
    int number = *flag;
    swp_numbers_int(n, &number, 0, 1);
    *flag = number == 1;
}

void swp_numbers_real(swp_number_text *n, double *number)
{
    int64_t bits = 0;
    memcpy(&bits, number, sizeof bits);
    swp_numbers_of(n, &bits, INT64_MIN, INT64_MAX);
    memcpy(number, &bits, sizeof bits);
}

void swp_numbers_count(swp_number_text *n, size_t *count)
{
    int64_t wide = (int64_t)*count;
    swp_numbers_of(n, &wide, 0, n->at ? n->end - n->at : INT64_MAX);
    *count = (size_t)wide;
}

swp_status swp_numbers_ints(swp_number_text *n, const int **items, size_t *count, int least,
                            int most)
{
    int *read = NULL;
    swp_numbers_count(n, count);
    if (n->at)
        SWP_TRY(SWP_TAKE(n->ctx, *count, &read));
    for (size_t i = 0; i < *count; i++) {
        int item = n->at ? 0 : (*items)[i];
        swp_numbers_int(n, &item, least, most);
        if (read)
            read[i] = item;
    }
    *items = n->at ? read : *items;
    return SWP_OK;
}

swp_status swp_numbers_times(swp_number_text *n, const int64_t **items, size_t *count)
{
    int64_t *read = NULL;
    swp_numbers_count(n, count);
    if (n->at)
        SWP_TRY(SWP_TAKE(n->ctx, *count, &read));
    for (size_t i = 0; i < *count; i++) {
        int64_t item = n->at ? 0 : (*items)[i];
        swp_numbers_of(n, &item, 0, INT64_MAX);
        if (read)
            read[i] = item;
    }
    *items = n->at ? read : *items;
    return SWP_OK;
}

swp_status swp_numbers_text(swp_number_text *n, const char **text)
{
    size_t length = n->at ? 0 : strlen(*text);
    char *copy = NULL;
    swp_numbers_count(n, &length);
    if (!n->at) {
        swp_text_add(&n->out, *text, length);
        swp_text_add(&n->out, "\n", 1);
        return SWP_OK;
    }
    n->bad = n->bad || (size_t)(n->end - n->at) <= length || n->at[length] != '\n';
    SWP_TRY(swp_copy_text(n->ctx, n->at, n->bad ? 0 : length, &copy));
    n->at += n->bad ? 0 : length + 1;
    *text = copy;
    return SWP_OK;
}

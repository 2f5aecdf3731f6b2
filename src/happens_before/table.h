/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by pairs of numbers, in a hash table with linear probing. */
#ifndef SWP_HAPPENS_BEFORE_TABLE_H
#define SWP_HAPPENS_BEFORE_TABLE_H

#include "base/context.h"

#include <stdint.h>

typedef struct swp_happens_table_row {
    int64_t second;
    int first;
    int number; /* and one more; 0: there is no pair here */
} swp_happens_table_row;

typedef struct swp_happens_table {
    swp_happens_table_row *rows;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} swp_happens_table;

/* Room for so many pairs more. */
swp_status swp_happens_table_reserve(swp_context *ctx, swp_happens_table *table, size_t more);

/* -1: the pair has none. */
int swp_happens_table_find(const swp_happens_table *table, int first, int64_t second);

/* Gives a pair a number, for which there is room. -1: it has none any more. */
void swp_happens_table_set(swp_happens_table *table, int first, int64_t second, int number);

#endif

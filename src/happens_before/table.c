/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by pairs of numbers: a hash table with linear probing (Knuth, volume 3, 6.4, algorithms L and R). */
#include "happens_before/table.h"

static size_t home_of(const swp_happens_table *table, int first, int64_t second)
{
    const uint64_t mixed = ((uint64_t)second * 31 + (uint64_t)first) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32) & (table->capacity - 1);
}

/* The row of a pair, or the free one where it would be. */
static swp_happens_table_row *row_of(const swp_happens_table *table, int first, int64_t second)
{
    size_t at = home_of(table, first, second);
    while (table->rows[at].number != 0 &&
           (table->rows[at].first != first || table->rows[at].second != second))
        at = (at + 1) & (table->capacity - 1);
    return &table->rows[at];
}

/* Moves rows behind a free one up, so that whoever probes finds them. */
static void close_gap(swp_happens_table *table, size_t gap)
{
    const size_t mask = table->capacity - 1;
    for (size_t at = (gap + 1) & mask; table->rows[at].number != 0; at = (at + 1) & mask) {
        const size_t home = home_of(table, table->rows[at].first, table->rows[at].second);
        if (((at - home) & mask) < ((at - gap) & mask))
            continue;
        table->rows[gap] = table->rows[at];
        table->rows[at].number = 0;
        gap = at;
    }
}

swp_status swp_happens_table_reserve(swp_context *ctx, swp_happens_table *table, size_t more)
{
    enum { LEAST = 16 };
    const swp_happens_table old = *table;
    size_t capacity = old.capacity > 0 ? old.capacity : LEAST;
    while (capacity < 2 * (old.count + more))
        capacity *= 2;
    if (capacity == old.capacity)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, capacity, &table->rows));
    table->capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.rows[i].number != 0)
            *row_of(table, old.rows[i].first, old.rows[i].second) = old.rows[i];
    return SWP_OK;
}

int swp_happens_table_find(const swp_happens_table *table, int first, int64_t second)
{
    return table->capacity == 0 ? -1 : row_of(table, first, second)->number - 1;
}

void swp_happens_table_set(swp_happens_table *table, int first, int64_t second, int number)
{
    swp_happens_table_row *row = row_of(table, first, second);
    table->count += number >= 0 && row->number == 0;
    table->count -= number < 0;
    *row = (swp_happens_table_row){second, first, number + 1};
    if (number < 0)
        close_gap(table, (size_t)(row - table->rows));
}

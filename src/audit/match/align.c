/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heaviest common subsequence of two lists: S. B. Needleman and C. D. Wunsch's dynamic program,
 * without gap costs.
 */
#include "audit/match/align.h"

/* Cells of the table: far more than any kernel and its schedule need. */
#define MOST_CELLS ((size_t)1 << 24)

swp_status swp_match_align(swp_context *ctx, swp_place place, size_t rows, size_t columns,
                           swp_worth *worth, const void *user, int **row_partners,
                           int **column_partners)
{
    int *best = NULL;
    if ((rows + 1) * (columns + 1) > MOST_CELLS)
        return swp_error(ctx, SWP_E0815, place, "give one kernel at a time",
                         "%zu entries and %zu instructions are more than can be compared", rows,
                         columns);
    SWP_TRY(SWP_TAKE(ctx, (rows + 1) * (columns + 1), &best));
    SWP_TRY(SWP_TAKE(ctx, rows, row_partners));
    SWP_TRY(SWP_TAKE(ctx, columns, column_partners));
    for (size_t i = 0; i < rows; i++)
        (*row_partners)[i] = -1;
    for (size_t j = 0; j < columns; j++)
        (*column_partners)[j] = -1;
#define BEST(i, j) best[(i) * (columns + 1) + (j)]
    for (size_t i = rows; i-- > 0;)
        for (size_t j = columns; j-- > 0;) {
            const int pair = worth(user, i, j);
            const int with = pair ? pair + BEST(i + 1, j + 1) : 0;
            const int without = BEST(i + 1, j) > BEST(i, j + 1) ? BEST(i + 1, j) : BEST(i, j + 1);
            BEST(i, j) = with > without ? with : without;
        }
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
        const int pair = worth(user, i, j);
        if (pair && BEST(i, j) == pair + BEST(i + 1, j + 1)) {
            (*row_partners)[i] = (int)j;
            (*column_partners)[j++] = (int)i++;
        } else if (BEST(i, j) == BEST(i + 1, j)) {
            i++;
        } else {
            j++;
        }
    }
#undef BEST
    return SWP_OK;
}

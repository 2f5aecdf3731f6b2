/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/align.h"

swp_status swp_align(swp_context *ctx, size_t rows, size_t columns, swp_worth *worth,
                     const void *user, int **row_partners, int **column_partners)
{
    int *best = NULL;
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

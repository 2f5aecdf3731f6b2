/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the times of an iteration into stages of an interval each. */
#include "pipeline/stages.h"

#include <limits.h>

swp_status swp_pipeline_times_from_zero(swp_context *ctx, const swp_loop *loop,
                                        const int64_t *times, const int64_t **out)
{
    int64_t *moved = NULL;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &moved));
    int64_t first = times[0];
    for (size_t i = 0; i < loop->op_count; i++)
        first = times[i] < first ? times[i] : first;
    for (size_t i = 0; i < loop->op_count; i++)
        moved[i] = times[i] - first;
    *out = moved;
    return SWP_OK;
}

int swp_pipeline_count_stages(const swp_loop *loop, const int64_t *times, int64_t interval)
{
    int64_t last = 0;
    for (size_t i = 0; i < loop->op_count; i++)
        last = times[i] > last ? times[i] : last;
    return last / interval < INT_MAX ? (int)(last / interval) + 1 : INT_MAX;
}

swp_status swp_pipeline_list_stages(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                    int64_t interval, const int **out)
{
    int *stage = NULL;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &stage));
    for (size_t i = 0; i < loop->op_count; i++)
        stage[i] = (int)(times[i] / interval);
    *out = stage;
    return SWP_OK;
}

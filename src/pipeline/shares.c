/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the limits of a loop's compilation among its parts. */
#include "pipeline/shares.h"

static const double shares[] = {
#define SWP_SHARE(identifier, share) [identifier] = (share),
    SWP_LOOP_PART_ROWS(SWP_SHARE)
#undef SWP_SHARE
};

double swp_pipeline_seconds_of(const swp_limits *all, swp_loop_part part)
{
    return all->work > 0 ? all->seconds : all->seconds * shares[part];
}

uint64_t swp_pipeline_work_of(const swp_limits *all, swp_loop_part part)
{
    const uint64_t work = (uint64_t)((double)all->work * shares[part]);
    return all->work > 0 && work == 0 ? 1 : work;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether jobs with heads and deadlines fit on one unit if they could be interrupted. */
#ifndef SWP_ORDER_UNIT_LOAD_H
#define SWP_ORDER_UNIT_LOAD_H

#include "base/context.h"

typedef struct swp_job {
    int64_t head;     /* earliest start */
    int64_t busy;     /* cycles on the unit */
    int64_t deadline; /* latest end of the busy time */
} swp_job;

/*
 * Schedules the earliest deadline first, with interruption, from `free_at` on (Jackson's preemptive
 * schedule). If that misses a deadline, every order does. Sorts `jobs`; `heap` has room for `count`
 * jobs. `*end` is when the unit is free again at the earliest.
 */
bool swp_order_unit_load_fits(swp_job *jobs, int count, int64_t free_at, swp_job *heap,
                              int64_t *end);

#endif

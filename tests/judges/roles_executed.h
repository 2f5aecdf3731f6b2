/* SPDX-License-Identifier: Apache-2.0 */
/* The executor beside the proof of schedules with warp roles. */
#ifndef TEST_JUDGES_ROLES_EXECUTED_H
#define TEST_JUDGES_ROLES_EXECUTED_H

#include "swp/verify.h"

/* What the executor has done so far. */
typedef struct roles_executions {
    size_t hazards; /* looked for */
    size_t runs;    /* of safe schedules */
} roles_executions;

/*
 * Whether runs go as proven: of a safe schedule 64 adversarial ones for each number of iterations right, of another
 * each hazard is shown by one, and shown again when that is replayed. Says what is not shown.
 */
bool roles_run_as_proven(swp_context *ctx, const swp_schedule *schedule, roles_executions *seen);

#endif

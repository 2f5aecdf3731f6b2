/* SPDX-License-Identifier: Apache-2.0 */
/* The executor beside the verifier: a test fails where the two do not say the same. */
#ifndef TEST_JUDGES_EXECUTED_H
#define TEST_JUDGES_EXECUTED_H

#include "swp/verify.h"

/* Every hazard is shown by an execution, at the number of tiles that the verifier names. */
void expect_shown(const swp_schedule *schedule, const swp_hazard_list *hazards, const char *what);

/* So many adversarial runs go right. Numbers of tiles take turns, up to 12. */
void expect_right(const swp_schedule *schedule, int runs, const char *what);

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

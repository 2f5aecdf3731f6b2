/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a dataflow came to, beside what the loop computes. */
#ifndef SWP_RUN_RESULTS_H
#define SWP_RUN_RESULTS_H

#include "run/machine.h"

/*
 * Notes the results of ops that are not the loop's, in its order; where all are right, the values whose
 * last version is another one. Of a wave that waits for ever only what it has done counts.
 */
swp_status swp_run_compare_results(swp_run_machine *m);

/* Notes one result that is not the loop's. */
swp_status swp_run_note_result(swp_context *ctx, swp_run_outcome *outcome, swp_wrong_value wrong,
                               uint64_t got, uint64_t expected);

#endif

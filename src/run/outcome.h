/* SPDX-License-Identifier: Apache-2.0 */
/* What a finished run comes to. */
#ifndef SWP_RUN_OUTCOME_H
#define SWP_RUN_OUTCOME_H

#include "run/machine.h"

/* Compares accumulators or results, looks for threads that wait, and names the symptom. */
swp_status swp_run_judge(swp_run_machine *m);

/* Whether it is there; a run may show more than one. */
bool swp_run_has_symptom(const swp_run_outcome *outcome, swp_symptom symptom);

/* Whether a rule of warp roles is broken. */
bool swp_run_breaks(const swp_run_outcome *outcome, swp_symptom rule);

/* The outcome with its lists in another context's memory. */
swp_status swp_run_keep(swp_context *ctx, swp_run_outcome *outcome);

/* What a symptom of an outcome of the schedule means; where there is a dataflow, of results and not of accumulators. */
const char *swp_run_meaning(const swp_schedule *schedule, const swp_run_outcome *outcome,
                            swp_symptom symptom);

/* How many waves of each group are executed: 0 asks for the machine's, two at most. */
int swp_run_waves_per_group(const swp_schedule *schedule, int asked);

#endif

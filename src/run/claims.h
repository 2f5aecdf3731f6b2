/* SPDX-License-Identifier: Apache-2.0 */
/* What a counterexample says of its schedule, and of its execution. */
#ifndef SWP_RUN_CLAIMS_H
#define SWP_RUN_CLAIMS_H

#include "swp/run.h"

/* Refuses one of another schedule, or about what the schedule does not have. */
swp_status swp_run_check_claims(swp_context *ctx, const swp_schedule *schedule,
                                const swp_counterexample *counterexample);

/* Warns if the execution shows something else than the counterexample says. */
swp_status swp_run_compare_claims(swp_context *ctx, const swp_schedule *schedule,
                                  const swp_counterexample *counterexample,
                                  const swp_run_outcome *outcome);

#endif

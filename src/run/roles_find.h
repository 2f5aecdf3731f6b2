/* SPDX-License-Identifier: Apache-2.0 */
/* Counterexamples of schedules with warp roles. */
#ifndef SWP_RUN_ROLES_FIND_H
#define SWP_RUN_ROLES_FIND_H

#include "run/roles.h"

/* Runs of one N that may show the hazard, the plainest of which is kept; as swp_counterexample_find(). */
swp_status swp_run_find_in_roles(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_hazard *hazard, int n, swp_counterexample *out,
                                 bool *found);

/* Of a hazard by whose rules the hardware's counts are those that are meant, a machine that goes by what is meant. */
void swp_run_prepare_roles(swp_run_machine *m, swp_hazard_kind kind);

/* The events as they stand, then everything as early as possible. */
swp_status swp_run_replay_roles(swp_context *ctx, swp_run_machine *m,
                                const swp_timing_event_list *events);

#endif

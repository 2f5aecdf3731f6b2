/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of one form of a schedule, for every number of kernel passes. */
#ifndef SWP_VERIFY_PASSES_H
#define SWP_VERIFY_PASSES_H

#include "verify/rules.h"

/*
 * Finds the hazards of a form without warp roles. Each form in memory of its own: the states of all together would take the
 * square of the schedule.
 */
swp_status swp_verify_passes(swp_context *ctx, const swp_schedule *form, swp_rule rule,
                             swp_verdict *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Moving and adding barriers where that saves simulated cycles. */
#ifndef SWP_SYNC_CYCLES_H
#define SWP_SYNC_CYCLES_H

#include "solve/budget.h"
#include "sync/dataflow.h"

/*
 * Improves `gaps` (barriers before each data op) from a placement that is safe: fewest cycles a
 * pass among the placements one move or one more barrier away, again and again; ties by fewest
 * barriers. No more than `most_barriers`, and with `pace` one on each side of every COMPUTE. `sum`
 * is kept up to date. A local optimum, or what was
 * found when the budget ended: no bound is claimed.
 */
swp_status swp_save_cycles(swp_context *ctx, const swp_dataflow *flow, bool pace, int most_barriers,
                           swp_budget *budget, int *gaps, int *sum);

#endif

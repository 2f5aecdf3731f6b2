/* SPDX-License-Identifier: Apache-2.0 */
/* Waits and barriers of a body by the figures of a target (docs/simulation.md, "A block by figures"). */
#ifndef SWP_LOWER_SYNC_CHOICE_H
#define SWP_LOWER_SYNC_CHOICE_H

#include "base/context.h"
#include "swp/compile.h"
#include "swp/target.h"

/* What nobody has stated of how a body is synchronised, so that cycles may decide. */
typedef struct swp_sync_freedom {
    const swp_target *figures; /* NULL: nothing is left to choose */
    bool sync;
    bool goal;
    bool pace;
} swp_sync_freedom;

/*
 * Synchronises a body that has its published waits and barriers as its config says; with figures, of all ways that are left open, a safe one before one that
 * is not proven to be, then the one with the fewest cycles by the figures; of equal ones that which the config says.
 */
swp_status swp_lower_choose_sync(swp_context *ctx, const swp_sync_freedom *freedom,
                                 swp_schedule *schedule);

/* swp_compile_schedule() with this freedom. */
swp_status swp_lower_compile_body(swp_context *ctx, const swp_pipeline_schedule *definition,
                                  const swp_sync_freedom *freedom, swp_schedule **out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the least interval of an order of issue (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_TIGHTEN_H
#define SWP_PIPELINE_TIGHTEN_H

#include "base/context.h"
#include "swp/config.h"
#include "swp/loop.h"

/*
 * Gives the pipeline the least interval at which its ops can be issued in its order, if that is
 * less than it has. The new objectives are then not proven least. Callers ignore the diagnostics.
 * `out` may be `given`.
 * @param in_order  false: only the order of each unit is kept, and ops may issue in another one
 */
swp_status swp_pipeline_tighten(swp_context *ctx, const swp_machine *machine,
                                const swp_pipeline *given, bool in_order, swp_pipeline *out,
                                bool *found);

#endif

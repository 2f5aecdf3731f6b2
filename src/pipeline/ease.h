/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds other times for a pipeline, which allow more delay on a machine (docs/loops-proof.md, "Room
 * for waits").
 */
#ifndef SWP_PIPELINE_EASE_H
#define SWP_PIPELINE_EASE_H

#include "base/context.h"
#include "swp/config.h"
#include "swp/loop.h"

/*
 * Finds times of the same interval and slots. At them what is in flight fits the counters of the
 * machine and retires in order, and is awaited as late as can be found quickly. `*eased` is false
 * if nothing was found.
 * @param stages  most; if they are more than before, they are not proven least
 */
swp_status swp_pipeline_ease(swp_context *ctx, const swp_machine *machine,
                             const swp_pipeline *given, int stages, swp_pipeline *out, bool *eased);

#endif

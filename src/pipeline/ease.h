/* SPDX-License-Identifier: Apache-2.0 */
/* Other times for a pipeline, which bear more of what a machine does to them (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_EASE_H
#define SWP_PIPELINE_EASE_H

#include "base/context.h"
#include "swp/config.h"
#include "swp/loop.h"

/*
 * Times of the same interval and slots at which what is in flight keeps within the counters of the
 * machine, retires in order, and is awaited as many cycles later as can be found at once. `*eased` is
 * false where nothing was found.
 * @param stages  most; where they are more than before, they are not proven least
 */
swp_status swp_pipeline_ease(swp_context *ctx, const swp_machine *machine,
                             const swp_pipeline *given, int stages, swp_pipeline *out, bool *eased);

#endif
